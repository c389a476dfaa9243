#!/bin/bash
# SPDX-License-Identifier: MIT
# toss.t - how well are measured tosses of a cube predicted, and does the firmware give the same bits on all of them?
#   given   the tool in both precisions, the firmware (make tactus firmware); in TACTUS_DATA the folder with cube_toss/
#   makes   TAP
#   bound   two minutes
#   never   tunes anything: friction is the measured one
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
recording=${TACTUS_DATA:-}/cube_toss/cube_toss_public.csv
need 'no data' test -f "$recording"
out=build/tests/demo
mkdir -p $out

within() { # BITS POSITION ROTATION ARGUMENT...
    build/host/gcc-O2-"$1"/tactus toss "$recording" --mu 0.18 "${@:4}" | tee $out/toss-"$1" | tail -n 3 | awk -v p="$2" -v r="$3" '
        { print }
        /^position: mean/ { good += $3 + 0 <= p }
        /^rotation: mean/ { good += $3 + 0 <= r }
        END { exit good != 2 }'
}
# BITS: of the steps at h = 1/1480 at most a thousandth is flagged, in the run that has just been made.
flagged() {
    awk '
        /^not solved:/ { print; good = $5 > 0 && 1000 * $3 <= $5 + 0 }
        END { exit !good }' $out/toss-"$1"
}
for bits in 64 32; do
    check "$bits bits, h = 1/148: 0.148 widths, 17.5 degrees" within $bits 0.148 17.5
    check "$bits bits, h = 1/1480, relaxed: 0.134 widths, 16.6 degrees" within $bits 0.134 16.6 --law relaxed --substeps 10
    check "$bits bits, h = 1/1480, exact: 0.134 widths, 16.7 degrees" within $bits 0.134 16.7 --substeps 10
    check "$bits bits, h = 1/1480: a thousandth of the steps is flagged at most" flagged $bits
done
check "the firmware gives the same bits on all tosses" targets/host/rig mps2-an386 build/mps2-an386/float/firmware.elf \
    build/host/gcc-O2-32/tactus toss "$recording" --link '{}'
finish
