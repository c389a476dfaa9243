# SPDX-License-Identifier: MIT
"""joints - the joints of a model from those of a robot, as dicts of the fields of tac_joint."""
import math

from .document import printable
from .merge import GROUND
from .space import IDENTITY, Pose, add, compose, from_z, multiply, rotate, turn
from .tree import leader

KIND = {
    "fixed": "TAC_FIXED",
    "revolute": "TAC_REVOLUTE",
    "continuous": "TAC_REVOLUTE",
    "prismatic": "TAC_PRISMATIC",
    "planar": "TAC_PLANAR",
    "ball": "TAC_SPHERICAL",
}
OFF = 2  # TAC_JOINT_OFF
FIXED_BASE = "fixed_base"  # the joint between ground and root that no file names
ENDLESS = 1e30  # a limit on one side only has this on the other
TURNING = ("revolute", "continuous")
COUPLED = TURNING + ("prismatic",)
ZERO = (0.0, 0.0, 0.0)


def limits(joint):
    """lower > upper: none."""
    if joint.lower is None and joint.upper is None:
        return 1.0, -1.0
    return (
        -ENDLESS if joint.lower is None else joint.lower,
        ENDLESS if joint.upper is None else joint.upper,
    )


def make(kind, body_a, body_b, frame_a, frame_b):
    """As tac_joint_init() makes one."""
    return {
        "frame_a": frame_a,
        "frame_b": frame_b,
        "length": 1.0,
        "lower": 1.0,
        "upper": -1.0,
        "friction": 0.0,
        "damping": 0.0,
        "stiffness": 0.0,
        "rest": 0.0,
        "armature": 0.0,
        "effort": math.inf,
        "speed": math.inf,
        "stop_stiffness": 0.0,
        "stop_damping": 0.0,
        "along": ZERO,
        "about": ZERO,
        "along_damping": ZERO,
        "about_damping": ZERO,
        "body_a": body_a,
        "body_b": body_b,
        "kind": kind,
        "collide": 0,
    }


def back(frame, joint):
    """The frame from which the coordinate is counted, of the one where it is the joint's reference."""
    if joint.kind == "prismatic":
        return Pose(add(frame.p, rotate(frame.q, (0.0, 0.0, -joint.reference))), frame.q)
    return Pose(frame.p, multiply(frame.q, turn((0.0, 0.0, 1.0), -joint.reference)))


def of_joint(joint, groups):
    """The axis becomes z of both frames; at coordinate 0 they are one."""
    turned = Pose(joint.anchor, from_z(joint.axis) if joint.kind != "fixed" else IDENTITY.q)
    frame_a = compose(compose(groups.at[joint.parent], joint.origin), turned)
    if joint.reference != 0.0:
        frame_a = back(frame_a, joint)
    made = make(KIND[joint.kind], groups.of[joint.parent], groups.of[joint.child], frame_a, turned)
    if joint.kind not in COUPLED:  # it has no coordinate that these would be of
        return made
    made["lower"], made["upper"] = limits(joint)
    made["friction"], made["damping"], made["armature"] = joint.friction, joint.damping, joint.armature
    made["stiffness"], made["rest"] = joint.stiffness, joint.rest
    if joint.effort is not None:
        made["effort"] = joint.effort
    if joint.speed:
        made["speed"] = joint.speed
    return made


AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def turn_name(joint, direction):
    """Of the coordinate of a ball joint along a direction."""
    known = [axis for axis, along in AXES.items() if along == direction]
    return f"{joint.name}_{known[0] if known else list(joint.turns).index(direction) + 1}"


