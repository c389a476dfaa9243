# SPDX-License-Identifier: MIT
"""model - what the world is: built here, read from URDF or from a file of urdf2tactus, then sealed by the kernel.

A model is first a plain dict with the fields of tac_model (include/tactus/types.h), whose arrays are lists of dicts
with the fields of their structs. Its counts give the capacities that its kernel is compiled with."""
import ctypes
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import image
from . import kernel as kernels
from .errors import Error, choose, whole
from .layout import bounds

Reals = npt.ArrayLike  # numbers: a list, a tuple or an array
Frame = Tuple[Reals, Reals]  # position, quaternion (w, x, y, z)
Name = Union[str, int]  # of a body or a joint: its name or its index

IDENTITY = (1.0, 0.0, 0.0, 0.0)
ZERO = (0.0, 0.0, 0.0)
WORDS = {
    "kind of body": ("static", "dynamic", "kinematic"),
    "kind of joint": (
        "fixed revolute prismatic screw distance spherical universal cylindrical planar revolute_spherical coupling"
        " bushing translation twist swing rotation turn skate"
    ).split(),
    "switch": ("always", "on", "off"),
    "solver": ("accelerated", "plain", "direct", "auto"),
    "friction": ("exact", "relaxed"),
}
# Points of a pair of shapes that touch, at most, by the kind of one of them; of others four.
POINTS = {"TAC_SPHERE": 1, "TAC_CAPSULE": 2, "TAC_HALF_SPACE": 0}


def number_of(what: str, word: Union[str, int]) -> int:
    """The number of a word, or the number itself."""
    if isinstance(word, str):
        return int(choose(what, {known: i for i, known in enumerate(WORDS[what])}, word.lower()))
    return whole(what, word, 0, 255)


def numbers_of(what: str, value: Any, count: int) -> List[float]:
    """So many numbers; a position and a quaternion count as seven."""
    try:
        parts = [np.ravel(np.asarray(part, float)) for part in value]
    except (TypeError, ValueError):
        raise Error(f"{what}: {count} numbers are needed, not {value!r}") from None
    found = [float(x) for part in parts for x in part]
    if len(found) != count:
        raise Error(f"{what}: {len(found)} numbers, {count} are needed")
    return found


def real(kernel: Any, what: str, value: Any) -> float:
    """A number; what is beyond the greatest one of the kernel, as infinity is, is that."""
    largest = float(np.finfo(kernel.real).max)
    try:
        return min(max(float(value), -largest), largest)
    except (TypeError, ValueError):
        raise Error(f"{what}: {value!r} is no number") from None


def fill(kernel: Any, kind: Any, target: Any, field: str, value: Any) -> None:
    """Write a value of the dict into a field of a ctypes struct."""
    if isinstance(value, dict):
        inner = dict(kernel.about["structs"][kind]["fields"])
        for name, part in value.items():
            fill(kernel, inner[name], getattr(target, field), name, part)
    elif isinstance(value, str):
        setattr(target, field, kernel[value])
    elif isinstance(kind, list):
        getattr(target, field)[:] = value
    elif kind in ("f32", "f64"):
        setattr(target, field, real(kernel, field, value))
    elif isinstance(kind, str) and kind.startswith("tac_"):
        rows = rows_of(kernel, getattr(target, field))
        rows[:] = numbers_of(field, value, len(rows))
    else:
        setattr(target, field, whole(field, value, *bounds(kind)))


def rows_of(kernel: Any, struct: Any) -> Any:
    """The numbers of a struct that has nothing else."""
    count = ctypes.sizeof(struct) // ctypes.sizeof(kernel.c_real)
    return (kernel.c_real * count).from_buffer(struct)


def made_of(kernel: Any, name: str, what: str, *values: Any) -> Any:
    """A struct that has nothing but numbers: tac_vec3, tac_pose ..."""
    made = kernel.new(name)
    rows = rows_of(kernel, made)
    rows[:] = numbers_of(what, [x for value in values for x in np.ravel(np.asarray(value, float))], len(rows))
    return made


