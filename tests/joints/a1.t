#!/bin/bash
# SPDX-License-Identifier: MIT
# a1.t - the A1 of a URDF file stands, its steps are called solved, and cut anywhere they stay sane; a1.c beside it.
#   given   gcc, python3; TACTUS_DATA with urdf/
#   makes   TAP
#   bound   two minutes, the kernel compiled twice
#   never   needs anything built before
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
urdf=${TACTUS_DATA:-}/urdf/a1.urdf
need 'no data' test -f "$urdf"
out=build/tests/a1
mkdir -p $out
targets/host/urdf2tactus "$urdf" --skip-missing --adjacent 2 --ground --name robot --z 0.35 \
    --joint FR_thigh_joint=0.8 --joint FL_thigh_joint=0.8 --joint RR_thigh_joint=0.8 --joint RL_thigh_joint=0.8 \
    --joint FR_calf_joint=-1.6 --joint FL_calf_joint=-1.6 --joint RR_calf_joint=-1.6 --joint RL_calf_joint=-1.6 \
    --c $out/robot.c --config $out/capacities.h 2>$out/log
for bits in 64 32; do
    gcc -std=c99 -O1 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common -Wall -Wextra -Werror -DTAC_REAL_BITS=$bits \
        -D_POSIX_C_SOURCE=200809L -DTAC_CONFIG_HEADER='"capacities.h"' -DMODEL='"robot.h"' -Iinclude -Iport -Itests -I$out \
        tests/joints/a1.c $out/robot.c tests/tap.c port/posix/port.c src/tactus.c -o $out/a1-$bits
    $out/a1-$bits >$out/said-$bits || true
    grep '^#' $out/said-$bits | head -n 3
    check "$bits bits: stands; cut after any number of sweeps it sags, joints together" \
        awk '/^not ok/ { print; bad = 1 } /^1\.\./ { done = 1 } END { exit bad || !done }' $out/said-$bits
done
finish
