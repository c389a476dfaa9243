#!/bin/bash
# SPDX-License-Identifier: MIT
# urdf.t - does urdf2tactus write models that the kernel takes, and name what is wrong?   prove tests/tool/urdf.t
#   given   python3, gcc, clang; the host tool in both precisions (make tactus); TACTUS_DATA for the robots
#   makes   TAP; a table of the robots as diagnostics
#   bound   a minute
#   never   trusts the tool: the kernel checks and steps each model, the whole robot's mass is compared with a table
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=build/tests/urdf
rm -rf $out
mkdir -p $out
tool=targets/host/urdf2tactus

# TEXT ARGUMENT...: refused, in one line that holds that text.
refused() {
    gives 1 "$1" $tool "${@:2}" || return 1
    [ "$(wc -l <$out/log)" = 1 ] && return
    cat $out/log
    return 1
}

# ------------------------------------------------------------------------------------------------------------- parts

for name in $(sed -n 's/^    def test_\([a-z_]*\).*/\1/p' tests/tool/urdf_parts.py); do
    check "${name//_/ }" python3 tests/tool/urdf_parts.py "Parts.test_$name"
done

# --------------------------------------------------------------------------------------------------------- bad files

cat >$out/good.urdf <<'XML'
<?xml version="1.0"?>
<robot name="good">
<link name="base">
<inertial><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
<collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision>
</link>
<link name="arm">
<inertial><mass value="1"/><inertia ixx="0.2" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.2"/></inertial>
<collision><geometry><cylinder radius="0.1" length="0.5"/></geometry></collision>
</link>
<joint name="hinge" type="revolute">
<origin xyz="0 0 0.1" rpy="0 0 0"/><axis xyz="0 0 1"/>
<parent link="base"/><child link="arm"/>
<limit effort="1" velocity="1" lower="-1" upper="1"/>
</joint>
</robot>
XML

bad() { # NAME SED TEXT: the good robot, edited
    sed -e "$2" $out/good.urdf >$out/bad.urdf
    check "bad: $1" refused "$3" $out/bad.urdf
}
check 'a good file' gives 0 'good: 2 bodies, 1 joints' $tool $out/good.urdf
bad 'no parent link' 's/parent link="base"/parent link="body"/' \
    "bad.urdf:11: joint 'hinge': its parent link 'body' is not there"
bad 'no child link' 's/child link="arm"/child link="leg"/' "joint 'hinge': its child link 'leg' is not there"
bad 'no parent' 's/<parent link="base".>//' "joint 'hinge': no <parent>"
bad 'no links' '/<link/,/<.link/d; /<joint/,/<.joint/d' "bad.urdf:2: robot 'good': no links"
bad 'a loop' 's/parent link="base"/parent link="arm"/' "joint 'hinge': the joints close a loop through link 'arm'"
bad 'a loop without a root' \
    's,</robot>,<joint name="back" type="fixed"><parent link="arm"/><child link="base"/></joint></robot>,' \
    'the joints close a loop: no link is without a parent'
bad 'two parents' \
    's,</robot>,<joint name="two" type="fixed"><parent link="base"/><child link="arm"/></joint></robot>,' \
    "joint 'two': link 'arm' is already the child of joint 'hinge'"
bad 'two roots' '/<joint/,/<.joint/d' "bad.urdf:7: link 'arm': second root: like 'base' it is no joint's child"
bad 'no mass, no shape' 's/mass value="1"/mass value="0"/; 9d' \
    "bad.urdf:7: link 'arm': it moves, and has neither mass nor shapes: give it an <inertial>, or a <collision> and --density"
bad 'no inertial, no shape' '8,9d' "link 'arm': it moves, and has neither mass nor shapes"
bad 'negative mass' 's/mass value="1"/mass value="-1"/' "link 'arm', inertial/mass: mass is -1 kg"
bad 'no inertia, no shape' '8s/<inertia .*.>/<\/inertial>/; 9d' \
    "bad.urdf:7: link 'arm': it moves, and has neither inertia nor shapes: give it an <inertia>, or a <collision>"
bad 'negative inertia' 's/ixx="0.2"/ixx="-0.2"/' "link 'arm': inertia is not positive definite"
bad 'no inertia, only zeros, no shape' 's/"0.2"/"0"/g; 9d' "link 'arm': it moves, and has neither inertia nor shapes"
bad 'products too large' 's/ixx="0.2" ixy="0"/ixx="0.2" ixy="0.3"/' "link 'arm': inertia is not positive definite"
bad 'triangle inequality' 's/ixx="0.2"/ixx="0.5"/' "link 'arm': inertia breaks the triangle inequality"
bad 'its advice' 's/ixx="0.2"/ixx="0.5"/' 'moments 0.5, 0.2, 0.2 kg m2: --balance-inertia takes their mean'
check 'its advice, followed' gives 0 "body of link 'arm': inertia breaks the triangle inequality: principal moments 0.5, 0.2, 0.2 kg m2; their mean is taken, 0.3" \
    $tool $out/bad.urdf --balance-inertia
bad 'zeros, which have no mean' 's/"0.2"/"0"/g; 9d' 'neither inertia nor shapes'
check 'zeros, balanced all the same' refused "link 'arm': it moves, and has neither inertia nor shapes" \
    $out/bad.urdf --balance-inertia
sed 's/ixx="0.2"/ixx="0.5"/; s/type="revolute"/type="fixed"/' $out/good.urdf >$out/part.urdf
check 'a wrong inertia of a part' gives 0 "link 'arm': inertia breaks the triangle inequality: principal moments 0.5, 0.2, 0.2 kg m2; that of the body it is part of is good" \
    $tool $out/part.urdf
