#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""package.py - the Python package of targets/python.   python3 tests/python/package.py [Package.test_NAME]
  given   numpy, pycparser, a C compiler; TACTUS_FIRMWARE: that of `make firmware-host`; TACTUS_DATA
  makes   unittest's report; seeds are in the names of failed subtests
  bound   a minute, most of it four kernels (clang -O0) that TACTUS_CACHE keeps
  never   compares the package with itself alone: truths are closed forms, differences, C programs"""
import base64
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
if not os.environ.get("TACTUS_INSTALLED"):
    sys.path.insert(0, os.path.join(ROOT, "targets", "python"))

import numpy as np  # noqa: E402

import tactus  # noqa: E402
from tactus import image, kernel  # noqa: E402

KNOWN = {}


def scene(bits=64, tilt=0.0):
    """A cube above the floor, a pendulum on a hinge, a hull; built once for each argument."""
    if (bits, tilt) not in KNOWN:
        b = tactus.Builder(gravity=(9.81 * np.sin(tilt), 0, -9.81 * np.cos(tilt)))
        b.material(friction=0.6)
        b.half_space()
        b.box(b.body((0, 0, 0.1), density=1000, name="cube"), (0.1, 0.1, 0.1))
        bob = b.body((1, 0, 1), mass=2, inertia=(0.1, 0.1, 0.1), name="bob")
        b.joint("revolute", 0, bob, anchor=(0.5, 0, 1), axis=(0, 1, 0), name="hinge")
        b.hull(b.body((0, 2, 1), density=500, name="stone"), np.random.default_rng(0).normal(size=(12, 3)) * 0.2)
        KNOWN[bits, tilt] = b.build(bits)
    return KNOWN[bits, tilt]


def random_world(seed, model=None):
    """Some steps after a random push."""
    random = np.random.default_rng(seed)
    world = tactus.World(model or scene())
    world.push("stone", random.normal(size=3) * 20, random.normal(size=3))
    world.command("hinge", "effort", effort=random.normal() * 3)
    world.step(int(random.integers(1, 60)))
    return world, random


class Package(unittest.TestCase):
    def test_offsets_and_constants_are_those_of_the_compiler(self):
        loaded = scene().kernel
        names = [
            "tac_model",
            "tac_state",
            "tac_input",
            "tac_contact",
            "tac_report",
            "tac_work",
            "tac_sampling",
            "tac_joint",
        ]
        fields = [(name, field) for name in names for field, _ in loaded.about["structs"][name]["fields"]]
        numbers = [name for name, value in loaded.constants.items() if isinstance(value, int) and "_H_" not in name]
        lines = ['#include "tactus/tactus.h"', "#include <stdio.h>", "#include <stddef.h>", "int main(void) {"]
        lines += [f'printf("%zu\\n", offsetof({name}, {field}));' for name, field in fields]
        lines += [f'printf("%zu\\n", sizeof({name}));' for name in names]
        lines += [f'printf("%lld\\n", (long long)({name}));' for name in numbers]
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "a.c"), os.path.join(folder, "a")
            with open(source, "w", encoding="ascii") as file:
                file.write("\n".join([*lines, "return 0; }", ""]))
            include = os.path.join(kernel.source_folder(), "include")
            subprocess.run(["cc", f"-I{include}", *loaded.about["knobs"], source, "-o", program], check=True)
            said = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
        types = loaded.types
        want = [getattr(types.ctype(name), field).offset for name, field in fields]
        want += [types.size(name) for name in names] + [loaded.constants[name] for name in numbers]
        self.assertGreater(len(numbers), 300)
        self.assertEqual([scene(bits).kernel["MOST_FORCE"] for bits in (32, 64)], [1e18, 1e70])
        self.assertEqual([int(word) for word in said], want)

    def test_another_layout_is_refused(self):
        loaded = scene().kernel
        other = loaded.new("tac_layout")
        ctypes.memmove(ctypes.byref(other), ctypes.byref(loaded.layout), ctypes.sizeof(other))
        for entry in (1, 2, 36):
            other.entry[entry] += 1
            status = loaded.c.tac_model_init_for(ctypes.byref(other), ctypes.byref(loaded.new("tac_model")))
            self.assertEqual(status, loaded["E_CONFIG"])
            other.entry[entry] -= 1

    def test_free_fall_is_a_parabola(self):
        b = tactus.Builder(h=1e-2)
        b.body((0, 0, 10), velocity=(1, 2, 3))
        world = tactus.World(b.build())
        world.step(100)
        z = 10 + 3 * 1.0 - 9.81 / 2
        np.testing.assert_allclose(world.state.pose[1, :3], (1, 2, z), rtol=0, atol=1e-12)
        self.assertAlmostEqual(world.time, 1.0, places=15)

    def test_a_box_at_rest_weighs_what_it_weighs(self):
        for bits, tolerance in ((64, 1e-6), (32, 1e-3)):
            world = tactus.World(scene(bits))
            self.assertEqual(world.verdict(world.step(300)), "done")
            force, torque = world.body_force("cube", world.state.pose[1, :3])
            np.testing.assert_allclose(force, (0, 0, 8 * 9.81), atol=80 * tolerance)
            np.testing.assert_allclose(torque, 0, atol=80 * tolerance)
            of_cube = world.contacts["body_b"] == 1
            np.testing.assert_allclose(world.forces[of_cube].sum(0), force, atol=80 * tolerance)

    def test_friction_holds_up_to_its_cone(self):
        for tilt, slides in ((0.5, False), (0.58, True)):  # atan 0.6 = 0.5404
            world = tactus.World(scene(64, tilt))
            world.step(500)
            self.assertEqual(bool(world.state.pose[1, 0] > 0.01), slides)
            self.assertTrue((world.contacts["mode"][world.contacts["body_b"] == 1] == (2 if slides else 1)).all())

    def test_arrays_are_views(self):
        world = tactus.World(scene())
        world.step()
        world.state.pose[3, 2] += 1.0
        self.assertEqual(world.state.raw.pose[3].p.z, world.state.pose[3, 2])
        before = world.contacts
        taken = before["gap"][0]
        world.state.set_body("cube", (0, 0, 0.09))
        world.step()
        self.assertNotEqual(before["gap"][0], taken)

    def test_snapshots_go_on_to_the_bit(self):
        for seed in range(8):
            with self.subTest(seed=seed):
                world, _ = random_world(seed)
                kept, packed = world.state.copy(), world.state.pack()
                world.step(40)
                again = tactus.State(world.model)
                again.unpack(packed)
                self.assertEqual(again.hash(), kept.hash())
                other = tactus.World(world.model, again)
                ctypes.memmove(ctypes.byref(other.input), ctypes.byref(world.input), ctypes.sizeof(world.input))
                other.step(40)
                self.assertEqual(other.hash(), world.hash())
                with self.assertRaises(tactus.KernelError):
                    again.unpack(packed[:-1])

    def test_dynamics_are_consistent(self):
        for seed in range(8):
            with self.subTest(seed=seed):
                world, random = random_world(seed)
                effort = random.normal(size=world.n)
                acceleration = world.forward_dynamics(effort)
                m = world.mass_matrix()
                np.testing.assert_allclose(m, m.T, atol=1e-12)
                np.testing.assert_allclose(world.inverse_dynamics(acceleration), effort, atol=1e-9)
                np.testing.assert_allclose(m @ acceleration + world.bias(), effort, atol=1e-9)
                _, dq = world.coordinates()
                self.assertAlmostEqual(0.5 * dq @ m @ dq, world.state.energy()[0], places=6)
                q, _ = world.coordinates()
                world.set_coordinates(q, np.zeros(world.n))
                np.testing.assert_allclose(world.bias(), world.gravity_effort(), atol=1e-12)

    def test_jacobian_is_a_difference(self):
        world, _ = random_world(3)
        q, dq = world.coordinates()
        row = world.map.joint[0]
        jacobian, epsilon = world.jacobian("bob", (0.1, 0.2, 0.3))[:3, row.velocity], 1e-6
        places = []
        for sign in (-1, 1):
            moved = q.copy()
            moved[row.position] += sign * epsilon
            world.set_coordinates(moved, dq)
            position, (w, x, y, z) = world.state.body_pose("bob")
            turn = tactus.model.matrix((w, x, y, z))
            places.append(position + turn @ (0.1, 0.2, 0.3))
        np.testing.assert_allclose((places[1] - places[0]) / (2 * epsilon), jacobian, atol=1e-8)

    def test_derivative_is_a_difference(self):
        def hinged(stiffness):
            b = tactus.Builder(h=5e-3)
            bob = b.body((0.5, 0, 0), mass=2, inertia=(0.1, 0.2, 0.3))
            b.joint("revolute", 0, bob, anchor=(0, 0, 0), axis=(0, 1, 0), stiffness=stiffness, damping=0.1, name="hinge")
            return b, bob

        b, bob = hinged(3.0)
        world = tactus.World(b.build())
        world.set_coordinates([0.4], [1.5])
        world.command("hinge", "effort", effort=0.2)
        start = world.state.copy()
        a, b_matrix = world.derivative()

        def after(q, v, effort):
            other = tactus.World(world.model, start.copy())
            other.set_coordinates([0.4 + q], [1.5 + v])
            other.command("hinge", "effort", effort=0.2 + effort)
            other.step()
            return np.concatenate(other.coordinates())

        epsilon = 1e-5
        _, _, p = world.derivative([("joint_stiffness", "hinge"), ("mass", bob)])
        self.assertEqual(p.shape, (2, 2))
        with self.assertRaisesRegex(tactus.Error, "kind of parameter"):
            world.derivative([("colour", 0)])
        with self.assertRaisesRegex(tactus.Error, "parameter"):
            world.derivative([("mass", 0)])
        with self.assertRaises(tactus.Error):
            world.derivative(smoothing=-1)

        def stiffer(by):
            other = tactus.World(hinged(3.0 + by)[0].build())
            other.set_coordinates([0.4], [1.5])
            other.command("hinge", "effort", effort=0.2)
            other.step()
            return np.concatenate(other.coordinates())

        np.testing.assert_allclose(p[:, 0], (stiffer(1e-3) - stiffer(-1e-3)) / 2e-3, rtol=1e-4)
        columns = [(after(*(epsilon * e)) - after(*(-epsilon * e))) / (2 * epsilon) for e in np.eye(3)]
        np.testing.assert_allclose(a, np.column_stack(columns[:2]), atol=1e-6)
        np.testing.assert_allclose(b_matrix[:, 0], columns[2], atol=1e-6)

    def test_rollouts_are_steps(self):
        world, _ = random_world(5)
        plan = tactus.Plan(world.model, [{"joint": "hinge", "low": -5, "high": 5, "sigma": 1}], [[1.0], [-2.0]], 0.02)
        found, end = world.rollout(30, plan)
        self.assertEqual(found.taken, 30)
        other = tactus.World(world.model, world.state.copy())
        ctypes.memmove(ctypes.byref(other.input), ctypes.byref(world.input), ctypes.sizeof(world.input))
        for k in range(30):
            plan.commands(other, k * world.model.h)
            other.step()
        self.assertEqual(end.hash(), other.hash())

    def test_sampling_is_never_dearer(self):
        for method in ("best", "elites", "weights"):
            world = tactus.World(scene())
            channel = {"joint": "hinge", "low": -20, "high": 20, "sigma": 5}
            plan = tactus.Plan(world.model, [channel], np.zeros((4, 1)), 0.02)
            cost = tactus.Cost(world.model).term("joint", target=[-0.5], terminal=10.0).term("effort", weight=1e-3)
            first, costs = None, []
            for seed in range(4):
                before, now = world.improve(plan, cost, 60, samples=12, seed=seed, method=method)
                self.assertLessEqual(now, before)
                first = first if first is not None else before
                costs.append(now)
            self.assertAlmostEqual(world.rollout(60, plan, cost)[0].total, costs[-1], places=9)
            self.assertLess(costs[-1], first, method)

    def test_all_methods_step(self):
        b = tactus.Builder()
        b.half_space()
        b.sphere(b.body((0, 0, 0.11), mass=1, inertia=(0.004,) * 3), 0.1)
        model = b.build()
        for method in ("ccp", "lcp", "implicit"):
            world = tactus.World(model)
            world.step(200, method)
            self.assertAlmostEqual(world.state.pose[1, 2], 0.1, places=3)
        world = tactus.World(model)
        with self.assertRaises(tactus.KernelError) as refused:
            world.step(1, "dae")
        self.assertEqual(refused.exception.name, "model")

    def test_refusals_say_what_is_wrong(self):
        b = tactus.Builder()
        b.body((0, 0, 0), mass=-2)
        with self.assertRaises(tactus.KernelError) as refused:
            b.build()
        error = refused.exception
        self.assertEqual((error.field, error.index), ("body.mass", 1))
        self.assertIn("-2", str(error))
        world = tactus.World(scene())
        before = world.hash()
        world.command("hinge", "effort", effort=float("nan"))
        with self.assertRaises(tactus.KernelError):
            world.step()
        self.assertEqual(world.hash(), before)
        for wrong in (
            lambda: world.command("no such joint"),
            lambda: world.command("hinge", "pd", speed=1),
            lambda: world.step(1, "euler"),
            lambda: world.step(-1),
            lambda: world.step(0.5),
            lambda: world.forward_dynamics([1.0]),
            lambda: world.state.set_joints(np.zeros((2, 2))),
            lambda: world.set_coordinates([0.0]),
            lambda: world.model.frame("nothing"),
            lambda: tactus.Builder().joint("sliding", 0, 1),
            lambda: tactus.Builder(solver="best"),
            lambda: tactus.Plan(world.model, [{"joint": "hinge"}], [[1, 2]], 0.1),
            lambda: tactus.Model.from_urdf(os.path.join(HERE, "no such file.urdf")),
            lambda: tactus.Model.load(__file__),
        ):
            self.assertRaises(tactus.Error, wrong)
        self.assertEqual(world.hash(), before)

    def test_files_keep_every_bit(self):
        model = scene()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model")
            model.save(path)
            for bits in (64, 32):
                again = tactus.Model.load(path, bits)
                other = scene(bits) if bits == 64 else model.in_bits(32)
                self.assertEqual((again.hash, again.bodies, again.joints), (other.hash, other.bodies, other.joints))
                worlds = [tactus.World(m) for m in (again, other)]
                for world in worlds:
                    world.step(200)
                self.assertEqual(worlds[0].hash(), worlds[1].hash())
            with open(path, "rb") as file:
                data = file.read()
            for length in np.random.default_rng(1).integers(0, len(data) - 1, 20):
                with self.subTest(length=length), open(path, "wb") as file:
                    file.write(data[:length])
                self.assertRaises(tactus.Error, tactus.Model.load, path)

    def test_robots_have_the_hash_of_their_reader(self):
        folder = os.environ.get("TACTUS_DATA")
        if not folder:
            self.skipTest("no data")
        path = os.path.join(folder, "urdf", "a1.urdf")
        from tactus.convert import main
        from tactus.convert.complaint import Notes

        made = main.convert(path, None, main.arguments([path, "--z", "0.4", "--ground"]), Notes())
        for bits in (64, 32):
            model = tactus.Model.from_urdf(path, bits, z=0.4, ground=True)
            self.assertEqual(model.hash, made.hash(bits))
        world = tactus.World(model)
        position, _ = world.frame_pose("FR_foot")
        self.assertEqual(world.frame_jacobian("FR_foot").shape, (6, 18))
        self.assertLess(position[2], 0.4)
        self.assertTrue(any("limits" in line for line in model.notes))

    def test_scenes_of_mujoco_have_the_hash_of_their_reader(self):
        text = """<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="1 1 1"/>
            <body name="rod" pos="0 0 1"><joint name="hinge" axis="0 1 0" range="-40 40"/>
            <geom type="capsule" size="0.02" fromto="0 0 0 0 0 0.3"/></body></worldbody>
            <keyframe><key name="leant" qpos="0.3" qvel="-1"/></keyframe></mujoco>"""
        from tactus.convert import main
        from tactus.convert.complaint import Notes

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rod.xml")
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
            asked = main.arguments([path, "--keyframe", "leant"], main.MJCF)
            made = main.convert(path, None, asked, Notes())
            loaded = scene().kernel  # which has room, and is there
            with unittest.mock.patch("tactus.kernel.load", lambda *_: loaded):
                model = tactus.Model.from_mjcf(path, keyframe="leant")
            self.assertRaisesRegex(tactus.Error, "there is no such key", tactus.Model.from_mjcf, path, keyframe="bent")
        self.assertEqual((model.hash, model.h), (made.hash(64), 0.002))
        world = tactus.World(model)
        np.testing.assert_allclose(world.state.joints, [(0.3, -1.0)], atol=1e-12)

    def test_a_view_is_a_page_with_the_model_and_its_runs(self):
        model = scene()
        world = tactus.World(model)
        states = [world.state.copy()]
        for _ in range(5):
            world.step(10)
            states.append(world.state.copy())
        bare = '<p>&</p><script type="application/json" id="tactus-data">null</script>'
        with unittest.mock.patch("tactus.page.template", lambda: bare):
            page = tactus.view(model, {"</script>": states}, title="a < b")
            self.assertRaisesRegex(tactus.Error, "equal distances", tactus.view, model, {"a": [states[0], *states[2:]]})
            self.assertRaisesRegex(tactus.Error, "two or more", tactus.view, model, {"a": states[:1]})
            self.assertRaisesRegex(tactus.Error, "two runs", tactus.view, model, {n: states for n in "abc"})
        self.assertEqual(page.text.count("</script>"), 1)
        about = json.loads(page.text.split('id="tactus-data">')[1].split("<")[0])
        self.assertEqual((about["title"], about["bits"], about["live"]), ("a < b", 64, False))
        run = about["runs"][0]
        self.assertEqual((run["name"], run["h"]), ("</script>", 10 * model.h))
        poses = np.frombuffer(base64.b64decode(run["poses"]), "<f4").reshape(6, model.raw.bodies - 1, 7)
        for body in range(1, model.raw.bodies):
            expected = np.concatenate(states[-1].body_pose(body))
            np.testing.assert_allclose(poses[-1, body - 1], expected, rtol=1e-6, atol=1e-6)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model")
            with open(path, "wb") as file:
                file.write(base64.b64decode(about["model"]))
            self.assertEqual(tactus.Model.load(path).hash, model.hash)
        self.assertNotIn("<p>", page._repr_html_())
        with unittest.mock.patch.dict(os.environ, PATH=""):
            self.assertRaisesRegex(tactus.Error, "apt-get install chromium", page.film, "end.png")

    def test_a_board_takes_the_same_steps(self):
        program = os.environ.get("TACTUS_FIRMWARE")
        if not program:
            self.skipTest("no firmware")
        for bits, name in ((64, program), (32, program + "-float")):
            with tactus.Board(f"exec:{name}") as board:
                self.assertEqual(board.bits, bits)
                world = tactus.World(board.set_model(scene()))
                world.command("hinge", "pd", position=0.5, stiffness=50, damping=2)
                world.push("stone", (1, 0, 2))
                board.set_input(world)
                board.step(250)
                world.step(250)
                self.assertEqual(board.hash(), world.hash())
                self.assertEqual(board.state().hash(), world.hash())
                kept = world.state.copy()
                world.step(50)
                board.set_state(kept)
                board.step(50)
                self.assertEqual(board.hash(), world.hash())
                with self.assertRaises(tactus.LinkError) as refused:
                    board.request(99)
                self.assertEqual(refused.exception.reason, 2)

    def test_a_board_takes_each_step_of_its_world(self):
        program = os.environ.get("TACTUS_FIRMWARE")
        if not program:
            self.skipTest("no firmware")
        start = tactus.State(scene())
        start.set_joints([(0.2, 1.0)])
        for name, state in ((program, start), (program + "-float", None)):
            with tactus.Board(f"exec:{name}") as board:
                world = tactus.World(scene(), state, board=board)
                self.assertEqual(world.kernel.real.itemsize * 8, board.bits)
                for push in (1, 2):
                    world.push("stone", (push, 0, 2))
                    world.step(20)
                    world.command("hinge", "pd", position=0.5, stiffness=50 * push, damping=2)
                    world.step(20)
                    self.assertEqual((board.hash(), board.steps), (world.hash(), 40 * push))
                with self.assertRaises(tactus.Error):
                    world.step(1, "lcp")
                self.assertEqual(board.hash(), world.hash())

    def test_several_joints_in_one_command(self):
        one, several = tactus.World(scene()), tactus.World(scene())
        one.command("hinge", "pd", position=-0.25, stiffness=50)
        several.command(["hinge", 0], "pd", position=[0.5, -0.25], stiffness=50)  # the last one holds
        self.assertEqual(bytes(one.input), bytes(several.input))
        several.command(several.model.joints, "pd", position=np.array([-0.25]), stiffness=(50,))
        self.assertEqual(bytes(one.input), bytes(several.input))
        for wrong in (dict(position=[1, 2, 3]), dict(position=[[1, 2], [3, 4]]), dict(position="high"), dict(speed=1)):
            with self.assertRaises(tactus.Error):
                several.command(["hinge", 0], "pd", **wrong)
        self.assertEqual(bytes(one.input), bytes(several.input))

    def test_lost_and_doubled_datagrams_change_no_bit(self):
        import select
        import socket
        import threading

        program = os.environ.get("TACTUS_FIRMWARE")
        if not program:
            self.skipTest("no firmware")
        random, ours = np.random.default_rng(5), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        ours.bind(("127.0.0.1", 0))
        mine, theirs = socket.socketpair()
        child, lost = subprocess.Popen([program], stdin=theirs, stdout=theirs), []
        theirs.close()

        def carry():
            """The firmware's bytes as datagrams, a fifth of which is lost, and a fifth comes twice."""
            host, unread = None, b""
            while True:
                for ready in select.select([ours, mine], [], [])[0]:
                    if ready is ours:
                        data, host = ours.recvfrom(4096)
                        if data == b"end":
                            return
                        frames = [(mine.send, (data,))]
                    else:
                        *whole, unread = (unread + mine.recv(4096)).split(b"\0")
                        frames = [(ours.sendto, (b"\0" + frame + b"\0", host)) for frame in whole if frame]
                    for send, what in frames:
                        times = random.choice([0, 1, 1, 1, 2])
                        lost.append(times == 0)
                        for _ in range(times):
                            send(*what)

        carrier = threading.Thread(target=carry)
        carrier.start()
        where = f"127.0.0.1:{ours.getsockname()[1]}"
        try:
            with tactus.Board(f"udp:{where}", timeout=0.05, retries=40) as board:
                world = tactus.World(board.set_model(scene()))
                world.command("hinge", "pd", position=0.5, stiffness=50, damping=2)
                board.set_input(world)
                for _ in range(20):
                    board.step(5)
                    world.step(5)
                self.assertEqual((board.hash(), board.steps), (world.hash(), 100))
            self.assertGreater(sum(lost), 5)
        finally:
            ours.sendto(b"end", ours.getsockname())
            carrier.join()
            mine.close()
            child.terminate()
            child.wait()
            ours.close()
        with self.assertRaises(tactus.LinkError):  # nobody is there: it is told, and does not hang
            tactus.Board(f"udp:{where}", timeout=0.05, retries=1)

    def test_what_most_models_do_not_have_goes_everywhere(self):
        import pickle

        b = tactus.Builder(h=2e-3)
        b.material(friction=0.5, static_friction=0.8, stribeck_speed=0.01)
        b.material(friction=0.4)
        b.material_pair(0, 1, 0.6, static_friction=0.7, stribeck_speed=0.02)
        floor = b.half_space()
        box, load = (b.body((0, 0, z), density=1000, name=name) for name, z in (("box", 0.1), ("load", 0.5)))
        b.box(box, (0.1,) * 3, material=1, axis=(0, 1, 0), turn=0.25, across=0.5)
        b.box(load, (0.05,) * 3)
        ball = b.body((2, 0, 1), mass=1, inertia=(0.01, 0.02, 0.03), omega=(0, 0, 4), name="ball")
        b.joint("fixed", box, load, anchor=(0, 0, 0.3), name="weld", switched="on", break_force=1e4)
        b.joint("spherical", 0, ball, anchor=(2, 0, 1))
        b.joint("twist", 0, ball, anchor=(2, 0, 1), name="twist", lower=-0.5, upper=0.5)
        b.surface(floor, linear=(0.2, 0, 0))
        model = b.build()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model")
            model.save(path)
            with open(path, "rb") as file:
                self.assertEqual(file.read()[8], image.MORE_VERSION)
            others = [tactus.Model.load(path), pickle.loads(pickle.dumps(model)), model.in_bits(64)]
            self.assertEqual(tactus.Model.load(path, 32).hash, model.in_bits(32).hash)
            scene().save(path)
            with open(path, "rb") as file:
                self.assertEqual(file.read()[8], image.VERSION)
        worlds = [tactus.World(one) for one in [model, *others]]
        for world in worlds:
            raw = world.model.raw
            self.assertEqual(world.model.hash, model.hash)
            self.assertEqual((raw.surface[0].linear.x, raw.surface[0].shape), (0.2, 0))
            self.assertEqual((raw.shape[1].axis.y, raw.shape[1].turn, raw.shape[1].across), (1, 0.25, 0.5))
            self.assertEqual((raw.material[0].static_friction, raw.material_pair[0].stribeck_speed), (0.8, 0.02))
            self.assertEqual((raw.joint[0].switched, raw.joint[0].break_force, raw.joint[1].switched), (1, 1e4, 0))
            world.step(150)
            self.assertAlmostEqual(world.state.twist[1, 0], 0.2, places=3)  # the box goes with its belt
            self.assertLess(world.state.joints[2, 0], 0.51)  # the limit stops the ball
            world.state.set_switch("weld", "off")
            world.move_surface(0)
            world.step()
            self.assertAlmostEqual(world.state.twist[2, 2], -9.81 * 2e-3, places=4)  # the load falls
            world.step(149)
            self.assertAlmostEqual(world.state.twist[1, 0], 0, places=3)
            self.assertEqual(world.hash(), worlds[0].hash())
        self.assertRaises(tactus.Error, worlds[0].state.set_switch, "twist", "off")
        self.assertRaises(tactus.Error, worlds[0].state.set_switch, "weld", "loose")
        self.assertRaises(tactus.Error, tactus.State(scene()).set_switch, "hinge", "off")
        self.assertRaises(tactus.Error, worlds[0].move_surface, 1)
        self.assertRaises(tactus.Error, tactus.World(scene()).move_surface, 0)
        if os.environ.get("TACTUS_FIRMWARE"):
            with tactus.Board("exec:" + os.environ["TACTUS_FIRMWARE"]) as board:
                world = tactus.World(model, board=board)
                world.step(50)
                world.state.set_switch("weld", "off")
                board.set_state(world.state)
                world.move_surface(0, (0, 0.3, 0))
                world.step(50)
                self.assertEqual(board.hash(), world.hash())
                self.assertEqual(getattr(board.state().raw.switched[0], "is"), 2)

    def test_cobs_is_its_own_inverse(self):
        from tactus import link

        random = np.random.default_rng(7)
        for length in [0, 1, 2, 253, 254, 255, 256, *random.integers(0, 600, 40)]:
            data = bytes(random.choice([0, 1, 255], size=length).astype(np.uint8))
            framed = link.encode(data)
            self.assertNotIn(0, framed[1:-1])
            self.assertEqual(link.decode(framed[1:-1]), data)

    def test_every_function_of_the_headers_is_reached_or_named(self):
        elsewhere = {
            "numpy and scipy do it": r"tac_quat_\w+|tac_pose_(multiply|inverse|point|point_back)",
            "Builder and World do it in one go": r"tac_model_(check_for|hash)|tac_step_(begin|sweep|end)|tac_rollout|tac_fit",
            "problems without a world: build/tactus solve, and kernel.c": r"tac_problem_\w+|tac_solve\w*|tac_lcp_solve",
            "bodies that no model has: kernel.c": r"tac_implicit_\w+",
            "kernel.layout is made from the same headers": r"tac_layout_name",
        }
        folder = os.path.dirname(tactus.__file__)
        text = ""
        for name in os.listdir(folder):
            if name.endswith(".py"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text += file.read()
        import re

        reached = set(re.findall(r"\btac_\w+", text)) | {f"tac_model_add_{name}" for name in ("body", "shape", "joint", "surface")}
        for name in scene().kernel.about["functions"]:
            others = [reason for reason, pattern in elsewhere.items() if re.fullmatch(pattern, name)]
            self.assertTrue(name in reached or others, f"{name}: no way to it, and no reason why")

    def test_numbers_that_do_not_fit_are_refused(self):
        world = tactus.World(scene())
        before, bodies = world.hash(), world.model.raw.bodies

        def built(make):
            b = tactus.Builder()
            make(b, b.body())
            return b.build()

        for wrong in (
            lambda: world.push(65537, (1, 0, 0)),  # body 1, cut to 16 bits
            lambda: world.push(-1, (1, 0, 0)),
            lambda: world.push(bodies, (1, 0, 0)),
            lambda: world.push("cube", (1, 0)),
            lambda: world.push("cube", (1, 0, 0), frame="moon"),
            lambda: world.command("hinge", "pd", position="high"),
            lambda: world.jacobian(1.5),
            lambda: world.jacobian("cube", (0, 0)),
            lambda: world.jacobian("cube", axes="frames"),
            lambda: world.state.set_body("cube", (0, 0, 1), (1, 0, 0)),
            lambda: world.rollout(2**32 + 5),
            lambda: world.rollout(1.5),
            lambda: tactus.World(scene(), scene(32) and tactus.State(scene(32))),
            lambda: built(lambda b, body: b.sphere(body, 0.1, material=256)),
            lambda: built(lambda b, body: b.sphere(65537, 0.1)),
            lambda: built(lambda b, body: b.joint("revolute", 0, 65537)),
            lambda: built(lambda b, body: b.exclude(0, 65537)),
            lambda: built(lambda b, body: (b.body(name="arm"), b.body(name="arm"))),
            lambda: built(lambda b, body: [b.joint("revolute", 0, body, name="hinge") for _ in range(2)]),
            lambda: built(lambda b, body: b.shape("banana", body)),
            lambda: built(lambda b, body: b.hull(body, np.zeros((6, 2)))),
            lambda: built(lambda b, body: b.mesh(0, np.eye(3), [[0, 1, 65538]])),
            lambda: built(lambda b, body: b.mesh(0, np.eye(3), [[0, 1, -1]])),
            lambda: built(lambda b, body: b.height_field(0, np.full((2, 2), 40000), 1, 1, 1)),
            lambda: built(lambda b, body: b.height_field(0, np.full((2, 2), 0.5), 1, 1, 1)),
            lambda: tactus.Builder().build(16),
            lambda: tactus.Plan(world.model, [{"mode": "effort"}], [[1.0]], 0.1),
            lambda: tactus.Plan(world.model, [{"joint": "hinge", "colour": 1}], [[1.0]], 0.1),
            lambda: tactus.Plan(world.model, [{"joint": "hinge"}], [[1.0]], 0.1, form="wavy"),
            lambda: tactus.Cost(world.model).term("beauty"),
        ):
            self.assertRaises(tactus.Error, wrong)
        self.assertRaises(ctypes.ArgumentError, world.kernel.c.tac_shape_make, 65537, 0, world.kernel.new("tac_vec3"))
        self.assertEqual((world.hash(), world.input.actions, world.input.motors), (before, 0, 0))
        plan = tactus.Plan(world.model, [{"joint": "hinge"}], [[1.0], [2.0]], 0.1)
        plan.knots = [[3.0], [4.0]]  # the kernel sees it
        plan.commands(world, 0.1)
        self.assertEqual(world.input.motor[0].effort, 4.0)

    def test_copies_and_pickles_go_on_to_the_bit(self):
        import copy
        import gc
        import pickle

        for seed in range(3):
            world, _ = random_world(seed)
            others = [world.copy(), copy.deepcopy(world), pickle.loads(pickle.dumps(world))]
            self.assertEqual([pickle.loads(pickle.dumps(world.state)).hash()], [world.hash()])
            world.step(30)
            for other in others:
                other.step(30)
                self.assertEqual(other.hash(), world.hash())
                self.assertIs(other.kernel, world.kernel)
        model = pickle.loads(pickle.dumps(world.model))
        self.assertEqual(
            (model.hash, model.bodies, model.joints), (world.model.hash, world.model.bodies, world.model.joints)
        )
        kept, gap = world.contacts, world.contacts["gap"].copy()
        del world
        gc.collect()
        np.testing.assert_array_equal(kept["gap"], gap)  # a view keeps what it looks at

    def test_threads_step_worlds_of_their_own(self):
        from concurrent.futures import ThreadPoolExecutor

        def run(seed):
            world, _ = random_world(seed)
            world.step(100)
            return world.hash()

        alone = [run(seed) for seed in range(6)]
        with ThreadPoolExecutor(6) as pool:
            self.assertEqual(list(pool.map(run, range(6))), alone)

    def test_kernels_are_kept_by_all_that_they_depend_on(self):
        root, command = kernel.source_folder(), ["cc"]
        first = kernel.key(root, command, ["-DA=1"])
        for other in (["cc", "-m32"], ["clang"]):
            self.assertNotEqual(kernel.key(root, other, ["-DA=1"]), first)
        self.assertNotEqual(kernel.key(root, command, ["-DA=2"]), first)
        with self.assertRaises(tactus.Error):
            kernel.load({"TAC_MAX_BODYS": 3}, 64)

    def test_two_processes_build_one_kernel_and_none_needs_the_cache(self):
        program = "import tactus; b = tactus.Builder(); b.body(); print(hex(b.build().hash))"
        with tempfile.TemporaryDirectory(prefix="a path of blanks") as folder:
            slow = os.path.join(folder, "a compiler")
            with open(slow, "w", encoding="ascii") as file:
                file.write('#!/bin/sh\nexec clang "$@"\n')
            os.chmod(slow, 0o755)
            cache = os.path.join(folder, "cache")
            about = dict(
                os.environ, TACTUS_CACHE=cache, CC=f"'{slow}'", CFLAGS="-O0", PYTHONPATH=os.pathsep.join(sys.path)
            )
            both = [
                subprocess.Popen([sys.executable, "-c", program], env=about, stdout=subprocess.PIPE, text=True)
                for _ in range(2)
            ]
            said = [one.communicate()[0] for one in both]
            self.assertEqual([one.returncode for one in both], [0, 0])
            self.assertEqual(said[0], said[1])
            self.assertEqual(sorted(name.split(".")[1] for name in os.listdir(cache)), ["json", "so"])
            about["TACTUS_CACHE"] = os.path.join(slow, "no folder")
            done = subprocess.run(
                [sys.executable, "-c", program], env=about, capture_output=True, text=True, check=True
            )
            self.assertEqual(done.stdout, said[0])
            self.assertIn("kernels are not kept", done.stderr)

    def test_a_fit_finds_what_made_the_data_and_says_what_is_not_in_them(self):
        random, deviation = np.random.default_rng(4), 1e-3
        b = tactus.Builder(h=5e-3)
        bob = b.body((0.5, 0, 0), mass=2, inertia=(0.1, 0.2, 0.3), name="bob")
        b.joint("revolute", 0, bob, anchor=(0, 0, 0), axis=(0, 1, 0), damping=0.3, stiffness=2.0, name="hinge")
        b.material(0.5)
        truth = b.build()
        b.joints[0].update(damping=0.1, stiffness=1.0)
        guess = b.build()
        world = tactus.World(truth)
        world.set_coordinates([0.7])
        start = tactus.World(guess)
        start.set_coordinates([0.7])
        steps, angles = np.arange(5, 400, 5), []
        for _ in steps:
            world.step(5)
            angles.append(world.state.joints[0, 0] + random.normal() * deviation)
        section = tactus.Section(start.state).joint("hinge", steps, angles, deviation)
        asked = [
            tactus.Parameter("joint_damping", "hinge", 0.0, 1.0),
            tactus.Parameter("joint_stiffness", "hinge", 0.0, 5.0),
            tactus.Parameter("friction", 0, 0.1, 0.9),  # nothing touches
        ]
        found = tactus.fit(guess, asked, [section])
        self.assertEqual(found.ended, "converged")
        self.assertEqual(found.verdicts, ["known", "known", "unknown"])
        errors = (found.values[:2] - (0.3, 2.0)) / found.deviations[:2]
        self.assertLess(np.abs(errors).max(), 4)
        self.assertLess(found.deviations[0], 0.02)
        self.assertTrue(np.isnan(found.deviations[2]) and found.values[2] == 0.5)
        self.assertTrue(0.5 < found.variance < 1.6)  # 79 residuals
        self.assertEqual(found.covariance.shape, (3, 3))
        self.assertAlmostEqual(found.model.raw.joint[0].damping, found.values[0])
        with self.assertRaises(tactus.KernelError) as refused:
            tactus.fit(guess, [asked[0]._replace(upper=-1.0)], [section])
        self.assertEqual(refused.exception.index, 0)

    def test_iterative_lqr_swings_a_pendulum_to_where_it_is_asked(self):
        b = tactus.Builder(h=0.02)
        bob = b.body((0, 0, -0.5), mass=1, inertia=(0.01, 0.01, 0.01))
        b.joint("revolute", 0, bob, anchor=(0, 0, 0), axis=(0, 1, 0), name="hinge")
        world = tactus.World(b.build())
        plan = tactus.Plan(
            world.model, [{"joint": "hinge", "low": -20, "high": 20}], np.zeros((25, 1)), 0.02, form="hold"
        )
        cost = tactus.Cost(world.model).term("joint", target=[1.0], terminal=100.0).term("rate", terminal=10.0)
        cost.term("effort", weight=1e-2)
        before, start = world.hash(), plan.copy()
        found = world.optimise(plan, cost, 25)
        self.assertLess(found.now, 0.02 * found.before)
        end = world.rollout(25, plan, cost)[1]
        self.assertAlmostEqual(end.joints[0, 0], 1.0, delta=0.05)
        self.assertAlmostEqual(world.rollout(25, plan, cost)[0].total, found.now, places=9)
        self.assertAlmostEqual(world.rollout(25, start, cost)[0].total, found.before, places=9)
        self.assertEqual(world.hash(), before)

    def test_linear_systems_step_as_the_kernel_does_and_plans_through_contact_lie_over_them(self):
        b = tactus.Builder(h=1e-2)
        b.material(friction=0.6)
        b.half_space()
        b.sphere(b.body((0, 0, 0.1), mass=1, inertia=(0.004,) * 3, velocity=(0.3, 0, 0)), 0.1)
        world = tactus.World(b.build())
        system = world.linearise(wrenches=True)
        self.assertEqual(system.contacts, 1)
        _, dq = world.coordinates()
        x, l, solved = system.advance(np.concatenate([np.zeros(6), dq]), np.zeros(6))
        stepped = world.copy()
        stepped.options("lcp").directions = 4
        stepped.step(1, "lcp")
        self.assertTrue(solved)
        np.testing.assert_allclose(x[6:], stepped.coordinates()[1], atol=1e-9)
        slack = system.E @ np.concatenate([np.zeros(6), dq]) + system.F @ l + system.c
        np.testing.assert_allclose(slack * l, 0, atol=1e-9)
        weights = np.diag([1.0] * 6 + [0.1] * 6)
        planner = tactus.C3(system, weights, 0.1 * np.eye(6), 5, target=np.tile(np.eye(12)[0] * 0.1, (6, 1)))
        plan = planner.plan(np.concatenate([np.zeros(6), dq]))
        self.assertEqual((plan.u.shape, plan.l.shape, plan.x.shape), ((5, 6), (5, len(l)), (6, 12)))
        self.assertTrue(np.isfinite(plan.u).all())
        np.testing.assert_allclose(
            plan.x[1], system.A @ plan.x[0] + system.B @ plan.u[0] + system.D @ plan.l[0] + system.d, atol=1e-6
        )

        # Without contacts C3 is the linear-quadratic regulator, which Riccati's recursion has in closed form.
        a, bm, q, r = np.array([[1, 0.1], [0, 1]]), np.array([[0.0], [0.1]]), np.eye(2), np.eye(1)
        hand = tactus.System(
            world.kernel,
            A=a,
            B=bm,
            D=np.zeros((2, 1)),
            d=np.zeros(2),
            E=np.zeros((1, 2)),
            F=np.eye(1),
            H=np.zeros((1, 1)),
            c=np.ones(1),
        )
        plan = tactus.C3(hand, q, r, 10).plan([1.0, 0.0])
        p = q
        for _ in range(10):
            k = np.linalg.solve(r + bm.T @ p @ bm, bm.T @ p @ a)
            p = q + a.T @ p @ (a - bm @ k)
        np.testing.assert_allclose(plan.u[0], -k @ [1.0, 0.0], atol=1e-9)

    def test_queries_have_closed_forms(self):
        b = tactus.Builder()
        b.half_space()
        ball = b.body((0.5, 0, 2), mass=1, inertia=(0.004,) * 3, name="ball")
        b.sphere(ball, 0.1)
        world = tactus.World(b.build())
        hit = world.cast((0.5, 0, 5), (0, 0, -2))
        self.assertAlmostEqual(hit.distance, 2.9)
        np.testing.assert_allclose(hit.n, (0, 0, 1), atol=1e-12)
        self.assertEqual(hit.body, ball)
        self.assertIsNone(world.cast((0, 0, 5), (0, 0, 1)))
        self.assertAlmostEqual(world.distance("ground", "ball").gap, 1.9)
        self.assertEqual(world.overlap("sphere", (0.2, 0, 0), (0.5, 0, 2.25)), [1])
        when = np.sqrt(2 * 1.9 / 9.81)
        meeting = world.time_to_contact("ball", 2.0)
        self.assertTrue(meeting.certain and meeting.time <= when)
        self.assertAlmostEqual(meeting.time, when, places=4)
        watch = world.watch()
        world.step(int(2 * when / world.model.h))
        self.assertEqual(tactus.EVENTS[watch.events["kind"][0]], "touch")
        self.assertAlmostEqual(watch.events["at"][0], when, places=6)
        self.assertIn("ground - ball", watch.lines()[0])
        fall = np.array([0, 0, 9.81 * world.time])
        self.assertAlmostEqual(watch.loads["impulse"][1][2] + world.state.momentum()[0][2], fall[2], places=9)
        self.assertLess(world.certificate().r_ncp_compl, 1e-6)
        self.assertTrue(world.least_norm())
        world.check()
        self.assertTrue(len(world.touching("ball", 0.01)) == 1)
        instant = world.instant()
        self.assertTrue(instant.solved)
        np.testing.assert_allclose(instant.contact["force"][0][0], 9.81, atol=1e-6)
        self.assertTrue(world.qualify(1e-3).pointed)
        world.state.pose[1, 3:] *= 2
        with self.assertRaises(tactus.KernelError):
            world.check()

    def test_states_are_vectors_too(self):
        world, random = random_world(6)
        other, x = world.copy(), random.normal(size=2 * world.n) * 0.1
        other.displace(x)
        np.testing.assert_allclose(world.difference(other.state), x, atol=1e-9)
        found = world.measured("cube")
        again = world.copy()
        again.set_measured("cube", found.pose, found.velocity, found.gyro)
        np.testing.assert_allclose(again.state.twist, world.state.twist, atol=1e-12)
        world.set_coordinates(
            world.coordinates()[0], 1.01 * world.coordinates()[1]
        )  # a step leaves velocities beside the joints
        centroid = world.centroid()
        np.testing.assert_allclose(
            centroid.matrix @ world.coordinates()[1], [*centroid.linear, *centroid.angular], atol=1e-9
        )
        motion = world.body_motion("bob", (0.1, 0, 0))
        np.testing.assert_allclose(
            world.jacobian("bob", (0.1, 0, 0)) @ world.coordinates()[1], [*motion.linear, *motion.angular], atol=1e-12
        )
        v = world.coordinates()[1]
        world.step()
        np.testing.assert_allclose(world.accelerations(), (world.coordinates()[1] - v) / world.model.h, atol=1e-6)
        heavy = tactus.Model.from_dict(dict(world.model.as_dict(), h=2e-3), capacities={})
        if heavy.kernel is world.kernel:
            self.assertEqual(world.state.adopted(heavy).model.h, 2e-3)

    def test_capacities_grow(self):
        b = tactus.Builder()
        b.half_space()
        for i in range(20):
            b.sphere(b.body((i, 0, 0.1), density=100), 0.1)
        model = b.build()
        self.assertGreaterEqual(model.kernel.constants["TAC_MAX_BODIES"], 20)
        world = tactus.World(model)
        world.step(100)
        self.assertEqual(len(world.contacts), 20)
        self.assertEqual(image.as_dict(model)["bodies"], 21)


if __name__ == "__main__":
    unittest.main()
