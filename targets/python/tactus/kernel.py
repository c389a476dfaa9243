# SPDX-License-Identifier: MIT
"""kernel - the C kernel with the capacities of a model, as a shared object that is compiled once and kept.

Bits do not depend on the compiler or its level, so a model steps here as on its board. Where there is no C compiler the
object that a wheel brings along is used: it has room for large models."""
import ctypes
import hashlib
import json
import os
import shutil
import subprocess
import tempfile

from . import declarations
from .errors import Error, raise_fault
from .layout import Types

HERE = os.path.dirname(os.path.realpath(__file__))
FLAGS = "-std=c99 -O1 -fPIC -ffp-contract=off -fno-tree-vectorize -fno-math-errno -fno-common".split()
FLAGS += os.environ.get("CFLAGS", "").split()

# What a kernel is compiled for unless a model asks for more: every wing of the kernel is there.
DEFAULTS = {
    "TAC_MAX_BODIES": 16,
    "TAC_MAX_SHAPES": 24,
    "TAC_MAX_CONTACTS": 64,
    "TAC_MAX_JOINTS": 16,
    "TAC_MAX_FILL": 128,
    "TAC_MAX_LCP": 200,
    "TAC_MAX_NCP": 200,
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


def source_folder():
    """Where src/ and include/ of the kernel are: in the package of a wheel, or in the checkout that it lies in."""
    for folder in (os.path.join(HERE, "source"), os.path.join(HERE, "..", "..", "..")):
        if os.path.exists(os.path.join(folder, "src", "tactus.c")):
            return os.path.realpath(folder)
    raise Error("the sources of the kernel are missing beside the package")


def source_files(root):
    for folder in ("include", "src"):
        for path, folders, files in sorted(os.walk(os.path.join(root, folder))):
            folders.sort()
            for name in sorted(files):
                if name.endswith((".h", ".c")):
                    yield os.path.join(path, name)


def cache_folder():
    """$TACTUS_CACHE, else where the user's caches are."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.environ.get("TACTUS_CACHE") or os.path.join(base, "tactus")


def compiler_command():
    """$CC or cc as a list; None if there is none."""
    words = os.environ.get("CC", "cc").split()
    return words if words and shutil.which(words[0]) else None


def key(root, command, knobs):
    """Names an object by all that it depends on."""
    digest = hashlib.sha256()
    version = subprocess.run([*command, "--version"], capture_output=True, check=True).stdout
    for part in (version, " ".join(FLAGS + knobs).encode()):
        digest.update(part + b"\0")
    for path in [*source_files(root), declarations.__file__]:
        with open(path, "rb") as file:
            digest.update(file.read() + b"\0")
    return digest.hexdigest()[:24]


def build(folder, name, root, command, knobs):
    """Compiles NAME.so and NAME.json in a folder; whoever looks there sees both whole or not at all."""
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        made = {suffix: os.path.join(scratch, name + suffix) for suffix in (".so", ".json")}
        include, source = os.path.join(root, "include"), os.path.join(root, "src", "tactus.c")
        compile_it = [*command, *FLAGS, *knobs, "-shared", f"-I{include}", source, "-o", made[".so"]]
        done = subprocess.run(compile_it, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Error(f"the kernel does not compile: {' '.join(compile_it)}\n{done.stderr}")
        with open(made[".json"], "w", encoding="ascii") as file:
            json.dump({**declarations.read(command, include, knobs), "knobs": knobs}, file)
        for suffix in (".so", ".json"):
            os.replace(made[suffix], os.path.join(folder, name + suffix))


class Kernel:
    """A loaded object: types, functions and constants of one configuration.

    `c.NAME(...)` calls a function of the header, structs by reference or by value as there. `knobs` are its capacities,
    `real` is the numpy dtype of its numbers."""

    def __init__(self, path):
        with open(path + ".json", encoding="ascii") as file:
            about = json.load(file)
        self.path, self.about = path, about
        self.types, self.constants = Types(about["structs"]), about["constants"]
        self.library = ctypes.CDLL(path + ".so")
        self.real = self.types.dtype(about["structs"]["tac_vec3"]["fields"][0][1])
        self.c_real = self.types.ctype(about["structs"]["tac_vec3"]["fields"][0][1])
        self.layout = self.new("tac_layout")
        self.layout.entry[:] = about["layout"]
        self.functions = {}
        self.c = Functions(self)
        broken = self.c.tac_self_test()
        if broken:
            raise Error(f"the arithmetic of this process is not ours: {self.c.tac_promise_name(broken).decode()}")

    def new(self, name):
        """A struct, all zeros."""
        return self.types.ctype(name)()

    def function(self, name):
        about = self.about["functions"][name]
        found = getattr(self.library, about["link"])
        text = ["pointer", "i8"]
        found.argtypes = [self.types.ctype(kind) for _, kind in about["arguments"]]
        returns = about["returns"]
        found.restype = ctypes.c_char_p if returns == text else None if returns == "void" else self.types.ctype(returns)
        return found

    def __getitem__(self, name):
        """A constant of the headers by its name, with or without TAC_."""
        return self.constants[name if name.startswith("TAC_") else "TAC_" + name]

    def check(self, status, fault=None, model=None, state=None, inputs=None, what=""):
        """status as it is if it is no refusal; else raises what the fault says."""
        return status if status >= 0 else raise_fault(self, status, fault, model, state, inputs, what)


class Functions:
    """Looks a function up when it is first called."""

    def __init__(self, kernel):
        self.kernel = kernel

    def __getattr__(self, name):
        if name not in self.kernel.about["functions"]:
            raise AttributeError(f"{name}: no function of this kernel")
        found = self.kernel.function(name)
        setattr(self, name, found)
        return found


loaded = {}


def options_of(knobs):
    return [f"-D{name}={value}" for name, value in sorted(knobs.items())]


def large(bits):
    """Compiler and options of the object that a wheel brings along."""
    return compiler_command(), options_of(dict(LARGE, TAC_REAL_BITS=bits))


def rounded(name, value):
    """Capacities up to the next power of two or three halves of one, so that one object serves many models."""
    if not name.startswith("TAC_MAX_") or value < 8:
        return value
    size = 8
    while size < value:
        size += size // 2 if size & (size - 1) == 0 else size // 3
    return size


def load(capacities, bits):
    """The kernel with at least these capacities, in 32 or 64 bits; compiled if it is not there yet."""
    knobs = dict(DEFAULTS)
    for name, value in capacities.items():
        knobs[name] = max(rounded(name, value), knobs[name]) if name in knobs else rounded(name, value)
    knobs["TAC_REAL_BITS"] = bits
    command = compiler_command()
    if command is None:
        return shipped(knobs, bits)
    root, options = source_folder(), options_of(knobs)
    name = key(root, command, options)
    if name not in loaded:
        path = os.path.join(cache_folder(), name)
        if not (os.path.exists(path + ".so") and os.path.exists(path + ".json")):
            build(cache_folder(), name, root, command, options)
        loaded[name] = Kernel(path)
    return loaded[name]


def shipped(knobs, bits):
    path = os.path.join(HERE, "shipped", f"kernel{bits}")
    if not os.path.exists(path + ".so"):
        raise Error("there is no C compiler (CC, or cc), and this package has brought no compiled kernel along")
    if path not in loaded:
        loaded[path] = Kernel(path)
    room = loaded[path].constants
    for name, value in knobs.items():
        if room.get(name, value) < value:
            raise Error(f"{name} {value} is needed, the kernel that was brought along has {room[name]}: install cc")
    return loaded[path]
