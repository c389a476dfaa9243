# SPDX-License-Identifier: MIT
"""mjcf_worlds - MJCF files that are made here: one for each feature, and random ones of a seed."""
import os
import random
import struct

CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]  # seen from outside


def wedge():
    """Points and triangles of a solid that is in no way symmetric."""
    points = [(0.05 * x + 0.02 * y * (x > 0), 0.04 * y + 0.01 * z, 0.03 * z + 0.005 * x) for x, y, z in CUBE]
    return points, [t for a, b, c, d in SIDES for t in ((a, b, c), (a, c, d))]


def write_meshes(folder):
    points, triangles = wedge()
    data = b"".join(struct.pack("<12f", 0, 0, 0, *(x for i in t for x in points[i])) + b"\0\0" for t in triangles)
    with open(os.path.join(folder, "wedge.stl"), "wb") as file:
        file.write(bytes(80) + struct.pack("<I", len(triangles)) + data)
    with open(os.path.join(folder, "wedge.obj"), "w", encoding="ascii") as file:
        file.writelines(f"v {x!r} {y!r} {z!r}\n" for x, y, z in points)
        file.writelines("f " + " ".join(str(i + 1) for i in side) + "\n" for side in SIDES)
    with open(os.path.join(folder, "wedge.msh"), "wb") as file:
        file.write(struct.pack("<4i", len(points), 0, 0, len(triangles)))
        file.write(b"".join(struct.pack("<3f", *p) for p in points) + b"".join(struct.pack("<3i", *t) for t in triangles))


def body(inside, more='<freejoint/>', attributes='pos="0.1 0.2 0.3"'):
    return f"<worldbody><body {attributes}>{more}{inside}</body></worldbody>"


