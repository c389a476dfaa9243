# SPDX-License-Identifier: MIT
"""emit_h - the header of a model, for C99 and C++: named indices of its bodies, joints, shapes and frames, the
capacities that it needs, and the declarations of what emit_c writes."""
from .document import printable
from .layout import ARRAYS
from .joints import ENDLESS
from .merge import GROUND
from .names import prefix, unique
from .space import IDENTITY

UNITS = {"TAC_REVOLUTE": ("rad", "N m"), "TAC_PRISMATIC": ("m", "N")}  # of joints with a coordinate
UNITS |= {"TAC_ROTATION": ("rad", "N m"), "TAC_TURN": ("rad", "N m")}
LEAST = {capacity: least for _, _, _, capacity, least, _ in ARRAYS} | {
    "TAC_CONVEX": 0,
    "TAC_MAX_HULL_POINTS": 4,
    "TAC_COORDINATES": 0,
    "TAC_SWITCHES": 0,
}


def plain(kind):
    """TAC_HALF_SPACE: half-space."""
    return kind[len("TAC_") :].lower().replace("_", "-")


def numbers(values):
    return " ".join(f"{x + 0.0:.6g}" for x in values)


# ---------------------------------------------------------------------------------------------------- what comments say


def about_body(body):
    return "fixed" if body["kind"] == "TAC_STATIC" else f"{body['mass']:.6g} kg"


def about_joint(joint, joint_names):
    kind = plain(joint["kind"])
    if joint["kind"] == "TAC_COUPLING":
        a, b = (printable(joint_names[joint[end]]) for end in ("body_a", "body_b"))
        return f"{kind} of {b} to {a}, ratio {joint['length']:.6g}"
    if joint["kind"] not in UNITS:
        return kind
    unit, effort = UNITS[joint["kind"]]
    parts = [f"{kind}, {unit}"]
    if joint["lower"] <= joint["upper"]:
        ends = ("none" if abs(x) >= ENDLESS else f"{x:.6g}" for x in (joint["lower"], joint["upper"]))
        parts.append(" .. ".join(ends))
    if joint["effort"] < float("inf"):
        parts.append(f"at most {joint['effort']:.6g} {effort}")
    if joint["speed"] < float("inf"):
        parts.append(f"at most {joint['speed']:.6g} {unit}/s")
    return ", ".join(parts)


def about_shape(shape, body_names):
    return f"{plain(shape['kind'])} on body {printable(body_names[shape['body']])}"


def about_frame(body, pose, body_names):
    whole = printable(body_names[body])
    if body != GROUND and pose == IDENTITY:
        return f"of body {whole}"
    turn = "" if pose.q == IDENTITY.q else f", turned by ({numbers(pose.q)})"
    return f"of body {whole} at ({numbers(pose.p)}){turn}"


# ------------------------------------------------------------------------------------------------------------ the text


def enum_lines(what, words, comments, count):
    entries = [f"    {word} = {k}," for k, word in enumerate(words)]
    width = max(map(len, entries), default=0)
    lines = [f"{entry:{width}} ///< {comment}" for entry, comment in zip(entries, comments)]
    return [f"/// {what}", "enum {", *lines, f"    {count} = {len(words)}", "};", ""]


def all_enums(made, start):
    model, bodies, joints = made.model, made.body_names, made.joint_names
    yield "Bodies: links, with those that are fixed to them.", "BODY", bodies, map(about_body, model["body"]), "BODIES"
    about = (about_joint(joint, joints) for joint in model["joint"])
    yield "Joints, with the ranges of their coordinates.", "JOINT", joints, about, "JOINTS"
    about = (about_shape(shape, bodies) for shape in model["shape"])
    yield "Shapes, by their links.", "SHAPE", made.shape_names, about, "SHAPES"
    about = (about_frame(body, pose, bodies) for body, pose in made.links.values())
    yield f"Frames of all links: indices of {start.lower()}_frame[].", "FRAME", list(made.links), about, "FRAMES"


def capacity_lines(made, start):
    """What the tables must have room for, if not every configuration has it. Contacts, and the room to solve for them,
    are no property of a model."""
    lines = ["// Capacities that the model needs, as far as not every configuration has them."]
    for name, value in sorted(made.capacities.items()):
        if name in LEAST and value > LEAST[name]:
            own = name.replace("TAC", start, 1)
            error = f"{name} is less than {own}: TAC_CONFIG_HEADER must name a header of {made.robot.tool} --config"
            lines += [f"#define {own} {value}", f"#if {name} < {own}", f'#error "{error}"', "#endif"]
    return lines + [""]


def emit(made, source, text):
    """The text of the file. text: the name of that of emit_c."""
    start = prefix(made)
    name = start.lower()
    lines = [
        f"// {name} - names in a model made by {made.robot.tool} from {printable(source)}. Do not edit. The model is in {text}.",
        f"#ifndef {start}_H",
        f"#define {start}_H",
        "",
        '#include "tactus/tactus.h"',
        "",
        *capacity_lines(made, start),
    ]
    for what, kind, names, comments, count in all_enums(made, start):
        lines += enum_lines(what, unique(names, f"{start}_{kind}_"), comments, f"{start}_{count}")
    return "\n".join(
        lines
        + [
            "#ifdef TAC_PREFIX",
            *(f"#define {name}_{what} TAC_PREFIXED({name}_{what})" for what in ("model", "frame")),
            "#endif",
            "",
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
            "",
            "/// The model, sealed in both precisions, and the frames of its links for tac_frame_pose() and others.",
            f"extern const tac_model {name}_model;",
            f"extern const tac_frame {name}_frame[{start}_FRAMES];",
            "",
            "#ifdef __cplusplus",
            "}",
            "#endif",
            "",
            "#endif",
            "",
        ]
    )
