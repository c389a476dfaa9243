# SPDX-License-Identifier: MIT
"""linear - the step as a linear complementarity system, and plans through contact over it (C3)."""
import ctypes
from typing import Any, List, NamedTuple, Optional

import numpy as np

from .dynamics import Asks
from .errors import Error, choose, whole
from .kernel import Kernel
from .model import Reals, made_of, real

LAWS = {"stewart_trinkle": "LCS_STEWART_TRINKLE", "anitescu": "LCS_ANITESCU"}
MATRICES = {"A": "xx", "B": "xu", "D": "xl", "d": "x", "E": "lx", "F": "ll", "H": "lu", "c": "l"}


class System:
    """x+ = A x + B u + D l + d,  0 <= l  perp  E x + F l + H u + c >= 0.

    A (x, x), B (x, u), D (x, l), d (x,), E (l, x), F (l, l), H (l, u), c (l,): arrays of the kernel's precision, which
    the kernel reads; World.linearise() makes them, or they are given here: System(kernel, A=..., B=..., ...).
    contacts, limits, efforts: what the rows of l belong to, if it comes from a world. raw: the struct tac_lcs."""

    def __init__(self, kernel: Kernel, **matrices: Reals) -> None:
        self.kernel, self.raw = kernel, kernel.new("tac_lcs")
        kernel.c.tac_lcs_init(ctypes.byref(self.raw))
        arrays = (
            {name: np.array(choose("matrix", matrices, name), kernel.real) for name in MATRICES} if matrices else {}
        )
        if arrays:
            sizes = {"x": len(arrays["d"]), "l": len(arrays["c"]), "u": arrays["B"].shape[-1]}
            self.take(arrays, sizes)
            self.raw.size = self.raw.room

    def take(self, arrays: Any, sizes: Any) -> None:
        """Arrays of these sizes become those of the struct."""
        for name, shape in MATRICES.items():
            needed = tuple(sizes[s] for s in shape)
            if arrays[name].shape != needed:
                raise Error(f"{name}: an array of {needed} is needed, not {arrays[name].shape}")
            setattr(self, name, arrays[name])
            setattr(self.raw, name, arrays[name].ctypes.data_as(ctypes.POINTER(self.kernel.c_real)))
        for size, value in sizes.items():
            setattr(self.raw.room, size, whole(f"size of {size}", value, 0, 65535))

    def __getattr__(self, name: str) -> Any:
        if name in ("contacts", "limits", "efforts"):
            return getattr(self.raw, name)
        raise AttributeError(name)

    def cut(self) -> None:
        """Arrays as large as what is in use: they are packed."""
        sizes = {size: getattr(self.raw.size, size) for size in "xul"}
        packed = {}
        for name, shape in MATRICES.items():
            needed = tuple(sizes[s] for s in shape)
            packed[name] = getattr(self, name).ravel()[: int(np.prod(needed))].reshape(needed).copy()
        self.take(packed, sizes)

    def advance(self, x: Reals, u: Reals, l: Optional[Reals] = None) -> Any:
        """(x, l, solved) after steps: u (steps, u) or (u,) for one step; l (l,) of the step before, zeros unless given.
        solved: every step's problem has its solution."""
        sizes = self.raw.size
        ends = [np.array(x, self.kernel.real), np.zeros(sizes.l) if l is None else np.array(l, self.kernel.real)]
        ends[1] = ends[1].astype(self.kernel.real)
        inputs = np.ascontiguousarray(u, self.kernel.real).reshape(-1, sizes.u) if sizes.u else np.zeros((1, 1))
        for what, array, count in (("x", ends[0], sizes.x), ("l", ends[1], sizes.l)):
            if array.shape != (count,):
                raise Error(f"{what}: {count} numbers are needed, not an array of {array.shape}")
        lcp, by, at = self.kernel.new("tac_lcp"), ctypes.byref, ctypes.POINTER(self.kernel.c_real)
        self.kernel.check(self.kernel.c.tac_lcp_init_for(by(self.kernel.layout), by(lcp)), what="lcp")
        where = [array.ctypes.data_as(at) for array in (inputs, *ends)]
        status = self.kernel.c.tac_lcs_advance(by(self.raw), len(inputs), *where, by(lcp))
        return (*ends, self.kernel.check(status, what="advance") == self.kernel["OK"])


