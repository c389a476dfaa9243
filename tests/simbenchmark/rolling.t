#!/bin/bash
# SPDX-License-Identifier: MIT
# rolling.t - the scene "rolling" of SimBenchmark, all solvers.   prove tests/simbenchmark/rolling.t
#   given   gcc
#   makes   TAP, by rolling.c in both precisions; its notes are the figures
#   bound   some seconds
#   never   needs measured data
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/simbenchmark
mkdir -p $out
for bits in 64 32; do
    gcc -std=c99 -O2 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common -Wall -Wextra -Werror \
        -D_POSIX_C_SOURCE=200809L -DTAC_REAL_BITS=$bits -DTAC_MAX_BODIES=26 -DTAC_MAX_SHAPES=27 -DTAC_MAX_FILL=40 \
        -Iinclude -Iport -Itests tests/simbenchmark/rolling.c tests/tap.c src/tactus.c port/posix/port.c -o $out/rolling-$bits
    code=0
    said=$($out/rolling-$bits) || code=$?
    sed "s/^/# $bits bits: /" <<<"$said"
    check "$bits bits: both laws, every solver" [ $code = 0 ]
done
finish
