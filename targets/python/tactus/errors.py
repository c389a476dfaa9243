# SPDX-License-Identifier: MIT
"""errors - what the kernel refuses, as exceptions that carry its fault."""
import ctypes
import operator
from typing import Any, Mapping, NoReturn, Optional


class Error(Exception):
    """Base of all errors of this package."""


class KernelError(Error):
    """A call that the kernel has refused; nothing has changed.

    status   number of TAC_E_*
    name     of the status, "argument" for example
    field    the field that is complained about, "body.mass" for example; "none" if there is no fault
    index    element of the array that the field is in
    reason   what is wrong with it
    """

    def __init__(
        self, text: str, status: int = 0, name: str = "", field: str = "none", index: int = 0, reason: str = ""
    ) -> None:
        super().__init__(text)
        self.status, self.name, self.field, self.index, self.reason = status, name, field, index, reason


def choose(what: str, known: Mapping[str, Any], word: str) -> Any:
    """What a word stands for."""
    if word not in known:
        raise Error(f"{what} '{word}': one of {', '.join(known)}")
    return known[word]


def whole(what: str, value: Any, low: int, high: int) -> int:
    """An integer in its range: C would take it modulo a power of two."""
    try:
        number = operator.index(value)
    except TypeError:
        raise Error(f"{what}: {value!r} is no integer") from None
    if not low <= number <= high:
        raise Error(f"{what}: {number} is not in {low} .. {high}")
    return number


def raise_fault(
    kernel: Any, status: int, fault: Optional[Any], model: Any, state: Any, inputs: Any, what: str
) -> NoReturn:
    name = kernel.c.tac_status_name(status).decode()
    if fault is None or fault.field == 0:
        raise KernelError(f"{what}: {name}" if what else name, status, name)
    text = ctypes.create_string_buffer(512)
    there = [ctypes.byref(x) if x is not None else None for x in (model, state, inputs)]
    kernel.c.tac_fault_text(ctypes.byref(fault), *there, ctypes.cast(text, ctypes.POINTER(ctypes.c_int8)), len(text))
    field = kernel.c.tac_field_name(fault.field).decode()
    reason = kernel.c.tac_reason_name(fault.reason).decode()
    raise KernelError(f"{what + ': ' if what else ''}{text.value.decode()}", status, name, field, fault.index, reason)