sed -i 's/ixx="0.5"/ixx="9"/' $out/part.urdf
check 'bad: a part that is too wrong' refused "part.urdf:7: link 'arm': inertia breaks the triangle" $out/part.urdf
bad 'NaN' 's/mass value="1"/mass value="nan"/' "link 'arm', inertial/mass: value: 'nan' is not a number"
bad 'infinite' 's/mass value="1"/mass value="inf"/' "'inf' is not a number"
bad 'too large' 's/mass value="1"/mass value="1e99"/' "'1e99' is too large"
bad 'overflow' 's/mass value="1"/mass value="1e999"/' "'1e999' is too large"
bad 'too small for a float' 's/"0.2"/"1e-40"/g' "link 'arm': 1e-40 is too small for a float"
bad 'a comma' 's/xyz="0 0 0.1"/xyz="0 0 0,1"/' "joint 'hinge', origin: xyz: '0,1' is not a number"
bad 'underscores' 's/xyz="0 0 0.1"/xyz="0 0 1_0"/' "'1_0' is not a number"
bad 'two numbers for three' 's/xyz="0 0 0.1"/xyz="0 0"/' "joint 'hinge', origin: xyz='0 0' must be 3 numbers"
bad 'no direction' 's/axis xyz="0 0 1"/axis xyz="0 0 0"/' "joint 'hinge', axis: the axis has no direction"
bad 'limits exchanged' 's/lower="-1" upper="1"/lower="1" upper="-1"/' 'lower limit 1 is above the upper one, -1'
bad 'negative effort' 's/effort="1"/effort="-2"/' "joint 'hinge', limit: effort is -2, must be >= 0"
bad 'negative velocity' 's/velocity="1"/velocity="-0.5"/' "joint 'hinge', limit: velocity is -0.5, must be >= 0"
bad 'negative damping' 's,<limit,<dynamics damping="-1"/><limit,' 'damping is -1'
bad 'unknown type' 's/type="revolute"/type="ball"/' "joint 'hinge': unknown type 'ball'"
bad 'no type' 's/ type="revolute"//' "joint 'hinge': no attribute 'type'"
bad 'two links of one name' 's/name="arm"/name="base"/' \
    "bad.urdf:7: link 'base': second link of this name; the first is in line 3"
bad 'two joints of one name' \
    's,</robot>,<joint name="hinge" type="fixed"><parent link="arm"/><child link="base"/></joint></robot>,' \
    "joint 'hinge': second joint of this name"
bad 'a name that is empty' 's/name="arm"/name=""/' 'its name is empty'
bad 'no name' 's/ name="arm"//' "bad.urdf:7: link: no attribute 'name'"
bad 'a box without size' 's/ size="0.1 0.2 0.3"//' "link 'base', collision/geometry/box: no attribute 'size'"
bad 'a box below 0' 's/size="0.1 0.2 0.3"/size="0.1 -1 0.3"/' 'size is -1, must be > 0'
bad 'a radius below 0' 's/radius="0.1"/radius="-0.1"/' 'radius is -0.1, must be > 0'
bad 'no geometry' 's,<box[^>]*>,,' "link 'base', collision/geometry: no shape"
bad 'mimics nobody' 's,<limit,<mimic joint="knee"/><limit,' "joint 'hinge': mimics joint 'knee', which is not there"
bad 'mimics itself' 's,<limit,<mimic joint="hinge"/><limit,' "joint 'hinge': mimics itself"
bad 'no mesh' 's,<box[^>]*>,<mesh filename="package://robot/box.stl"/>,' \
    "bad.urdf:5: link 'base', collision/geometry/mesh: mesh 'package://robot/box.stl': no such file: --package-path"
check 'no mesh, allowed' gives 0 '1 shapes, 0 hulls' $tool $out/bad.urdf --skip-missing
check 'no mesh, allowed, is said' gives 0 "mesh 'package://robot/box.stl': no such file" \
    $tool $out/bad.urdf --skip-missing
touch $out/box.dae
bad 'a mesh that is not read' 's,<box[^>]*>,<mesh filename="box.dae"/>,' "mesh 'box.dae': only STL and OBJ are read"
printf 'solid\n' >$out/short.stl
bad 'a mesh that is none' 's,<box[^>]*>,<mesh filename="short.stl"/>,' 'short.stl: not STL'
bad 'not a robot' 's/robot/model/' 'bad.urdf:2: the root is <model>, not <robot>'
bad 'not expanded' 's,</robot>,<xacro:leg/></robot>,' '<xacro:leg>: expand the file with xacro first: xacro FILE > robot.urdf'
bad 'a variable' 's/effort="1"/effort="$(optenv EFFORT 1)"/' \
    "bad.urdf:14: joint 'hinge', limit: effort='\$(optenv EFFORT 1)' is not substituted; set that variable, or leave it"
bad 'a variable without a default' 's/effort="1"/effort="$(env EFFORT)"/' 'set that variable and expand the file: xacro FILE >'
bad 'an argument' 's/value="2"/value="2$( arg mass)"/' \
    "link 'base', inertial/mass: value='\$( arg mass)' is not substituted; expand the file first, with a value: xacro FILE NAME:=VALUE"
bad 'a folder' 's,<box[^>]*>,<mesh filename="$(find robot)/box.stl"/>,' \
    "filename='\$(find robot)' is not substituted; expand the file first: xacro FILE > robot.urdf; or write package://NAME"
