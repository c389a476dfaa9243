# SPDX-License-Identifier: MIT
"""kernel - the C kernel with the capacities of a model, as a shared object that is compiled once and kept.

Bits do not depend on the compiler or its level, so a model steps here as on its board. Where there is no C compiler the
object that a wheel brings along is used: it has room for large models."""
import ctypes
import hashlib
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import warnings
from typing import Any, Dict, Iterator, List, Mapping, Optional

from . import declarations, layout
from .errors import Error, raise_fault

HERE = os.path.dirname(os.path.realpath(__file__))
FLAGS = "-std=c99 -O1 -fPIC -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common".split()

# What a kernel is compiled for unless a model asks for more: every wing of the kernel is there.
DEFAULTS = {
    "TAC_MAX_BODIES": 16,
    "TAC_MAX_SHAPES": 24,
    "TAC_MAX_CONTACTS": 64,
    "TAC_MAX_JOINTS": 16,
    "TAC_MAX_FILL": 128,
    "TAC_MAX_LCP": 200,
    "TAC_MAX_NCP": 200,
    "TAC_MAX_FIT": 12,
    "TAC_MAX_FIT_ROWS": 12000,
    "TAC_DAE": 1,
    "TAC_PREDICT": 1,
}
# The capacities of the object that a wheel brings along.
LARGE = {
    **DEFAULTS,
    "TAC_MAX_BODIES": 128,
    "TAC_MAX_SHAPES": 1024,
    "TAC_MAX_CONTACTS": 256,
    "TAC_MAX_JOINTS": 128,
    "TAC_MAX_REDUCED": 112,
    "TAC_MAX_FILL": 512,
    "TAC_MAX_LCP": 400,
    "TAC_MAX_NCP": 400,
    "TAC_MAX_EXCLUSIONS": 8000,
    "TAC_MAX_POLYHEDRA": 512,
    "TAC_MAX_POINTS": 20000,
    "TAC_MAX_FACES": 30000,
    "TAC_MAX_EDGES": 60000,
    "TAC_MAX_HULL_POINTS": 1000,
}


def source_folder() -> str:
    """Where src/ and include/ of the kernel are: in the package of a wheel, or in the checkout that it lies in."""
    for folder in (os.path.join(HERE, "source"), os.path.join(HERE, "..", "..", "..")):
        if os.path.exists(os.path.join(folder, "src", "tactus.c")):
            return os.path.realpath(folder)
    raise Error("the sources of the kernel are missing beside the package")


def source_files(root: str) -> Iterator[str]:
    for folder in ("include", "src"):
        for path, folders, files in sorted(os.walk(os.path.join(root, folder))):
            folders.sort()
            for name in sorted(files):
                if name.endswith((".h", ".c")):
                    yield os.path.join(path, name)


def cache_folder() -> str:
    """$TACTUS_CACHE, else where the user's caches are."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.environ.get("TACTUS_CACHE") or os.path.join(base, "tactus")


def compiler_command() -> Optional[List[str]]:
    """$CC, or cc, and $CFLAGS, as a shell splits them; None if there is none."""
    words = shlex.split(os.environ.get("CC", "cc"))
    return words + shlex.split(os.environ.get("CFLAGS", "")) if words and shutil.which(words[0]) else None


def key(root: str, command: List[str], knobs: List[str]) -> str:
    """Names an object by all that it depends on."""
    digest = hashlib.sha256()
    version = subprocess.run([command[0], "--version"], capture_output=True, check=False).stdout
    machine = f"{sys.platform} {platform.machine()} {ctypes.sizeof(ctypes.c_void_p)}"
    for part in (version, machine.encode(), *(word.encode() for word in [*command, *FLAGS, *knobs])):
        digest.update(part + b"\0")
    for path in [*source_files(root), declarations.__file__, layout.__file__]:
        digest.update(os.path.basename(path).encode() + b"\0")
        with open(path, "rb") as file:
            digest.update(file.read() + b"\0")
    return digest.hexdigest()[:24]


def build(folder: str, name: str, root: str, command: List[str], knobs: List[str]) -> None:
    """Compiles NAME.so and NAME.json in a folder; whoever looks there sees both whole or not at all."""
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        made = {suffix: os.path.join(scratch, name + suffix) for suffix in (".so", ".json")}
        include, source = os.path.join(root, "include"), os.path.join(root, "src", "tactus.c")
        compile_it = [*command[:1], *FLAGS, *command[1:], *knobs, "-shared", f"-I{include}", source, "-o", made[".so"]]
        done = subprocess.run(compile_it, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Error(f"the kernel does not compile: {' '.join(compile_it)}\n{done.stderr}")
        try:
            about = declarations.read(command, include, knobs)
        except subprocess.CalledProcessError as failed:
            raise Error(f"the headers cannot be read: {' '.join(failed.cmd)}\n{failed.stderr}") from None
        with open(made[".json"], "w", encoding="ascii") as file:
            json.dump({**about, "knobs": knobs}, file)
        for suffix in (".so", ".json"):
            os.replace(made[suffix], os.path.join(folder, name + suffix))


class Kernel:
    """A loaded object: types, functions and constants of one configuration.

    `c.NAME(...)` calls a function of the header, structs by reference or by value as there. `knobs` are its capacities,
    `real` is the numpy dtype of its numbers."""

    def __init__(self, path: str) -> None:
        with open(path + ".json", encoding="ascii") as file:
            about = json.load(file)
        self.path, self.about = path, about
        self.types, self.constants = layout.Types(about["structs"]), about["constants"]
        self.library = ctypes.CDLL(path + ".so")
        self.real = self.types.dtype(about["structs"]["tac_vec3"]["fields"][0][1])
        self.c_real = self.types.ctype(about["structs"]["tac_vec3"]["fields"][0][1])
        self.layout = self.new("tac_layout")
        self.layout.entry[:] = about["layout"]
        self.c = Functions(self)
        self.test()

    def test(self) -> None:
        """Raises Error where something has changed the arithmetic of this thread, as a library does that was linked with
        -ffast-math: the bits are then others."""
        broken = self.c.tac_self_test()
        if broken:
            raise Error(f"the arithmetic of this thread is not ours: {self.c.tac_promise_name(broken).decode()}")

    def __reduce__(self) -> Any:
        knobs = dict(option[2:].split("=") for option in self.about["knobs"])
        return exactly, ({name: int(value) for name, value in knobs.items()},)

    def __deepcopy__(self, _: Any) -> "Kernel":
        return self

    def new(self, name: str) -> Any:
        """A struct, all zeros."""
        return self.types.ctype(name)()

    def function(self, name: str) -> Any:
        about = self.about["functions"][name]
        found = getattr(self.library, about["link"])
        text = ["pointer", "i8"]
        found.argtypes = [self.types.argument(kind) for _, kind in about["arguments"]]
        returns = about["returns"]
        found.restype = ctypes.c_char_p if returns == text else None if returns == "void" else self.types.ctype(returns)
        return found

    def __getitem__(self, name: str) -> Any:
        """A constant of the headers by its name, with or without TAC_."""
        return self.constants[name if name.startswith("TAC_") else "TAC_" + name]

    def check(
        self,
        status: int,
        fault: Any = None,
        model: Any = None,
        state: Any = None,
        inputs: Any = None,
        what: str = "",
    ) -> int:
        """status as it is if it is no refusal; else raises what the fault says."""
        return status if status >= 0 else raise_fault(self, status, fault, model, state, inputs, what)


class Functions:
    """Looks a function up when it is first called."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def __getattr__(self, name: str) -> Any:
        if name not in self.kernel.about["functions"]:
            raise AttributeError(f"{name}: no function of this kernel")
        found = self.kernel.function(name)
        setattr(self, name, found)
        return found


