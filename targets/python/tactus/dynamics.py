# SPDX-License-Identifier: MIT
"""dynamics - what a controller asks of the model of its robot: M(q) ddq + h(q, dq) = effort, Jacobians, derivatives.

n is the number of velocities, in the order that tactus.h states (Dynamics): six of each free root (velocity of its
centre of mass in the world, angular velocity in its principal frame), then those of the joints in their order."""
import ctypes
from types import SimpleNamespace
from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np

from .errors import Error, choose
from .kernel import Kernel
from .model import Model, Name, Reals, made_of, real, rows_of

AXES = {"world": "AXES_WORLD", "body": "AXES_BODY", "frame": "AXES_FRAME"}


class Result(SimpleNamespace):
    """What the kernel has answered: the fields of a struct of its headers, vectors as arrays. A copy."""


def result(kernel: Kernel, name: str, struct: Any) -> Result:
    row = np.frombuffer(bytearray(struct), kernel.types.dtype(name))[0]
    return Result(**{field: row[field] if row[field].ndim else row[field].item() for field in row.dtype.names})


class Asks:
    """What all questions to a world share."""

    model: Model
    kernel: Kernel
    state: Any
    input: Any
    work: Any
    aside: Any
    methods: Dict[str, Any]

    def options(self, method: str) -> Any:
        raise NotImplementedError

    def call(self, name: str, *arguments: Any) -> int:
        status = getattr(self.kernel.c, name)(*arguments)
        fault = self.aside.report.fault if status == self.kernel["E_FULL"] else None
        return self.kernel.check(status, fault, what=name)

    def here(self) -> Tuple[Any, Any]:
        return ctypes.byref(self.model.raw), ctypes.byref(self.state.raw)

    def numbers(self, *shape: int) -> Tuple[Any, Any]:
        """Zeros, and where they are."""
        made = np.zeros(shape, self.kernel.real)
        return made, made.ctypes.data_as(ctypes.POINTER(self.kernel.c_real))

    def given(self, values: Reals, count: int, what: str) -> Tuple[Any, Any]:
        """An argument of `count` numbers."""
        made = np.ascontiguousarray(values, self.kernel.real)
        if made.shape != (count,):
            raise Error(f"{what}: {count} numbers are needed, not an array of {made.shape}")
        return made, made.ctypes.data_as(ctypes.POINTER(self.kernel.c_real))


