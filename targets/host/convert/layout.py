# SPDX-License-Identifier: MIT
"""layout - tac_model as include/tactus/types.h has it: every field in its order. C text and blob are written from this,
and this alone has to follow when the header changes (with model_hash, which follows src/model/model.h).

A field is (name, type). Types: real, vec3, quat, pose, twist; u8, u16, u32, i16; an Enum; the name of a struct. A model is a
dict of its fields, a struct in it a dict of its own. An infinite real is the largest number of the precision."""
import math


class Enum:
    """A number with names, in so many bytes."""

    def __init__(self, width, *names):
        self.width, self.names = width, names

    def value(self, name):
        return self.names.index(name)


BODY_KIND = Enum(1, "TAC_STATIC", "TAC_DYNAMIC", "TAC_KINEMATIC")
SHAPE_KIND = Enum(
    1,
    "TAC_HALF_SPACE",
    "TAC_SPHERE",
    "TAC_CAPSULE",
    "TAC_BOX",
    "TAC_CYLINDER",
    "TAC_CONE",
    "TAC_ELLIPSOID",
    "TAC_HULL",
    "TAC_MESH",
    "TAC_HEIGHT_FIELD",
)
RULE = Enum(1, "TAC_RULE_AVERAGE", "TAC_RULE_GEOMETRIC", "TAC_RULE_MULTIPLY", "TAC_RULE_MIN", "TAC_RULE_MAX")
SOLVER = Enum(1, "TAC_SOLVER_ACCELERATED", "TAC_SOLVER_PLAIN", "TAC_SOLVER_DIRECT", "TAC_SOLVER_AUTO")
FRICTION = Enum(1, "TAC_FRICTION_EXACT", "TAC_FRICTION_RELAXED")
JOINT_KIND = Enum(
    1,
    "TAC_FIXED",
    "TAC_REVOLUTE",
    "TAC_PRISMATIC",
    "TAC_SCREW",
    "TAC_DISTANCE",
    "TAC_SPHERICAL",
    "TAC_UNIVERSAL",
    "TAC_CYLINDRICAL",
    "TAC_PLANAR",
    "TAC_REVOLUTE_SPHERICAL",
    "TAC_COUPLING",
    "TAC_BUSHING",
    "TAC_TRANSLATION",
    "TAC_TWIST",
    "TAC_SWING",
    "TAC_ROTATION",
    "TAC_TURN",
    "TAC_SKATE",
)

BUSHING = ("along", "about", "along_damping", "about_damping")  # of that kind of joint only; a robot has none

STRUCTS = {
    "tac_options": [
        ("tolerance", "real"),
        ("omega", "real"),
        ("lambda", "real"),
        ("recovery", "real"),
        ("projection", "real"),
        ("margin", "real"),
        ("bounce", "real"),
        ("max_sweeps", "u16"),
        ("solver", SOLVER),
        ("friction", FRICTION),
        ("warm_start", "u8"),
        ("stabilise", "u8"),
        ("max_joint_iterations", "u8"),
    ],
    "tac_body": [
        ("mass", "real"),
        ("inertia", "vec3"),
        ("inertial", "pose"),
        ("pose", "pose"),
        ("velocity", "twist"),
        ("kind", BODY_KIND),
    ],
    "tac_shape": [
        ("pose", "pose"),
        ("size", "vec3"),
        ("rounding", "real"),
        ("body", "u16"),
        ("group", "u16"),
        ("mask", "u16"),
        ("data", "u16"),
        ("kind", SHAPE_KIND),
        ("material", "u8"),
    ],
    "tac_material": [
        ("friction", "real"),
        ("restitution", "real"),
        ("friction_rule", RULE),
        ("restitution_rule", RULE),
        ("stiffness", "real"),
        ("damping", "real"),
    ],
    "tac_exclusion": [("a", "u16"), ("b", "u16")],
    "tac_polyhedron": [
        ("low", "vec3"),
        ("high", "vec3"),
        ("first_point", "u16"),
        ("points", "u16"),
        ("first_face", "u16"),
        ("faces", "u16"),
        ("first_edge", "u16"),
        ("edges", "u16"),
        ("convex", "u16"),
        ("spare", "u16"),
    ],
    "tac_face": [("n", "vec3"), ("d", "real"), ("first", "u16"), ("edges", "u16")],
    "tac_edge": [("point", "u16"), ("across", "u16")],
    "tac_height_field": [
        ("dx", "real"),
        ("dy", "real"),
        ("scale", "real"),
        ("low", "real"),
        ("high", "real"),
        ("first", "u32"),
        ("columns", "u16"),
        ("rows", "u16"),
    ],
    "tac_joint": [
        ("frame_a", "pose"),
        ("frame_b", "pose"),
        ("length", "real"),
        ("lower", "real"),
        ("upper", "real"),
        ("friction", "real"),
        ("damping", "real"),
        ("stiffness", "real"),
        ("rest", "real"),
        ("armature", "real"),
        ("effort", "real"),
        ("speed", "real"),
        ("stop_stiffness", "real"),
        ("stop_damping", "real"),
        ("along", "vec3"),
        ("about", "vec3"),
        ("along_damping", "vec3"),
        ("about_damping", "vec3"),
        ("body_a", "u16"),
        ("body_b", "u16"),
        ("kind", JOINT_KIND),
        ("collide", "u8"),
    ],
}

COUNTS = [
    ("bodies", "u16"),
    ("shapes", "u16"),
    ("materials", "u16"),
    ("material_pairs", "u16"),
    ("exclusions", "u16"),
    ("polyhedra", "u16"),
    ("points", "u16"),
    ("faces", "u16"),
    ("edges", "u16"),
    ("fields", "u16"),
    ("heights", "u32"),
    ("joints", "u32"),
]
SCALARS = [("h", "real"), ("gravity", "vec3"), ("options", "tac_options")]
# (array, type of an element, its count, its capacity, least and most that config.h allows); what no file has (pairs of
# materials, trees of meshes) is not in the list
ARRAYS = [
    ("body", "tac_body", "bodies", "TAC_MAX_BODIES", 1, 4000),
    ("shape", "tac_shape", "shapes", "TAC_MAX_SHAPES", 2, 8000),
    ("material", "tac_material", "materials", "TAC_MAX_MATERIALS", 1, 250),
    ("exclusion", "tac_exclusion", "exclusions", "TAC_MAX_EXCLUSIONS", 1, 8000),
    ("joint", "tac_joint", "joints", "TAC_MAX_JOINTS", 0, 4000),
    ("polyhedron", "tac_polyhedron", "polyhedra", "TAC_MAX_POLYHEDRA", 1, 4000),
    ("point", "vec3", "points", "TAC_MAX_POINTS", 4, 60000),
    ("face", "tac_face", "faces", "TAC_MAX_FACES", 4, 30000),
    ("edge", "tac_edge", "edges", "TAC_MAX_EDGES", 12, 60000),
    ("field", "tac_height_field", "fields", "TAC_MAX_HEIGHT_FIELDS", 1, 250),
    ("height", "i16", "heights", "TAC_MAX_HEIGHTS", 4, 16000000),
]

REALS = {"real": 1, "vec3": 3, "quat": 4, "pose": 7, "twist": 6}  # numbers in each
LARGEST = {32: 3.4028234663852886e38, 64: 1.7976931348623157e308}


def flat(kind, value, bits):
    """The numbers of a value of one of the types of REALS, in their order, in a precision."""
    if kind == "real":
        return (value if value < math.inf else LARGEST[bits],)
    if kind in ("vec3", "quat"):
        return tuple(value)
    return tuple(value[0]) + tuple(value[1])
