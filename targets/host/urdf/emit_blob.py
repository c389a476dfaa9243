# SPDX-License-Identifier: MIT
"""emit_blob - a model as a stream of bytes that the host program loads.

All numbers are little-endian, without gaps. A real is a double, whatever tac_real is: rounded to float, it gives the
model whose hash is the first of the two. u8, u16, u32 and constants have the width of their field.

    "TACTUS\\0M"                    8 bytes
    u32     version                VERSION below
    u32 u32 hash                   in float, in double
    counts                         bodies .. heights, as in tac_model (layout.COUNTS)
    h, gravity, options            (layout.SCALARS)
    arrays                         body .. edge (layout.ARRAYS), the elements in use, all fields in the order of types.h
    names                          of each body, each joint: u16 length, so many bytes of UTF-8
"""
import struct

from .layout import ARRAYS, COUNTS, REALS, SCALARS, STRUCTS, Enum, flat

MAGIC = b"TACTUS\0M"
VERSION = 1
INTEGERS = {"u8": "<B", "u16": "<H", "u32": "<I"}


def packed(kind, value):
    if isinstance(kind, Enum):
        return kind.value(value).to_bytes(kind.width, "little")
    if kind in INTEGERS:
        return struct.pack(INTEGERS[kind], value)
    if kind in REALS:
        return struct.pack(f"<{REALS[kind]}d", *flat(kind, value))
    return fields_packed(STRUCTS[kind], value)


def fields_packed(fields, value):
    return b"".join(packed(kind, value[name]) for name, kind in fields)


def name_packed(name):
    data = name.encode("utf-8")[:0xFFFF]
    return struct.pack("<H", len(data)) + data


def emit(made):
    model = made.model
    parts = [MAGIC, struct.pack("<III", VERSION, made.hash(32), made.hash(64))]
    parts += [fields_packed(COUNTS, model), fields_packed(SCALARS, model)]
    for array, kind, _, _, _, _ in ARRAYS:
        parts += [packed(kind, element) for element in model[array]]
    parts += [name_packed(name) for name in made.body_names + made.joint_names]
    return b"".join(parts)
