# SPDX-License-Identifier: MIT
"""tree - links and joints as one tree: who hangs on whom, where all links are when the joints have given values."""
from .document import printable
from .space import IDENTITY, Pose, compose, scale, turn


class Tree:
    """links in preorder, parents first; of each link but the root the joint that it hangs on."""

    def __init__(self, robot):
        self.robot, self.above = robot, {}
        below = {name: [] for name in robot.links}
        for joint in robot.joints.values():
            for end, name in (("parent", joint.parent), ("child", joint.child)):
                if name not in robot.links:
                    joint.element.complain(f"its {end} link '{printable(name)}' is not there")
            if joint.child in self.above:
                other = printable(self.above[joint.child].name)
                joint.element.complain(f"link '{printable(joint.child)}' is already the child of joint '{other}'")
            self.above[joint.child] = joint
            below[joint.parent].append(joint.child)
        self.root = self.find_root()
        self.order, waiting = [], [self.root]
        while waiting:
            name = waiting.pop()
            self.order.append(name)
            waiting += reversed(below[name])
        self.refuse_loops()

    def find_root(self):
        links = self.robot.links
        roots = [name for name in links if name not in self.above]
        if not roots:
            name = next(iter(links))
            links[name].element.complain("the joints close a loop: no link is without a parent")
        if len(roots) > 1:
            first = printable(roots[0])
            links[roots[1]].element.complain(f"second root: like '{first}' it is no joint's child")
        return roots[0]

    def refuse_loops(self):
        reached = set(self.order)
        for name, joint in self.above.items():
            if name not in reached:
                joint.element.complain(f"the joints close a loop through link '{printable(name)}'")


# --------------------------------------------------------------------------------------------------------- coordinates


def leader(robot, joint):
    """The joint that moves this one, with ratio and offset: a chain of mimics is followed to its end, or to one whose
    leader is known."""
    path, at = [], joint
    while at.mimic is not None and at.name not in robot.leaders:
        if len(path) == len(robot.joints):
            joint.element.complain("mimics itself")
        path.append(at)
        name, element = at.mimic[0], at.element
        if name not in robot.joints:
            element.complain(f"mimics joint '{printable(name)}', which is not there")
        at = robot.joints[name]
        if at.kind not in ("revolute", "continuous", "prismatic"):
            element.complain(f"mimics joint '{printable(name)}', which is {at.kind}")
    first, ratio, offset = robot.leaders.get(at.name, (at, 1.0, 0.0))
    for follower in reversed(path):
        _, multiplier, constant = follower.mimic
        ratio, offset = multiplier * ratio, constant + multiplier * offset
        robot.leaders[follower.name] = first, ratio, offset
    return first, ratio, offset


def values(robot, given, notes):
    """Of every joint with one coordinate: as given, else 0; what mimics follows. {name: radians or metres}"""
    known = {}
    for joint in robot.joints.values():
        if joint.kind not in ("revolute", "continuous", "prismatic"):
            continue
        first, ratio, offset = leader(robot, joint)
        known[joint.name] = ratio * given.get(first.name, 0.0) + offset
    for name, value in known.items():
        joint = robot.joints[name]
        if (joint.lower is not None and value < joint.lower) or (joint.upper is not None and value > joint.upper):
            low, high = (f"{x:g}" if x is not None else "inf" for x in (joint.lower, joint.upper))
            notes.say(f"joint '{printable(name)}' starts at {value:g}, outside of its limits {low} .. {high}")
    return known


def motion(joint, value):
    """Of the child in the joint's frame."""
    if joint.kind in ("revolute", "continuous"):
        return Pose(IDENTITY.p, turn(joint.axis, value))
    if joint.kind == "prismatic":
        return Pose(scale(value, joint.axis), IDENTITY.q)
    return IDENTITY


def place(tree, base, joint_values):
    """Poses of all links in the world. {name: pose}"""
    poses = {tree.root: base}
    for name in tree.order[1:]:
        joint = tree.above[name]
        at_zero = compose(poses[joint.parent], joint.origin)
        poses[name] = compose(at_zero, motion(joint, joint_values.get(joint.name, 0.0)))
    return poses
