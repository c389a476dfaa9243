# SPDX-License-Identifier: MIT
"""image - a model as the list of elements that the link and model files have (port/link/README.md), and back.

A model is a dict with the fields of tac_model; an element is bytes, little endian."""
import struct
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

import numpy as np

MAGIC, VERSION = b"TACTUS\0M", 2
MORE_VERSION = 3  # of a file whose model has what most models do not have
About = Dict[str, Any]  # a model, or an element of it: the fields of its struct
COUNTS = (
    "bodies shapes materials material_pairs exclusions polyhedra points faces edges fields".split(),
    ["heights", "joints"],
)
OPTIONS = "tolerance omega lambda recovery projection margin bounce".split()
OPTION_BYTES = "solver friction warm_start stabilise max_joint_iterations".split()
# (array, its struct, its count), in the order of the elements.
TABLES = [
    ("body", "tac_body", "bodies"),
    ("shape", "tac_shape", "shapes"),
    ("material", "tac_material", "materials"),
    ("material_pair", "tac_material_pair", "material_pairs"),
    ("exclusion", "tac_exclusion", "exclusions"),
    ("joint", "tac_joint", "joints"),
    ("polyhedron", "tac_polyhedron", "polyhedra"),
    ("point", "tac_vec3", "points"),
    ("face", "tac_face", "faces"),
    ("edge", "tac_edge", "edges"),
    ("field", "tac_height_field", "fields"),
    ("height", None, "heights"),
    ("surface", "tac_surface", "surfaces"),
]
# Fields that most elements do not have: those that do say so in MARKS, and have them last. A joint also has `switched`.
MORE: Dict[str, Dict[str, str]] = {
    "tac_shape": {"axis": "tac_vec3", "turn": "real", "across": "real"},
    "tac_material": {"static_friction": "real", "stribeck_speed": "real"},
    "tac_material_pair": {"static_friction": "real", "stribeck_speed": "real"},
    "tac_joint": {"break_force": "real", "break_torque": "real"},
}
MARKS = {"tac_shape": "kind", "tac_material": "friction_rule", "tac_material_pair": "a", "tac_joint": "collide"}
MARK, PAIR_MARK, SURFACES = 0x80, 0xFF, 0x80000000  # the last is added to the number of joints
FIRST_COORDINATE = 12  # TAC_TRANSLATION: this kind of joint and those after it are of TAC_COORDINATES
JOINT_FIRST = ("kind", "collide", "body_a", "body_b")
BUSHING = ("along", "about", "along_damping", "about_damping")
BUSHING_KIND = 11
REALS = {"tac_vec3": 3, "tac_quat": 4, "tac_pose": 7, "tac_twist": 6}
CODES = {"u8": "B", "u16": "H", "u32": "I", "i8": "b", "i16": "h"}


def has_more(name: Optional[str], element: Any) -> bool:
    """Does an element have fields that most do not have?"""
    if name == "tac_joint":
        return bool(element.get("switched", 0))
    return name in MORE and any(np.any(element.get(field, 0)) for field in MORE[name])


