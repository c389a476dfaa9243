#!/bin/bash
# SPDX-License-Identifier: MIT
# first_touch.t - is the first touch of measured tosses of a cube predicted from their first five frames?
#   given   a compiler; in TACTUS_DATA the folder with cube_toss/
#   makes   TAP
#   bound   a minute
#   never   tunes anything: scale and gravity are those of the recording's own page
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
recording=${TACTUS_DATA:-}/cube_toss/cube_toss_public.csv
need 'no data' test -f "$recording"
out=build/tests/demo
mkdir -p $out

predict() { # BITS
    ${CC:-gcc} -std=c99 -O1 -ffp-contract=off -fno-tree-vectorize -fno-math-errno -Iinclude -Itests -DTAC_REAL_BITS="$1" -DTAC_PREDICT=1 \
        -o $out/first_touch-"$1" tests/demo/first_touch.c src/tactus.c -lm && $out/first_touch-"$1" "$recording" | tee $out/first_touch-"$1".out
}
# WORD OF PERCENT: so many of each hundred at least, and there are some.
share() {
    awk -v part="$1" -v whole="$2" -v percent="$3" '{ for (i = 1; i < NF; i += 2) x[$i] = $(i + 1) }
        END { exit !(x[whole] > 200 && 100 * x[part] >= percent * x[whole]) }' $out/first_touch-"$bits".out
}
for bits in 64 32; do
    check "$bits bits: all tosses are predicted" predict $bits
    check "$bits bits: 98 of 100 first touches within half a frame" share within-half-a-frame tosses 98
    check "$bits bits: 99 of 100 corners, where the two lowest differ by 2 mm" share right corners 99
done
finish
