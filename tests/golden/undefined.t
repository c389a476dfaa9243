#!/bin/bash
# SPDX-License-Identifier: MIT
# undefined.t - the golden scenes and a problem without a world, under valgrind: nothing is read that nobody has written.
#   given   gcc, valgrind
#   makes   TAP
#   bound   seven programs of a few dozen steps a scene and one of 200 worlds, in double
#   never   takes the zeros that static memory begins with for values: tests/dirty.h takes them away
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/undefined
mkdir -p $out

memory() { # PROGRAM SOURCE-OR-FLAG...: it passes, and each value that decides anything has been written
    local program=$out/${1##*/}
    gcc -std=c99 -O2 -g -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common -Iport -Isrc -Iinclude -Itests \
        -Itargets/scenes -D_POSIX_C_SOURCE=200809L -DTAP_DIRTY -DTAP_UNDEFINED \
        "tests/$1.c" "${@:2}" tests/tap.c port/posix/port.c -o "$program"
    valgrind -q --error-exitcode=9 "$program"
}

read -r -a all <<<"$(kernel all 64)"
check "scenes, contacts that resist turning among them" memory golden/golden_rolling "${all[@]}" targets/scenes/scenes.c
check "robots: joints, the direct solver" memory golden/golden_robots "${all[@]}" targets/scenes/robots.c
check "robots in long steps" memory golden/golden_fast "${all[@]}" targets/scenes/robots.c
check "the step of T03" memory golden/golden_lcp "${all[@]}" targets/scenes/scenes.c
check "the integrators of TCE17" memory golden/golden_dae "${all[@]}" targets/scenes/robots.c
check "the implicit step of CBAT07" memory golden/golden_ncp "${all[@]}" targets/scenes/scenes.c
check "what a controller asks" memory golden/golden_questions "${all[@]}" targets/scenes/robots.c
check "what a predictor is told" memory golden/golden_events "${all[@]}" targets/scenes/robots.c
check "random forests: steps of every kind, and all questions" memory property/memory -DWORLDS=200 "${all[@]}"
check "the cone program by itself" memory unit/program_small -DTAC_REAL_BITS=64
finish
