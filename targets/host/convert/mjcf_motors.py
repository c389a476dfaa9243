# SPDX-License-Identifier: MIT
"""mjcf_motors - <actuator>: the limits of motors, which a model has, and what they are asked for, which is a table beside
it: at coordinate q all actuators of a joint together have the effort

    effort + stiffness (position - q) + damping (velocity - dq/dt)"""
from .document import printable
from .joints import turn_name
from .mjcf_bodies import bounds
from .mjcf_file import ACTUATORS
from .space import norm

KINDS = ("motor", "position", "velocity", "general")
COLUMNS = ("position", "velocity", "effort", "stiffness", "damping")
ELSEWHERE = ("tendon", "site", "body", "cranksite", "slidersite")


class Actuator:
    """force = gain ctrl - along length - damping rate, with length = gear q. limits: of its control and of its force.
    direction: of a ball joint's, which q is along; else None."""

    def __init__(self, joint, direction, gear, terms, control, force):
        self.joint, self.direction = joint, direction
        self.gear, self.control, self.force = gear, control, force
        self.gain, self.along, self.damping = terms

    def most(self):
        """Effort at the most, in either direction; None if there is no limit."""
        if self.force is not None:
            return abs(self.gear) * max(abs(x) for x in self.force)
        if self.control is not None and self.along == self.damping == 0.0:
            return abs(self.gear * self.gain) * max(abs(x) for x in self.control)
        return None


def terms_of(item):
    """(gain, along, damping), or None if it is something else."""
    tag = item.element.tag
    if tag == "motor":
        return 1.0, 0.0, 0.0
    if tag == "position":
        kp, kv = item.number("kp", 1.0), item.number("kv", 0.0)
        return None if item.has("dampratio") else (kp, kp, kv)
    if tag == "velocity":
        kv = item.number("kv", 1.0)
        return kv, 0.0, kv
    gain, bias = item.numbers("gainprm", 1, 10, (1.0,)), item.numbers("biasprm", 1, 10, (0.0, 0.0, 0.0))
    bias = (*bias, 0.0, 0.0)[:3] if item.text("biastype", "none") == "affine" else (0.0, 0.0, 0.0)
    known = item.text("gaintype", "fixed") == "fixed" and item.text("biastype", "none") in ("none", "affine")
    servo = bias[0] == 0.0 and bias[1] <= 0.0 and bias[2] <= 0.0
    return (gain[0], -bias[1], -bias[2]) if known and servo and item.text("dyntype", "none") == "none" else None


class Motors:
    """by_joint: {(joint, direction): its actuators}. controls: of MuJoCo, in its order; None where an actuator is left out."""

    def __init__(self, robot, file, compiler, notes):
        self.robot, self.file, self.compiler, self.notes = robot, file, compiler, notes
        self.by_joint, self.all = {}, []

    def read(self):
        for element in self.file.section("actuator"):
            if element.tag not in ACTUATORS:
                continue
            item = self.file.item(element, None, "actuator")
            element.asked.add("name")
            found = self.actuator(item)
            self.all.append(found)
            if found is not None:
                self.by_joint.setdefault((found.joint, found.direction), []).append(found)
        for (joint, direction), found in self.by_joint.items():
            self.limit(joint, direction, found)

    def actuator(self, item):
        tag = item.element.tag
        name = item.text("joint", item.text("jointinparent", ""))
        joint = self.robot.joints.get(name)
        if tag not in KINDS or any(item.has(attribute) for attribute in ELSEWHERE):
            return self.leave_out(item, f"actuator/{tag}" + next((f" of a {a}" for a in ELSEWHERE if item.has(a)), ""))
        if joint is None:
            item.complain(f"joint '{printable(name)}' is not there")
        terms, gear = terms_of(item), item.numbers("gear", 1, 6, (1.0,))
        if terms is None:
            return self.leave_out(item, f"actuator/{tag} that is no motor, position or velocity servo")
        if joint.kind not in ("revolute", "prismatic", "ball"):
            return self.leave_out(item, f"actuator/{tag} of a free joint")
        size, direction = gear[0], None
        if joint.kind == "ball":
            size, direction = self.along(item, gear)
        control = bounds(item, "ctrllimited", "ctrlrange", self.compiler)
        return Actuator(joint, direction, size, terms, control, bounds(item, "forcelimited", "forcerange", self.compiler))

    def along(self, item, gear):
        """Length and direction of the gear of a ball joint's actuator. Both ends of an axis are one direction."""
        given = (*gear, 0.0, 0.0)[:3]
        size = norm(given)
        if size == 0.0:
            item.complain("gear of a ball joint is a direction, not 0")
        if next(x for x in given if x) < 0.0:
            size = -size
        return size, tuple(x / size + 0.0 for x in given)

    def leave_out(self, item, what):
        self.notes.leave_out(what)
        item.element.asked.update(item.element.attributes)

    def limit(self, joint, direction, found):
        """Effort at the most: that of all actuators together, and that of the joint."""
        most = [one.most() for one in found]
        whole = None if None in most else sum(most)
        if direction is not None:
            joint.turns[direction] = whole
        elif whole is not None:
            joint.effort = whole if joint.effort is None else min(joint.effort, whole)

    def rows(self, controls):
        """What motors are asked for: lines of `tactus run --motors`. controls: of a keyframe, or none."""
        yield ",".join(("time", "joint", "mode", *COLUMNS))
        asked = dict(zip((id(one) for one in self.all if one is not None), self.controls(controls)))
        for (joint, direction), found in self.by_joint.items():
            name = joint.name if direction is None else turn_name(joint, direction)
            effort = stiffness = damping = pull = push = 0.0
            for one in found:
                control = one.gear * one.gain * asked[id(one)]
                stiffness += one.along * one.gear**2
                damping += one.damping * one.gear**2
                pull += control if one.along else 0.0
                push += control if one.damping and not one.along else 0.0
                effort += control if not one.along and not one.damping else 0.0
            position, velocity = pull / stiffness if stiffness else 0.0, push / damping if damping else 0.0
            yield ",".join(["0", name, "pd", *(repr(x) for x in (position, velocity, effort, stiffness, damping))])

    def controls(self, given):
        """Of the actuators that are not left out, within their ranges."""
        for k, one in enumerate(self.all):
            if one is None:
                continue
            value = given[k] if k < len(given) else 0.0
            low, high = one.control or (value, value)
            yield min(max(value, low), high)
