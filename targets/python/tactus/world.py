# SPDX-License-Identifier: MIT
"""world - a model in motion: its state, the input of the next steps, and what the last step has found.

Arrays are views of the kernel's own memory: no copies, valid as long as their owner lives, and the next step changes
them. Copy what is to be kept."""
import ctypes
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from .dynamics import Dynamics
from .errors import Error, choose, whole
from .kernel import Kernel
from .linear import Linear
from .link import Board
from .model import Model, Name, Reals, made_of, real, rows_of
from .prediction import Prediction
from .queries import Queries, Watch

MOTORS = {"effort": 0, "pd": 1, "velocity": 2, "position": 3}
MOTOR_FIELDS = ("position", "velocity", "effort", "stiffness", "damping")
SWITCHES = {"on": 1, "off": 2, "captured": 4}
WRENCHES = {"world": 0, "body": 1, "velocity": 2}
# A method: its function, the struct that it needs besides, and what sets the defaults of that.
METHODS = {
    "ccp": ("tac_step", None, None),
    "lcp": ("tac_step_lcp", "tac_lcp", "tac_lcp_init_for"),
    "implicit": ("tac_step_implicit", "tac_ncp", "tac_ncp_init_for"),
    "dae": ("tac_step_dae", "tac_dae", "tac_dae_init_for"),
}


