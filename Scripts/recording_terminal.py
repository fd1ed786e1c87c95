# SPDX-License-Identifier: Apache-2.0
"""Runs the command on a terminal against a slow server on this machine: for Scripts/pictures.py.

The first run is interrupted (Ctrl-C) after two seconds, and the second one resumes the download.
"""

import fcntl
import http.server
import os
import pty
import random
import re
import select
import signal
import struct
import tempfile
import termios
import threading
import time

CONTENT = random.Random(5).randbytes(24 << 20)


class SlowServer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        start, end = 0, len(CONTENT)
        requested = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        self.send_response(206 if requested else 200)
        if requested:
            start, end = int(requested[1]), int(requested[2]) + 1 if requested[2] else end
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(CONTENT)}")
        self.send_header("ETag", '"v1"')
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(end - start))
        self.end_headers()
        try:
            for at in range(start, end, 1 << 16):
                self.wfile.write(CONTENT[at : min(at + (1 << 16), end)])
                time.sleep(0.012)
        except OSError:
            pass  # the client has ended

    def log_message(self, *_):
        pass


def run(program, arguments, folder, columns, limit):
    """The output of a program on a terminal; Ctrl-C after the limit in seconds."""
    child, terminal = pty.fork()
    if not child:
        os.chdir(folder)
        os.execve(program, ["cumulus", *arguments], {"HOME": folder, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    output, end = b"", time.monotonic() + limit
    while True:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                piece = os.read(terminal, 1 << 16)
            except OSError:
                break  # Linux reports the end of a terminal so.
            if not piece:
                break
            output += piece
        if time.monotonic() > end:
            os.kill(child, signal.SIGINT)
            end = time.monotonic() + 60
    os.waitpid(child, 0)
    return output.decode("utf-8")


def screen(output):
    """The last progress line, and the lines that stay on the screen."""
    frames = [re.sub(r"\x1b\[[JK]", "", frame) for frame in re.split(r"\r(?!\n)", output)]
    progress = [frame for frame in frames if "%" in frame and "\n" not in frame]
    return "\n".join([*progress[-1:], *frames[-1].replace("\r\n", "\n").split("\n")]).rstrip("\n") + "\n"


def interrupted_download(program, columns):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), SlowServer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    at = f"127.0.0.1:{server.server_address[1]}"
    url, lines = f"http://{at}/big.iso", ""
    with tempfile.TemporaryDirectory() as folder:
        for arguments, limit in [(["download", url], 2.2), (["download", "-c", url], 60)]:
            lines += f"$ cumulus {' '.join(arguments)}\n" + screen(run(program, arguments, folder, columns, limit))
    server.shutdown()
    return lines.replace(at, "127.0.0.1:8080")