class Dynamics(Asks):
    """Of World: its model at its present state."""

    # --------------------------------------------------------------------------------------------------- coordinates
    @property
    def map(self) -> Any:
        """The tac_coordinates of the model: positions, velocities, where those of each body and joint begin."""
        if "map" not in self.methods:
            made = self.kernel.new("tac_coordinates")
            self.call(
                "tac_model_get_coordinates", ctypes.byref(self.model.raw), ctypes.byref(self.aside), ctypes.byref(made)
            )
            self.methods["map"] = made
        return self.methods["map"]

    @property
    def n(self) -> int:
        """Number of velocities."""
        return int(self.map.velocities)

    def coordinates(self) -> Tuple[Any, Any]:
        """(q, dq): arrays of map.positions and n numbers."""
        (q, at_q), (dq, at_dq) = self.numbers(self.map.positions), self.numbers(self.n)
        self.call("tac_state_get_coordinates", *self.here(), ctypes.byref(self.aside), at_q, at_dq)
        return q, dq

    def set_coordinates(self, q: Reals, dq: Optional[Reals] = None) -> None:
        """Places all bodies; dq: at rest unless given."""
        q, at_q = self.given(q, self.map.positions, "q")
        dq, at_dq = self.given(np.zeros(self.n) if dq is None else dq, self.n, "dq")
        self.call("tac_state_set_coordinates", *self.here(), at_q, at_dq, ctypes.byref(self.aside))

    # ------------------------------------------------------------------------------------------------------ dynamics
    def vector(self, name: str) -> Any:
        made, where = self.numbers(self.n)
        self.call(name, *self.here(), ctypes.byref(self.aside), where)
        return made

    def mass_matrix(self) -> Any:
        """M, (n, n)."""
        made, where = self.numbers(self.n, self.n)
        self.call("tac_mass_matrix", *self.here(), ctypes.byref(self.aside), where)
        return made

    def bias(self) -> Any:
        """h, (n,): efforts without acceleration, gravity included."""
        return self.vector("tac_bias")

    def gravity_effort(self) -> Any:
        """(n,): efforts that hold the mechanism at rest."""
        return self.vector("tac_gravity_effort")

    def inverse_dynamics(self, acceleration: Reals) -> Any:
        """effort (n,) of ddq (n,)."""
        _, at = self.given(acceleration, self.n, "acceleration")
        made, where = self.numbers(self.n)
        self.call("tac_inverse_dynamics", *self.here(), at, ctypes.byref(self.aside), where)
        return made

    def forward_dynamics(self, effort: Reals) -> Any:
        """ddq (n,) of effort (n,); contacts are not part of it."""
        _, at = self.given(effort, self.n, "effort")
        made, where = self.numbers(self.n)
        self.call("tac_forward_dynamics", *self.here(), at, ctypes.byref(self.aside), where)
        return made

    def jacobian(self, body: Name, point: Reals = (0.0,) * 3, axes: str = "world") -> Any:
        """(6, n): velocity of a point of a body, and its angular velocity. point: m, in the body's own frame; axes
        "world" or "body"."""
        made, at = self.numbers(6, self.n)
        where, resolved = made_of(self.kernel, "tac_vec3", "point", point), self.kernel[choose("axes", AXES, axes)]
        self.call("tac_jacobian", *self.here(), self.model.body(body), where, resolved, ctypes.byref(self.aside), at)
        return made

    def body_motion(self, body: Name, point: Reals = (0.0,) * 3, axes: str = "world") -> Result:
        """Of a point of a body: position, m; linear and angular velocity, m/s and rad/s; linear_drift and angular_drift,
        what J ddq is to be added to for the accelerations. Arguments as in jacobian()."""
        made = self.kernel.new("tac_point_motion")
        where, resolved = made_of(self.kernel, "tac_vec3", "point", point), self.kernel[choose("axes", AXES, axes)]
        there = (self.model.body(body), where, resolved, ctypes.byref(self.aside), ctypes.byref(made))
        self.call("tac_body_point", *self.here(), *there)
        return result(self.kernel, "tac_point_motion", made)

    def frame_pose(self, name: Name) -> Tuple[Any, Any]:
        """(position, quaternion) of a link, m."""
        frame, pose = self.model.frame(name), self.kernel.new("tac_pose")
        self.call("tac_frame_pose", *self.here(), ctypes.byref(frame), ctypes.byref(pose))
        numbers = np.array(rows_of(self.kernel, pose))
        return numbers[:3], numbers[3:]

    def frame_jacobian(self, name: Name, axes: str = "world") -> Any:
        """(6, n): of the origin of a link; axes "world" or "frame"."""
        frame, (made, at) = self.model.frame(name), self.numbers(6, self.n)
        resolved = self.kernel[choose("axes", AXES, axes)]
        self.call("tac_frame_jacobian", *self.here(), ctypes.byref(frame), resolved, ctypes.byref(self.aside), at)
        return made

    def frame_motion(self, name: Name, axes: str = "world") -> Result:
        """The same as body_motion() of the origin of a link; axes "world" or "frame"."""
        frame, made = self.model.frame(name), self.kernel.new("tac_point_motion")
        there = (self.kernel[choose("axes", AXES, axes)], ctypes.byref(self.aside), ctypes.byref(made))
        self.call("tac_frame_motion", *self.here(), ctypes.byref(frame), *there)
        return result(self.kernel, "tac_point_motion", made)

    def centroid(self, body: Optional[Name] = None) -> Result:
        """Of all dynamic bodies, or of the tree that a body belongs to: mass, kg; centre, m; velocity, m/s; linear and
        angular momentum about the centre, N s and N m s; linear_drift, angular_drift; and `matrix`, (6, n), with
        momenta = matrix dq."""
        made, (matrix, at) = self.kernel.new("tac_centroid"), self.numbers(6, self.n)
        of = self.kernel["NONE"] if body is None else self.model.body(body)
        self.call("tac_centroidal", *self.here(), of, ctypes.byref(self.aside), ctypes.byref(made), at)
        found = result(self.kernel, "tac_centroid", made)
        found.matrix = matrix
        return found

    def accelerations(self) -> Any:
        """(n,): mean accelerations over the last step, of all efforts, contacts and impacts together."""
        made, where = self.numbers(self.n)
        self.call("tac_step_accelerations", *self.here(), ctypes.byref(self.work), where)
        return made

    # -------------------------------------------------------------------------------- states as vectors, measured states
    def difference(self, other: Any) -> Any:
        """(2 n,): from the present state to another one, x = (displacement, velocity) as in derivative()."""
        made, at = self.numbers(2 * self.n)
        self.call("tac_state_difference", *self.here(), ctypes.byref(other.raw), ctypes.byref(self.aside), at)
        return made

    def displace(self, x: Reals) -> None:
        """Move the state by such a difference, (2 n,)."""
        _, at = self.given(x, 2 * self.n, "x")
        self.call("tac_state_displace", *self.here(), at, ctypes.byref(self.aside))

    def measured(self, link: Name) -> Result:
        """What an estimator knows of a link on a free root: pose (7,) in the world; velocity, m/s, of its origin and
        gyro, rad/s, in its own axes."""
        made = self.kernel.new("tac_measured")
        made.frame = self.model.frame(link)
        self.call("tac_state_get_measured", *self.here(), ctypes.byref(made))
        return result(self.kernel, "tac_measured", made)

    def set_measured(
        self, link: Name, pose: Reals, velocity: Reals, gyro: Reals, joints: Optional[Reals] = None
    ) -> None:
        """The state from what measured() has, and from positions and rates of joints, (joints, 2)."""
        made = self.kernel.new("tac_measured")
        made.frame, made.pose = self.model.frame(link), made_of(self.kernel, "tac_pose", "pose", pose)
        made.velocity = made_of(self.kernel, "tac_vec3", "velocity", velocity)
        made.gyro = made_of(self.kernel, "tac_vec3", "gyro", gyro)
        rows = np.ascontiguousarray(self.state.joints if joints is None else joints, self.kernel.real)
        if rows.shape != (self.model.raw.joints, 2):
            raise Error(f"joints: an array of {(self.model.raw.joints, 2)} is needed, not {rows.shape}")
        where = rows.ctypes.data_as(ctypes.POINTER(self.kernel.types.ctype("tac_joint_state")))
        self.call("tac_state_set_measured", *self.here(), ctypes.byref(made), where)

    # ----------------------------------------------------------------------------------------------------- derivatives
    def derivative(self, parameters: Sequence[Tuple[str, Name]] = (), smoothing: float = 0.0) -> Tuple[Any, ...]:
        """(A, B): of the next step, under the present input, d x+ / d x and d x+ / d u. x is (displacement, velocity),
        2 n numbers; u the efforts of joints. With parameters of the model, as ("friction", 0) or ("mass", "bob") for
        what fit() knows, also P, (2 n, parameters), each column in the unit of its parameter. smoothing, m/s: contacts
        that are open count too. What is exact, and what is not, is at tac_derivative() in tactus.h."""
        n, roots = self.n, sum(at.velocity != self.kernel["NONE"] for at in self.map.body)
        efforts = n - 6 * roots
        (a, at_a), (b, at_b) = self.numbers(2 * n, 2 * n), self.numbers(2 * n, max(efforts, 1))
        found = self.kernel.new("tac_step_derivative")
        found.A, found.B = at_a, at_b
        found.room.x, found.room.u = 2 * n, efforts
        p, found.P = self.numbers(2 * n, max(len(parameters), 1))
        asked = (self.kernel.types.ctype("tac_parameter") * max(len(parameters), 1))()
        for one, (kind, of) in zip(asked, parameters):
            one.kind, one.index = self.model.parameter(kind, of)
        found.parameter, found.parameters = asked, len(parameters)
        found.smoothing = real(self.kernel, "smoothing", smoothing)
        lcp = self.options("lcp")
        status = self.kernel.c.tac_derivative(
            *self.here(), ctypes.byref(self.input), ctypes.byref(self.aside), ctypes.byref(lcp), ctypes.byref(found)
        )
        self.kernel.check(status, self.aside.report.fault, self.model.raw, self.state.raw, self.input, "derivative")
        return (a, b[:, :efforts], p) if parameters else (a, b[:, :efforts])
