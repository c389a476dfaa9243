#!/bin/bash
# SPDX-License-Identifier: MIT
# rig.t - does a host reach a firmware over each kind of line, and keep up with the wall clock so that a replay is the same?
#   given   the tool (make tactus), clang, python3
#   makes   TAP
#   bound   a kernel by clang -O0; runs of a few tenths of a second
#   never   asks how long anything took
set -eu
cd "$(dirname "$0")/../.."
. tests/tap.sh
out=$PWD/build/tests/rig
rm -rf "$out" && mkdir -p "$out"
tool=build/host/gcc-O2-64/tactus

targets/host/urdf2tactus targets/guide/leg.urdf --blob "$out/leg.blob" --config "$out/leg_config.h" --ground --joint rail=0.45 \
    --joint hip_motor=0.6 --joint knee_motor=-1.2 >"$out/log" 2>&1
clang -std=c99 -O0 -w -Iinclude -Iport -I"$out" -DTAC_REAL_BITS=64 -DTAC_CONFIG_HEADER='"leg_config.h"' targets/firmware/main.c \
    port/link/{server,frame,image,image_model,image_room,method,question,value,wire}.c port/posix/port.c src/tactus.c -o "$out/firmware"
firmware=exec:$out/firmware
hash_of() { sed -n 's/.*hash *\(0x[0-9a-f]*\).*/\1/p; s/.*state \(0x[0-9a-f]*\),.*/\1/p' "$1" | tail -1; }
same_hash() { # FILE FILE
    [ -n "$(hash_of "$1")" ] && [ "$(hash_of "$1")" = "$(hash_of "$2")" ] && return
    cat "$1" "$2"
    return 1
}

# ------------------------------------------------------------------------------------------------------------- endpoints

$tool run "$out/leg.blob" --steps 200 >"$out/own"
reaches() { # KIND: through a bridge between the firmware and that kind of line
    python3 tests/tool/bridge.py "$1" "$out/firmware" $tool link {} model "$out/leg.blob" step 100 step 100 contacts state hash >"$out/$1" 2>&1 &&
        same_hash "$out/own" "$out/$1"
}
for kind in tty tcp unix; do check "$kind: the host's own hash after 200 steps" reaches $kind; done
check 'a serial line is raw, and as fast as asked for' grep -q 'raw, 921600' "$out/tty"
check 'a speed that no line has' gives 1 'Invalid argument' $tool link tty:/dev/null,921601 hello
check 'a device that is no line' gives 1 'Inappropriate ioctl' $tool link tty:/dev/null hello

# ------------------------------------------------------------------------------------------------------------- real time

# Commands that come when they come: after a start, before the end, and one between.
commands() {
    echo joint,mode,position,stiffness,damping
    echo knee_motor,pd,-1.0,60,2
    sleep 0.1
    echo hip_motor,pd,0.2,60,2
    echo knee_motor,pd,-1.5,60,2
    sleep 0.1
    echo hip_motor,off,,,
}
paced() {
    commands | $tool link "$firmware" model "$out/leg.blob" step 1000 hash --realtime --commands - --record "$out/record.csv" >"$out/paced"
}
recorded() { # the rows that were sent, in the order of their times
    grep -q '^commands: 4$' "$out/paced" && grep -q '^real time: 1000 periods of 0.001 s' "$out/paced" &&
        [ "$(cut -d, -f2,3 "$out/record.csv" | tr '\n' ' ')" = 'joint,mode knee_motor,pd hip_motor,pd knee_motor,pd hip_motor,off ' ]
}
replayed() { # ARGUMENT...
    $tool run "$out/leg.blob" --motors "$out/record.csv" --steps 1000 "$@" >"$out/replayed" && same_hash "$out/paced" "$out/replayed"
}
check 'paced, under commands from a pipe' paced
check 'what was told is recorded' recorded
check 'a replay gives the same bits' replayed
check 'and in a firmware too' replayed --link "$firmware"
check 'without the record it does not' eval '$tool run "$out/leg.blob" --steps 1000 >"$out/other" && ! same_hash "$out/paced" "$out/other" >/dev/null'
check 'ten steps a period' gives 0 'real time: 20 periods of 0.01 s' $tool link "$firmware" model "$out/leg.blob" step 195 --realtime --every 10
broken() { printf 'joint,mode\nknee,pd\n' | $tool link "$firmware" model "$out/leg.blob" step 400 --realtime --commands -; }
check 'a command of no joint' eval '! broken 2>"$out/log" && grep -q "is no joint of the model" "$out/log"'
check 'real time without a model' gives 1 'scene or model first' $tool link "$firmware" step 1 --realtime
check 'a record without real time' gives 2 'go with --realtime' $tool link "$firmware" hello --record "$out/x.csv"
# ------------------------------------------------------------------------------------------------------ the node of ROS 2

# The page's node, with stand-ins for rclpy and sensor_msgs: its timer is called twenty times, a command comes after ten.
mkdir -p "$out/ros/rclpy" "$out/ros/sensor_msgs"
awk '/^```python plant_node.py$/ { inside = 1; next } /^```/ { inside = 0 } inside' targets/host/wiring.md >"$out/ros/plant_node.py"
touch "$out/ros/sensor_msgs/__init__.py"
cat >"$out/ros/sensor_msgs/msg.py" <<'PY'
class JointState:
    def __init__(self, name=(), effort=()):
        self.name, self.effort, self.header = name, effort, type("Header", (), {})()
PY
cat >"$out/ros/rclpy/node.py" <<'PY'
class Node:
    def __init__(self, name):
        self.parameters, self.out = {}, []

    def declare_parameter(self, name, value):
        self.parameters[name] = type("Parameter", (), {"value": value})()

    def get_parameter(self, name):
        return self.parameters[name]

    def create_publisher(self, kind, topic, depth):
        return type("Publisher", (), {"publish": lambda this, message: self.out.append(message)})()

    def create_subscription(self, kind, topic, call, depth):
        self.heard = call

    def create_timer(self, period, call):
        self.called = call

    def get_clock(self):
        return type("Clock", (), {"now": lambda this: this, "to_msg": lambda this: 0})()
PY
cat >"$out/ros/rclpy/__init__.py" <<'PY'
from sensor_msgs.msg import JointState


def init():
    pass


def spin(node):
    for i in range(20):
        if i == 10:
            node.heard(JointState(["knee_motor"], [1.5]))
        node.called()
    print(f"hash 0x{node.world.hash():016x}", *node.out[-1].name, *node.out[-1].position)
PY
node() {
    printf 'time,joint,mode,effort\n0.1,knee_motor,effort,1.5\n' >"$out/knee.csv"
    $tool run "$out/leg.blob" --motors "$out/knee.csv" --steps 200 >"$out/knee"
    (cd "$out" && CC=clang CFLAGS=-O0 TACTUS_CACHE=$out/cache PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$OLDPWD/targets/python:ros \
        /usr/bin/python3 ros/plant_node.py) >"$out/node" && grep -q 'rail hip_motor knee_motor 0' "$out/node" && same_hash "$out/knee" "$out/node"
}
if /usr/bin/python3 -c 'import numpy, pycparser' 2>/dev/null; then
    check 'the node of ROS 2, by stand-ins: the same bits' node
else
    check 'the node of ROS 2 # SKIP no numpy or pycparser: make tools-python' true
fi
finish
