# SPDX-License-Identifier: MIT
"""mjcf_pose - <compiler>, and how MJCF says where something is and how it is turned."""
import math

from .space import UPRIGHT, ZERO, Pose, add, cross, dot, from_axes, from_z, multiply, norm, normal, scale
from .space import sub, turn, unit

FORMS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
LEAST = 1e-14  # what MuJoCo calls too small
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class Compiler:
    """What <compiler> says. item: the last of them, with the others behind it. contact: things touch."""

    def __init__(self, item, contact):
        self.contact = contact
        self.unit = math.pi / 180.0 if item.word("angle", ("degree", "radian"), "degree") == "degree" else 1.0
        item.word("coordinate", ("local",), "local")
        self.sequence = item.text("eulerseq", "xyz")
        self.autolimits, self.fit_box = item.flag("autolimits", True), item.flag("fitaabb", False)
        self.strip, self.folder = item.flag("strippath", False), item.text("meshdir", item.text("assetdir", "."))
        self.bound_mass, self.bound_inertia = item.number("boundmass", 0.0), item.number("boundinertia", 0.0)
        self.total_mass, self.balance = item.number("settotalmass", -1.0), item.flag("balanceinertia", False)
        self.from_geoms = item.word("inertiafromgeom", ("false", "true", "auto"), "auto")
        self.groups = item.numbers("inertiagrouprange", 2, 2, (0.0, 5.0))
        for attribute in ("fusestatic", "usethread", "discardvisual", "texturedir"):  # nothing here depends on these
            item.has(attribute)
        if len(self.sequence) != 3 or set(self.sequence.lower()) - set("xyz"):
            item.complain("eulerseq must be three of x, y, z, X, Y, Z")

    def euler(self, angles):
        """Lower letters turn about the moving axes, capitals about those that stay."""
        q = UPRIGHT
        for letter, angle in zip(self.sequence, angles):
            one = turn(AXES[letter.lower()], angle)
            q = multiply(q, one) if letter.islower() else multiply(one, q)
        return normal(q)

    def orientation(self, item):
        for layer in item.layers:
            forms = [form for form in FORMS if layer.has(form)]
            if len(forms) > 1:
                layer.complain(f"{' and '.join(forms)} both say how it is turned")
            if forms:
                return self.turned(item, forms[0])
        return UPRIGHT

    def turned(self, item, form):
        if form == "quat":
            q = item.numbers("quat", 4, 4)
            return normal(q) if any(q) else item.complain("quat is all zeros")
        if form == "euler":
            return self.euler([self.unit * x for x in item.numbers("euler", 3, 3)])
        if form == "axisangle":
            *axis, angle = item.numbers("axisangle", 4, 4)
            return normal(turn(direction(item, form, axis), self.unit * angle))
        if form == "zaxis":
            return from_z(direction(item, form, item.numbers("zaxis", 3, 3)))
        given = item.numbers("xyaxes", 6, 6)
        x = direction(item, form, given[:3])
        y = direction(item, form, sub(given[3:], scale(dot(x, given[3:]), x)))
        return from_axes(x, y, cross(x, y))

    def pose(self, item):
        return Pose(item.numbers("pos", 3, 3, ZERO), self.orientation(item))


def direction(item, what, vector):
    if norm(vector) < LEAST:
        item.complain(f"{what}: an axis has no direction")
    return unit(vector)


def between(item):
    """The pose whose z leads from the second point of `fromto` to the first, in their middle, and their distance."""
    ends = item.numbers("fromto", 6, 6)
    along = sub(ends[:3], ends[3:])
    if norm(along) < LEAST:
        item.complain("fromto: both points are one")
    return Pose(scale(0.5, add(ends[:3], ends[3:])), from_z(unit(along))), norm(along)