def rows(what: str, values: Any, width: int, dtype: Any) -> Any:
    """An array of so many columns, whose numbers all fit into that type."""
    given = np.asarray(values)
    if given.ndim != 2 or (width and given.shape[1] != width):
        raise Error(f"{what}: an array of (n, {width or 'm'}) is needed, not {given.shape}")
    made = np.ascontiguousarray(given, dtype)
    if np.issubdtype(made.dtype, np.integer) and not (made == given).all():
        raise Error(f"{what}: a number is none of {made.dtype}")
    return made


def enter_name(names: Dict[int, str], what: str, index: int, name: Optional[str]) -> None:
    if name in names.values():
        raise Error(f"{what} '{name}': there is one already")
    names[index] = name or f"{what}_{index}"


class Builder:
    """Bodies, shapes and joints, one by one; `build()` makes the model. Lengths in m, angles in rad, masses in kg;
    quaternions are (w, x, y, z). Indices that the functions return are those of the kernel; body 0 is the ground."""

    def __init__(self, h: float = 1e-3, gravity: Reals = (0.0, 0.0, -9.81), **options: Any) -> None:
        """h: step, s. gravity: m/s2. options: fields of tac_options; solver and friction also as words."""
        options = {"lambda" if name == "lambda_" else name: value for name, value in options.items()}
        for name in ("solver", "friction"):
            if name in options:
                options[name] = number_of(name, options[name])
        self.scalars: Dict[str, Any] = {"h": h, "gravity": gravity, "options": options}
        self.bodies: List[Dict[str, Any]] = []
        self.shapes: List[Dict[str, Any]] = []
        self.materials: List[Dict[str, Any]] = []
        self.pairs: List[Dict[str, Any]] = []
        self.exclusions: List[Dict[str, Any]] = []
        self.joints: List[Dict[str, Any]] = []
        self.surfaces: List[Dict[str, Any]] = []
        self.solids: List[Tuple[Any, Any]] = []
        self.fields: List[Tuple[Any, float, float, float]] = []
        self.weighed: List[Tuple[int, float]] = []
        self.body_names: Dict[int, str] = {0: "ground"}
        self.joint_names: Dict[int, str] = {}

    # ------------------------------------------------------------------------------------------------ bodies, shapes
    def material(self, friction: float = 0.5, restitution: float = 0.0, **fields: Any) -> int:
        """Coulomb's and Newton's coefficient, 1. fields: others of tac_material, such as stiffness (N/m) and damping
        (N s/m) of compliant contacts. Returns its index."""
        self.materials.append(dict(friction=friction, restitution=restitution, **fields))
        return len(self.materials) - 1

    def material_pair(self, a: int, b: int, friction: float, restitution: float = 0.0, **fields: Any) -> None:
        """Coefficients of one pair of materials. fields: others of tac_material_pair, such as stiffness and damping."""
        self.pairs.append(dict(a=a, b=b, friction=friction, restitution=restitution, **fields))

    def body(
        self,
        position: Reals = ZERO,
        quaternion: Reals = IDENTITY,
        mass: float = 1.0,
        inertia: Reals = (1.0, 1.0, 1.0),
        velocity: Reals = ZERO,
        omega: Reals = ZERO,
        kind: str = "dynamic",
        inertial: Frame = (ZERO, IDENTITY),
        density: Optional[float] = None,
        name: Optional[str] = None,
    ) -> int:
        """position, quaternion: of its frame in the world. mass: kg; inertia: principal moments, kg m2, in the frame
        `inertial`. velocity: m/s, of the centre of mass; omega: rad/s, in the principal frame. density: kg/m3; mass
        and inertia are then those of its shapes. Returns its index."""
        index = len(self.bodies) + 1
        enter_name(self.body_names, "body", index, name)
        self.bodies.append(
            {
                "mass": mass,
                "inertia": inertia,
                "inertial": inertial,
                "pose": (position, quaternion),
                "velocity": (velocity, omega),
                "kind": number_of("kind of body", kind),
            }
        )
        if density is not None:
            self.weighed.append((index, density))
        return index

    def shape(
        self,
        kind: str,
        body: int,
        size: Reals = ZERO,
        at: Reals = ZERO,
        quaternion: Reals = IDENTITY,
        **fields: Any,
    ) -> int:
        """A shape of TAC_kind and `size` as in types.h, in the frame of the body. fields: material, rounding, group,
        mask, data. Returns its index."""
        if not self.materials:
            self.material()
        self.shapes.append(
            dict({"kind": "TAC_" + kind.upper(), "body": body, "size": size, "pose": (at, quaternion)}, **fields)
        )
        return len(self.shapes) - 1

    def half_space(self, body: int = 0, **fields: Any) -> int:
        """All points with z <= 0 of its frame."""
        return self.shape("half_space", body, **fields)

    def sphere(self, body: int, radius: float, **fields: Any) -> int:
        return self.shape("sphere", body, (radius, 0.0, 0.0), **fields)

    def box(self, body: int, half: Reals, **fields: Any) -> int:
        """half: half lengths."""
        return self.shape("box", body, half, **fields)

    def capsule(self, body: int, radius: float, half: float, **fields: Any) -> int:
        """half: half length of the segment along z."""
        return self.shape("capsule", body, (radius, 0.0, half), **fields)

    def cylinder(self, body: int, radius: float, half: float, **fields: Any) -> int:
        """half: half length along z."""
        return self.shape("cylinder", body, (radius, 0.0, half), **fields)

    def cone(self, body: int, radius: float, half: float, **fields: Any) -> int:
        """half: half height along z."""
        return self.shape("cone", body, (radius, 0.0, half), **fields)

    def ellipsoid(self, body: int, half: Reals, **fields: Any) -> int:
        """half: semi-axes."""
        return self.shape("ellipsoid", body, half, **fields)

    def hull(self, body: int, points: Reals, **fields: Any) -> int:
        """points: (n, 3); their convex hull."""
        self.solids.append((rows("points", points, 3, float), None))
        return self.shape("hull", body, data=len(self.solids) - 1, **fields)

    def mesh(self, body: int, points: Reals, triangles: Reals, **fields: Any) -> int:
        """points: (n, 3); triangles: (m, 3) indices, counter-clockwise from outside. Not on dynamic bodies."""
        self.solids.append((rows("points", points, 3, float), rows("triangles", triangles, 3, np.uint16)))
        return self.shape("mesh", body, data=len(self.solids) - 1, **fields)

    def height_field(self, body: int, samples: Reals, dx: float, dy: float, scale: float, **fields: Any) -> int:
        """samples: (rows, columns) integers; spacing dx along columns and dy along rows, m; scale: m a unit."""
        self.fields.append((rows("samples", samples, 0, None), dx, dy, scale))
        return self.shape("height_field", body, data=len(self.fields) - 1, **fields)

    def surface(self, shape: int, linear: Reals = ZERO, angular: Reals = ZERO, point: Reals = ZERO) -> int:
        """The surface of a shape moves while its body stays, as a belt, a turntable, a track does: linear m/s, angular
        rad/s about the point, in the frame of the shape. World.move_surface() changes it. Returns its index."""
        self.surfaces.append({"shape": shape, "linear": linear, "angular": angular, "point": point})
        return len(self.surfaces) - 1

    def exclude(self, a: int, b: int) -> None:
        """Bodies a and b do not collide."""
        self.exclusions.append({"a": a, "b": b})

    # -------------------------------------------------------------------------------------------------------- joints
    def joint(
        self,
        kind: str,
        body_a: int,
        body_b: int,
        frame_a: Frame = (ZERO, IDENTITY),
        frame_b: Frame = (ZERO, IDENTITY),
        anchor: Optional[Reals] = None,
        axis: Reals = (0.0, 0.0, 1.0),
        name: Optional[str] = None,
        **fields: Any,
    ) -> int:
        """kind: "revolute" and so on, as TAC_REVOLUTE in types.h. frame_a, frame_b: (p, q) in the bodies' frames, or
        anchor: a point in the world, where both frames are at the start, with z along `axis`. fields: lower, upper,
        friction, damping, stiffness, effort and others of tac_joint; switched: "on" or "off", of one that set_switch() takes
        out of force and brings into force. Returns its index."""
        if anchor is not None:
            frame_a, frame_b = (self.seen_from(body, anchor, axis) for body in (body_a, body_b))
        fields = {name: value for name, value in fields.items() if value is not None}
        if "switched" in fields:
            fields["switched"] = number_of("switch", fields["switched"])
        number = number_of("kind of joint", kind)
        about: Dict[str, Any] = {"kind": number, "body_a": body_a, "body_b": body_b}
        if kind != "coupling":
            about.update(frame_a=frame_a, frame_b=frame_b)
        enter_name(self.joint_names, "joint", len(self.joints), name)
        self.joints.append(dict(about, **fields))
        return len(self.joints) - 1

    def seen_from(self, body: int, anchor: Reals, axis: Reals) -> Frame:
        """The frame at `anchor` with z along `axis`, both of the world, in the frame of a body."""
        p, q = self.bodies[body - 1]["pose"] if body else (ZERO, IDENTITY)
        back = matrix(q).T
        return tuple(back @ (np.asarray(anchor, float) - p)), quaternion_of(back @ frame_along(axis))

    # --------------------------------------------------------------------------------------------------------- build
    def capacities(self, contacts: Optional[int]) -> Dict[str, int]:
        """What tables must have room for."""
        points = sum(POINTS.get(shape["kind"], 4) for shape in self.shapes if shape["body"] != 0)
        corners = sum(len(p) for p, _ in self.solids)
        faces = sum(len(t) if t is not None else 2 * len(p) for p, t in self.solids)
        needs: Dict[str, int] = {
            "TAC_MAX_BODIES": len(self.bodies),
            "TAC_MAX_SHAPES": len(self.shapes),
            "TAC_MAX_JOINTS": len(self.joints),
            "TAC_MAX_SURFACES": len(self.surfaces),
            "TAC_MAX_MATERIALS": len(self.materials),
            "TAC_MAX_MATERIAL_PAIRS": len(self.pairs),
            "TAC_MAX_EXCLUSIONS": len(self.exclusions),
            "TAC_MAX_CONTACTS": contacts or max(64, min(2 * points, 4000)),
            "TAC_MAX_ACTIONS": len(self.bodies),
        }
        if self.solids:
            most = max(len(p) for p, t in self.solids)
            needs.update(
                TAC_MAX_POLYHEDRA=len(self.solids),
                TAC_MAX_POINTS=corners,
                TAC_MAX_FACES=max(faces, 24),
                TAC_MAX_EDGES=max(3 * faces, 72),
                TAC_MAX_HULL_POINTS=min(most, 1000),
            )
        if self.fields:
            needs.update(TAC_MAX_HEIGHT_FIELDS=len(self.fields), TAC_MAX_HEIGHTS=sum(s.size for s, *_ in self.fields))
        parts = {"shape": self.shapes, "material": self.materials, "material_pair": self.pairs, "joint": self.joints}
        return {**{name: value for name, value in needs.items() if value > 0}, **image.knobs_of(parts)}

    def build(self, bits: int = 64, contacts: Optional[int] = None, **knobs: int) -> "Model":
        """bits: 64, or 32 for the numbers of most boards. contacts: room for so many; knobs: others of config.h, as
        TAC_MAX_REDUCED=200. Returns a Model; raises KernelError with the field that the kernel refuses."""
        kernel = kernels.load(dict(self.capacities(contacts), **knobs), bits)
        made = Model(kernel, list(self.body_names.values()), list(self.joint_names.values()))
        raw, c, by = made.raw, kernel.c, ctypes.byref
        for name, value in self.scalars.items():
            fill(kernel, dict(kernel.about["structs"]["tac_model"]["fields"])[name], raw, name, value)
        for points, triangles in self.solids:
            add_solid(kernel, raw, points, triangles)
        for samples, dx, dy, scale in self.fields:
            height = dict(kernel.about["structs"]["tac_model"]["fields"])["height"][2]
            flat = rows("samples", samples, 0, kernel.types.dtype(height))
            where = flat.ctypes.data_as(c.tac_model_add_height_field.argtypes[1])
            kernel.check(
                c.tac_model_add_height_field(by(raw), where, samples.shape[1], samples.shape[0], dx, dy, scale),
                what="height field",
            )
        for fields in self.materials:
            numbers = [real(kernel, name, fields[name]) for name in ("friction", "restitution")]
            index = kernel.check(c.tac_model_add_material(by(raw), *numbers), what="material")
            fill_struct(kernel, "tac_material", raw.material[index], fields)
        for p in self.pairs:
            a, b = (whole("material", p[name], 0, 255) for name in "ab")
            numbers = [real(kernel, name, p[name]) for name in ("friction", "restitution")]
            index = kernel.check(c.tac_model_add_material_pair(by(raw), a, b, *numbers), what="pair")
            fill_struct(kernel, "tac_material_pair", raw.material_pair[index], p)
        for fields in self.bodies:
            self.add(kernel, raw, "body", c.tac_body_make(fields["kind"], kernel.new("tac_vec3")), fields)
        for fields in self.shapes:
            if fields["kind"] not in kernel.constants:
                raise Error(f"{fields['kind']}: no kind of shape")
            made_shape = c.tac_shape_make(0, kernel[fields["kind"]], kernel.new("tac_vec3"))
            self.add(kernel, raw, "shape", made_shape, fields)
        for fields in self.exclusions:
            a, b = (whole("body", fields[name], 0, 65535) for name in "ab")
            kernel.check(c.tac_model_add_exclusion(by(raw), a, b), what="exclusion")
        for fields in self.joints:
            joint = kernel.new("tac_joint")
            c.tac_joint_init(by(joint), fields["kind"], 0, 0)
            self.add(kernel, raw, "joint", joint, fields)
        for fields in self.surfaces:
            self.add(kernel, raw, "surface", kernel.new("tac_surface"), fields)
        for body, density in self.weighed:
            kernel.check(c.tac_model_mass_from_shapes(by(raw), body, density), what=f"mass of {self.body_names[body]}")
        made.seal()
        return made

    def add(self, kernel: Any, raw: Any, name: str, struct: Any, fields: Mapping[str, Any]) -> None:
        fill_struct(kernel, f"tac_{name}", struct, fields)
        kernel.check(getattr(kernel.c, f"tac_model_add_{name}")(ctypes.byref(raw), ctypes.byref(struct)), what=name)


