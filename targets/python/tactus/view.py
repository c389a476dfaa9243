# SPDX-License-Identifier: MIT
"""view - runs in a browser or a notebook: the page of targets/page with a model and its states in it."""
import base64
import html
import os
import tempfile
import webbrowser
from typing import Any, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from .errors import Error
from .film import FilmError, film
from .model import Model
from .page import PageError, page_of
from .world import State

def model_file(model: Model) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        model.save(path)
        with open(path, "rb") as file:
            return file.read()


def run_of(model: Model, name: str, states: Sequence[State]) -> Mapping[str, Any]:
    """A run as the page reads it: the poses of all bodies but the ground, at equal distances in time."""
    times = np.array([state.time for state in states])
    if len(times) < 2 or any(state.model.hash != model.hash for state in states):
        raise Error(f"run {name!r}: two or more states of the model are needed")
    steps = np.diff(times)
    if not steps[0] > 0 or np.abs(steps - steps[0]).max() > 0.5 * model.h:
        raise Error(f"run {name!r}: its states must follow each other at equal distances in time")
    poses = [[np.concatenate(state.body_pose(body)) for body in range(1, model.raw.bodies)] for state in states]
    data = np.array(poses).astype("<f4").tobytes()
    return {"name": name, "h": float(steps[0]), "poses": base64.b64encode(data).decode()}


class View:
    """A page in one file, which runs anywhere. A notebook shows it; open() shows it in a browser; save() keeps it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._kept: List[Any] = []

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.text)}" width="100%" height="560" style="border: 0"></iframe>'

    def save(self, path: Any) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def film(
        self, path: Any, size: Tuple[int, int] = (960, 540), fps: float = 25.0, first: float = 0.0, last: Optional[float] = None
    ) -> None:
        """A film (.mp4; needs ffmpeg) or a picture of its end (.png) by headless Chromium, from `first` to `last`, s."""
        try:
            film(self.text, os.fspath(path), size, fps, first, last)
        except FilmError as error:
            raise Error(str(error)) from None

    def open(self) -> str:
        """Shows it in the browser; returns the file's name. The file is there as long as the process."""
        folder = tempfile.TemporaryDirectory(prefix="tactus-")
        self._kept.append(folder)
        path = os.path.join(folder.name, "index.html")
        self.save(path)
        webbrowser.open("file://" + path)
        return path


def view(model: Model, runs: Optional[Mapping[str, Sequence[State]]] = None, title: str = "", live: bool = False) -> View:
    """The model in a page. runs: at most two, name: states (world.state.copy() every few steps); the second is drawn over
    the first. Without runs, or with live, the page steps the model itself, from its initial state."""
    found = [run_of(model, name, states) for name, states in (runs or {}).items()]
    if len(found) > 2:
        raise Error(f"the page shows two runs at most, not {len(found)}")
    about = {
        "title": title or "Tactus",
        "bits": 8 * np.dtype(model.kernel.real).itemsize,
        "model": base64.b64encode(model_file(model)).decode(),
        "runs": found,
        "live": live or not found,
    }
    try:
        return View(page_of(about))
    except PageError as error:
        raise Error(str(error)) from None
