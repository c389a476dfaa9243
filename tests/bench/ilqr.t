#!/bin/bash
# SPDX-License-Identifier: MIT
# ilqr.t - does a step of iterative LQR cost more than src/predict/README.md says?   prove tests/bench/ilqr.t [:: BOARD...]
#   given   ilqr and ilqr.c beside this file; the table of the page (hopper); the boards named, else mps2-an500
#   makes   TAP: of two backward passes with their roll-outs, steps backwards, their mean and the longest, and the longest step forwards are
#           at most those of the page, which has ten passes, and 2 %
#   bound   a minute a board
#   never   needs anything built before
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh

if [ $# = 0 ]; then set -- mps2-an500; fi
figures() { # core column number
    awk -F ' *[|] *' '/^\| hopper \|/ { inside = 1; next }
        !/^\|/ { inside = 0 }
        inside && $3 + 0 > 0 { print $2, "backward", $4; print $2, "longest_backward", $5; print $2, "longest_forward", $7 }'
}
stated=$(figures <src/predict/README.md)
said=$(ITERATIONS=2 tests/bench/ilqr "$@")
sed 's/^/# /' <<<"$said"
while read -r core what number; do
    check "$core, ${what/_/ }: $number" awk -v key="$core $what" -v number="$number" \
        '$1 " " $2 == key { good = number <= 1.02 * $3 } END { exit !good }' <<<"$stated"
done < <(figures <<<"$said")
check "each board has three figures" [ "$count" = $((3 * $#)) ]
finish
