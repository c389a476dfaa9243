# SPDX-License-Identifier: MIT
"""tree - links and joints as one tree: who hangs on whom, where all links are when the joints have given values."""
from .document import printable
from .space import IDENTITY, ZERO, Pose, add, compose, cross, move, rotate, scale, sub, turn


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
        known[joint.name] = ratio * given.get(first.name, first.reference) + offset
    for name, value in known.items():
        joint = robot.joints[name]
        if (joint.lower is not None and value < joint.lower) or (joint.upper is not None and value > joint.upper):
            low, high = (f"{x:g}" if x is not None else "inf" for x in (joint.lower, joint.upper))
            notes.say(f"joint '{printable(name)}' starts at {value:g}, outside of its limits {low} .. {high}")
    return known


def about(anchor, q):
    """A turn about a point."""
    return Pose(sub(anchor, rotate(q, anchor)) if any(anchor) else IDENTITY.p, q)


def motion(joint, value):
    """Of the child in the joint's frame. A ball's value is a quaternion."""
    if joint.kind in ("revolute", "continuous"):
        return about(joint.anchor, turn(joint.axis, value - joint.reference))
    if joint.kind == "prismatic":
        return Pose(scale(value - joint.reference, joint.axis), IDENTITY.q)
    if joint.kind == "ball":
        return about(joint.anchor, value)
    return IDENTITY


def place(tree, base, joint_values):
    """Poses of all links in the world. {name: pose}. The value of a floating joint is the pose itself."""
    poses = {tree.root: base}
    for name in tree.order[1:]:
        joint = tree.above[name]
        value = joint_values.get(joint.name, IDENTITY.q if joint.kind == "ball" else joint.reference)
        if joint.kind == "floating" and joint.name in joint_values:
            poses[name] = value
            continue
        poses[name] = compose(compose(poses[joint.parent], joint.origin), motion(joint, value))
    return poses


def velocity_of(joint, pose, above, above_at, rate):
    """(velocity of the child's origin, angular velocity), both in the world, where its parent has those of `above`."""
    v, w = above
    axis = rotate(pose.q, joint.axis)
    if joint.kind == "floating":
        return rate[0], rotate(pose.q, rate[1])
    if joint.kind == "prismatic":
        return add(add(v, cross(w, sub(pose.p, above_at.p))), scale(rate, axis)), w
    at = move(pose, joint.anchor)
    turned = rotate(pose.q, rate) if joint.kind == "ball" else scale(rate, axis)
    whole = add(w, turned)
    return add(add(v, cross(w, sub(at, above_at.p))), cross(whole, sub(pose.p, at))), whole


STILL = {"ball": ZERO, "floating": (ZERO, ZERO)}  # rates of joints that have more than one


def velocities(tree, poses, rates):
    """Of all links: {name: (velocity of its origin, angular velocity)} in the world. rates: of joints, 0 unless given: of
    a ball its angular velocity along its own axes; of a floating joint velocity, and that."""
    found = {tree.root: (ZERO, ZERO)}
    for name in tree.order[1:]:
        joint = tree.above[name]
        rate = rates.get(joint.name, STILL.get(joint.kind, 0.0))
        found[name] = velocity_of(joint, poses[name], found[joint.parent], poses[joint.parent], rate)
    return found
