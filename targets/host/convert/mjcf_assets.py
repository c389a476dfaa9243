# SPDX-License-Identifier: MIT
"""mjcf_assets - meshes and height fields of an MJCF file, read when they are first needed."""
import os
import struct

from . import mesh
from .complaint import Complaint
from .document import printable, read_bounded
from .hull import Flat, hull_of
from .inertia import principal
from .space import UPRIGHT, Pose, conjugate, multiply, normal, rotate, sub
from .volume import of_hull, of_triangles

MOST_SAMPLES = 16000000
UNITS = 32767  # of the highest sample of a height field


def single(x):
    """MuJoCo reads points of meshes as floats."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


class Mesh:
    endings = tuple(mesh.READERS)

    def __init__(self, item, name, path):
        self.item, self.name, self.path, self.read_already, self.solid_already = item, name, path, None, None
        self.how = item.word("inertia", ("legacy", "exact", "convex", "shell"), "legacy")

    def read(self):
        """Points in the geom's frame, and triangles."""
        if self.read_already is None:
            item = self.item
            points, triangles = mesh.read_mesh(self.path) if self.path else self.written()
            away, turned = item.numbers("refpos", 3, 3, (0.0, 0.0, 0.0)), normal(item.numbers("refquat", 4, 4, UPRIGHT))
            factors = item.numbers("scale", 3, 3, (1.0, 1.0, 1.0))
            if 0.0 in factors:
                item.complain("scale has a zero in it")
            points = [tuple(single(x) for x in point) for point in points]
            if any(away) or turned != UPRIGHT:
                points = [rotate(conjugate(turned), sub(point, away)) for point in points]
            self.read_already = [tuple(x * s + 0.0 for x, s in zip(p, factors)) for p in points], triangles
            if factors[0] * factors[1] * factors[2] < 0.0:
                self.read_already = self.read_already[0], [(a, c, b) for a, b, c in triangles]
        return self.read_already

    def written(self):
        """Of the attributes vertex and face."""
        item = self.item
        numbers, corners = item.numbers("vertex", 12, 1 << 20), item.numbers("face", 0, 1 << 20, ())
        points = list(zip(*[iter(numbers)] * 3))
        triangles = [tuple(map(int, t)) for t in zip(*[iter(corners)] * 3)]
        if len(numbers) % 3 or len(corners) % 3 or any(not 0 <= i < len(points) for t in triangles for i in t):
            item.complain("vertex and face: three numbers for each point and triangle, which has indices of points")
        return points, triangles

    def hull_points(self):
        """As read_points() gives them."""
        return sorted(set(self.read()[0]))

    def solid(self):
        """Volume, centre, tensor for a density of 1; the surface and what it weighs, if the file says so."""
        if self.solid_already is None:
            points, triangles = self.read()
            if self.how == "convex" or not triangles:
                self.solid_already = of_hull(self.hull(points))
            else:
                self.solid_already = of_triangles(points, triangles, self.how)
            if self.solid_already is None:
                self.item.complain(f"mesh '{printable(self.name)}' has no volume: inertia='shell' is of its surface")
        return self.solid_already

    def hull(self, points):
        try:
            return hull_of(points, 100000)
        except Flat:
            return self.item.complain(f"mesh '{printable(self.name)}' is flat")

    def box(self):
        """The pose and the half lengths of the box with its inertia, the longest along z."""
        volume, centre, tensor = self.solid()
        moments, axes = principal(tensor)
        lengths = [0.5 * max(0.0, 6.0 * (sum(moments) - 2.0 * m) / volume) ** 0.5 for m in moments]
        k = lengths.index(max(lengths))
        cyclic = [(0.5, 0.5, 0.5, 0.5), (0.5, -0.5, -0.5, -0.5), UPRIGHT][k]  # z becomes that axis
        return Pose(centre, normal(multiply(axes, cyclic))), [lengths[(k + n) % 3] for n in (1, 2, 3)]

    def bounds(self, pose):
        """Least and largest coordinates along the axes of a pose."""
        points = [rotate(conjugate(pose.q), sub(p, pose.p)) for p in self.read()[0]]
        return [(min(p[k] for p in points), max(p[k] for p in points)) for k in range(3)]


