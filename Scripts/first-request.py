#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the README's first program against a service on this machine, and compares the output with the README.

The README's code is `Examples/ClientCheck/Sources/FirstRequest` (Scripts/lint-snippets.py compares them), and its
sentence "The program prints `...`" is the expected output.

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
# A few members of api.github.com's response, in its form.
PATH = "/repos/apple/swift-nio"
REPOSITORY = {"id": 1, "name": "swift-nio", "full_name": "apple/swift-nio", "private": False, "language": "Swift"}


class Service(http.server.BaseHTTPRequestHandler):
    paths = []

    def do_GET(self):
        Service.paths.append(self.path)
        isKnown = self.path == PATH
        body = json.dumps(REPOSITORY if isKnown else {"message": "Not Found"}).encode()
        self.send_response(200 if isKnown else 404)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    expected = re.search(r"The program prints `([^`]+)`", README.read_text("utf-8"))
    if not expected:
        sys.exit("first-request: README.md has no sentence \"The program prints `...`\"")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    run = subprocess.run([sys.argv[1], url], capture_output=True, text=True, timeout=60)
    server.shutdown()
    if run.returncode or run.stdout != f"{expected[1]}\n" or Service.paths != [PATH]:
        sys.exit(f"first-request: exit {run.returncode}, requests {Service.paths}, output {run.stdout!r} {run.stderr!r}")
    print(f"first-request: the README's program prints {expected[1]!r}")


if __name__ == "__main__":
    main()
