# SPDX-License-Identifier: MIT
"""model - a robot becomes a tac_model: bodies of its groups, shapes, hulls, pairs that do not collide, joints, the
capacities that all this needs. Bodies come in preorder of the tree, so that parents precede their children."""
import math

from .complaint import Complaint
from .document import printable
from .joints import make_joints, remark
from .layout import ARRAYS, COUNTS
from .merge import GROUND, merge
from .model_hash import model_hash
from .pairs import carried, excluded, joined
from .shapes import Hulls, add_filters, add_materials, add_shapes, keep_shapes, names_of
from .space import IDENTITY, Pose, ZERO, add, conjugate, cross, rotate
from .tree import Tree, place, values as joint_values, velocities

STILL = (ZERO, ZERO)
SMALLEST = 1e-30  # of what must be > 0
CONVEX = ("TAC_CYLINDER", "TAC_ELLIPSOID", "TAC_HULL", "TAC_HEIGHT_FIELD")  # kinds that need TAC_CONVEX
# A flat floor under every shape at once: points of a pair, by the shape's kind; others have four.
FLOOR_POINTS = {"TAC_SPHERE": 1, "TAC_CAPSULE": 2, "TAC_HALF_SPACE": 0}


class Made:
    """A model with its names. links: {link: (body, pose in the body)}; owners: the link of each shape, None of the
    floor; shape_names: see names_of(). start: values of joints at the start. pairs: of links that do not collide."""

    def __init__(self, robot, tree, model, groups, joint_names, shapes):
        self.robot, self.tree, self.model, self.groups, self.joint_names = robot, tree, model, groups, joint_names
        self.links = {name: (groups.of[name], pose) for name, pose in groups.at.items()}
        self.body_names = ["ground"] + [group.top for group in groups.list[1:]]
        self.owners, self.shape_names = [link for link, _ in shapes], names_of(shapes)
        self.start = {}
        self.capacities, self.pairs, self.beside, self.beyond, self.known = {}, [], {}, [], {}

    def hash(self, bits):
        if bits not in self.known:
            self.known[bits] = model_hash(self.model, bits)
        return self.known[bits]

    def part(self, pairs, options, notes):
        """These pairs of links do not collide, besides those that are known."""
        self.pairs += pairs
        model = self.model
        beside, beyond = self.beside, self.beyond
        model["exclusion"] = excluded(self.robot, self.groups, beside, beyond, self.pairs, options.adjacent, notes)
        for array, _, count, _, _, _ in ARRAYS:
            model[count] = len(model[array])
        self.capacities = capacities_of(model, options.contacts, self.robot.path)
        self.known = {}


# ------------------------------------------------------------------------------------------------------------- bodies


def default_options():
    return {
        "tolerance": -1.0,
        "omega": 1.0,
        "lambda": 1.0,
        "recovery": 0.0,
        "projection": 0.1,
        "margin": -1.0,
        "bounce": -1.0,
        "max_sweeps": 50,
        "solver": "TAC_SOLVER_ACCELERATED",
        "friction": "TAC_FRICTION_EXACT",
        "warm_start": 1,
        "stabilise": 0,
        "max_joint_iterations": 16,
    }


def ground():
    body = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0), "inertial": IDENTITY, "pose": IDENTITY}
    return dict(body, velocity=STILL, kind="TAC_STATIC")


def body_of(group, pose, velocity):
    """velocity: of the origin of its frame, and the angular one, in the world."""
    v, w = velocity
    arm, along = rotate(pose.q, group.centre), conjugate(group.turn)
    return {
        "mass": group.mass,
        "inertia": group.moments,
        "inertial": Pose(group.centre, group.turn),
        "pose": pose,
        "velocity": (add(v, cross(w, arm)), rotate(along, rotate(conjugate(pose.q), w))) if any(v + w) else STILL,
        "kind": "TAC_DYNAMIC",
    }


# --------------------------------------------------------------------------------------------------------- capacities


# A robot lies on one of its sides at a time: rows for a quarter of all contacts, and for this many at least. Contacts of a
# step that has more of them are swept one by one.
SWEPT_PART, SWEPT_LEAST = 4, 24
FREEDOMS = {"TAC_FIXED": 0, "TAC_PLANAR": 3, "TAC_SPHERICAL": 3}
COORDINATES = ("TAC_ROTATION", "TAC_TURN")
CLOSERS = {"TAC_FIXED": 6, "TAC_SPHERICAL": 3, "TAC_BUSHING": 3}  # rows of what is not in the tree
TABLES_OF_CONVEX = tuple(
    f"TAC_MAX_{name}" for name in ("POLYHEDRA", "POINTS", "FACES", "EDGES", "HEIGHT_FIELDS", "HEIGHTS")
)


