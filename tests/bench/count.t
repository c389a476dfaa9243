#!/bin/bash
# SPDX-License-Identifier: MIT
# count.t - does tests/bench/count count to the instruction?   prove tests/bench/count.t [:: BOARD...]
#   given   known.c beside this file; the boards named, else all
#   makes   TAP
#   bound   30 s a board
#   never   needs anything built before
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh

name=tests/bench/known
for board in $(boards "$@"); do
    elf=$(build "$board" $name $name.c tests/tap.c)
    first=$(TEST_TIMEOUT=30 tests/bench/count "$board" "$elf" empty three loop)
    again=$(TEST_TIMEOUT=30 tests/bench/count "$board" "$elf" empty three loop)
    check "$board: nothing counts 0" grep -qx 'empty 10 0 0.0 0' <<<"$first"
    check "$board: three instructions count 3" grep -qx 'three 10 3 3.0 3' <<<"$first"
    check "$board: a loop that grows has its mean midway" \
        awk '$1 == "loop" { good = $2 == 10 && $3 > 0 && $5 > $3 && $4 * 2 == $3 + $5 } END { exit !good }' <<<"$first"
    check "$board: two runs count the same" [ "$first" = "$again" ]
    check "$board: an unknown marker is told" bash -c "! tests/bench/count $board $elf nowhere 2>/dev/null"
done
finish
