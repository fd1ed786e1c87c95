#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a clean debug build of a one-file app on Cumulus costs, next to AsyncHTTPClient or older revisions of Cumulus.

The app prints a resource, or a request of the other library. What it needs is fetched first; each build then starts
without a build folder. The apps take turns, so that other load on the machine slows them alike; compare the ratio.
Cumulus is built as the README installs it, with the trait NIO alone, and once with all of its traits.

Usage: Scripts/build-cost.py [--rounds N] [--jobs N] [--against async-http-client] [REVISION ...]
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "app", platforms: [.macOS(.v15)], dependencies: [.package(%(package)s)],
    targets: [.executableTarget(name: "app", dependencies: [.product(name: "%(product)s", package: "%(identity)s")])]
)
"""
PROGRAM = """import Cumulus

print(try Resource("https://api.example.com/users"))
"""
PEER = """import AsyncHTTPClient

print(HTTPClientRequest(url: "https://api.example.com/users"))
"""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout.strip()


class App:
    """A package with one file, and what its builds took."""

    def __init__(self, name, home, manifest, program):
        self.name, self.home = name, home
        (home / "Sources/app").mkdir(parents=True)
        (home / "Package.swift").write_text(MANIFEST % manifest)
        (home / "Sources/app/main.swift").write_text(program)
        run("swift", "package", "--package-path", home, "resolve")
        self.packages = len(json.loads((home / "Package.resolved").read_text())["pins"])
        self.processor, self.clock = [], []

    def build(self, jobs):
        for path in (self.home / ".build").glob("*"):
            if path.name in ("debug", "debug.yaml", "build.db") or path.name.endswith("-gnu") or "apple" in path.name:
                path.unlink() if path.is_symlink() or path.is_file() else shutil.rmtree(path)
        started, before = time.perf_counter(), os.times()
        run("swift", "build", "--package-path", self.home, *(["--jobs", str(jobs)] if jobs else []))
        after = os.times()
        self.clock.append(time.perf_counter() - started)
        self.processor.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )


def revision(folder, name, traits):
    """An app on a revision of Cumulus; with its default traits if none are named."""
    short = run("git", "-C", ROOT, "rev-parse", "--short=8", name)
    package = folder / short / "cumulus"
    if not package.exists():
        run("git", "clone", "--quiet", ROOT, package)
        run("git", "-C", package, "checkout", "--quiet", short)
    has_traits = traits and "traits:" in (package / "Package.swift").read_text()
    path = f'path: "{package}"' + (f", traits: [{traits}]" if has_traits else "")
    label = f"Cumulus {short}" + (f", traits: [{traits}]" if has_traits else "")
    manifest = {"package": path, "product": "Cumulus", "identity": "cumulus"}
    return App(label, folder / short / ("traits" if has_traits else "app"), manifest, PROGRAM)


def peer(folder):
    package = 'url: "https://github.com/swift-server/async-http-client", from: "1.37.0"'
    manifest = {"package": package, "product": "AsyncHTTPClient", "identity": "async-http-client"}
    return App("AsyncHTTPClient", folder / "peer", manifest, PEER)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revisions", nargs="*", metavar="REVISION")
    parser.add_argument("--against", choices=["async-http-client"])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--jobs", type=int)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="build-cost") as name:
        folder = pathlib.Path(name)
        apps = [revision(folder, "HEAD", '"NIO"'), revision(folder, "HEAD", None)]
        apps += [revision(folder, older, '"NIO"') for older in arguments.revisions]
        apps += [peer(folder)] if arguments.against else []
        for number in range(arguments.rounds):
            for app in apps if number % 2 == 0 else reversed(apps):
                app.build(arguments.jobs)
                print(f"{app.name}: {app.processor[-1]:.0f} s of processor time, {app.clock[-1]:.0f} s by the clock",
                      file=sys.stderr, flush=True)
        first = statistics.median(apps[0].processor)
        print("| app on | packages | processor, s | of the first | clock, s |\n|---|---|---|---|---|")
        for app in apps:
            processor = statistics.median(app.processor)
            print(f"| {app.name} | {app.packages} | {processor:.0f} | {processor / first:.2f} "
                  f"| {statistics.median(app.clock):.0f} |")


if __name__ == "__main__":
    main()
