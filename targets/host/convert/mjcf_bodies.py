# SPDX-License-Identifier: MIT
"""mjcf_bodies - <worldbody> as links and joints. A body with several joints hangs on links that carry it, one for each
joint but the last, which have a part of its mass that is too small to matter."""
import math

from .document import printable
from .inertia import fault, principal, together, turned
from .joints import AXES
from .mjcf_geoms import Geom
from .mjcf_pose import direction
from .robot import MOST_LINKS, WORLD, Joint, Link
from .space import IDENTITY, Pose, UPRIGHT, ZERO, compose, move, rotate

MOST_COPIES = 10000
KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "ball"}
ALONG = {"damping": "damping", "friction": "frictionloss", "stiffness": "stiffness", "armature": "armature"}
FREE_LACKS = ("stiffness", "damping", "frictionloss", "armature", "range")  # of a free joint these are left out


class Content:
    """What a body holds, with frames and replicas taken apart: (element, frame, childclass, suffix of names)."""

    def __init__(self, file, compiler):
        self.file, self.compiler, self.count = file, compiler, 0

    def of(self, element, frame, childclass, suffix):
        for child in element.children:
            inner = child.attributes.get("childclass", childclass)
            if child.tag == "frame":
                self.open(child)
                yield from self.of(child, compose(frame, self.compiler.pose(self.file.item(child))), inner, suffix)
            elif child.tag == "replicate":
                self.open(child)
                yield from self.copies(child, frame, inner, suffix)
            else:
                yield child, frame, childclass, suffix

    def open(self, element):
        element.taken = True
        element.asked.update(("childclass", "name"))

    def copies(self, element, frame, childclass, suffix):
        item = self.file.item(element)
        count, offset = item.whole("count", None), item.numbers("offset", 3, 3, ZERO)
        angles = item.numbers("euler", 3, 3, ZERO)
        self.count += count
        if count < 1 or self.count > MOST_COPIES:
            item.complain(f"count must be > 0, and there may be {MOST_COPIES} copies at most")
        at, width = ZERO, len(str(count))
        for k in range(count):
            pose = Pose(at, self.compiler.euler([k * self.compiler.unit * x for x in angles]))
            number = f"{item.text('sep', '')}{k:0{width}d}"
            yield from self.of(element, compose(frame, pose), childclass, number + suffix)
            at = move(pose, offset)


