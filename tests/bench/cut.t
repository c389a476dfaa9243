#!/bin/bash
# SPDX-License-Identifier: MIT
# cut.t - a step of a robot that is cut costs what an uncut one does on the mean, within 0.2 %, and at worst 10 % more.   prove tests/bench/cut.t [:: BOARD...]
#   given   cut.c beside this file; the boards named, else mps2-an386
#   makes   TAP
#   bound   300 s a board
#   never   needs anything built before
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh

for board in "${@:-mps2-an386}"; do
    elf=build/$board/float/tests/bench/cut.elf
    MAKEFLAGS='' make -s BOARD="$board" PRECISION=float "$elf" >&2
    counts=$(TEST_TIMEOUT=300 tests/bench/count "$board" "$elf" cut0 uncut0 cut2 uncut2)
    sed 's/^/# /' <<<"$counts"
    for budget in 0 2; do
        check "$board: cut after $budget sweeps, on the mean and at worst" awk -v b="$budget" '
            $1 == "cut" b { mean = $4; worst = $5 }
            $1 == "uncut" b { good = mean > 0 && mean <= 1.002 * $4 && worst <= 1.1 * $5 }
            END { exit !good }' <<<"$counts"
    done
done
finish