def view(kernel: Kernel, owner: Any, struct: str, field: str, count: int) -> Any:
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

    def __init__(self, model: Model, raw: Any = None) -> None:
        self.model, self.kernel = model, model.kernel
        self.raw = raw if raw is not None else self.kernel.new("tac_state")
        if raw is None:
            self.reset()

    def __repr__(self) -> str:
        return f"<State of {self.model.hash:08x} at {self.time:g} s>"

    def __reduce__(self) -> Any:
        return unpacked, (self.model, self.pack())

    def reset(self) -> None:
        """The initial state of the model."""
        kernel, fault = self.kernel, self.kernel.new("tac_fault")
        status = kernel.c.tac_state_init_for(
            ctypes.byref(kernel.layout), ctypes.byref(self.model.raw), ctypes.byref(self.raw), ctypes.byref(fault)
        )
        kernel.check(status, fault, self.model.raw, what="state")

    def copy(self) -> "State":
        """A snapshot: the same bits. It shares the model."""
        return State(self.model, type(self.raw).from_buffer_copy(self.raw))

    def hash(self) -> int:
        """64 bits, equal on every target for equal histories. Raises Error if this thread has lost the arithmetic that
        these rest on."""
        self.kernel.test()
        return int(self.kernel.c.tac_state_hash(ctypes.byref(self.model.raw), ctypes.byref(self.raw)))

    @property
    def time(self) -> float:
        """s since the initial state."""
        return float(self.raw.step * self.model.raw.h)

    @property
    def pose(self) -> Any:
        return view(self.kernel, self.raw, "tac_state", "pose", self.model.raw.bodies)

    @property
    def twist(self) -> Any:
        return view(self.kernel, self.raw, "tac_state", "twist", self.model.raw.bodies)

    def body_pose(self, body: Name) -> Tuple[Any, Any]:
        """(position, quaternion) of a body's own frame in the world."""
        pose = self.kernel.c.tac_state_get_pose(
            ctypes.byref(self.model.raw), ctypes.byref(self.raw), self.model.body(body)
        )
        numbers = np.array(rows_of(self.kernel, pose))
        return numbers[:3], numbers[3:]

    def set_body(
        self,
        body: Name,
        position: Reals,
        quaternion: Reals = (1.0, 0.0, 0.0, 0.0),
        velocity: Reals = (0.0,) * 3,
        omega: Reals = (0.0,) * 3,
    ) -> None:
        """Of its own frame; velocity of the centre of mass, omega in the principal frame. This body alone moves: a
        robot is placed by set_coordinates()."""
        pose = made_of(self.kernel, "tac_pose", "pose", position, quaternion)
        twist = made_of(self.kernel, "tac_twist", "velocity", velocity, omega)
        status = self.kernel.c.tac_state_set_body(
            ctypes.byref(self.model.raw), ctypes.byref(self.raw), self.model.body(body), pose, twist
        )
        self.kernel.check(status, what="set_body")

    @property
    def joints(self) -> Any:
        """(joints, 2): coordinate and rate of each joint, zeros for kinds without a coordinate."""
        found, result = np.zeros((self.model.raw.joints, 2), self.kernel.real), self.kernel.new("tac_joint_state")
        for i in range(self.model.raw.joints):
            status = self.kernel.c.tac_state_get_joint(
                ctypes.byref(self.model.raw), ctypes.byref(self.raw), i, ctypes.byref(result)
            )
            self.kernel.check(status, what="joint")
            found[i] = result.position, result.velocity
        return found

    def set_joints(self, joints: Reals) -> None:
        """(joints, 2) as in `joints`; free roots stay as they are."""
        rows = np.ascontiguousarray(joints, self.kernel.real)
        if rows.shape != (self.model.raw.joints, 2):
            raise Error(f"joints: an array of {(self.model.raw.joints, 2)} is needed, not {rows.shape}")
        where = rows.ctypes.data_as(ctypes.POINTER(self.kernel.types.ctype("tac_joint_state")))
        status = self.kernel.c.tac_state_set_joints(ctypes.byref(self.model.raw), ctypes.byref(self.raw), where)
        self.kernel.check(status, what="set_joints")

    def set_switch(self, joint: Name, how: str) -> None:
        """A joint that may be switched goes "off", or "on" where it holds already, or "captured": a weld, with its bodies
        as they are."""
        if "TAC_SWITCHES" not in self.kernel.constants or not self.kernel["SWITCHES"]:
            raise Error(f"set_switch: no joint of {self.model!r} may be switched")
        status = self.kernel.c.tac_state_set_switch(
            ctypes.byref(self.model.raw),
            ctypes.byref(self.raw),
            self.model.joint(joint),
            choose("switch", SWITCHES, how),
        )
        self.kernel.check(status, what="set_switch")

    def energy(self) -> Tuple[float, float]:
        """(kinetic, potential), J."""
        found = (self.kernel.c_real(), self.kernel.c_real())
        self.kernel.c.tac_energy(ctypes.byref(self.model.raw), ctypes.byref(self.raw), *map(ctypes.byref, found))
        return found[0].value, found[1].value

    def momentum(self) -> Tuple[Any, Any]:
        """(linear, angular about the world's origin), of all dynamic bodies: (3,) N s and (3,) N m s, world frame."""
        found = (self.kernel.new("tac_vec3"), self.kernel.new("tac_vec3"))
        self.kernel.c.tac_momentum(ctypes.byref(self.model.raw), ctypes.byref(self.raw), *map(ctypes.byref, found))
        return np.array(rows_of(self.kernel, found[0])), np.array(rows_of(self.kernel, found[1]))

    def adopted(self, model: Model) -> "State":
        """This state as one of a model with other numbers: masses, friction, gravity, h ... Bodies, shapes and joints
        must be the same ones; KernelError says which are not."""
        if model.kernel is not self.kernel:
            raise Error(f"{model!r} has a kernel of other capacities or precision than {self.model!r}")
        made, fault = self.copy(), self.kernel.new("tac_fault")
        by = ctypes.byref
        status = self.kernel.c.tac_state_adopt(by(self.model.raw), by(model.raw), by(made.raw), by(fault))
        self.kernel.check(status, fault, model.raw, what="adopted")
        made.model = model
        return made

    def pack(self, exact: bool = True) -> bytes:
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

    def unpack(self, data: bytes) -> None:
        """Become the state that pack() has made these bytes of."""
        fault, room = self.kernel.new("tac_fault"), (ctypes.c_uint8 * len(data)).from_buffer_copy(data)
        status = self.kernel.c.tac_state_unpack(
            ctypes.byref(self.model.raw), ctypes.byref(self.raw), room, len(data), ctypes.byref(fault)
        )
        self.kernel.check(status, fault, self.model.raw, self.raw, what="unpack")


def unpacked(model: Model, data: bytes) -> State:
    state = State(model)
    state.unpack(data)
    return state


def moved(state: State, inputs: bytes) -> "World":
    """A world in that state, under the bytes of its input."""
    world = World(state.model, state)
    if len(inputs) != ctypes.sizeof(world.input):
        raise Error("the input is one of a kernel of other capacities")
    ctypes.memmove(ctypes.byref(world.input), inputs, len(inputs))
    return world


