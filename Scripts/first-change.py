#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows FIRST_CHANGE.md: makes its changes, runs its commands, and puts the files back.

A block after `<!-- insert: FILE, after: TEXT -->` is put into the file, behind the first line that has the text. A block of
`sh` is run; after `<!-- fails with: TEXT -->` it must fail, and print the text.

Usage: Scripts/first-change.py [--check]    --check runs nothing, and only looks whether each change has its place
"""

import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "FIRST_CHANGE.md"
BLOCK = re.compile(
    r"(?:<!-- insert: (?P<file>\S+), after: (?P<after>.+?) -->\n|<!-- fails with: (?P<fails>.+?) -->\n)?"
    r"```(?P<language>\w+)\n(?P<code>.*?)```",
    re.DOTALL,
)


def insert(file, after, code, check):
    path = ROOT / file
    lines = path.read_text("utf-8").split("\n")
    place = next((number for number, line in enumerate(lines) if after in line), None)
    if place is None:
        raise SystemExit(f"{PAGE.name}: {file} has no line with {after!r}")
    print(f"-- {file}:{place + 2}")
    if not check:
        path.write_text("\n".join(lines[: place + 1]) + "\n" + code + "\n".join(lines[place + 1 :]), "utf-8")


def run(command, fails):
    print(f"$ {command}", flush=True)
    started = time.monotonic()
    ended = subprocess.run(["bash", "-c", command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in ended.stdout.splitlines()[-5:]:
        print("  " + line[:200])
    print(f"  ({time.monotonic() - started:.0f} s)", flush=True)
    if fails and (ended.returncode == 0 or fails not in ended.stdout):
        raise SystemExit(f"{PAGE.name}: should have failed with {fails!r}: {command}")
    if not fails and ended.returncode != 0:
        print(ended.stdout[-4000:])
        raise SystemExit(f"{PAGE.name}: failed: {command}")


def main():
    check = "--check" in sys.argv
    blocks = list(BLOCK.finditer(PAGE.read_text("utf-8")))
    touched = {block["file"] for block in blocks if block["file"]}
    touched |= {str(path.relative_to(ROOT)) for path in (ROOT / "API").glob("*.txt")}
    before = {file: (ROOT / file).read_bytes() for file in touched}
    try:
        for block in blocks:
            if block["file"]:
                insert(block["file"], block["after"], block["code"], check)
            elif not check:
                for command in block["code"].strip().split("\n"):
                    run(command, block["fails"])
    finally:
        for file, content in before.items():
            if (ROOT / file).read_bytes() != content:
                (ROOT / file).write_bytes(content)
    print("each change has its place" if check else "followed to the end; the files are as they were")


if __name__ == "__main__":
    main()
