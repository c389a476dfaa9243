# SPDX-License-Identifier: MIT
"""srdf - pairs of links that do not collide, from <disable_collisions> of an SRDF file."""
from .document import printable, read


def read_pairs(path, robot, notes):
    root = read(path, "robot")
    root.asked.add("name")
    pairs = []
    for element in root.all("disable_collisions"):
        pair = (element.text("link1"), element.text("link2"))
        element.asked.add("reason")
        for name in pair:
            if name not in robot.links:
                element.complain(f"no link '{printable(name)}' in {robot.path}")
        pairs.append(pair)
    root.leftovers(notes, "srdf")
    return pairs
