# SPDX-License-Identifier: MIT
"""hull - the convex hull of points, with a bound on how many: tables as tac_model_add_hull() makes them.

Points go to a grid of decimal steps, between 1e-6 and 1e-7 of the largest extent, so that every decision which side a
point is on is exact, and what was 0.05 in the file stays 0.05. The hull grows from a tetrahedron by the point that is
farthest outside of it (quickhull), until none is farther out than what counts as flat, or until the bound is reached:
what is left out is named. Then triangles that are flat to each other become one face."""
import math
from collections import namedtuple

from .space import add, cross, dot, norm, scale, sub, unit

FLAT = 2e-5  # TAC_TOL_FLAT, relative to the largest extent
SLACK = 4.0 * FLAT  # POLYHEDRON_SLACK

# faces: (n, d, corners, across), corners counter-clockwise from outside. reach: how far points that were left out are
# outside, m.
Hull = namedtuple("Hull", "points faces reach")


class Flat(Exception):
    """The points have no volume."""


class Triangle:
    def __init__(self, point, corners):
        a, b, c = (point[i] for i in corners)
        self.corners = corners
        self.n = cross(sub(b, a), sub(c, a))  # integers: exact
        self.d = dot(self.n, a)
        self.length = math.sqrt(dot(self.n, self.n))
        self.outside, self.farthest, self.distance = [], None, 0.0

    def above(self, p):
        return dot(self.n, p) - self.d

    def edges(self):
        a, b, c = self.corners
        return ((a, b), (b, c), (c, a))

    def take(self, i, distance):
        """Point i is outside of this face."""
        self.outside.append(i)
        if distance > self.distance:
            self.farthest, self.distance = i, distance


# --------------------------------------------------------------------------------------------------------------- grid


def on_grid(points):
    """Cells, each once, sorted; what a step is, as a function that turns a cell into metres."""
    size = max(max(p[k] for p in points) - min(p[k] for p in points) for k in range(3))
    if not size > 0.0:
        raise Flat
    digits = 6 - math.floor(math.log10(size))  # size / step is then between 1e6 and 1e7
    if not -300 < digits < 300:
        raise Flat
    factor = 10 ** abs(digits)

    def to_cell(x):
        n, d = x.as_integer_ratio()
        up, down = (n * factor, d) if digits >= 0 else (n, d * factor)
        return (2 * up + down) // (2 * down)

    def to_metres(cell):
        return tuple(x / factor if digits >= 0 else float(x * factor) for x in cell)

    cells = sorted({tuple(to_cell(x) for x in p) for p in points})
    extent = max(max(c[k] for c in cells) - min(c[k] for c in cells) for k in range(3))
    return cells, extent, to_metres


# ---------------------------------------------------------------------------------------------------------- triangles


def first_four(point, flat):
    """Corners of a tetrahedron: far apart, and not in one plane."""
    ranges = [max(p[k] for p in point) - min(p[k] for p in point) for k in range(3)]
    k = ranges.index(max(ranges))
    everyone = range(len(point))
    a = min(everyone, key=lambda i: (point[i][k], i))
    b = max(everyone, key=lambda i: (point[i][k], -i))
    along = sub(point[b], point[a])

    def off_line(i):
        n = cross(along, sub(point[i], point[a]))
        return dot(n, n)

    c = max(everyone, key=lambda i: (off_line(i), -i))
    n = cross(along, sub(point[c], point[a]))
    if off_line(c) <= flat * flat * dot(along, along):
        raise Flat
    d = max(everyone, key=lambda i: (abs(dot(n, sub(point[i], point[a]))), -i))
    height = dot(n, sub(point[d], point[a]))
    if abs(height) <= flat * math.sqrt(dot(n, n)):
        raise Flat
    return (a, c, b, d) if height > 0 else (a, b, c, d)  # d is below the triangle of the first three


