#!/bin/bash
# SPDX-License-Identifier: MIT
# tables.t - one body on one joint, against tables that another program has computed.   prove tests/joints/tables.t
#   given   gcc; TACTUS_DATA for the tables
#   makes   TAP, by tables.c in double; its notes are the errors reached
#   bound   a quarter of a minute
#   never   asks for less than the tolerances that belong to the tables
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/joints
mkdir -p $out
need 'no data' test -n "${TACTUS_DATA:-}"
read -r -a robots <<<"$(kernel robots 64)"
gcc -std=c99 -O2 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common -Wall -Wextra -Werror \
    -D_POSIX_C_SOURCE=200809L \
    -Iinclude -Iport -Itests tests/joints/tables.c tests/tap.c "${robots[@]}" port/posix/port.c -o $out/tables -lm
exec $out/tables "$TACTUS_DATA/joints"
