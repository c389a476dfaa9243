# SPDX-License-Identifier: MIT
"""queries - what a world is asked about its geometry, its last step and its events."""
import ctypes
from typing import Any, List, Optional, Tuple

import numpy as np

from .dynamics import Asks, Result, result
from .errors import Error, whole
from .model import Name, Reals, made_of, real

EVENTS = ("touch", "open", "slip", "stick", "reach", "leave")


class Queries(Asks):
    """Of World: answers are copies, and disturb neither the state nor what the last step has left. Indices of shapes are
    those of the model; 65535 (TAC_NONE): none."""

    # ------------------------------------------------------------------------------------------------------- geometry
    def cast(
        self,
        origin: Reals,
        direction: Reals,
        distance: float = 1000.0,
        radius: float = 0.0,
        ignore: Optional[Name] = None,
        group: int = 1,
        mask: int = 0xFFFF,
    ) -> Optional[Result]:
        """The first shape that a ray hits within a distance, m, or a ball of that radius; None if there is none. Fields:
        distance, point, n (outward normal), shape, body."""
        ray, hit = self.kernel.new("tac_ray"), self.kernel.new("tac_hit")
        ray.origin = made_of(self.kernel, "tac_vec3", "origin", origin)
        ray.direction = made_of(self.kernel, "tac_vec3", "direction", direction)
        ray.range, ray.radius = real(self.kernel, "distance", distance), real(self.kernel, "radius", radius)
        ray.body = self.kernel["NONE"] if ignore is None else self.model.body(ignore)
        ray.group, ray.mask = whole("group", group, 0, 65535), whole("mask", mask, 0, 65535)
        self.call("tac_cast", *self.here(), ctypes.byref(ray), ctypes.byref(self.aside), ctypes.byref(hit))
        return None if hit.shape == self.kernel["NONE"] else result(self.kernel, "tac_hit", hit)

    def distance(self, a: Name, b: Name) -> Optional[Result]:
        """The closest points of two bodies; None if they have no shapes with a distance. Fields: gap, m, negative when
        they overlap; a and b, points on their surfaces; n, from a to b; shape_a, shape_b."""
        found = self.kernel.new("tac_nearest")
        there = (self.model.body(a), self.model.body(b), ctypes.byref(self.aside), ctypes.byref(found))
        self.call("tac_distance", *self.here(), *there)
        return None if found.shape_a == self.kernel["NONE"] else result(self.kernel, "tac_nearest", found)

    def overlap(
        self,
        kind: str,
        size: Reals,
        at: Reals,
        quaternion: Reals = (1.0, 0.0, 0.0, 0.0),
        margin: float = 0.0,
        ignore: Optional[Name] = None,
    ) -> List[int]:
        """Indices of shapes closer than `margin`, m, to one that need not be in the model: its kind and size as in
        Builder.shape(), where it is in the world."""
        zero = self.kernel.new("tac_vec3")
        name = "TAC_" + kind.upper()
        if name not in self.kernel.constants:
            raise Error(f"{kind}: no kind of shape")
        shape = self.kernel.c.tac_shape_make(self.kernel["NONE"], self.kernel[name], zero)
        shape.body = self.kernel["NONE"] if ignore is None else self.model.body(ignore)
        shape.size = made_of(self.kernel, "tac_vec3", "size", size)
        shape.pose = made_of(self.kernel, "tac_pose", "pose", at, quaternion)
        found = (ctypes.c_uint16 * self.model.raw.shapes)()
        there = (ctypes.byref(shape), margin, ctypes.byref(self.aside), found, len(found))
        return list(found[: self.call("tac_overlap", *self.here(), *there)])

    def touching(self, body: Name, margin: float = 0.0) -> Any:
        """The contacts of a body in the present state, with gaps below `margin`, m: an array as `contacts`, without
        impulses."""
        from .world import view

        self.call("tac_contacts", *self.here(), self.model.body(body), margin, ctypes.byref(self.aside))
        return view(self.kernel, self.aside, "tac_work", "contact", self.aside.report.contacts).copy()

    def time_to_contact(
        self, body: Name, horizon: float, shape: Optional[int] = None, looks: int = 1000, parts: int = 1
    ) -> Result:
        """When does a body, or one shape, first touch what it may collide with, under the present input, within
        `horizon` s? Fields: time, s, until which it touches nothing; point, n, gap; shape and other, 65535 without a
        touch; looks, steps; and `certain`: False if the looks ran out."""
        query, found = self.kernel.new("tac_meeting_query"), self.kernel.new("tac_meeting")
        query.horizon, query.looks = real(self.kernel, "horizon", horizon), whole("looks", looks, 0, 65535)
        query.body = self.model.body(body) if shape is None else self.kernel["NONE"]
        query.shape = whole("shape", shape or 0, 0, 65535)
        query.parts = whole("parts", parts, 0, 65535)
        ahead, by = self.kernel.new("tac_ahead"), ctypes.byref
        there = (by(self.input), by(query), by(self.aside), by(ahead), by(found))
        status = self.call("tac_time_to_contact", *self.here(), *there)
        answer = result(self.kernel, "tac_meeting", found)
        answer.certain = status != self.kernel["UNCONVERGED"]
        return answer

    # -------------------------------------------------------------------------------------------------- the last step
    def certificate(self) -> Result:
        """Errors of the impulses of the last step, law by law: r_eom, r_ncp_primal, r_ncp_dual, r_ncp_compl, signorini,
        dissipation ... (tac_certificate in types.h has units)."""
        made = self.kernel.new("tac_certificate")
        self.call("tac_certify", ctypes.byref(self.model.raw), ctypes.byref(self.work), ctypes.byref(made))
        return result(self.kernel, "tac_certificate", made)

    def least_norm(self, iterations: int = 100) -> bool:
        """Replace impulses of `contacts` by those of least norm, so that equal feet carry equal forces. Returns whether
        that many iterations were enough."""
        work = ctypes.byref(self.work)
        return self.call("tac_least_norm", ctypes.byref(self.model.raw), work, iterations) == self.kernel["OK"]

    def check(self) -> None:
        """Raises KernelError with the first invariant that does not hold: numbers, quaternions, cones, joints."""
        fault = self.kernel.new("tac_fault")
        status = self.kernel.c.tac_check(*self.here(), ctypes.byref(self.work), ctypes.byref(fault))
        refused = -abs(status) if status else 0  # joints that are apart are no refusal elsewhere
        self.kernel.check(refused, fault, self.model.raw, self.state.raw, what="check")

    # ---------------------------------------------------------------------------------------------------- at an instant
    def instant(self) -> Result:
        """Accelerations and forces at the present state and input (T03), without a step. Fields: body, contact and joint,
        structured arrays as in tac_instant; `where`, the contacts that touch, as in `contacts`; impacts, paradoxes; and
        `solved`."""
        from .world import view

        made, lcp = self.kernel.new("tac_instant"), self.options("lcp")
        by = ctypes.byref
        there = (by(self.input), by(self.aside), by(lcp), by(made))
        status = self.kernel.c.tac_accelerations(*self.here(), *there)
        self.kernel.check(status, self.aside.report.fault, self.model.raw, self.state.raw, self.input, what="instant")
        found = result(self.kernel, "tac_instant", made)
        found.body, found.joint = found.body[: self.model.raw.bodies], found.joint[: self.model.raw.joints]
        found.contact = found.contact[: found.contacts]
        found.where = view(self.kernel, self.aside, "tac_work", "contact", found.contacts).copy()
        found.solved = not status & self.kernel["UNCONVERGED"]
        return found

    def qualify(self, within: float = 0.0) -> Result:
        """Constraint qualifications (TCE17) of contacts with gaps up to `within`, m. Fields: contacts; rows, rank;
        pointed: are impulses bounded; independent: are they unique without friction; opens: does a motion open all contacts (MFCQ);
        clearance."""
        made, lcp = self.kernel.new("tac_qualification"), self.options("lcp")
        there = (ctypes.byref(self.aside), ctypes.byref(lcp), ctypes.byref(made))
        self.call("tac_qualify", *self.here(), within, *there)
        return result(self.kernel, "tac_qualification", made)


