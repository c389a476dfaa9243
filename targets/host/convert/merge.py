# SPDX-License-Identifier: MIT
"""merge - links that cannot move against each other become one group; a group is one body, or part of the ground."""
from .document import printable
from .inertia import fault, principal, together, turned
from .robot import WORLD
from .space import IDENTITY, compose, move

GROUND = 0
CARRIER = 1e-9  # of the mass and the inertia of a body, what the bodies between its joints have


class Group:
    """top: its first link, whose frame is the group's. parts: (mass, centre, tensor) of links, in that frame, by their
    names. doubts: (link, what no mass distribution has) of those links whose own inertia is wrong."""

    def __init__(self, top):
        self.top, self.links, self.parts, self.doubts = top, [], {}, []
        self.mass, self.centre, self.moments, self.turn = 0.0, None, None, None

    def together(self):
        """Puts its parts together. Returns what no mass distribution has, None if all is well."""
        self.mass, self.centre, tensor = together(list(self.parts.values()))
        self.moments, self.turn = principal(tensor)
        return fault(self.moments)


class Groups:
    """list: the ground's is first, even if empty. of: {link: index of its group}. at: {link: pose in its group}"""

    def __init__(self):
        self.list, self.of, self.at, self.fixed = [Group(None)], {}, {}, []


def has_mass(links, names):
    return any(links[name].mass > 0.0 for name in names)


def stays(joint, links, group, keep_fixed):
    """Does the child of this joint become part of its parent's group? If fixed joints are kept, only where one of the
    two would have no mass."""
    if joint.kind != "fixed":
        return False
    if not keep_fixed or links[joint.child].mass == 0.0 and links[joint.child].carries is None:
        return True
    return group.top is not None and not group.parts


def add_part(group, link, pose):
    """The link's mass. An inertia of zeros is a point mass, which is good as long as the whole body is none."""
    group.links.append(link.name)
    if link.mass == 0.0:
        return
    what = fault(principal(link.tensor)[0]) if any(link.tensor) else None
    if what:
        group.doubts.append((link, what))
    at = compose(pose, link.inertial)
    group.parts[link.name] = (link.mass, at.p, turned(link.tensor, at.q))


class Scales:
    """What the shapes of a link weigh. solids: those of a geometry in its own frame, for a density of 1: shapes.py."""

    def __init__(self, links, groups, solids, density):
        self.links, self.groups, self.solids, self.density = links, groups, solids, density

    def solid(self, name):
        """All shapes of a link together, for a density of 1, in the frame of its group. None if there is none."""
        parts = []
        for geometry in self.links[name].geometries:
            found = self.solids(geometry)
            if found is not None:
                volume, centre, tensor = found
                pose = compose(self.groups.at[name], geometry.pose)
                parts.append((volume, move(pose, centre), turned(tensor, pose.q)))
        return together(parts) if parts else None

    def give_mass(self, group, top, notes):
        """A body without mass has that of its shapes."""
        for name in group.links:
            solid = self.solid(name)
            if solid is None or self.density is None:
                continue
            volume, centre, tensor = solid
            group.parts[name] = (self.density * volume, centre, tuple(self.density * x for x in tensor))
            mass = f"{self.density * volume:.6g} kg"
            notes.say(f"link '{printable(name)}' has no mass: {mass} by its shapes, --density {self.density:g}")
        if not group.parts:
            found = " that are found" if any(self.links[name].geometries for name in group.links) else ""
            way = "give it an <inertial>, or a <collision> and --density"
            if self.density is None:
                found, way = " that weigh anything", "give it an <inertial>, or a geom with a mass or a density"
            top.element.complain(f"it moves, and has neither mass nor shapes{found}: {way}")

    def give_inertia(self, group, notes):
        """Links of a body that have a mass but no inertia have that of their shapes. Is there any?"""
        any_given = False
        for name, (mass, centre, tensor) in group.parts.items():
            solid = None if any(tensor) else self.solid(name)
            if solid is not None:
                group.parts[name] = (mass, centre, tuple(mass / solid[0] * x for x in solid[2]))
                notes.say(f"link '{printable(name)}' has a mass but no inertia: it has that of its shapes")
                any_given = True
        return any_given


