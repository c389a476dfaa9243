# SPDX-License-Identifier: MIT
"""urdf - what a URDF file says: links and joints, each number checked, nothing concluded."""
from .document import plural, printable, read
from .robot import MOST_LINKS, WORLD, Geometry, Joint, Link, Robot
from .space import IDENTITY, Pose, from_rpy, unit

KINDS = ("fixed", "revolute", "continuous", "prismatic", "planar", "floating")


def origin_of(element):
    origin = element.first("origin")
    if origin is None:
        return IDENTITY
    return Pose(origin.numbers("xyz", 3, IDENTITY.p), from_rpy(origin.numbers("rpy", 3, IDENTITY.p)))


# -------------------------------------------------------------------------------------------------------------- links


def lengths(element, attribute, count=1):
    values = element.numbers(attribute, count)
    if min(values) < 0.0:
        element.complain(f"{attribute} is {min(values):g}, must be > 0")
    return values


def read_inertial(link, element, notes):
    link.inertial = origin_of(element)
    mass, inertia = element.first("mass"), element.first("inertia")
    if mass is not None:
        link.mass = mass.number("value")
        if link.mass < 0.0:
            mass.complain(f"mass is {link.mass:g} kg")
    if inertia is not None:
        names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        link.tensor = tuple(inertia.number(name, 0.0 if name in ("ixy", "ixz", "iyz") else None) for name in names)
    if link.mass == 0.0 and any(link.tensor):
        notes.say(f"link '{printable(link.name)}' has an inertia but no mass: it counts as one without mass")


def read_geometry(collision, notes):
    """The first child of <geometry> that is a shape; None if there is none of the known ones, or one of no size."""
    geometry = collision.needed("geometry")
    pose = origin_of(collision)
    for kind in ("box", "cylinder", "capsule", "sphere", "mesh"):
        shape = geometry.first(kind)
        if shape is None:
            continue
        found = Geometry(kind, None, pose, shape, collision.text("name", ""))
        if kind == "mesh":
            found.file, found.scale = shape.text("filename"), shape.numbers("scale", 3, (1.0, 1.0, 1.0))
            return found
        if kind == "box":
            found.size = lengths(shape, "size", 3)
        else:
            found.size = lengths(shape, "radius") + (lengths(shape, "length") if kind != "sphere" else ())
        if kind == "capsule" and found.size[1] == 0.0:
            found.kind, found.size = "sphere", found.size[:1]
        if min(found.size) > 0.0:
            return found
        notes.say(f"{shape.about()}: a {kind} of size 0, left out")
        return None
    if not geometry.children:
        geometry.complain("no shape")
    notes.say(f"{collision.about()}: no shape that is known, left out")
    return None


def read_link(element, notes):
    link = Link(element, element.text("name"))
    inertial = element.first("inertial")
    if inertial is not None:
        read_inertial(link, inertial, notes)
    for collision in element.all("collision"):
        found = read_geometry(collision, notes)
        if found is not None:
            link.geometries.append(found)
    return link


# ------------------------------------------------------------------------------------------------------------- joints


def bound(element, attribute, default):
    """A limit, which may be infinite: then there is none."""
    if element.has(attribute) and element.text(attribute).strip().lower().lstrip("+-") in ("inf", "infinity"):
        return None
    return element.number(attribute, default)


def read_effort_and_speed(joint, limit, notes):
    """-1 is how some files write that there is no limit; where the speed has none in this way, an effort of 0 is none."""
    given = {name: bound(limit, name, None) for name in ("effort", "velocity") if limit.has(name)}
    if given.get("velocity") == -1.0 and given.get("effort") == 0.0:
        given["effort"] = -1.0
    for name, value in given.items():
        if value == -1.0:
            written = printable(limit.text(name).strip())
            notes.say(f"joint '{printable(joint.name)}': {name} {written} is taken as no limit")
            given[name] = None
        elif value is not None and value < 0.0:
            limit.complain(f"{name} is {value:g}, must be >= 0")
    joint.effort, joint.speed = given.get("effort"), given.get("velocity")


def read_limit(joint, element, notes):
    """Effort and speed are needed, lower and upper are 0 unless given, says the format. But a joint that has neither of
    these is not meant to be locked, and one without effort or speed is not meant to be refused."""
    name = printable(joint.name)
    limit = element.first("limit")
    if limit is None:
        if joint.kind != "continuous":
            notes.say(f"joint '{name}' has no <limit>: it moves without end")
        return
    read_effort_and_speed(joint, limit, notes)
    if joint.kind == "continuous":
        return
    if not limit.has("lower") and not limit.has("upper"):
        notes.say(f"joint '{name}' has neither lower nor upper limit: it moves without end")
        return
    joint.lower, joint.upper = bound(limit, "lower", 0.0), bound(limit, "upper", 0.0)
    if joint.lower is not None and joint.upper is not None and joint.lower > joint.upper:
        limit.complain(f"lower limit {joint.lower:g} is above the upper one, {joint.upper:g}")


def read_axis(joint, element):
    axis = element.first("axis")
    if axis is None:
        return
    given = axis.numbers("xyz", 3)
    if not any(given):
        axis.complain("the axis has no direction")
    joint.axis = unit(given)


def read_dynamics(joint, element):
    dynamics = element.first("dynamics")
    if dynamics is None:
        return
    joint.damping, joint.friction = dynamics.number("damping", 0.0), dynamics.number("friction", 0.0)
    for name in ("damping", "friction"):
        if getattr(joint, name) < 0.0:
            dynamics.complain(f"{name} is {getattr(joint, name):g}, must be >= 0")


def read_joint(element, notes):
    joint = Joint(element, element.text("name"), element.text("type"))
    if joint.kind not in KINDS:
        element.complain(f"unknown type '{printable(joint.kind)}', must be one of {', '.join(KINDS)}")
    joint.parent, joint.child = element.needed("parent").text("link"), element.needed("child").text("link")
    joint.origin = origin_of(element)
    if joint.kind in ("revolute", "continuous", "prismatic", "planar"):
        read_axis(joint, element)
    if joint.kind in ("revolute", "continuous", "prismatic"):
        read_limit(joint, element, notes)
        read_dynamics(joint, element)
        mimic = element.first("mimic")
        if mimic is not None:
            joint.mimic = (mimic.text("joint"), mimic.number("multiplier", 1.0), mimic.number("offset", 0.0))
    return joint


def read_robot(path, notes):
    """The links and joints of a file, and a note of all that it says beyond them."""
    root = read(path, "robot")
    robot = Robot(path, root.attributes.get("name", "robot"), "urdf2tactus")
    root.asked.update(("name", "version"))
    for read_one, tag, table in ((read_link, "link", robot.links), (read_joint, "joint", robot.joints)):
        for element in root.all(tag):
            one = read_one(element, notes)
            if not one.name:
                element.complain("its name is empty")
            if one.name in table:
                element.complain(f"second {tag} of this name; the first is in line {table[one.name].element.line}")
            table[one.name] = one
    if not robot.links:
        root.complain("no links")
    for joint in robot.joints.values():
        if joint.parent == WORLD and WORLD not in robot.links:
            robot.links[WORLD] = Link(joint.element, WORLD)
            notes.say(f"link '{WORLD}' is not there: it is the ground")
    if len(robot.links) > MOST_LINKS:
        root.complain(f"{plural(len(robot.links), 'link')}, at most {MOST_LINKS}")
    root.leftovers(notes)
    return robot
