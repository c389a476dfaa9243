# SPDX-License-Identifier: MIT
"""mjcf_geoms - <geom> as a geometry, and what it weighs."""
from .inertia import turned
from .mjcf_pose import between
from .robot import Geometry
from .space import UPRIGHT, Pose, compose, move
from .volume import SOLIDS

SIZES = {"sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3}
TYPES = (*SIZES, "plane", "hfield", "mesh", "sdf")
FROMTO = ("capsule", "cylinder", "ellipsoid", "box")


class Geom:
    """kind and size as of a Geometry; body: its pose in the body; asset: of a mesh or a field, None if it has none."""

    def __init__(self, item, frame, assets, compiler):
        self.item, self.compiler, self.assets, self.asset = item, compiler, assets, None
        self.kind, self.size = item.word("type", TYPES, "sphere"), ()
        self.filter = (item.whole("contype", 1), item.whole("conaffinity", 1), ())
        if not compiler.contact:
            self.filter = (0, 0, ())
        for attribute in ("mass", "density", "friction", "condim"):  # of what is only drawn these are not needed
            item.has(attribute)
        pose, distance = None, None
        if self.kind in FROMTO and item.has("fromto"):
            pose, distance = between(item)
        pose = compiler.pose(item) if pose is None else pose
        if self.kind == "hfield":
            self.asset = assets.find(assets.fields, item, "hfield")
        elif self.kind in ("mesh", "sdf") or item.has("mesh"):
            self.asset = assets.find(assets.meshes, item, "mesh")
            if self.kind in SIZES:
                pose = self.fit(pose)
        elif self.kind in SIZES:
            self.size = self.given(distance)
        else:
            item.has("size")  # of a plane: how much of it is drawn
        self.pose = compose(frame, pose)

    def given(self, distance):
        """Whole lengths. The file has half of them; those along `fromto` are between its points."""
        count = SIZES[self.kind]
        given = self.item.numbers("size", 1 if distance is not None else count, 3)
        if distance is not None:
            half = 0.5 * distance
            given = (given[0], half) if count == 2 else (given[0], given[0], half)
        given = given[:count]
        if min(given) <= 0.0:
            self.item.complain(f"size {' '.join(f'{x:g}' for x in given)} is not > 0")
        return self.whole(given)

    def whole(self, half):
        """Of half lengths; a radius stays."""
        round_one = self.kind in ("sphere", "capsule", "cylinder")
        return tuple(x if round_one and k == 0 else 2.0 * x for k, x in enumerate(half))

    def fit(self, pose):
        """A simple shape around a mesh, or with its inertia: the pose of it."""
        factor = self.item.number("fitscale", 1.0)
        if not self.assets.there(self.asset):
            self.size = (1.0, 1.0, 1.0)  # of no shape
            return pose
        at, (a, b, c) = self.asset.box()
        if self.compiler.fit_box:
            bounds = self.asset.bounds(at)
            at = compose(at, Pose(tuple(0.5 * (low + high) for low, high in bounds), UPRIGHT))
            a, b, c = (0.5 * (high - low) for low, high in bounds)
            half = {"sphere": (max(a, b, c),), "capsule": (max(a, b), c - max(a, b)), "cylinder": (max(a, b), c)}
        else:
            radius = 0.5 * (a + b)
            half = {"sphere": ((a + b + c) / 3.0,), "capsule": (radius, max(0.0, c - 0.5 * radius))}
            half["cylinder"] = (radius, c)
        self.size = self.whole([factor * x for x in half.get(self.kind, (a, b, c))])
        return compose(pose, at)

    def touches(self):
        return any(self.filter)

    def geometry(self):
        """None if it is no shape of the kernel."""
        item, kind = self.item, {"hfield": "terrain"}.get(self.kind, self.kind)
        if self.asset is not None and not self.assets.there(self.asset):
            return None
        made = Geometry(kind, self.size, self.pose, item.element, item.text("name", ""))
        made.filter = self.filter
        made.friction = 0.0 if item.whole("condim", 3) == 1 else item.numbers("friction", 1, 3, (1.0,))[0]
        if made.friction < 0.0:
            item.complain(f"friction is {made.friction:g}, must be >= 0")
        if kind == "terrain":
            rx, ry = self.asset.size[:2]
            made.data, made.file = self.asset.data(), self.asset.name
            made.pose = compose(self.pose, Pose((-rx, -ry, 0.0), UPRIGHT))
        elif kind == "mesh":
            made.file, made.data = self.asset.name, self.asset.hull_points()
        return made

    def weight(self):
        """(mass, centre, tensor) in the frame of the body, or None if it weighs nothing."""
        item = self.item
        mass, density = item.number("mass", -1.0), item.number("density", 1000.0)
        for name, value in (("mass", mass if item.has("mass") else 0.0), ("density", density)):
            if value < 0.0:
                item.complain(f"{name} is {value:g}, must be >= 0")
        if self.kind not in (*SIZES, "mesh") or (mass if mass >= 0.0 else density) == 0.0:
            return None
        if self.asset is not None and not self.assets.there(self.asset):
            return None
        if item.flag("shellinertia", False):
            item.complain("shellinertia is not understood: give the body an <inertial>")
        volume, centre, tensor = SOLIDS[self.kind](*self.size) if self.kind in SIZES else self.asset.solid()
        mass = mass if mass >= 0.0 else density * volume
        return mass, move(self.pose, centre), turned(tuple(mass / volume * x for x in tensor), self.pose.q)
