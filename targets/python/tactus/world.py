# SPDX-License-Identifier: MIT
"""world - a model in motion: its state, the input of the next steps, and what the last step has found.

Arrays are views of the kernel's own memory: no copies, valid as long as their owner lives, and the next step changes
them. Copy what is to be kept."""
import ctypes

import numpy as np

from .dynamics import Dynamics
from .errors import Error
from .model import fill, rows_of
from .prediction import Prediction

MOTORS = {"effort": 0, "pd": 1, "velocity": 2, "position": 3}
WRENCHES = {"world": 0, "body": 1, "velocity": 2}


def view(kernel, owner, struct, field, count):
    """The first `count` elements of an array in a struct, as a numpy array."""
    kind = dict(kernel.about["structs"][struct]["fields"])[field]
    array = getattr(owner, field)
    dtype = kernel.types.dtype(kind[2])
    raw = np.frombuffer(array, np.uint8)  # keeps the owner alive
    item, shape = (dtype.base, dtype.shape) if dtype.subdtype else (dtype, ())
    return raw.view(item).reshape(-1, *shape)[:count]


class State:
    """The state of motion of a model; SI units, world frame.

    pose    (bodies, 7): position of the centre of mass, quaternion (w, x, y, z) of the principal frame
    twist   (bodies, 6): velocity of the centre of mass, angular velocity in the principal frame
    raw     the struct tac_state"""

    def __init__(self, model, raw=None):
        self.model, self.kernel = model, model.kernel
        self.raw = raw if raw is not None else self.kernel.new("tac_state")
        if raw is None:
            self.reset()

    def reset(self):
        """The initial state of the model."""
        kernel, fault = self.kernel, self.kernel.new("tac_fault")
        status = kernel.c.tac_state_init_for(
            ctypes.byref(kernel.layout), ctypes.byref(self.model.raw), ctypes.byref(self.raw), ctypes.byref(fault)
        )
        kernel.check(status, fault, self.model.raw, what="state")

    def copy(self):
        """A snapshot: the same bits."""
        return State(self.model, type(self.raw).from_buffer_copy(self.raw))

    def hash(self):
        """64 bits, equal on every target for equal histories."""
        return self.kernel.c.tac_state_hash(ctypes.byref(self.model.raw), ctypes.byref(self.raw))

    @property
    def time(self):
        """s since the initial state."""
        return self.raw.step * self.model.raw.h

    @property
    def pose(self):
        return view(self.kernel, self.raw, "tac_state", "pose", self.model.raw.bodies)

    @property
    def twist(self):
        return view(self.kernel, self.raw, "tac_state", "twist", self.model.raw.bodies)

    def body_pose(self, body):
        """(position, quaternion) of a body's own frame in the world."""
        pose = self.kernel.c.tac_state_get_pose(
            ctypes.byref(self.model.raw), ctypes.byref(self.raw), self.model.body(body)
        )
        numbers = np.array(rows_of(self.kernel, pose))
        return numbers[:3], numbers[3:]

    def set_body(self, body, position, quaternion=(1.0, 0.0, 0.0, 0.0), velocity=(0.0,) * 3, omega=(0.0,) * 3):
        """Of its own frame; velocity of the centre of mass, omega in the principal frame. This body alone moves: a
        robot is placed by set_coordinates()."""
        pose, twist = self.kernel.new("tac_pose"), self.kernel.new("tac_twist")
        rows_of(self.kernel, pose)[:] = [float(x) for x in (*position, *quaternion)]
        rows_of(self.kernel, twist)[:] = [float(x) for x in (*velocity, *omega)]
        status = self.kernel.c.tac_state_set_body(
            ctypes.byref(self.model.raw), ctypes.byref(self.raw), self.model.body(body), pose, twist
        )
        self.kernel.check(status, what="set_body")

    @property
    def joints(self):
        """(joints, 2): coordinate and rate of each joint, zeros for kinds without a coordinate."""
        found, result = np.zeros((self.model.raw.joints, 2), self.kernel.real), self.kernel.new("tac_joint_state")
        for i in range(self.model.raw.joints):
            status = self.kernel.c.tac_state_get_joint(
                ctypes.byref(self.model.raw), ctypes.byref(self.raw), i, ctypes.byref(result)
            )
            self.kernel.check(status, what="joint")
            found[i] = result.position, result.velocity
        return found

    def set_joints(self, joints):
        """(joints, 2) as in `joints`; free roots stay as they are."""
        rows = np.ascontiguousarray(joints, self.kernel.real)
        if rows.shape != (self.model.raw.joints, 2):
            raise Error(f"joints: an array of {(self.model.raw.joints, 2)} is needed, not {rows.shape}")
        where = rows.ctypes.data_as(ctypes.POINTER(self.kernel.types.ctype("tac_joint_state")))
        status = self.kernel.c.tac_state_set_joints(ctypes.byref(self.model.raw), ctypes.byref(self.raw), where)
        self.kernel.check(status, what="set_joints")

    def energy(self):
        """(kinetic, potential), J."""
        found = (self.kernel.c_real(), self.kernel.c_real())
        self.kernel.c.tac_energy(ctypes.byref(self.model.raw), ctypes.byref(self.raw), *map(ctypes.byref, found))
        return found[0].value, found[1].value

    def pack(self, exact=True):
        """Bytes, the same on every target, that a state of the same model can be unpacked from."""
        size, fault = ctypes.c_uint32(), self.kernel.new("tac_fault")
        form = self.kernel["PACK_EXACT" if exact else "PACK_PLAN"]
        there = (ctypes.byref(self.model.raw), ctypes.byref(self.raw), form)
        pack = self.kernel.c.tac_state_pack
        pack(*there, None, 0, ctypes.byref(size), ctypes.byref(fault))
        data = (ctypes.c_uint8 * size.value)()
        status = pack(*there, data, size.value, ctypes.byref(size), ctypes.byref(fault))
        self.kernel.check(status, fault, self.model.raw, self.raw, what="pack")
        return bytes(data)

    def unpack(self, data):
        """Become the state that pack() has made these bytes of."""
        fault, room = self.kernel.new("tac_fault"), (ctypes.c_uint8 * len(data)).from_buffer_copy(data)
        status = self.kernel.c.tac_state_unpack(
            ctypes.byref(self.model.raw), ctypes.byref(self.raw), room, len(data), ctypes.byref(fault)
        )
        self.kernel.check(status, fault, self.model.raw, self.raw, what="unpack")