class Field:
    """rows from low y to high y, columns from low x to high x."""

    endings = ()

    def __init__(self, item, name, path):
        self.item, self.name, self.path = item, name, path
        self.size = item.numbers("size", 4, 4)
        if min(self.size) <= 0.0:
            item.complain("size has a number that is not > 0")

    def samples(self):
        """(columns, rows, heights from 0 to 1)"""
        item = self.item
        if self.path:
            return self.from_file()
        rows, columns = item.whole("nrow", 0), item.whole("ncol", 0)
        if rows < 2 or columns < 2 or rows * columns > MOST_SAMPLES:
            item.complain("nrow and ncol must be 2 or more")
        count = rows * columns
        heights = item.numbers("elevation", count, count, (0.0,) * count)
        return columns, rows, [heights[i + columns * (rows - 1 - j)] for j in range(rows) for i in range(columns)]

    def from_file(self):
        data = read_bounded(self.path, 8 + 4 * MOST_SAMPLES)
        rows, columns = struct.unpack_from("<2i", data) if len(data) > 8 else (0, 0)
        if rows < 2 or columns < 2 or len(data) != 8 + 4 * rows * columns:
            raise Complaint(f"{self.path}: not as long as its numbers of rows and columns say")
        return columns, rows, list(struct.unpack_from(f"<{rows * columns}f", data, 8))

    def data(self):
        """As Geometry.data of a terrain: columns, rows, whole numbers, spacings, and what one unit is."""
        columns, rows, heights = self.samples()
        low, high = min(heights), max(heights)
        factor = UNITS / (high - low) if high > low else 0.0
        spacing = (2.0 * self.size[0] / (columns - 1), 2.0 * self.size[1] / (rows - 1))
        return (columns, rows, [round(factor * (x - low)) for x in heights], *spacing, self.size[2] / UNITS)


class Assets:
    """meshes, fields: by name."""

    def __init__(self, file, compiler, options, notes):
        self.file, self.compiler, self.options, self.notes = file, compiler, options, notes
        self.meshes, self.fields = {}, {}
        for element in file.section("asset"):
            if element.tag == "mesh":
                self.enter(self.meshes, Mesh, element)
            elif element.tag == "hfield":
                self.enter(self.fields, Field, element)

    def enter(self, table, kind, element):
        item = self.file.item(element)
        name = item.text("file", "")
        path = self.path_of(item, name) if name else ""
        for attribute in ("scale", "refpos", "refquat"):  # of what is only drawn these are not needed
            item.has(attribute)
        known = item.text("name", os.path.splitext(os.path.basename(name))[0])
        if known in table:
            item.complain("second one of this name")
        table[known] = kind(item, known, path)

    def path_of(self, item, name):
        """Where it is, whether it is there or not."""
        name = os.path.basename(name) if self.compiler.strip else name
        if "\0" in name:
            item.complain("its name has a zero in it")
        return os.path.join(self.file.folder, self.compiler.folder, name)

    def there(self, asset):
        """Is its file there, and can it be read? If not, that must be allowed."""
        if not asset.path:
            return True
        why = None if os.path.isfile(asset.path) else "no such file"
        if asset.endings and not asset.path.lower().endswith(asset.endings):
            why = f"only {', '.join(asset.endings)} are read"
        if not asset.endings and asset.path.lower().endswith(".png"):
            why = "a PNG is not read: elevation, or MuJoCo's own format"
        if why is None:
            return True
        what = f"file '{printable(asset.path)}': {why}"
        if not self.options.skip_missing:
            asset.item.complain(what)
        self.notes.say(f"{asset.item.element.about()}: {what}: no shape")
        return False

    def find(self, table, item, attribute):
        name = item.text(attribute)
        if name not in table:
            item.complain(f"{attribute} '{printable(name)}' is not there")
        return table[name]
