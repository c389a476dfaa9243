# SPDX-License-Identifier: MIT
"""robot - what a file says of a robot or a scene: links and joints, whatever format it is in."""
from .inertia import NOTHING
from .space import IDENTITY, ZERO

MOST_LINKS = 4000  # the most bodies that config.h allows
WORLD = "world"  # a root of this name and without mass is the ground


class Geometry:
    """One collision element. kind: box, cylinder, sphere, capsule, ellipsoid, mesh, plane, terrain. size: whole lengths.
    data: of a mesh its points, if they are not those of `file`; of a terrain its samples."""

    def __init__(self, kind, size, pose, element, name):
        self.kind, self.size, self.pose, self.element, self.name = kind, size, pose, element, name
        self.file, self.scale, self.data = None, None, None
        self.friction, self.filter = None, None  # None: that of the options; it collides with all


class Link:
    """carries: the name of the link that it carries, of which it has a part too small to matter; None of any other."""

    def __init__(self, element, name, carries=None):
        self.element, self.name, self.carries = element, name, carries
        self.mass, self.inertial, self.tensor = 0.0, IDENTITY, NOTHING  # the tensor along the axes of `inertial`
        self.geometries = []


class Joint:
    """kind: fixed, revolute, continuous, prismatic, planar, ball, floating. origin: of the child in its parent, where the
    coordinate is `reference`. anchor, axis: in the child."""

    def __init__(self, element, name, kind):
        self.element, self.name, self.kind = element, name, kind
        self.parent = self.child = None
        self.origin, self.anchor, self.axis, self.reference = IDENTITY, ZERO, (1.0, 0.0, 0.0), 0.0
        self.lower = self.upper = self.effort = self.speed = None  # None: no limit
        self.damping = self.friction = self.stiffness = self.rest = self.armature = 0.0
        self.mimic = None  # (joint, multiplier, offset)
        self.turns = {}  # of a ball joint that has motors or friction: {direction: limit of the effort, or None}


class Closure:
    """What holds two links together besides the tree of joints. kind: ball, fixed. at: the frame in each of them. off:
    it may be switched, and is out of force at the start."""

    def __init__(self, name, kind, links, at, off):
        self.name, self.kind, self.links, self.at, self.off = name, kind, links, at, off


class Robot:
    """h: s. gravity: m/s2. start, rates: values of joints and their rates at the start, by name. scene: 1, if what is not
    joined are things of their own, which touch each other and the ground wherever they are."""

    def __init__(self, path, name, tool):
        self.path, self.name, self.tool, self.links, self.joints = path, name, tool, {}, {}
        self.h, self.gravity, self.scene = 1e-3, (0.0, 0.0, -9.81), False
        self.closures, self.start, self.rates = [], {}, {}
        self.order, self.motors, self.controls = [], None, []  # of a scene: joints as in qpos, and what motors are told
        self.leaders = {}  # of joints that mimic others: tree.py
