#!/bin/bash
# SPDX-License-Identifier: MIT
# fit.t - does tactus fit find what made a toss, and say what is wrong?   prove tests/tool/fit.t
#   given   the tool in both precisions (make tactus); with TACTUS_DATA the measured tosses
#   makes   TAP
#   bound   a minute
#   never   tunes anything: half of the measured tosses is left out
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/tool
mkdir -p $out

# A toss of a cube that falls flat and slides, as the tool itself predicts it with friction 0.3.
head='toss,time,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz'
slide() {
    echo $head
    for ((k = 0; k < 40; k++)); do
        awk -v k=$k 'BEGIN { t = k / 148; v = 1 - 0.3 * 9.81 * t; if (v < 0) v = 0
            printf "1,%.9f,%.9f,0,0.0524,1,0,0,0,%.9f,0,0,0,0,0\n", t, (1 - v * v) / (2 * 0.3 * 9.81), v }'
    done
}
slide >$out/slide.csv
sed '7s/^1,/1x,/' $out/slide.csv >$out/fit_letters.csv
head -1 $out/slide.csv >$out/fit_header.csv

# PARAMETER LOW HIGH VERDICT ARGUMENT...: the value is in the range, with that verdict.
finds() {
    "${@:5}" | awk -v name="$1" -v low="$2" -v high="$3" -v verdict="$4" '
        { print }
        $1 == name { good = $2 >= low && $2 <= high && index($0, verdict) }
        END { exit !good }'
}

# ROTATION POSITION FILE: the half that was left out is predicted that well.
predicts() {
    awk -v position="$2" -v rotation="$1" '
        { print }
        /^left out:/ { good = $7 + 0 <= position && $12 + 0 <= rotation }
        END { exit !good }' "$3"
}

for bits in 64 32; do
    tool=build/host/gcc-O2-$bits/tactus
    check "$bits: help" gives 0 'usage: tactus fit' $tool fit --help
    check "$bits: friction of a slide" finds friction 0.28 0.32 fitted \
        $tool fit $out/slide.csv --leave 1 --robust 0 --parameters friction
    check "$bits: its mass is unknown" finds mass 0.37 0.37 'the data say nothing about it' \
        $tool fit $out/slide.csv --leave 1 --robust 0 --parameters friction,mass
    check "$bits: so many roll-outs" gives 0 'roll-outs are spent' $tool fit $out/slide.csv --rollouts 2
    check "$bits: no file" gives 2 'an argument is missing' $tool fit
    check "$bits: no such file" gives 1 'No such file' $tool fit $out/nothing.csv
    check "$bits: letters" gives 1 "fit_letters.csv:7: '1x' in column 'toss' is not a number" $tool fit $out/fit_letters.csv
    check "$bits: no rows" gives 1 'no rows' $tool fit $out/fit_header.csv
    check "$bits: another parameter" gives 2 'colour: no such parameter' $tool fit $out/slide.csv --parameters colour
    check "$bits: no parameter" gives 2 'none' $tool fit $out/slide.csv --parameters ''
    check "$bits: a start beyond the bounds" gives 1 'fit.parameter.lower, upper' $tool fit $out/slide.csv --mu 1.5
done

if [ -e "${TACTUS_DATA:-}/cube_toss/cube_toss_public.csv" ]; then
    build/host/gcc-O2-64/tactus fit "$TACTUS_DATA/cube_toss/cube_toss_public.csv" --substeps 1 \
        --parameters friction,restitution >$out/fit_tosses
    check 'tosses that were left out: 0.149 widths, 15.7 degrees' predicts 15.7 0.149 $out/fit_tosses
else
    check 'tosses: skipped: no data' true
fi
finish
