# SPDX-License-Identifier: MIT
"""model - a robot becomes a tac_model: bodies of its groups, shapes, hulls, pairs that do not collide, joints, the
capacities that all this needs. Bodies come in preorder of the tree, so that parents precede their children."""
import math
from collections import Counter

from . import mesh
from .complaint import Complaint
from .document import plural, printable
from .hull import Flat, hull_of
from .joints import make_joints, remark
from .layout import ARRAYS, COUNTS
from .merge import GROUND, merge
from .model_hash import model_hash
from .pairs import excluded, joined
from .space import IDENTITY, Pose, ZERO, compose
from .tree import Tree, place, values as joint_values

STILL = (ZERO, ZERO)
EVERYTHING = 0xFFFF
SMALLEST = 1e-30  # of what must be > 0
CONVEX = ("TAC_CYLINDER", "TAC_HULL")  # kinds that need TAC_CONVEX
# A flat floor under every shape at once: points of a pair, by the shape's kind; others have four.
FLOOR_POINTS = {"TAC_SPHERE": 1, "TAC_CAPSULE": 2, "TAC_HALF_SPACE": 0}


class Made:
    """A model with its names. links: {link: (body, pose in the body)}; owners: the link of each shape, None of the
    floor; shape_names: see names_of(); beside: pairs of bodies with a joint between them."""

    def __init__(self, robot, model, links, body_names, joint_names):
        self.robot, self.model, self.links = robot, model, links
        self.body_names, self.joint_names = body_names, joint_names
        self.capacities, self.owners, self.shape_names, self.beside = {}, [], [], {}

    def hash(self, bits):
        return model_hash(self.model, bits)


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


def body_of(group, pose):
    return {
        "mass": group.mass,
        "inertia": group.moments,
        "inertial": Pose(group.centre, group.turn),
        "pose": pose,
        "velocity": STILL,
        "kind": "TAC_DYNAMIC",
    }


# ------------------------------------------------------------------------------------------------------------- shapes


def shape_of(body, pose, kind, size, data=0):
    return {
        "pose": pose,
        "size": size,
        "rounding": 0.0,
        "body": body,
        "group": 1,
        "mask": EVERYTHING,
        "data": data,
        "kind": kind,
        "material": 0,
    }


def solid(geometry):
    """Kind and size of a shape that is no mesh. Lengths in URDF are whole ones, here half of them."""
    size = geometry.size
    if geometry.kind == "box":
        return "TAC_BOX", tuple(0.5 * x for x in size)
    if geometry.kind == "sphere":
        return "TAC_SPHERE", (size[0], 0.0, 0.0)
    return "TAC_" + geometry.kind.upper(), (size[0], 0.0, 0.5 * size[1])


class Hulls:
    """Polyhedra under way: meshes of the same file and scale share one."""

    def __init__(self, model, robot_path, options, notes):
        self.model, self.robot_path, self.options, self.notes, self.known = model, robot_path, options, notes, {}

    def index(self, geometry):
        """Of the polyhedron of a mesh, or None if there is no file and that is allowed."""
        path, why = mesh.find(geometry.file, self.robot_path, self.options.package_path)
        if path is None:
            what = f"mesh '{printable(geometry.file)}': {why}"
            if not self.options.skip_missing:
                geometry.element.complain(what)
            self.notes.say(f"{geometry.element.about()}: {what}: no shape")
            return None
        key = (path, geometry.scale)
        if key not in self.known:
            self.known[key] = self.add(path, geometry)
        return self.known[key]

    def add(self, path, geometry):
        points = [tuple(x * s + 0.0 for x, s in zip(p, geometry.scale)) for p in mesh.read_points(path)]
        try:
            hull = hull_of(points, self.options.hull_points)
        except Flat:
            geometry.element.complain(f"mesh '{path}' is flat: it has no volume")
        self.notes.say(
            f"mesh '{printable(geometry.file)}': its hull has {plural(len(hull.points), 'corner')}, "
            f"{plural(len(hull.faces), 'face')}; the mesh reaches {1e3 * hull.reach:.3g} mm beyond it"
        )
        return self.enter(hull)

    def enter(self, hull):
        m = self.model
        firsts = {"point": len(m["point"]), "face": len(m["face"]), "edge": len(m["edge"])}
        edges = 0
        for n, d, corners, across in hull.faces:
            m["face"].append({"n": n, "d": d, "first": edges, "edges": len(corners)})
            m["edge"] += [{"point": point, "across": face} for point, face in zip(corners, across)]
            edges += len(corners)
        m["point"] += hull.points
        m["polyhedron"].append(
            {
                "low": tuple(min(p[k] for p in hull.points) for k in range(3)),
                "high": tuple(max(p[k] for p in hull.points) for k in range(3)),
                "first_point": firsts["point"],
                "points": len(hull.points),
                "first_face": firsts["face"],
                "faces": len(hull.faces),
                "first_edge": firsts["edge"],
                "edges": edges,
                "convex": 1,
                "spare": 0,
            }
        )
        return len(m["polyhedron"]) - 1


