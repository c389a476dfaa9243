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

cp tests/tool/mjcf_good.xml $out/good.xml
sed -e 's,<keyframe>,<sensor><gyro name="g" site="s"/><gyro name="h" site="s"/></sensor><keyframe>,' $out/good.xml >$out/more.xml
# shellcheck disable=SC2086
check 'a good file' gives 0 'good: 3 bodies, 2 joints, 4 shapes' $tool $out/good.xml
sed -e 's/cube/box/; s/kp="20"/kp="a"/' $out/good.xml >$out/bad.xml
# shellcheck disable=SC2086
check 'a bad one' gives 1 "mjcf2tactus: $out/bad.xml:17: position 'servo': kp: 'a' is not a number" $tool $out/bad.xml

# ------------------------------------------------------------------------------------------------------------- parts
check 'its parts, one by one' python3 tests/tool/mjcf_parts.py

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
# terrain of 40 x 40 samples, twenty balls of other frictions each
{
    echo '<mujoco><asset><hfield name="h" nrow="40" ncol="40" size="4 4 0.2 0.1" elevation="'
    seq 1600 | awk '{ print $1 * 7 % 11 }'
    echo '"/></asset><worldbody><geom type="hfield" hfield="h"/>'
    seq 20 | awk '{ print "<body pos=\"" $1 / 10 - 1 " 0 0.5\"><freejoint/><geom size=\"0.02\" friction=\"" 1 + $1 / 100 "\"/></body>" }'
    echo '</worldbody></mujoco>'
} >$out/terrain.xml
check 'terrain, and many materials' gives 0 'steps        250 of 0.002 s' $host run $out/terrain.xml --seconds 0.5
check 'a robot in URDF is run' gives 0 'steps        10 of 0.001 s' $host run targets/guide/leg.urdf --steps 10
check 'a model is run' gives 0 'steps        10 of' sh -c "$tool $out/good.xml --blob $out/good.blob && $host run $out/good.blob --steps 10"
check 'another step' gives 0 'steps        100 of 0.01 s' $host run stack --h 0.01 --seconds 1
for change in '--solver plain' '--law relaxed' '--tolerance 0.1' '--sweeps 3' '--mu 0.1' '--gravity -3' '--gravity 1,0,-9.81'; do
    hash=$($host run stack --steps 200 | grep hash)
    # shellcheck disable=SC2086
    check "another run: $change" test "$hash" != "$($host run stack --steps 200 $change | grep hash)"
done
check 'bad: no solver' gives 2 '--solver fast: no such name' $host run stack --solver fast
check 'bad: gravity' gives 2 'not a number, or three with commas' $host run stack --gravity 1,2
check 'bad: friction' gives 1 'material[0].friction' $host run stack --mu -1
check 'bad: seconds' gives 2 '--seconds: above 0' $host run stack --seconds 0
{
    echo '<mujoco><worldbody><geom type="plane" size="1 1 1"/>'
    for ((i = 0; i < 400; i++)); do echo "<body pos='0 0 $i'><freejoint/><geom size='.1'/></body>"; done
    echo '</worldbody></mujoco>'
} >$out/many.xml
check 'bad: more bodies than there is room for, by the name of the file' gives 1 "tactus: $out/many.xml: no room in this build for so many bodies" \
    $host run $out/many.xml
check 'bad: no converter' gives 1 'set TACTUS_CONVERT to its folder' env TACTUS_CONVERT=/ $host run $out/good.xml
finish
