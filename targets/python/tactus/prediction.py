# SPDX-License-Identifier: MIT
"""prediction - roll-outs and plans by sampling, as on the chip: plans are knots over time, costs are data."""
import ctypes

import numpy as np

from .errors import Error

FORMS = {"hold": 0, "linear": 1, "cubic": 2}
NORMS = {"quadratic": 0, "smooth": 1, "l2": 2}
MODES = {"effort": 0, "pd": 1, "velocity": 2}
METHODS = {"best": 0, "elites": 1, "weights": 2}


class Plan:
    """Commands over time. knots: (knots, channels), in the unit of each channel; `spacing` s apart from `start` s on.

    channels: one dict for each column: joint (name or index), mode ("effort", "pd" with stiffness and damping, or
    "velocity"), low, high: bounds, sigma: standard deviation of the noise of sampling."""

    def __init__(self, model, channels, knots, spacing, start=0.0, form="linear"):
        kernel = model.kernel
        self.model, self.knots = model, np.array(knots, kernel.real, ndmin=2)
        if self.knots.shape[1] != len(channels):
            raise Error(f"knots: {self.knots.shape[1]} columns for {len(channels)} channels")
        self.channels = (kernel.types.ctype("tac_channel") * len(channels))()
        for made, asked in zip(self.channels, channels):
            asked = dict({"low": -np.inf, "high": np.inf, "mode": "effort"}, **asked)
            made.joint, made.kind = model.joint(asked.pop("joint")), MODES[asked.pop("mode")]
            for name, value in asked.items():
                if not hasattr(made, name):
                    raise Error(f"{name}: a channel has joint, mode, low, high, sigma, stiffness, damping")
                largest = float(np.finfo(kernel.real).max)
                setattr(made, name, min(max(float(value), -largest), largest))
        self.raw = kernel.new("tac_plan")
        self.raw.channel, self.raw.channels = self.channels, len(channels)
        self.raw.value = self.knots.ctypes.data_as(ctypes.POINTER(kernel.c_real))
        self.raw.knots, self.raw.spacing, self.raw.start, self.raw.form = len(self.knots), spacing, start, FORMS[form]

    def shift(self, by):
        """The same plan for a state that is `by` s later."""
        kernel = self.model.kernel
        kernel.check(kernel.c.tac_plan_shift(ctypes.byref(self.raw), by), what="shift")

    def commands(self, world, time=0.0):
        """Put the commands at a time, s, into the world's input, in place of its motors."""
        kernel = self.model.kernel
        status = kernel.c.tac_plan_evaluate(ctypes.byref(self.raw), time, 0, ctypes.byref(world.input))
        kernel.check(status, what="plan")


class Cost:
    """A sum of terms, never negative."""

    def __init__(self, model):
        self.model, self.terms, self.kept = model, [], []

    def term(
        self,
        kind,
        target=None,
        weight=0.0,
        terminal=0.0,
        norm="quadratic",
        radius=1.0,
        index=0,
        count=1,
        link=None,
        axes="world",
        without=0,
        spacing=1.0,
        form="hold",
    ):
        """kind: "joint", "rate", "position", "orientation", "velocity", "spin", "centre", "momentum", "effort",
        "force", "slip" and others of TAC_COST_*. target: numbers, or (rows, numbers) `spacing` s apart. index, count:
        which joints or shapes; link: of a frame. weight: a second; terminal: at the last step. Returns self."""
        kernel = self.model.kernel
        made = kernel.new("tac_cost_term")
        made.kind, made.norm = kernel["COST_" + kind.upper()], NORMS[norm]
        made.weight, made.terminal, made.radius, made.without = weight, terminal, radius, without
        made.index, made.count, made.axes = index, count, kernel["AXES_" + axes.upper()]
        made.frame = self.model.frame(link if link is not None else 0)
        if target is not None:
            values = np.array(target, kernel.real, ndmin=2)
            table = kernel.new("tac_table")
            table.value = values.ctypes.data_as(ctypes.POINTER(kernel.c_real))
            table.rows, table.width, table.spacing, table.form = *values.shape, spacing, FORMS[form]
            self.kept += [values, table]
            made.target = ctypes.pointer(table)
        self.terms.append(made)
        return self

    def raw(self, time=0.0):
        kernel = self.model.kernel
        made = kernel.new("tac_cost")
        array = (kernel.types.ctype("tac_cost_term") * max(len(self.terms), 1))(*self.terms)
        self.kept.append(array)
        made.term, made.terms, made.time = array, len(self.terms), time
        return made


class Prediction:
    """Of World: what comes of its present state. Nothing of the world changes."""

    def rollout(self, steps, plan=None, cost=None, time=0.0):
        """Steps ahead under a plan and the present actions. Returns the tac_prediction: total (the cost), taken,
        touching, force, penetration; and `end`, the State after them."""
        from .world import State

        made, fault = self.kernel.new("tac_prediction"), self.kernel.new("tac_fault")
        made.model, made.steps, made.most = ctypes.pointer(self.model.raw), steps, float(np.finfo(self.kernel.real).max)
        inputs = type(self.input).from_buffer_copy(self.input)
        if plan is not None:
            inputs.motors = 0
            made.plan = ctypes.pointer(plan.raw)
        priced = cost.raw(time) if cost is not None else None
        if priced is not None:
            made.cost = ctypes.pointer(priced)
        made.input = ctypes.pointer(inputs)
        status = self.kernel.c.tac_rollout(
            ctypes.byref(made), ctypes.byref(self.state.raw), ctypes.byref(self.aside), ctypes.byref(fault)
        )
        self.kernel.check(
            status, fault if fault.field else made.fault, self.model.raw, self.state.raw, inputs, "rollout"
        )
        return made, State(self.model, made.state)

    def improve(
        self, plan, cost, steps, samples=16, seed=0, scale=1.0, method="best", elites=4, temperature=1.0, time=0.0
    ):
        """Improve a plan by sampling: `samples` candidates, the plan itself and the others with noise, each rolled out
        for `steps` steps. method: "best", "elites" (cross-entropy) or "weights" (MPPI). The plan's knots are changed in
        place. Returns (cost of the plan before, cost of the plan now)."""
        made, fault = self.kernel.new("tac_sampling"), self.kernel.new("tac_fault")
        priced, inputs = cost.raw(time), type(self.input).from_buffer_copy(self.input)
        inputs.motors = 0
        room, at_room = self.numbers(plan.knots.size + samples)
        made.model, made.cost, made.input = map(ctypes.pointer, (self.model.raw, priced, inputs))
        made.plan, made.room, made.seed, made.scale = ctypes.pointer(plan.raw), at_room, seed, scale
        made.temperature, made.steps, made.samples, made.elites = temperature, steps, samples, min(elites, samples)
        made.method = METHODS[method]
        by = ctypes.byref
        status = self.kernel.c.tac_sampling_begin(by(made), by(self.state.raw), by(fault))
        self.kernel.check(status, fault, self.model.raw, self.state.raw, inputs, "improve")
        while self.kernel.check(self.kernel.c.tac_sampling_advance(by(made), by(self.aside), 1 << 20), what="improve"):
            pass
        self.kernel.check(self.kernel.c.tac_sampling_end(by(made)), what="improve")
        return made.nominal, made.least
