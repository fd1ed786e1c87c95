# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven over its DevTools pipe, and a server of files on loopback: the standard library is enough."""

import base64
import functools
import http.server
import json
import os
import select
import shutil
import subprocess
import tempfile
import threading
import time


class Server:
    """Serves a folder on a free port of 127.0.0.1: at `/`, and at `/base/` as hosts with a path in front do."""

    def __init__(self, folder):
        class Handler(http.server.SimpleHTTPRequestHandler):
            def translate_path(self, path):
                return super().translate_path(path.removeprefix("/base"))

            def log_message(self, *arguments):
                pass

        handler = functools.partial(Handler, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self):
        self.server.shutdown()


class Browser:
    """One page of a headless Chromium. `messages` has what its console said as errors."""

    def __init__(self, program="chromium"):
        self.profile = tempfile.mkdtemp(prefix="cumulus-browser-")
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def connect():
            # Chromium reads commands from 3 and writes answers to 4.
            first, second = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={self.profile}",
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.input, self.output = ours_in, ours_out
        self.buffer, self.number, self.messages, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """The result of a DevTools method; raises RuntimeError if it fails or takes more than 30 seconds."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data):]
        limit = time.monotonic() + 30
        while True:
            answer = self.receive(limit, method)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def receive(self, limit, method):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.input], [], [], max(0, limit - time.monotonic()))
            chunk = os.read(self.input, 1 << 20) if ready else b""
            if not chunk:
                raise RuntimeError(f"{method}: the browser does not answer")
            self.buffer += chunk
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def note(self, event):
        parameters = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description") or details["text"])
        elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.messages.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")

    def evaluate(self, expression):
        """The value of JavaScript in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']['text']}")
        return result["result"].get("value")

    def wait(self, expression, seconds=15):
        """Waits until the expression is true; says whether it ever was."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            if self.evaluate(expression):
                return True
            time.sleep(0.05)
        return False

    def look(self, width, height, dark=False):
        """Sets the window's size in CSS pixels, a phone's behaviour below 500, and light or dark."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def go(self, url):
        self.messages.clear()
        # Another page in between, so that an address which differs only in its fragment is loaded as well.
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.wait("document.readyState == 'complete'")

    def press(self, key, code=0):
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