bad 'an expression' 's/lower="-1"/lower="${-limit}"/' "lower='\${-limit}' is not substituted; expand the file first: xacro"
bad 'another substitution' 's/upper="1"/upper="$(eval 1 + 1)"/' "upper='\$(eval 1 + 1)' is not substituted; expand"
bad 'a substitution that does not end' 's/upper="1"/upper="$(arg"/' "upper='\$(arg' is not substituted"
bad 'a substitution where nothing is read' 's,</robot>,<gazebo><topic>a/$(arg n)</topic></gazebo></robot>,' \
    "bad.urdf:16: gazebo, topic: its text, '\$(arg n)' is not substituted"
bad 'a substitution in a name' 's/robot name="good"/robot name="${name}"/' "name='\${name}' is not substituted"
sed 's,</robot>,<!-- $(find robot) --></robot>,' $out/good.urdf >$out/comment.urdf
check 'a substitution in a comment does not matter' gives 0 '2 bodies' $tool $out/comment.urdf
bad 'an entity' '1s,$,<!DOCTYPE robot [<!ENTITY a "b">]>,' "entity 'a': none are read"
bad 'truncated' '9,$d' 'bad.urdf:9: not XML: no element found'
bad 'not XML' 's/<link name="arm">/<link name="arm"/' 'bad.urdf:8: not XML: not well-formed'
bad 'not XML, after a line of blanks' '1s/^/\n /; s/<link name="arm">/<link name="arm"/' 'bad.urdf:9: not XML: not well-formed'
bad 'a link, after a line of blanks' '1s/^/\n /; s/mass value="1"/mass value="-1"/' 'bad.urdf:9: link'
bad 'another encoding' '1s/.*/<?xml version="1.0" encoding="none"?>/' 'not XML: unknown encoding'
bad 'a character of no encoding' $'s/arm/\xff/' 'not XML: not well-formed'
: >$out/empty.urdf
check 'bad: empty' refused 'empty.urdf: empty' $out/empty.urdf
head -c 1000 /dev/zero >$out/zero.urdf
check 'bad: zeros' refused 'zero.urdf:1: not XML' $out/zero.urdf
check 'bad: no file' refused 'nothing.urdf: No such file' $out/nothing.urdf
check 'bad: a folder' refused ': Is a directory' $out
{ echo '<robot>'; printf '<a>%.0s' {1..100}; } >$out/deep.urdf
check 'bad: deep' refused 'deep.urdf:2: elements nested deeper than 64' $out/deep.urdf
{ echo '<robot>'; for i in {1..1000}; do printf '<a/>%.0s' {1..250}; done; } >$out/long.urdf
check 'bad: too many elements' refused 'long.urdf:2: more than 200000 elements' $out/long.urdf
{ echo '<robot>'; head -c 17000000 /dev/zero | tr '\0' ' '; } >$out/large.urdf
check 'bad: too large' refused 'large.urdf: 17000008 bytes, more than 16777216' $out/large.urdf
{ echo '<robot>'; for i in {1..4001}; do echo "<link name='l$i'/>"; done; echo '</robot>'; } >$out/many.urdf
check 'bad: too many links' refused 'many.urdf:1: robot: 4001 links, at most 4000' $out/many.urdf
awk 'BEGIN {
    inertial = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>"
    print "<robot>"
    for (i = 0; i < 2000; i++) {
        printf "<link name=\"l%d\">%s</link>\n", i, inertial
        if (i == 0) continue
        printf "<joint name=\"j%d\" type=\"revolute\">", i
        printf "<parent link=\"l%d\"/><child link=\"l%d\"/></joint>\n", i - 1, i
    }
    print "</robot>" }' >$out/chain.urdf
check 'a chain of 2000 links' gives 0 '2000 bodies, 1999 joints' $tool $out/chain.urdf --c $out/chain.c \
    --blob $out/chain.blob

sed 's/"arm"/"leg"/' $out/good.urdf >$out/other.urdf
printf '<robot name="good"><disable_collisions link1="base" link2="leg" reason="Never"/></robot>' >$out/leg.srdf
check 'bad: SRDF of another robot' refused "leg.srdf:1: disable_collisions: no link 'leg' in" \
    $out/good.urdf --srdf $out/leg.srdf
check 'an SRDF without pairs' gives 0 '2 bodies' $tool $out/good.urdf --srdf $out/good.urdf
check 'bad: no such SRDF' refused 'nothing.srdf: No such file' $out/good.urdf --srdf $out/nothing.srdf
check 'bad: no such joint' refused '--joint knee: no joint of this name has one coordinate' \
    $out/good.urdf --joint knee=1
check 'bad: an output that cannot be written' refused 'where.c: No such file' $out/good.urdf --c $out/no/where.c
check 'wrong usage: a header for the model' gives 2 "is not NAME.c, with a plain name" $tool $out/good.urdf --c $out/where.h
check 'wrong usage: a name that no #include takes' gives 2 'is not NAME.c' $tool $out/good.urdf --c "$out/a\"b.c"
check 'a start outside of limits is said' gives 0 "joint 'hinge' starts at 2, outside of its limits -1 .. 1" \
    $tool $out/good.urdf --joint hinge=2
check 'wrong usage: no file' gives 2 'usage' $tool
check 'wrong usage: a joint without a value' gives 2 'is not NAME=VALUE' $tool $out/good.urdf --joint hinge
check 'wrong usage: hulls of 3 points' gives 2 'not within 4 .. 1000' $tool $out/good.urdf --hull-points 3
check 'help' gives 0 '--package-path' $tool --help

# ------------------------------------------------------------------------- what is sound, though the format asks for more

