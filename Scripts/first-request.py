#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows README.md from an empty folder to a first request, and says how long a newcomer reads and types.

Takes the blocks of code below "## Your first request" as they are, in their order: runs those of `sh` in an empty folder that
has this repository as `cumulus`, writes those of `swift` to the file that the sentence before them names, and compares what
the last command prints with the block of `json`. Only the service's URL is replaced: by that of a server on this machine,
which answers with that JSON.

The estimate takes 230 words a minute for reading, and 200 characters a minute for typing. Lines that `swift package init`
has written already, and white space at their beginnings, are not typed. It must be below two minutes.

Usage: Scripts/first-request.py [--check] [--scratch]
    --check      runs nothing: only the estimate
    --scratch    builds in this repository's .build, with the versions of its Package.resolved, so that nothing is compiled twice
"""

import http.server
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADING = "## Your first request"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SERVICE = re.compile(r'"https://api\.example\.com(/[^"]*)"')
WORDS_A_MINUTE, CHARACTERS_A_MINUTE, LIMIT = 230, 200, 120


def steps():
    """The section's blocks: language, code, the file that the sentence before names; and the prose around them."""
    section = (ROOT / "README.md").read_text("utf-8").partition(f"\n{HEADING}\n")[2].partition("\n## ")[0]
    found, prose, end = [], "", 0
    for block in BLOCK.finditer(section):
        before = section[end:block.start()]
        named = re.findall(r"`(\w[\w/.]*\.swift)`", before)
        found.append((block[1], block[2], named[0] if named else None))
        prose += before
        end = block.end()
    return found, prose + section[end:]


class Service:
    """Answers GET of one path with JSON, on loopback."""

    def __init__(self, path, body):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                data = body if self.path == path else b'{"error": "not found"}'
                self.send_response(200 if self.path == path else 404)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *arguments):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_address[1]}{path}"


def run(code, folder, scratch):
    """Runs the commands one after the other; returns the last folder, the output of the last command, and the seconds."""
    output = ""
    started = time.monotonic()
    for line in code.splitlines():
        command = line
        if scratch and line == "swift run":
            shutil.copy(ROOT / "Package.resolved", folder)
            command = f"swift run --scratch-path '{ROOT / '.build'}'"
        print(f"$ {command}", flush=True)
        place = pathlib.Path(tempfile.mkstemp()[1])
        ended = subprocess.run(["bash", "-c", f"{command}\nresult=$?; pwd > '{place}'; exit $result"], cwd=folder,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        folder, output = pathlib.Path(place.read_text().strip()), ended.stdout
        place.unlink()
        if ended.returncode != 0:
            print(ended.stdout[-2000:] + ended.stderr[-4000:])
            raise SystemExit(f"README.md: failed: {line}")
    return folder, output, time.monotonic() - started


def estimate(found, prose, generated):
    """Prints how long the section takes to read and to type; returns the seconds."""
    words = len(re.findall(r"[\w`'./-]*\w[\w`'./-]*", prose))
    typed = 0
    for language, code, _ in found:
        if language in ("sh", "swift"):
            lines = [line.strip() for line in code.splitlines() if line.strip()]
            # Each line ends with the Return key.
            typed += sum(len(line) + 1 for line in lines if language == "sh" or line not in generated)
    seconds = words * 60 / WORDS_A_MINUTE + typed * 60 / CHARACTERS_A_MINUTE
    print(f"{words} words to read and {typed} characters to type: about {seconds:.0f} s "
          f"(at {WORDS_A_MINUTE} words and {CHARACTERS_A_MINUTE} characters a minute), without the build")
    return seconds


def follow(found, folder, scratch):
    """Does what the section says; returns what `swift package init` wrote, and the seconds that the commands took."""
    expected = next(code for language, code, _ in found if language == "json")
    path = next(match[1] for _, code, _ in found for match in [SERVICE.search(code)] if match)
    service = Service(path, expected.strip().encode())
    generated, output, times = set(), "", []
    for language, code, file in found:
        if language == "sh":
            folder, output, seconds = run(code, folder, scratch)
            times.append(seconds)
        elif language == "swift":
            target = folder / file
            if not target.is_file():
                raise SystemExit(f"README.md: {file} is not there to be changed")
            generated |= {line.strip() for line in target.read_text("utf-8").splitlines()}
            target.write_text(SERVICE.sub(f'"{service.url}"', code), "utf-8")
        elif language == "json" and output.strip() != expected.strip():
            raise SystemExit(f"README.md: printed {output.strip()!r}, not {expected.strip()!r}")
    print(output.strip())
    return generated, times


def main():
    found, prose = steps()
    if [language for language, _, _ in found] != ["sh", "swift", "sh", "json"]:
        raise SystemExit(f'README.md: "{HEADING[3:]}" should have blocks of sh, swift, sh and json')
    if "--check" in sys.argv:
        # What `swift package init` writes, of these lines.
        return 0 if estimate(found, prose, {"@main", "struct atlas {", "}"}) < LIMIT else 1
    scratch = "--scratch" in sys.argv
    with tempfile.TemporaryDirectory(prefix="first-request-") as name:
        folder = pathlib.Path(name)
        if scratch:
            # The same path as that of this repository's own build.
            os.symlink(ROOT, folder / "cumulus")
        else:
            subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder / "cumulus")], check=True)
        generated, times = follow(found, folder, scratch)
    seconds = estimate(found, prose, generated)
    print(f"the commands took {sum(times[:-1]):.1f} s, and the build with the request {times[-1]:.0f} s")
    return 0 if seconds < LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
