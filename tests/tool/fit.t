#!/bin/bash
# SPDX-License-Identifier: MIT
# fit.t - does tactus fit find what made a toss or a swing, and say what is wrong?   prove tests/tool/fit.t
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
        index($0, name " ") == 1 { at = split(name, w, " ") + 1; good = $at >= low && $at <= high && index($0, verdict) }
        END { exit !good }'
}

# ROTATION POSITION FILE: the half that was left out is predicted that well.
predicts() {
    awk -v position="$2" -v rotation="$1" '
        { print }
        /^left out:/ { good = $7 + 0 <= position && $12 + 0 <= rotation }
        END { exit !good }' "$3"
}

# FILE: friction is as uncertain as the fits of four quarters of the tosses scatter, 0.003.
doubts() {
    awk '{ print } $1 == "friction" { good = $4 > 0.0005 && $4 < 0.005 } END { exit !good }' "$1"
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

# A pendulum with dry friction, swung by Runge-Kutta (swing.py): friction 0.05 N m, damping 0.02 N m s/rad, armature 0.003 kg m2,
# and what a motor gives of what it is asked for: 0.8.
cat >$out/pendulum.urdf <<'EOF'
<robot name="pendulum">
  <link name="world"/>
  <link name="arm"><inertial><origin xyz="0 0 -0.3"/><mass value="0.5"/>
    <inertia ixx="0.004" iyy="0.004" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="world"/><child link="arm"/><axis xyz="0 1 0"/></joint>
</robot>
EOF
targets/host/urdf2tactus $out/pendulum.urdf --blob $out/pendulum.blob >$out/pendulum.log 2>&1
tests/tool/swing.py 0.05 0.02 0.003 0 0 >$out/swing.csv
tests/tool/swing.py 0.05 0.02 0.003 0.8 0 >$out/driven.csv
tests/tool/swing.py 0.05 0.02 0.003 0 0.003 >$out/noisy.csv
printf 'time,hinge\n0,0\n0.01,0\n0.02,0\n' >$out/still.csv
printf '%s\n' time,joint,mode,effort {0,0.8,1.6},hinge,effort,0.6 {0.4,1.2},hinge,effort,-0.6 | sort -g >$out/motors.csv
awk -F, 'NR == 1 { print "swing," $0 } FNR > 1 { print (FILENAME ~ /noisy/) "," $0 }' $out/swing.csv $out/noisy.csv >$out/two.csv
sed 's/hinge/shoulder/' $out/swing.csv >$out/shoulder.csv
sed '4s/.*/0.001,1.2/' $out/swing.csv >$out/backwards.csv

swings() { # FILE ARGUMENT...: fits what is asked; `found` looks at what that printed
    $tool fit --model $out/pendulum.blob "$out/$1" "${@:2}" | tee $out/swings
}
found() { # NAME LOW HIGH VERDICT
    finds "hinge $1" "$2" "$3" "$4" cat $out/swings
}
within() { # N FRICTION DAMPING: no farther from these than N of the deviations that are printed
    awk -v n="$1" -v friction="$2" -v damping="$3" '
        function far(value, from, deviation) { return (value - from) ^ 2 > (n * deviation) ^ 2 }
        { print }
        $2 == "friction" || $2 == "damping" { seen++; bad += far($3, $2 == "friction" ? friction : damping, $5) }
        END { exit seen != 2 || bad }' $out/swings
}
all=friction,damping,armature
for bits in 64 32; do
    tool=build/host/gcc-O2-$bits/tactus
    check "$bits: a swing, h = 1 ms" swings swing.csv --parameters $all
    check "$bits: its friction within 5 %" found friction 0.0475 0.0525 fitted
    check "$bits: its damping within 5 %" found damping 0.019 0.021 fitted
    check "$bits: its armature within 2 %" found armature 0.00294 0.00306 fitted
    check "$bits: a swing with a motor" swings driven.csv --motors $out/motors.csv --parameters $all,motor
    check "$bits: the motor within 0.2 %" found motor 0.7984 0.8016 fitted
    check "$bits: a swing without a motor" swings swing.csv --parameters friction,motor
    check "$bits: the data say nothing about a motor" found motor 1 1 'the data say nothing'
    check "$bits: no swing" swings still.csv
    check "$bits: the data say nothing about friction" found friction 0 0 'the data say nothing'
    check "$bits: no column of a joint" gives 1 'no column has the name of a joint' \
        $tool fit --model $out/pendulum.blob $out/shoulder.csv
    check "$bits: time goes back" gives 1 'backwards.csv:4: time 0.001 does not increase' \
        $tool fit --model $out/pendulum.blob $out/backwards.csv
    check "$bits: no parameter of a joint" gives 1 'mass: no such parameter of a joint' \
        $tool fit --model $out/pendulum.blob $out/swing.csv --parameters mass
    check "$bits: no model" gives 1 'No such file' $tool fit --model $out/nothing.blob $out/swing.csv
done
tool=build/host/gcc-O2-64/tactus
check 'a swing, h = 0.25 ms' swings swing.csv --parameters $all --h 0.00025
check 'its friction within 1 %' found friction 0.0495 0.0505 fitted
check 'its damping within 1 %' found damping 0.0198 0.0202 fitted
check 'its armature within 1 %' found armature 0.00297 0.00303 fitted
check 'a swing with noise of 3 mrad' swings noisy.csv --parameters $all
check 'its friction within 5 %' found friction 0.0475 0.0525 fitted
check 'its armature within 3 %' found armature 0.00291 0.00309 fitted
check 'friction and damping within three deviations' within 3 0.05 0.02
check 'two swings, one with noise' swings two.csv --parameters $all
check 'their friction within 5 %' found friction 0.0475 0.0525 fitted

if [ -e "${TACTUS_DATA:-}/cube_toss/cube_toss_public.csv" ]; then
    build/host/gcc-O2-64/tactus fit "$TACTUS_DATA/cube_toss/cube_toss_public.csv" --substeps 1 \
        --parameters friction,restitution >$out/fit_tosses
    check 'tosses that were left out: 0.149 widths, 15.7 degrees' predicts 15.7 0.149 $out/fit_tosses
    check 'their friction is no surer than fits of parts of them agree' doubts $out/fit_tosses
else
    check 'tosses: skipped: no data' true
fi
finish
