# SPDX-License-Identifier: MIT
"""model_hash - the hash that seals a model: model_hash() of src/model/model.h and src/base/hash.h, in either precision.
Only what files have: no pairs of materials, no meshes."""
import struct

from .layout import BODY_KIND, BUSHING, FRICTION, JOINT_KIND, REALS, RULE, SHAPE_KIND, SOLVER, STRUCTS, flat

YIELDS = ("stiffness", "damping")  # of a material, hashed last and only where there is any
NO_BUSHING = tuple(name for name, _ in STRUCTS["tac_joint"] if name not in ("frame_a", "frame_b", *BUSHING))
START, PRIME, MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1


class Hash:
    def __init__(self, bits):
        self.value, self.bits = START, bits
        self.real, self.word = ("<f", "<I") if bits == 32 else ("<d", "<Q")

    def number(self, value):
        state = self.value
        for byte in value.to_bytes(8, "little"):
            state = (state ^ byte) * PRIME & MASK
        self.value = state

    def packed(self, *values):
        """Four of 16 bits, the first lowest."""
        self.number(sum(value << 16 * k for k, value in enumerate(values)))

    def reals(self, *values):
        for value in values:
            self.number(struct.unpack(self.word, struct.pack(self.real, value))[0])

    def reals_of(self, name, element, but=()):
        """All reals of a struct, but some: they stand first in it."""
        for field, kind in STRUCTS[name]:
            if kind in REALS and field not in but:
                self.reals(*flat(kind, element[field], self.bits))


def hash_options(h, o):
    h.reals_of("tac_options", o)
    solver, friction = SOLVER.value(o["solver"]), FRICTION.value(o["friction"])
    h.number(o["max_sweeps"] | solver << 16 | friction << 24 | o["warm_start"] << 32)


def hash_shape(h, s):
    h.packed(s["body"], s["group"], s["mask"], s["data"])
    h.number(SHAPE_KIND.value(s["kind"]) | s["material"] << 8)
    h.reals_of("tac_shape", s)


def hash_joints(h, m):
    """A model without joints has the hash of one of a kernel that has none."""
    if m["joints"] > 0:
        h.number(m["joints"] | m["options"]["stabilise"] << 32)
    for joint in m["joint"]:
        if joint["kind"] == "TAC_BUSHING":
            h.reals_of("tac_joint", joint, NO_BUSHING)
        else:
            h.reals_of("tac_joint", joint, BUSHING)
        kind = JOINT_KIND.value(joint["kind"])
        h.number(joint["body_a"] | joint["body_b"] << 16 | kind << 32 | joint["collide"] << 40)


def hash_polyhedra(h, m):
    for p in m["polyhedron"]:
        h.reals_of("tac_polyhedron", p)
        h.packed(p["first_point"], p["points"], p["first_face"], p["faces"])
        h.packed(p["first_edge"], p["edges"], p["convex"], p["spare"])
    for point in m["point"]:
        h.reals(*point)
    for face in m["face"]:
        h.reals_of("tac_face", face)
        h.packed(face["first"], face["edges"])
    for edge in m["edge"]:
        h.packed(edge["point"], edge["across"])


def hash_fields(h, m):
    """A sample is hashed as a real."""
    for field in m["field"]:
        h.reals_of("tac_height_field", field)
        h.number(field["first"] | field["columns"] << 32 | field["rows"] << 48)
    h.reals(*m["height"])


MARKS = 255  # as MODEL_MARKS in src/model/model.h: marks of models that are not sealed


def model_hash(m, bits):
    h = Hash(bits)
    h.packed(m["bodies"], m["shapes"], m["materials"], m["material_pairs"])
    h.packed(m["exclusions"], m["polyhedra"], m["points"], m["faces"])
    h.packed(m["edges"], m["fields"], m["heights"])
    h.reals(m["h"], *m["gravity"])
    hash_options(h, m["options"])
    for body in m["body"]:
        h.number(BODY_KIND.value(body["kind"]))
        h.reals_of("tac_body", body)
    for shape in m["shape"]:
        hash_shape(h, shape)
    for material in m["material"]:
        h.reals_of("tac_material", material, YIELDS)
        h.number(RULE.value(material["friction_rule"]) | RULE.value(material["restitution_rule"]) << 8)
    for exclusion in m["exclusion"]:
        h.packed(exclusion["a"], exclusion["b"])
    hash_joints(h, m)
    hash_polyhedra(h, m)
    hash_fields(h, m)
    for index, material in enumerate(m["material"]):
        if any(material[field] for field in YIELDS):
            h.number(512 + index)
            h.reals(*(material[field] for field in YIELDS))
    for index, joint in enumerate(m["joint"]):
        if "switched" in joint:
            h.number(index | joint["switched"] << 32)
            h.reals(*(flat("real", joint[field], bits)[0] for field in ("break_force", "break_torque")))
    folded = (h.value ^ h.value >> 32) & 0xFFFFFFFF
    return folded if folded > MARKS else folded + MARKS + 1
