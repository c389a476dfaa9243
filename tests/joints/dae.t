#!/bin/bash
# SPDX-License-Identifier: MIT
# dae.t - one body on one joint by the smooth integrators, against tables of another program.   prove tests/joints/dae.t
#   given   gcc; TACTUS_DATA for the tables
#   makes   TAP, by dae.c in double; its notes are the errors reached
#   bound   ten seconds
#   never   asks for less than the tolerances that belong to the tables
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/joints
mkdir -p $out
need 'no data' test -n "${TACTUS_DATA:-}"
read -r -a smooth <<<"$(kernel all 64)"
gcc -std=c99 -O2 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common -Wall -Wextra -Werror \
    -D_POSIX_C_SOURCE=200809L \
    -Iinclude -Iport -Itests tests/joints/dae.c tests/tap.c "${smooth[@]}" port/posix/port.c -o $out/dae -lm
exec $out/dae "$TACTUS_DATA/joints"