sound() { # NAME SED TEXT [OPTION...]: the good robot, edited, is taken, and that is said
    sed -e "$2" $out/good.urdf >$out/sound.urdf
    check "sound: $1" gives 0 "$3" $tool $out/sound.urdf "${@:4}"
}
sound 'no mass' 's/mass value="1"/mass value="0"/' "link 'arm' has no mass: 15.708 kg by its shapes, --density 1000"
sound 'no inertial, another density' 8d "link 'arm' has no mass: 39.2699 kg by its shapes, --density 2500" --density 2500
sound 'an inertia without a mass' 's,<mass value="1"/>,,' "link 'arm' has an inertia but no mass"
sound 'a mass without an inertia' '8s/<inertia .*.>/<\/inertial>/' \
    "link 'arm' has a mass but no inertia: it has that of its shapes"
sound 'an inertia of zeros' 's/"0.2"/"0"/g' "link 'arm' has a mass but no inertia: it has that of its shapes"
sound 'a fixed link of no mass' '8d; s/type="revolute"/type="fixed"/' 'good: 1 bodies, 0 joints'
sound 'effort -1' 's/effort="1"/effort="-1"/' "joint 'hinge': effort -1 is taken as no limit"
sound 'velocity -1' 's/velocity="1"/velocity="-1"/' "joint 'hinge': velocity -1 is taken as no limit"
sound 'effort 0 and velocity -1' 's/effort="1" velocity="1"/effort="0" velocity="-1"/' \
    "joint 'hinge': effort 0 is taken as no limit"
for limit in 'effort="-1" velocity="1"' 'effort="0.0" velocity="-1.0"'; do
    sed "s/effort=\"1\" velocity=\"1\"/$limit/" $out/good.urdf >$out/sound.urdf
    check "$limit: no limit" gives 0 good $tool $out/sound.urdf --c $out/sound.c
    check "$limit: in the model" grep -q 'effort = MOST_' $out/sound.c
done
sound 'effort 0 alone' 's/effort="1"/effort="0"/' "joint 'hinge' has an effort limit of 0: a motor does nothing there"
sound 'a box of no size' 's/size="0.1 0.2 0.3"/size="0.1 0 0.3"/' "link 'base', collision/geometry/box: a box of size 0, left out"
sound 'which is no shape' 's/size="0.1 0.2 0.3"/size="0.1 0 0.3"/' ' 1 shapes'
sound 'a cylinder of no length' 's/length="0.5"/length="0"/' 'a cylinder of size 0, left out'
sound 'a sphere of no radius' 's,<box[^>]*>,<sphere radius="0.0"/>,' 'a sphere of size 0, left out'
sound 'a capsule of no length, which is a sphere' 's,<box[^>]*>,<capsule radius="0.1" length="0"/>,' ' 2 shapes'
printf 'v 0 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\n' >$out/flat.obj
sound 'a flat mesh' 's,<box[^>]*>,<mesh filename="flat.obj"/>,' "mesh 'flat.obj' is flat, left out"
sound 'a mesh scaled to nothing' 's,<box[^>]*>,<mesh filename="flat.obj" scale="0 0 0"/>,' "mesh 'flat.obj' is flat, left out"
sound 'blanks before the head' '1s/^/\n  /' '2 bodies, 1 joints'
sound 'a world that is not there' 's/parent link="base"/parent link="world"/; 3,6d' "link 'world' is not there: it is the ground"

# ------------------------------------------------------------------------------------------- outputs, and what they take

for kind in c h config blob; do
    rm -f $out/link.*
    echo untouched >$out/victim
    ln -s victim $out/link.$kind
    check "$kind: a symbolic link is not followed" refused "link.$kind: is a symbolic link, which is not followed" \
        $out/good.urdf --c $out/link.c --config $out/link.config --blob $out/link.blob
    check "$kind: what it leads to stays" test "$(cat $out/victim)" = untouched
    check "$kind: nothing else is written" test "$(echo $out/link.*)" = $out/link.$kind
done
rm -f $out/link.*
ln -s made $out/link.blob
check 'a link that leads nowhere makes no file' refused 'link.blob: is a symbolic link' $out/good.urdf --blob $out/link.blob
check 'as it says' test ! -e $out/made
rm -f $out/link.*
check 'an output that is there is written over' gives 0 good $tool $out/good.urdf --blob $out/victim

feet() { # OPTION...: the good robot and a foot at its arm
    sed 's,</robot>,<link name="foot"><collision><geometry><sphere radius="0.02"/></geometry></collision></link>\
        <joint name="ankle" type="fixed"><parent link="arm"/><child link="foot"/></joint></robot>,' $out/good.urdf >$out/feet.urdf
    $tool $out/feet.urdf --ground --config $out/feet.h "$@"
}
check 'all shapes' gives 0 '4 shapes' feet
check 'have their contacts' grep -q 'TAC_MAX_CONTACTS 9$' $out/feet.h
check 'only feet collide' gives 0 '2 shapes' feet --collide foot
check 'which takes a contact' grep -q 'TAC_MAX_CONTACTS 1$' $out/feet.h
check 'that is said' gives 0 '2 shapes of other links than those of --collide left out' feet --collide foot
check 'several' gives 0 '3 shapes' feet --collide foot,arm
check 'or one by one' gives 0 '3 shapes' feet --collide foot --collide arm
check 'bad: to collide with a link that is not there' refused '--collide toe: no link of this name has a shape' \
    $out/good.urdf --collide toe
check 'wrong usage: to collide with two robots' gives 2 'are about one robot' $tool $out/good.urdf $out/good.urdf --collide arm
sed 's,<box[^>]*>,<mesh filename="none.stl"/>,' $out/good.urdf >$out/sound.urdf
check 'a mesh that is left out is not looked for' gives 0 '1 shapes' $tool $out/sound.urdf --collide arm