class World(Dynamics, Prediction):
    """A model that is stepped.

    state    its State
    input    the struct tac_input; command(), push() and release() fill it; it holds until it is changed
    work     the struct tac_work of the last step
    aside    another one, for questions: their answers do not disturb what the last step has left"""

    def __init__(self, model, state=None):
        self.model, self.kernel = model, model.kernel
        self.state = state if state is not None else State(model)
        self.input, self.work = self.kernel.new("tac_input"), self.kernel.new("tac_work")
        self.aside = self.kernel.new("tac_work")
        self.methods = {}

    # ------------------------------------------------------------------------------------------------------ stepping
    def step(self, steps=1, method="ccp"):
        """Take steps of model.h under the present input.

        method   "ccp" (NST17, tac_step), "lcp" (T03), "implicit" (CBAT07) or "dae" (TCE17, without contacts)
        Returns the flags of all steps together: 0, or a sum of TAC_FULL, TAC_UNCONVERGED, TAC_RELAXED, TAC_SWEPT;
        verdict() has them in words. A refused step raises KernelError, and the state is as before it."""
        advance, more = self.stepper(method)
        here = [ctypes.byref(x) for x in (self.model.raw, self.state.raw, self.input, self.work)] + more
        flags = 0
        for _ in range(steps):
            status = advance(*here)
            if status < 0:
                fault = self.work.report.fault
                self.kernel.check(status, fault, self.model.raw, self.state.raw, self.input, "step")
            flags |= status
        return flags

    def stepper(self, method):
        """The function of a method, and what it needs besides."""
        scratch = {"ccp": None, "lcp": "tac_lcp", "implicit": "tac_ncp", "dae": "tac_dae"}
        if method not in scratch:
            raise Error(f"method '{method}': one of {', '.join(scratch)}")
        if scratch[method] is None:
            return self.kernel.c.tac_step, []
        return getattr(self.kernel.c, f"tac_step_{method}"), [ctypes.byref(self.scratch(scratch[method]))]

    def scratch(self, name):
        """An object of that struct, with its defaults, kept for the next call; its fields are options."""
        if name not in self.methods:
            made = self.kernel.new(name)
            begin = getattr(self.kernel.c, f"{name}_init_for")
            self.kernel.check(begin(ctypes.byref(self.kernel.layout), ctypes.byref(made)), what=name)
            self.methods[name] = made
        return self.methods[name]

    def verdict(self, flags=None):
        """Flags of step() in words; those of the last step unless given."""
        flags = self.work.report.status if flags is None else flags
        names = [self.kernel.c.tac_status_name(1 << k).decode() for k in range(5) if flags >> k & 1]
        return ", ".join(names) or "done"

    def hash(self):
        return self.state.hash()

    @property
    def time(self):
        return self.state.time

    # --------------------------------------------------------------------------------------------------------- input
    def command(self, joint, mode="pd", **fields):
        """A motor's command, until another one for the same joint. mode: "effort", "pd", "velocity" or "position";
        fields: position, velocity, effort, stiffness, damping (tac_motor)."""
        joint = self.model.joint(joint)
        slots = self.input.motor[: self.input.motors]
        slot = next((motor for motor in slots if motor.joint == joint), None)
        if slot is None:
            slot = self.input.motor[self.input.motors]
            self.input.motors += 1
        ctypes.memset(ctypes.byref(slot), 0, ctypes.sizeof(slot))
        slot.joint = joint
        slot.kind = MOTORS[mode] if isinstance(mode, str) else mode
        for name, value in fields.items():
            if not hasattr(slot, name):
                raise Error(f"{name}: a motor has position, velocity, effort, stiffness, damping")
            setattr(slot, name, value)

    def push(self, body, force=(0.0,) * 3, torque=(0.0,) * 3, point=(0.0,) * 3, frame="world"):
        """A force and a torque on a body, until release(). frame "world": point relative to the centre of mass, in the
        world's axes; "body": all in the principal frame; "velocity": the velocity of a kinematic body."""
        if self.input.actions == len(self.input.action):
            raise Error(f"{len(self.input.action)} actions are all that there is room for (TAC_MAX_ACTIONS)")
        action = self.input.action[self.input.actions]
        for name, value in (("linear", force), ("angular", torque), ("point", point)):
            fill(self.kernel, "tac_vec3", action, name, value)
        action.body, action.kind = self.model.body(body), WRENCHES[frame]
        self.input.actions += 1

    def release(self):
        """No actions and no motor commands any more."""
        self.input.actions = self.input.motors = 0

    # ------------------------------------------------------------------------------------------------------- results
    @property
    def report(self):
        """The tac_report of the last step: status, contacts, sweeps, residual, penetration, energies ..."""
        return self.work.report

    @property
    def contacts(self):
        """Those of the last step: a structured array with the fields of tac_contact. contacts["point"] is (n, 3), m;
        ["impulse"] is (n, 3), N s in (n, u, w); ["gap"] is (n,), m."""
        return view(self.kernel, self.work, "tac_work", "contact", self.work.report.contacts)

    @property
    def forces(self):
        """(n, 3), N: force on body b of each contact, world frame, mean over the last step, bounces included."""
        c = self.contacts
        g = (c["impulse"] + c["bounce"]) / self.model.raw.h
        return g[:, :1] * c["n"] + g[:, 1:2] * c["u"] + g[:, 2:] * c["w"]

    @property
    def reactions(self):
        """A structured array with the fields of tac_joint_result: force, torque, effort by source."""
        status = self.kernel.c.tac_reactions(ctypes.byref(self.model.raw), ctypes.byref(self.work))
        self.kernel.check(status, what="reactions")
        return view(self.kernel, self.work, "tac_work", "joint", self.model.raw.joints)

    def body_force(self, body, point=(0.0,) * 3):
        """(force, torque about the point) of all contacts on a body: N and N m, world frame, mean over the step."""
        where, found = self.kernel.new("tac_vec3"), self.kernel.new("tac_wrench")
        rows_of(self.kernel, where)[:] = [float(x) for x in point]
        status = self.kernel.c.tac_body_force(
            ctypes.byref(self.model.raw), ctypes.byref(self.work), self.model.body(body), where, ctypes.byref(found)
        )
        self.kernel.check(status, what="body_force")
        numbers = np.array(rows_of(self.kernel, found))
        return numbers[:3], numbers[3:]
