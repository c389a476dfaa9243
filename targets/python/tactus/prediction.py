# SPDX-License-Identifier: MIT
"""prediction - roll-outs, and plans by sampling and by iterative LQR, as on the chip: plans are knots over time, costs
are data."""
import ctypes
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from .dynamics import Asks
from .errors import Error, choose, whole
from .model import Model, Name, Reals, real, rows

FORMS = {"hold": 0, "linear": 1, "cubic": 2}
NORMS = {"quadratic": 0, "smooth": 1, "l2": 2}
MODES = {"effort": 0, "pd": 1, "velocity": 2}
MOST = {"effort": "MOST_FORCE", "pd": "MOST_POSITION", "velocity": "MOST_SPEED"}  # of the numbers of a channel
METHODS = {"best": 0, "elites": 1, "weights": 2}
AXES = {"world": "AXES_WORLD", "frame": "AXES_FRAME"}
CHANNEL = {"low": -np.inf, "high": np.inf, "sigma": 0.0, "stiffness": 0.0, "damping": 0.0}
SLICE = 256  # steps between two looks at Ctrl-C
OF_JOINTS = ("joint", "rate", "effort", "effort_change")


class Plan:
    """Commands over time. knots: (knots, channels), in the unit of each channel; `spacing` s apart from `start` s on.

    channels: one dict for each column: joint (name or index), mode ("effort", "pd" with stiffness and damping, or
    "velocity"), low, high: bounds, sigma: standard deviation of the noise of sampling.
    form: "hold", "linear" or "cubic", between knots."""

    def __init__(
        self,
        model: Model,
        channels: Sequence[Mapping[str, Any]],
        knots: Reals,
        spacing: float,
        start: float = 0.0,
        form: str = "linear",
    ) -> None:
        kernel = model.kernel
        self.model, self.table = model, np.array(rows("knots", knots, len(channels), kernel.real))
        self.channels = (kernel.types.ctype("tac_channel") * len(channels))()
        for made, asked in zip(self.channels, channels):
            for name in asked:
                choose("field of a channel", {"joint": 0, "mode": 0, **CHANNEL}, name)
            made.joint = model.joint(asked.get("joint", "no joint is named"))
            made.kind, most = (
                choose("mode", MODES, asked.get("mode", "effort")),
                kernel[MOST[asked.get("mode", "effort")]],
            )
            for name, value in CHANNEL.items():
                setattr(made, name, real(kernel, name, asked.get(name, value)))
            made.low, made.high = max(made.low, -most), min(made.high, most)
        self.raw = kernel.new("tac_plan")
        self.raw.channel, self.raw.channels = self.channels, len(channels)
        self.raw.value = self.table.ctypes.data_as(ctypes.POINTER(kernel.c_real))
        self.raw.knots, self.raw.form = whole("knots", len(self.table), 1, 65535), choose("form", FORMS, form)
        self.raw.spacing, self.raw.start = real(kernel, "spacing", spacing), real(kernel, "start", start)

    @property
    def knots(self) -> Any:
        """(knots, channels): a view; what is assigned to it has the same shape."""
        return self.table

    @knots.setter
    def knots(self, values: Reals) -> None:
        given = np.asarray(values, self.table.dtype)
        if given.shape != self.table.shape:
            raise Error(f"knots: an array of {self.table.shape} is needed, not {given.shape}")
        self.table[:] = given

    def shift(self, by: float) -> None:
        """The same plan for a state that is `by` s later."""
        kernel = self.model.kernel
        kernel.check(kernel.c.tac_plan_shift(ctypes.byref(self.raw), by), what="shift")

    def commands(self, world: Any, time: float = 0.0) -> None:
        """Put the commands at a time, s, into the world's input, in place of its motors."""
        kernel = self.model.kernel
        status = kernel.c.tac_plan_evaluate(ctypes.byref(self.raw), time, 0, ctypes.byref(world.input))
        kernel.check(status, what="plan")

    def copy(self) -> "Plan":
        """The same plan, with knots of its own."""
        return self.noisy(0, 0, 0.0)

    def noisy(self, seed: int, candidate: int = 1, scale: float = 1.0) -> "Plan":
        """That plan with the noise that improve() gives this candidate: the sigma of each channel times `scale`, within
        its bounds."""
        made = object.__new__(Plan)
        kernel, by = self.model.kernel, ctypes.byref
        made.model, made.channels, made.table = self.model, self.channels, self.table.copy()
        made.raw = type(self.raw).from_buffer_copy(self.raw)
        made.raw.channel, made.raw.value = self.channels, made.table.ctypes.data_as(ctypes.POINTER(kernel.c_real))
        if scale:
            kernel.check(kernel.c.tac_plan_perturb(by(self.raw), seed, candidate, scale, by(made.raw)), what="noisy")
        return made


