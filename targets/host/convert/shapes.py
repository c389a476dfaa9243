# SPDX-License-Identifier: MIT
"""shapes - the geometries of links as shapes of a model, meshes as their convex hulls; which of them touch, and how."""
from collections import Counter

from . import mesh
from .complaint import Complaint
from .document import plural, printable
from .hull import Flat, hull_of
from .merge import GROUND
from .space import IDENTITY, ZERO, compose
from .volume import SOLIDS, of_hull

EVERYTHING = 0xFFFF
GROUPS = 16  # of shapes


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
    """Kind and size of a shape without data. Lengths in URDF are whole ones, here half of them."""
    size = geometry.size
    if geometry.kind == "plane":
        return "TAC_HALF_SPACE", ZERO
    if geometry.kind in ("box", "ellipsoid"):
        return "TAC_" + geometry.kind.upper(), tuple(0.5 * x for x in size)
    if geometry.kind == "sphere":
        return "TAC_SPHERE", (size[0], 0.0, 0.0)
    return "TAC_" + geometry.kind.upper(), (size[0], 0.0, 0.5 * size[1])


class Hulls:
    """Convex hulls of meshes; those of the same file and scale share one, and one polyhedron of the model; and terrain."""

    def __init__(self, model, robot_path, options, notes):
        self.model, self.robot_path, self.options, self.notes = model, robot_path, options, notes
        self.known, self.entered = {}, {}

    def hull(self, geometry):
        """Its key and its hull. None if there is no file and that is allowed, or if it is flat."""
        path, why = geometry.file, None
        if geometry.data is None:
            path, why = mesh.find(geometry.file, self.robot_path, self.options.package_path)
        if path is None:
            what = f"mesh '{printable(geometry.file)}': {why}"
            if not self.options.skip_missing:
                geometry.element.complain(what)
            self.notes.say(f"{geometry.element.about()}: {what}: no shape")
            return None
        key = (path, geometry.scale)
        if key not in self.known:
            self.known[key] = self.make(path, geometry)
        if self.known[key] is None:
            self.notes.say(f"{geometry.element.about()}: mesh '{printable(geometry.file)}' is flat, left out")
            return None
        return key, self.known[key]

    def make(self, path, geometry):
        points = geometry.data
        if points is None:
            points = [tuple(x * s + 0.0 for x, s in zip(p, geometry.scale)) for p in mesh.read_points(path)]
        try:
            hull = hull_of(points, self.options.hull_points)
        except Flat:
            return None
        self.notes.say(
            f"mesh '{printable(geometry.file)}': its hull has {plural(len(hull.points), 'corner')}, "
            f"{plural(len(hull.faces), 'face')}; the mesh reaches {1e3 * hull.reach:.3g} mm beyond it"
        )
        return hull

    def terrain(self, geometry):
        """The index of a field of samples."""
        m, (columns, rows, samples, dx, dy, scale) = self.model, geometry.data
        if geometry.file not in self.entered:
            self.entered[geometry.file] = len(m["field"])
            low, high = (scale * f(samples) for f in (min, max))
            field = {"dx": dx, "dy": dy, "scale": scale, "low": low, "high": high, "first": len(m["height"])}
            m["field"].append(dict(field, columns=columns, rows=rows))
            m["height"] += samples
        return self.entered[geometry.file]

    def index(self, geometry):
        """Of the polyhedron of a mesh; None if it has none."""
        found = self.hull(geometry)
        if found is None:
            return None
        key, hull = found
        if key not in self.entered:
            self.entered[key] = self.enter(hull)
        return self.entered[key]

    def solid(self, geometry):
        """Volume, centre and tensor of a geometry for a density of 1, in its own frame. None if it has none."""
        if geometry.kind != "mesh":
            return SOLIDS[geometry.kind](*geometry.size)
        found = self.hull(geometry)
        return None if found is None else of_hull(found[1])

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


def keep_shapes(robot, names, notes):
    """Only links of these names keep their shapes."""
    lost = 0
    for name in names:
        if not (name in robot.links and robot.links[name].geometries):
            raise Complaint(f"{robot.path}: --collide {printable(name)}: no link of this name has a shape")
    for link in robot.links.values():
        if link.name not in names:
            lost += len(link.geometries)
            link.geometries = []
    notes.say(f"{plural(lost, 'shape')} of other links than those of --collide left out")


def add_shapes(model, robot, tree, groups, hulls, floor):
    """Returns (link, geometry) of each shape; the floor has neither."""
    owners = [(None, None)] if floor else []
    if floor:
        model["shape"].append(shape_of(GROUND, IDENTITY, "TAC_HALF_SPACE", ZERO))
    for name in tree.order:
        for geometry in robot.links[name].geometries:
            pose = compose(groups.at[name], geometry.pose)
            if geometry.kind == "mesh":
                what = ("TAC_HULL", ZERO, hulls.index(geometry))
            elif geometry.kind == "terrain":
                what = ("TAC_HEIGHT_FIELD", ZERO, hulls.terrain(geometry))
            else:
                what = solid(geometry)
            if what[-1] is not None:
                model["shape"].append(shape_of(groups.of[name], pose, *what))
                owners.append((name, geometry))
    return owners


def add_materials(model, robot, shapes, options):
    """One of all shapes, or where the file has friction of each, one for each number, of two of which the larger holds.
    What is fixed to the ground stays rigid where others are compliant."""
    if not shapes:
        return
    known = {}
    for shape, (_, geometry) in zip(model["shape"], shapes):
        friction = geometry.friction if robot.scene else options.friction
        yields = options.stiffness > 0.0 and shape["body"] != GROUND
        shape["material"] = known.setdefault((friction, yields), len(known))
    if len(known) > 250:
        raise Complaint(f"{robot.path}: {len(known)} materials, at most 250")
    rule = "TAC_RULE_MAX" if robot.scene else "TAC_RULE_GEOMETRIC"
    rules = {"friction_rule": rule, "restitution_rule": "TAC_RULE_MAX"}
    soft, rigid = {"stiffness": options.stiffness, "damping": options.damping}, {"stiffness": 0.0, "damping": 0.0}
    model["material"] = [dict(friction=friction, restitution=0.0, **rules, **(soft if yields else rigid))
                         for friction, yields in known]


def touching(one, other):
    """Do two filters (contype, conaffinity, numbers of pairs that touch all the same) let their shapes touch?"""
    return bool(one[0] & other[1] or other[0] & one[1] or set(one[2]) & set(other[2]))


def add_filters(model, robot, shapes):
    """Groups and masks say of two shapes what their filters do: shapes of the same filter are one group."""
    known = {}
    for shape, (_, geometry) in zip(model["shape"], shapes):
        shape["group"] = 1 << known.setdefault(geometry.filter, len(known))
    if len(known) > GROUPS:
        raise Complaint(f"{robot.path}: {len(known)} pairs of contype and conaffinity, at most {GROUPS}")
    for shape, (_, geometry) in zip(model["shape"], shapes):
        shape["mask"] -= sum(1 << k for other, k in known.items() if not touching(geometry.filter, other))


def names_of(shapes):
    """Of each shape that of its link, with the name of its element if the link has several."""
    several = Counter(link for link, _ in shapes)
    own = (geometry.name if geometry is not None else "" for _, geometry in shapes)
    names = (f"{link} {name}" if name and several[link] > 1 else link for (link, _), name in zip(shapes, own))
    return ["floor" if name is None else name for name in names]
