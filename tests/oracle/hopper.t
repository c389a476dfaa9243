#!/bin/bash
# SPDX-License-Identifier: MIT
# hopper.t - what does Ipopt make of the efforts of the hopper?   prove tests/oracle/hopper.t [:: ITERATIONS STARTS]
#   given   gcc and Ipopt (Debian: coinor-libipopt-dev); without it the test is skipped
#   makes   TAP: the best plan of iterative LQR is within 5 % of the best of Ipopt from the same starts, and of what Ipopt makes of it;
#           the costs as diagnostics
#   bound   half a CPU minute: 20 iterations of 240 roll-outs each, from 4 of the 16 starts and from the best plan
#   never   is needed on a board
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
need 'no Ipopt' has_header coin/IpStdCInterface.h gcc
out=build/tests/oracle
mkdir -p $out
gcc -std=c99 -O1 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -Wall -Wextra -Iinclude -Itests -Itargets/scenes \
    -DTAC_REAL_BITS=64 -DTAC_MAX_JOINTS=3 -DTAC_MAX_BODIES=4 -DTAC_MAX_SHAPES=2 -DTAC_MAX_CONTACTS=2 -DTAC_MAX_LCP=48 -DTAC_PREDICT=1 \
    tests/oracle/hopper.c src/tactus.c -o $out/hopper -lipopt
$out/hopper "${1:-20}" "${2:-4}" >$out/said
grep : $out/said | sed 's/^/# /'
cost() { sed -n "s/^$1.* \([0-9.]*\)$/\1/p" $out/said; }
for other in "Ipopt, the best" "Ipopt from that of iterative LQR"; do
    check "iterative LQR is within 5 %: $other" awk -v own="$(cost 'iterative LQR, the best')" -v other="$(cost "$other")" \
        'BEGIN { exit !(own > 0 && other > 0 && own <= 1.05 * other) }'
done
finish
