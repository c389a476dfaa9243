# SPDX-License-Identifier: MIT
"""volume - volume, centre and tensor about the centre (xx, xy, xz, yy, yz, zz) of shapes of density 1, in their own
frames; lengths are whole ones, as in URDF."""
import math

from .inertia import NOTHING, at_arm, plus
from .space import ZERO, add, cross, dot, norm, scale, sub


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


def of_ellipsoid(a, b, c):
    volume = math.pi / 6.0 * a * b * c
    part = volume / 20.0
    return volume, ZERO, (part * (b * b + c * c), 0.0, 0.0, part * (a * a + c * c), 0.0, part * (a * a + b * b))


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


def of_triangles(points, triangles, how):
    """How: legacy, what MuJoCo does by default: pyramids over all triangles from their middle, each positive, about the
    centre that they have; exact, each with its sign; shell, the surface itself. None if it has no size."""
    corners = [tuple(points[i] for i in triangle) for triangle in triangles]
    middle = centre_of(corners, lambda a, b, c, n: 0.5 * norm(n), (1.0, ZERO))
    sizes = {
        "shell": lambda a, b, c, n: 0.5 * norm(n),
        "exact": lambda a, b, c, n: dot(add(add(a, b), c), n) / 18.0,
        "legacy": lambda a, b, c, n: abs(dot(add(add(a, b), c), n)) / 18.0,
    }
    size = sizes[how]
    if middle is None:
        return None
    centre = middle if how == "shell" else centre_of(corners, size, (0.75, middle))
    if centre is None:
        return None
    total, second, part = 0.0, NOTHING, 12.0 if how == "shell" else 20.0
    for triangle in corners:
        a, b, c = (sub(p, centre) for p in triangle)
        one = size(a, b, c, cross(sub(b, a), sub(c, a)))
        total += one
        for v in (a, b, c, add(add(a, b), c)):
            second = plus(second, at_arm(one / part, v))
    return total, centre, second


def centre_of(corners, size, apart):
    """Of triangles by their sizes, or of pyramids over them: part of the way to them from their top, that point."""
    part, top = apart
    total, moment = 0.0, ZERO
    for triangle in corners:
        a, b, c = (sub(p, top) for p in triangle)
        one = size(a, b, c, cross(sub(b, a), sub(c, a)))
        total += one
        moment = add(moment, scale(one * part / 3.0, add(add(a, b), c)))
    return add(top, scale(1.0 / total, moment)) if total > 1e-15 else None


SOLIDS = {
    "box": of_box,
    "sphere": of_sphere,
    "cylinder": of_cylinder,
    "capsule": of_capsule,
    "ellipsoid": of_ellipsoid,
}