def weigh(group, top, scales, balance, notes):
    """Mass, centre and principal axes of a body. Only the whole body must have an inertia that some mass distribution
    has: files often give a small part that is fixed to a heavy one rough numbers."""
    if not group.parts:
        scales.give_mass(group, top, notes)
    what = group.together()
    if what and scales.give_inertia(group, notes):
        what = group.together()
    if not what:
        for link, doubt in group.doubts:
            notes.say(f"link '{printable(link.name)}': {doubt}; that of the body it is part of is good")
        return
    mean = sum(group.moments) / 3.0
    if not (balance and mean > 0.0):
        link, what = group.doubts[0] if group.doubts else (top, what)
        if not any(group.moments):
            what = "it moves, and has neither inertia nor shapes: give it an <inertia>, or a <collision>"
        link.element.complain(f"{what}: --balance-inertia takes their mean" if mean > 0.0 else what)
    notes.say(f"body of link '{printable(top.name)}': {what}; their mean is taken, {mean:.9g}")
    group.moments = (mean, mean, mean)


def carry(groups, links):
    """Bodies between the joints of a body have a small part of it, about the same centre: it is behind all of them."""
    for group in reversed(groups.list[1:]):
        name = links[group.top].carries
        if name is not None:
            body = groups.list[groups.of[name]]
            group.mass, group.centre, group.turn = CARRIER * body.mass, body.centre, body.turn
            group.moments = tuple(CARRIER * max(body.moments) for _ in range(3))


def root_is_ground(tree, fixed_base, notes):
    """Is the root fixed: asked for, or named world and massless, or massless with nothing massive fixed to it?"""
    links, name = tree.robot.links, printable(tree.root)
    rigid = {tree.root}
    for link in tree.order[1:]:
        if tree.above[link].kind == "fixed" and tree.above[link].parent in rigid:
            rigid.add(link)
    if fixed_base or (tree.root == WORLD and links[tree.root].mass == 0.0):
        return True
    if has_mass(links, rigid):
        return False
    notes.say(f"root link '{name}' has no mass: it is part of the ground")
    return True


def merge(tree, options, base, solids, notes):
    links, groups = tree.robot.links, Groups()
    grounded = root_is_ground(tree, options.fixed_base, notes)
    for name in tree.order:
        joint, link = tree.above.get(name), links[name]
        if joint is None:
            # a base that has a mass and keeps its joint is held by one that the file does not name
            ground = grounded and not (options.keep_fixed and link.mass > 0.0)
            index, pose = (GROUND, base) if ground else (1, IDENTITY)
            if not ground:
                groups.list.append(Group(name))
            if grounded and not ground:
                groups.fixed.append(1)
        elif stays(joint, links, groups.list[groups.of[joint.parent]], options.keep_fixed):
            index = groups.of[joint.parent]
            pose = compose(groups.at[joint.parent], joint.origin)
        else:
            index, pose = len(groups.list), IDENTITY
            groups.list.append(Group(name))
        groups.of[name], groups.at[name] = index, pose
        add_part(groups.list[index], link, pose)
    scales = Scales(links, groups, solids, options.density)
    for group in groups.list[1:]:
        if links[group.top].carries is None:
            weigh(group, links[group.top], scales, options.balance_inertia, notes)
    carry(groups, links)
    lost = sum(part[0] for part in groups.list[GROUND].parts.values())
    if lost > 0.0:
        notes.say(f"{lost:g} kg of the robot are part of the ground, which has no mass of its own")
    for group in groups.list[1:]:
        for name, (_, _, tensor) in group.parts.items():
            if not any(tensor):
                notes.say(f"link '{printable(name)}' has a mass but no inertia: it counts as a point of its body")
    return groups
