# SPDX-License-Identifier: MIT
"""layout - the structs of declarations.py as ctypes and as numpy dtypes: a view of an array of structs is a numpy array
with the fields of the header, whose vectors are rows of numbers."""
import ctypes
import threading
from typing import Any, Dict, List, Union

from .errors import whole

Kind = Union[str, List[Any]]  # a type as declarations.py has it

BASE = {
    "u8": ctypes.c_uint8,
    "u16": ctypes.c_uint16,
    "u32": ctypes.c_uint32,
    "u64": ctypes.c_uint64,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
}
# Structs that are nothing but numbers of one kind, and read as a row of them.
ROWS = {"tac_vec3": 3, "tac_quat": 4, "tac_sym3": 6, "tac_pose": 7, "tac_twist": 6}


def bounds(kind: str) -> "tuple[int, int]":
    """Least and greatest number of a kind of integer."""
    bits = int(kind[1:])
    return (0, 2**bits - 1) if kind[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def checked(kind: str) -> Any:
    """That kind of integer as the type of an argument, which refuses what does not fit: ctypes would cut it off."""
    plain, (low, high) = BASE[kind], bounds(kind)

    def from_param(_: Any, value: Any) -> Any:
        return value if isinstance(value, plain) else plain(whole("argument", value, low, high))

    return type(f"checked_{kind}", (plain,), {"from_param": classmethod(from_param)})


ARGUMENTS = {kind: checked(kind) for kind in BASE if kind[0] != "f"}


class Types:
    """Of the structs of one configuration."""

    def __init__(self, structs: Dict[str, Any]) -> None:
        self.structs = structs
        self.known: Dict[str, Any] = dict(BASE)
        self.dtypes: Dict[str, Any] = {}
        self.lock = threading.RLock()  # a type is known before it is whole

    def argument(self, kind: Kind) -> Any:
        """The ctypes type of an argument."""
        return ARGUMENTS[kind] if isinstance(kind, str) and kind in ARGUMENTS else self.ctype(kind)

    def ctype(self, kind: Kind) -> Any:
        """The ctypes type; void and pointers to it are addresses."""
        with self.lock:
            return self.found(kind)

    def found(self, kind: Kind) -> Any:
        if isinstance(kind, str):
            return self.known[kind] if kind in self.known else self.struct(kind)
        if kind[0] == "array":
            return self.ctype(kind[2]) * kind[1]
        return ctypes.c_void_p if kind[1] == "void" else ctypes.POINTER(self.ctype(kind[1]))

    def struct(self, name: str) -> Any:
        about = self.structs[name]
        made: Any = type(name, (ctypes.Union if about["union"] else ctypes.Structure,), {})
        self.known[name] = made
        made._fields_ = [(field, self.ctype(kind)) for field, kind in about["fields"]]
        return made

    def size(self, kind: Kind) -> int:
        return ctypes.sizeof(self.ctype(kind))

    def dtype(self, kind: Kind) -> Any:
        """The numpy dtype; pointers are numbers."""
        import numpy

        if isinstance(kind, list):
            if kind[0] == "pointer":
                return numpy.dtype(numpy.uintp)
            return numpy.dtype((self.dtype(kind[2]), (kind[1],)))
        if kind in BASE:
            return numpy.dtype(self.ctype(kind))
        if kind not in self.dtypes:
            self.dtypes[kind] = self.record(kind)
        return self.dtypes[kind]

    def record(self, name: str) -> Any:
        import numpy

        made, fields = self.ctype(name), self.structs[name]["fields"]
        if name in ROWS:
            return numpy.dtype((self.number(name), (ROWS[name],)))
        return numpy.dtype(
            {
                "names": [field for field, _ in fields],
                "formats": [self.dtype(kind) for _, kind in fields],
                "offsets": [getattr(made, field).offset for field, _ in fields],
                "itemsize": ctypes.sizeof(made),
            }
        )

    def number(self, name: str) -> Any:
        """The kind of number that such a struct is made of."""
        kind = self.structs[name]["fields"][0][1]
        return self.dtype(kind) if kind in BASE else self.number(kind)
