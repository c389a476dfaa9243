# SPDX-License-Identifier: MIT
"""pairs - bodies that do not collide: those near each other in the tree, and those that an SRDF names.

What is filtered is bodies, so a pair of links takes with it the others that are fixed to them: that is said. The ground
is a neighbour only if a part of the robot with shapes is fixed to it, or if what is joined to it cannot move: else it
is no more than the floor."""
from .document import printable
from .merge import GROUND


class Pairs:
    """An ordered set of pairs a < b."""

    def __init__(self):
        self.known = {}

    def enter(self, a, b):
        """Is it new?"""
        pair = (min(a, b), max(a, b))
        if a == b or pair in self.known:
            return False
        self.known[pair] = True
        return True


def any_shape(robot, names):
    return any(robot.links[name].geometries for name in names)


def joined(robot, tree, groups):
    """Pairs of bodies with a joint between them that keeps them from colliding."""
    solid = any_shape(robot, groups.list[GROUND].links) and not robot.scene
    found = {(GROUND, body): True for body in groups.fixed}  # as an ordered set
    for name in tree.order[1:]:
        joint = tree.above[name]
        a, b = groups.of[joint.parent], groups.of[name]
        fixed = joint.kind == "fixed" and not robot.scene
        if a != b and joint.kind != "floating" and (a != GROUND or solid or fixed):
            found[a, b] = True
    return found


def carried(robot, tree, groups):
    """Pairs of bodies with several joints between them, and bodies that have no shapes."""
    for name in tree.order[1:]:
        parent = tree.above[name].parent
        if robot.links[parent].carries is not None and robot.links[name].carries is None:
            while robot.links[parent].carries is not None:
                parent = tree.above[parent].parent
            if groups.of[parent] != GROUND:
                yield groups.of[parent], groups.of[name]


def near(beside, apart, pairs):
    """Enters pairs of bodies with at most `apart` joints between them; a way does not lead through the ground."""
    joints = {}
    for a, b in beside:
        joints.setdefault(a, []).append(b)
        joints.setdefault(b, []).append(a)
    for start in sorted(joints):
        reached, rim = {start, GROUND}, [start]
        for _ in range(apart if start != GROUND else 0):
            rim = [b for a in rim for b in joints[a] if b not in reached]
            reached.update(rim)
            for b in rim:
                pairs.enter(start, b)


def named(robot, groups, names, pairs, notes):
    """Enters the pairs of an SRDF, and says what they take with them."""
    asked = {frozenset(pair) for pair in names}
    for first, second in names:
        a, b = groups.of[first], groups.of[second]
        if not pairs.enter(a, b):
            continue
        for one in groups.list[a].links:
            for other in groups.list[b].links:
                both = any_shape(robot, [one]) and any_shape(robot, [other])
                if both and frozenset((one, other)) not in asked:
                    notes.say(
                        f"links '{printable(one)}' and '{printable(other)}' do not collide either: "
                        f"they are fixed to '{printable(first)}' and '{printable(second)}'"
                    )


def excluded(robot, groups, beside, beyond, names, apart, notes):
    """beside: pairs with a joint between them, which see to that themselves. beyond: pairs with several. names: pairs of
    links of a file. apart: most joints between bodies that do not collide."""
    pairs = Pairs()
    for a, b in beyond:
        pairs.enter(a, b)
    for a, b in beside:
        pairs.enter(a, b)
        if a == GROUND:
            top = printable(groups.list[b].top)
            notes.say(f"link '{top}' does not touch the ground, which it is joined to, and so no floor")
    near(beside, apart, pairs)
    named(robot, groups, names, pairs, notes)
    return [{"a": a, "b": b} for a, b in pairs.known if (a, b) not in beside]
