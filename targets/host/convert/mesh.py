# SPDX-License-Identifier: MIT
"""mesh - points and triangles of STL, OBJ and MSH files, and where a URDF's name for one leads."""
import math
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


def indexed(corners):
    """(points, triangles) of corners, three of each triangle: points that are the same are one."""
    known, at = {}, [0, 0, 0]
    triangles = []
    for k, corner in enumerate(corners):
        at[k % 3] = known.setdefault(corner, len(known))
        if k % 3 == 2:
            triangles.append(tuple(at))
    return list(known), triangles


def read_binary_stl(data):
    triangles = struct.iter_unpack("<12x9f2x", data[STL_HEAD:])
    return indexed(corner for t in triangles for corner in (t[0:3], t[3:6], t[6:9]))


def read_text_stl(path, data):
    corners = []
    for number, line in enumerate(data.decode("latin-1").splitlines(), 1):
        words = line.split()
        if words and words[0].lower() == "vertex":
            corners.append(three_numbers(path, words[1:], number))
    return indexed(corners)


def read_stl(path, data):
    """Binary if its length says so: many binary files begin with the word solid, too."""
    if len(data) >= STL_HEAD and len(data) == STL_HEAD + STL_TRIANGLE * struct.unpack_from("<I", data, 80)[0]:
        return read_binary_stl(data)
    points, triangles = read_text_stl(path, data) if data.lstrip()[:5].lower() == b"solid" else ([], [])
    if not points:
        raise Complaint(f"{path}: not STL: no text with vertices, and not as long as its number of triangles says")
    return points, triangles


def fan(points, face):
    """Triangles around the first corner; of four corners the shorter diagonal parts them."""
    if len(face) == 4:
        ways = (face, face[1:] + face[:1])
        face = min(ways, key=lambda way: math.dist(points[way[0]], points[way[2]]))
    return [(face[0], b, c) for b, c in zip(face[1:], face[2:])]


def read_obj(path, data):
    """Faces as triangles, see fan()."""
    points, triangles = [], []
    for number, line in enumerate(data.decode("latin-1").splitlines(), 1):
        words, face = line.split(), []
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
            face.append(index)
        triangles += fan(points, face)
    return points, triangles


def read_msh(path, data):
    """MuJoCo's own: numbers of points, normals, points of textures, triangles; then these, in this order."""
    head = struct.unpack_from("<4i", data) if len(data) >= 16 else (-1,)
    if min(head) < 0 or len(data) != 16 + 4 * (3 * head[0] + 3 * head[1] + 2 * head[2] + 3 * head[3]):
        raise Complaint(f"{path}: not MSH: not as long as its first four numbers say")
    corners = struct.unpack_from(f"<{3 * head[0]}f", data, 16)
    faces = struct.unpack_from(f"<{3 * head[3]}i", data, len(data) - 12 * head[3])
    if faces and not 0 <= min(faces) <= max(faces) < head[0]:
        raise Complaint(f"{path}: a triangle has a corner that is not there")
    return list(zip(*[iter(corners)] * 3)), list(zip(*[iter(faces)] * 3))


READERS = {".stl": read_stl, ".obj": read_obj, ".msh": read_msh}


def read_mesh(path):
    """Points and triangles, which are none where a file has only points."""
    points, triangles = READERS[os.path.splitext(path)[1].lower()](path, read_bounded(path, MOST_BYTES))
    for point in points:
        if not all(abs(x) <= 1e30 for x in point):
            raise Complaint(f"{path}: a point is not finite, or too large: {point}")
    return points, triangles


def read_points(path):
    """The points of a mesh that triangles use, each once, sorted: their order in the file does not count."""
    points, triangles = read_mesh(path)
    if triangles:
        points = [points[i] for i in {i for triangle in triangles for i in triangle}]
    points = sorted(set(points))
    if len(points) < 4:
        raise Complaint(f"{path}: {len(points)} points make no body")
    return points
