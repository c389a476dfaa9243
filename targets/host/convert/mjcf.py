# SPDX-License-Identifier: MIT
"""mjcf - what an MJCF file says: a robot, or a scene of several things."""
from .complaint import Complaint
from .document import printable
from .mjcf_assets import Assets
from .mjcf_bodies import Bodies
from .mjcf_file import File, Item
from .mjcf_motors import Motors
from .mjcf_pose import Compiler
from .mjcf_relations import Relations
from .robot import Robot
from .space import IDENTITY, Pose, normal
from .tree import Tree, place

COUNTS = {"floating": (7, 6), "ball": (4, 3)}  # numbers of qpos and of qvel; of others one


class Key:
    """The numbers of a keyframe."""

    def __init__(self, element):
        self.element, self.name = element, element.text("name", "")

    def numbers(self, attribute):
        words = self.element.text(attribute, "").split()
        return [self.element.parse(attribute, word) for word in words]


def take(values, order, which, key, what):
    """(joint, its numbers) in turn."""
    count = sum(COUNTS.get(joint.kind, (1, 1))[which] for joint in order)
    if len(values) != count:
        key.element.complain(f"{what} has {len(values)} numbers, of {count} that there are")
    at = 0
    for joint in order:
        size = COUNTS.get(joint.kind, (1, 1))[which]
        yield joint, values[at : at + size]
        at += size


def quaternion(key, q):
    return normal(q) if any(q) else key.element.complain("qpos has a quaternion of zeros")


def enter_state(robot, order, key):
    """Values and rates of joints at the start."""
    if key.element.has("qpos"):
        for joint, x in take(key.numbers("qpos"), order, 0, key, "qpos"):
            if joint.kind == "floating":
                robot.start[joint.name] = Pose(tuple(x[:3]), quaternion(key, x[3:]))
            else:
                robot.start[joint.name] = quaternion(key, x) if joint.kind == "ball" else x[0]
    if key.element.has("qvel"):
        for joint, x in take(key.numbers("qvel"), order, 1, key, "qvel"):
            rate = (tuple(x[:3]), tuple(x[3:])) if joint.kind == "floating" else tuple(x)
            robot.rates[joint.name] = rate if joint.kind in COUNTS else x[0]


def find_key(file, name, path):
    """The keyframe of that name, or of that number; None if none is asked for."""
    keys = [Key(element) for element in file.section("keyframe") if element.tag == "key"]
    for key in keys:
        key.element.taken = True
        key.element.asked.update(("qpos", "qvel", "ctrl", "time"))
    if name is None:
        return None
    found = [key for k, key in enumerate(keys) if name in (key.name, str(k))]
    if not found:
        names = ", ".join(printable(key.name) or str(k) for k, key in enumerate(keys)) or "none"
        raise Complaint(f"{path}: --keyframe {printable(name)}: there is no such key; there are {names}")
    return found[0]


def last_of(file, tag):
    """All sections of that name as one: what a later one says holds."""
    elements = file.root.all(tag)
    return Item(elements[-1], elements[-2::-1]) if elements else Item(file.root)


def read_option(robot, file):
    """Do things touch?"""
    item = last_of(file, "option")
    robot.h, robot.gravity = item.number("timestep", 0.002), item.numbers("gravity", 3, 3, (0.0, 0.0, -9.81))
    if not 1e-6 <= robot.h <= 1.0:
        item.complain(f"timestep is {robot.h:g} s, must be within 1e-6 .. 1")
    contact = True
    for section in item.layers:
        for flag in section.all("flag"):
            gravity, touch = (Item(flag).word(name, ("enable", "disable"), "enable") for name in ("gravity", "contact"))
            contact = contact and touch == "enable"
            if gravity == "disable":
                robot.gravity = (0.0, 0.0, 0.0)
    return contact


def scale_mass(robot, total):
    mass = sum(link.mass for link in robot.links.values())
    if total <= 0.0 or mass == 0.0:
        return
    for link in robot.links.values():
        link.mass *= total / mass
        link.tensor = tuple(total / mass * x for x in link.tensor)


def read_mjcf(path, options, notes):
    """(robot, pairs of links that do not touch)"""
    file = File(path)
    robot = Robot(path, file.root.attributes.get("model", "scene"), "mjcf2tactus")
    file.root.asked.add("model")
    robot.scene = True
    contact = read_option(robot, file)
    compiler = Compiler(last_of(file, "compiler"), contact)
    bodies = Bodies(robot, file, compiler, Assets(file, compiler, options, notes), notes)
    bodies.read()
    scale_mass(robot, compiler.total_mass)
    poses = place(Tree(robot), IDENTITY, {})
    relations = Relations(robot, file, compiler, bodies, poses, notes)
    relations.equality()
    pairs = relations.contact()
    robot.motors = Motors(robot, file, compiler, notes)
    robot.motors.read()
    key = find_key(file, options.keyframe, path)
    robot.controls = key.numbers("ctrl") if key is not None else []
    if key is not None:
        enter_state(robot, bodies.order, key)
    robot.order = bodies.order
    for child in file.root.children:
        child.taken = True
    file.root.leftovers(notes, short=True)
    return robot, pairs