cat >$out/room.c <<'C'
#include "tactus/tactus.h"
#include <stdio.h>
#define KB(bytes) (((bytes) + 999) / 1000)
int main(void)
{
    printf("flash %zu kB for the model; RAM %zu kB", KB(sizeof(tac_model)),
           KB(sizeof(tac_state) + sizeof(tac_input) + sizeof(tac_work)));
}
C
told() { # BITS NAME: flash and RAM are those of the structs
    gcc -Iinclude -I$out -DTAC_REAL_BITS="$1" -DTAC_CONFIG_HEADER='"room.h"' $out/room.c -o $out/room &&
        grep -F "$2: $($out/room): state " $out/said
}
$tool $out/feet.urdf --ground --config $out/room.h >$out/said 2>&1
check 'flash and RAM are told, float' told 32 float
check 'and double' told 64 double
check 'fewer shapes take less' test "$(sed -n 's/^float: .*RAM \([0-9]*\).*/\1/p' $out/said)" -gt \
    "$(feet --collide foot 2>&1 | sed -n 's/^float: .*RAM \([0-9]*\).*/\1/p')"
check 'without a compiler that is said' gives 0 'float: flash and RAM are not known' env CC=$out/none $tool $out/good.urdf --config $out/room.h
check 'of what is only checked nothing is told' test -z "$($tool $out/good.urdf 2>&1 | grep flash)"
check 'wrong usage: two outputs of one name' gives 2 'two files would have that name' $tool $out/good.urdf --c $out/one.c --config $out/one.h

# ------------------------------------------------------------------------------------------------------- the kernel

flags="-std=c99 -O0 -ffp-contract=off -fno-math-errno -pedantic -Wall -Wextra -Wconversion -Wsign-conversion
    -Wdouble-promotion -Wshadow -Wundef -Wmissing-prototypes -Wvla -Wcast-align -Werror -Iinclude -Iport -I$out"

# NAME BITS PROGRAM [CONFIG]: the program of tests/tool with a model; in float with a kernel of its capacities, in double, where the counts
# are the same, with that of the tool, unless it is to have no joints.
roomy=$(kernel tool 64)
compiled() {
    local config=${4:-$1_config.h}
    local kernel="-DTAC_REAL_BITS=$2 -DTAC_CONFIG_HEADER=\"$config\" src/tactus.c"
    if [ "$2" = 64 ] && ! grep -q 'TAC_MAX_JOINTS 0' "$out/$config"; then kernel=$roomy; fi
    # shellcheck disable=SC2086
    clang $flags -DMODEL="\"$1.h\"" "tests/tool/$3.c" "$out/$1.c" port/link/{image,image_model,image_room,value,wire}.c $kernel \
        -o "$out/$1-$2-$3"
}

# NAME FILE ARGUMENT...: convert, compile and run in both precisions; $out/NAME.BITS is what the runs say.
stepped() {
    local name=$1
    $tool "${@:2}" --name robot --c "$out/$name.c" --config "$out/${name}_config.h" --blob "$out/$name.blob" \
        >"$out/$name.log" 2>&1 || { cat "$out/$name.log"; return 1; }
    for bits in 32 64; do
        compiled "$name" $bits urdf_robot || return 1
        "$out/$name-$bits-urdf_robot" "$out/$name.blob" >"$out/$name.$bits" || { cat "$out/$name.$bits"; return 1; }
        gives 0 'steps        100 ' build/host/gcc-O2-$bits/tactus run --steps 100 --model "$out/$name.blob" || return 1
    done
}

check 'the good robot steps' stepped good $out/good.urdf
sed 's/type="revolute"/type="fixed"/' $out/good.urdf >$out/rigid.urdf
check 'one body of two links, without joints' stepped rigid $out/rigid.urdf
check 'compliant on a floor' stepped floor $out/good.urdf --ground --z 0.15 --stiffness 2e4 --damping 50
check 'on a floor it has contacts' grep -q 'contacts [1-9]' $out/floor.64
check 'with a fixed base' stepped fixed $out/good.urdf --fixed-base --keep-fixed --joint hinge=0.5
placed() { # NAME FILE [JOINT=VALUE...]: the links are where the frames are
    python3 tests/tool/urdf_frames.py "$2" "$out/$1.h" "$out/$1.32" 1e-5 "${@:3}" &&
        python3 tests/tool/urdf_frames.py "$2" "$out/$1.h" "$out/$1.64" 1e-10 "${@:3}"
}
check 'its frames are where the file has its links' placed fixed $out/good.urdf hinge=0.5
check 'so it is where a link is part of a body' placed rigid $out/rigid.urdf
check 'at its joint value' grep -q '^q 0 0.5$' $out/fixed.64

# a gripper: the second finger is told to be where the first is, turned round and a little beyond; a third one stays
awk '/<.robot>/ { exit } { print }
    END {
        inertial = "<inertial><mass value=\"0.1\"/><inertia ixx=\"1e-4\" iyy=\"1e-4\" izz=\"1e-4\"/></inertial>"
        for (i = 1; i <= 3; i++) {
            printf "<link name=\"f%d\">%s</link><joint name=\"slide%d\" type=\"prismatic\">", i, inertial, i
            printf "<parent link=\"arm\"/><child link=\"f%d\"/><limit effort=\"5\" velocity=\"0.5\"/>", i
            if (i > 1) printf "<mimic joint=\"slide1\" multiplier=\"%g\" offset=\"0.01\"/>", i == 2 ? -1 : 0
            print "</joint>"
        }
        print "</robot>"
    }' $out/good.urdf >$out/gripper.urdf
