# SPDX-License-Identifier: MIT
"""dynamics - what a controller asks of the model of its robot: M(q) ddq + h(q, dq) = effort, Jacobians, derivatives.

n is the number of velocities, in the order that tactus.h states (Dynamics): six of each free root (velocity of its
centre of mass in the world, angular velocity in its principal frame), then those of the joints in their order."""
import ctypes

import numpy as np

from .errors import Error
from .model import rows_of


class Dynamics:
    """Of World: its model at its present state."""

    def call(self, name, *arguments):
        status = getattr(self.kernel.c, name)(*arguments)
        return self.kernel.check(status, what=name)

    def here(self):
        return ctypes.byref(self.model.raw), ctypes.byref(self.state.raw)

    def numbers(self, *shape):
        """Zeros, and where they are."""
        made = np.zeros(shape, self.kernel.real)
        return made, made.ctypes.data_as(ctypes.POINTER(self.kernel.c_real))

    def given(self, values, count, what):
        """An argument of `count` numbers."""
        made = np.ascontiguousarray(values, self.kernel.real)
        if made.shape != (count,):
            raise Error(f"{what}: {count} numbers are needed, not an array of {made.shape}")
        return made, made.ctypes.data_as(ctypes.POINTER(self.kernel.c_real))

    # --------------------------------------------------------------------------------------------------- coordinates
    @property
    def map(self):
        """The tac_coordinates of the model: positions, velocities, where those of each body and joint begin."""
        if "map" not in self.methods:
            made = self.kernel.new("tac_coordinates")
            self.call(
                "tac_model_get_coordinates", ctypes.byref(self.model.raw), ctypes.byref(self.aside), ctypes.byref(made)
            )
            self.methods["map"] = made
        return self.methods["map"]

    @property
    def n(self):
        """Number of velocities."""
        return self.map.velocities

    def coordinates(self):
        """(q, dq): arrays of map.positions and n numbers."""
        (q, at_q), (dq, at_dq) = self.numbers(self.map.positions), self.numbers(self.n)
        self.call("tac_state_get_coordinates", *self.here(), ctypes.byref(self.aside), at_q, at_dq)
        return q, dq

    def set_coordinates(self, q, dq=None):
        """Places all bodies; dq: at rest unless given."""
        q, at_q = self.given(q, self.map.positions, "q")
        dq, at_dq = self.given(np.zeros(self.n) if dq is None else dq, self.n, "dq")
        self.call("tac_state_set_coordinates", *self.here(), at_q, at_dq, ctypes.byref(self.aside))

    # ------------------------------------------------------------------------------------------------------ dynamics
    def vector(self, name):
        made, where = self.numbers(self.n)
        self.call(name, *self.here(), ctypes.byref(self.aside), where)
        return made

    def mass_matrix(self):
        """M, (n, n)."""
        made, where = self.numbers(self.n, self.n)
        self.call("tac_mass_matrix", *self.here(), ctypes.byref(self.aside), where)
        return made

    def bias(self):
        """h, (n,): efforts without acceleration, gravity included."""
        return self.vector("tac_bias")

    def gravity_effort(self):
        """(n,): efforts that hold the mechanism at rest."""
        return self.vector("tac_gravity_effort")

    def inverse_dynamics(self, acceleration):
        """effort (n,) of ddq (n,)."""
        _, at = self.given(acceleration, self.n, "acceleration")
        made, where = self.numbers(self.n)
        self.call("tac_inverse_dynamics", *self.here(), at, ctypes.byref(self.aside), where)
        return made

    def forward_dynamics(self, effort):
        """ddq (n,) of effort (n,); contacts are not part of it."""
        _, at = self.given(effort, self.n, "effort")
        made, where = self.numbers(self.n)
        self.call("tac_forward_dynamics", *self.here(), at, ctypes.byref(self.aside), where)
        return made

    def jacobian(self, body, point=(0.0,) * 3, axes="world"):
        """(6, n): velocity of a point of a body, and its angular velocity. point: m, in the body's own frame; axes
        "world" or "body"."""
        where = self.kernel.new("tac_vec3")
        rows_of(self.kernel, where)[:] = [float(x) for x in point]
        made, at = self.numbers(6, self.n)
        body, axes = self.model.body(body), self.kernel["AXES_" + axes.upper()]
        self.call("tac_jacobian", *self.here(), body, where, axes, ctypes.byref(self.aside), at)
        return made

    def frame_pose(self, name):
        """(position, quaternion) of a link, m."""
        frame, pose = self.model.frame(name), self.kernel.new("tac_pose")
        self.call("tac_frame_pose", *self.here(), ctypes.byref(frame), ctypes.byref(pose))
        numbers = np.array(rows_of(self.kernel, pose))
        return numbers[:3], numbers[3:]

    def frame_jacobian(self, name, axes="world"):
        """(6, n): of the origin of a link; axes "world" or "frame"."""
        frame, (made, at) = self.model.frame(name), self.numbers(6, self.n)
        axes = self.kernel["AXES_" + axes.upper()]
        self.call("tac_frame_jacobian", *self.here(), ctypes.byref(frame), axes, ctypes.byref(self.aside), at)
        return made

    def centroid(self):
        """The tac_centroid of all dynamic bodies: mass, centre, velocity, momenta."""
        made = self.kernel.new("tac_centroid")
        self.call(
            "tac_centroidal", *self.here(), self.kernel["NONE"], ctypes.byref(self.aside), ctypes.byref(made), None
        )
        return made

    def derivative(self):
        """(A, B): of the next step, under the present input, d x+ / d x and d x+ / d u. x is (displacement, velocity),
        2 n numbers; u the efforts of joints. What is exact, and what is not, is at tac_derivative() in tactus.h."""
        n, roots = self.n, sum(at.velocity != self.kernel["NONE"] for at in self.map.body)
        efforts = n - 6 * roots
        (a, at_a), (b, at_b) = self.numbers(2 * n, 2 * n), self.numbers(2 * n, max(efforts, 1))
        found = self.kernel.new("tac_step_derivative")
        found.A, found.B = at_a, at_b
        found.room.x, found.room.u = 2 * n, efforts
        lcp = self.scratch("tac_lcp")
        status = self.kernel.c.tac_derivative(
            *self.here(), ctypes.byref(self.input), ctypes.byref(self.aside), ctypes.byref(lcp), ctypes.byref(found)
        )
        self.kernel.check(status, self.aside.report.fault, self.model.raw, self.state.raw, self.input, "derivative")
        return a, b[:, :efforts]
