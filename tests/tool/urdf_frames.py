#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""urdf_frames.py - is each link of a robot where the kernel has its frame?   urdf_frames.py ROBOT.urdf HEADER SAID TOLERANCE [JOINT=VALUE ...]
  given   the file; the header that urdf2tactus wrote, with --name robot; "frame INDEX x y z w x y z" of each frame
  makes   a line for each link that is elsewhere or has no enumerator; code 1 if there is one
  bound   links times joints
  never   uses a part of urdf2tactus: rotations are matrices here"""
import re
import sys
import xml.etree.ElementTree
from math import cos, hypot, sin


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def times(a, v):
    return [sum(a[i][k] * v[k] for k in range(3)) for i in range(3)]


def about(axis, angle):
    """Rodrigues' formula."""
    x, y, z = (c / hypot(*axis) for c in axis)
    c, s = cos(angle), sin(angle)
    return [
        [c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
        [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
        [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)],
    ]


def vector(element, attribute, default):
    text = None if element is None else element.get(attribute)
    return default if text is None else [float(word) for word in text.split()]


def links_of(path, values):
    """{link: (position, rotation)}"""
    root = xml.etree.ElementTree.parse(path).getroot()
    joints = root.findall("joint")
    below = {joint.find("child").get("link") for joint in joints}
    still = [[float(i == j) for j in range(3)] for i in range(3)]
    known = {link.get("name"): ([0, 0, 0], still) for link in root.findall("link") if link.get("name") not in below}
    while joints:
        for joint in [j for j in joints if j.find("parent").get("link") in known]:
            p, turn = known[joint.find("parent").get("link")]
            origin, value = joint.find("origin"), values.get(joint.get("name"), 0.0)
            place = times(turn, vector(origin, "xyz", [0, 0, 0]))
            roll, pitch, yaw = vector(origin, "rpy", [0, 0, 0])
            for axis, angle in (([0, 0, 1], yaw), ([0, 1, 0], pitch), ([1, 0, 0], roll)):
                turn = product(turn, about(axis, angle))
            axis = vector(joint.find("axis"), "xyz", [1, 0, 0])
            slide = [0, 0, 0]
            if joint.get("type") == "prismatic":
                slide = times(turn, [value * c / hypot(*axis) for c in axis])
            elif joint.get("type") in ("revolute", "continuous"):
                turn = product(turn, about(axis, value))
            known[joint.find("child").get("link")] = ([a + b + c for a, b, c in zip(p, place, slide)], turn)
            joints.remove(joint)
    return known


def matrix(w, x, y, z):
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]


def main(path, header, said, tolerance, *values):
    with open(header) as file:
        index = {name: int(k) for name, k in re.findall(r"ROBOT_FRAME_(\w+) = (\d+)", file.read())}
    with open(said) as file:
        frames = {int(line.split()[1]): [float(x) for x in line.split()[2:]] for line in file if line.startswith("frame")}
    links = links_of(path, {name: float(value) for name, value in (text.split("=") for text in values)})
    code = int(len(frames) != len(links))
    for link, (p, turn) in links.items():
        found = frames.get(index.get(re.sub("[^A-Z0-9]+", "_", link.upper())), [0.0] * 7)
        flat = [*p, *turn[0], *turn[1], *turn[2]]
        mine = [*found[:3], *(x for row in matrix(*found[3:]) for x in row)]
        off = max(abs(a - b) for a, b in zip(flat, mine))
        if not off <= float(tolerance):
            print(f"{link} is off by {off}")
            code = 1
    return code


sys.exit(main(*sys.argv[1:]))