class World(Dynamics, Prediction, Linear, Queries):
    """A model that is stepped.

    state    its State
    input    the struct tac_input; command(), push() and release() fill it; it holds until it is changed
    work     the struct tac_work of the last step
    aside    another one, for questions: their answers do not disturb what the last step has left

    Several threads may step worlds of one model at once, each its own. copy() and pickle keep state and input, to the
    bit; what the last step has found they do not."""

    def __init__(self, model: Model, state: Optional[State] = None, board: Optional[Board] = None) -> None:
        """state: one of this model, which the world then moves; the initial one unless given.
        board: takes each of its steps too, under the same input; the model is then one of the board's precision."""
        model = board.set_model(model) if board is not None else model
        self.model, self.kernel, self.board = model, model.kernel, board
        if state is not None and (state.kernel is not model.kernel or state.raw.model_hash != model.hash):
            raise Error(f"{state!r} is no state of {model!r}")
        self.state = state if state is not None else State(model)
        self.input, self.work = self.kernel.new("tac_input"), self.kernel.new("tac_work")
        self.aside = self.kernel.new("tac_work")
        self.methods: Dict[str, Any] = {}
        self.watches: List[Watch] = []
        if board is not None and state is not None:
            board.set_state(state)

    def __repr__(self) -> str:
        return f"<World at {self.time:g} s of {self.model!r}>"

    def __reduce__(self) -> Any:
        return moved, (self.state, bytes(self.input))

    def copy(self) -> "World":
        """Another world of the same model in the same state, under the same input."""
        return moved(self.state.copy(), bytes(self.input))

    # ------------------------------------------------------------------------------------------------------ stepping
    def step(self, steps: int = 1, method: str = "ccp") -> int:
        """Take steps of model.h under the present input.

        method   "ccp" (NST17, tac_step), "lcp" (T03), "implicit" (CBAT07) or "dae" (TCE17, without contacts)
        Returns the flags of all steps together: 0, or a sum of TAC_FULL, TAC_UNCONVERGED, TAC_RELAXED, TAC_SWEPT;
        verdict() has them in words. A refused step raises KernelError, and the state is as before it."""
        if self.board is not None and method != "ccp":
            raise Error(f"the board steps by ccp, not by {method}")
        steps = whole("steps", steps, 0, 2**32 - 1)
        advance, more = self.stepper(method)
        here = [ctypes.byref(x) for x in (self.model.raw, self.state.raw, self.input, self.work)] + more
        flags = 0
        for _ in range(steps):
            status = advance(*here)
            if status < 0:
                fault = self.work.report.fault
                self.kernel.check(status, fault, self.model.raw, self.state.raw, self.input, "step")
            flags |= status
            for watch in self.watches:
                watch.step()
        if self.board is not None:
            self.board.set_input(self)
            self.board.step(steps)
        return flags

    def watch(self) -> Watch:
        """Events and loads of all further steps (of "ccp")."""
        self.watches.append(Watch(self))
        return self.watches[-1]

    def stepper(self, method: str) -> Tuple[Any, List[Any]]:
        """The function of a method, and what it needs besides."""
        function, scratch, _ = choose("method", METHODS, method)
        return getattr(self.kernel.c, function), [ctypes.byref(self.options(method))] if scratch else []

    def options(self, method: str) -> Any:
        """The struct of "lcp" (tac_lcp), "implicit" (tac_ncp) or "dae" (tac_dae), which holds for all further steps: its
        options, and what the last step has found. world.options("dae").method = world.kernel["DAE_HHT"]"""
        _, scratch, begin = choose("method", METHODS, method)
        if scratch is None:
            raise Error("ccp: its options are those of the model, Builder(tolerance=..., solver=...)")
        if scratch not in self.methods:
            made = self.kernel.new(scratch)
            status = getattr(self.kernel.c, begin)(ctypes.byref(self.kernel.layout), ctypes.byref(made))
            self.kernel.check(status, what=scratch)
            self.methods[scratch] = made
        return self.methods[scratch]

    def verdict(self, flags: Optional[int] = None) -> str:
        """Flags of step() in words; those of the last step unless given."""
        flags = self.work.report.status if flags is None else flags
        names = [self.kernel.c.tac_status_name(1 << k).decode() for k in range(5) if flags >> k & 1]
        return ", ".join(names) or "done"

    def hash(self) -> int:
        """That of the state."""
        return self.state.hash()

    @property
    def time(self) -> float:
        """s since the initial state."""
        return self.state.time

    # --------------------------------------------------------------------------------------------------------- input
    def command(self, joint: Union[Name, Sequence[Name]], mode: str = "pd", **fields: Any) -> None:
        """A motor's command, until another one for the same joint. mode: "effort", "pd", "velocity" or "position";
        fields: position, velocity, effort, stiffness, damping (tac_motor).

        joint    one joint, or several: each field is then a number for all of them, or as many numbers"""
        for name in fields:
            choose("field of a motor", dict.fromkeys(MOTOR_FIELDS), name)
        if isinstance(joint, (str, int, np.integer)):
            self.command_one(joint, mode, fields)
            return
        joints = list(joint)
        try:
            each = {name: np.broadcast_to(np.asarray(value, float), len(joints)) for name, value in fields.items()}
        except ValueError:
            raise Error(f"a field has neither one number nor {len(joints)}, one for each joint") from None
        for i, one in enumerate(joints):
            self.command_one(one, mode, {name: values[i] for name, values in each.items()})

    def command_one(self, joint: Name, mode: str, fields: Dict[str, Any]) -> None:
        joint, kind = self.model.joint(joint), choose("mode", MOTORS, mode)
        numbers = {name: real(self.kernel, name, value) for name, value in fields.items()}
        slots = self.input.motor[: self.input.motors]
        slot = next((motor for motor in slots if motor.joint == joint), None)
        if slot is None:
            slot = self.input.motor[self.input.motors]
            self.input.motors += 1
        ctypes.memset(ctypes.byref(slot), 0, ctypes.sizeof(slot))
        slot.joint, slot.kind = joint, kind
        for name, value in numbers.items():
            setattr(slot, name, value)

    def push(
        self,
        body: Name,
        force: Reals = (0.0,) * 3,
        torque: Reals = (0.0,) * 3,
        point: Reals = (0.0,) * 3,
        frame: str = "world",
    ) -> None:
        """A force and a torque on a body, until release(). frame "world": point relative to the centre of mass, in the
        world's axes; "body": all in the principal frame; "velocity": the velocity of a kinematic body."""
        self.act(self.model.body(body), choose("frame", WRENCHES, frame), force, torque, point)

    def move_surface(
        self, surface: int, linear: Reals = (0.0,) * 3, angular: Reals = (0.0,) * 3, point: Reals = (0.0,) * 3
    ) -> None:
        """Velocity of a surface in place of that of the model, until release(): m/s, rad/s, m, as Builder.surface()."""
        index = whole("surface", surface, 0, getattr(self.model.raw, "surfaces", 0) - 1)
        self.act(index, self.kernel["SURFACE"], linear, angular, point)

    def act(self, body: int, kind: int, *vectors: Reals) -> None:
        if self.input.actions == len(self.input.action):
            raise Error(
                f"{len(self.input.action)} actions are all that there is room for (TAC_MAX_ACTIONS): each acts until release()"
            )
        action = self.input.action[self.input.actions]
        parts = [made_of(self.kernel, "tac_vec3", *p) for p in zip(("force", "torque", "point"), vectors)]
        action.body, action.kind = body, kind
        action.linear, action.angular, action.point = parts
        self.input.actions += 1

    def release(self) -> None:
        """No actions and no motor commands any more."""
        self.input.actions = self.input.motors = 0

    # ------------------------------------------------------------------------------------------------------- results
    @property
    def report(self) -> Any:
        """The tac_report of the last step: status, contacts, sweeps, residual, penetration, energies ..."""
        return self.work.report

    @property
    def contacts(self) -> Any:
        """Those of the last step: a structured array with the fields of tac_contact. contacts["point"] is (n, 3), m;
        ["impulse"] is (n, 3), N s in (n, u, w); ["gap"] is (n,), m."""
        return view(self.kernel, self.work, "tac_work", "contact", self.work.report.contacts)

    @property
    def forces(self) -> Any:
        """(n, 3), N: force on body b of each contact, world frame, mean over the last step, bounces included."""
        c = self.contacts
        g = (c["impulse"] + c["bounce"]) / self.model.raw.h
        return g[:, :1] * c["n"] + g[:, 1:2] * c["u"] + g[:, 2:] * c["w"]

    @property
    def reactions(self) -> Any:
        """A structured array with the fields of tac_joint_result: force, torque, effort by source."""
        status = self.kernel.c.tac_reactions(ctypes.byref(self.model.raw), ctypes.byref(self.work))
        self.kernel.check(status, what="reactions")
        return view(self.kernel, self.work, "tac_work", "joint", self.model.raw.joints)

    def body_force(self, body: Name, point: Reals = (0.0,) * 3) -> Tuple[Any, Any]:
        """(force, torque about the point) of all contacts on a body: N and N m, world frame, mean over the step."""
        return self.wrench(self.kernel.c.tac_body_force, self.model.body(body), point)

    def shape_force(self, shape: int, point: Reals = (0.0,) * 3) -> Tuple[Any, Any]:
        """The same of the contacts of one shape, by its index."""
        return self.wrench(self.kernel.c.tac_shape_force, whole("shape", shape, 0, self.model.raw.shapes - 1), point)

    def wrench(self, ask: Any, index: int, point: Reals) -> Tuple[Any, Any]:
        where, found = made_of(self.kernel, "tac_vec3", "point", point), self.kernel.new("tac_wrench")
        status = ask(ctypes.byref(self.model.raw), ctypes.byref(self.work), index, where, ctypes.byref(found))
        self.kernel.check(status, what="force")
        numbers = np.array(rows_of(self.kernel, found))
        return numbers[:3], numbers[3:]