check 'a gripper steps' stepped gripper $out/gripper.urdf --fixed-base --joint slide1=0.02
check 'it has a coupling' grep -q 'kind = TAC_COUPLING' $out/gripper.c
check 'with a name' grep -q 'ROBOT_JOINT_SLIDE2_MIMIC = 4' $out/gripper.h
check 'that starts where it holds' grep -q '^q 0 0.02 -0.01 0.01 0.01$' $out/gripper.64
check 'its joints stay together' awk '/apart by/ { exit !($9 < 1e-12) }' $out/gripper.64
check 'its motors know their speed' grep -q 'speed = R_(0.5)' $out/gripper.c
sed 's/velocity="1"/velocity="0"/' $out/good.urdf >$out/slow.urdf
check 'a speed of nothing is none, and said' gives 0 "joint 'hinge' has a velocity limit of 0: taken as none" \
    $tool $out/slow.urdf
python3 tests/tool/urdf_meshes.py $out
check 'a robot of meshes steps' stepped meshes $out/meshes.urdf
check 'with finer hulls' stepped fine $out/meshes.urdf --hull-points 100
for name in meshes fine; do
    { cat $out/${name}_config.h; printf '#undef TAC_MAX_%s 4000\n' POINTS FACES EDGES | sed 's/ 4000//';
        printf '#define TAC_MAX_%s 4000\n' POINTS FACES EDGES; } >$out/${name}_room.h
    for bits in 32 64; do
        check "$name: the hulls of the kernel, $bits bits: compiled" compiled $name $bits urdf_hulls ${name}_room.h
        check "$name: the hulls of the kernel, $bits bits" $out/$name-$bits-urdf_hulls
    done
done
for bits in 32 64; do
    host=build/host/gcc-O2-$bits/tactus
    check "$bits: a model from a file" gives 0 'contacts     8 at the end' \
        $host run --model $out/floor.blob --csv $out/run.csv
    check "$bits: a row per step" test "$(wc -l <$out/run.csv)" = 1002
    check "$bits: a scene and a model" gives 2 'usage' $host run stack --model $out/floor.blob
    check "$bits: no such model" gives 1 'No such file' $host run --model $out/nothing.blob
    check "$bits: a model that is none" gives 1 'no model of urdf2tactus' $host run --model $out/short.stl
    check "$bits: an empty one" gives 1 'no model of urdf2tactus' $host run --model $out/empty.urdf
    head -c 300 $out/floor.blob >$out/cut.blob
    check "$bits: one cut short" gives 1 "cut.blob: " $host run --model $out/cut.blob
    { head -c 8 $out/floor.blob; printf '\1\0\0\0'; tail -c +13 $out/floor.blob; } >$out/version.blob
    check "$bits: another version" gives 1 'version 1, must be 2 or 3' $host run --model $out/version.blob
    sed 's/\x9a\x99\x99\x99\x99\x99\xb9\x3f/\x9a\x99\x99\x99\x99\x99\xb8\x3f/; s/\xcd\xcc\xcc\x3d/\xcd\xcc\xcb\x3d/' \
        $out/floor.blob >$out/changed.blob
    check "$bits: a changed one" gives 1 'changed.blob: hash' $host run --model $out/changed.blob
done
check 'bodies for which there is no room' gives 1 'no room in this build' $host run --model $out/chain.blob
too_small() {
    ! compiled good 32 urdf_robot fixed_small.h >$out/log 2>&1 && grep -q 'TAC_CONFIG_HEADER must name' $out/log
}
sed 's/BODIES 2/BODIES 1/' $out/good_config.h >$out/fixed_small.h
check 'capacities of another model are refused by name' too_small

# ---------------------------------------------------------------------------------------- C and C++, several robots

pair() { # COMPILER FLAG...: the two robots, as C99 and their headers in C++17, without a warning
    # shellcheck disable=SC2086
    for name in good gripper; do
        "$1" $flags "${@:2}" -DTAC_CONFIG_HEADER='"both_config.h"' -c $out/both/$name.c -o $out/both/$name.o || return 1
    done
}
header() { # COMPILER FLAG...
    # shellcheck disable=SC2086
    for name in good gripper; do
        "$1" -x c++ -std=c++17 $plus "${@:2}" -DTAC_CONFIG_HEADER='"both_config.h"' -fsyntax-only -include $out/both/$name.h /dev/null ||
            return 1
    done
}
plus="-pedantic -Wall -Wextra -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow -Wundef -Werror -Iinclude -I$out/both"
mkdir -p $out/both
sed 's/robot name="good"/robot name="gripper"/' $out/gripper.urdf >$out/both/gripper.urdf
check 'two robots in one call' gives 0 'gripper: 5 bodies, 5 joints' $tool $out/good.urdf --c $out/both/good.c \
    $out/both/gripper.urdf --c $out/both/gripper.c --config $out/both/both_config.h
check 'each says what it is' grep -q '^good: 2 bodies, 1 joints' $out/log
for bits in 32 64; do
    for more in '' -DTAC_ROLLING=1 '-DTAC_PREFIX=small_'; do
        # shellcheck disable=SC2086
        for compiler in gcc clang; do check "$compiler, $bits bits $more: C99" pair $compiler -I$out/both -DTAC_REAL_BITS=$bits $more; done
        # shellcheck disable=SC2086
        for compiler in g++ clang++; do check "$compiler, $bits bits $more: C++17" header $compiler -DTAC_REAL_BITS=$bits $more; done
    done
