# SPDX-License-Identifier: MIT
"""volume - volume, centre and tensor about the centre (xx, xy, xz, yy, yz, zz) of shapes of density 1, in their own
frames; lengths as in URDF: whole ones."""
import math

from .inertia import NOTHING, at_arm, plus
from .space import ZERO, cross, dot, scale, sub


def of_box(a, b, c):
    volume = a * b * c
    part = volume / 12.0
    return volume, ZERO, (part * (b * b + c * c), 0.0, 0.0, part * (a * a + c * c), 0.0, part * (a * a + b * b))


def of_sphere(radius):
    volume = 4.0 / 3.0 * math.pi * radius**3
    moment = 0.4 * volume * radius * radius
    return volume, ZERO, (moment, 0.0, 0.0, moment, 0.0, moment)


def of_cylinder(radius, length):
    """Along z."""
    volume = math.pi * radius * radius * length
    about, across = 0.5 * volume * radius * radius, volume * (3.0 * radius * radius + length * length) / 12.0
    return volume, ZERO, (across, 0.0, 0.0, across, 0.0, about)


def of_capsule(radius, length):
    """A cylinder between two half balls, whose own centres are 3/8 of the radius beyond its ends."""
    ball, _, (own, *_) = of_sphere(radius)
    rod, _, tensor = of_cylinder(radius, length)
    away = ball * (0.25 * length * length + 0.375 * length * radius)
    return ball + rod, ZERO, plus(tensor, (own + away, 0.0, 0.0, own + away, 0.0, own))


def of_hull(hull):
    """Tetrahedra from one corner to the triangles of all faces: each has the second moments
    det/120 (aa' + bb' + cc' + ss') about that corner, a, b, c its edges there and s their sum."""
    top, volume, moment, second = hull.points[0], 0.0, ZERO, NOTHING
    for _, _, corners, _ in hull.faces:
        a, *rest = (sub(hull.points[i], top) for i in corners)
        for b, c in zip(rest, rest[1:]):
            det = dot(a, cross(b, c))
            s = tuple(x + y + z for x, y, z in zip(a, b, c))
            volume += det / 6.0
            moment = tuple(x + det / 24.0 * y for x, y in zip(moment, s))
            for v in (a, b, c, s):
                second = plus(second, at_arm(det / 120.0, v))
    centre = scale(1.0 / volume, moment)
    return volume, tuple(x + y for x, y in zip(top, centre)), plus(second, at_arm(-volume, centre))


SOLIDS = {"box": of_box, "sphere": of_sphere, "cylinder": of_cylinder, "capsule": of_capsule}
