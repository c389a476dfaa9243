#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""urdf_meshes.py - a robot of meshes, for urdf.t.   urdf_meshes.py FOLDER
  given   a folder
  makes   meshes.urdf in it, and the files that it names: binary and text STL, OBJ
  bound   some thousand points
  never   needs data: shapes are computed here, random ones from a fixed seed"""
import itertools
import math
import random
import struct
import sys

folder, source = sys.argv[1], random.Random(3)
turned = [(0.36, 0.48, -0.8), (-0.8, 0.6, 0.0), (0.48, 0.64, 0.6)]  # a rotation


def turn(points):
    return [tuple(sum(r * x for r, x in zip(row, p)) for row in turned) for p in points]


def ball(count):
    points = [[source.gauss(0, 1) for _ in range(3)] for _ in range(count)]
    return [tuple(0.1 * x / math.dist(p, (0, 0, 0)) for x in p) for p in points]


def rod(corners):
    angles = [2 * k * math.pi / corners for k in range(corners)]
    return [(0.03 * math.cos(a), 0.03 * math.sin(a), z) for a in angles for z in (-0.1, 0.1)]


def write(name, data):
    with open(f"{folder}/{name}", "wb") as file:
        file.write(data)


def triples(points):
    """Triangles that name all points: a hull needs no more."""
    return [points[k : k + 3] for k in range(0, len(points) - 2, 3)] + [points[-3:]]


def stl(points):
    triangles = triples(points)
    body = b"".join(struct.pack("<12f2x", 0, 0, 0, *(x for p in t for x in p)) for t in triangles)
    return b"\0" * 80 + struct.pack("<I", len(triangles)) + body


def text_stl(points):
    facets = (
        "facet normal 0 0 0\nouter loop\n" + "".join("vertex %r %r %r\n" % p for p in t) + "endloop\nendfacet\n"
        for t in triples(points)
    )
    return ("solid s\n" + "".join(facets) + "endsolid\n").encode()


def obj(points):
    return "".join("v %r %r %r\n" % p for p in points).encode()


box = [tuple(s * h for s, h in zip(signs, (0.05, 0.1, 0.2))) for signs in itertools.product((-1, 1), repeat=3)]
files = {
    "box.stl": stl(box),
    "tilted.stl": text_stl(turn(box)),
    "ball.obj": obj(ball(3000)),
    "rod.stl": stl(turn(rod(12))),
    "pin.obj": obj(rod(8)),
}
for name, data in files.items():
    write(name, data)

meshes = [(name, "1 1 1") for name in files] + [("box.stl", "1 1 1"), ("box.stl", "1 -2 0.5"), ("ball.obj", "1 1 3")]
inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
links = "".join(
    f'<link name="l{k}">{inertial}<collision><origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/><geometry>'
    f'<mesh filename="{name}" scale="{scale}"/></geometry></collision></link>\n'
    for k, (name, scale) in enumerate(meshes)
)
joints = "".join(
    f'<joint name="j{k}" type="revolute"><origin xyz="0.5 0 0"/><parent link="l{k - 1}"/><child link="l{k}"/></joint>\n'
    for k in range(1, len(meshes))
)
write("meshes.urdf", f'<robot name="meshes">\n{links}{joints}</robot>\n'.encode())
