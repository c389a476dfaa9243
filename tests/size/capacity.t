#!/bin/bash
# SPDX-License-Identifier: MIT
# capacity.t - the smallest and the largest configuration compile, fill their tables and step, in both precisions.
#   given   gcc
#   makes   TAP
#   bound   a dozen compilations of the kernel
#   never   asks whether a capacity is legal: kernel.t does
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/capacity
mkdir -p $out

flags="-std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -ffp-contract=off -fno-tree-vectorize -fno-math-errno -Iinclude"
# The smallest at -O2, where gcc follows indices into tables of one, or at -O1; the largest at -O0, half of the time with its run.
configuration() { # BODIES SHAPES CONTACTS MATERIALS PAIRS ACTIONS EXCLUSIONS POLYHEDRA POINTS FACES EDGES HULL_POINTS FIELDS HEIGHTS INEQUALITIES
    local knob
    for knob in BODIES SHAPES CONTACTS MATERIALS MATERIAL_PAIRS ACTIONS EXCLUSIONS POLYHEDRA POINTS FACES EDGES HULL_POINTS HEIGHT_FIELDS HEIGHTS INEQUALITIES; do
        echo "-DTAC_MAX_$knob=$1"
        shift
    done
}
smallest=$(configuration 1 2 1 1 1 1 1 1 4 4 12 4 1 4 1)
largest=$(configuration 4000 8000 16000 250 250 8000 8000 4000 60000 30000 60000 1000 250 16000000 16)
smallest+=" -DTAC_SOLVE=1 -DTAC_MAX_SOLVE_BLOCKS=1 -DTAC_MAX_SOLVE_ROWS=1 -DTAC_MAX_SOLVE_ENTRIES=1 -DTAC_MAX_SOLVE_VALUES=1 -DTAC_MAX_SOLVE_FACTOR=0 -DTAC_MAX_LCP=6 -DTAC_MAX_NCP=9"
largest+=" -DTAC_ROLLING=1 -DTAC_FRICTION_LAWS=1 -DTAC_MAX_SURFACES=8000 -DTAC_SOLVE=1 -DTAC_MAX_SOLVE_BLOCKS=16000 -DTAC_MAX_SOLVE_ROWS=64000 -DTAC_MAX_SOLVE_ENTRIES=4000000 -DTAC_MAX_SOLVE_VALUES=100000000 -DTAC_MAX_SOLVE_FACTOR=100000000 -DTAC_MAX_LCP=1000 -DTAC_MAX_NCP=1000"
for bits in 32 64; do
    for convex in 1 0; do
        for name in smallest largest; do
            level=-O0
            [ $name = largest ] || level=-O$((1 + convex))
            # shellcheck disable=SC2206
            options=($level $flags -DTAC_REAL_BITS=$bits -DTAC_CONVEX=$convex ${!name})
            program=$out/$name-$convex-$bits
            check "$bits bits, TAC_CONVEX $convex: the $name configuration compiles" gcc "${options[@]}" -c src/tactus.c -o $program.o
            gcc "${options[@]}" tests/size/capacity.c $program.o -o $program
            check "$bits bits, TAC_CONVEX $convex: it fills its tables and steps" $program
        done
    done
done

for bits in 32 64; do
    for capacities in 'BODIES=1 SHAPES=2 CONTACTS=1 JOINTS=1 FILL=1' 'BODIES=4000 JOINTS=4000 FILL=60000'; do
        level=-O0
        [ "${capacities:7:2}" != '1 ' ] || level=-O1
        # shellcheck disable=SC2086
        gcc $level $flags -DTAC_REAL_BITS=$bits -DTAC_ROLLING=1 $(printf -- '-DTAC_MAX_%s ' $capacities) tests/size/joints.c \
            src/tactus.c -o $out/joints
        check "$bits bits: $capacities: as many joints step" $out/joints
    done
done
finish
