#!/bin/bash
# SPDX-License-Identifier: MIT
# demo.t - does the main job run through, over the UART of an emulated board?   prove tests/demo/demo.t
#   given   the tool in float (make tactus), the board's firmware (make firmware); gnuplot for the picture
#   makes   TAP
#   bound   two demos
#   never   looks at times
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/demo
tool=build/host/gcc-O2-32/tactus
firmware=build/mps2-an386/float/firmware.elf
mkdir -p $out

demo() { TACTUS_DATA='' targets/host/demo $tool $firmware "$1"; }
says() { grep -qE -- "$1" $out/log; }
# The instructions are the last column. The phase of the board's clock (1.6 ticks an instruction) differs from run to run: one instruction of play.
same_counts() {
    paste -d, <(sed 's/.*,//' $out/a/prediction.csv) <(sed 's/.*,//' $out/b/prediction.csv) |
        awk -F, 'NR > 1 && ($1 - $2 > 1 || $2 - $1 > 1) { exit 1 }'
}
picture() { ! command -v gnuplot >/dev/null || [ "$(head -c 4 $out/a/demo.png | tail -c 3)" = PNG ]; }

check 'the demo ends well' demo $out/a
demo $out/a >$out/log || true
check 'all steps have the hash of the host' says 'same hash as the host.s kernel after each'
check 'the cube comes to rest' says 'at rest since [0-9]+ ms'
check 'nothing had to be repeated' says '^link: 0 requests'
check 'instructions are counted' says 'instructions of a step = ticks / 1.6: min [0-9]+, mean [0-9]+, max [0-9]+'
check 'a row per step' \
    awk -F, 'NR == 1 { n = NF } NF != n { exit 1 } END { if (NR < 500) exit 1 }' $out/a/prediction.csv
check 'a picture, where gnuplot is there' picture
demo $out/b >$out/again || true
check 'another run gives the same prediction' \
    cmp <(sed 's/,[^,]*$//' $out/a/prediction.csv) <(sed 's/,[^,]*$//' $out/b/prediction.csv)
check 'another run counts the same instructions' same_counts

sleeper() { targets/host/rig mps2-an386 $firmware sh -c 'exit 7'; }
ends_with() {
    local want=$1 code=0
    shift
    "$@" || code=$?
    [ $code = "$want" ]
}
check 'rig passes the exit code on' ends_with 7 sleeper
check 'rig without a firmware' ends_with 2 targets/host/rig mps2-an386 $out/nothing.elf true
check 'rig without a board' ends_with 2 targets/host/rig nowhere $firmware true
finish