loaded: Dict[str, Kernel] = {}
lock = threading.RLock()
scratch: List[Any] = []  # a folder of this process, where the cache cannot be written


def options_of(knobs: Mapping[str, int]) -> List[str]:
    return [f"-D{name}={value}" for name, value in sorted(knobs.items())]


def large(bits: int) -> Any:
    """Compiler and options of the object that a wheel brings along."""
    return compiler_command(), options_of(dict(LARGE, TAC_REAL_BITS=bits))


def rounded(name: str, value: int) -> int:
    """Capacities up to the next power of two or three halves of one, so that one object serves many models."""
    if not name.startswith("TAC_MAX_") or value < 8:
        return value
    size = 8
    while size < value:
        size += size // 2 if size & (size - 1) == 0 else size // 3
    return size


def load(capacities: Mapping[str, int], bits: int) -> Kernel:
    """The kernel with at least these capacities, in 32 or 64 bits; compiled if it is not there yet."""
    if bits not in (32, 64):
        raise Error(f"bits: {bits!r}, must be 32 or 64")
    knobs = dict(DEFAULTS)
    for name, value in capacities.items():
        knobs[name] = max(rounded(name, value), knobs[name]) if name in knobs else rounded(name, value)
    knobs["TAC_REAL_BITS"] = bits
    return exactly(knobs)


def exactly(knobs: Mapping[str, int]) -> Kernel:
    """The kernel with these knobs; without a compiler the one that was brought along, if it has room."""
    root, command = source_folder(), compiler_command()
    if command is None:
        return shipped(knobs, knobs["TAC_REAL_BITS"])
    with open(os.path.join(root, "include", "tactus", "config.h"), encoding="ascii") as file:
        known = file.read()
    for name in knobs:
        if f"#ifndef {name}\n" not in known:
            raise Error(f"{name}: config.h has no such knob")
    options = options_of(knobs)
    with lock:
        name = key(root, command, options)
        if name not in loaded:
            loaded[name] = Kernel(os.path.join(built(name, root, command, options), name))
        return loaded[name]


def built(name: str, root: str, command: List[str], options: List[str]) -> str:
    """The folder with that object, which is compiled if it is not there."""
    folder = cache_folder()
    if not all(os.path.exists(os.path.join(folder, name + suffix)) for suffix in (".so", ".json")):
        try:
            build(folder, name, root, command, options)
        except OSError as refused:
            warnings.warn(
                f"{folder}: {refused.strerror}; kernels are not kept (TACTUS_CACHE names a folder)", stacklevel=2
            )
            if not scratch:
                scratch.append(tempfile.TemporaryDirectory(prefix="tactus"))
            folder = scratch[0].name
            build(folder, name, root, command, options)
    return folder


def shipped(knobs: Mapping[str, int], bits: int) -> Kernel:
    path = os.path.join(HERE, "shipped", f"kernel{bits}")
    if not os.path.exists(path + ".so"):
        raise Error("there is no C compiler (CC, or cc), and this package has brought no compiled kernel along")
    with lock:
        if path not in loaded:
            loaded[path] = Kernel(path)
    room = loaded[path].constants
    for name, value in knobs.items():
        if room.get(name, value) < value:
            raise Error(f"{name} {value} is needed, the kernel that was brought along has {room[name]}: install cc")
    return loaded[path]
