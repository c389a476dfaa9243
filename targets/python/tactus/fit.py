# SPDX-License-Identifier: MIT
"""fit - parameters of a model from trajectories that were measured, with their covariance, and with what the data do not
say."""
import ctypes
from typing import Any, List, NamedTuple, Optional, Sequence

import numpy as np

from .errors import Error, choose, whole
from .model import Model, Name, Reals, made_of, real
from .world import State

VERDICTS = ("unasked", "known", "at bound", "unknown")
ENDS = ("running", "converged", "iterations", "rollouts", "refused")
STEPS = 4096  # between two looks at Ctrl-C


class Parameter(NamedTuple):
    """What is fitted, between bounds.

    kind        "friction", "restitution", "rounding", "mass", "inertia", "centre_x", "joint_friction", "joint_damping",
                "joint_stiffness", "motor" and others of TAC_FIT_* in fit.h, with their units
    of          a body or joint by name or index, a material, pair or shape by index
    difference  derivatives are differences of roll-outs at the value plus and minus this: large against what one step
                decides, small against the bounds; a fiftieth of these unless given"""

    kind: str
    of: Name
    lower: float
    upper: float
    difference: Optional[float] = None

    def __str__(self) -> str:
        return f"{self.kind}[{self.of}]"


class Section:
    """A trajectory: it starts at a state of the model, and was measured after some of its steps.

    inputs   tac_input structs (World.input, copied by bytes); each acts for `hold` steps, the last one to the end."""

    def __init__(self, start: State, inputs: Sequence[Any] = (), hold: int = 1) -> None:
        self.start, self.kernel = start.copy(), start.kernel
        kind = self.kernel.types.ctype("tac_input")
        self.inputs = (kind * len(inputs))(*inputs)
        self.hold = whole("hold", hold, 1, 2**32 - 1)
        self.observations: List[Any] = []
        self.unknowns: List[Any] = []

    def each(self, kind: str, index: int, steps: Reals, values: Any, deviation: float) -> List[Any]:
        at = np.asarray(steps)
        if at.ndim != 1 or len(at) != len(values):
            raise Error(f"steps: {len(values)} measurements, steps of shape {at.shape}")
        made = []
        for step in at.tolist():
            one = self.kernel.new("tac_observation")
            one.step, one.index, one.kind = whole("step", step, 1, 2**32 - 1), index, self.kernel["OBSERVE_" + kind]
            one.weight = 1.0 / real(self.kernel, "deviation", deviation)
            made.append(one)
        self.observations += made
        return made

    def poses(
        self, body: Name, steps: Reals, poses: Reals, deviation: float = 1.0, turn_deviation: float = np.inf
    ) -> "Section":
        """Poses (n, 7) of a body's own frame after these steps, (n,); standard deviations in m and rad, infinite: not
        measured. Returns self."""
        rows = np.asarray(poses, float)
        if rows.ndim != 2 or rows.shape[1] != 7:
            raise Error(f"poses: an array of (n, 7) is needed, not {rows.shape}")
        for one, pose in zip(self.each("POSE", self.start.model.body(body), steps, rows, deviation), rows):
            one.turn_weight = 1.0 / turn_deviation
            one.pose = made_of(self.kernel, "tac_pose", "pose", pose)
        return self

    def joint(self, joint: Name, steps: Reals, values: Reals, deviation: float = 1.0) -> "Section":
        """Coordinates (n,) of a joint after these steps, rad or m, and their standard deviation. Returns self."""
        rows = np.asarray(values, float)
        if rows.ndim != 1:
            raise Error(f"values: an array of (n,) is needed, not {rows.shape}")
        for one, value in zip(self.each("JOINT", self.start.model.joint(joint), steps, rows, deviation), rows):
            one.coordinate = real(self.kernel, "value", value)
        return self

    def unknown(self, coordinate: int, deviation: float, difference: float) -> "Section":
        """A number of the start, as in World.displace(), is measured with an error and found too: its standard
        deviation, in those of the weights, and the difference of the roll-outs beside it. Returns self."""
        made = self.kernel.new("tac_fit_unknown")
        made.coordinate = whole("coordinate", coordinate, 0, 65535)
        made.deviation, made.difference = deviation, difference
        self.unknowns.append(made)
        return self

    def raw(self) -> Any:
        made, types = self.kernel.new("tac_section"), self.kernel.types
        observations = sorted(self.observations, key=lambda one: int(one.step))
        made.start = ctypes.pointer(self.start.raw)
        made.observation = (types.ctype("tac_observation") * len(observations))(*observations)
        made.observations, made.inputs, made.hold = len(observations), len(self.inputs), self.hold
        if len(self.inputs):
            made.input = self.inputs
        if self.unknowns:
            made.unknown = (types.ctype("tac_fit_unknown") * len(self.unknowns))(*self.unknowns)
        made.unknowns = len(self.unknowns)
        return made