done
named() { nm $out/both/good.o | grep -q ' R small_good_model$' && ! nm $out/both/good.o | grep ' good_'; }
check 'with a prefix their names have it' named
both() { # BITS: one kernel, two robots, C++17
    local at="-DTAC_REAL_BITS=$1 -I$out/both" config=-DTAC_CONFIG_HEADER='"both_config.h"'
    # shellcheck disable=SC2086
    pair gcc $at && gcc $flags $at "$config" -c src/tactus.c -o $out/both/kernel.o &&
        g++ -std=c++17 $plus $at "$config" tests/tool/urdf_both.cc $out/both/{good,gripper,kernel}.o -o $out/both/both && $out/both/both
}
for bits in 32 64; do check "both robots step in one program of C++17, $bits bits" both $bits; done
$tool $out/good.urdf --config $out/both/good_config.h >$out/log 2>&1
$tool $out/both/gripper.urdf --config $out/both/gripper_config.h >$out/log 2>&1
knobs() { # INCLUDE...: what a configuration defines
    printf '#include "%s"\n' "$@" | gcc -E -dM -Wundef -Werror -I$out/both -x c - | grep TAC_ | sort
}
included() {
    diff <(knobs both_config.h) <(knobs good_config.h gripper_config.h) &&
        diff <(knobs both_config.h) <(knobs gripper_config.h good_config.h gripper_config.h)
}
check 'configurations that are included one after the other are the same' included
check 'what is larger before stays' test "$(gcc -E -dM -DTAC_MAX_BODIES=99 -x c $out/both/good_config.h | grep -w TAC_MAX_BODIES)" = \
    '#define TAC_MAX_BODIES 99'
check 'wrong usage: one --c for two robots' gives 2 '--c is needed once for each of the 2 files' \
    $tool $out/good.urdf $out/gripper.urdf --c $out/x.c
check 'wrong usage: a joint of two robots' gives 2 'convert each by itself' $tool $out/good.urdf $out/gripper.urdf --joint hinge=1
check 'two robots of one name' refused "gripper.urdf: its name in C is that of $out/good.urdf, GOOD: --name" $out/good.urdf $out/gripper.urdf
check 'a refusal writes nothing of the others' refused 'empty.urdf: empty' $out/good.urdf $out/empty.urdf --c $out/one.c --c $out/two.c
check 'as it says' test ! -e $out/one.c

# ---------------------------------------------------------------------------------------------------------- overlaps

# NAME X Y Z SIZE: a link with a box.
boxed() {
    echo "<link name=\"$1\"><inertial><mass value=\"1\"/><inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0\" iyy=\"0.1\" iyz=\"0\""
    echo "izz=\"0.1\"/></inertial><collision><origin xyz=\"$2 $3 $4\"/><geometry><box size=\"$5\"/></geometry></collision></link>"
}
# NAME PARENT CHILD XYZ
hinge() {
    echo "<joint name=\"$1\" type=\"continuous\"><parent link=\"$2\"/><child link=\"$3\"/><origin xyz=\"$4\"/><axis xyz=\"0 1 0\"/></joint>"
}
# a thigh 47 mm within its trunk, the hip between them; a shank 3 mm in the other one, four joints away
{
    echo '<robot name="leg">'
    boxed trunk 0 0 0 '0.4 0.2 0.1'
    boxed hip 0 0 0 '0.01 0.01 0.01'
    boxed thigh 0 0 0 '0.05 0.05 0.3'
    boxed hip2 0 0 0 '0.01 0.01 0.01'
    boxed shank 0 0 0 '0.05 0.05 0.05'
    hinge a trunk hip '0.1 0.15 0'
    hinge b hip thigh '0 -0.072 0'
    hinge c trunk hip2 '0.1 -0.15 -0.3'
    hinge d hip2 shank '0 0.225 0.128'
    echo '</robot>'
} >$out/leg.urdf

check "a thigh within its trunk is named with its depth" \
    gives 0 "link 'trunk' and link 'thigh' overlap by 47 mm at the start: they do not collide" $tool $out/leg.urdf
check "so are links that lie farther apart in the tree" \
    gives 0 "link 'thigh' and link 'shank' overlap by 3 mm at the start: they do not collide" $tool $out/leg.urdf
lines() { # N ARGUMENT...: so many pairs that overlap
    gives 0 "" $tool "${@:2}" && [ "$(grep -c 'overlap by' $out/log)" = "$1" ] && return
    cat $out/log
    return 1
}
check "only these" lines 2 $out/leg.urdf
left() { # TEXT ARGUMENT...: shapes that overlap at the start in the model that is written, and how deep
    $tool "${@:2}" --blob $out/left.blob >$out/log 2>&1 &&
        [ "$(build/tactus overlaps $out/left.blob | cut -d' ' -f1-3 | tr '\n' ';')" = "$1" ]
}
check "the kernel does not see them any more" left '' $out/leg.urdf
check "unless they are to collide" left '0 2 0.047;2 4 0.003;' $out/leg.urdf --keep-overlaps
check "which is said" gives 0 "overlap by 47 mm at the start, and collide" $tool $out/leg.urdf --keep-overlaps
check "a neighbour is none" lines 1 $out/leg.urdf --adjacent 2
printf '%s\n' '<robot name="leg"><disable_collisions link1="trunk" link2="thigh"/>' \
    '<disable_collisions link1="thigh" link2="shank"/></robot>' >$out/leg.srdf
