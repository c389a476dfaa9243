#!/bin/bash
# SPDX-License-Identifier: MIT
# joints.t - does the tool drive a robot's joints, write what they do, and find a firmware that agrees?   prove tests/tool/joints.t
#   given   python3, gcc; the tool in both precisions (make tactus); arm-none-eabi-gcc and QEMU for the board
#   makes   TAP
#   bound   half a minute
#   never   needs measured data: its robot is made here
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/joints
rm -rf $out
mkdir -p $out

# ---------------------------------------------------------------------------------------------------------- the robot
# A heavy base on the floor, on it an arm that turns about y between limits, with friction; on that a slide.

link() { # NAME MASS INERTIA GEOMETRY
    echo "<link name=\"$1\"><inertial><mass value=\"$2\"/><inertia ixx=\"$3\" iyy=\"$3\" izz=\"$3\"/></inertial>"
    echo "<collision><geometry>$4</geometry></collision></link>"
}
{
    echo '<robot name="arm">'
    link base 5 0.05 '<box size="0.4 0.4 0.2"/>'
    link arm 0.5 0.005 '<box size="0.1 0.05 0.05"/>'
    link tip 0.2 0.001 '<sphere radius="0.05"/>'
    cat <<'XML'
<joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.3"/><axis xyz="0 1 0"/>
<limit effort="20" velocity="9" lower="-0.5" upper="0.5"/><dynamics damping="0.1" friction="0.2"/></joint>
<joint name="slide, a/b" type="prismatic"><parent link="arm"/><child link="tip"/><origin xyz="0.2 0 0"/>
<axis xyz="1 0 0"/><limit effort="50" velocity="9" lower="-0.05" upper="0.1"/></joint>
<joint name="end" type="fixed"><parent link="tip"/><child link="camera"/><origin xyz="0.1 0 0"/></joint>
XML
    link camera 0.1 0.001 '<sphere radius="0.02"/>'
    echo '</robot>'
} >$out/arm.urdf

# Motors in all their modes, by name and by number; the slide is let go, the hinge pushed against its limit.
cat >$out/motors.csv <<'CSV'
time,joint,mode,position,velocity,effort,stiffness,damping
0,hinge,pd,0.4,,,200,10
0,1,position,0.02,,,,
0.3,hinge,velocity,,-0.5,,,
0.4,hinge,position,0.3,,,,
0.4,1,off,,,,,
0.6,hinge,effort,,,15,,
CSV
sed 's/hinge/0/' $out/motors.csv | awk -F, 'BEGIN { OFS = "," } { print $3, $8, $2, $7, $6, $5, $4, $1 "\r" }' \
    >$out/turned.csv

convert() {
    targets/host/urdf2tactus $out/arm.urdf --name arm --z 0.1 --ground --keep-fixed --contacts 16 --blob $out/arm.blob \
        --config $out/arm_config.h
}
check 'the robot is converted' gives 0 '4 bodies, 3 joints' convert

# --------------------------------------------------------------------------------------------------------- firmwares

# NAME FLAGS...: the firmware on stdin and stdout of a program here.
firmware() {
    local name=$1
    shift
    gcc -std=c99 -O0 -ffp-contract=off -fno-math-errno -fno-common "$@" -Iinclude -Iport -I$out \
        targets/firmware/main.c port/link/{server,frame,image,image_model,image_room,method,question,value,wire}.c port/posix/port.c src/tactus.c -o "$out/$name"
}
robot='-DTAC_CONFIG_HEADER="arm_config.h"'
for bits in 32 64; do
    check "firmware of the robot's capacities, $bits bits" firmware arm-$bits -DTAC_REAL_BITS=$bits "$robot"
done
check 'firmware of other capacities' firmware other -DTAC_REAL_BITS=32 "$robot" -DTAC_MAX_ACTIONS=3 \
    -DTAC_MAX_MATERIAL_PAIRS=9
check 'firmware without joints' firmware none -DTAC_REAL_BITS=32
sed 's/MAX_CONTACTS 16/MAX_CONTACTS 2/' $out/arm_config.h >$out/small_config.h
check 'firmware that drops contacts' firmware small -DTAC_REAL_BITS=32 '-DTAC_CONFIG_HEADER="small_config.h"'

# -------------------------------------------------------------------------------------------------------------- a run

