#!/bin/bash
# SPDX-License-Identifier: MIT
# ccd.t - what does a library that others wrote say of convex shapes?   prove tests/oracle/ccd.t
#   given   gcc and libccd (Debian: libccd-dev); without it the test is skipped
#   makes   TAP, by ccd.c
#   bound   some seconds
#   never   is needed on a board
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
need 'no libccd' has_header ccd/ccd.h gcc
out=build/tests/oracle
mkdir -p $out
read -r -a default <<<"$(kernel default 64)"
gcc -std=c99 -O2 -ffp-contract=off -fno-math-errno -fno-common -Wall -Wextra -Werror -D_POSIX_C_SOURCE=200809L \
    -Iinclude -Iport -Itests tests/oracle/ccd.c tests/tap.c "${default[@]}" port/posix/port.c \
    -o $out/ccd -lccd -lm
exec $out/ccd
