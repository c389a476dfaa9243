#!/bin/bash
# SPDX-License-Identifier: MIT
# kdl.t - what does Orocos KDL say of the equations of motion of robots?   prove tests/oracle/kdl.t
#   given   gcc, g++, python3, KDL (Debian: liborocos-kdl-dev); TACTUS_DATA with urdf/. Without one of them the test is skipped
#   makes   TAP, by kdl.cc, of each robot with its base on the ground, in double and in float; the errors reached as diagnostics
#   bound   a minute, on the kernels of the tool
#   never   is needed on a board
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
need 'no KDL' has_header kdl/tree.hpp g++ -x c++ -isystem /usr/include/eigen3
need 'no data' test -f "${TACTUS_DATA:-}/urdf/hyq.urdf"
out=build/tests/kdl
mkdir -p $out
flags="-O1 -Wall -Wextra -Werror -Iinclude -Iport -Itests -I$out"
c="gcc -std=c99 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common -D_POSIX_C_SOURCE=200809L $flags"
for bits in 64 32; do
    kernels[bits]=$(kernel tool $bits)
    for source in tests/tap.c port/posix/port.c; do
        # shellcheck disable=SC2086
        $c ${kernels[bits]% *} -c $source -o $out/"$(basename $source .c)"-$bits.o
    done
    # shellcheck disable=SC2086
    g++ -std=c++17 $flags -isystem /usr/include/eigen3 ${kernels[bits]% *} -c tests/oracle/kdl.cc -o $out/kdl-$bits.o
done
# shellcheck disable=SC2086
agrees() { # ROBOT BITS
    local knobs=${kernels[$2]% *}
    printf '#include "%s.h"\nconst tac_model *oracle_model(void);\nconst tac_model *oracle_model(void) { return &robot_model; }\n' "$1" |
        $c $knobs -x c -c - -o $out/robot.o
    $c $knobs -c $out/$1.c -o $out/model.o
    g++ $out/{{robot,model}.o,{kdl,tap,port}-$2.o} ${kernels[$2]##* } -lorocos-kdl -o $out/kdl
    TAP_FIGURES=1 $out/kdl >$out/said && ! grep '^not ok' $out/said
}
for robot in hyq iiwa a1 anymal_b laikago minitaur z1 cartpole; do
    targets/host/urdf2tactus "$TACTUS_DATA/urdf/$robot.urdf" --skip-missing --fixed-base --name robot --c $out/$robot.c >$out/log 2>&1
    for bits in 64 32; do
        check "$robot $bits" agrees $robot $bits
        awk '/^ok|^not ok/ { name = $0; sub(/^(not )?ok [0-9]+ - /, "", name) } /^# [a-z]/ { print }
            /^#   got/ { sub(/,$/, "", $3); print "#   " name ": " $3 }' $out/said
    done
done
finish