BALL = '<geom size="0.1"/>'
ROD = '<geom type="capsule" size="0.03" fromto="0 0 0 0.1 0.2 0.15"/>'
FEATURES = {
    "orientations in degrees": "".join(
        body('<geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0"/>', '<joint type="ball"/>', f'pos="{k} 0 0" {form}')
        for k, form in enumerate(
            ('quat="1 2 3 4"', 'axisangle="1 2 3 50"', 'euler="10 20 30"', 'xyaxes="1 1 0 0 1 1"', 'zaxis="1 2 -3"', 'zaxis="0 0 -1"')
        )
    ),
    "radians, fixed axes": '<compiler angle="radian" eulerseq="ZyX"/>'
    + body('<geom type="box" size="0.1 0.2 0.3" euler="1 0.5 -0.3"/>', '<joint range="-1 2" axis="1 2 3" pos="0.1 0.2 0"/>', 'euler="0.3 0.2 0.1"'),
    "shapes": "".join(
        body(f'<geom {geom} pos="0.1 0.2 0.3" euler="30 40 50" density="{500 + 100 * k}"/>', attributes=f'pos="{k} 0 0"')
        for k, geom in enumerate(
            (
                'type="sphere" size="0.1"',
                'type="capsule" size="0.1 0.2"',
                'type="cylinder" size="0.1 0.2"',
                'type="box" size="0.1 0.2 0.3"',
                'type="ellipsoid" size="0.1 0.2 0.3"',
            )
        )
    ),
    "from a point to another": "".join(
        body(f'<geom type="{kind}" size="0.05" fromto="0.1 0.2 0.3 0.2 -0.1 {0.5 + 0.1 * k}"/>', attributes=f'pos="{k} 0 0"')
        for k, kind in enumerate(("capsule", "cylinder", "box", "ellipsoid"))
    ),
    "masses and groups": '<compiler inertiagrouprange="1 3"/>'
    + body('<geom size="0.1" group="0" mass="9"/><geom size="0.1" pos="0 0 1" group="1" mass="2"/><geom type="box" size="0.1 0.2 0.3" group="3" mass="1" euler="0 0 20"/>'),
    "inertia given": body(BALL + '<inertial mass="2" pos="0.1 0.2 0.3" euler="10 20 30" diaginertia="0.3 0.2 0.4"/>')
    + body(BALL + '<inertial mass="2" pos="0.1 0.2 0.3" fullinertia="0.3 0.2 0.4 0.01 0.02 0.03"/>', attributes='pos="2 0 0"'),
    "inertia from geoms all the same": '<compiler inertiafromgeom="true"/>'
    + body(BALL + '<inertial mass="2" pos="0.1 0.2 0.3" diaginertia="0.3 0.2 0.4"/>'),
    "bounds and balance": '<compiler boundmass="0.7" boundinertia="0.02" balanceinertia="true"/>'
    + body('<inertial mass="0.1" pos="0 0 0" diaginertia="0.001 0.03 0.9"/>'),
    "whole mass": '<compiler settotalmass="7"/>' + body(BALL) + body(ROD, attributes='pos="2 0 0"'),
    "joints of each kind": "".join(
        body(ROD, f'<joint {joint} pos="0.1 -0.1 0.05"/>', f'pos="{k} 0 0" euler="20 30 40"')
        for k, joint in enumerate(('type="hinge" axis="1 1 0"', 'type="slide" axis="1 2 3"', 'type="ball"'))
    ),
    "springs, dampers, rotors": "".join(
        body(ROD, f'<joint type="{kind}" axis="1 1 0" stiffness="20" springref="{rest}" ref="{ref}" damping="0.3" armature="0.05" frictionloss="0.1"/>', f'pos="{k} 0 0"')
        for k, (kind, rest, ref) in enumerate((("hinge", 20, 30), ("slide", 0.2, -0.1)))
    ),
    "balls with springs and dampers": "".join(
        body(ROD, f'<joint type="ball" pos="0.1 -0.1 0.05" {more}/>', f'pos="{k} 0 0" euler="20 30 40"')
        for k, more in enumerate(('stiffness="3"', 'damping="0.2"', 'stiffness="2" damping="0.1" range="0 50" frictionloss="0.1"'))
    ),
    "limits": '<compiler autolimits="false"/>'
    + body(ROD, '<joint limited="true" range="-20 30"/>')
    + body(ROD, '<joint limited="false" range="-20 30"/>', 'pos="2 0 0"'),
    "two joints in a body": body(ROD, '<joint axis="1 0 0" pos="0.1 0 0"/><joint axis="0 1 0" pos="0 0.1 0" range="-10 20"/>'),
    "three hinges in a body": body(ROD, '<joint axis="1 0 0"/><joint axis="0 1 0"/><joint axis="0 0 1" stiffness="5" damping="0.1"/>'),
    "slides and a ball": body(ROD, '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 1"/><joint type="ball" pos="0 0.1 0"/>'),
    "a planar root": body(ROD, '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1" ref="0.5"/><joint axis="0 1 0" pos="0 0 0.1"/>'),
    "a chain": '<worldbody><body><joint axis="0 1 0"/>'
    + ROD
    + '<body pos="0.1 0.2 0.15" euler="0 0 30"><joint axis="1 0 0" damping="0.02"/>'
    + ROD
    + '<body pos="0.1 0.2 0.15"><geom size="0.05"/><body pos="0 0.1 0" quat="1 1 0 0"><joint type="slide" axis="0 0 1"/><geom size="0.07"/></body></body></body></body></worldbody>',
    "defaults in defaults": '<default><geom density="400" type="box" size="0.1 0.2 0.1"/><joint damping="0.1"/>'
    '<default class="a"><geom density="900"/><joint axis="0 1 0" armature="0.01"/><default class="b"><geom type="sphere" size="0.08"/></default></default></default>'
    '<worldbody><body childclass="a"><joint/><geom/><body pos="0 0 0.4"><joint class="b"/><geom class="b"/><geom class="main" pos="0.3 0 0"/>'
    '<body childclass="b" pos="0 0 0.5"><joint axis="1 0 0"/><geom/></body></body></body></worldbody>',
    "frames": body(
        '<frame pos="0 0 0.1" euler="0 90 0"><geom type="capsule" size="0.05 0.1"/><frame euler="90 0 0"><geom type="box" size="0.1 0.02 0.03"/></frame>'
        '<body pos="0 0 0.3"><joint axis="0 1 0" pos="0.1 0 0"/><geom size="0.05"/></body></frame>',
        '<frame pos="0.1 0 0" axisangle="1 0 0 30"><joint axis="0 0 1" pos="0 0.1 0"/></frame>',
    ),
    "replicas": '<worldbody><replicate count="5" offset="0.4 0.1 0" euler="10 20 30"><body name="ball"><joint name="hinge" axis="1 0 0" pos="0 0 0.3"/><geom name="shell" size="0.1"/></body></replicate>'
    '<replicate count="2" offset="0 0 1" sep="-"><replicate count="2" offset="0 1 0"><body pos="3 0 0"><freejoint/><geom size="0.1"/></body></replicate></replicate></worldbody>',
    "no gravity": '<option timestep="0.005" gravity="1 2 3"><flag gravity="disable"/></option>' + body(ROD),
    "gravity": '<option timestep="0.005" gravity="1 2 3"/>' + body(ROD),
    "ground and terrain": '<asset><hfield name="hill" nrow="3" ncol="4" size="1 2 0.5 0.1" elevation="0 1 2 3 1 1 1 1 0 0 2 0"/></asset>'
    '<worldbody><geom type="plane" size="0 0 1" euler="10 0 0"/><geom type="hfield" hfield="hill" pos="0 0 -1"/><body pos="0 0 2"><freejoint/>' + ROD + "</body></worldbody>",
    "an include": '<include file="part.xml"/>' + body(BALL),
}
PART = '<mujocoinclude><compiler angle="radian"/><worldbody><body name="part" euler="1 0 0" pos="3 0 0"><joint range="-1 1"/><geom size="0.1" pos="0.1 0 0"/></body></worldbody></mujocoinclude>'