class Cost:
    """A sum of terms, never negative: over N steps of h  sum of h weight n(r - target)  at the ends of all steps, and
    terminal n(r - target)  at the end of the last one."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.terms: List[Any] = []
        self.kept: List[Any] = []

    def term(
        self,
        kind: str,
        target: Optional[Reals] = None,
        weight: float = 0.0,
        terminal: float = 0.0,
        norm: str = "quadratic",
        radius: float = 1.0,
        index: Name = 0,
        count: int = 1,
        link: Optional[Name] = None,
        axes: str = "world",
        without: int = 0,
        spacing: float = 1.0,
        form: str = "hold",
    ) -> "Cost":
        """kind: "joint", "rate", "position", "orientation", "velocity", "spin", "centre", "momentum", "effort",
        "force", "slip" and others of TAC_COST_*. target: numbers, or (rows, numbers) `spacing` s apart. index, count:
        which joints or shapes; link: of a frame. weight: a second; terminal: at the last step. norm: "quadratic",
        "smooth" or "l2", the latter two with a radius; without: bits of x, y, z that do not count. Returns self."""
        kernel = self.model.kernel
        made = kernel.new("tac_cost_term")
        kinds = {name[9:].lower(): at for name, at in kernel.constants.items() if name.startswith("TAC_COST_")}
        made.kind, made.norm = choose("kind of cost", kinds, kind.lower()), choose("norm", NORMS, norm)
        for name, value in (("weight", weight), ("terminal", terminal), ("radius", radius)):
            setattr(made, name, real(kernel, name, value))
        made.index = self.model.joint(index) if kind.lower() in OF_JOINTS else whole("index", index, 0, 65535)
        made.count, made.without = whole("count", count, 0, 65535), whole("without", without, 0, 7)
        made.axes = kernel[choose("axes", AXES, axes)]
        made.frame = self.model.frame(link if link is not None else 0)
        if target is not None:
            values = rows("target", np.atleast_2d(np.asarray(target, kernel.real)), 0, kernel.real)
            table = kernel.new("tac_table")
            table.value = values.ctypes.data_as(ctypes.POINTER(kernel.c_real))
            table.rows, table.width = (whole("target", size, 1, 65535) for size in values.shape)
            table.spacing, table.form = real(kernel, "spacing", spacing), choose("form", FORMS, form)
            self.kept += [values, table]
            made.target = ctypes.pointer(table)
        self.terms.append(made)
        return self

    def raw(self, time: float = 0.0) -> Any:
        """The struct tac_cost, for a roll-out that starts at that time of the targets."""
        kernel = self.model.kernel
        made = kernel.new("tac_cost")
        made.term = (kernel.types.ctype("tac_cost_term") * max(len(self.terms), 1))(*self.terms)
        made.terms, made.time = len(self.terms), real(kernel, "time", time)
        return made


class Improved(NamedTuple):
    """What a planner has made of a plan. The two costs come first: before, now = world.improve(...)"""

    before: float
    now: float


class Optimised(NamedTuple):
    """What iterative LQR has made of a plan."""

    before: float  # cost of the plan that it started from
    now: float  # and of the plan as it is now
    iterations: int  # backward passes
    improved: int  # of their plans, those that were cheaper
    promise: float  # what the last backward pass expected to save: near 0, the plan is as good as small changes make it


class Prediction(Asks):
    """Of World: what comes of its present state. Nothing of the world changes."""

    def held(self, plan: Optional[Plan]) -> Any:
        """The input that acts beside a plan: that of the world, without its motors where a plan has them."""
        inputs = type(self.input).from_buffer_copy(self.input)
        inputs.motors = 0 if plan is not None else inputs.motors
        return inputs

    def mine(self, *asked: Union[Plan, Cost, None]) -> None:
        for one in asked:
            if one is not None and one.model.kernel is not self.kernel:
                raise Error(f"{type(one).__name__}: it is for {one.model!r}")

    def rollout(self, steps: int, plan: Optional[Plan] = None, cost: Optional[Cost] = None, time: float = 0.0) -> Any:
        """(prediction, end): that many steps ahead under a plan and the present actions. prediction is the
        tac_prediction: total (the cost), taken, touching (steps), force (N), penetration (m); end the State after
        them. time: of the cost's targets, now."""
        from .world import State

        self.mine(plan, cost)
        made, fault, inputs = self.kernel.new("tac_prediction"), self.kernel.new("tac_fault"), self.held(plan)
        made.model, made.input = ctypes.pointer(self.model.raw), ctypes.pointer(inputs)
        made.steps, made.most = whole("steps", steps, 0, 2**32 - 1), float(np.finfo(self.kernel.real).max)
        if plan is not None:
            made.plan = ctypes.pointer(plan.raw)
        if cost is not None:
            made.cost = ctypes.pointer(cost.raw(time))
        by, there = ctypes.byref, (self.model.raw, self.state.raw, inputs, "rollout")
        self.kernel.check(self.kernel.c.tac_rollout_begin(by(made), by(self.state.raw), by(fault)), fault, *there)
        while True:
            status = self.kernel.c.tac_rollout_advance(by(made), by(self.aside), SLICE)
            if self.kernel.check(status, made.fault, *there) != self.kernel["UNCONVERGED"]:
                return made, State(self.model, made.state)

    def improve(
        self,
        plan: Plan,
        cost: Cost,
        steps: int,
        samples: int = 16,
        seed: int = 0,
        scale: float = 1.0,
        method: str = "best",
        elites: int = 4,
        temperature: float = 1.0,
        time: float = 0.0,
    ) -> Improved:
        """Improve a plan by sampling: `samples` candidates, the plan itself and the others with noise, each rolled out
        for `steps` steps. method: "best", "elites" (cross-entropy) or "weights" (MPPI). The plan's knots are changed in
        place. Returns the cost of the plan before, and now."""
        self.mine(plan, cost)
        made, fault = self.kernel.new("tac_sampling"), self.kernel.new("tac_fault")
        priced, inputs = cost.raw(time), self.held(plan)
        samples = whole("samples", samples, 1, 65535)
        room, at_room = self.numbers(plan.knots.size + samples)  # a pointer in a struct keeps no array alive
        made.model, made.cost, made.input = map(ctypes.pointer, (self.model.raw, priced, inputs))
        made.plan, made.room, made.seed = ctypes.pointer(plan.raw), at_room, whole("seed", seed, 0, 2**64 - 1)
        made.scale, made.temperature = scale, temperature
        made.steps, made.samples = whole("steps", steps, 0, 2**32 - 1), samples
        made.elites, made.method = min(whole("elites", elites, 0, 65535), samples), choose("method", METHODS, method)
        by = ctypes.byref
        status = self.kernel.c.tac_sampling_begin(by(made), by(self.state.raw), by(fault))
        self.kernel.check(status, fault, self.model.raw, self.state.raw, inputs, "improve")
        while self.kernel.check(self.kernel.c.tac_sampling_advance(by(made), by(self.aside), SLICE), what="improve"):
            pass
        self.kernel.check(self.kernel.c.tac_sampling_end(by(made)), what="improve")
        del room
        return Improved(made.nominal, made.least)

    def optimise(
        self, plan: Plan, cost: Cost, steps: int, iterations: int = 20, time: float = 0.0, smoothing: float = 0.0
    ) -> Optimised:
        """Improve a plan by iterative LQR: derivatives of each step, through the contacts that bear, and with a
        smoothing (m/s) at first also through those that are open. The plan has efforts that are held (form="hold"); its
        knots are changed in place, and never become dearer, even where this is interrupted. src/predict/README.md says
        what it finds and what it does not."""
        self.mine(plan, cost)
        made, priced, inputs = self.kernel.new("tac_ilqr"), cost.raw(time), self.held(plan)
        steps = whole("steps", steps, 0, 65535)
        trajectory = (self.kernel.types.ctype("tac_state") * (2 * steps + 1))()
        made.model, made.cost, made.input = map(ctypes.pointer, (self.model.raw, priced, inputs))
        made.plan, made.trajectory = ctypes.pointer(plan.raw), trajectory
        made.lcp = ctypes.pointer(self.options("lcp"))
        made.steps, made.iterations = steps, whole("iterations", iterations, 1, 65535)
        made.smoothing = real(self.kernel, "smoothing", smoothing)
        memory = self.begin(made, inputs)
        by, status = ctypes.byref, 1
        while status:
            status = self.kernel.c.tac_ilqr_run(by(made), by(self.aside), SLICE)
            self.kernel.check(status, made.fault, self.model.raw, self.state.raw, inputs, "optimise")
        del memory
        return Optimised(made.nominal, made.least, made.iteration, made.improved, made.promise)

    def begin(self, made: Any, inputs: Any) -> Any:
        """With memory that becomes larger until the kernel takes it; returns this."""
        fault, by, room = self.kernel.new("tac_fault"), ctypes.byref, 1024
        while True:
            memory, made.memory = self.numbers(room)
            made.room = room
            status = self.kernel.c.tac_ilqr_begin(by(made), by(self.state.raw), by(self.aside), by(fault))
            small = status == self.kernel["E_FULL"] and (fault.field, fault.index) == (self.kernel["FIELD_ILQR"], 3)
            if not small or room >= 1 << 26:
                self.kernel.check(status, fault, self.model.raw, self.state.raw, inputs, "optimise")
                return memory
            room *= 2