class Growing:
    """A hull of triangles under way. across: {(a, b): the triangle with that edge}"""

    def __init__(self, point, flat):
        self.point, self.across, self.triangles = point, {}, {}
        a, b, c, d = first_four(point, flat)
        fresh = [self.enter(corners) for corners in ((a, b, c), (a, d, b), (b, d, c), (c, d, a))]
        self.share(range(len(point)), fresh)

    def enter(self, corners):
        triangle = Triangle(self.point, corners)
        self.triangles[corners] = triangle  # in order of their making: what is chosen does not depend on addresses
        for edge in triangle.edges():
            self.across[edge] = triangle
        return triangle

    def share(self, outside, fresh):
        """Each point goes to the new face that it is farthest above, if it is above any. All time is spent here."""
        planes = [(*triangle.n, triangle.d, triangle.length, triangle) for triangle in fresh]
        for i in outside:
            x, y, z = self.point[i]
            best, most = None, 0.0
            for nx, ny, nz, d, length, triangle in planes:
                above = nx * x + ny * y + nz * z - d
                if above > 0 and above / length > most:
                    best, most = triangle, above / length
            if best is not None:
                best.take(i, most)

    def corners(self):
        """Euler: a closed surface of triangles has 2 V - 4 of them."""
        return len(self.triangles) // 2 + 2

    def farthest(self):
        """The face that has a point farthest above it; None if there is none."""
        best = None
        for triangle in self.triangles.values():
            if triangle.farthest is not None and (best is None or triangle.distance > best.distance):
                best = triangle
        return best

    def grow(self, seed):
        """Replaces what point `seed.farthest` sees by triangles to it."""
        top, seen, waiting, rim = seed.farthest, {seed.corners: seed}, [seed], []
        while waiting:
            triangle = waiting.pop()
            for a, b in triangle.edges():
                other = self.across[b, a]
                if other.corners in seen:
                    continue
                if other.above(self.point[top]) > 0:
                    seen[other.corners] = other
                    waiting.append(other)
                else:
                    rim.append((a, b))
        outside = []
        for corners, triangle in seen.items():
            outside += triangle.outside
            del self.triangles[corners]
        fresh = [self.enter((a, b, top)) for a, b in rim]
        self.share((i for i in outside if i != top), fresh)


def grow(point, flat, most):
    """Triangles of the hull of at most `most` corners, and how far a point is left outside, in cells."""
    hull = Growing(point, flat)
    while True:
        seed = hull.farthest()
        if seed is None or seed.distance <= flat or hull.corners() >= most:
            return list(hull.triangles), 0.0 if seed is None else seed.distance
        hull.grow(seed)


# -------------------------------------------------------------------------------------------------------------- faces


def newell(points, corners):
    """Twice the area times the normal of a polygon."""
    origin, total = points[corners[0]], (0.0, 0.0, 0.0)
    for a, b in zip(corners[1:], corners[2:]):
        total = add(total, cross(sub(points[a], origin), sub(points[b], origin)))
    return total


def groups_of(points, triangles, flat, apart):
    """A number for each triangle: the largest takes all around it that is flat to it, then the largest of those left.
    Those in `apart` stay by themselves."""
    edge = {(t[k - 1], t[k]): i for i, t in enumerate(triangles) for k in range(3)}
    area = [newell(points, t) for t in triangles]
    order = sorted(range(len(triangles)), key=lambda i: (-norm(area[i]), i))
    group = {}
    for number, first in enumerate(order):
        if first in group:
            continue
        group[first], waiting = number, [] if first in apart else [first]
        n = unit(area[first])
        d = dot(n, points[triangles[first][0]])
        while waiting:
            t = triangles[waiting.pop()]
            for k in range(3):
                i = edge[t[k], t[k - 1]]
                if i in group or i in apart or any(abs(dot(n, points[c]) - d) > flat for c in triangles[i]):
                    continue
                group[i] = number
                waiting.append(i)
    return group, edge


