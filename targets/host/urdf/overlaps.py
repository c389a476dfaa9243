# SPDX-License-Identifier: MIT
"""overlaps - links that overlap where the robot begins, named with the depth and the option that helps.

The kernel itself looks, by the host tool: depths of its shapes are what a step will see. Links that overlap for good
are held apart by contacts against the joints between them."""
import os
import subprocess
import tempfile

from . import emit_blob
from .document import printable
from .pairs import joints_between


def ask(made, tool):
    """Lines "A B DEPTH" of the tool, or None and why it gave none."""
    if not os.path.exists(tool):
        return None, f"{tool} is not there: make tactus"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        with open(path, "wb") as file:
            file.write(emit_blob.emit(made))
        done = subprocess.run([tool, "overlaps", path], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, done.stderr.replace(path, "the model").strip().splitlines()[0]
    return done.stdout.splitlines(), None


def deepest(made, lines):
    """The depth of each pair of links, deepest first."""
    found = {}
    for line in lines:
        a, b, depth = line.split()
        pair = (made.owners[int(a)], made.owners[int(b)])
        found[pair] = max(found.get(pair, 0.0), float(depth))
    return sorted(found.items(), key=lambda item: -item[1])


def advice(made, one, other):
    if one is None or other is None:
        return "--z lifts the robot"
    joints = joints_between(made.beside, made.links[one][0], made.links[other][0])
    srdf = f'--srdf with <disable_collisions link1="{printable(one)}" link2="{printable(other)}"/>'
    return srdf if joints is None else f"--adjacent {joints}, or {srdf}"


def name_overlaps(made, tool, notes):
    if not made.model["shape"]:
        return
    lines, why = ask(made, tool)
    if lines is None:
        notes.say(f"links that overlap are not looked for: {printable(why)}")
        return
    for (one, other), depth in deepest(made, lines):
        names = [f"link '{printable(name)}'" if name else "the floor" for name in (one, other)]
        notes.say(f"{names[0]} and {names[1]} overlap by {1000.0 * depth:.4g} mm at the start; {advice(made, one, other)}")
