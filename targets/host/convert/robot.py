# SPDX-License-Identifier: MIT
"""robot - what a file says of a robot or a scene: links and joints, whatever format it is in."""
from .inertia import NOTHING
from .space import IDENTITY

MOST_LINKS = 4000  # the most bodies that config.h allows
WORLD = "world"  # a root of this name and without mass is the ground


class Geometry:
    """One collision element. kind: box, cylinder, sphere, capsule, mesh."""

    def __init__(self, kind, size, pose, element, name):
        self.kind, self.size, self.pose, self.element, self.name = kind, size, pose, element, name
        self.file, self.scale = None, None  # of a mesh


class Link:
    def __init__(self, element, name):
        self.element, self.name = element, name
        self.mass, self.inertial, self.tensor = 0.0, IDENTITY, NOTHING  # the tensor along the axes of `inertial`
        self.geometries = []


class Joint:
    def __init__(self, element):
        self.element, self.name = element, element.text("name")
        self.kind = element.text("type")
        self.parent = self.child = None
        self.origin, self.axis = IDENTITY, (1.0, 0.0, 0.0)
        self.lower = self.upper = self.effort = self.speed = None  # None: no limit
        self.damping = self.friction = 0.0
        self.mimic = None  # (joint, multiplier, offset)


class Robot:
    def __init__(self, path, name):
        self.path, self.name, self.links, self.joints = path, name, {}, {}
        self.leaders = {}  # of joints that mimic others: tree.py
