# SPDX-License-Identifier: MIT
"""film - pictures of a page: headless Chromium draws them, ffmpeg makes a film of them. Standard library only:
targets/host/film reads it without the package."""
import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time
from typing import Any, Iterator, List, Optional, Tuple

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
OPTIONS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update --disable-sync"
    " --enable-unsafe-swiftshader --hide-scrollbars --remote-debugging-pipe"
).split()
WAIT = 120.0  # s, until the page is there


class FilmError(Exception):
    """What a picture needs is missing, or has failed."""


def find(names: Tuple[str, ...], package: str) -> str:
    for name in names:
        path = shutil.which(name)
        if path is not None:
            return path
    raise FilmError(f"{names[0]} is missing: apt-get install {package}")


class Tab:
    """A page in a browser of its own, spoken to through its debugging pipe."""

    def __init__(self, browser: str) -> None:
        self.profile = tempfile.mkdtemp(prefix="tactus-")
        theirs, ours = zip(*(self._pipe(reads) for reads in (True, False)))
        words = [browser, *OPTIONS, f"--user-data-dir={self.profile}", "about:blank"]
        self.process = subprocess.Popen(  # the browser reads descriptor 3 and writes 4
            ["bash", "-c", f'exec "$@" 3<&{theirs[0]} 4>&{theirs[1]}', "bash", *words],
            pass_fds=theirs, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for descriptor in theirs:
            os.close(descriptor)
        self.to, self.answers = os.fdopen(ours[0], "wb", 0), os.fdopen(ours[1], "rb", 0)
        self.rest, self.asked, self.session = b"", 0, None  # type: bytes, int, Optional[str]

    def open(self, file: str, size: Tuple[int, int]) -> None:
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        self.ask("Page.navigate", url="file://" + os.path.abspath(file))
        self._wait()

    @staticmethod
    def _pipe(reads: bool) -> Tuple[int, int]:
        """Their end and ours, above those descriptors that the browser expects."""
        ends = os.pipe()
        high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in ends]
        for end in ends:
            os.close(end)
        return (high[0], high[1]) if reads else (high[1], high[0])

    def _message(self) -> Any:
        while b"\0" not in self.rest:
            more = self.answers.read(1 << 20)
            if not more:
                raise FilmError("the browser has ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method: str, **arguments: Any) -> Any:
        self.asked += 1
        request = {"id": self.asked, "method": method, "params": arguments}
        if self.session is not None:
            request["sessionId"] = self.session
        self.to.write(json.dumps(request).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self.asked:
                break
        if "error" in answer:
            raise FilmError(f"{method}: {answer['error'].get('message')}")
        return answer["result"]

    def value(self, expression: str) -> Any:
        """What an expression of the page is worth; of a promise, what it becomes."""
        answer = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise FilmError(answer["exceptionDetails"].get("exception", {}).get("description", "the page has failed"))
        return answer["result"].get("value")

    def _wait(self) -> None:
        end = time.monotonic() + WAIT
        while not self.value("document.readyState === 'complete' && window.tactus !== undefined"):
            if time.monotonic() > end:
                raise FilmError("the page does not open")
            time.sleep(0.02)
        said = self.value("window.tactus.ready.then(() => window.tactus.picture()).then(() => window.tactus.said())")
        if said:
            raise FilmError(said)

    def picture(self, at: float) -> bytes:
        """The picture of a time, as PNG."""
        self.value(f"window.tactus.picture({at!r})")
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"])

    def end(self) -> float:
        """s, where a recorded run ends; 0 if the page steps it itself."""
        return self.value("window.tactus.live ? 0 : window.tactus.player.endTime")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.to.close()
        self.answers.close()
        for _ in range(100):  # the browser's other processes write there until they end
            shutil.rmtree(self.profile, ignore_errors=True)
            if not os.path.exists(self.profile):
                break
            time.sleep(0.05)


def times(first: float, last: float, fps: float) -> Iterator[float]:
    for i in range(int((last - first) * fps + 1e-6) + 1):
        yield first + i / fps


def encode(tab: Tab, path: str, moments: List[float], fps: float) -> None:
    words = [find(("ffmpeg",), "ffmpeg"), "-y", "-loglevel", "error", "-f", "image2pipe", "-framerate", str(fps), "-c:v", "png", "-i", "-"]
    words += ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart", path]
    coder = subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert coder.stdin is not None and coder.stderr is not None
    try:
        for at in moments:
            coder.stdin.write(tab.picture(at))
        coder.stdin.close()
    except BrokenPipeError:
        pass
    said = coder.stderr.read().decode().strip()
    if coder.wait() != 0:
        raise FilmError(f"ffmpeg: {said.splitlines()[-1] if said else 'failed'}")


def film(
    text: str, path: str, size: Tuple[int, int] = (960, 540), fps: float = 25.0, first: float = 0.0, last: Optional[float] = None
) -> None:
    """A film (.mp4), or the picture of its last moment (.png), of the page `text`, from `first` to `last` in seconds; None: the
    end of a recorded run, 2 s of one that the page steps."""
    browser = find(BROWSERS, "chromium")
    if not path.endswith(".png"):
        find(("ffmpeg",), "ffmpeg")
    with tempfile.TemporaryDirectory(prefix="tactus-") as folder:
        name = os.path.join(folder, "index.html")
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        tab = Tab(browser)
        try:
            tab.open(name, size)
            to = last if last is not None else tab.end() or first + 2.0
            if to < first:
                raise FilmError(f"it ends at {to:g} s, before {first:g} s")
            if path.endswith(".png"):
                picture = tab.picture(to)
                with open(path, "wb") as image:
                    image.write(picture)
            else:
                encode(tab, path, list(times(first, to, fps)), fps)
        finally:
            tab.close()