class Watch:
    """What happens in the steps of a world from now on: World.watch() makes it, and World.step() tells it each step.

    events   structured array with the fields of tac_event and `at`, s since the initial state; kind is an index of
             tactus.EVENTS: touch, open, slip, stick, reach, leave (the last two of limits of joints)
    loads    (shapes,): structured array of impulse (N s), work (J), peak (N), time (s) of each shape; a view"""

    def __init__(self, world: Any) -> None:
        self.world, kernel = world, world.kernel
        self.raw, self.sum, self.taken = (
            kernel.new("tac_events"),
            kernel.new("tac_loads"),
            [],
        )  # type: Any, Any, List[Any]
        self.room = (kernel.types.ctype("tac_event") * (4 * (kernel["MAX_CONTACTS"] + kernel["MAX_JOINTS"])))()
        self.begin()

    def begin(self) -> None:
        """Once more from the present state, as is due after it has been set: what has been is forgotten."""
        self.taken.clear()
        self.clear()
        by, model, kernel = ctypes.byref, self.world.model.raw, self.world.kernel
        there = (by(self.world.state.raw), self.room, len(self.room), by(self.raw))
        kernel.check(kernel.c.tac_events_begin(by(model), *there), what="watch")

    def clear(self) -> None:
        """No loads yet."""
        ctypes.memset(ctypes.byref(self.sum), 0, ctypes.sizeof(self.sum))

    def step(self) -> None:
        """After each step of the world."""
        by, kernel = ctypes.byref, self.world.kernel
        here = (by(self.world.model.raw), by(self.world.state.raw), by(self.world.work))
        kernel.check(kernel.c.tac_events_step(*here, by(self.raw)), what="events")
        kernel.check(kernel.c.tac_loads_step(*here, by(self.sum)), what="loads")
        if self.raw.count:
            self.taken.append(bytes(self.room)[: self.raw.count * ctypes.sizeof(self.room[0])])
            self.raw.count = 0

    @property
    def events(self) -> Any:
        found = np.frombuffer(bytearray(b"".join(self.taken)), self.world.kernel.types.dtype("tac_event"))
        made = np.zeros(len(found), [(name, found.dtype[name]) for name in found.dtype.names] + [("at", float)])
        for name in found.dtype.names:
            made[name] = found[name]
        made["at"] = found["step"] * self.world.model.h + found["time"]
        return made

    @property
    def loads(self) -> Any:
        from .world import view

        return view(self.world.kernel, self.sum, "tac_loads", "shape", self.world.model.raw.shapes)

    def lines(self) -> List[str]:
        """The events as text."""
        model = self.world.model
        return [f"{e['at']:.6f} s  {EVENTS[e['kind']]}  {names(model, e)}" for e in self.events]


def names(model: Any, event: Any) -> str:
    if event["joint"] != model.kernel["NONE"]:
        return f"{model.joints[event['joint']]} {'upper' if event['upper'] else 'lower'} limit"
    pair: Tuple[str, str] = (model.bodies[event["body_a"]], model.bodies[event["body_b"]])
    return " - ".join(pair)
