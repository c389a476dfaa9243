#!/bin/bash
# SPDX-License-Identifier: MIT
# oracle_dae.t - every kind of joint by the smooth integrators, against generalised coordinates.   prove tests/joints/oracle_dae.t
#   given   gcc
#   makes   TAP, by oracle.c in double, compiled with TAC_DAE; its notes are the errors reached
#   bound   ten seconds
#   never   shares code with the kernel
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/joints
mkdir -p $out
read -r -a smooth <<<"$(kernel all 64)"
gcc -std=c99 -O2 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common -Wall -Wextra -Wconversion -Werror \
    -D_POSIX_C_SOURCE=200809L \
    -Iinclude -Iport -Itests tests/joints/oracle.c tests/tap.c "${smooth[@]}" port/posix/port.c -o $out/oracle_dae
exec $out/oracle_dae
