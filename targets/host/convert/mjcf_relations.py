# SPDX-License-Identifier: MIT
"""mjcf_relations - <equality> and <contact>: what holds links together or lets them not touch."""
from .document import printable
from .mjcf_bodies import unique
from .robot import WORLD, Closure
from .space import IDENTITY, Pose, compose, conjugate, move, multiply, normal, rotate, sub


def inside(pose, other):
    """The pose `other` of the world, seen from `pose`."""
    back = conjugate(pose.q)
    return Pose(rotate(back, sub(other.p, pose.p)), normal(multiply(back, other.q)))


class Relations:
    """bodies: as read. poses: of all links where all joints are at their references."""

    def __init__(self, robot, file, compiler, bodies, poses, notes):
        self.robot, self.file, self.compiler, self.bodies = robot, file, compiler, bodies
        self.poses, self.notes = poses, notes

    # ----------------------------------------------------------------------------------------------------- equality
    def equality(self):
        readers = {"connect": self.connect, "weld": self.weld, "joint": self.couple}
        for element in self.file.section("equality"):
            if element.tag not in readers:
                continue
            item = self.file.item(element, None, "equality")
            element.asked.add("name")
            if element.tag == "joint" and not item.flag("active", True):
                self.notes.leave_out("equality/joint that is not active")
            else:
                readers[element.tag](item)

    def link(self, item, attribute):
        name = item.text(attribute, WORLD)
        if name not in self.robot.links or self.robot.links[name].carries is not None:
            item.complain(f"{attribute} '{printable(name)}' is not there")
        return name

    def site(self, item, attribute):
        """Link and pose of a site."""
        name = item.text(attribute)
        if name not in self.bodies.sites:
            item.complain(f"{attribute} '{printable(name)}' is not there")
        link, element, frame, childclass = self.bodies.sites[name]
        return link, compose(frame, self.compiler.pose(self.file.item(element, childclass)))

    def close(self, item, kind, links, at):
        name = item.element.attributes.get("name") or f"{item.element.tag}_{links[0]}_{links[1]}"
        off = not item.flag("active", True)
        self.robot.closures.append(Closure(unique(name, self.bodies.joint_names), kind, links, at, off))

    def connect(self, item):
        if item.has("site1"):
            (a, at_a), (b, at_b) = self.site(item, "site1"), self.site(item, "site2")
            self.close(item, "ball", (a, b), (Pose(at_a.p, IDENTITY.q), Pose(at_b.p, IDENTITY.q)))
            return
        a, b = self.link(item, "body1"), self.link(item, "body2")
        at = Pose(item.numbers("anchor", 3, 3), IDENTITY.q)
        there = inside(self.poses[b], Pose(move(self.poses[a], at.p), IDENTITY.q))
        self.close(item, "ball", (a, b), (at, Pose(there.p, IDENTITY.q)))

    def weld(self, item):
        if item.has("site1"):
            (a, at_a), (b, at_b) = self.site(item, "site1"), self.site(item, "site2")
            self.close(item, "fixed", (a, b), (at_a, at_b))
            return
        a, b = self.link(item, "body1"), self.link(item, "body2")
        *p, w, x, y, z = item.numbers("relpose", 7, 7, (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        item.has("anchor")  # rigid: whatever the point
        given = any((w, x, y, z)) and item.has("relpose")
        pose = Pose(tuple(p), normal((w, x, y, z))) if given else inside(self.poses[a], self.poses[b])
        self.close(item, "fixed", (a, b), (pose, IDENTITY))

    def couple(self, item):
        joint, other = self.joint(item, "joint1"), None
        if item.has("joint2"):
            other = self.joint(item, "joint2")
        shift, ratio, *higher = (*item.numbers("polycoef", 1, 5, (0.0, 1.0)), 0.0, 0.0)[:5]
        if any(higher) or joint.mimic is not None:
            self.notes.leave_out("equality/joint with a second, third or fourth power, or a second one of a joint")
            return
        if other is None:
            joint.lower = joint.upper = joint.reference + shift
            return
        joint.mimic = (other.name, ratio, joint.reference + shift - ratio * other.reference)

    def joint(self, item, attribute):
        joint = self.robot.joints.get(item.text(attribute))
        if joint is None or joint.kind not in ("revolute", "prismatic"):
            item.complain(f"{attribute} '{printable(item.text(attribute))}' is no hinge or slide")
        return joint

    # ------------------------------------------------------------------------------------------------------ contact
    def contact(self):
        """Pairs of links that do not touch. A <pair> lets two geoms touch whatever their filters say."""
        pairs, count = [], 0
        for element in self.file.section("contact"):
            item = self.file.item(element)
            element.asked.add("name")
            if element.tag == "exclude":
                pairs.append((self.link(item, "body1"), self.link(item, "body2")))
            elif element.tag == "pair":
                count += 1
                for attribute in ("geom1", "geom2"):
                    name = item.text(attribute)
                    if name not in self.bodies.geoms:
                        item.complain(f"{attribute} '{printable(name)}' is not there")
                    if self.compiler.contact:
                        self.pair(*self.bodies.geoms[name], name, count)
            else:
                element.taken = False
        return [(a, b) for a, b in pairs if a != b]

    def pair(self, link, geom, name, number):
        if geom.shape is None:
            self.bodies.shape(link, geom, name)
        if geom.shape is not None:
            one, other, numbers = geom.shape.filter
            geom.shape.filter = (one, other, (*numbers, number))
