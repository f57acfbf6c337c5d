"""A headless Chromium for tests, driven over its debugging pipe: real clicks, keys and screenshots, no dependency."""

from __future__ import annotations

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars"),
)
PATIENCE = 60.0


def executable() -> str | None:
    """The browser of this machine; None where there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One page of a Chromium of its own."""

    def __init__(self, profile: Path) -> None:
        self._ids = itertools.count(1)
        self._buffer = b""
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()

        def connect() -> None:
            first, second = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self._process = subprocess.Popen(
            [str(executable()), *FLAGS, "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=connect,
            pass_fds=(3, 4),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        targets = self.send("Target.getTargets", session=False)["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        attached = self.send("Target.attachToTarget", session=False, targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        self.requests: list[str] = []
        self.send("Page.enable")
        self.send("Network.enable")

    def close(self) -> None:
        """Ask the browser to go, and make it go."""
        os.close(self._out)
        os.close(self._in)
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def send(self, method: str, session: bool = True, **parameters: object) -> dict:
        """Call one method of the DevTools protocol."""
        number = next(self._ids)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self._receive(deadline)
            if answer.get("method") == "Network.requestWillBeSent":
                self.requests.append(answer["params"]["request"]["url"])
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def _receive(self, deadline: float) -> dict:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self._in, 1 << 20)
            if not chunk:
                raise EOFError("the browser has gone")
            self._buffer += chunk
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def show(self, path: Path, width: int = 1200, height: int = 900, dark: bool = False, anchor: str = "") -> None:
        """Open a file in a window of this size and colour scheme."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.send("Emulation.setEmulatedMedia", media="", features=scheme)
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=path.resolve().as_uri() + anchor)
        deadline = time.monotonic() + PATIENCE
        while self.value("document.readyState + location.protocol") != "completefile:":
            assert time.monotonic() < deadline, "the page does not load"
            time.sleep(0.05)

    def value(self, expression: str) -> object:
        """What an expression gives in the page."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def click(self, selector: str) -> None:
        """A click of the mouse in the middle of an element."""
        x, y = self._middle(selector)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def hover(self, selector: str) -> None:
        """The pointer over an element."""
        x, y = self._middle(selector)
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def _middle(self, selector: str) -> tuple[float, float]:
        quoted = json.dumps(selector)
        script = f"""(() => {{ const e = document.querySelector({quoted}); e.scrollIntoView({{block: "center"}});
            const b = e.getBoundingClientRect();
            return [b.left + Math.min(b.width, 300) / 2, b.top + b.height / 2]; }})()"""
        x, y = self.value(script)
        return x, y

    def press(self, key: str) -> None:
        """One key, down and up."""
        text = key if len(key) == 1 else ""
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "")

    def picture(self, path: Path) -> None:
        """What the window shows, as a PNG."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))

    def pdf(self) -> bytes:
        """The page as it would be printed."""
        return base64.b64decode(self.send("Page.printToPDF", printBackground=True)["data"])
