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
    read -r -a large <<<"$(kernel large $bits)"
    gcc -std=c99 -O2 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common -Wall -Wextra -Werror \
        -D_POSIX_C_SOURCE=200809L \
        -Iinclude -Iport -Itests tests/simbenchmark/rolling.c tests/tap.c "${large[@]}" port/posix/port.c -o $out/rolling-$bits
    code=0
    said=$($out/rolling-$bits) || code=$?
    sed "s/^/# $bits bits: /" <<<"$said"
    check "$bits bits: both laws, every solver" [ $code = 0 ]
done
finish
