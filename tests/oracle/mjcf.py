# SPDX-License-Identifier: MIT
"""mjcf.py - mjcf2tactus against MuJoCo.   mjcf.py PACKAGE FOLDER [FILE.xml ...]

  given   the folder of the npm package @mujoco/mujoco, a folder for what is written, build/tactus; MJCF files. Without any
          those that mjcf_worlds.py makes, and all robots in a folder of the Menagerie that TACTUS_MENAGERIE names
  makes   TAP; a line for each file, what it has, and the largest differences:
            bodies      masses, centres, inertias
            joints      limits, springs, dampers, dry friction of balls, armatures, at 0
            kinematics  poses and velocities of all bodies in random states, as the converter computes them
            kernel      coordinates and rates of joints in the first of these, as the kernel computes them
            motion      poses after SECONDS of free motion, with steps of h and of h/2
  bound   SEEDS random worlds
  never   reads what the converter writes for users: it asks its parts"""
import csv
import json
import math
import os
import random
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "targets/host"))

import mjcf_worlds  # noqa: E402
from convert import emit_blob, main, mjcf  # noqa: E402
from convert.complaint import Complaint, Notes  # noqa: E402
from convert.document import Element  # noqa: E402
from convert.inertia import principal, turned  # noqa: E402
from convert.model import make_model  # noqa: E402
from convert.space import IDENTITY, Pose, compose, move, normal, rotate, sub  # noqa: E402
from convert.tree import Tree, place, values, velocities  # noqa: E402

SECONDS, STEP, TRUTH = 0.25, 1e-3, 1.25e-4
STATES, SEEDS = 3, 16
# Products of inertia that MuJoCo leaves in what it takes for principal axes, and more, kg m2: it finds axes up to 1e-12,
# and those of a mesh for a density of 1.
EIGEN, MESH_EIGEN = 1e-11, 2e-9
SIZES = {0: (7, 6), 1: (4, 3), 2: (1, 1), 3: (1, 1)}  # of qpos and qvel, by MuJoCo's kinds of joints


def random_state(truth, rng):
    """Springs begin near their rest: beyond half a turn the kernel's coordinate is another one than MuJoCo's."""
    qpos, qvel = [], []
    for k, kind in enumerate(truth.get("type", ())):
        centre = truth["spring"][len(qpos)] if kind == 3 and truth["stiffness"][k] else 0.0
        if kind == 0:
            qpos += [rng.uniform(-1.0, 1.0) for _ in range(3)]
        if kind < 2:
            near = 2.0 if kind == 1 and truth["stiffness"][k] else 0.0
            qpos += normal([near + abs(rng.gauss(0.0, 1.0)), *(rng.gauss(0.0, 1.0) for _ in range(3))])
        else:
            qpos.append(centre + rng.uniform(-1.0, 1.0) * (0.3 if kind == 2 else 0.5 if centre else 1.2))
        qvel += [rng.uniform(-0.5, 0.5) for _ in range(SIZES[kind][1])]
    return {"qpos": qpos, "qvel": qvel}


def ask(package, folder, requests):
    paths = [os.path.join(folder, name) for name in ("requests.json", "answers.json")]
    with open(paths[0], "w", encoding="ascii") as file:
        json.dump(requests, file)
    subprocess.run(["node", os.path.join(HERE, "mujoco.mjs"), package, *paths], check=True)
    with open(paths[1], encoding="utf-8") as file:
        return json.load(file)


def read(path, state=None):
    """(robot, made model) with that state; shapes, limits, dry friction and what closes loops are left out."""
    options = main.arguments([path, "--tactus", "none", "--skip-missing"], main.MJCF)
    notes = Notes()
    robot, pairs = mjcf.read_mjcf(path, options, notes)
    limits = {name: (joint.lower, joint.upper) for name, joint in robot.joints.items()}
    if state is not None:
        attributes = {name: " ".join(map(repr, numbers)) for name, numbers in state.items()}
        mjcf.enter_state(robot, robot.order, mjcf.Key(Element(path, "key", 0, attributes, None)))
        for link in robot.links.values():
            link.geometries = []
        robot.closures = []
        for joint in robot.joints.values():
            joint.lower = joint.upper = joint.mimic = None
            joint.friction = 0.0
    return robot, limits, lambda: make_model(robot, pairs, options, notes)


def worst(pairs):
    """Of numbers that should be the same: the largest difference, relative to the larger of both and to 1."""
    return max((abs(a - b) / max(1.0, abs(a), abs(b)) for a, b in pairs), default=0.0)


def same_turn(a, b):
    """Pairs of the components of two quaternions, of which the sign does not count."""
    sign = math.copysign(1.0, sum(x * y for x, y in zip(a, b)))
    return [(x, sign * y) for x, y in zip(a, b)]


def three(values, i):
    return values[3 * i : 3 * i + 3]


