#!/bin/bash
# SPDX-License-Identifier: MIT
# mjcf.t - does mjcf2tactus name what is wrong and what it leaves out, and does the tool run its files?   prove tests/tool/mjcf.t
#   given   python3; the host tool (make tactus)
#   makes   TAP
#   bound   a few seconds
#   never   compares with MuJoCo: tests/oracle/mjcf.t does
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/mjcf
rm -rf $out
mkdir -p $out
tool="targets/host/mjcf2tactus --tactus none"
host=build/tactus

refused() { # TEXT ARGUMENT...: in one line that holds that text
    # shellcheck disable=SC2086
    gives 1 "$1" $tool "${@:2}" && [ "$(wc -l <$out/log)" = 1 ]
}

cat >$out/good.xml <<'XML'
<mujoco model="good">
<compiler angle="radian"/>
<default><geom friction="0.7"/><default class="arm"><joint damping="0.1"/></default></default>
<asset><mesh name="tip" vertex="0 0 0  0.1 0 0  0 0.1 0  0 0 0.1"/></asset>
<worldbody>
<geom name="floor" type="plane" size="5 5 1"/>
<body name="base" pos="0 0 1">
<joint name="slide" type="slide" axis="1 0 0" range="-1 1"/>
<geom name="box" type="box" size="0.1 0.1 0.1"/>
<body name="arm" childclass="arm">
<joint name="hinge" axis="0 1 0" range="-1 1"/>
<geom name="rod" type="capsule" size="0.02" fromto="0 0 0 0 0 0.5"/>
</body>
</body>
<body name="ball" pos="1 0 0.5"><freejoint/><geom size="0.1" contype="2" conaffinity="1"/></body>
</worldbody>
<actuator><position name="servo" joint="hinge" kp="20" kv="2" forcerange="-5 5"/></actuator>
<keyframe><key name="home" qpos="0.2 0.3 1 0 0.5 1 0 0 0" ctrl="0.3"/></keyframe>
</mujoco>
XML
bad() { # NAME SED TEXT: the good scene, edited
    sed -e "$2" $out/good.xml >$out/bad.xml
    check "bad: $1" refused "$3" $out/bad.xml
}
# shellcheck disable=SC2086
check 'a good file' gives 0 'good: 3 bodies, 2 joints, 4 shapes' $tool $out/good.xml
bad 'no mujoco' 's/mujoco/robot/' 'the root is <robot>, not <mujoco>'
bad 'a class that is not there' 's/childclass="arm"/childclass="leg"/' "bad.xml:11: joint 'hinge': class 'leg' is not there"
bad 'a word' 's/type="box"/type="cube"/' "geom 'box': type='cube' is not one of"
bad 'two orientations' 's/name="base"/name="base" euler="1 0 0" quat="1 0 0 0"/' "body 'base': quat and euler both say how it is turned"
bad 'no direction' 's/axis="0 1 0"/axis="0 0 0"/' "joint 'hinge': axis: an axis has no direction"
bad 'numbers' 's/size="0.1 0.1 0.1"/size="0.1 0.1"/' "size='0.1 0.1': 3 numbers are needed"
bad 'a size of 0' 's/size="0.1 0.1 0.1"/size="0.1 0 0.1"/' "geom 'box': size 0.1 0 0.1 is not > 0"
bad 'no number' 's/kp="20"/kp="a"/' "position 'servo': kp: 'a' is not a number"
bad 'a default that is no number' 's/friction="0.7"/friction="x"/' "bad.xml:3: default, geom: friction: 'x' is not a number"
bad 'one point' 's/0 0 0 0 0 0.5/0 0 0 0 0 0/' "geom 'rod': fromto: both points are one"
bad 'limits exchanged' '11s/range="-1 1"/range="1 -1"/' "joint 'hinge': range='1 -1': the first must be less"
bad 'limits without limited' 's/angle="radian"/autolimits="false"/' "range without limited, and autolimits is false"
bad 'two bodies of one name' 's/name="ball"/name="arm"/' "body 'arm': second body of this name"
bad 'two joints of one name' 's/name="hinge"/name="slide"/' "joint 'slide': second joint of this name"
bad 'a free joint beside another' 's,<freejoint/>,<freejoint/><joint/>,' 'a free joint stands alone in its body'
bad 'a free joint within' 's/<joint name="hinge"[^>]*>/<freejoint/' 'not XML'
bad 'a free joint on a body' 's,<joint name="hinge"[^>]*>,<freejoint/>,' 'a free joint is only for a child of the world'
bad 'no mass' 's/size="0.1" contype/size="0.1" mass="0" contype/' "body 'ball': it moves, and has neither mass nor shapes"
bad 'a joint that is not there' 's/joint="hinge"/joint="knee"/' "position 'servo': joint 'knee' is not there"
bad 'an exclude' 's,<keyframe>,<contact><exclude body1="arm" body2="leg"/></contact><keyframe>,' "body2 'leg' is not there"
bad 'a pair' 's,<keyframe>,<contact><pair geom1="rod" geom2="leg"/></contact><keyframe>,' "geom2 'leg' is not there"
bad 'a connect' 's,<keyframe>,<equality><connect body1="leg" anchor="0 0 0"/></equality><keyframe>,' "body1 'leg' is not there"
bad 'a mesh' 's/size="0.1" contype/type="mesh" mesh="top" contype/' "mesh 'top' is not there"
bad 'a file' 's/vertex="[^"]*"/file="tip.stl"/; s/size="0.1" contype/type="mesh" mesh="tip" contype/' 'tip.stl'"'"': no such file'
bad 'an include' 's,<compiler,<include file="none.xml"/><compiler,' "include: file 'none.xml': no such file"
bad 'an include of itself' 's,<compiler,<include file="bad.xml"/><compiler,' "file 'bad.xml' is included twice"
bad 'an inertia' 's,<freejoint/>,<freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/>,' 'breaks the triangle inequality'
bad 'a step' 's,<compiler,<option timestep="0"/><compiler,' 'timestep is 0 s, must be within 1e-6 .. 1'
bad 'a sequence' 's/angle="radian"/eulerseq="xyw"/' 'eulerseq must be three of'
check 'bad: a key that is not there' refused '--keyframe up: there is no such key; there are home' $out/good.xml --keyframe up
sed 's/qpos="0.2 /qpos="/' $out/good.xml >$out/bad.xml
check 'bad: a key that is too short' refused "key 'home': qpos has 8 numbers, of 9 that there are" $out/bad.xml --keyframe home