class Codec:
    """Elements with reals of 32 or 64 bits, for the structs of a kernel."""

    def __init__(self, kernel: Any, bits: int) -> None:
        self.structs, self.real = kernel.about["structs"], "f" if bits == 32 else "d"
        self.height = dict(self.structs["tac_model"]["fields"])["height"][2]

    def code(self, kind: Any) -> Tuple[str, int]:
        """(struct code, how many numbers) of a field's type."""
        if isinstance(kind, list):  # the bounds of a node
            return self.real, kind[1]
        return (CODES[kind], 1) if kind in CODES else (self.real, REALS.get(kind, 1))

    def fields(self, name: Optional[str], element: Any) -> List[Any]:
        """Fields of a struct in the order of the link."""
        known = self.structs[name]["fields"] if name else [["", self.height]]
        known = [field for field in known if field[0] not in (*MORE.get(str(name), ()), "switched")]
        if name != "tac_joint":
            return known
        known = dict(known)
        bushing = element["kind"] == BUSHING_KIND
        frames = ["frame_a", "frame_b"]
        rest = list(BUSHING) if bushing else [f for f in known if f not in JOINT_FIRST + BUSHING and f not in frames]
        return [(field, known[field]) for field in [*JOINT_FIRST, *frames, *rest]]

    def put(self, name: Optional[str], element: Any) -> bytes:
        parts, more = [], has_more(name, element)
        for field, kind in self.fields(name, element):
            code, count = self.code(kind)
            value = element if name in (None, "tac_vec3") else element[field]
            if name == "tac_vec3":
                return struct.pack(f"<3{self.real}", *element)
            if more and field == MARKS[str(name)]:
                value, mark = self.marked(str(name), element, value)
                parts.append(mark)
            parts.append(struct.pack(f"<{count}{code}", *np.ravel(value)))
        for field, kind in MORE[str(name)].items() if more else ():
            code, count = self.code(kind)
            parts.append(struct.pack(f"<{count}{code}", *np.ravel(element[field])))
        return b"".join(parts)

    def marked(self, name: str, element: Any, value: int) -> Tuple[int, bytes]:
        """The byte that says that more follows, and one before it."""
        if name == "tac_material_pair":
            return value, bytes([PAIR_MARK])
        return value | MARK | element.get("switched", 0) << 4, b""

    def unmarked(self, name: str, element: About, value: int, reader: "Reader") -> Tuple[int, bool]:
        """What that byte was before, and whether more follows."""
        if name == "tac_material_pair":
            return (reader.take("B")[0], True) if value == PAIR_MARK else (value, False)
        if value < MARK:
            return value, False
        if name == "tac_joint":
            element["switched"] = value >> 4 & 7
            return value & 15, True
        return value - MARK, True

    def get(self, name: Optional[str], reader: "Reader") -> Any:
        if name is None:
            return reader.take(self.code(self.height)[0])[0]
        if name == "tac_vec3":
            return reader.take(f"3{self.real}")
        element: About = {}
        more = False
        if name == "tac_joint":
            element["kind"] = reader.bytes[reader.at]
        for field, kind in self.fields(name, element):
            code, count = self.code(kind)
            value = reader.take(f"{count}{code}")
            element[field] = value if isinstance(kind, list) or kind in REALS else value[0]
            if field == MARKS.get(name):
                element[field], more = self.unmarked(name, element, element[field], reader)
        for field, kind in MORE[name].items() if more else ():
            code, count = self.code(kind)
            value = reader.take(f"{count}{code}")
            element[field] = value if kind in REALS else value[0]
        return element

    def elements(self, about: About) -> Iterator[bytes]:
        """Of a model: the head, then all that it has."""
        o = about["options"]
        counts = [about[name] for name in COUNTS[0]], [about[name] for name in COUNTS[1]]
        surfaces = about.get("surfaces", 0)
        counts[1][1] |= SURFACES if surfaces else 0
        head = struct.pack("<10H2I", *counts[0], *counts[1])
        head += struct.pack(f"<11{self.real}", about["h"], *about["gravity"], *(o[name] for name in OPTIONS))
        head += struct.pack("<H5B", o["max_sweeps"], *(o[name] for name in OPTION_BYTES))
        yield head + (struct.pack("<I", surfaces) if surfaces else b"")
        for array, name, count in TABLES:
            for i, element in enumerate(about.get(array, [])[: about.get(count, 0)]):
                nodes = about["node"][2 * i : 2 * i + 2] if array == "face" else []
                yield self.put(name, element) + b"".join(self.put("tac_node", node) for node in nodes)

    def model(self, reader: "Reader") -> About:
        """The dict of the elements that a reader has."""
        about: About = dict(zip(COUNTS[0], reader.take("10H")))
        about.update(zip(COUNTS[1], reader.take("2I")))
        numbers = reader.take(f"11{self.real}")
        about.update(h=numbers[0], gravity=numbers[1:4], options=dict(zip(OPTIONS, numbers[4:])))
        about["options"]["max_sweeps"] = reader.take("H")[0]
        about["options"].update(zip(OPTION_BYTES, reader.take("5B")))
        if about["joints"] & SURFACES:
            about["joints"] -= SURFACES
            about["surfaces"] = reader.take("I")[0]
        about["node"] = []
        for array, name, count in TABLES:
            if count not in about:
                continue
            about[array] = []
            for _ in range(about[count]):
                about[array].append(self.get(name, reader))
                if array == "face":
                    about["node"] += [self.get("tac_node", reader) for _ in range(2)]
        return about


class Reader:
    """Bytes, from front to back; raises ValueError where they end too early."""

    def __init__(self, data: bytes) -> None:
        self.bytes, self.at = data, 0

    def take(self, form: str) -> Tuple[Any, ...]:
        size = struct.calcsize("<" + form)
        if self.at + size > len(self.bytes):
            raise ValueError("cut short")
        found = struct.unpack_from("<" + form, self.bytes, self.at)
        self.at += size
        return found

    def name(self) -> str:
        (length,) = self.take("H")
        return str(self.take(f"{length}s")[0], "utf-8", "replace")


def plain(kernel: Any, kind: Any, value: Any) -> Any:
    """A ctypes value as a dict, a tuple or a number."""
    if not isinstance(kind, str):
        return [plain(kernel, kind[2], element) for element in value]
    if kind in REALS:
        return tuple(float(x) for part in flat(value) for x in [part])
    if kind not in kernel.about["structs"]:
        return value
    return {name: plain(kernel, of, getattr(value, name)) for name, of in kernel.about["structs"][kind]["fields"]}


def flat(value: Any) -> Iterator[Any]:
    for name, _ in value._fields_:
        part = getattr(value, name)
        if hasattr(part, "_fields_"):
            yield from flat(part)
        else:
            yield part