def capacities_of(model, contacts, path):
    """Exactly what the model needs, or the least that config.h allows. Contacts depend on the motion: those of a flat
    floor that touches every shape at once, unless they are given."""
    needs = {}
    for array, _, _, name, least, most in ARRAYS:
        count = len(model[array]) - (array == "body")  # the ground is not counted
        if count > most:
            raise Complaint(f"{path}: {array}: {count} are needed, {name} may be {most} at most")
        needs[name] = max(count, least)
    floor = sum(FLOOR_POINTS.get(s["kind"], 4) for s in model["shape"] if s["body"] != GROUND)
    needs["TAC_MAX_CONTACTS"] = contacts if contacts is not None else max(1, min(floor, 16000))
    convex = any(s["kind"] in CONVEX for s in model["shape"])
    if not convex:  # config.h sets these itself then
        for name in TABLES_OF_CONVEX:
            del needs[name]
    else:
        needs["TAC_MAX_HULL_POINTS"] = max([4] + [p["points"] for p in model["polyhedron"]])
    needs["TAC_MAX_FILL"] = 0  # joints do without the sparse factor
    if model["joint"]:
        needs.update(swept(model["joint"], needs["TAC_MAX_CONTACTS"]))
        if any(j["kind"] in COORDINATES for j in model["joint"]):
            needs["TAC_COORDINATES"] = 1
        if any("switched" in j for j in model["joint"]):
            needs["TAC_SWITCHES"] = 1
    needs["TAC_CONVEX"] = int(convex)
    return needs


def swept(joints, contacts):
    """Rows that are solved while the tree is eliminated: three of each contact of a robot that lies, one of each
    coordinate that may be at a bound, those of what closes loops or acts on ball joints, and one of each coupling. Each
    reaches the root by the coordinates of one branch, that of a coupling and of a loop by those of two. Joints alone have
    room with one contact, of six rows and two branches."""
    bounded = sum(
        min(j["effort"], j["speed"]) < math.inf or j["friction"] > 0 or j["lower"] < j["upper"] for j in joints
    )
    couplings = sum(j["kind"] == "TAC_COUPLING" for j in joints)
    lies = 3 * min(contacts, max(SWEPT_LEAST, -(-contacts // SWEPT_PART)))
    depth, closing = {GROUND: 0}, 0
    for joint in joints:
        if joint["kind"] != "TAC_COUPLING" and ("switched" in joint or joint["body_b"] in depth):
            closing += CLOSERS.get(joint["kind"], 1)
        elif joint["kind"] != "TAC_COUPLING":
            depth[joint["body_b"]] = depth.get(joint["body_a"], 0) + FREEDOMS.get(joint["kind"], 1)
    rows = max(6, lies) + bounded + couplings + closing
    reach = (max(12, lies) + bounded + 2 * (couplings + closing)) * (6 + max(depth.values(), default=0))
    return {"TAC_MAX_REDUCED": min(rows, 1000), "TAC_MAX_PATH": min(reach, 60000)}


def within_float(made):
    """What is 0 in a float, and must not be, may be good in double; but then the file is good for one of the two."""
    bodies = made.body_names
    positive = [(bodies[k], body["inertia"] + (body["mass"],)) for k, body in enumerate(made.model["body"])]
    positive += [(bodies[shape["body"]], [x for x in shape["size"] if x != 0.0]) for shape in made.model["shape"]]
    for name, values in positive:
        for value in values:
            if value < SMALLEST:
                raise Complaint(f"{made.robot.path}: link '{printable(name)}': {value:g} is too small for a float")


# ---------------------------------------------------------------------------------------------------------- the whole


def make_model(robot, pairs, options, notes):
    """robot: as read. pairs: of links that do not collide. options: of the command line."""
    tree = Tree(robot)
    for name in options.joint:
        if name not in robot.joints or robot.joints[name].kind not in ("revolute", "continuous", "prismatic"):
            raise Complaint(f"{robot.path}: --joint {printable(name)}: no joint of this name has one coordinate")
        if robot.joints[name].mimic is not None:
            raise Complaint(f"{robot.path}: --joint {printable(name)}: it mimics another joint")
    base = Pose((0.0, 0.0, options.z), IDENTITY.q)
    model = {name: 0 for name, _ in COUNTS}
    model.update((array[0], []) for array in ARRAYS)
    h = options.h if options.h is not None else robot.h
    model.update(h=h, gravity=robot.gravity, options=default_options())
    hulls = Hulls(model, robot.path, options, notes)
    groups = merge(tree, options, base, hulls.solid, notes)
    at = joint_values(robot, {**robot.start, **options.joint}, notes)
    poses = place(tree, base, {**robot.start, **at})
    moving = velocities(tree, poses, robot.rates)
    model["body"] = [ground()] + [body_of(group, poses[group.top], moving[group.top]) for group in groups.list[1:]]
    if options.collide:
        keep_shapes(robot, options.collide, notes)
    shapes = add_shapes(model, robot, tree, groups, hulls, options.ground)
    add_materials(model, robot, shapes, options)
    if robot.scene:
        add_filters(model, robot, shapes)
    model["joint"], joint_names = make_joints(tree, groups, base)
    remark(robot, joint_names, notes)
    made = Made(robot, tree, model, groups, joint_names, shapes)
    made.start = at
    if options.adjacent > 0:
        made.beside, made.beyond = joined(robot, tree, groups), list(carried(robot, tree, groups))
    for joint in model["joint"]:
        if joint["kind"] != "TAC_COUPLING":
            joint["collide"] = int((joint["body_a"], joint["body_b"]) not in made.beside)
    made.part(pairs, options, notes)
    within_float(made)
    return made
