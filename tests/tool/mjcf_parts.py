#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mjcf_parts.py - what mjcf2tactus makes of a file, field by field.   python3 tests/tool/mjcf_parts.py [Parts.NAME]

  given   targets/host/convert
  makes   the results of unittest
  bound   a second
  never   compares with MuJoCo: tests/oracle/mjcf.t does"""
import os
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../targets/host"))

from convert import emit_blob, main  # noqa: E402
from convert.complaint import Complaint, Notes  # noqa: E402
from convert.space import rotate  # noqa: E402

with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "mjcf_good.xml"), encoding="utf-8") as file:
    GOOD = file.read()
# (what is wrong, (pattern, replacement) ..., what is said of it)
BAD = [
    ("no mujoco", [("mujoco", "robot")], "the root is <robot>, not <mujoco>"),
    ("a class that is not there", [('childclass="arm"', 'childclass="leg"')], "bad.xml:11: joint 'hinge': class 'leg' is not there"),
    ("a word", [('type="box"', 'type="cube"')], "geom 'box': type='cube' is not one of"),
    ("two orientations", [('name="base"', 'name="base" euler="1 0 0" quat="1 0 0 0"')], "body 'base': quat and euler both say how it is turned"),
    ("no direction", [('axis="0 1 0"', 'axis="0 0 0"')], "joint 'hinge': axis: an axis has no direction"),
    ("numbers", [('size="0.1 0.1 0.1"', 'size="0.1 0.1"')], "size='0.1 0.1': 3 numbers are needed"),
    ("a size of 0", [('size="0.1 0.1 0.1"', 'size="0.1 0 0.1"')], "geom 'box': size 0.1 0 0.1 is not > 0"),
    ("no number", [('kp="20"', 'kp="a"')], "position 'servo': kp: 'a' is not a number"),
    ("a default that is no number", [('friction="0.7"', 'friction="x"')], "bad.xml:3: default, geom: friction: 'x' is not a number"),
    ("one point", [("0 0 0 0 0 0.5", "0 0 0 0 0 0")], "geom 'rod': fromto: both points are one"),
    ("limits exchanged", [('0 1 0" range="-1 1"', '0 1 0" range="1 -1"')], "joint 'hinge': range='1 -1': the first must be less"),
    ("limits without limited", [('angle="radian"', 'autolimits="false"')], "range without limited, and autolimits is false"),
    ("two bodies of one name", [('name="ball"', 'name="arm"')], "body 'arm': second body of this name"),
    ("two joints of one name", [('name="hinge"', 'name="slide"')], "joint 'slide': second joint of this name"),
    ("a free joint beside another", [("<freejoint/>", "<freejoint/><joint/>")], "a free joint stands alone in its body"),
    ("a free joint within", [('<joint name="hinge"[^>]*>', "<freejoint")], "not XML"),
    ("a free joint on a body", [('<joint name="hinge"[^>]*>', "<freejoint/>")], "a free joint is only for a child of the world"),
    ("no mass", [('size="0.1" contype', 'size="0.1" mass="0" contype')], "body 'ball': it moves, and has neither mass nor shapes"),
    ("a joint that is not there", [('joint="hinge"', 'joint="knee"')], "position 'servo': joint 'knee' is not there"),
    ("an exclude", [("<keyframe>", '<contact><exclude body1="arm" body2="leg"/></contact><keyframe>')], "body2 'leg' is not there"),
    ("a pair", [("<keyframe>", '<contact><pair geom1="rod" geom2="leg"/></contact><keyframe>')], "geom2 'leg' is not there"),
    ("a connect", [("<keyframe>", '<equality><connect body1="leg" anchor="0 0 0"/></equality><keyframe>')], "body1 'leg' is not there"),
    ("a mesh", [('size="0.1" contype', 'type="mesh" mesh="top" contype')], "mesh 'top' is not there"),
    ("a file", [('vertex="[^"]*"', 'file="tip.stl"'), ('size="0.1" contype', 'type="mesh" mesh="tip" contype')], "tip.stl': no such file"),
    ("an include", [("<compiler", '<include file="none.xml"/><compiler')], "include: file 'none.xml': no such file"),
    ("an include of itself", [("<compiler", '<include file="bad.xml"/><compiler')], "file 'bad.xml' is included twice"),
    ("an inertia", [("<freejoint/>", '<freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/>')], "breaks the triangle inequality"),
    ("a range of a ball", [('0 1 0" range="-1 1"', '0 1 0" type="ball" range="-1 1"')], "range of a ball joint begins at 0"),
    ("a gear of a ball", [('0 1 0" range="-1 1"', '0 1 0" type="ball"'), ('kv="2"', 'kv="2" gear="0 0 0"')], "gear of a ball joint is a direction"),
    ("a step", [("<compiler", '<option timestep="0"/><compiler')], "timestep is 0 s, must be within 1e-6 .. 1"),
    ("a sequence", [('angle="radian"', 'eulerseq="xyw"')], "eulerseq must be three of"),
]
# (pattern, replacement), and what is listed
MORE = [
    ("<keyframe>", '<sensor><gyro name="g" site="s"/><gyro name="h" site="s"/></sensor><tendon><fixed name="t"/></tendon><keyframe>'),
    ('contype="2"', 'solref="0.01 1" contype="2"'),
    ("</actuator>", '<motor tendon="t"/><muscle joint="hinge"/></actuator>'),
    ("<freejoint/>", '<joint type="free" damping="2"/>'),
    ("</worldbody>", '<body><joint type="ball" armature="1"/><geom size="0.1"/></body></worldbody>'),
    ("<keyframe>", '<equality><joint joint1="hinge" active="false"/></equality><keyframe>'),
    (' qpos="0.2 0.3 1 0 0.5 1 0 0 0"', ""),
]
LISTED = [
    "2  sensor/gyro",
    "1  tendon/fixed",
    "1  geom/@solref",
    "1  actuator/motor of a tendon",
    "1  actuator/muscle",
    "1  joint/@damping of a free joint",
    "1  joint/@armature of a ball joint",
    "1  equality/joint that is not active",
]
FLOOR = '<geom type="plane" size="1 1 1"/>'


def convert_file(text, *arguments):
    """The model and the notes of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path, notes = os.path.join(folder, "bad.xml"), Notes()
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        options = main.arguments([path, "--tactus", "none", *arguments], main.MJCF)
        return main.convert(path, None, options, notes), notes