check "nor is what an SRDF names" lines 0 $out/leg.urdf --srdf $out/leg.srdf
check "a robot in the floor is named" gives 0 "the floor and link 'thigh' overlap by 150 mm at the start; --z lifts" $tool $out/leg.urdf --ground
check "it meets the floor" left '0 1 0.05;0 2 0.005;0 3 0.15;0 4 0.305;0 5 0.197;' $out/leg.urdf --ground
check "and above it is not" lines 2 $out/leg.urdf --ground --z 1
check "without the host tool it says that nobody has looked" \
    gives 0 "links that overlap are not looked for: $out/none is not there: make tactus" $tool $out/leg.urdf --tactus $out/none
check "nor with a tool that says something else" \
    gives 0 "links that overlap are not looked for: /bin/echo is of another version: make tactus" $tool $out/leg.urdf --tactus /bin/echo
check "the host tool tells depths of shapes" gives 2 "usage: tactus overlaps" build/tactus overlaps

# six boxes in a row fall flat on the floor: there is room for all of their contacts while the trees are eliminated
{
    echo '<robot name="row">'
    for link in 0 1 2 3 4 5; do boxed link$link 0 0 0 '0.1 0.1 0.1'; done
    for link in 1 2 3 4 5; do hinge joint$link link$((link - 1)) link$link '0.2 0 0'; done
    echo '</robot>'
} >$out/row.urdf
check 'a robot that lands flat' stepped row $out/row.urdf --ground --z 0.06
for bits in 32 64; do
    check "$bits: all of its contacts have room" grep -q 'contacts 24, .*, without room for trees 0$' $out/row.$bits
done

# the tip is within its base wherever its joints may be, but not at 0, where the file has it
{
    echo '<robot name="tip">'
    boxed base 0.3 0 0 '0.2 0.2 0.2'
    boxed middle 0 1 0 '0.01 0.01 0.01'
    boxed tip 0 0 0.3 '0.1 0.1 0.1'
    hinge a base middle '0 0 0'
    hinge b middle tip '0 0 0'
    echo '</robot>'
} | sed -e '/name="a"/s,continuous">,revolute"><limit lower="-0.01" upper="0.01" effort="1" velocity="1"/>,' \
    -e '/name="b"/s,continuous">,revolute"><limit lower="1.55" upper="1.6" effort="1" velocity="1"/>,' >$out/tip.urdf
check "links that overlap wherever their joints are do not collide either" \
    gives 0 "mm at least, wherever their joints are: they do not collide" $tool $out/tip.urdf
sed 's/lower="1.55"/lower="0"/' $out/tip.urdf >$out/sometimes.urdf
check "those that overlap somewhere do" lines 0 $out/sometimes.urdf
check "two robots in one call: the same" gives 0 "other: 5 bodies" $tool $out/leg.urdf --name leg $out/leg.urdf --name other

# Motors hold the legs where they are; neither way may energy come from them, which nothing tells to move.
held() { # ARGUMENT...
    $tool $out/leg.urdf --ground --z 0.5 --blob $out/held.blob "$@" >$out/log 2>&1 || return 1
    { echo time,joint,mode,stiffness,damping; printf '0,%s,pd,100,2\n' a b c d; } >$out/held.csv
    build/tactus run --model $out/held.blob --motors $out/held.csv --steps 2000 --csv $out/energy.csv >$out/log 2>&1 || return 1
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; k = at["report/kinetic"]; p = at["report/potential"]; next }
        NR == 3 { first = $k + $p }
        NR > 3 && $k + $p > first + 1e-6 { print "energy rises by " $k + $p - first; exit 1 }' $out/energy.csv
}
check "motors that hold a robot give it no energy" held
check "nor where its overlaps collide" held --keep-overlaps

# ----------------------------------------------------------------------------------------------------------- robots

data=${TACTUS_DATA:-}/urdf
if [ ! -f "$data/README.md" ]; then
    echo "# skipped: no data (TACTUS_DATA)"
    finish
    exit
fi

# FILE: mass, centre, inertia as in the tables of the data's README, to their last digit.
as_known() {
    awk -F'|' -v file="$1" '
        { gsub(/ /, "", $2) }
        $2 == file && NF == 11 { mass = $10 }
        $2 == file && NF == 6 { print mass, $4, $5 }' "$data/README.md" | tr -d , >$out/known
    sed -n 's/^whole //p' "$out/$2" >$out/got
    awk 'NR == FNR { for (i = 1; i <= NF; i++) known[i] = $i; n = NF; next }
        { for (i = 1; i <= n; i++) {
            off = $i - known[i]
            slack = (i == 1 ? 6e-5 : 6e-7) + 2e-7 * known[i < 5 ? 1 : 5] # digits of the table, and a float
            if (off > slack || -off > slack) { print $i " must be " known[i]; bad = 1 }
        } }
        END { exit bad || n != 10 }' $out/known $out/got
}

echo '# | robot | bodies | joints | shapes | hulls | exclusions | contacts | fill | model + state + work, B (float) |'
for file in "$data"/*.urdf; do
    name=$(basename "$file" .urdf)
    keep=
    [ "$name" != z1 ] || keep=--keep-fixed # its table counts the link that is fixed to the world
    # shellcheck disable=SC2086
    check "$name: taken by the kernel and stepped, float and double" stepped "$name" "$file" $keep
    for bits in 32 64; do
        check "$name: mass, centre, inertia of the whole, $bits bits" as_known "$name.urdf" "$name.$bits"
    done
    check "$name: frames are where the file has its links" placed "$name" "$file"
    echo "# | $name $(sed -n 's/^row/|/p' "$out/$name.32") |"
    echo "# $name: $(grep deepest "$out/$name.64")"
    $tool "$file" --skip-missing 2>&1 >/dev/null | sed -n 's/.*: note: \(.* overlap by .*\)/# \1/p'
done
finish
