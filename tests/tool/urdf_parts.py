#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""urdf_parts.py - the parts of urdf2tactus, each by itself.   python3 tests/tool/urdf_parts.py [Parts.NAME]
  given   targets/host/convert; random numbers from a fixed seed
  makes   unittest's report
  bound   seconds
  never   compares a part with itself: truths are known, computed another way, or properties"""
import itertools
import math
import os
import random
import struct
import sys
import tempfile
import unittest
from types import SimpleNamespace

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../targets/host"))

from convert import document, emit_blob, emit_c, emit_config, emit_h, hull, inertia, mesh, names, space, volume  # noqa: E402
from convert.complaint import Complaint, Notes  # noqa: E402
from convert.layout import ARRAYS, BUSHING, COUNTS, LARGEST, REALS, SCALARS, STRUCTS, Enum  # noqa: E402
from convert.model import make_model, swept  # noqa: E402
from convert.overlaps import GROUPS, deepest, part_by_groups  # noqa: E402
from convert.urdf import read_robot  # noqa: E402
from convert.srdf import read_pairs  # noqa: E402
from convert.tree import Tree, place, values  # noqa: E402

INERTIAL = '<inertial><mass value="{}"/><inertia ixx="{}" iyy="{}" izz="{}"/></inertial>'
SPHERE = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'


def link(name, mass=1, inside=SPHERE):
    return f'<link name="{name}">{INERTIAL.format(mass, 1, 1, 1) if mass else ""}{inside}</link>'


def joint(name, kind, parent, child, inside=""):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def options(**given):
    usual = dict(
        joint={}, z=0.0, fixed_base=False, keep_fixed=False, ground=False, friction=0.5, contacts=None, h=1e-3
    )
    files = dict(hull_points=32, skip_missing=False, package_path=[], adjacent=1, balance_inertia=False)
    more = dict(density=1000.0, collide=[], stiffness=0.0, damping=0.0)
    return SimpleNamespace(**{**usual, **files, **more, **given})


class Parts(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(7)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, data):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        return path

    def read(self, *parts):
        notes = Notes()
        return read_robot(self.file("robot.urdf", f'<robot name="r">{"".join(parts)}</robot>'), notes), notes

    def make(self, *parts, pairs=(), **given):
        robot, notes = self.read(*parts)
        return make_model(robot, pairs, options(**given), notes), notes

    def near(self, a, b, tolerance=1e-12):
        self.assertEqual(len(a), len(b))
        for x, y in zip(a, b):
            self.assertLessEqual(abs(x - y), tolerance, f"{a} is not {b}")

    def vector(self, size=1.0):
        return tuple(self.random.uniform(-size, size) for _ in range(3))

    def turn(self):
        return space.from_rpy(self.vector(3.0))

    # ------------------------------------------------------------------------------------------------------------ space

    def test_sine_and_cosine(self):
        self.assertEqual(space.sin_cos(math.pi / 2), (1.0, 6.123233995736766e-17))
        self.assertEqual(space.sin_cos(0.0), (0.0, 1.0))
        for _ in range(1000):
            angle = self.random.choice((1e-9, 1.0, 10.0, 1e6)) * self.random.uniform(-1.0, 1.0)
            for mine, other in zip(space.sin_cos(angle), (math.sin(angle), math.cos(angle))):
                self.assertLessEqual(abs(mine - other), 2.0**-52 * abs(other))

    def test_roll_pitch_yaw(self):
        """About fixed axes: roll, then pitch, then yaw."""
        for _ in range(100):
            roll, pitch, yaw = self.vector(3.0)
            x, y, z = v = self.vector()
            y, z = y * math.cos(roll) - z * math.sin(roll), y * math.sin(roll) + z * math.cos(roll)
            x, z = x * math.cos(pitch) + z * math.sin(pitch), z * math.cos(pitch) - x * math.sin(pitch)
            x, y = x * math.cos(yaw) - y * math.sin(yaw), x * math.sin(yaw) + y * math.cos(yaw)
            self.near(space.rotate(space.from_rpy((roll, pitch, yaw)), v), (x, y, z))

    def test_turns(self):
        for _ in range(100):
            a, b, v = self.turn(), self.turn(), self.vector()
            self.near(space.rotate(space.multiply(a, b), v), space.rotate(a, space.rotate(b, v)))
            self.near(space.axes(space.from_axes(*space.axes(a)))[0], space.axes(a)[0])
            axis = space.unit(v)
            self.near(space.rotate(space.from_z(axis), (0.0, 0.0, 1.0)), axis)
        self.near(space.rotate(space.from_z((0.0, 0.0, -1.0)), (0.0, 0.0, 1.0)), (0.0, 0.0, -1.0))
        self.near(space.rotate(space.from_z(space.unit((1e-7, 0.0, -1.0))), (0.0, 0.0, 1.0)), (1e-7, 0.0, -1.0), 1e-9)
        self.assertEqual(space.unit((1e-200, 0.0, 0.0)), (1.0, 0.0, 0.0))

    # ---------------------------------------------------------------------------------------------------------- inertia

    def cloud(self):
        """A tensor from point masses, and the points."""
        points = [(self.random.uniform(0.1, 1.0), self.vector()) for _ in range(6)]
        total = inertia.NOTHING
        for mass, arm in points:
            total = inertia.plus(total, inertia.at_arm(mass, arm))
        return total, points

    def test_principal_axes(self):
        for _ in range(200):
            tensor, _ = self.cloud()
            moments, turn = inertia.principal(tensor)
            self.near(inertia.turned((moments[0], 0.0, 0.0, moments[1], 0.0, moments[2]), turn), tensor, 1e-13)
            self.assertIsNone(inertia.fault(moments))
        self.assertEqual(inertia.principal((3.0, 0.0, 0.0, 2.0, 0.0, 4.0)), ((3.0, 2.0, 4.0), (1.0, 0.0, 0.0, 0.0)))

    def test_inertia_turned(self):
        for _ in range(50):
            tensor, points = self.cloud()
            q, turned = self.turn(), inertia.NOTHING
            for mass, arm in points:
                turned = inertia.plus(turned, inertia.at_arm(mass, space.rotate(q, arm)))
            self.near(inertia.turned(tensor, q), turned, 1e-13)

    def test_inertia_of_several(self):
        """As if all points were of one body."""
        parts, points = [], []
        for _ in range(4):
            some = [(self.random.uniform(0.1, 1.0), self.vector()) for _ in range(4)]
            parts.append(inertia.together([(m, p, inertia.NOTHING) for m, p in some]))
            points += some
        mass, centre, tensor = inertia.together([(m, p, inertia.NOTHING) for m, p in points])
        one = inertia.together(parts)
        self.near((one[0], *one[1], *one[2]), (mass, *centre, *tensor), 1e-12)

    def test_inertia_faults(self):
        self.assertIsNone(inertia.fault((1.0, 1.0, 2.0)))
        self.assertIsNone(inertia.fault((0.041667, 0.041667, 0.083333)))
        self.assertIn("triangle", inertia.fault((1.0, 1.0, 2.001)))
        self.assertIn("positive", inertia.fault((1.0, 1.0, 0.0)))
        self.assertIn("positive", inertia.fault((-1.0, 1.0, 1.0)))

    def discs(self, radius, half):
        """Volume and moments across and about the axis of discs, radius(z) wide, from -half to half: the midpoint rule."""
        count, total = 20000, [0.0, 0.0, 0.0]
        for k in range(count):
            z = half * ((2 * k + 1) / count - 1.0)
            area, r2 = math.pi * radius(z) ** 2, radius(z) ** 2
            for i, x in enumerate((area, area * (0.25 * r2 + z * z), area * 0.5 * r2)):
                total[i] += x * 2.0 * half / count
        return total

    def test_volumes_of_round_shapes(self):
        r, h = 0.3, 0.8
        for found, radius, half in (
            (volume.of_sphere(r), lambda z: math.sqrt(r * r - z * z), r),
            (volume.of_cylinder(r, h), lambda z: r, 0.5 * h),
            (volume.of_capsule(r, h), lambda z: math.sqrt(r * r - max(abs(z) - 0.5 * h, 0.0) ** 2), 0.5 * h + r),
        ):
            solid, centre, (xx, xy, xz, yy, yz, zz) = found
            self.near((solid, xx, zz), self.discs(radius, half), 1e-6)
            self.near((*centre, xy, xz, yz, yy - xx), (0.0,) * 7)

    def test_volumes_of_hulls(self):
        """A box turned and moved, as points; a square pyramid."""
        solid, _, tensor = volume.of_box(0.2, 0.4, 0.6)
        for _ in range(20):
            q, offset = self.turn(), self.vector()
            made = hull.hull_of([space.add(offset, space.rotate(q, p)) for p in self.box(0.1, 0.2, 0.3)], 32)
            found = volume.of_hull(made)
            self.near((found[0], *found[1]), (solid, *offset), 1e-5)
            self.near(found[2], inertia.turned(tensor, q), 1e-6)
        made = hull.hull_of([(1, 1, 0), (-1, 1, 0), (1, -1, 0), (-1, -1, 0), (0, 0, 3)], 32)
        solid, centre, tensor = volume.of_hull(made)  # V = 4, centre h/4, V (a^2/20 + 3 h^2/80), V a^2/10 with a = 2
        self.near((solid, *centre), (4.0, 0.0, 0.0, 0.75), 1e-9)
        self.near(tensor, (4.0 * (0.2 + 0.3375), 0.0, 0.0, 4.0 * (0.2 + 0.3375), 0.0, 1.6), 1e-9)

    # ------------------------------------------------------------------------------------------------------------- hull

    def proved(self, made, points, reach=0.0):
        """Closed (Euler; each side runs back on the face beyond), convex, corners in their planes, points below all."""
        size = max(max(p[k] for p in points) - min(p[k] for p in points) for k in range(3))
        sides = {}
        for f, (n, d, corners, across) in enumerate(made.faces):
            self.assertAlmostEqual(space.norm(n), 1.0, 12)
            for a, b, g in zip(corners, corners[1:] + corners[:1], across):
                self.assertLessEqual(abs(space.dot(n, made.points[a]) - d), hull.SLACK * size)
                sides[f, a, b] = g
            for p in made.points:
                self.assertLessEqual(space.dot(n, p), d)
            for p in points:
                self.assertLessEqual(space.dot(n, p) - d, max(reach + 1e-6 * size, 2.0 * hull.FLAT * size))
        for (f, a, b), g in sides.items():
            self.assertEqual(sides[g, b, a], f)
        self.assertEqual(2 * (len(made.points) + len(made.faces)), len(sides) + 4)

    def box(self, *half):
        return [tuple(s * h for s, h in zip(signs, half)) for signs in itertools.product((-1.0, 1.0), repeat=3)]

    def test_hull_of_a_box(self):
        points = self.box(0.05, 0.1, 0.2)
        made = hull.hull_of(points + [(0.0, 0.0, 0.0), (0.05, 0.0, 0.0), (0.05, 0.1, 0.0)], 32)
        self.assertEqual(sorted(made.points), sorted(points))  # to the bit
        self.assertEqual(len(made.faces), 6)
        for _ in range(50):
            q, offset = self.turn(), self.vector()
            turned = [space.add(offset, space.rotate(q, p)) for p in points]
            made = hull.hull_of(turned, 32)
            self.proved(made, turned)
            self.assertEqual((len(made.points), len(made.faces)), (8, 6))

    def test_hull_of_a_scanned_box(self):
        """Thousands of points on its faces, a little off: still a box."""
        q, points = self.turn(), []
        for _ in range(2000):
            p = list(self.vector())
            p[self.random.randrange(3)] = self.random.choice((-1.0, 1.0))
            points.append(tuple(x + self.random.uniform(-1e-6, 1e-6) for x in space.rotate(q, p)))
        corners = [space.rotate(q, p) for p in self.box(1.0, 1.0, 1.0)]
        made = hull.hull_of(points + corners, 32)
        self.proved(made, points)
        self.assertEqual((len(made.points), len(made.faces)), (8, 6))

    def test_hull_of_a_cylinder(self):
        ring = [(math.cos(k * math.pi / 20), math.sin(k * math.pi / 20)) for k in range(40)]
        q = self.turn()
        points = [space.rotate(q, (x, y, z)) for x, y in ring for z in (-1.0, 1.0)]
        made = hull.hull_of(points, 80)
        self.proved(made, points)
        self.assertEqual((len(made.points), len(made.faces)), (80, 42))

    def test_hull_with_a_bound(self):
        points = [space.unit(tuple(self.random.gauss(0, 1) for _ in range(3))) for _ in range(2000)]
        last = math.inf
        for most in (4, 8, 16, 32, 64, 128):
            made = hull.hull_of(points, most)
            self.assertEqual(len(made.points), most)
            self.proved(made, points, made.reach)
            self.assertLess(made.reach, last)
            last = made.reach
        self.assertLess(last, 0.04)

    def test_hulls_of_few_cells(self):
        """Points on a coarse grid: lines and planes that hold many of them."""
        solid = 0
        for _ in range(400):
            count = self.random.randrange(4, 40)
            points = [tuple(self.random.randrange(-2, 3) / 10 for _ in range(3)) for _ in range(count)]
            try:
                made = hull.hull_of(points, 64)
            except hull.Flat:
                continue
            solid += 1
            self.proved(made, points)
        self.assertGreater(solid, 300)

    def test_hull_of_a_shallow_dome(self):
        for height in (1e-5, 1e-4, 1e-3, 1e-2):
            grid = [(k / 20, i / 20) for k in range(-20, 21) for i in range(-20, 21)]
            points = [(x, y, height * (1 - (x * x + y * y) / 2)) for x, y in grid] + [(0.0, 0.0, -0.5)]
            self.proved(hull.hull_of(points, 200), points)

    def test_hull_of_any_size(self):
        for size in (1e-12, 1e-3, 1.0, 1e12):
            points = [space.scale(size, p) for p in self.box(1.0, 2.0, 3.0)]
            self.assertEqual(sorted(hull.hull_of(points, 8).points), sorted(points))

    def test_no_hull(self):
        square = [(x / 5, y / 5, 0.0) for x in range(5) for y in range(5)]
        line, q = [(x / 5, x / 5, x / 5) for x in range(5)], self.turn()
        for points in (square, line, [(1.0, 2.0, 3.0)] * 4, [space.rotate(q, p) for p in square]):
            with self.assertRaises(hull.Flat):
                hull.hull_of(points, 32)

    # ------------------------------------------------------------------------------------------------------------- mesh

    TRIANGLES = [((0, 0, 0), (0, 1, 0), (1, 0, 0)), ((0, 0, 0), (1, 0, 0), (0, 0, 1))]
    POINTS = [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]

    def binary_stl(self, head=b"solid but binary"):
        body = b"".join(struct.pack("<12f2x", 0, 0, 0, *(x for p in t for x in p)) for t in self.TRIANGLES)
        return head.ljust(80) + struct.pack("<I", len(self.TRIANGLES)) + body

    def test_meshes(self):
        facets = "".join(
            "facet normal 0 0 0\nouter loop\n" + "".join("vertex %g %g %g\n" % p for p in t) + "endloop\nendfacet\n"
            for t in self.TRIANGLES
        )
        obj = "# o\nv 0 0 0\nv 9 9 9\nv 0 1 0\nv 1 0 0\nvn 0 0 1\nf 1//1 3//1 4//1\nv 0 0 1 1.0\nf 1/1/1 -1 4\n"
        for name, data in (("a.stl", self.binary_stl()), ("b.STL", f"solid x\n{facets}endsolid\n"), ("c.obj", obj)):
            self.assertEqual(mesh.read_points(self.file(name, data)), self.POINTS)

    def test_bad_meshes(self):
        for name, data, reason in (
            ("a.stl", self.binary_stl()[:-1], "not STL"),
            ("b.stl", b"", "not STL"),
            ("c.stl", b"solid\n vertex 0 0\n", "c.stl:2: 2 numbers"),
            ("d.stl", b"solid\n vertex 0 0 x\n", "are not numbers"),
            ("e.stl", b"solid\n", "not STL"),
            ("j.obj", b"v 0 0 0\n", "1 points make no body"),
            ("f.stl", b"solid\n vertex 0 0 nan\n vertex 0 0 1\nvertex 0 1 0\nvertex 1 0 0\n", "not finite"),
            ("g.obj", b"v 0 0 0\nf 1 2 3\n", "g.obj:2: '2' is no corner"),
            ("h.obj", b"v 0 0 0\nf a b c\n", "'a' is no corner"),
            ("i.obj", b"v 0 0\n", "2 numbers"),
        ):
            with self.assertRaises(Complaint) as caught:
                mesh.read_points(self.file(name, data))
            self.assertIn(reason, str(caught.exception))

    def test_packages(self):
        here = self.folder.name
        os.makedirs(os.path.join(here, "one/meshes"))
        os.makedirs(os.path.join(here, "one/urdf"))
        path = self.file("one/meshes/m.stl", self.binary_stl())
        inside = os.path.join(here, "one/urdf/r.urdf")
        for name, robot, paths in (
            ("package://one/meshes/m.stl", inside, []),
            ("package://one/meshes/m.stl", "/r.urdf", [here]),
            ("package:///one/meshes/m.stl", "/r.urdf", [here]),
            ("model://one/meshes/m.stl", "/r.urdf", [os.path.join(here, "one")]),
            ("../meshes/m.stl", inside, []),
            (path, "/r.urdf", []),
            ("file://" + path, "/r.urdf", []),
        ):
            found, why = mesh.find(name, robot, paths)
            self.assertIsNone(why, name)
            self.assertTrue(os.path.samefile(found, path))
        self.assertIn("no such file", mesh.find("package://two/m.stl", inside, [])[1])
        self.assertIn("STL and OBJ", mesh.find("r.urdf", self.file("r.urdf", ""), [])[1])

    # ------------------------------------------------------------------------------------------------------------ robot

    def test_what_is_not_understood(self):
        _, notes = self.read(
            link("a", 1, '<visual/><collision name="c"><geometry><box size="1 1 1"/></geometry><verbose/></collision>'),
            "<gazebo><plugin/></gazebo><gazebo/>",
            '<transmission name="t"/>',
            link("b"),
            joint("j", "revolute", "a", "b", '<limit effort="1" velocity="1" lower="0" upper="1" current="3"/>'),
            joint("k", "fixed", "a", "c", '<axis xyz="0 0 0"/>'),
            link("c"),
        )
        self.assertEqual(
            notes.left_out,
            {
                "link/visual": 1,
                "link/collision/verbose": 1,
                "gazebo": 2,
                "transmission": 1,
                "joint/limit@current": 1,
                "joint/axis": 1,
            },
        )

    def test_forward_kinematics(self):
        robot, notes = self.read(
            link("a"),
            link("b"),
            link("c"),
            joint("j", "revolute", "a", "b", '<origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><axis xyz="0 0 2"/>'),
            joint("k", "prismatic", "b", "c", '<origin xyz="1 0 0"/><mimic joint="j" multiplier="2" offset="1"/>'),
        )
        tree = Tree(robot)
        at = values(robot, {"j": math.pi / 2}, notes)
        self.near((at["j"], at["k"]), (math.pi / 2, math.pi + 1.0))
        poses = place(tree, space.Pose((0.0, 0.0, 3.0), space.UPRIGHT), at)
        self.near(poses["b"].p, (1.0, 0.0, 3.0))
        self.near(poses["c"].p, (1.0 - 1.0 - math.pi - 1.0, 0.0, 3.0))

    def test_merged_links(self):
        """Two links on a fixed joint weigh what one link of both does."""
        made, _ = self.make(
            link("base", 0),
            link("left", 2),
            link("right", 2),
            joint("l", "fixed", "base", "left", '<origin xyz="0 1 0" rpy="0.3 0 0"/>'),
            joint("r", "fixed", "base", "right", '<origin xyz="0 -1 0"/>'),
        )
        body = made.model["body"][1]
        self.assertEqual(made.model["bodies"], 2)
        self.near((body["mass"], *body["inertia"], *body["inertial"].p), (4.0, 6.0, 2.0, 6.0, 0.0, 0.0, 0.0))
        self.assertEqual([made.links[name][0] for name in ("base", "left", "right")], [1, 1, 1])
        self.near(made.links["left"][1].p, (0.0, 1.0, 0.0))

    def test_mass_of_shapes(self):
        """A body without mass: of the shapes of all its links, where they are."""
        block = '<collision><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry></collision>'
        made, notes = self.make(
            link("base"),
            link("a", 0, block),
            link("b", 0, block),
            joint("j", "revolute", "base", "a"),
            joint("k", "fixed", "a", "b", '<origin xyz="0 0 2"/>'),
            density=10.0,
        )
        body = made.model["body"][2]
        self.near((body["mass"], *body["inertial"].p), (120.0, 0.0, 0.0, 2.0))
        self.near(body["inertia"], (2 * (65.0 + 60.0), 2 * (50.0 + 60.0), 2 * 25.0), 1e-9)
        self.assertIn("link 'b' has no mass: 60 kg by its shapes, --density 10", notes.decisions)

    def test_inertia_of_shapes(self):
        """A mass without an inertia: the shapes' for that mass, about the centre that the file gives."""
        block = '<collision><origin xyz="9 9 9"/><geometry><box size="1 2 3"/></geometry></collision>'
        for empty in ("", '<inertia ixx="0" iyy="0" izz="0"/>'):
            inertial = f'<inertial><origin xyz="0 0 1"/><mass value="12"/>{empty}</inertial>'
            made, _ = self.make(link("base"), link("a", 0, inertial + block), joint("j", "revolute", "base", "a"))
            body = made.model["body"][2]
            self.near((body["mass"], *body["inertial"].p, *body["inertia"]), (12.0, 0.0, 0.0, 1.0, 13.0, 10.0, 5.0))

    ARM = (
        link("base"),
        link("arm"),
        link("tool"),
        joint("hinge", "revolute", "base", "arm", '<origin xyz="0 0 1"/><axis xyz="0 1 0"/>'),
        joint("weld", "fixed", "arm", "tool", '<origin xyz="0 0 2"/>'),
    )

    def test_bases(self):
        floating, _ = self.make(*self.ARM, z=3.0)
        self.assertEqual((floating.model["bodies"], floating.joint_names), (3, ["hinge"]))
        self.near(floating.model["body"][1]["pose"].p, (0.0, 0.0, 3.0))
        fixed, notes = self.make(*self.ARM, z=3.0, fixed_base=True)
        self.assertEqual((fixed.model["bodies"], fixed.links["base"][0]), (2, 0))
        self.near(fixed.model["joint"][0]["frame_a"].p, (0.0, 0.0, 4.0))
        self.near(fixed.model["shape"][0]["pose"].p, (0.0, 0.0, 3.0))
        self.assertTrue(any("part of the ground" in text for text in notes.decisions))
        world, _ = self.make(link("world", 0, ""), joint("j", "fixed", "world", "base"), *self.ARM)
        self.assertEqual((world.model["bodies"], world.links["base"][0]), (2, 0))
        massless, notes = self.make(link("rail", 0, ""), joint("j", "prismatic", "rail", "base"), *self.ARM)
        self.assertEqual(massless.links["rail"][0], 0)
        self.assertTrue(any("'rail' has no mass" in text for text in notes.decisions))
        free, _ = self.make(link("world", 0, ""), joint("j", "floating", "world", "base"), *self.ARM)
        self.assertEqual((free.model["bodies"], free.joint_names, free.model["exclusions"]), (3, ["hinge"], 0))

    def test_fixed_joints_kept(self):
        made, _ = self.make(*self.ARM, z=3.0, fixed_base=True, keep_fixed=True)
        self.assertEqual(made.model["bodies"], 4)
        self.assertEqual(made.joint_names, ["fixed_base", "hinge", "weld"])
        self.assertEqual([j["kind"] for j in made.model["joint"]], ["TAC_FIXED", "TAC_REVOLUTE", "TAC_FIXED"])
        self.near(made.model["joint"][0]["frame_a"].p, (0.0, 0.0, 3.0))
        self.near(made.model["joint"][2]["frame_a"].p, (0.0, 0.0, 2.0))
        light, _ = self.make(link("a", 0), link("b"), link("c"), link("d", 0), keep_fixed=True, *(
            joint(f"{a}{b}", "fixed", a, b) for a, b in ("ab", "ac", "cd")
        ))
        self.assertEqual((light.model["bodies"], light.joint_names), (3, ["ac"]))

    def test_joint_frames(self):
        """Both frames are one where the links are at joint values 0, and z is the axis."""
        for kind in ("revolute", "prismatic", "planar", "continuous"):
            axis = self.vector()
            origin = '<origin xyz="%r %r %r" rpy="%r %r %r"/>' % (*self.vector(), *self.vector())
            made, _ = self.make(
                link("a"), link("b"), joint("j", kind, "a", "b", origin + '<axis xyz="%r %r %r"/>' % axis)
            )
            one, two = (
                space.compose(body["pose"], made.model["joint"][0][frame])
                for body, frame in zip(made.model["body"][1:], ("frame_a", "frame_b"))
            )
            self.near(one.p, two.p)
            self.near(space.axes(one.q)[0] + space.axes(one.q)[2], space.axes(two.q)[0] + space.axes(two.q)[2])
            turned = space.rotate(made.model["body"][2]["pose"].q, space.unit(axis))
            self.near(space.axes(one.q)[2], turned)

    def test_limits(self):
        def limited(kind, limit):
            made, _ = self.make(link("a"), link("b"), joint("j", kind, "a", "b", limit))
            return made.model["joint"][0]["lower"], made.model["joint"][0]["upper"]

        self.assertEqual(limited("revolute", '<limit lower="-1" upper="2" effort="1" velocity="1"/>'), (-1.0, 2.0))
        self.assertEqual(limited("revolute", '<limit upper="2" effort="1" velocity="1"/>'), (0.0, 2.0))
        self.assertEqual(limited("prismatic", '<limit lower="-inf" upper="2"/>'), (-1e30, 2.0))
        for kind, limit in (("continuous", '<limit effort="1"/>'), ("revolute", "<limit/>"), ("revolute", "")):
            lower, upper = limited(kind, limit)
            self.assertGreater(lower, upper)

    def test_mimic(self):
        """Coupled to the first joint of the chain, from where it starts; one without a ratio is held."""
        made, notes = self.make(
            *(link(name) for name in "abcde"),
            joint("j", "revolute", "a", "b"),
            joint("k", "revolute", "b", "c", '<mimic joint="j" multiplier="-2" offset="0.5"/>'),
            joint("l", "prismatic", "c", "d", '<axis xyz="0 0 1"/><mimic joint="k" multiplier="3"/>'),
            joint("m", "revolute", "d", "e", '<mimic joint="j" multiplier="0" offset="0.2"/>'),
            joint={"j": 0.25},
        )
        self.near(made.model["body"][4]["pose"].p, space.rotate(space.from_rpy((0.25, 0.0, 0.0)), (0.0, 0.0, 0.0)))
        self.assertEqual(made.joint_names, ["j", "k", "l", "m", "k_mimic", "l_mimic"])
        fields = ("kind", "body_a", "body_b", "length", "lower", "upper", "collide")
        coupled = [tuple(made.model["joint"][i][name] for name in fields) for i in (4, 5)]
        self.assertEqual(coupled[0], ("TAC_COUPLING", 0, 1, -2.0, 0.5, 0.5, 0))
        self.assertEqual(coupled[1], ("TAC_COUPLING", 0, 2, -6.0, 1.5, 1.5, 0))
        self.assertEqual((made.model["joint"][3]["lower"], made.model["joint"][3]["upper"]), (0.2, 0.2))

    def test_joints_as_text(self):
        made, _ = self.make(
            *self.ARM[:3],
            joint(
                "hinge", "revolute", "base", "arm",
                '<limit lower="-1" upper="2" effort="3" velocity="4"/><dynamics damping="5" friction="6"/>',
            ),
            self.ARM[4],
        )
        text = " ".join(line.strip() for line in emit_c.field_lines("tac_joint", made.model["joint"][0], 0))
        for part in (
            ".lower = R_(-1.0), .upper = R_(2.0), .friction = R_(6.0), .damping = R_(5.0)",
            ".effort = R_(3.0), .speed = R_(4.0), .stop_stiffness = R_(0.0), .stop_damping = R_(0.0)",
            ".body_a = 1, .body_b = 2, .kind = TAC_REVOLUTE, .collide = 0}",
        ):
            self.assertIn(part, text)
        whole = emit_c.emit(self.make(*self.ARM)[0], "x", "x.h")
        self.assertIn(".effort = MOST_", whole)
        # a kernel whose joints may break refuses one that breaks at a force of 0
        self.assertIn("#if TAC_SWITCHES\n#define LASTS_ .break_force = MOST_, .break_torque = MOST_,\n#else\n", whole)
        self.assertIn("{LASTS_ .frame_a", whole)

    def test_exclusions(self):
        parts = [link(name) for name in "abcd"] + [
            joint("ab", "revolute", "a", "b"),
            joint("bc", "fixed", "b", "c"),
            joint("cd", "revolute", "c", "d"),
        ]
        robot, notes = self.read(*parts)
        rows = "".join(f'<disable_collisions link1="{a}" link2="{b}" reason="Never"/>' for a, b in ("da", "cb", "ba"))
        pairs = read_pairs(self.file("r.srdf", f'<robot name="r">{rows}<group name="g"/></robot>'), robot, notes)
        made = make_model(robot, pairs, options(), notes)
        self.assertEqual([(e["a"], e["b"]) for e in made.model["exclusion"]], [(1, 3)])  # joints see to the others
        self.assertEqual(notes.left_out, {"srdf/group": 1})
        widened, notes = self.make(link("e"), joint("ae", "fixed", "a", "e"), *parts, pairs=[("e", "d")])
        self.assertEqual(widened.model["exclusions"], 1)
        self.assertTrue(any("'a' and 'd' do not collide either" in text for text in notes.decisions))

    def test_adjacent(self):
        """A chain of five and a twig: pairs by the number of joints between them."""
        chain = [link(name) for name in "abcdef"]
        chain += [joint(f"{a}{b}", "revolute", a, b) for a, b in ("ab", "bc", "cd", "de", "bf")]

        def pairs(*parts, **given):
            made, _ = self.make(*parts, **given)
            names = ["0"] + made.body_names[1:]
            found = [(e["a"], e["b"]) for e in made.model["exclusion"]]
            found += [(j["body_a"], j["body_b"]) for j in made.model["joint"] if not j["collide"]]
            self.assertEqual(len(found), len(set(found)))
            return {names[a] + names[b] for a, b in found}

        one, two = {"ab", "bc", "cd", "de", "bf"}, {"ac", "af", "bd", "ce", "cf"}
        self.assertEqual(pairs(*chain, adjacent=0), set())
        self.assertEqual(pairs(*chain), one)
        self.assertEqual(pairs(*chain, adjacent=2), one | two)
        self.assertEqual(len(pairs(*chain, adjacent=100)), 15)
        # fixed to the ground: what hangs on it misses it, but nothing else does, and nothing is near through it
        fixed = pairs(*chain, adjacent=100, fixed_base=True)
        self.assertEqual({pair for pair in fixed if "0" in pair}, {"0b"})
        world = [link("world", 0, "")] + [joint(f"w{a}", "revolute", "world", a) for a in "ab"] + [link("a"), link("b")]
        self.assertEqual(pairs(*world, adjacent=100), set())
        self.assertEqual(pairs(link("a"), fixed_base=True, keep_fixed=True), {"0a"})

    def test_overlaps(self):
        """Exactly the pairs of links that overlap do not collide; a link takes one group, whatever overlaps it."""
        count = 40
        made, _ = self.make(*(link(f"l{i}") for i in range(count)), *(
            joint(f"j{i}", "revolute", f"l{i - 1}", f"l{i}") for i in range(1, count)
        ), ground=True)
        every = [(f"l{a}", f"l{b}") for a in range(count) for b in range(a)]
        for most in (1, 5, 15, 16, 30):
            hubs = self.random.sample(range(count), most)
            pairs = [pair for pair in every if any(f"l{h}" in pair for h in hubs) and self.random.random() < 0.3]
            for shape in made.model["shape"]:
                shape.update(group=1, mask=0xFFFF)
            left = part_by_groups(made, pairs)
            self.assertEqual(left == [], most <= len(GROUPS))
            of = dict(zip(made.owners, made.model["shape"]))
            for a, b in every:
                meets = bool(of[a]["group"] & of[b]["mask"] and of[b]["group"] & of[a]["mask"])
                self.assertEqual(meets, (a, b) not in pairs or (a, b) in left)
                self.assertTrue(of[a]["group"] & of[None]["mask"] and of[None]["group"] & of[a]["mask"])

    def test_touching(self):
        """What overlaps by rounding only touches."""
        made, _ = self.make(*self.ARM)
        self.assertEqual(deepest(made, [["0", "1", "1e-9", "0"], ["1", "2", "0", "1e-8"]]), [])
        found = deepest(made, [["0", "1", "0.002", "0"], ["0", "2", "0", "0.001"], ["1", "0", "0.003", "0.001"]])
        self.assertEqual(found[0], (("arm", "base"), (0.003, 0.001)))
        self.assertEqual(found[-1], (("base", "tool"), (0.0, 0.001)))

    def test_linear(self):
        """Lines that are run for twice as many joints, of which each mimics the one before."""

        def lines_for(links):
            count = 0

            def tracer(_frame, event, _argument):
                nonlocal count
                count += event == "line"
                return tracer

            chain = [link(f"l{i}", 1, "") for i in range(links)]
            for i in range(1, links):
                told = f'<mimic joint="j{i - 1}"/>' if i > 1 else ""
                chain.append(joint(f"j{i}", "revolute", f"l{i - 1}", f"l{i}", told))
            robot, notes = self.read(*chain)
            before = sys.gettrace()
            sys.settrace(tracer)
            values(robot, {}, notes)
            sys.settrace(before)
            return count

        self.assertLess(lines_for(400), 2.1 * lines_for(200))

    # ----------------------------------------------------------------------------------------------------------- output

    def test_blob(self):
        """Read back field by field, it is the model, in double; names follow."""
        made, _ = self.make(*self.ARM, z=0.3, ground=True)
        data, at = emit_blob.emit(made), 0

        def take(form):
            nonlocal at
            found = struct.unpack_from("<" + form, data, at)
            at += struct.calcsize("<" + form)
            return found

        def value(kind):
            if isinstance(kind, Enum):
                return kind.names[take("B")[0]]
            if kind in REALS:
                flat = tuple(math.inf if x == LARGEST[64] else x for x in take(f"{REALS[kind]}d"))
                cuts = {"pose": 3, "twist": 3}
                return flat[0] if kind == "real" else (flat[:3], flat[3:]) if kind in cuts else flat[:]
            if kind in STRUCTS:
                return {name: value(inner) for name, inner in (emit_blob.SENT[False] if kind == "tac_joint" else STRUCTS[kind])}
            return take({"u8": "B", "u16": "H", "u32": "I"}[kind])[0]

        self.assertEqual(take("8s")[0], emit_blob.MAGIC)
        self.assertEqual(take("II"), (emit_blob.VERSION, made.hash(32)))
        size = take("I")[0]
        at += size
        self.assertEqual(take("II"), (made.hash(64), len(emit_blob.image(made, 64)) - 8))
        model = {name: value(kind) for name, kind in COUNTS + SCALARS}
        for array, kind, count, _, _, _ in ARRAYS:
            model[array] = [value(kind) for _ in range(model[count])]
        for joint in made.model["joint"]:
            for name in BUSHING:  # not sent
                self.assertEqual(joint.pop(name), (0.0, 0.0, 0.0))
        self.assertEqual(model, {name: made.model[name] for name in model})
        links = [(take("H")[0], take(f"{take('H')[0]}s")[0]) for _ in range(take("H")[0])]
        self.assertEqual(links, [(1, b"base"), (2, b"arm"), (2, b"tool")])
        self.assertEqual([take(f"{take('H')[0]}s")[0] for _ in range(take("H")[0])], [b"hinge"])
        self.assertEqual(at, len(data))

    def test_identifiers(self):
        words = names.unique(["a b", "a-b", "A_B_3", "A_B", "a b", "", "\u00e9", "1"], "R_")
        self.assertEqual(words, ["R_A_B", "R_A_B_2", "R_A_B_3", "R_A_B_4", "R_A_B_5", "R_ROBOT", "R_ROBOT_2", "R_1"])
        known = {"a-1": "A_1", "3dof": "ROBOT_3DOF", "": "ROBOT", "_x": "X", "tac": "ROBOT_TAC", "tact": "TACT"}
        for name, start in known.items():
            self.assertEqual(names.prefix(SimpleNamespace(robot=SimpleNamespace(name=name))), start)
        self.assertEqual(document.printable("a \n\\x\u00e9??/"), "a __x___/")

    def test_names_in_the_header(self):
        """Each link is a frame; a shape has its link's name, and its own if the link has several."""
        boxes = "".join(
            f'<collision{name}><geometry><box size="1 1 1"/></geometry></collision>' for name in (' name="lid"', "", "")
        )
        made, _ = self.make(
            link("a", 1, SPHERE.replace("<collision", '<collision name="x"')),
            link("b", 1, boxes),
            link("c", 2, ""),
            joint("j", "revolute", "a", "b", '<limit lower="-1" upper="2" effort="3" velocity="4"/>'),
            joint("k", "fixed", "b", "c", '<origin xyz="1 2 3"/>'),
            ground=True,
        )
        self.assertEqual(made.shape_names, ["floor", "a", "b lid", "b", "b"])
        text = " ".join(emit_h.emit(made, "x.urdf", "x.c").split())
        for part in (
            "R_BODY_GROUND = 0, ///< fixed R_BODY_A = 1, ///< 1 kg R_BODY_B = 2, ///< 3 kg R_BODIES = 3 }",
            "R_JOINT_J = 0, ///< revolute, rad, -1 .. 2, at most 3 N m, at most 4 rad/s R_JOINTS = 1 }",
            "R_SHAPE_FLOOR = 0, ///< half-space on body ground R_SHAPE_A = 1, ///< sphere on body a",
            "R_SHAPE_B_LID = 2, ///< box on body b R_SHAPE_B = 3, ///< box on body b R_SHAPE_B_2 = 4,",
            "R_FRAME_B = 1, ///< of body b R_FRAME_C = 2, ///< of body b at (1 2 3) R_FRAMES = 3 }",
            "extern const tac_model r_model; extern const tac_frame r_frame[R_FRAMES];",
            "#define R_MAX_SHAPES 5 #if TAC_MAX_SHAPES < R_MAX_SHAPES #error",
        ):
            self.assertIn(part, text)
        self.assertNotIn("CONTACTS", text)

    def test_frames(self):
        """A frame in its body, with the joints anywhere, is where the tree has the link."""
        for k in range(20):
            kinds = [self.random.choice(("fixed", "fixed", "revolute", "prismatic")) for _ in range(8)]
            parts = [link("l0")]
            for i, kind in enumerate(kinds):
                origin = '<origin xyz="%r %r %r" rpy="%r %r %r"/>' % (*self.vector(), *self.vector())
                on = self.random.randrange(i + 1)
                parts += [link(f"l{i + 1}"), joint(f"j{i}", kind, f"l{on}", f"l{i + 1}", origin)]
            start = {f"j{i}": 0.3 * i for i, kind in enumerate(kinds) if kind != "fixed"}
            made, notes = self.make(*parts, joint=start, z=0.5, fixed_base=k % 2 == 1)
            tree = Tree(made.robot)
            at = place(tree, space.Pose((0.0, 0.0, 0.5), space.UPRIGHT), values(made.robot, start, notes))
            self.assertEqual(set(made.links), set(at))
            for name, (body, pose) in made.links.items():
                found = space.compose(made.model["body"][body]["pose"], pose)
                self.near(found.p, at[name].p)
                for mine, its in zip(space.axes(found.q), space.axes(at[name].q)):
                    self.near(mine, its)

    def test_capacities_of_several(self):
        few, _ = self.make(*self.ARM)
        more, _ = self.make(*self.ARM, ground=True, contacts=77, fixed_base=True)
        most = emit_config.largest([few, more])
        for name in set(few.capacities) | set(more.capacities):
            self.assertEqual(most[name], max(made.capacities.get(name, 0) for made in (few, more)))
        self.assertEqual((most["TAC_MAX_BODIES"], most["TAC_MAX_CONTACTS"], most["TAC_MAX_SHAPES"]), (2, 77, 4))

    def test_swept_rows(self):
        """A row for what is bounded and for a coupling, three of each contact up to 24, of more a quarter; each as long as
        the longest branch and its root. At least what joints alone need, with a contact of six rows between two
        branches."""
        free = {"kind": "TAC_REVOLUTE", "friction": 0.0, "lower": 1.0, "upper": -1.0}
        free.update(effort=math.inf, speed=math.inf)
        branch = [
            dict(free, body_a=1, body_b=2),
            dict(free, body_a=2, body_b=3, effort=5.0),
            dict(free, body_a=1, body_b=4, friction=0.1),
            dict(free, body_a=4, body_b=5, lower=-1.0, upper=1.0),
        ]
        plane = [dict(free, body_a=1, body_b=2, kind="TAC_PLANAR"), dict(free, body_a=2, body_b=3, kind="TAC_FIXED")]
        gears = [dict(free, body_a=0, body_b=1, kind="TAC_COUPLING")]
        self.assertEqual(swept(branch, 4), {"TAC_MAX_REDUCED": 15, "TAC_MAX_PATH": 15 * 8})
        for contacts, lies in ((24, 24), (25, 24), (96, 24), (97, 25), (400, 100)):
            rows = 3 * lies + 3
            self.assertEqual(swept(branch, contacts), {"TAC_MAX_REDUCED": rows, "TAC_MAX_PATH": rows * 8})
        self.assertEqual(swept(plane, 1), {"TAC_MAX_REDUCED": 6, "TAC_MAX_PATH": 12 * 9})
        self.assertEqual(swept(branch + gears, 4), {"TAC_MAX_REDUCED": 16, "TAC_MAX_PATH": 17 * 8})
        fast = [dict(free, body_a=1, body_b=2, speed=3.0)]
        self.assertEqual(swept(fast, 4), {"TAC_MAX_REDUCED": 13, "TAC_MAX_PATH": 13 * 7})

    def test_same_bytes(self):
        """The order of what does not matter in a file does not change a mesh; two runs give the same text."""
        for emit in (emit_c.emit, emit_h.emit):
            first, second = (emit(self.make(*self.ARM)[0], "x", "y") for _ in range(2))
            self.assertEqual(first, second)


if __name__ == "__main__":
    unittest.main()