def bodies(robot, truth):
    """Links by the indices of MuJoCo's bodies, which may have been fused."""
    own = [name for name, link in robot.links.items() if link.carries is None]
    if len(own) == len(truth["bodies"]):
        return dict(enumerate(own))
    return {i: name for i, name in enumerate(truth["bodies"]) if name in robot.links}


def compare_bodies(robot, truth, known, eigen):
    pairs = []
    for i, name in known.items():
        link = robot.links[name]
        if i == 0 or truth["mass"][i] == 0.0 == link.mass:
            continue
        scale = max(three(truth["inertia"], i)) or 1.0
        xx, yy, zz = three(truth["inertia"], i)
        other = turned((xx, 0.0, 0.0, yy, 0.0, zz), normal(truth["iquat"][4 * i : 4 * i + 4]))
        pairs.append((1.0, link.mass / truth["mass"][i]))
        pairs += zip(link.inertial.p, three(truth["ipos"], i))
        own = turned(link.tensor, link.inertial.q)
        pairs += [(x / scale, y / scale) for x, y in zip(sorted(principal(own)[0]), sorted((xx, yy, zz)))]
        apart = (max(0.0, abs(x - y) - eigen) for x, y in zip(own, other))
        pairs += [(x / scale, 0.0) for x in apart]
    return worst(pairs)


def compare_joints(robot, limits, truth):
    pairs, q, v = [], 0, 0
    for k, (joint, kind) in enumerate(zip(robot.order, truth["type"])):
        if kind == 1:
            if limits[joint.name][1] is not None:
                pairs.append((limits[joint.name][1], truth["range"][2 * k + 1]))
            pairs += [(joint.stiffness, truth["stiffness"][k]), (joint.damping, truth["damping"][v])]
            pairs.append((joint.friction, truth["friction"][v]))
        if kind >= 2:
            lower, upper = limits[joint.name]
            if lower is not None and lower < upper:  # the bindings do not tell which are limited
                pairs += zip((lower, upper), truth["range"][2 * k : 2 * k + 2])
            pairs += [(joint.reference, truth["qpos0"][q]), (joint.stiffness, truth["stiffness"][k])]
            pairs += [(joint.damping, truth["damping"][v]), (joint.armature, truth["armature"][v])]
            if joint.stiffness:
                pairs.append((joint.rest, truth["spring"][q]))
        q, v = q + SIZES[kind][0], v + SIZES[kind][1]
    return worst(pairs + [(len(robot.order), len(truth["type"]))])


def poses_differ(poses, known, truth):
    pairs = []
    for i, name in known.items():
        pairs += zip(poses[name].p, three(truth["xpos"], i))
        pairs += same_turn(poses[name].q, truth["xquat"][4 * i : 4 * i + 4])
    return worst(pairs)


def compare_kinematics(robot, known, truth):
    tree = Tree(robot)
    at = values(robot, robot.start, Notes())
    poses = place(tree, IDENTITY, {**robot.start, **at})
    moving, pairs = velocities(tree, poses, robot.rates), []
    for i, name in known.items():
        v, w = moving[name]
        arm = sub(tuple(three(truth["xipos"], i)), poses[name].p)
        cross = (w[1] * arm[2] - w[2] * arm[1], w[2] * arm[0] - w[0] * arm[2], w[0] * arm[1] - w[1] * arm[0])
        pairs += zip((*w, *(a + b for a, b in zip(v, cross))), truth["velocity"][i])
        if i > 0:
            pairs += zip(move(poses[name], robot.links[name].inertial.p), three(truth["xipos"], i))
    return max(worst(pairs), poses_differ(poses, known, truth))