def meshes():
    for ending in ("stl", "obj", "msh"):
        for how in ("legacy", "exact", "shell"):
            asset = f'<asset><mesh name="w" file="wedge.{ending}" inertia="{how}" scale="1 2 {-3 if ending != "msh" else 3}" refpos="0.01 0 0" refquat="1 0.1 0 0"/></asset>'
            yield f"{ending} {how}", asset + body('<geom type="mesh" mesh="w" pos="0.1 0 0" euler="10 20 30"/>')
    for kind in ("sphere", "capsule", "cylinder", "box", "ellipsoid"):
        for box in ("false", "true"):
            head = f'<compiler fitaabb="{box}"/><asset><mesh file="wedge.stl"/></asset>'
            yield f"fit {kind} {box}", head + body(f'<geom type="{kind}" mesh="wedge" pos="0.1 0 0" euler="10 20 30"/>')
    vertices = " ".join(f"{x!r} {y!r} {z!r}" for x, y, z in wedge()[0])
    faces = " ".join(str(i) for t in wedge()[1] for i in t)
    yield "written", f'<asset><mesh name="w" vertex="{vertices}" face="{faces}"/></asset>' + body('<geom type="mesh" mesh="w"/>')


NONE = 'damping="0" armature="0"'  # of a free joint that takes these from its class


