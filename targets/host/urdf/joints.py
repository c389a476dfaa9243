# SPDX-License-Identifier: MIT
"""joints - joints and couplings of a model from those of a robot, as dicts of the fields of tac_joint, tac_coupling."""
from .document import printable
from .merge import GROUND
from .space import IDENTITY, Pose, compose, from_z
from .tree import leader

KIND = {
    "fixed": "TAC_FIXED",
    "revolute": "TAC_REVOLUTE",
    "continuous": "TAC_REVOLUTE",
    "prismatic": "TAC_PRISMATIC",
    "planar": "TAC_PLANAR",
}
FIXED_BASE = "fixed_base"  # the joint between ground and root that no file names
ENDLESS = 1e30  # a limit on one side only has this on the other


def limits(joint):
    """lower > upper: none."""
    if joint.lower is None and joint.upper is None:
        return 1.0, -1.0
    return (
        -ENDLESS if joint.lower is None else joint.lower,
        ENDLESS if joint.upper is None else joint.upper,
    )


def make(kind, body_a, body_b, frame_a, frame_b):
    return {
        "frame_a": frame_a,
        "frame_b": frame_b,
        "length": 0.0,
        "lower": 1.0,
        "upper": -1.0,
        "friction": 0.0,
        "damping": 0.0,
        "armature": 0.0,
        "stiffness": 0.0,
        "rest": 0.0,
        "effort": 0.0,
        "speed": 0.0,
        "body_a": body_a,
        "body_b": body_b,
        "kind": kind,
    }


def of_joint(joint, groups):
    """The axis becomes z of both frames; at coordinate 0 they are one."""
    turned = Pose(IDENTITY.p, from_z(joint.axis) if joint.kind != "fixed" else IDENTITY.q)
    frame_a = compose(compose(groups.at[joint.parent], joint.origin), turned)
    made = make(KIND[joint.kind], groups.of[joint.parent], groups.of[joint.child], frame_a, turned)
    made["lower"], made["upper"] = limits(joint)
    made["friction"], made["damping"] = joint.friction, joint.damping
    made["effort"], made["speed"] = joint.effort or 0.0, joint.speed or 0.0
    return made


def make_joints(tree, groups, base):
    """(joints, names): in the order of their children's bodies; a floating joint is none."""
    joints = [make("TAC_FIXED", GROUND, body, base, IDENTITY) for body in groups.fixed]
    names = [FIXED_BASE for _ in groups.fixed]
    for name in tree.order[1:]:
        joint = tree.above[name]
        if joint.kind in KIND and groups.of[joint.parent] != groups.of[name]:
            joints.append(of_joint(joint, groups))
            names.append(joint.name)
    return joints, names


def make_couplings(robot, names, notes):
    """q_a = ratio q_b + offset for each joint that mimics."""
    couplings = []
    for a, name in enumerate(names):
        joint = robot.joints.get(name)
        if joint is None or joint.mimic is None:
            continue
        first, ratio, offset = leader(robot, joint)
        if ratio == 0.0:
            notes.say(f"joint '{printable(name)}' mimics with multiplier 0: it is held at its offset")
        couplings.append({"ratio": ratio, "offset": offset, "joint_a": a, "joint_b": names.index(first.name)})
    return couplings
