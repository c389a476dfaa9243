# SPDX-License-Identifier: MIT
"""overlaps - links that overlap where the robot begins, or wherever its joints are: they do not collide.

The kernel itself looks, by the host tool: depths of its shapes are what a step will see. Contacts would hold such links
apart against the joints between them, and that has no end."""
import os
import subprocess
import tempfile
from collections import Counter

from . import emit_blob
from .complaint import Notes
from .document import printable

# Relative to the sizes of both shapes: what only touches, as the fingers of a closed gripper do, does not overlap.
TOUCHING = 1e-6
GROUPS = [1 << k for k in range(1, 16)]  # of shapes; all are in group 1 at first


def ask(made, tool):
    """Lines "A B DEPTH LEAST" of the tool, or None and why it gave none."""
    if not os.path.exists(tool):
        return None, f"{tool} is not there: make tactus"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        with open(path, "wb") as file:
            file.write(emit_blob.emit(made))
        done = subprocess.run([tool, "overlaps", path], capture_output=True, text=True, check=False)
    lines = [line.split() for line in done.stdout.splitlines()]
    if any(len(line) != 4 for line in lines):
        return None, f"{tool} is of another version: make tactus"
    if done.returncode != 0:
        return None, (done.stderr.replace(path, "the model").strip().splitlines() or [f"{tool} failed"])[0]
    return lines, None


def extent(made, shape):
    """A length of a shape."""
    if shape["kind"] == "TAC_HEIGHT_FIELD":
        field = made.model["field"][shape["data"]]
        return max(field["dx"] * field["columns"], field["dy"] * field["rows"])
    if shape["kind"] != "TAC_HULL":
        return max(shape["size"])
    polyhedron = made.model["polyhedron"][shape["data"]]
    return max(high - low for low, high in zip(polyhedron["low"], polyhedron["high"]))


def deepest(made, lines):
    """Depth at the start and least depth of each pair of links, deepest first."""
    found = {}
    for a, b, *depths in lines:
        shapes = [made.model["shape"][int(k)] for k in (a, b)]
        touching = TOUCHING * max(extent(made, shape) for shape in shapes)
        pair = (made.owners[int(a)], made.owners[int(b)])
        depths = [float(x) if float(x) > touching else 0.0 for x in depths]
        if any(depths):
            found[pair] = tuple(map(max, depths, found.get(pair, (0.0, 0.0))))
    return sorted(found.items(), key=lambda item: [-x for x in item[1]])


def by_how_much(depth, least):
    if depth > 0.0:
        return f"by {1e3 * depth:.4g} mm at the start"
    return f"by {1e3 * least:.4g} mm at least, wherever their joints are"


def part_by_groups(made, pairs):
    """Shapes of links get groups that those of others do not collide with. Returns the pairs that no group is left for:
    a group serves all pairs of one link."""
    shapes = made.model["shape"]
    of = {link: [shape for shape, owner in zip(shapes, made.owners) if owner == link] for pair in pairs for link in pair}
    for group in GROUPS:
        if not pairs:
            break
        link = Counter(link for pair in pairs for link in pair).most_common(1)[0][0]
        for shape in of[link]:
            shape["group"] = group
        for pair in pairs:
            for shape in of[pair[pair[0] == link]] if link in pair else ():
                shape["mask"] &= ~group
        pairs = [pair for pair in pairs if link not in pair]
    return pairs


def apart(tree, one, other):
    """Are these links parts of different things, or one of the world?"""
    tops = []
    for name in (one, other):
        while name != tree.root and tree.above[name].parent != tree.root:
            name = tree.above[name].parent
        tops.append(name)
    return tops[0] != tops[1] or tree.root in tops


def part_overlaps(made, options, notes):
    if not made.model["shape"]:
        return
    lines, why = ask(made, options.tactus)
    if lines is None:
        notes.say(f"links that overlap are not looked for: {printable(why)}")
        return
    pairs, ends = [], ", and collide" if options.keep_overlaps else ": they do not collide"
    for (one, other), (depth, least) in deepest(made, lines):
        if one is None:
            if depth > 0.0:
                where = by_how_much(depth, least)
                notes.say(f"the floor and link '{printable(other)}' overlap {where}; --z lifts the robot")
            continue
        if made.robot.scene and apart(made.tree, one, other):
            notes.say(
                f"body '{printable(one)}' and body '{printable(other)}' overlap {by_how_much(depth, least)}, and collide"
            )
            continue
        pairs.append((one, other))
        notes.say(
            f"link '{printable(one)}' and link '{printable(other)}' overlap {by_how_much(depth, least)}{ends}"
        )
    if pairs and not options.keep_overlaps:
        notes.say("links that overlap collide with --keep-overlaps")
        left = pairs if made.robot.scene else part_by_groups(made, pairs)  # groups say what filters do there
        made.part(left, options, Notes())
        if left and not made.robot.scene:
            notes.say(f"of {len(left)} of these pairs the whole bodies do not collide, since shapes have 16 groups")
