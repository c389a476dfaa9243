# SPDX-License-Identifier: MIT
"""link - the host's side of the lockstep link (port/link/README.md): a board that runs the same kernel.

    board = tactus.Board("unix:/tmp/uart")
    world = tactus.World(model, board=board)  # the board takes each step too
    world.step(1000)
    assert board.hash() == world.hash()
"""
import binascii
import os
import select
import shlex
import socket
import struct
import subprocess
import time
from typing import Any, Iterable, Iterator, List, Optional

from .errors import Error
from .image import Codec

VERSION, ANY_STEP, ROOM = 10, 2**64 - 1, 234
HELLO, SET_MODEL, SET_INPUT, STEP, GET_REPORT, HASH, SET_PACKED, GET_PACKED = 1, 2, 4, 5, 8, 9, 14, 15
FAILED = 0xFF
ROOM_NAMES = (
    "bodies shapes contacts materials material_pairs actions exclusions polyhedra points faces edges hull_points fields"
    " joints"
).split()
REASONS = (
    "good",
    "another version of the protocol",
    "unknown request",
    "payload too short or too long",
    "number out of range",
    "the state is at another step",
    "part out of order",
    "more elements than there is room for",
    "refused by the kernel",
    "not of the session that the last HELLO opened",
)


# What a kernel without the knob has no room for, by the numbers of port/link/image_room.h.
NO_TABLES = {64: "laws of friction (TAC_FRICTION_LAWS)", 65: "joints that may be switched (TAC_SWITCHES)"}


class LinkError(Error):
    """The line is dead, or the board has refused a request: reason (a number of the page), status of the kernel."""

    def __init__(self, text: str, reason: int = 0, status: int = 0) -> None:
        super().__init__(text)
        self.reason, self.status = reason, status


def encode(data: bytes) -> bytes:
    """COBS, with a delimiter on both sides."""
    out, block = bytearray(b"\0"), bytearray()
    for byte in data + b"\0":
        if byte == 0 or len(block) == 254:
            out.append(len(block) + 1)
            out += block
            block.clear()
        if byte:
            block.append(byte)
    return bytes(out + b"\0")


def decode(data: bytes) -> Optional[bytes]:
    """What is between two delimiters; None if it is no COBS."""
    out, at = bytearray(), 0
    while at < len(data):
        code = data[at]
        if code == 0 or at + code > len(data):
            return None
        out += data[at + 1 : at + code]
        at += code
        if code < 255 and at < len(data):
            out.append(0)
    return bytes(out)


class Line:
    """Bytes to and from a board. endpoint: "unix:PATH", "tcp:HOST:PORT", "udp:HOST:PORT" (a frame in each
    datagram), "exec:COMMAND" (words as a shell splits them) or "tty:DEVICE[,BAUD]"."""

    def __init__(self, endpoint: str) -> None:
        kind, _, rest = endpoint.partition(":")
        self.child: Optional["subprocess.Popen[bytes]"] = None
        self.socket: Optional[socket.socket] = None
        if kind == "exec":
            mine, theirs = socket.socketpair()
            try:  # a session of its own: Ctrl-C in a notebook does not end the firmware
                words, end = shlex.split(rest), theirs.fileno()
                self.child = subprocess.Popen(words, stdin=end, stdout=end, start_new_session=True)
            finally:
                theirs.close()
            self.socket = mine
        elif kind == "unix":
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(rest)
        elif kind == "tcp":
            host, _, port = rest.rpartition(":")
            self.socket = socket.create_connection((host, int(port)))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        elif kind == "udp":
            host, _, port = rest.rpartition(":")
            family, *_, address = socket.getaddrinfo(host, int(port), type=socket.SOCK_DGRAM)[0]
            self.socket = socket.socket(family, socket.SOCK_DGRAM)
            self.socket.connect(address)
        elif kind != "tty":
            kinds = "unix:PATH, tcp:HOST:PORT, udp:HOST:PORT, exec:COMMAND, tty:DEVICE,BAUD"
            raise LinkError(f"'{endpoint}': one of {kinds}")
        self.packets = kind == "udp"
        self.fd = self.socket.fileno() if self.socket else open_tty(rest)

    def write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self.fd, data) :]
        except OSError as gone:
            raise LinkError(f"the line is dead: {gone.strerror}") from None

    def read(self, seconds: float) -> bytes:
        """What has arrived; nothing if nothing does in this time."""
        ready, _, _ = select.select([self.fd], [], [], max(seconds, 0.0))
        if not ready:
            return b""
        try:
            data = os.read(self.fd, 4096)
        except OSError as gone:
            raise LinkError(f"the line is dead: {gone.strerror}") from None
        if not data and not self.packets:
            raise LinkError("the line has been closed")
        return data

    def close(self) -> None:
        if self.socket:
            self.socket.close()
        else:
            os.close(self.fd)
        if self.child:
            self.child.terminate()
            self.child.wait()


