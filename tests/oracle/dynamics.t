#!/bin/bash
# SPDX-License-Identifier: MIT
# dynamics.t - what does a library that others wrote say of the equations of motion of robots?   prove tests/oracle/dynamics.t
#   given   gcc, python3, MuJoCo (Debian: libmujoco-dev); TACTUS_DATA with urdf/. Without one of them the test is skipped
#   makes   TAP, by dynamics.c, of each robot, free and fixed, in double and in float; the errors reached as diagnostics
#   bound   two minutes, on the kernels of the tool
#   never   is needed on a board
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
need 'no MuJoCo' has_header mujoco/mujoco.h gcc
need 'no data' test -f "${TACTUS_DATA:-}/urdf/hyq.urdf"
out=build/tests/oracle
mkdir -p $out
flags="-std=c99 -O1 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common -Wall -Wextra -Werror -D_POSIX_C_SOURCE=200809L
    -Iinclude -Iport -Itests -I$out"
kernels=([64]=$(kernel tool 64) [32]=$(kernel tool 32))
agrees() { # ROBOT BITS
    # shellcheck disable=SC2086
    gcc $flags -DMODEL="\"$1.h\"" tests/oracle/dynamics.c $out/$1.c tests/tap.c port/posix/port.c ${kernels[$2]} -o $out/dynamics -lmujoco -lm
    TAP_FIGURES=1 $out/dynamics "$out/$1.xml" >$out/said && ! grep '^not ok' $out/said
}
for robot in hyq iiwa a1 anymal_b laikago minitaur z1 cartpole; do
    for base in "" --fixed-base; do
        # shellcheck disable=SC2086
        targets/host/urdf2tactus "$TACTUS_DATA/urdf/$robot.urdf" --skip-missing $base --name robot --c $out/$robot$base.c >$out/log 2>&1
        for bits in 64 32; do
            check "$robot $base $bits" agrees $robot$base $bits
            awk '/^ok|^not ok/ { name = $0; sub(/^(not )?ok [0-9]+ - /, "", name) } /^#   got/ { sub(/,$/, "", $3); print "#   " name ": " $3 }' $out/said
        done
    done
done
finish
