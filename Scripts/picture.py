#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what programs of this repository print: docs/tour.svg and docs/command.svg, which the README shows.

Runs the built `tour` and `cumulus`, the latter on a terminal of its own against a server on this machine, and turns text
and colours into SVG. `swift build` first.

Usage: Scripts/picture.py
"""

import contextlib
import html
import http.server
import os
import pathlib
import pty
import re
import subprocess
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / ".build" / "debug"
SGR = re.compile(r"\x1b\[([0-9;]*)m")
OTHER = re.compile(r"\x1b\[[0-9;?]*[A-Za-ln-z]|\r")
COLORS = {
    31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff", 36: "#76e3ea", 90: "#8b949e",
}  # fmt: skip
COLUMNS, LINE, CHARACTER = 112, 19, 8.43


class Service(http.server.BaseHTTPRequestHandler):
    """One JSON answer, the same each time."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = b'{"id":1,"title":"Clouds are made of water","tags":["rain","fog"],"draft":false}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("ETag", '"7"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass

    def version_string(self):
        return "a-server"

    def date_time_string(self, timestamp=None):
        return "Sun, 22 Nov 2026 10:00:00 GMT"


def spans(line):
    """The line's pieces, each with its colour."""
    color, start = None, 0
    for match in SGR.finditer(line):
        yield line[start : match.start()], color
        for code in (int(number or 0) for number in match[1].split(";")):
            color = COLORS.get(code, None if code in (0, 39) else color)
        start = match.end()
    yield line[start:], color


def draw(title, lines, path):
    height = LINE * len(lines) + 56
    width = round(COLUMNS * CHARACTER) + 32
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{html.escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>',
        '<g fill="#30363d"><circle cx="20" cy="18" r="6"/><circle cx="40" cy="18" r="6"/><circle cx="60" cy="18" r="6"/></g>',
        '<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="14" fill="#e6edf3"'
        ' xml:space="preserve">',
    ]
    for number, line in enumerate(lines):
        pieces = "".join(
            f'<tspan fill="{color}">{html.escape(text)}</tspan>' if color else html.escape(text)
            for text, color in spans(line)
            if text
        )
        out.append(f'<text x="16" y="{LINE * number + 48}">{pieces}</text>')
    path.write_text("\n".join(out + ["</g>", "</svg>", ""]), encoding="utf-8")


def tour():
    """The tour's first chapter, its steps' titles and results coloured."""
    text = subprocess.run([PROGRAMS / "tour"], capture_output=True, text=True, check=True).stdout
    chapter = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:8080", text.split("\n== Values ==")[0]).strip().split("\n")
    lines = [re.sub(r"^(\d+\. .*|== .*)$", "\x1b[36m\\1\x1b[0m", line) for line in chapter]
    lines = [re.sub(r"^(  ->.*)$", "\x1b[32m\\1\x1b[0m", line) for line in lines]
    return ["$ swift run tour"] + lines + ["", text.strip().split("\n")[-1]]


def on_a_terminal(*command):
    """What a program prints to a terminal."""
    controller, terminal = pty.openpty()
    with subprocess.Popen([str(part) for part in command], stdin=terminal, stdout=terminal, stderr=terminal):
        os.close(terminal)
        printed = bytearray()
        # The terminal's end is an error on Linux.
        with contextlib.suppress(OSError):
            while data := os.read(controller, 65_536):
                printed.extend(data)
    os.close(controller)
    return OTHER.sub("", printed.decode()).rstrip("\n").split("\n")


def command():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = f"127.0.0.1:{server.server_port}"
    lines = on_a_terminal(PROGRAMS / "cumulus", "-v", f"{port}/posts/1", "lang==en", "-A", "bearer", "-a", "s3cret")
    server.shutdown()
    shown = "$ cumulus -v :8080/posts/1 lang==en -A bearer -a s3cret"
    return [shown] + [line.replace(port, "localhost:8080") for line in lines]


def main():
    folder = ROOT / "docs"
    folder.mkdir(exist_ok=True)
    draw("The first chapter of the tour", tour(), folder / "tour.svg")
    draw("A request of the command", command(), folder / "command.svg")


if __name__ == "__main__":
    main()