def open_tty(text: str) -> int:
    """A serial port: raw bytes, no echo."""
    import termios
    import tty

    device, _, baud = text.partition(",")
    fd = os.open(device, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(fd)
    if baud:
        if not hasattr(termios, f"B{baud}"):
            raise LinkError(f"{device}: no rate of {baud} baud on this machine")
        attributes = termios.tcgetattr(fd)
        attributes[4] = attributes[5] = getattr(termios, f"B{baud}")
        termios.tcsetattr(fd, termios.TCSANOW, attributes)
    return fd


class Board:
    """A session with a firmware. `bits`: precision of its kernel; `room`: its capacities, as HELLO reports them."""

    def __init__(self, endpoint: str, timeout: float = 3.0, retries: int = 4) -> None:
        self.line, self.timeout, self.retries = Line(endpoint), timeout, retries
        self.session = int.from_bytes(os.urandom(4), "little")
        self.sequence, self.unread, self.steps = 0, b"", ANY_STEP
        self.model: Any = None
        self.input: Optional[List[bytes]] = None  # what the board has, if that is known
        try:
            reply = self.request(HELLO)
        except BaseException:
            self.close()
            raise
        self.bits, self.kernel_version = reply[0], tuple(reply[1:3])
        self.room = dict(zip(ROOM_NAMES, struct.unpack_from("<14H", reply, 3)))
        self.model_hash, self.bodies, self.joints = struct.unpack_from("<IHH", reply, 37)
        self.joints &= 0x7FFF  # the other bit: some may be switched
        self.most_steps = struct.unpack_from("<H", reply, len(reply) - 2)[0]

    def __enter__(self) -> "Board":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        self.line.close()

    # ------------------------------------------------------------------------------------------------------- frames
    def request(self, kind: int, payload: bytes = b"", step: int = ANY_STEP) -> bytes:
        """One request and its reply: the same frame again after each timeout, so that it acts once or not at all."""
        self.sequence = self.sequence % 65535 + 1
        frame = struct.pack("<BBHIQ", VERSION, kind, self.sequence, self.session, step) + payload
        frame = encode(frame + struct.pack("<I", binascii.crc32(frame)))
        for _ in range(self.retries + 1):
            self.line.write(frame)
            reply = self.reply(kind)
            if reply is not None:
                return reply
        raise LinkError(f"no reply within {self.timeout:g} s, {self.retries + 1} times")

    def reply(self, kind: int) -> Optional[bytes]:
        until = time.monotonic() + self.timeout
        while True:
            for frame in self.frames(until):
                version, found, sequence, session, step = struct.unpack_from("<BBHIQ", frame)
                if sequence != self.sequence or session != self.session:
                    continue
                if version != VERSION:
                    raise LinkError(f"the firmware speaks version {version} of the link, this is {VERSION}", 1)
                self.steps, payload = step, frame[16:-4]
                if found == FAILED:
                    self.refused(payload)
                if found == kind + 0x80:
                    return payload
            if time.monotonic() >= until:
                return None

    def frames(self, until: float) -> Iterator[bytes]:
        self.unread += self.line.read(until - time.monotonic())
        *whole, self.unread = self.unread.split(b"\0")
        for part in whole:
            frame = decode(part)
            if frame and len(frame) >= 20 and binascii.crc32(frame[:-4]) == struct.unpack("<I", frame[-4:])[0]:
                yield frame

    def refused(self, payload: bytes) -> None:
        reason, status = struct.unpack_from("<Bi", payload, 1)
        field, index, why = struct.unpack_from("<3H", payload, 6)
        text = REASONS[reason] if reason < len(REASONS) else f"reason {reason}"
        if index in NO_TABLES and reason == 7:
            text += f": {NO_TABLES[index]}"
        elif self.model is not None and field:
            kernel = self.model.kernel
            about = kernel.c.tac_field_name(field).decode(), kernel.c.tac_reason_name(why).decode()
            text += f": {about[0]}[{index}] {about[1]}"
        raise LinkError(text, reason, status)

    def send(self, kind: int, elements: Iterable[bytes]) -> None:
        """An object in parts, each of as many whole elements as fit."""
        elements, at = list(elements), 0
        while at < len(elements):
            part, end = b"", at
            while end < len(elements) and 4 + len(part) + len(elements[end]) <= ROOM:
                part, end = part + elements[end], end + 1
            self.request(kind, struct.pack("<I", at) + part)
            at = end

    # ------------------------------------------------------------------------------------------------------ requests
    def set_model(self, model: Any) -> Any:
        """The board gets the model in its own precision, and its initial state. Returns that model, whose hash is the
        board's."""
        self.model = model if model.kernel.real.itemsize * 8 == self.bits else model.in_bits(self.bits)
        self.input = None
        self.send(SET_MODEL, Codec(self.model.kernel, self.bits).elements(self.model.as_dict()))
        return self.model

    def set_input(self, world: Any) -> None:
        """What acts in the next steps, as the world has it: wrenches and motors. Sent if the board has another."""
        real, given = "f" if self.bits == 32 else "d", world.input
        head = struct.pack("<H", given.actions | (0x8000 if given.motors else 0))
        elements = [head + (struct.pack("<H", given.motors) if given.motors else b"")]
        for a in given.action[: given.actions]:
            vectors = [part for v in (a.linear, a.angular, a.point) for part in (v.x, v.y, v.z)]
            elements.append(struct.pack(f"<9{real}2H", *vectors, a.body, a.kind))
        for m in given.motor[: given.motors]:
            numbers = (m.position, m.velocity, m.effort, m.stiffness, m.damping)
            elements.append(struct.pack(f"<5{real}2H", *numbers, m.joint, m.kind))
        if elements != self.input:
            self.input = None
            self.send(SET_INPUT, elements)
            self.input = elements

    def step(self, steps: int = 1) -> Optional[int]:
        """So many steps, each taken once. Returns the trace of the last request: a hash over those of its states."""
        trace = None
        while steps > 0:
            asked = min(steps, self.most_steps)
            reply = self.request(STEP, struct.pack("<H", asked), self.steps)
            status, taken = struct.unpack_from("<i", reply)[0], struct.unpack_from("<H", reply, 10)[0]
            if status < 0:
                raise LinkError(f"step {self.steps}: refused by the kernel, status {status}", 8, status)
            steps, trace = steps - taken, struct.unpack_from("<Q", reply, 38)[0]
        return trace

    def hash(self) -> int:
        """Of the board's state, as World.hash()."""
        return struct.unpack_from("<Q", self.request(HASH))[0]

    def set_state(self, state: Any) -> None:
        """A state of the model that the board has."""
        data, at = state.pack(), 0
        while at < len(data):
            part = data[at : at + ROOM - 8]
            self.request(SET_PACKED, struct.pack("<II", len(data), at) + part)
            at += len(part)

    def state(self) -> Any:
        """The board's state, as a State of the model that it was given."""
        if self.model is None:
            raise LinkError("set_model() first: a state is one of a model")
        from .world import State

        data, size, step = b"", 1, ANY_STEP
        while len(data) < size:
            reply = self.request(GET_PACKED, struct.pack("<BI", 0, len(data)), step)
            size, step = struct.unpack_from("<I", reply)[0], self.steps
            data += reply[8:]
        found = State(self.model)
        found.unpack(data)
        return found