class Bodies:
    """Fills robot.links and robot.joints. order: joints as MuJoCo's qpos has them. geoms: by name; bodies: {name: link}"""

    def __init__(self, robot, file, compiler, assets, notes):
        self.robot, self.file, self.compiler, self.assets, self.notes = robot, file, compiler, assets, notes
        self.content = Content(file, compiler)
        self.order, self.geoms, self.sites, self.unseen = [], {}, {}, 0
        self.links, self.joint_names = {WORLD}, set()

    def read(self):
        self.robot.links[WORLD] = Link(self.file.root, WORLD)
        for section in self.file.root.all("worldbody"):
            items = list(self.content.of(section, IDENTITY, section.attributes.get("childclass"), ""))
            section.asked.add("childclass")
            self.fill(self.robot.links[WORLD], items)
            self.below(WORLD, items)
        if self.unseen:
            self.notes.say(f"{self.unseen} geoms touch nothing (contype and conaffinity 0, or no contact): no shapes")


    def below(self, parent, items):
        for element, frame, childclass, suffix in items:
            if element.tag == "body":
                self.body(element, parent, frame, childclass, suffix)

    def body(self, element, parent, frame, childclass, suffix):
        element.taken = True
        childclass = element.attributes.get("childclass", childclass)
        element.asked.update(("childclass", "name"))
        item = self.file.item(element)
        given = element.attributes.get("name")
        name = unique("body" if given is None else given + suffix, self.links)
        if given is not None and name != given + suffix:
            element.complain("second body of this name")
        if item.flag("mocap", False):
            self.notes.say(f"body '{printable(name)}' is a mocap body: it stays where it is")
        if len(self.robot.links) >= MOST_LINKS:
            element.complain(f"more than {MOST_LINKS} bodies")
        pose = compose(frame, self.compiler.pose(item))
        items = list(self.content.of(element, IDENTITY, childclass, suffix))
        link = Link(element, name)
        self.joints(link, parent, pose, [one for one in items if one[0].tag in ("joint", "freejoint")])
        self.robot.links[name] = link
        self.weigh(link, items, self.fill(link, items))
        self.below(name, items)

    # ------------------------------------------------------------------------------------------------------- joints
    def joints(self, link, parent, pose, items):
        free = [one for one in items if self.is_free(one[0], one[2])]
        if not items or free:
            kind = "floating" if free else "fixed"
            if len(items) > 1:
                free[0][0].complain("a free joint stands alone in its body")
            if free and parent != WORLD:
                free[0][0].complain("a free joint is only for a child of the world")
            self.enter(link, link.element if not free else free[0][0], kind, parent, link.name, pose)
            if free:
                item = self.file.item(free[0][0], free[0][2], "joint" if free[0][0].tag == "joint" else "freejoint")
                self.left(item, FREE_LACKS, "free")
                self.name(item, free[0][3])
                item.has("type")
            return
        for k, one in enumerate(items):
            child = link.name
            if k + 1 < len(items):
                child = unique(f"{link.name}_{k + 1}", self.links)
                self.robot.links[child] = Link(link.element, child, carries=link.name)
            self.joint(one, link, parent, child, pose)
            parent, pose = child, IDENTITY
        if len(items) > 1:
            self.notes.say(
                f"body '{printable(link.name)}' has {len(items)} joints: "
                "links with a thousand-millionth of its mass between them"
            )

    def is_free(self, element, childclass):
        return element.tag == "freejoint" or self.file.item(element, childclass).text("type", "hinge") == "free"

    def name(self, item, suffix):
        given = item.element.attributes.get("name")
        item.element.asked.add("name")
        return None if given is None else given + suffix

    def enter(self, link, element, kind, parent, child, pose, name=None):
        known = unique(name or f"{link.name}_joint", self.joint_names)
        if name is not None and known != name:
            element.complain("second joint of this name")
        joint = Joint(element, known, kind)
        joint.parent, joint.child, joint.origin = parent, child, pose
        self.robot.joints[known] = joint
        if kind != "fixed":
            self.order.append(joint)
        return joint

    def left(self, item, attributes, kind):
        for attribute in attributes:
            if item.has(attribute) and any(item.numbers(attribute, 1, 10)):
                self.notes.leave_out(f"joint/@{attribute} of a {kind} joint")

    def joint(self, one, link, parent, child, pose):
        element, frame, childclass, suffix = one
        item = self.file.item(element, childclass)
        kind = item.word("type", ("hinge", "slide", "ball", "free"), "hinge")
        joint = self.enter(link, element, KINDS[kind], parent, child, pose, self.name(item, suffix))
        joint.anchor = move(frame, item.numbers("pos", 3, 3, ZERO))
        unit = self.compiler.unit if kind != "slide" else 1.0
        for field, attribute in ALONG.items():
            setattr(joint, field, item.numbers(attribute, 1, 1, (0.0,))[0])
            if getattr(joint, field) < 0.0:
                item.complain(f"{attribute} is {getattr(joint, field):g}, must be >= 0")
        limits = bounds(item, "limited", "range", self.compiler)
        if kind == "ball":
            self.ball(item, joint, limits)
            return
        joint.axis = rotate(frame.q, direction(item, "axis", item.numbers("axis", 3, 3, (0.0, 0.0, 1.0))))
        joint.reference, joint.rest = unit * item.number("ref", 0.0), unit * item.number("springref", 0.0)
        if joint.stiffness == 0.0:
            joint.rest = 0.0
        if limits is not None:
            joint.lower, joint.upper = (unit * x for x in limits)
        force = bounds(item, "actuatorfrclimited", "actuatorfrcrange", self.compiler)
        if force is not None:
            joint.effort = max(abs(x) for x in force)

    def ball(self, item, joint, limits):
        """The limit is of the angle of the rotation, about whatever axis; friction is along x, y and z."""
        if limits is not None and limits[0] != 0.0:
            item.complain("range of a ball joint begins at 0")
        if limits is not None and self.compiler.unit * limits[1] < math.pi:
            joint.upper = self.compiler.unit * limits[1]
        if joint.friction > 0.0:
            joint.turns = dict.fromkeys(AXES.values())
        self.left(item, ("armature",), "ball")
        for attribute in ("actuatorfrcrange", "actuatorfrclimited", "ref", "springref", "axis"):
            item.has(attribute)

    # -------------------------------------------------------------------------------------------------------- geoms
    def fill(self, link, items):
        """The geoms of a body: all of them, shapes or not."""
        found = []
        for element, frame, childclass, suffix in items:
            if element.tag == "site":
                self.sites[element.attributes.get("name", "") + suffix] = (link.name, element, frame, childclass)
            if element.tag != "geom":
                continue
            item = self.file.item(element, childclass)
            geom = Geom(item, frame, self.assets, self.compiler)
            name = self.name(item, suffix)
            geom.group, geom.shape = item.whole("group", 0), None
            found.append(geom)
            if name is not None:
                self.geoms[name] = (link, geom)
            self.unseen += not geom.touches()
            if geom.kind == "sdf" or geom.kind == "plane" and link.name != WORLD and self.moves(link.name):
                item.complain(f"a {geom.kind} is not for this body")
            if geom.touches():
                self.shape(link, geom, name)
        return found

    def moves(self, name):
        while name != WORLD:
            joint = next(joint for joint in self.robot.joints.values() if joint.child == name)
            if joint.kind != "fixed":
                return True
            name = joint.parent
        return False

    def shape(self, link, geom, name):
        geom.shape = geom.geometry()
        if geom.shape is not None:
            geom.shape.name = name or f"{len(link.geometries) + 1}"
            link.geometries.append(geom.shape)

    def weigh(self, link, items, geoms):
        """The mass of a body as MuJoCo finds it."""
        inertials = [one[0] for one in items if one[0].tag == "inertial"]
        compiler, parts = self.compiler, []
        if inertials and compiler.from_geoms != "true":
            parts = [self.inertial(link, self.file.item(inertials[0]))]
        elif compiler.from_geoms != "false":
            low, high = compiler.groups
            weights = (geom.weight() for geom in geoms if low <= geom.group <= high)
            parts = [part for part in weights if part is not None and part[0] > 1e-14]
        if not parts and compiler.bound_mass == 0.0:
            return
        mass, centre, tensor = together(parts) if parts else (0.0, ZERO, (0.0,) * 6)
        link.mass, link.inertial, link.tensor = mass, Pose(centre, UPRIGHT), tensor
        self.bound(link)

    def bound(self, link):
        compiler = self.compiler
        link.mass = max(link.mass, compiler.bound_mass)
        if compiler.bound_inertia == 0.0 and not compiler.balance:
            return
        moments, turn = principal(link.tensor)
        moments = [max(x, compiler.bound_inertia) for x in moments]
        if compiler.balance and 2.0 * max(moments) > sum(moments):
            moments = [sum(moments) / 3.0] * 3
        link.inertial = Pose(link.inertial.p, turn)
        link.tensor = (moments[0], 0.0, 0.0, moments[1], 0.0, moments[2])

    def inertial(self, link, item):
        mass, at = item.number("mass"), item.numbers("pos", 3, 3, ZERO)
        if mass < 0.0:
            item.complain(f"mass is {mass:g}, must be >= 0")
        if item.has("fullinertia"):
            xx, yy, zz, xy, xz, yz = item.numbers("fullinertia", 6, 6)
            return mass, at, (xx, xy, xz, yy, yz, zz)
        xx, yy, zz = item.numbers("diaginertia", 3, 3, ZERO)
        tensor = turned((xx, 0.0, 0.0, yy, 0.0, zz), self.compiler.orientation(item))
        what = fault(principal(tensor)[0]) if any(tensor) and not self.compiler.balance else None
        if what and self.compiler.bound_inertia == 0.0:
            item.complain(f"{what}: balanceinertia takes their mean")
        return mass, at, tensor


def unique(name, used):
    """A name that is not among those used, and is from now on."""
    base, k = name, 1
    while name in used:
        k += 1
        name = f"{base}_{k}"
    used.add(name)
    return name


def bounds(item, limited, attribute, compiler):
    """A range, or None if the file says that there is none."""
    given = item.numbers(attribute, 2, 2, (0.0, 0.0))
    way = item.word(limited, ("false", "true", "auto"), "auto")
    if way == "auto" and any(given) and not compiler.autolimits:
        item.complain(f"{attribute} without {limited}, and autolimits is false")
    if way == "false" or way == "auto" and not any(given):
        return None
    if given[0] >= given[1]:
        item.complain(f"{attribute}='{given[0]:g} {given[1]:g}': the first must be less")
    return given
