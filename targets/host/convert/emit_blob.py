# SPDX-License-Identifier: MIT
"""emit_blob - a model as a file for the host program: the image of a model as the link has it (port/link/README.md),
once for each precision, and names. Little-endian, without gaps; for a build without TAC_ROLLING, with heights of 16
bits.

    "TACTUS\\0M"                8 bytes
    u32    version             2; 3 if the model has joints that may be switched, or, which no URDF and no MJCF has,
                               surfaces or laws of friction
    float  model               u32 hash, u32 bytes, then so many: elements 0, 1 ... of the image, reals of 32 bits
    double model               the same, reals of 64 bits
    u16    links               of each: u16 body, name
    u16    joints              of each, in the order of their indices: name
    name                       u16 bytes, then so many of UTF-8
"""
import struct

from .layout import ARRAYS, BUSHING, COUNTS, REALS, SCALARS, STRUCTS, Enum, flat

MAGIC = b"TACTUS\0M"
VERSION, VERSION_OF_SWITCHES = 2, 3
MARK = 0x80  # in `collide` of a joint that may be switched
INTEGERS = {"u8": "<B", "u16": "<H", "u32": "<I", "i16": "<h"}

# What the link sends of a joint: its kind and bodies first, and of a bushing only its springs and dampers.
FIRST, FRAMES = ("kind", "collide", "body_a", "body_b"), ("frame_a", "frame_b")
JOINT = dict(STRUCTS["tac_joint"])
SENT = {
    bushing: [(name, JOINT[name]) for name in FIRST + FRAMES]
    + [(name, kind) for name, kind in JOINT.items() if name not in FIRST + FRAMES and (name in BUSHING) == bushing]
    for bushing in (False, True)
}
STRENGTH = [("break_force", "real"), ("break_torque", "real")]


class Image:
    def __init__(self, bits):
        self.bits, self.real, self.parts = bits, "f" if bits == 32 else "d", []

    def put(self, kind, value):
        if isinstance(kind, Enum):
            self.parts.append(kind.value(value).to_bytes(kind.width, "little"))
        elif kind in INTEGERS:
            self.parts.append(struct.pack(INTEGERS[kind], value))
        elif kind in REALS:
            self.parts.append(struct.pack(f"<{REALS[kind]}{self.real}", *flat(kind, value, self.bits)))
        elif kind == "tac_joint":
            self.put_joint(value)
        else:
            self.put_fields(STRUCTS[kind], value)

    def put_joint(self, joint):
        switched = joint.get("switched", 0)
        mark = MARK | switched << 4 if switched else 0
        self.put_fields(SENT[joint["kind"] == "TAC_BUSHING"], dict(joint, collide=joint["collide"] | mark))
        self.put_fields(STRENGTH if switched else (), joint)

    def put_fields(self, fields, value):
        for name, kind in fields:
            self.put(kind, value[name])

    def put_model(self, model):
        self.put_fields(COUNTS + SCALARS, model)
        for array, kind, _, _, _, _ in ARRAYS:
            for element in model[array]:
                self.put(kind, element)
                if array == "face":  # two nodes of a tree, which only a mesh has
                    self.parts.append(bytes(2 * (6 * struct.calcsize(self.real) + 4)))


def image(made, bits):
    whole = Image(bits)
    whole.put_model(made.model)
    data = b"".join(whole.parts)
    return struct.pack("<II", made.hash(bits), len(data)) + data


def name_of(text):
    data = text.encode("utf-8")[:0xFFFF]
    return struct.pack("<H", len(data)) + data


def emit(made):
    switched = any("switched" in joint for joint in made.model["joint"])
    version = VERSION_OF_SWITCHES if switched else VERSION
    parts = [MAGIC, struct.pack("<I", version), image(made, 32), image(made, 64)]
    parts.append(struct.pack("<H", len(made.links)))
    parts += [struct.pack("<H", body) + name_of(name) for name, (body, _) in made.links.items()]
    parts.append(struct.pack("<H", len(made.joint_names)))
    parts += [name_of(name) for name in made.joint_names]
    return b"".join(parts)