def fill_struct(kernel: Any, kind: str, struct: Any, fields: Mapping[str, Any]) -> None:
    known = dict(kernel.about["structs"][kind]["fields"])
    for name, value in fields.items():
        if name not in known:
            raise Error(f"{name}: {kind} has no such field; it has {', '.join(known)}")
        fill(kernel, known[name], struct, name, value)


def add_solid(kernel: Any, raw: Any, points: Any, triangles: Any) -> None:
    points = np.ascontiguousarray(points, kernel.real)
    add = kernel.c.tac_model_add_hull if triangles is None else kernel.c.tac_model_add_mesh
    arguments = [ctypes.byref(raw), points.ctypes.data_as(add.argtypes[1]), len(points)]
    if triangles is not None:
        arguments += [triangles.ctypes.data_as(add.argtypes[3]), len(triangles)]
    kernel.check(add(*arguments), what="hull" if triangles is None else "mesh")


# ------------------------------------------------------------------------------------------------------ rotations


def matrix(q: Reals) -> Any:
    """Rotation matrix of a quaternion (w, x, y, z)."""
    w, x, y, z = np.asarray(q, float) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion_of(r: Any) -> Tuple[float, ...]:
    """Of a rotation matrix: the largest of its four components is taken from the diagonal."""
    squares = np.array([1 + np.trace(r)] + [1 + 2 * r[i, i] - np.trace(r) for i in range(3)])
    k = int(np.argmax(squares))
    products = np.array(
        [
            [squares[0], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]],
            [r[2, 1] - r[1, 2], squares[1], r[1, 0] + r[0, 1], r[0, 2] + r[2, 0]],
            [r[0, 2] - r[2, 0], r[1, 0] + r[0, 1], squares[2], r[2, 1] + r[1, 2]],
            [r[1, 0] - r[0, 1], r[0, 2] + r[2, 0], r[2, 1] + r[1, 2], squares[3]],
        ]
    )
    return tuple(products[k] / np.linalg.norm(products[k]))