# ------------------------------------------------------------------------------------------------------- what is said
sed -e 's,<keyframe>,<sensor><gyro name="g" site="s"/><gyro name="h" site="s"/></sensor><tendon><fixed name="t"/></tendon><keyframe>,' \
    -e 's,contype="2",solref="0.01 1" contype="2",; s,</actuator>,<motor tendon="t"/><muscle joint="hinge"/></actuator>,' \
    -e 's,<freejoint/>,<joint type="free" damping="2"/>,' $out/good.xml >$out/more.xml
for line in '2  sensor/gyro' '1  tendon/fixed' '1  geom/@solref' '1  actuator/motor of a tendon' '1  actuator/muscle' \
    '1  joint/@damping of a ball or free joint'; do
    # shellcheck disable=SC2086
    check "left out: $line" gives 0 "$line" $tool $out/more.xml
done

# ------------------------------------------------------------------------------------------------------------- parts
for name in $(sed -n 's/^    def test_\([a-z_]*\).*/\1/p' tests/tool/mjcf_parts.py); do
    check "${name//_/ }" python3 tests/tool/mjcf_parts.py "Parts.test_$name"
done

# -------------------------------------------------------------------------------------------------------- it is run
check 'a scene is run' gives 0 'steps        50 of 0.002 s' $host run $out/good.xml --seconds 0.1
check 'what is left out is said' gives 0 '2  sensor/gyro' $host run $out/more.xml --seconds 0.1
check 'arguments for the converter' gives 1 'there is no such key' $host run $out/good.xml -- --keyframe up
$host run $out/good.xml --seconds 1 --csv $out/run.csv -- --keyframe home >/dev/null 2>&1
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } NR == 2 { a = $k } END { print a, $k }' $out/run.csv; }
check 'it begins at its key' test "$(column 'joint/hinge/position[rad]' | cut -c 1-3)" = 0.3
near() { awk -v x="$(column "$1" | cut -d' ' -f 2)" -v y="$2" -v e="$3" 'BEGIN { exit !(x > y - e && x < y + e) }'; }
check 'its servo holds it' near 'joint/hinge/position[rad]' 0.3 0.1
check 'its ball lies' near body/3/pos/z 0.1 0.01
check 'a robot in URDF is run' gives 0 'steps        10 of 0.001 s' $host run targets/guide/leg.urdf --steps 10
check 'a model is run' gives 0 'steps        10 of' sh -c "$tool $out/good.xml --blob $out/good.blob && $host run $out/good.blob --steps 10"
check 'another step' gives 0 'steps        100 of 0.01 s' $host run stack --h 0.01 --seconds 1
for change in '--solver plain' '--law relaxed' '--tolerance 0.1' '--sweeps 3' '--mu 0.1' '--gravity -3' '--gravity 1,0,-9.81'; do
    hash=$($host run stack --steps 200 | grep hash)
    # shellcheck disable=SC2086
    check "another run: $change" test "$hash" != "$($host run stack --steps 200 $change | grep hash)"
done
check 'bad: no solver' gives 1 '--solver fast: no such name' $host run stack --solver fast
check 'bad: gravity' gives 1 'not a number, or three with commas' $host run stack --gravity 1,2
check 'bad: friction' gives 1 'material[0].friction' $host run stack --mu -1
check 'bad: seconds' gives 2 '--seconds: above 0' $host run stack --seconds 0
check 'bad: no converter' gives 1 'set TACTUS_CONVERT to its folder' env TACTUS_CONVERT=/ $host run $out/good.xml
finish
