# SPDX-License-Identifier: MIT
"""emit_c - a model as C99 text: one `const tac_model`, and the frames of its links. The header is that of emit_h."""
import math

from .document import printable
from .layout import ARRAYS, COUNTS, LARGEST, SCALARS, STRUCTS, Enum
from .names import prefix, unique

WIDTH = 118
MACRO = "R_"  # of a real constant
MOST = "MOST_"  # the largest real
LASTS = "LASTS_"  # of a joint, in a kernel where joints may break: it does not


# Values as initialisers. Reals go through a macro, since a constant must have the type of its field.


def real(x):
    return f"{MACRO}({x!r})" if x < math.inf else MOST


def numbers(values):
    return "{" + ", ".join(real(x) for x in values) + "}"


def initialiser(kind, value):
    if isinstance(kind, Enum) or kind in ("u8", "u16", "u32", "i16"):
        return str(value)
    if kind == "real":
        return real(value)
    if kind in ("vec3", "quat"):
        return numbers(value)
    return "{" + ", ".join(numbers(part) for part in value) + "}"  # pose, twist


def filled(parts, lead):
    """Lines of as many parts as fit; a part is never broken."""
    lines = [" " * lead + parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + 2 + len(part) < WIDTH:
            lines[-1] += ", " + part
        else:
            lines[-1] += ","
            lines.append(" " * (lead + 1) + part)
    return lines


def field_lines(kind, value, lead, name=""):
    """Of a struct with its fields by name, or of a value."""
    start = f".{name} = " if name else ""
    if kind not in STRUCTS:
        return [" " * lead + start + initialiser(kind, value) + ","]
    parts = [f".{field} = {initialiser(inner, value[field])}" for field, inner in STRUCTS[kind]]
    if kind == "tac_joint":
        switched = f".switched = {value['switched']}, " if "switched" in value else ""
        parts[0] = f"{switched}{LASTS} {parts[0]}"
    lines = filled(parts, lead + len(start) + 1)
    lines[0] = " " * lead + start + "{" + lines[0].lstrip()
    lines[1:] = [line[1:] for line in lines[1:]]
    lines[-1] += "},"
    return lines


def by_precision(line):
    return ["#if TAC_REAL_BITS == 32", line[32], "#else", line[64], "#endif"]


def array_lines(made):
    """The arrays in use, each element with its name."""
    model = made.model
    names = {"body": made.body_names, "joint": made.joint_names, "shape": made.shape_names}
    for array, kind, _, _, _, _ in ARRAYS:
        if not model[array]:
            continue
        yield f"    .{array} = {{"
        for k, element in enumerate(model[array]):
            if array in names:
                yield f"        // {k} {printable(names[array][k])}"
            yield from field_lines(kind, element, 8)
        yield "    },"


def frame_lines(made, start):
    yield f"const tac_frame {start.lower()}_frame[{start}_FRAMES] = {{"
    for enumerator, (body, pose) in zip(unique(made.links, start + "_FRAME_"), made.links.values()):
        yield f"    [{enumerator}] = {{.body = {body}, .pose = {initialiser('pose', pose)}}},"
    yield "};"


def emit(made, source, header):
    """The text of the file. header: the name of that of emit_h."""
    start, model = prefix(made), made.model
    lines = [
        f"// {start.lower()} - a model made by {made.robot.tool} from {printable(source)}. Do not edit: the hash is of it.",
        f'#include "{header}"',
        "",
        f"#define {MACRO}(x) ((tac_real)(x))",
    ]
    if model["joint"]:
        lines += by_precision({bits: f"#define {MOST} {MACRO}({LARGEST[bits]!r})" for bits in (32, 64)})
        lasts = f".break_force = {MOST}, .break_torque = {MOST},"
        lines += ["#if TAC_SWITCHES", f"#define {LASTS} {lasts}", "#else", f"#define {LASTS}", "#endif"]
    lines += ["", f"const tac_model {start.lower()}_model = {{"]
    lines += by_precision({bits: f"    .hash = 0x{made.hash(bits):08x}," for bits in (32, 64)})
    lines += [f"    .{name} = {model[name]}," for name, _ in COUNTS if model[name]]
    for name, kind in SCALARS:
        lines += field_lines(kind, model[name], 4, name)
    lines += array_lines(made)
    return "\n".join(lines + ["};", "", *frame_lines(made, start), ""])
