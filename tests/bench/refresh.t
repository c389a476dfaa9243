#!/bin/bash
# SPDX-License-Identifier: MIT
# refresh.t - does a plan with refreshed dynamics cost more than src/predict/README.md says?   prove tests/bench/refresh.t
#   given   refresh.c beside this file; the table of the page
#   makes   TAP: the instructions of each fidelity on the emulated Cortex-M7, float, are at most those of the page and 3 %
#   bound   60 s
#   never   needs anything built before
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh

out=build/mps2-an500/refresh
MAKEFLAGS='' make -s -f targets/board.mk BOARD=mps2-an500 PRECISION=float BOARD_OUT="$out" DEFINES="-isystem src" \
    PROGRAM=tests/bench/refresh SOURCES='tests/bench/refresh.c tests/tap.c' >&2
counts=$(tests/bench/count mps2-an500 "$out/tests/bench/refresh.elf" full every_1 every_2 every_5 refresh step)
sed 's/^/# /' <<<"$counts"
while read -r name row; do
    stated=$(awk -F ' *[|] *' -v row="$row" '$2 == row { print $3 + 0; exit }' src/predict/README.md)
    check "$row: millions of instructions, stated $stated" awk -v name="$name" -v stated="$stated" '
        $1 == name { found = 1; if (!(stated > 0 && $5 / 1e6 <= 1.03 * stated)) { exit 1 } } END { if (!found) { exit 1 } }' <<<"$counts"
done <<'ROWS'
full full steps
every_1 every step
every_2 every 2
every_5 every 5
ROWS
finish
