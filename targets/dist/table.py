# SPDX-License-Identifier: MIT
"""table.py - what packages say of themselves, each fact once. The version is in include/tactus/layout.h, the knobs are
in include/tactus/config.h, the flags of the compiler are FLAGS of the Makefile."""

TABLE = {
    "name": "tactus",
    "title": "Tactus",
    "about": "Rigid bodies in contact, for microcontrollers",
    "story": "C99 without allocation or a C library; every loop is bounded; the same bits on every machine.",
    "licence": "MIT",
    "author": "The Tactus authors",
    "mail": "maintainers@example.org",
    # Where releases lie: no public place has been named yet.
    "home": "https://example.org/tactus",
    "topics": ["physics", "robotics", "simulation", "contact", "deterministic"],
}

# Where nobody can set flags and RAM is 8 KiB: what tactus_config.h sets for AVR.
SMALL = {
    "TAC_CONVEX": 0,
    "TAC_MAX_BODIES": 2,
    "TAC_MAX_SHAPES": 3,
    "TAC_MAX_CONTACTS": 4,
    "TAC_MAX_FILL": 0,
    "TAC_MAX_MATERIALS": 1,
    "TAC_MAX_MATERIAL_PAIRS": 1,
    "TAC_MAX_EXCLUSIONS": 1,
}