class Fit:
    """What the data say. p parameters, in the order that they were asked for.

    model        with the values that were found
    values       (p,)
    deviations   (p,) standard deviations; NaN where the data do not say
    covariance   (p, p): of errors as large as the residuals show; zeros for what is not known
    verdicts     "known"; "at bound": beyond it the cost would fall; "unknown": the data say nothing about it, given the
                 others, and it stays where it was
    starts       of each section, by how much the unknowns of its start differ from what was measured
    cost, first_cost   half the sum of squared residuals, now and at the start
    variance     mean of squared residuals per degree of freedom: 1 if deviations and model are right
    ended        "converged", "iterations" or "rollouts": which limit came first
    rows, rollouts, iterations"""

    model: Model

    def __init__(self, parameters: Sequence[Parameter], made: Any) -> None:
        p, self.parameters = len(parameters), list(parameters)
        self.values = np.array(made.value[:p])
        self.covariance = np.array(made.covariance[: p * p]).reshape(p, p)
        self.verdicts = [VERDICTS[verdict] for verdict in made.verdict[:p]]
        known = np.array([verdict == "known" for verdict in self.verdicts])
        self.deviations = np.where(known, np.sqrt(np.diag(self.covariance)), np.nan)
        self.starts: List[Any] = []
        self.cost, self.first_cost, self.variance = made.cost, made.first_cost, made.variance
        self.rows, self.rollouts, self.iterations = made.rows, made.rollouts, made.iterations
        self.ended = ENDS[made.ended]

    def __str__(self) -> str:
        lines = [f"{self.ended} after {self.iterations} iterations, cost {self.first_cost:.6g} -> {self.cost:.6g}"]
        for p, value, deviation, verdict in zip(self.parameters, self.values, self.deviations, self.verdicts):
            about = f"+- {deviation:.2g}" if verdict == "known" else verdict
            lines.append(f"{p!s:>24} {value:.6g} {about}")
        return "\n".join(lines)


def fit(model: Model, parameters: Sequence[Parameter], sections: Sequence[Section], **options: float) -> Fit:
    """Find the values for which roll-outs are as measured: least squares by Levenberg and Marquardt's method. options:
    max_iterations, max_rollouts, tolerance, null, robust, refinements of tac_fitting (fit.h). Ctrl-C ends it."""
    kernel, by = model.kernel, ctypes.byref
    made, fault, work = kernel.new("tac_fitting"), kernel.new("tac_fault"), kernel.new("tac_work")
    kernel.check(kernel.c.tac_fit_init_for(by(kernel.layout), by(made)), what="fit")
    if len(parameters) > len(made.parameter):
        raise Error(
            f"{len(parameters)} parameters: this kernel has room for {len(made.parameter)}, build(TAC_MAX_FIT=...)"
        )
    for one, asked in zip(made.parameter, parameters):
        one.kind, one.index = model.parameter(asked.kind, asked.of)
        one.lower, one.upper = real(kernel, "lower", asked.lower), real(kernel, "upper", asked.upper)
        one.difference = asked.difference if asked.difference is not None else (one.upper - one.lower) / 50
    for name, value in options.items():
        known = ("max_iterations", "max_rollouts", "tolerance", "null", "robust", "refinements")
        setattr(made, choose("option", dict(zip(known, known)), name), value)
    if any(section.kernel is not kernel for section in sections):
        raise Error(f"sections: one starts at a state of another kernel than that of {model!r}")
    array = (kernel.types.ctype("tac_section") * max(len(sections), 1))(*[section.raw() for section in sections])
    made.section, made.sections, made.parameters = array, len(sections), len(parameters)
    kernel.check(kernel.c.tac_fit_begin(by(model.raw), by(made), by(fault)), fault, model.raw, what="fit")
    while made.ended == 0:
        kernel.check(kernel.c.tac_fit_advance(by(model.raw), by(made), STEPS, by(work)), work.report.fault, what="fit")
    found = Fit(parameters, made)
    found.starts = [
        np.array([array[i].unknown[k].value for k in range(len(s.unknowns))]) for i, s in enumerate(sections)
    ]
    found.model = Model(kernel, model.bodies, model.joints, model.links, model.notes)
    status = kernel.c.tac_fit_model(by(model.raw), by(made), by(found.model.raw), by(fault))
    kernel.check(status, fault, model.raw, what="fit")
    return found
