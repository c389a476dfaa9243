# SPDX-License-Identifier: MIT
"""mesh - the points of an STL or OBJ file, and where a URDF's name for it leads."""
import os
import re
import struct

from .complaint import Complaint
from .document import printable, read_bounded

MOST_BYTES = 64 << 20
STL_HEAD, STL_TRIANGLE = 84, 50


# ------------------------------------------------------------------------------------------------------------- places


def places(name, robot_path, package_paths):
    """Where a file of that name may be, most likely first."""
    package = re.match(r"(?:package|model):///?([^/]+)/(.*)", name)
    folder = os.path.dirname(os.path.abspath(robot_path))
    if package is None:
        return [os.path.join(folder, re.sub("^file://", "", name))]
    found, wanted, rest = [], package.group(1), package.group(2)
    for path in package_paths:
        found.append(os.path.join(path, wanted, rest))
        if os.path.basename(os.path.abspath(path)) == wanted:
            found.append(os.path.join(path, rest))
    while True:  # folders above the robot's file, up to /
        if os.path.basename(folder) == wanted:
            found.append(os.path.join(folder, rest))
        found.append(os.path.join(folder, wanted, rest))
        if os.path.dirname(folder) == folder:
            return found
        folder = os.path.dirname(folder)


def find(name, robot_path, package_paths):
    """(path, None), or (None, why there is none that can be read)."""
    if "\0" in name:
        return None, "its name has a zero in it"
    for path in places(name, robot_path, package_paths):
        if os.path.isfile(path):
            if path.lower().endswith((".stl", ".obj")):
                return path, None
            return None, "only STL and OBJ are read"
    hint = ": --package-path names folders that hold packages" if name.startswith(("package:", "model:")) else ""
    return None, "no such file" + hint


# -------------------------------------------------------------------------------------------------------------- files


def three_numbers(path, words, line):
    try:
        point = tuple(float(word) for word in words)
    except ValueError:
        raise Complaint(f"{path}:{line}: '{printable(' '.join(words))}' are not numbers") from None
    if len(point) != 3:
        raise Complaint(f"{path}:{line}: {len(point)} numbers, must be 3")
    return point


def read_binary_stl(data):
    points = set()
    for triangle in struct.iter_unpack("<12x9f2x", data[STL_HEAD:]):
        points.update((triangle[0:3], triangle[3:6], triangle[6:9]))
    return points


def read_text_stl(path, data):
    points = set()
    for number, line in enumerate(data.decode("latin-1").splitlines(), 1):
        words = line.split()
        if words and words[0].lower() == "vertex":
            points.add(three_numbers(path, words[1:], number))
    return points


def read_stl(path, data):
    """Binary if its length says so: many binary files begin with the word solid, too."""
    if len(data) >= STL_HEAD and len(data) == STL_HEAD + STL_TRIANGLE * struct.unpack_from("<I", data, 80)[0]:
        return read_binary_stl(data)
    points = read_text_stl(path, data) if data.lstrip()[:5].lower() == b"solid" else None
    if not points:
        raise Complaint(f"{path}: not STL: no text with vertices, and not as long as its number of triangles says")
    return points


def read_obj(path, data):
    """Points that faces use, or all if there are no faces."""
    points, used = [], set()
    for number, line in enumerate(data.decode("latin-1").splitlines(), 1):
        words = line.split()
        if words and words[0] == "v":
            points.append(three_numbers(path, words[1:4], number))
        for word in words[1:] if words and words[0] == "f" else ():
            try:
                index = int(word.split("/")[0])
            except ValueError:
                index = 0
            index = index - 1 if index > 0 else len(points) + index
            if not 0 <= index < len(points):
                raise Complaint(f"{path}:{number}: '{printable(word)}' is no corner of a face")
            used.add(index)
    return {points[i] for i in used} if used else set(points)


def read_points(path):
    """The points of a mesh, each once, sorted: their order in the file does not count."""
    data = read_bounded(path, MOST_BYTES)
    points = read_obj(path, data) if path.lower().endswith(".obj") else read_stl(path, data)
    for point in points:
        if not all(abs(x) <= 1e30 for x in point):
            raise Complaint(f"{path}: a point is not finite, or too large: {point}")
    if len(points) < 4:
        raise Complaint(f"{path}: {len(points)} points make no body")
    return sorted(points)
