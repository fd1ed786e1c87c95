#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a clean debug build of an app on Cumulus costs, beside an older revision of this repository.

The app has one file, which prints a resource. What it needs is fetched first; each build then starts without a build
folder. The revisions take turns, so that other load on the machine slows both alike; compare the ratio.

Usage: Scripts/build-cost.py [--rounds N] [--jobs N] REVISION
"""

import argparse
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
    name: "app", platforms: [.macOS(.v15)], dependencies: [.package(path: "../cumulus")],
    targets: [.executableTarget(name: "app", dependencies: [.product(name: "Cumulus", package: "cumulus")])]
)
"""
PROGRAM = """import Cumulus

print(try Resource("https://api.example.com/users"))
"""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout.strip()


class Revision:
    """A revision in a folder of its own, with an app beside it."""

    def __init__(self, folder, name):
        self.name = run("git", "-C", ROOT, "rev-parse", "--short=8", name)
        self.app = folder / self.name / "app"
        package = folder / self.name / "cumulus"
        run("git", "clone", "--quiet", ROOT, package)
        run("git", "-C", package, "checkout", "--quiet", self.name)
        (self.app / "Sources/app").mkdir(parents=True)
        (self.app / "Package.swift").write_text(MANIFEST)
        (self.app / "Sources/app/main.swift").write_text(PROGRAM)
        run("swift", "package", "--package-path", self.app, "resolve")
        core = list((package / "Sources").glob("Cumulus*/**/*.swift"))
        names = ("Cumulus", "CumulusCore", "CumulusNIO")
        self.lines = sum(
            len(path.read_bytes().splitlines()) for path in core
            if path.relative_to(package / "Sources").parts[0] in names
        )
        self.processor, self.clock = [], []

    def build(self, jobs):
        for path in (self.app / ".build").glob("*"):
            if path.name in ("debug", "debug.yaml", "build.db") or path.name.endswith("-gnu") or "apple" in path.name:
                path.unlink() if path.is_symlink() or path.is_file() else shutil.rmtree(path)
        started, before = time.perf_counter(), os.times()
        run("swift", "build", "--package-path", self.app, *(["--jobs", str(jobs)] if jobs else []))
        after = os.times()
        self.clock.append(time.perf_counter() - started)
        self.processor.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--jobs", type=int)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="build-cost") as folder:
        older, now = (Revision(pathlib.Path(folder), name) for name in (arguments.revision, "HEAD"))
        for number in range(arguments.rounds):
            for revision in (older, now) if number % 2 == 0 else (now, older):
                revision.build(arguments.jobs)
                print(f"{revision.name}: {revision.processor[-1]:.0f} s of processor time, "
                      f"{revision.clock[-1]:.0f} s by the clock", file=sys.stderr, flush=True)
        print("| revision | lines of Swift | processor, s | clock, s |\n|---|---|---|---|")
        for one in (older, now):
            print(f"| {one.name} | {one.lines:,} | {statistics.median(one.processor):.0f} "
                  f"| {statistics.median(one.clock):.0f} |")
        print(f"ratio: {statistics.median(now.processor) / statistics.median(older.processor):.2f} of the processor time, "
              f"{statistics.median(now.clock) / statistics.median(older.clock):.2f} by the clock")


if __name__ == "__main__":
    main()