class Linear(Asks):
    """Of World: its step as a linear system."""

    def linearise(
        self,
        law: str = "stewart_trinkle",
        directions: int = 2,
        within: Optional[float] = None,
        closest: int = 0,
        wrenches: bool = False,
        plane: Reals = (0.0, 1.0, 0.0),
    ) -> System:
        """The complementarity system of the present state and input: x is (displacement, velocity), 2 n numbers, of the
        state itself (0, dq); u efforts of joints, with `wrenches` of free roots too; l impulses, N s, and multipliers.
        law: "stewart_trinkle" or "anitescu". directions: of friction, 1 .. 8; 1 is planar, along plane x n. within: gap,
        m, up to which pairs count; those that a step finds unless given. closest: only so many pairs, 0: all."""
        system, kernel, by = System(self.kernel), self.kernel, ctypes.byref
        raw, lcp, size = system.raw, self.options("lcp"), self.kernel.new("tac_linear_size")
        raw.form, raw.directions = kernel[choose("law", LAWS, law)], whole("directions", directions, 0, 255)
        raw.closest, raw.wrenches = whole("closest", closest, 0, 65535), int(wrenches)
        raw.plane = made_of(kernel, "tac_vec3", "plane", plane)
        if within is not None:
            raw.within = real(kernel, "within", within)
        contacts = 8
        while True:
            status = kernel.c.tac_lcs_sizes(by(self.model.raw), by(raw), contacts, by(self.aside), by(size))
            kernel.check(status, what="linearise")
            sizes = {name: getattr(size, name) for name in "xul"}
            system.take({m: np.zeros([sizes[s] for s in shape], kernel.real) for m, shape in MATRICES.items()}, sizes)
            status = kernel.c.tac_linearise(*self.here(), by(self.input), by(self.aside), by(lcp), by(raw))
            if status != kernel["E_FULL"] or contacts >= kernel["MAX_CONTACTS"]:
                break
            contacts = min(2 * contacts, kernel["MAX_CONTACTS"])
        kernel.check(status, self.aside.report.fault, self.model.raw, self.state.raw, self.input, "linearise")
        system.cut()
        return system


class Ahead(NamedTuple):
    """A plan of C3."""

    u: Any  # (horizon, u): inputs
    l: Any  # (horizon, l): impulses that it counts on
    x: Any  # (horizon + 1, x): states, the present one first
    residual: float  # how far l and its slack are from complementary copies


class C3:
    """Consensus complementarity control: plans through contacts that nobody has scheduled, over one System.

    Q (x, x), R (u, u), Q_N (x, x): costs of a step and of the last state. G, U (2 l,): weights of the augmented Lagrangian
    and of the projection, of l and then of its slack; one number counts for all. target: (horizon + 1, x). growth: of G
    from one iteration to the next. src/predict/README.md says how to choose them. raw: the struct tac_c3."""

    def __init__(
        self,
        system: System,
        Q: Reals,
        R: Reals,
        horizon: int,
        Q_N: Optional[Reals] = None,
        G: Reals = 1.0,
        U: Optional[Reals] = None,
        target: Optional[Reals] = None,
        growth: float = 1.0,
        iterations: int = 10,
    ) -> None:
        self.system, self.kernel, self.horizon = system, system.kernel, whole("horizon", horizon, 0, 65535)
        size, self.raw = system.raw.size, self.kernel.new("tac_c3")
        self.kernel.c.tac_c3_init(ctypes.byref(self.raw))
        self.raw.system, self.raw.horizon = ctypes.pointer(system.raw), self.horizon
        self.raw.growth, self.raw.iterations = growth, whole("iterations", iterations, 0, 65535)
        self.arrays: List[Any] = []  # the struct keeps none of them alive
        for name, given, shape in (
            ("Q", Q, (size.x, size.x)),
            ("Q_N", Q_N, (size.x, size.x)),
            ("R", R, (size.u, size.u)),
            ("G", G, (2 * size.l,)),
            ("U", U, (2 * size.l,)),
            ("target", target, (self.horizon + 1, size.x)),
        ):
            if given is None:
                continue
            array = np.array(given, self.kernel.real)
            if name in "GU" and array.ndim == 0:
                array = np.full(shape, array)
            if array.shape != shape:
                raise Error(f"{name}: an array of {shape} is needed, not {array.shape}")
            self.point(name, array)
        self.started = False
        self.grow()

    def point(self, name: str, array: Any) -> None:
        self.arrays.append(array)
        setattr(self.raw, name, array.ctypes.data_as(ctypes.POINTER(self.kernel.c_real)))

    def grow(self) -> None:
        """Twice the memory."""
        self.raw.room = max(2 * self.raw.room, 1024)
        self.memory = np.zeros(self.raw.room, self.kernel.real)
        self.raw.memory = self.memory.ctypes.data_as(ctypes.POINTER(self.kernel.c_real))

    def plan(self, x: Reals, shift: int = 1) -> Ahead:
        """From a state, (x,). `shift`: so many steps have passed since the plan before, from which this one goes on; its
        horizon or more: from nothing."""
        size, by = self.system.raw.size, ctypes.byref
        start = np.ascontiguousarray(x, self.kernel.real)
        if start.shape != (size.x,):
            raise Error(f"x: {size.x} numbers are needed, not an array of {start.shape}")
        where = start.ctypes.data_as(ctypes.POINTER(self.kernel.c_real))
        shift = whole("shift", shift, 0, 2**32 - 1) if self.started else self.horizon
        while True:
            status = self.kernel.c.tac_c3_begin(by(self.raw), where, shift)
            if status != self.kernel["E_FULL"] or self.raw.room >= 1 << 26:
                break
            self.grow()
            shift = self.horizon
        self.kernel.check(status, what="C3")
        while self.kernel.check(self.kernel.c.tac_c3_run(by(self.raw), self.horizon), what="C3"):
            pass
        self.started = True
        width = size.u + size.l + size.x
        rows = np.array(self.raw.plan[: self.horizon * width], self.kernel.real).reshape(self.horizon, width)
        last = np.array(self.raw.last[: size.x], self.kernel.real)
        u, l, states = np.split(rows, [size.u, size.u + size.l], axis=1)
        return Ahead(u, l, np.vstack([states, last]), float(self.raw.residual))