# FILE COLUMN TIME: what stands there.
value() {
    awk -F, -v column="$2" -v time="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        NR > 1 && $1 >= time - 1e-6 { print $at; exit }' "$1"
}
# FILE COLUMN TIME VALUE TOLERANCE
near() {
    local got
    got=$(value "$1" "$2" "$3")
    awk -v got="$got" -v want="$4" -v by="$5" 'BEGIN { d = got - want; exit !(got != "" && d <= by && -d <= by) }' && return
    echo "$2 at $3 s is '$got', must be $4 within $5"
    return 1
}
is_table() { # FILE LINES
    awk -F, -v lines="$2" 'NR == 1 { n = NF } NF != n { exit 1 } END { if (NR != lines) exit 1 }' "$1"
}
# What the columns of a joint are called: name, and where it has a coordinate its unit and that of its efforts.
columns_of() {
    if [ $# -gt 1 ]; then
        printf "joint/$1/%s\n" "position[$2]" "velocity[$2/s]" \
            "effort/passive[$3]" "effort/motor[$3]" "effort/friction[$3]" "effort/limit[$3]"
    fi
    printf "joint/$1/%s\n" force/{x,y,z}'[N]' torque/{x,y,z}'[N m]'
}

joint_columns() {
    columns_of hinge rad 'N m'
    columns_of slide__a_b m N
    columns_of end
}

for bits in 32 64; do
    tool=build/host/gcc-O2-$bits/tactus
    run="$tool run --model $out/arm.blob --motors $out/motors.csv --steps 1000"
    csv=$out/arm-$bits.csv
    # shellcheck disable=SC2086
    check "$bits: a run" gives 0 'joints       3, ' $run --csv $csv
    check "$bits: a row per step" is_table $csv 1002
    check "$bits: columns of joints with their units" \
        cmp <(head -1 $csv | tr , '\n' | grep '^joint/') <(joint_columns)
    check "$bits: and of the report" test "$(head -1 $csv | tr , '\n' | grep '^report/' | tail -1)" = 'report/joint_iterations'
    check "$bits: no stage before the first step" near $csv report/stages 0 0 0
    check "$bits: stages of every step" near $csv report/stage/0/op 0.5 1 0
    check "$bits: nothing is exerted before the first step" near $csv 'joint/hinge/force/z[N]' 0 0 0
    check "$bits: gains bring it near" near $csv 'joint/hinge/position[rad]' 0.3 0.4 0.02
    check "$bits: a position is reached" near $csv 'joint/slide__a_b/position[m]' 0.3 0.02 1e-5
    check "$bits: a velocity too" near $csv 'joint/hinge/velocity[rad/s]' 0.35 -0.5 1e-3
    check "$bits: the next row counts" near $csv 'joint/hinge/position[rad]' 0.5 0.3 1e-3
    check "$bits: a motor that is off has no effort" near $csv 'joint/slide__a_b/effort/motor[N]' 0.5 0 0
    check "$bits: an effort is what was asked for" near $csv 'joint/hinge/effort/motor[N m]' 0.95 15 1e-4
    check "$bits: the limit holds" near $csv 'joint/hinge/position[rad]' 0.95 0.5 1e-3
    check "$bits: and bears the rest" near $csv 'joint/hinge/effort/limit[N m]' 0.95 -15.5 0.5
    check "$bits: the camera hangs on its joint" near $csv 'joint/end/force/z[N]' 0.95 0.981 0.01
    check "$bits: numbers for names, columns in another order, CRLF" gives 0 'joints       3, ' \
        $tool run --model $out/arm.blob --motors $out/turned.csv --steps 1000 --csv $out/turned-$bits.csv
    check "$bits: give the same bits" cmp $csv $out/turned-$bits.csv

    # ------------------------------------------------------------------------------------------------------ the twin
    # shellcheck disable=SC2086
    check "$bits: the same in a firmware, to the bit" gives 0 'firmware: 1000 steps, same hash' \
        $run --link exec:$out/arm-$bits --csv $out/twin.csv
    check "$bits: and the same file" cmp $csv $out/twin.csv
    check "$bits: by hand" gives 0 'step 50: status 0' $tool link exec:$out/arm-$bits hello model $out/arm.blob \
        step 50 state joints report contacts hash
    check "$bits: what joints exert" grep -q '^2: force .* torque .* effort passive 0, motor 0, ' $out/log
    check "$bits: the stages of the solve" grep -q '^stage 0: accelerated on trees, exact friction, sweeps [0-9]' $out/log
    check "$bits: the joints of the report" grep -q '^joint error .* m, [0-9]* position corrections' $out/log
    check "$bits: room for joints" grep -q '  joints 3, fields' $out/log
    check "$bits: a model that is not there" gives 1 'No such file' $tool link exec:$out/arm-$bits model $out/none.blob

    # ---------------------------------------------------------------------------------------------------- bad motors
    bad() { # NAME LINE TEXT: the motors, line 3 replaced
        sed "3s|.*|$2|" $out/motors.csv >$out/bad.csv
        check "$bits: motors: $1" gives 1 "bad.csv:3: $3" $tool run --model $out/arm.blob --motors $out/bad.csv
    }
    bad 'no such joint' '0,knee,effort,,,1,,' "'knee' is no joint of the model"
    bad 'no such number' '0,3,effort,,,1,,' "'3' is no joint of the model"
    bad 'a negative number' '0,-1,effort,,,1,,' "'-1' is no joint of the model"
    bad 'no joint' '0,,effort,,,1,,' "'' is no joint of the model"
    bad 'a fixed joint' '0,end,effort,,,1,,' "'end' is a joint that has no coordinate"
    bad 'no such mode' '0,1,torque,,,1,,' "'torque' is none of effort, pd, velocity, position, off"
    bad 'NaN' '0,1,pd,nan,,,1,1' "'nan' in column 'position' is not a number"
    bad 'infinite' '0,1,velocity,,-inf,,,' "'-inf' in column 'velocity' is not a number"
    bad 'letters' '0,1,effort,,,much,,' "'much' in column 'effort' is not a number"
    bad 'negative stiffness' '0,1,pd,,,,-1,' "'-1' is a negative stiffness"
    bad 'negative damping' '0,1,pd,,,,1,-0.5' "'-0.5' is a negative damping"
    bad 'before the start' '-1,1,off,,,,,' "'-1' is before the start"
    bad 'no time' ',1,off,,,,,' "'' in column 'time' is not a number"
    bad 'too late' '1e300,1,off,,,,,' "'1e300' is too large"
    bad 'a field left out' '0,1,off,,,' '6 fields, the header has 8'
    sed '3s/^0/0.5/' $out/motors.csv >$out/bad.csv
    check "$bits: motors: times that fall" gives 1 "bad.csv:4: '0.3' is before the time of the row above" \
        $tool run --model $out/arm.blob --motors $out/bad.csv
    for column in time joint mode; do
        sed "1s/$column/other/" $out/motors.csv >$out/bad.csv
        check "$bits: motors: no column $column" gives 1 "bad.csv:1: no column '$column'" \
            $tool run --model $out/arm.blob --motors $out/bad.csv
    done
    check "$bits: motors: no file" gives 1 'No such file' $tool run --model $out/arm.blob --motors $out/none.csv
    check "$bits: motors: of a scene" gives 2 'only of a model from a file' $tool run stack --motors $out/motors.csv
done
check '32: too large for a float' gives 1 "'1e99' is too large" build/host/gcc-O2-32/tactus run --model $out/arm.blob \
    --motors <(printf 'time,joint,mode,effort\n0,0,effort,1e99\n')

tool=build/host/gcc-O2-32/tactus
run="$tool run --model $out/arm.blob --motors $out/motors.csv --steps 1000 --link"
# shellcheck disable=SC2086
{
    check 'other capacities, the same bits' gives 0 'firmware: 1000 steps, same hash' $run exec:$out/other
    check 'a firmware without joints says so' gives 1 'no room for so many elements: joints' $run exec:$out/none
    check 'a firmware that drops contacts is found out' gives 1 "differs from the host's kernel after step" \
        $run exec:$out/small
    check 'a firmware of another precision' gives 1 'computes in 64 bits' $run exec:$out/arm-64
    check 'a scene in a firmware without joints' gives 0 'firmware: 100 steps, same hash' \
        $tool run pushed --steps 100 --link exec:$out/none
}
head -c -3 $out/arm.blob >$out/cut.blob
check 'a model whose last name is cut short' gives 1 'cut.blob: cut short' $tool run --model $out/cut.blob

# ---------------------------------------------------------------------------------------------------------- the board

board=mps2-an386
on_board() {
    make -s -f targets/board.mk BOARD=$board PROGRAM=firmware BOARD_OUT=$out/$board "DEFINES=-I$out ${robot//\"/\\\"}"
}
check "firmware for $board" on_board
check "$board: 200 steps of the robot, to the bit" gives 0 'firmware: 200 steps, same hash' targets/host/rig $board \
    $out/$board/firmware.elf $tool run --model $out/arm.blob --motors $out/motors.csv --steps 200 --link '{}'
finish
