# SPDX-License-Identifier: MIT
"""emit_c - a model as C text: one `static const tac_model` and named indices of links and joints."""
import math
import re

from .document import printable
from .layout import ARRAYS, COUNTS, LARGEST, SCALARS, STRUCTS, Enum
from .space import IDENTITY

WIDTH = 118
MACRO = "R_"  # of a real constant; undefined again at the end of the file
MOST = "MOST_"  # the largest real


def identifier(text):
    """Of a C name; never empty, never one that begins with a digit."""
    word = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_") or "robot"
    return "_" + word if word[0].isdigit() else word


def unique(names, prefix):
    """An enumerator for each name. Names that are one in capitals get numbers."""
    taken, found = set(), []
    for name in names:
        word = base = (prefix + identifier(name).lstrip("_")).upper()
        number = 2
        while word in taken:
            word = f"{base}_{number}"
            number += 1
        taken.add(word)
        found.append(word)
    return found


# Values as initialisers. Reals go through a macro, since a constant must have the type of its field.


def real(x):
    return f"{MACRO}({x!r})" if x < math.inf else MOST


def numbers(values):
    return "{" + ", ".join(real(x) for x in values) + "}"


def initialiser(kind, value):
    if isinstance(kind, Enum) or kind in ("u8", "u16", "u32"):
        return str(value)
    if kind == "real":
        return real(value)
    if kind in ("vec3", "quat"):
        return numbers(value)
    return "{" + ", ".join(numbers(part) for part in value) + "}"  # pose, twist


def filled(parts, lead, separator=", "):
    """Lines of as many parts as fit; a part is never broken."""
    lines = [" " * lead + parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(separator) + len(part) < WIDTH:
            lines[-1] += separator + part
        else:
            lines[-1] += separator.rstrip()
            lines.append(" " * (lead + 1) + part)
    return lines


def field_lines(kind, value, lead, name=""):
    """Of a struct with its fields by name, or of a value."""
    start = f".{name} = " if name else ""
    if kind not in STRUCTS:
        return [" " * lead + start + initialiser(kind, value) + ","]
    parts = [f".{field} = {initialiser(inner, value[field])}" for field, inner in STRUCTS[kind]]
    lines = filled(parts, lead + len(start) + 1)
    lines[0] = " " * lead + start + "{" + lines[0].lstrip()
    lines[1:] = [line[1:] for line in lines[1:]]
    lines[-1] += "},"
    return lines


def pose_text(pose):
    if pose == IDENTITY:
        return ""
    p, q = (" ".join(f"{x:.9g}" for x in part) for part in pose)
    return f" at ({p}), turned by ({q})"


def enum_lines(what, entries):
    """entries: (enumerator, value, comment)"""
    if not entries:
        return []
    lines = [f"// {what}", "enum {"]
    for k, (word, value, comment) in enumerate(entries):
        comma = "," if k + 1 < len(entries) else ""
        lines.append(f"    {word} = {value}{comma}" + (f" // {comment}" if comment else ""))
    return lines + ["};", ""]


def link_entries(made, prefix):
    """Every link, merged ones too: these say of which body they are part, and where in it."""
    words = unique(made.links, prefix + "_LINK_")
    for word, (name, (body, pose)) in zip(words, made.links.items()):
        whole = made.body_names[body]
        own = whole == name and body != 0
        yield word, body, "" if own else f"{printable(name)}: part of {printable(whole)}{pose_text(pose)}"


def header(made, prefix, source):
    needs = [f"{name} < {value}" for name, value in sorted(made.capacities.items()) if value > 0]
    condition = filled(needs, 4, " || ")
    condition[0] = "#if " + condition[0].lstrip()
    return [
        f"// {prefix.lower()} - a model made by urdf2tactus from {printable(source)}. Do not edit: the hash is of it.",
        '#include "tactus/tactus.h"',
        "",
        *(line + " \\" for line in condition[:-1]),
        condition[-1],
        '#error "capacities are too small: TAC_CONFIG_HEADER must name the header that was made with this file"',
        "#endif",
        "",
    ]


def by_precision(line):
    return ["#if TAC_REAL_BITS == 32", line[32], "#else", line[64], "#endif"]


def array_lines(made):
    """The arrays in use; of bodies and shapes, whose they are."""
    model, bodies = made.model, made.body_names
    names = {"body": bodies, "joint": made.joint_names, "shape": [bodies[s["body"]] for s in model["shape"]]}
    for array, kind, _, _, _, _ in ARRAYS:
        if not model[array]:
            continue
        yield f"    .{array} = {{"
        for k, element in enumerate(model[array]):
            if array in names:
                yield f"        // {k} {printable(names[array][k])}"
            yield from field_lines(kind, element, 8)
        yield "    },"


def emit(made, source):
    """The text of the file."""
    prefix, model = identifier(made.robot.name).upper(), made.model
    joints = unique(made.joint_names, prefix + "_JOINT_")
    lines = header(made, prefix, source)
    lines += enum_lines("Bodies of the links.", list(link_entries(made, prefix)))
    lines += enum_lines("Joints.", [(word, k, "") for k, word in enumerate(joints)])
    lines.append(f"#define {MACRO}(x) ((tac_real)(x))")
    if model["joint"]:
        lines += by_precision({bits: f"#define {MOST} {MACRO}({LARGEST[bits]!r})" for bits in (32, 64)})
    lines.append(f"static const tac_model {prefix.lower()}_model = {{")
    lines += by_precision({bits: f"    .hash = 0x{made.hash(bits):08x}," for bits in (32, 64)})
    lines += [f"    .{name} = {model[name]}," for name, _ in COUNTS if model[name]]
    for name, kind in SCALARS:
        lines += field_lines(kind, model[name], 4, name)
    lines += array_lines(made)
    return "\n".join(lines + ["};", f"#undef {MACRO}", *([f"#undef {MOST}"] if model["joint"] else []), ""])