def outline(triangles, group, edge, number):
    """Corners of a group with the group beyond each side, or None if it is not one closed line. Between two sides with
    the same group beyond is no corner."""
    after = {}
    for i, t in enumerate(triangles):
        if group[i] != number:
            continue
        for k in range(3):
            a, b = t[k - 1], t[k]
            beyond = group[edge[b, a]]
            if beyond != number:
                if a in after:
                    return None
                after[a] = (b, beyond)
    start = a = next(iter(after))
    sides = []
    for _ in range(len(after)):
        sides.append((a, after[a][1]))
        a = after[a][0]
        if a == start:
            break
    if a != start or len(sides) != len(after):
        return None
    return [side for before, side in zip([sides[-1]] + sides, sides) if side[1] != before[1]]


def dent(points, corners, n):
    """How deep a corner of a polygon lies inside of the line between its neighbours; negative if all turn left."""
    worst = -math.inf
    for k, b in enumerate(corners):
        a, c = points[corners[k - 1]], points[corners[(k + 1) % len(corners)]]
        along = sub(c, a)
        if not any(along):
            return math.inf
        worst = max(worst, dot(n, cross(unit(along), sub(points[b], a))))
    return worst


def face_of(points, sides, slack):
    """(n, d, corners, groups beyond), or None if it is no good face."""
    if sides is None or len(sides) < 3:
        return None
    corners, beyond = [a for a, _ in sides], [b for _, b in sides]
    area = newell(points, corners)
    if not any(area):
        return None
    n = unit(area)
    d = max(dot(n, p) for p in points)
    if any(d - dot(n, points[c]) > slack for c in corners) or dent(points, corners, n) > slack:
        return None
    return n, d, corners, beyond


def merged(points, triangles, flat, slack):
    """Faces. A group that makes no good face is taken apart into its triangles, and it begins again."""
    apart = set()
    while True:
        group, edge = groups_of(points, triangles, flat, apart)
        faces = {g: face_of(points, outline(triangles, group, edge, g), slack) for g in sorted(set(group.values()))}
        bad = {g for g, face in faces.items() if face is None}
        again = {i for i, g in group.items() if g in bad} - apart
        if not bad or not again:
            break
        apart |= again
    if bad or len(faces) < 4:
        return None
    number = {g: i for i, g in enumerate(faces)}
    return [(n, d, corners, [number[b] for b in beyond]) for n, d, corners, beyond in faces.values()]


def closed(points, faces):
    """Does each side run back on the face beyond it, and do corners, faces and edges add up (Euler)?"""
    sides = {}
    for f, (_, _, corners, across) in enumerate(faces):
        for k, a in enumerate(corners):
            sides[f, a, corners[(k + 1) % len(corners)]] = across[k]
    corners = {a for _, a, _ in sides}
    return (
        all(sides.get((g, b, a)) == f for (f, a, b), g in sides.items())
        and len(corners) == len(points)
        and 2 * (len(points) + len(faces)) == len(sides) + 4
    )


def numbered(points, faces):
    """Only the points that are corners, in their order."""
    used = sorted({a for face in faces for a in face[2]})
    at = {old: new for new, old in enumerate(used)}
    return [points[i] for i in used], [(n, d, [at[a] for a in corners], across) for n, d, corners, across in faces]


def hull_of(points, most):
    """The hull of these points with at most `most` corners. Raises Flat if they have no volume."""
    cells, extent, to_metres = on_grid(points)
    triangles, reach = grow(cells, FLAT * extent, most)
    used = sorted({a for t in triangles for a in t})
    at = {old: new for new, old in enumerate(used)}
    corners = [to_metres(cells[i]) for i in used]
    triangles = [tuple(at[a] for a in t) for t in triangles]
    size = norm(to_metres((extent, 0, 0)))
    for part in (1.0, 0.125, 0.015625, 0.0):  # of what counts as flat; in the end only what is flat exactly
        faces = merged(corners, triangles, part * FLAT * size, 0.5 * SLACK * size)
        if faces is None:
            continue
        kept, faces = numbered(corners, faces)
        if closed(kept, faces):
            return Hull(kept, faces, norm(to_metres((1, 0, 0))) * reach)
    raise Flat