class Random:
    """A world of a seed."""

    def __init__(self, seed):
        self.rng, self.count, self.radian = random.Random(seed), 0, False

    def number(self, low=-1.0, high=1.0):
        return f"{self.rng.uniform(low, high):.6g}"

    def numbers(self, count, low=-1.0, high=1.0):
        return " ".join(self.number(low, high) for _ in range(count))

    def angle(self):
        return self.number(-3.0, 3.0) if self.radian else self.number(-170.0, 170.0)

    def orientation(self):
        form = self.rng.choice(("quat", "axisangle", "euler", "xyaxes", "zaxis", ""))
        value = {
            "quat": lambda: self.numbers(4),
            "axisangle": lambda: f"{self.numbers(3)} {self.angle()}",
            "euler": lambda: " ".join(self.angle() for _ in range(3)),
            "xyaxes": lambda: self.numbers(6),
            "zaxis": lambda: self.numbers(3),
        }
        return f'{form}="{value[form]()}"' if form else ""

    def geom(self, classes):
        kind = self.rng.choice(("sphere", "capsule", "cylinder", "box", "ellipsoid"))
        size = self.numbers({"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3), 0.05, 0.2)
        where = f'pos="{self.numbers(3, -0.2, 0.2)}" {self.orientation()}'
        if kind != "sphere" and self.rng.random() < 0.3:
            size, where = self.number(0.03, 0.1), f'fromto="{self.numbers(6, -0.3, 0.3)}"'
        weight = self.rng.choice(("", "", f'mass="{self.number(0.1, 2.0)}"', f'density="{self.number(200.0, 2000.0)}"'))
        name = self.rng.choice(("", f'class="{self.rng.choice(classes)}"'))
        return f'<geom type="{kind}" size="{size}" {where} {weight} group="{self.rng.randrange(5)}" {name}/>'

    def joint(self, kind, classes):
        more = f'pos="{self.numbers(3, -0.2, 0.2)}" axis="{self.numbers(3)}"' if kind != "ball" else f'pos="{self.numbers(3, -0.2, 0.2)}" armature="0"'
        if kind == "ball":
            more += self.rng.choice(("", f' stiffness="{self.number(1.0, 5.0)}"')) + self.rng.choice(("", ' range="0 1"'))
        if kind != "ball":
            unit = 57.0 if kind == "hinge" and not self.radian else 1.0
            more += self.rng.choice(("", f' stiffness="{self.number(10.0, 20.0)}" springref="{self.number(-0.5 * unit, 0.5 * unit)}"'))
            more += self.rng.choice(("", f' ref="{self.number(-0.5 * unit, 0.5 * unit)}"', f' range="{self.number(-unit, 0.0)} {self.number(0.1, unit)}"'))
            more += self.rng.choice(("", f' damping="{self.number(0.0, 0.5)}"', f' armature="{self.number(0.001, 0.1)}"'))
            if self.rng.random() < 0.3:
                more += f' class="{self.rng.choice(classes)}"'
        return f'<joint type="{kind}" {more}/>'

    def joints(self, top, classes):
        if top and self.rng.random() < 0.4:
            return "<freejoint/>" if self.rng.random() < 0.5 else f'<joint type="free" class="a" {NONE}/>'
        several = [("hinge",), ("slide",), ("ball",), ("hinge", "hinge"), ("slide", "hinge"), ("slide", "slide", "ball"), ("hinge", "slide", "hinge"), ()]
        return "".join(self.joint(kind, classes) for kind in self.rng.choice(several))

    def body(self, depth, classes):
        self.count += 1
        inside = self.geom(classes)
        if self.rng.random() < 0.4:
            inside += self.geom(classes)
        if self.rng.random() < 0.3:
            diagonal = " ".join(f"{0.02 + 0.01 * self.rng.random():.6g}" for _ in range(3))
            full = diagonal + " " + self.numbers(3, -0.002, 0.002)
            inertia = f'diaginertia="{diagonal}" {self.orientation()}' if self.rng.random() < 0.5 else f'fullinertia="{full}"'
            inside += f'<inertial mass="{self.number(0.5, 2.0)}" pos="{self.numbers(3, -0.1, 0.1)}" {inertia}/>'
        for _ in range(self.rng.choice((0, 1, 1, 2)) if depth < 3 and self.count < 7 else 0):
            one = self.body(depth + 1, classes)
            if self.rng.random() < 0.3:
                one = f'<frame pos="{self.numbers(3, -0.2, 0.2)}" {self.orientation()}>{one}</frame>'
            inside += one
        child = self.rng.choice(("", f'childclass="{self.rng.choice(classes)}"'))
        joints = self.joints(depth == 0, classes)
        if depth == 0 and not joints:
            joints = self.joint("hinge", classes)
        return f'<body pos="{self.numbers(3, -0.4, 0.4)}" {self.orientation()} {child}>{joints}{inside}</body>'

    def default(self, name, inside):
        geom = self.rng.choice(("", f'<geom density="{self.number(300.0, 900.0)}"/>'))
        joint = self.rng.choice(("", f'<joint armature="{self.number(0.01, 0.1)}" damping="{self.number(0.01, 0.2)}"/>'))
        return f'<default class="{name}">{geom}{joint}{inside}</default>'

    def world(self):
        self.radian = self.rng.random() < 0.5
        sequence = "".join(self.rng.choice("xyzXYZ") for _ in range(3))
        angle = 'angle="radian"' if self.radian else self.rng.choice(("", 'angle="degree"'))
        head = f'<compiler {angle} eulerseq="{sequence}" inertiagrouprange="0 {self.rng.randrange(4, 6)}"/>'
        head += f'<option timestep="{self.number(0.001, 0.01)}" gravity="{self.numbers(3, -10.0, 10.0)}"/>'
        head += self.default("main", self.default("a", self.default("b", "") + self.default("c", "")))
        tops = "".join(self.body(0, ("a", "b", "c")) for _ in range(self.rng.choice((1, 2))))
        return head + f"<worldbody>{tops}</worldbody>"


def write(folder, seeds):
    """Paths of all files, by what they are about."""
    os.makedirs(folder, exist_ok=True)
    write_meshes(folder)
    with open(os.path.join(folder, "part.xml"), "w", encoding="ascii") as file:
        file.write(PART)
    worlds = [*FEATURES.items(), *meshes(), *((f"seed {seed}", Random(seed).world()) for seed in seeds)]
    paths = {}
    for k, (what, text) in enumerate(worlds):
        paths[what] = os.path.join(folder, f"world{k}.xml")
        with open(paths[what], "w", encoding="ascii") as file:
            file.write(f"<mujoco>{text}</mujoco>\n")
    return paths