def run(made, folder, steps, h):
    """Rows of the kernel's run, by columns."""
    made.model["h"], made.known = h, {}
    paths = [os.path.join(folder, name) for name in ("model.blob", "run.csv")]
    with open(paths[0], "wb") as file:
        file.write(emit_blob.emit(made))
    command = [os.path.join(ROOT, "build/tactus"), "run", "--model", paths[0], "--steps", str(steps), "--csv", paths[1]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Complaint(done.stderr.strip())
    with open(paths[1], encoding="utf-8") as file:
        return list(csv.DictReader(file))


def poses_of(made, row):
    """Of all links."""
    found = {}
    for name, (body, pose) in made.links.items():
        numbers = [float(row[f"body/{body}/{part}"]) for part in ("pos/x", "pos/y", "pos/z", "quat/w", "quat/x", "quat/y", "quat/z")] if body else None
        whole = Pose(tuple(numbers[:3]), tuple(numbers[3:])) if numbers else IDENTITY
        found[name] = compose(whole, pose)
    return found


def compare_kernel(robot, row, state):
    pairs, q, v = [], 0, 0
    for joint in robot.order:
        size = {"floating": (7, 6), "ball": (4, 3)}.get(joint.kind, (1, 1))
        name, unit = re.sub("[ /,\"]", "_", joint.name), "rad" if joint.kind == "revolute" else "m"
        if size == (1, 1):
            pairs.append((float(row[f"joint/{name}/position[{unit}]"]), state["qpos"][q]))
            pairs.append((float(row[f"joint/{name}/velocity[{unit}/s]"]), state["qvel"][v]))
        q, v = q + size[0], v + size[1]
    return worst(pairs)


def has_meshes(path):
    """Then axes of inertia, and what is fitted along them, are MuJoCo's up to what it takes for them."""
    with open(path, encoding="utf-8") as file:
        return "<mesh" in file.read()


def compare(path, truth, states, folder):
    """{what: difference}"""
    robot, limits, make = read(path)
    known, found = bodies(robot, truth), {}
    found["bodies"] = compare_bodies(robot, truth, known, MESH_EIGEN if has_meshes(path) else EIGEN)
    found["joints"] = compare_joints(robot, limits, truth)
    found["option"] = worst([(robot.h, truth["timestep"]), *zip(robot.gravity, truth["gravity"])])
    found["kinematics"] = 0.0
    for state, answer in reversed(list(zip(states, truth["states"]))):
        robot, _, make = read(path, state)
        found["kinematics"] = max(found["kinematics"], compare_kinematics(robot, known, answer))
    made = make()
    rows = run(made, folder, 1, STEP)
    found["kernel"] = compare_kernel(robot, rows[0], states[0])
    found["motion"] = []
    for h in (STEP, 0.5 * STEP):
        rows = run(made, folder, round(SECONDS / h), h)
        found["motion"].append(poses_differ(poses_of(made, rows[-1]), known, extrapolated(*truth["end"])))
    return found


def extrapolated(coarse, fine):
    """Of a method of first order, with half the step."""
    return {name: [2.0 * b - a for a, b in zip(coarse[name], fine[name])] for name in ("xpos", "xquat")}


def trials(package, folder, paths, seed=1):
    """(path, what MuJoCo says, differences or why there are none) of each file."""
    first = ask(package, folder, [{"file": os.path.abspath(path)} for path in paths])
    rng = random.Random(seed)
    states = [[random_state(one, rng) for _ in range(STATES)] for one in first]
    requests = [
        {"file": os.path.abspath(path), "states": some, "seconds": SECONDS, "step": TRUTH}
        for path, some in zip(paths, states)
    ]
    for path, truth, some in zip(paths, ask(package, folder, requests), states):
        if "error" in truth:
            yield path, truth, f"MuJoCo: {truth['error']}"
            continue
        try:
            yield path, truth, compare(path, truth, some, folder)
        except Complaint as complaint:
            yield path, truth, f"mjcf2tactus: {complaint}"


def line(path, truth, found):
    if isinstance(found, str):
        return f"{path}: {found[:300]}"
    numbers = ", ".join(f"{name} {value:.1e}" for name, value in found.items() if name != "motion")
    coarse, fine = found["motion"]
    return f"{path}: {len(truth['bodies']) - 1} bodies, nv {truth['nv']}; {numbers}; motion {coarse:.1e} {fine:.1e} {coarse / max(fine, 1e-300):.2f}"


def good(found, bodies_within):
    """First order: half the step, half the difference; of bodies that fly there is next to none."""
    if isinstance(found, str):
        return False
    coarse, fine = found["motion"]
    limits = {"bodies": bodies_within}
    still = all(value <= limits.get(name, 1e-10) for name, value in found.items() if name != "motion")
    return still and (fine <= 1e-8 or 1.6 <= coarse / fine <= 2.6)


def robots(folder):
    """Of the Menagerie: files with bodies that are no scenes around a robot."""
    for base, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(base, name)
            if name.endswith(".xml") and "scene" not in name and os.path.basename(base) != "assets":
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                if "<mujoco " in text and "<worldbody>" in text:
                    yield path


def main_of_test(package, folder, paths):
    named = {path: path for path in paths}
    if not paths:
        written = mjcf_worlds.write(os.path.join(folder, "worlds"), range(1, SEEDS + 1))
        named = {path: what for what, path in written.items()}
        menagerie = os.environ.get("TACTUS_MENAGERIE")
        named.update((path, path) for path in (robots(menagerie) if menagerie else ()))
    count = 0
    for trial in trials(package, folder, list(named)):
        count += 1
        within = 1e-7 if has_meshes(trial[0]) else 1e-10
        print(f"{'ok' if good(trial[2], within) else 'not ok'} {count} - {named[trial[0]]}")
        print(f"# {line(*trial)}".replace("\n", " "), flush=True)
    print(f"1..{count}")


if __name__ == "__main__":
    main_of_test(sys.argv[1], sys.argv[2], sys.argv[3:])