def of_ball(joint, groups):
    """What acts on a ball joint, as joints of their own: {name: joint}. Spring and damper are those of the rotation
    vector and of the angular velocity, whatever the axis; the limit is of the angle."""
    found = {}

    def measure(name, kind, q, **fields):
        at = Pose(joint.anchor, q)
        frame_a = compose(compose(groups.at[joint.parent], joint.origin), at)
        found[name] = make(kind, groups.of[joint.parent], groups.of[joint.child], frame_a, at)
        found[name].update(fields)

    if joint.stiffness > 0.0 or joint.damping > 0.0:
        about, damping = (joint.stiffness,) * 3, (joint.damping,) * 3
        measure(f"{joint.name}_spring", "TAC_BUSHING", IDENTITY.q, about=about, about_damping=damping)
    if joint.upper is not None:
        measure(f"{joint.name}_limit", "TAC_ROTATION", IDENTITY.q, lower=0.0, upper=joint.upper)
    for direction, effort in joint.turns.items():
        friction = joint.friction if direction in AXES.values() else 0.0
        most = math.inf if effort is None else effort
        measure(turn_name(joint, direction), "TAC_TURN", from_z(direction), friction=friction, effort=most)
    return found


def couplings(robot, joints, names):
    """Each joint that mimics another one is coupled to it: (joints, names). One that mimics nothing of it is held."""
    made, made_names = [], []
    index = {name: k for k, name in enumerate(names)}
    for name in names:
        joint = robot.joints.get(name)
        if joint is None or joint.mimic is None or joint.kind not in COUPLED:
            continue
        first, ratio, offset = leader(robot, joint)
        if ratio == 0.0:
            joints[index[name]].update(lower=offset, upper=offset)
            continue
        made.append(make("TAC_COUPLING", index[first.name], index[name], IDENTITY, IDENTITY))
        made[-1].update(length=ratio, lower=offset, upper=offset)
        made_names.append(f"{name}_mimic")
    return made, made_names


def closures(robot, groups):
    """What closes loops: (joints, names). What is held together anyway needs none."""
    made, names = [], []
    for closure in robot.closures:
        (a, b), frames = (groups.of[link] for link in closure.links), []
        if a == b:
            continue
        for link, at in zip(closure.links, closure.at):
            frames.append(compose(groups.at[link], at))
        made.append(make(KIND[closure.kind], a, b, *frames))
        if closure.off:
            made[-1].update(switched=OFF, break_force=math.inf, break_torque=math.inf)
        names.append(closure.name)
    return made, names


def make_joints(tree, groups, base):
    """(joints, names): in the order of their children's bodies, so that each finds its body a placed by an earlier one;
    then what closes loops, acts on ball joints, and couples. A floating joint is none."""
    joints = [make("TAC_FIXED", GROUND, body, base, IDENTITY) for body in groups.fixed]
    names = [FIXED_BASE for _ in groups.fixed]
    for name in tree.order[1:]:
        joint = tree.above[name]
        if joint.kind in KIND and groups.of[joint.parent] != groups.of[name]:
            joints.append(of_joint(joint, groups))
            names.append(joint.name)
    loops, loop_names = closures(tree.robot, groups)
    for name in tree.order[1:]:
        joint = tree.above[name]
        if joint.kind == "ball":
            acting = of_ball(joint, groups)
            loops += acting.values()
            loop_names += acting
    more, more_names = couplings(tree.robot, joints, names)
    return joints + loops + more, names + loop_names + more_names


def remark(robot, names, notes):
    """What a joint says that the kernel does not do, or that may not be meant."""
    joints = [robot.joints[name] for name in names if name in robot.joints]
    for joint in joints:
        name = printable(joint.name)
        lower, upper = limits(joint)
        if joint.kind in TURNING and upper - lower > 2.0 * math.pi:
            notes.say(
                f"joint '{name}' has limits {lower:g} .. {upper:g}: they are never met, "
                "since a turning joint's coordinate is within half a turn of their middle"
            )
        if joint.effort == 0.0:
            notes.say(f"joint '{name}' has an effort limit of 0: a motor does nothing there")
        if joint.speed == 0.0:
            notes.say(f"joint '{name}' has a velocity limit of 0: taken as none")
        if joint.mimic is not None and joint.kind not in COUPLED:
            notes.say(f"joint '{name}' is {joint.kind}: what it mimics is left out")