def frame_along(axis: Reals) -> Any:
    """A rotation matrix whose z is that axis."""
    z = np.asarray(axis, float) / np.linalg.norm(axis)
    other = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = np.cross(other, z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


# ------------------------------------------------------------------------------------------------------ the model


class Model:
    """A sealed model and the kernel that it is for.

    raw      the struct tac_model of the kernel; after a change of its fields call seal()
    bodies   names; body 0 is the ground
    joints   names
    links    {name of a link of a robot's file: (body, pose in the body)}
    notes    what the reader of a file has left out or decided, line by line"""

    def __init__(
        self,
        kernel: kernels.Kernel,
        bodies: Sequence[str] = (),
        joints: Sequence[str] = (),
        links: Optional[Mapping[str, Tuple[int, Frame]]] = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.kernel, self.raw = kernel, kernel.new("tac_model")
        self.bodies, self.joints, self.links, self.notes = list(bodies), list(joints), dict(links or {}), list(notes)
        kernel.check(kernel.c.tac_model_init_for(ctypes.byref(kernel.layout), ctypes.byref(self.raw)), what="model")

    def __repr__(self) -> str:
        raw, bits = self.raw, 8 * self.kernel.real.itemsize
        return (
            f"<Model {self.hash:08x}: {raw.bodies - 1} bodies, {raw.joints} joints, {raw.shapes} shapes, {bits} bits>"
        )

    def __reduce__(self) -> Any:
        return restored, (self.kernel, self.as_dict(), self.bodies, self.joints, self.links, self.notes)

    def seal(self) -> None:
        """Check every field and store the hash; raises KernelError with the first bad field."""
        fault = self.kernel.new("tac_fault")
        status = self.kernel.c.tac_model_seal_for(
            ctypes.byref(self.kernel.layout), ctypes.byref(self.raw), ctypes.byref(fault)
        )
        self.kernel.check(status, fault, self.raw, what="model")

    @property
    def hash(self) -> int:
        """32 bits, the same on every target."""
        return int(self.raw.hash)

    @property
    def h(self) -> float:
        """Step, s."""
        return float(self.raw.h)

    def index(self, names: List[str], what: str, count: int, name: Name) -> int:
        """The index of a body or joint by its name, or the index itself."""
        if not isinstance(name, str):
            return whole(what, name, 0, count - 1)
        if name not in names:
            raise Error(f"{what} '{name}': there is none; there are {', '.join(names)}")
        return names.index(name)

    def body(self, name: Name) -> int:
        if isinstance(name, str) and name not in self.bodies and name in self.links:
            return self.links[name][0]
        return self.index(self.bodies, "body", self.raw.bodies, name)

    def joint(self, name: Name) -> int:
        return self.index(self.joints, "joint", self.raw.joints, name)

    def parameter(self, kind: str, of: Name) -> Tuple[int, int]:
        """Kind and index of a number of the model: "friction", "mass" and others of TAC_FIT_* in parameter.h, of a body
        or joint by name or index, of a material, pair or shape by index."""
        kinds: Dict[str, int] = {n[8:].lower(): i for n, i in self.kernel.constants.items() if n.startswith("TAC_FIT_")}
        found = choose("kind of parameter", kinds, kind)
        if kind.startswith("joint_") or kind == "motor":
            return found, self.joint(of)
        if kind in ("mass", "inertia") or kind.startswith("centre_"):
            return found, self.body(of)
        return found, whole(kind, of, 0, 65535)

    def frame(self, name: Name) -> Any:
        """The tac_frame of a link, or of a body's own frame."""
        made = self.kernel.new("tac_frame")
        body, pose = self.links.get(str(name), (None, (ZERO, IDENTITY)))
        made.body = self.body(name) if body is None else body
        fill(self.kernel, "tac_pose", made, "pose", pose)
        return made

    @classmethod
    def from_urdf(cls, path: str, bits: int = 64, **options: Any) -> "Model":
        """A robot. options: those of urdf2tactus, with _ for -: z=0.4, ground=True, fixed_base=True, friction=0.8,
        joint={"FR_calf_joint": -1.5}, collide=["FR_foot", ...], and so on. What the reader decides or leaves out is
        in `notes`."""
        return cls.from_file(path, "URDF", bits, options)

    @classmethod
    def from_mjcf(cls, path: str, bits: int = 64, **options: Any) -> "Model":
        """A robot or a scene of MuJoCo. options: those of mjcf2tactus, as of from_urdf(): keyframe="home",
        joint={"knee": 0.3}, h=1e-3, and so on. What the reader decides or leaves out is in `notes`."""
        return cls.from_file(path, "MJCF", bits, options)

    @classmethod
    def from_file(cls, path: str, form: str, bits: int, options: Dict[str, Any]) -> "Model":
        """form: a name of convert/main.py."""
        from .convert import main
        from .convert.complaint import Complaint, Notes

        notes = Notes()
        try:
            asked = main.arguments([str(path), *command_line(options)], getattr(main, form))
            made = main.convert(str(path), None, asked, notes)
        except (Complaint, SystemExit) as refusal:
            raise Error(f"{path}: {refusal}") from None
        return cls.from_dict(
            made.model, bits, made.body_names, made.joint_names, made.links, notes.lines(), made.capacities
        )

    def as_dict(self) -> Dict[str, Any]:
        """Counts, numbers and arrays, of these what is in use."""
        return image.as_dict(self)

    def in_bits(self, bits: int) -> "Model":
        """The same model with numbers of 32 or 64 bits, rounded once."""
        about = self.as_dict()
        return Model.from_dict(about, bits, self.bodies, self.joints, self.links, self.notes, image.capacities(about))

    def save(self, path: Any) -> None:
        """A file that `tactus run --model` and load() read, in both precisions."""
        models = [self.in_bits(bits) for bits in (32, 64)]
        about = models[1].as_dict()
        images = [(m.hash, image.Codec(m.kernel, bits).elements(m.as_dict())) for m, bits in zip(models, (32, 64))]
        links = self.links or {name: (i, (ZERO, IDENTITY)) for i, name in enumerate(self.bodies)}
        more = bool(about.get("surfaces") or {"TAC_FRICTION_LAWS", "TAC_SWITCHES"} & set(image.knobs_of(about)))
        image.write_file(path, images, links, self.joints, more)

    @classmethod
    def load(cls, path: Any, bits: int = 64, contacts: Optional[int] = None) -> "Model":
        """A file of save() or `urdf2tactus --blob`. It has no poses of links in their bodies: these are bodies here."""
        try:
            about, code, links, joints = image.read_file(path, kernels.load({}, bits), bits)
        except ValueError as error:
            raise Error(f"{path}: {error}") from None
        names = [next((link for link, at in links.items() if at == i), f"body_{i}") for i in range(about["bodies"])]
        model = cls.from_dict(about, bits, names, joints, None, (), image.capacities(about, contacts))
        if model.hash != code:
            raise Error(f"{path}: hash {model.hash:08x}, must be {code:08x}")
        return model

    @classmethod
    def from_dict(
        cls,
        about: Mapping[str, Any],
        bits: int = 64,
        bodies: Sequence[str] = (),
        joints: Sequence[str] = (),
        links: Optional[Mapping[str, Tuple[int, Frame]]] = None,
        notes: Sequence[str] = (),
        capacities: Optional[Mapping[str, int]] = None,
    ) -> "Model":
        """From the dict of a model: counts and arrays, hulls included."""
        return restored(kernels.load(dict(capacities or {}), bits), about, bodies, joints, links, notes)


def restored(
    kernel: kernels.Kernel,
    about: Mapping[str, Any],
    bodies: Sequence[str],
    joints: Sequence[str],
    links: Optional[Mapping[str, Tuple[int, Frame]]],
    notes: Sequence[str],
) -> Model:
    """From the dict of a model, for that kernel."""
    model = Model(kernel, bodies, joints, links, notes)
    fields = dict(kernel.about["structs"]["tac_model"]["fields"])
    for name, value in about.items():
        if not isinstance(value, list):
            fill(kernel, fields[name], model.raw, name, value)
            continue
        for i, element in enumerate(value):
            array = getattr(model.raw, name)
            if name == "joint":  # fields that an element does not have keep their defaults
                kind = element["kind"]
                kind = kernel[kind] if isinstance(kind, str) else kind
                kernel.c.tac_joint_init(ctypes.byref(array[i]), kind, 0, 0)
            if isinstance(element, dict):
                fill_struct(kernel, fields[name][2], array[i], element)
            elif isinstance(element, tuple):
                rows_of(kernel, array[i])[:] = element
            else:
                array[i] = element
    model.seal()
    return model


def command_line(options: Mapping[str, Any]) -> List[str]:
    """{"fixed_base": True, "z": 0.4} as the words of urdf2tactus."""
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, dict):
            words += [word for key, number in value.items() for word in (option, f"{key}={number!r}")]
        elif isinstance(value, (list, tuple)):
            words += [word for part in value for word in (option, str(part))]
        elif value is True:
            words.append(option)
        elif value is not False and value is not None:
            words += [option, str(value)]
    return words