def convert(text, *arguments):
    return convert_file(f"<mujoco>{text}</mujoco>", *arguments)[0]


def edited(edits):
    text = GOOD
    for pattern, replacement in edits:
        text, count = re.subn(pattern, replacement, text)
        assert count, pattern
    return text


def world(*inside, more=""):
    return f"<worldbody>{''.join(inside)}</worldbody>{more}"


def ball(name, attributes="", joint="<freejoint/>"):
    return f'<body name="{name}">{joint}<geom name="{name}" size="0.1" {attributes}/></body>'


def collide(made, a, b):
    """Do two shapes, by their names, as the kernel has it?"""
    model, names = made.model, made.shape_names
    one, other = (model["shape"][names.index(name)] for name in (a, b))
    pair = tuple(sorted((one["body"], other["body"])))
    apart = {(e["a"], e["b"]) for e in model["exclusion"]}
    apart |= {tuple(sorted((j["body_a"], j["body_b"]))) for j in model["joint"] if not j["collide"]}
    return bool(one["group"] & other["mask"] and other["group"] & one["mask"]) and pair not in apart


class Parts(unittest.TestCase):
    def test_what_is_wrong_is_named(self):
        convert_file(GOOD)
        for name, edits, said in BAD:
            with self.subTest(name), self.assertRaises(Complaint) as refusal:
                convert_file(edited(edits))
            self.assertIn(said, str(refusal.exception))

    def test_what_is_wrong_with_keys_is_named(self):
        for text, key, said in (
            (GOOD, "up", "--keyframe up: there is no such key; there are home"),
            (GOOD.replace('qpos="0.2 ', 'qpos="'), "home", "key 'home': qpos has 8 numbers, of 9 that there are"),
        ):
            self.assertRaisesRegex(Complaint, said, convert_file, text, "--keyframe", key)

    def test_what_is_left_out_is_listed(self):
        lines = convert_file(edited(MORE))[1].lines()
        for line in LISTED:
            self.assertIn(line, [one.strip() for one in lines])

    def test_filters_say_what_touches(self):
        """contype and conaffinity of all combinations of two bits, against MuJoCo's rule."""
        kinds = [(c, a) for c in range(4) for a in range(4) if c or a]
        made = convert(world(*(ball(f"b{c}{a}", f'contype="{c}" conaffinity="{a}"') for c, a in kinds)))
        for c, a in kinds:
            for d, b in kinds:
                if (c, a) < (d, b):
                    self.assertEqual(collide(made, f"b{c}{a}", f"b{d}{b}"), bool(c & b or d & a), (c, a, d, b))

    def test_pairs_touch_whatever_their_filters_say(self):
        none = 'contype="0" conaffinity="0"'
        pair = '<contact><pair geom1="a" geom2="b"/></contact>'
        made = convert(world(ball("a", none), ball("b", none), ball("c"), more=pair))
        self.assertEqual([collide(made, *two) for two in ("ab", "ac", "bc")], [True, False, False])

    def test_nothing_touches_where_contact_is_disabled(self):
        more = '<option><flag contact="disable"/></option><contact><pair geom1="a" geom2="b"/></contact>'
        made = convert(world(FLOOR, ball("a"), ball("b"), more=more))
        self.assertEqual((made.model["shape"], len(made.model["body"])), ([], 3))
        self.assertEqual(len(convert(world(FLOOR, ball("a"), more=more.split("<contact>")[0].replace("dis", "en"))).model["shape"]), 2)

    def test_excludes_and_parents_do_not_touch(self):
        inner = '<body name="b"><joint axis="1 0 0"/><joint axis="0 1 0"/><geom name="b" size="0.1"/>' + ball("c", joint="<joint/>") + "</body>"
        outer = f'<body name="a"><joint/><geom name="a" size="0.1"/>{inner}</body>'
        exclude = '<contact><exclude body1="a" body2="d"/></contact>'
        made = convert(world(FLOOR, outer, ball("d"), more=exclude))
        self.assertEqual(
            [collide(made, *two) for two in ("ab", "bc", "ac", "ad", "bd")], [False, False, True, False, True]
        )
        self.assertTrue(collide(made, "world", "a"))  # a parent that is the world does not count

    def test_the_larger_friction_holds(self):
        made = convert(world(FLOOR, ball("a", 'friction="0.3 1 1"'), ball("b", 'condim="1"')))
        frictions = [made.model["material"][shape["material"]]["friction"] for shape in made.model["shape"]]
        self.assertEqual(frictions, [1.0, 0.3, 0.0])
        self.assertEqual({m["friction_rule"] for m in made.model["material"]}, {"TAC_RULE_MAX"})

    def test_equalities(self):
        two = [f'<body name="{n}" pos="{k} 0 1"><joint name="{n}" axis="0 1 0"/><geom size="0.1"/></body>' for k, n in enumerate("ab")]
        more = (
            '<equality><connect name="c" body1="a" body2="b" anchor="0.5 0 0"/><weld name="w" body1="a" relpose="0 0 1 1 0 0 0"/>'
            '<joint joint1="b" joint2="a" polycoef="0.1 2 0 0 0"/><weld name="off" body1="a" body2="b" active="false"/></equality>'
        )
        made = convert(world(*two, more=more))
        joints = dict(zip(made.joint_names, made.model["joint"]))
        self.assertEqual(made.joint_names, ["a", "b", "c", "w", "off", "b_mimic"])
        self.assertEqual([joint.get("switched") for joint in made.model["joint"]], [None] * 4 + [2, None])
        self.assertEqual(made.capacities["TAC_SWITCHES"], 1)
        loops = 6 + 3 + 6 + 6 + 1  # a contact, a ball, a weld and one that is off, a coupling
        self.assertGreaterEqual(made.capacities["TAC_MAX_REDUCED"], loops)
        self.assertEqual(emit_blob.emit(made)[8:12], b"\3\0\0\0")
        self.assertEqual(joints["c"]["kind"], "TAC_SPHERICAL")
        self.assertEqual((joints["c"]["frame_a"].p, joints["c"]["frame_b"].p), ((0.5, 0.0, 0.0), (-0.5, 0.0, 0.0)))
        self.assertEqual((joints["w"]["kind"], joints["w"]["frame_a"].p), ("TAC_FIXED", (0.0, 0.0, 1.0)))
        coupling = joints["b_mimic"]
        self.assertEqual((coupling["length"], coupling["lower"], coupling["upper"]), (2.0, 0.1, 0.1))

    def test_actuators_become_limits_and_a_table(self):
        arm = '<body><joint name="j" axis="0 1 0"/><geom size="0.1"/></body>'
        kinds = {
            '<motor joint="j" gear="3" ctrlrange="-2 2"/>': (6.0, [0, 0, 3.0, 0, 0]),
            '<position joint="j" gear="2" kp="5" kv="1" forcerange="-1 4"/>': (8.0, [0.5, 0, 0, 20, 4]),
            '<velocity joint="j" kv="3"/>': (float("inf"), [0, 1.0, 0, 0, 3]),
            '<general joint="j" gainprm="7" biastype="affine" biasprm="0 -7 -2"/>': (float("inf"), [1.0, 0, 0, 7, 2]),
            '<position joint="j" kp="10"/><velocity joint="j" kv="2"/>': (float("inf"), [1.0, 0, 0, 10, 2]),
        }
        for text, (effort, row) in kinds.items():
            made = convert(world(arm, more=f"<actuator>{text}</actuator>"))
            self.assertEqual(made.model["joint"][0]["effort"], effort, text)
            rows = list(made.robot.motors.rows([1.0]))
            self.assertEqual([float(x) for x in rows[1].split(",")[3:]], row, text)

    def test_what_acts_on_balls_becomes_joints(self):
        joint = '<joint name="j" type="ball" pos="0 0 0.1" range="0 40" stiffness="3" damping="0.2" frictionloss="0.5"/>'
        motors = (
            '<actuator><motor joint="j" gear="0 0 -2" ctrlrange="-3 3"/><position joint="j" gear="1 2 2" kp="4"/>'
            '<velocity joint="j" gear="-1 -2 -2" kv="0.5" forcerange="-1 1"/></actuator>'
        )
        made = convert(world(f'<body euler="0 0 90">{joint}<geom size="0.1"/></body>', more=motors))
        self.assertEqual(made.joint_names, ["j", "j_spring", "j_limit", "j_x", "j_y", "j_z", "j_4"])
        joints = dict(zip(made.joint_names, made.model["joint"]))
        kinds = ["TAC_SPHERICAL", "TAC_BUSHING", "TAC_ROTATION", *["TAC_TURN"] * 4]
        self.assertEqual([one["kind"] for one in joints.values()], kinds)
        for one in joints.values():
            self.assertEqual((one["frame_a"].p, one["frame_b"].p), ((0.0, 0.0, 0.1),) * 2)
        self.assertEqual((joints["j_spring"]["about"], joints["j_spring"]["about_damping"]), ((3.0,) * 3, (0.2,) * 3))
        self.assertAlmostEqual(joints["j_limit"]["upper"], 40.0 * 3.14159265358979 / 180.0)
        self.assertEqual([joints[f"j_{axis}"]["friction"] for axis in "xyz4"], [0.5, 0.5, 0.5, 0.0])
        self.assertEqual([joints[f"j_{axis}"]["effort"] for axis in "xz4"], [float("inf"), 6.0, float("inf")])
        for turned, along in (("j_x", (1.0, 0.0, 0.0)), ("j_4", (1 / 3, 2 / 3, 2 / 3))):
            z = rotate(joints[turned]["frame_b"].q, (0.0, 0.0, 1.0))
            self.assertLess(max(abs(a - b) for a, b in zip(z, along)), 1e-12)
        rows = [row.split(",") for row in made.robot.motors.rows([1.0, 1.0, 1.0])][1:]
        values = {row[1]: [float(x) for x in row[3:]] for row in rows}
        self.assertEqual(values, {"j_z": [0, 0, -2.0, 0, 0], "j_4": [1 / 3, -1 / 3, 0, 36.0, 4.5]})
        self.assertEqual(made.capacities["TAC_COORDINATES"], 1)

    def test_bodies_between_joints_weigh_next_to_nothing(self):
        made = convert(world('<body name="a"><joint axis="1 0 0"/><joint axis="0 1 0"/><geom size="0.1"/></body>'))
        light, whole = made.model["body"][1:]
        self.assertLess(light["mass"], 1.0001e-9 * whole["mass"])
        self.assertEqual(light["inertial"].p, whole["inertial"].p)
        self.assertEqual(made.body_names, ["ground", "a_1", "a"])

    def test_terrain_lies_where_its_samples_are(self):
        """The first row of `elevation` is the one of the largest y."""
        asset = '<asset><hfield name="h" nrow="2" ncol="3" size="1 2 0.5 0.1" elevation="0 1 2  3 4 10"/></asset>'
        made = convert(asset + world('<geom type="hfield" hfield="h" pos="5 0 0"/>'))
        model = made.model
        field = model["field"][0]
        self.assertEqual(model["height"], [9830, 13107, 32767, 0, 3277, 6553])
        self.assertEqual((field["columns"], field["rows"], field["dx"], field["dy"]), (3, 2, 1.0, 4.0))
        self.assertEqual(model["shape"][0]["pose"].p, (4.0, -2.0, 0.0))
        self.assertAlmostEqual(field["high"], 0.5)


if __name__ == "__main__":
    unittest.main()