def add_shapes(model, robot, tree, groups, hulls, floor):
    """Returns (link, name of its element) of each shape; None is the link of the floor."""
    owners = [(None, "")] if floor else []
    if floor:
        model["shape"].append(shape_of(GROUND, IDENTITY, "TAC_HALF_SPACE", ZERO))
    for name in tree.order:
        for geometry in robot.links[name].geometries:
            pose = compose(groups.at[name], geometry.pose)
            if geometry.kind != "mesh":
                model["shape"].append(shape_of(groups.of[name], pose, *solid(geometry)))
                owners.append((name, geometry.name))
                continue
            index = hulls.index(geometry)
            if index is not None:
                model["shape"].append(shape_of(groups.of[name], pose, "TAC_HULL", ZERO, index))
                owners.append((name, geometry.name))
    return owners


def names_of(shapes):
    """Of each shape that of its link, with the name of its element if the link has several."""
    several = Counter(link for link, _ in shapes)
    names = (f"{link} {own}" if own and several[link] > 1 else link for link, own in shapes)
    return ["floor" if name is None else name for name in names]


# --------------------------------------------------------------------------------------------------------- capacities


SWEPT_CONTACTS = 16  # a step with more is left to Newton's method
FREEDOMS = {"TAC_FIXED": 0, "TAC_PLANAR": 3}


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
        for name in ("TAC_MAX_POLYHEDRA", "TAC_MAX_POINTS", "TAC_MAX_FACES", "TAC_MAX_EDGES"):
            del needs[name]
    else:
        needs["TAC_MAX_HULL_POINTS"] = max([4] + [p["points"] for p in model["polyhedron"]])
        needs["TAC_MAX_HEIGHTS"] = 4
    # the factor of a tree has a block for each body of each joint, and up to six for a coupling of neighbours; as many
    # again are for bodies that touch
    couplings = sum(joint["kind"] == "TAC_COUPLING" for joint in model["joint"])
    needs["TAC_MAX_FILL"] = 4 * len(model["joint"]) + 8 * couplings
    if model["joint"]:
        needs.update(swept(model["joint"], needs["TAC_MAX_CONTACTS"]))
    needs["TAC_CONVEX"] = int(convex)
    return needs


def swept(joints, contacts):
    """Rows that are swept while the tree is eliminated: three of each contact, of SWEPT_CONTACTS at most, and one of
    each coordinate that may be at a bound. Each reaches the root by the coordinates of one branch."""
    bounded = sum(j["effort"] < math.inf or j["friction"] > 0 or j["lower"] < j["upper"] for j in joints)
    rows = max(3, 3 * min(contacts, SWEPT_CONTACTS) + bounded)
    depth = {}
    for joint in joints:
        if joint["kind"] != "TAC_COUPLING":
            depth[joint["body_b"]] = depth.get(joint["body_a"], 0) + FREEDOMS.get(joint["kind"], 1)
    reach = rows * (6 + max(depth.values(), default=0))
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
    groups = merge(tree, options, base, notes)
    poses = place(tree, base, joint_values(robot, options.joint, notes))

    model = {name: 0 for name, _ in COUNTS}
    model.update((array[0], []) for array in ARRAYS)
    model.update(h=options.h, gravity=(0.0, 0.0, -9.81), options=default_options())
    model["body"] = [ground()] + [body_of(group, poses[group.top]) for group in groups.list[1:]]
    shapes = add_shapes(model, robot, tree, groups, Hulls(model, robot.path, options, notes), options.ground)
    if model["shape"]:
        material = {"friction": options.friction, "restitution": 0.0}
        model["material"] = [dict(material, friction_rule="TAC_RULE_GEOMETRIC", restitution_rule="TAC_RULE_MAX")]
    model["joint"], joint_names = make_joints(tree, groups, base)
    remark(robot, joint_names, notes)
    beside = joined(robot, tree, groups) if options.adjacent > 0 else {}
    for joint in model["joint"]:
        if joint["kind"] != "TAC_COUPLING":
            joint["collide"] = int((joint["body_a"], joint["body_b"]) not in beside)
    model["exclusion"] = excluded(robot, groups, beside, pairs, options.adjacent, notes)
    for array, _, count, _, _, _ in ARRAYS:
        model[count] = len(model[array])

    links = {name: (groups.of[name], groups.at[name]) for name in tree.order}
    made = Made(robot, model, links, ["ground"] + [group.top for group in groups.list[1:]], joint_names)
    made.capacities = capacities_of(model, options.contacts, robot.path)
    within_float(made)
    made.owners, made.shape_names = [link for link, _ in shapes], names_of(shapes)
    made.beside = joined(robot, tree, groups)
    return made
