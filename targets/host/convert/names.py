# SPDX-License-Identifier: MIT
"""names - what the elements of a model are called in C."""
import re


def word(text):
    """Letters, digits and underscores only, never empty."""
    return re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_") or "robot"


def prefix(made):
    """Of all names of a model, in capitals; never one that begins with a digit, or that of the kernel's own names."""
    name = word(made.robot.name).upper()
    return "ROBOT_" + name if name[0].isdigit() or name.split("_")[0] == "TAC" else name


def unique(names, start):
    """An enumerator for each name. Names that are one in capitals get numbers."""
    taken, found, again = set(), [], {}
    for name in names:
        base = (start + word(name)).upper()
        number = again.get(base, 1)
        one = base if number == 1 else f"{base}_{number}"
        while one in taken:
            number += 1
            one = f"{base}_{number}"
        again[base] = number
        taken.add(one)
        found.append(one)
    return found
