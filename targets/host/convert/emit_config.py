# SPDX-License-Identifier: MIT
"""emit_config - the header that TAC_CONFIG_HEADER names: the capacities that models need, and nothing else. Each is the
most that any of the models needs; what has been defined before stays if it is more, so that such headers can be
included one after the other."""
from .document import printable


def largest(models):
    """{capacity: what the most demanding of the models needs}"""
    most = {}
    for made in models:
        for name, value in made.capacities.items():
            most[name] = max(value, most.get(name, 0))
    return most


def emit(models, sources):
    lines = [
        f"// Capacities for models made by {models[0].robot.tool} from {', '.join(map(printable, sources))}.",
        "// A larger value that is defined before stays: for further robots, a header of yours includes all of these.",
        "// TAC_MAX_CONTACTS is no property of a model: state.contacts_peak shows what a motion needs.",
    ]
    for name, value in sorted(largest(models).items()):
        less = f"!defined({name}) || {name} < {value}"
        lines += ["", f"#if {less}", f"#undef {name}", f"#define {name} {value}", "#endif"]
    return "\n".join(lines + [""])
