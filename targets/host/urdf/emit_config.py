# SPDX-License-Identifier: MIT
"""emit_config - the header that TAC_CONFIG_HEADER names: the capacities that a model needs, and nothing else."""
from .document import printable
from .emit_c import identifier


def emit(made, source):
    prefix = identifier(made.robot.name).upper()
    lines = [
        f"// {prefix.lower()} - capacities for the model made by urdf2tactus from {printable(source)}.",
        "// TAC_MAX_CONTACTS is no property of a model: config.h says how to find out what a motion needs.",
        f"#ifndef {prefix}_CONFIG_H",
        f"#define {prefix}_CONFIG_H",
        "",
    ]
    lines += [f"#define {name} {value}" for name, value in sorted(made.capacities.items())]
    return "\n".join(lines + ["", "#endif", ""])
