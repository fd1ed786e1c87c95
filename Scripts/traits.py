#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What programs resolve with each choice of traits, and that one with URLSession alone builds on Linux and works.

Each client is a package of one file that depends on this one. Its list of resolved packages must be the one below,
which README and the guide's page "Installing" give as numbers.

Usage: Scripts/traits.py [--resolve-only]
"""

import argparse
import http.server
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEAST = {"swift-http-types", "swift-log"}
NIO = LEAST | {"swift-atomics", "swift-collections", "swift-nio", "swift-nio-http2", "swift-nio-ssl", "swift-system"}
TELEMETRY = {"swift-distributed-tracing", "swift-metrics"}
LIFECYCLE = {"swift-async-algorithms", "swift-service-lifecycle"}
ALL = NIO | TELEMETRY | LIFECYCLE | {"swift-asn1", "swift-certificates", "swift-crypto", "XMLCoder"}
CLIENTS = [(', traits: ["NIO"]', NIO), (', traits: ["URLSession"]', LEAST), (", traits: []", LEAST), ("", ALL)]
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "app", platforms: [.macOS(.v15)], dependencies: [.package(name: "cumulus", path: "%s"%s)],
    targets: [.executableTarget(name: "app", dependencies: [.product(name: "Cumulus", package: "cumulus")])]
)
"""
PROGRAM = """import Cumulus

print(try await REST[CommandLine.arguments[1]].get().text ?? "")
"""


class Clouds(http.server.BaseHTTPRequestHandler):
    """Says "Clouds" to everybody."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "6")
        self.end_headers()
        self.wfile.write(b"Clouds")

    def log_message(self, *_):
        pass


def run(*command, folder):
    environment = {name: value for name, value in os.environ.items() if name != "CUMULUS_STRICT"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--resolve-only", action="store_true", help="build nothing")
    arguments = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as work:
        for number, (traits, expected) in enumerate(CLIENTS):
            client = pathlib.Path(work, str(number))
            (client / "Sources/app").mkdir(parents=True)
            (client / "Sources/app/main.swift").write_text(PROGRAM)
            (client / "Package.swift").write_text(MANIFEST % (ROOT, traits))
            run("swift", "package", "resolve", folder=client)
            found = {path.name for path in (client / ".build/checkouts").iterdir()}
            print(f"{traits.removeprefix(', ') or 'no traits named'}: {len(found)} packages")
            if found != expected:
                wrong += 1
                print(f"  unexpected: {sorted(found - expected)}, missing: {sorted(expected - found)}")
        if not arguments.resolve_only:
            client = pathlib.Path(work, "1")
            run("swift", "build", folder=client)
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Clouds)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            said = run(".build/debug/app", f"http://127.0.0.1:{server.server_port}/", folder=client)
            print(f"the client with URLSession received: {said}")
            wrong += said != "Clouds"
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
