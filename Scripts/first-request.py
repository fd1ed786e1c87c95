#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the README's first program against a service on this machine, and compares the output with the README.

The README's code is `Examples/ClientCheck/Sources/FirstRequest` (Scripts/lint-snippets.py compares them), and the block
after its words "The program prints:" is the expected output. The service lists two releases to a page. It responds to
the first request for the second page with 503.

Usage: Scripts/first-request.py PROGRAM    PROGRAM is the compiled FirstRequest
"""

import http.server
import json
import pathlib
import re
import subprocess
import sys
import threading

README = pathlib.Path(__file__).resolve().parent.parent / "README.md"
# A few members of api.github.com's responses, in their form.
RELEASES = [{"id": number, "name": f"SwiftNIO 2.{number}.0", "draft": False} for number in (9, 8, 7, 6)]
FIRST = "/repos/apple/swift-nio/releases"
SECOND = f"{FIRST}?page=2"
EXPECTED = [FIRST, SECOND, SECOND]


class Service(http.server.BaseHTTPRequestHandler):
    targets = []

    def do_GET(self):
        Service.targets.append(self.path)
        if self.path == FIRST:
            self.reply(200, RELEASES[:2], [("Link", f'<http://{self.headers["Host"]}{SECOND}>; rel="next"')])
        elif self.path != SECOND:
            self.reply(404, {"message": "Not Found"})
        elif Service.targets.count(SECOND) == 1:
            self.reply(503, {"message": "Unavailable"})
        else:
            self.reply(200, RELEASES[2:])

    def reply(self, status, document, fields=()):
        body = json.dumps(document).encode()
        self.send_response(status)
        for name, value in [("Content-Type", "application/json; charset=utf-8"), *fields]:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    expected = re.search(r"The program prints:\n\n```text\n(.+?)```", README.read_text("utf-8"), re.DOTALL)
    if not expected:
        sys.exit('first-request: README.md has no block after "The program prints:"')
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    run = subprocess.run([sys.argv[1], url], capture_output=True, text=True, timeout=60)
    server.shutdown()
    if run.returncode or run.stdout != expected[1] or Service.targets != EXPECTED:
        sys.exit(f"first-request: exit {run.returncode}, {Service.targets}, output {run.stdout!r} {run.stderr!r}")
    print(f"first-request: the README's program prints {expected[1]!r}")


if __name__ == "__main__":
    main()
