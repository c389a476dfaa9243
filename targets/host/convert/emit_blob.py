# SPDX-License-Identifier: MIT
"""emit_blob - a model as a file for the host program: the image of a model as the link has it (port/link/README.md),
once for each precision, and names. Little-endian, without gaps; for a build without TAC_ROLLING, with heights of 16
bits.

    "TACTUS\\0M"                8 bytes
    u32    version             VERSION below; 3, which the Python package writes, if the model has surfaces, laws of friction
                               or joints that may be switched, which no URDF and no MJCF has
    float  model               u32 hash, u32 bytes, then so many: elements 0, 1 ... of the image, reals of 32 bits
    double model               the same, reals of 64 bits
    u16    links               of each: u16 body, name
    u16    joints              of each, in the order of their indices: name
    name                       u16 bytes, then so many of UTF-8
"""
import struct

from .layout import ARRAYS, BUSHING, COUNTS, REALS, SCALARS, STRUCTS, Enum, flat

MAGIC = b"TACTUS\0M"
VERSION = 2
INTEGERS = {"u8": "<B", "u16": "<H", "u32": "<I", "i16": "<h"}

# What the link sends of a joint that is no bushing: its kind and bodies first.
FIRST = ("kind", "collide", "body_a", "body_b")
SENT = {
    "tac_joint": [(name, dict(STRUCTS["tac_joint"])[name]) for name in FIRST]
    + [field for field in STRUCTS["tac_joint"] if field[0] not in FIRST + BUSHING]
}


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
        else:
            self.put_fields(SENT.get(kind, STRUCTS[kind]), value)

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
    parts = [MAGIC, struct.pack("<I", VERSION), image(made, 32), image(made, 64)]
    parts.append(struct.pack("<H", len(made.links)))
    parts += [struct.pack("<H", body) + name_of(name) for name, (body, _) in made.links.items()]
    parts.append(struct.pack("<H", len(made.joint_names)))
    parts += [name_of(name) for name in made.joint_names]
    return b"".join(parts)