def as_dict(model: Any) -> About:
    """A Model as a dict, of its arrays what is in use."""
    kernel, raw = model.kernel, model.raw
    about: About = {}
    in_use = {array: getattr(raw, count, 0) for array, _, count in TABLES}
    in_use["node"] = 2 * raw.faces
    structs = {array: struct_name for array, struct_name, _ in TABLES}
    for name, kind in kernel.about["structs"]["tac_model"]["fields"]:
        value = getattr(raw, name)
        if isinstance(kind, list):
            about[name] = [lean(structs.get(name), plain(kernel, kind[2], value[i])) for i in range(in_use[name])]
        else:
            about[name] = plain(kernel, kind, value)
    if not about.get("surfaces"):  # as in a kernel that knows none
        about.pop("surfaces", None), about.pop("surface", None)
    return about


def lean(name: Optional[str], element: Any) -> Any:
    """Without fields that it does not use, as of a kernel that does not know them."""
    if name in MORE and not has_more(name, element):
        return {field: value for field, value in element.items() if field not in (*MORE[name], "switched")}
    return element


def knobs_of(about: About) -> Dict[str, int]:
    """The knobs that a model needs beside room."""
    more = {name: any(has_more(name, e) for e in about.get(array, [])) for array, name, _ in TABLES if name in MORE}
    needs = {
        "TAC_FRICTION_LAWS": more["tac_shape"] or more["tac_material"] or more["tac_material_pair"],
        "TAC_SWITCHES": more["tac_joint"],
        "TAC_COORDINATES": any(joint["kind"] >= FIRST_COORDINATE for joint in about.get("joint", [])),
    }
    return {name: 1 for name, needed in needs.items() if needed}


def capacities(about: About, contacts: Optional[int] = None) -> Dict[str, int]:
    """What tables must have room for."""
    knobs = {
        "bodies": "BODIES",
        "shapes": "SHAPES",
        "materials": "MATERIALS",
        "material_pairs": "MATERIAL_PAIRS",
        "exclusions": "EXCLUSIONS",
        "joints": "JOINTS",
        "polyhedra": "POLYHEDRA",
        "points": "POINTS",
        "faces": "FACES",
        "edges": "EDGES",
        "fields": "HEIGHT_FIELDS",
        "heights": "HEIGHTS",
        "surfaces": "SURFACES",
    }
    needs = {f"TAC_MAX_{knob}": about[count] for count, knob in knobs.items() if about.get(count, 0) > 0}
    hulls = [p["points"] for p in about["polyhedron"] if p["convex"]]
    if hulls:
        needs["TAC_MAX_HULL_POINTS"] = max(hulls)
    least = {"TAC_MAX_POINTS": 4, "TAC_MAX_FACES": 4, "TAC_MAX_EDGES": 12, "TAC_MAX_HEIGHTS": 4, "TAC_MAX_SHAPES": 2}
    needs = {name: max(value, least.get(name, 1)) for name, value in needs.items()}
    needs["TAC_MAX_CONTACTS"] = contacts or max(64, min(8 * about["shapes"], 4000))
    return {**needs, **knobs_of(about)}


def write_file(
    path: str,
    images: Iterable[Tuple[int, Iterable[bytes]]],
    links: Dict[str, Any],
    joints: Sequence[str],
    more: bool = False,
) -> None:
    """images: of both precisions, (hash, elements); links: {name: (body, pose)}; joints: names; more: MORE_VERSION."""
    parts = [MAGIC, struct.pack("<I", MORE_VERSION if more else VERSION)]
    for code, elements in images:
        data = b"".join(elements)
        parts += [struct.pack("<II", code, len(data)), data]
    text = lambda name: struct.pack("<H", len(name.encode()[:65535])) + name.encode()[:65535]
    parts.append(struct.pack("<H", len(links)))
    parts += [struct.pack("<H", body) + text(name) for name, (body, _) in links.items()]
    parts.append(struct.pack("<H", len(joints)))
    parts += [text(name) for name in joints]
    with open(path, "wb") as file:
        file.write(b"".join(parts))


def read_file(path: str, kernel: Any, bits: int) -> Tuple[Any, Any, Dict[str, int], List[str]]:
    """(dict of the model, its hash, {link: body}, names of joints)"""
    with open(path, "rb") as file:
        reader = Reader(file.read())
    if reader.take("8s")[0] != MAGIC or reader.take("I")[0] not in (VERSION, MORE_VERSION):
        raise ValueError(f"no model file of version {VERSION} or {MORE_VERSION}")
    about = code = None
    for width in (32, 64):
        found, size = reader.take("II")
        part = Reader(reader.take(f"{size}s")[0])
        if width == bits:
            code, about = found, Codec(kernel, bits).model(part)
    links = {}
    for _ in range(reader.take("H")[0]):
        (body,) = reader.take("H")
        links[reader.name()] = body
    return about, code, links, [reader.name() for _ in range(reader.take("H")[0])]
