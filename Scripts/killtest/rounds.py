#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rounds of Scripts/killtest.sh: downloads that are killed and gone on with, ours and others'."""

import argparse
import collections
import hashlib
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from loopback_nginx import LoopbackNginx  # noqa: E402

SECONDS = 1.0  # about how long a transfer takes
MOST_KILLS = 4
PATIENCE = 120


class Server(LoopbackNginx):
    """nginx with one file, at a rate that lets kills land in the middle, over one connection or six."""

    def __init__(self, folder, size):
        rate = int(size / SECONDS / 1024)
        super().__init__(folder, {"1": f"{rate}k", "6": f"{rate // 6}k"}, options="sendfile_max_chunk 256k;")

    def put(self, version):
        """Puts a version in place, in one step, as a careful deployment does."""
        draft = self.root / "new"
        draft.unlink(missing_ok=True)
        os.link(version, draft)
        os.replace(draft, self.root / "file.bin")
        # A hard link to the same file is no replacement for rename(2).
        draft.unlink(missing_ok=True)


def make_versions(folder, size):
    """Two files of the same length and their digests; their times differ, and so do nginx's entity tags."""
    versions = []
    for number in range(2):
        path = folder / f"version{number}"
        generator = random.Random(number)
        with open(path, "wb") as file:
            for _ in range(size >> 20):
                file.write(generator.randbytes(1 << 20))
        when = 1_700_000_000 + number * 1000
        os.utime(path, (when, when))
        versions.append((path, digest(path)))
    return versions


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def arguments(tool, connections, url, target, command):
    if tool == "cumulus":
        return [command, "download", url, "-o", str(target), "-c", "-x", str(connections)]
    if tool == "aria2c":
        return [
            "aria2c", "-q", "-c", "-d", str(target.parent), "-o", target.name, f"-x{connections}", f"-s{connections}",
            "-k1M", "--auto-file-renaming=false", "--allow-overwrite=false", url,
        ]
    return ["curl", "-sS", "-C", "-", "-o", str(target), url]


def attempt(words, server, versions, kill_after, change_after):
    """Runs one try; returns its exit code, or None where it was killed. Changes the file in the middle if told."""
    started = time.monotonic()
    # Without this machine's authorities, which a debug build would read for longer than until the first kill.
    own = {name: value for name, value in os.environ.items() if name not in ("SSL_CERT_FILE", "SSL_CERT_DIR")}
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=own)
    try:
        for after, act in sorted(
            [(t, a) for t, a in ((change_after, "change"), (kill_after, "kill")) if t is not None]
        ):
            try:
                process.wait(max(0, started + after - time.monotonic()))
                break
            except subprocess.TimeoutExpired:
                if act == "kill":
                    process.kill()
                    process.wait()
                    return None, ""
                server.put(versions[1][0])
        _, errors = process.communicate(timeout=PATIENCE)
        return process.returncode, errors.decode(errors="replace").strip()
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return -1, "it hung"


def play(tool, connections, case, server, versions, folder, command, chance):
    """One round; returns how it ended, how often it was killed, and a remark."""
    for left in folder.iterdir():
        left.unlink()
    target = folder / "file.bin"
    words = arguments(tool, connections, server.url(connections, "file.bin"), target, command)
    server.put(versions[0][0])
    kills = 0
    wanted = chance.randint(1, MOST_KILLS)
    change_at = chance.randint(1, wanted) if case != "stays" else None
    while True:
        if case == "between" and change_at == kills:
            server.put(versions[1][0])
        kill_after = chance.uniform(0.02, SECONDS * 0.8) if kills < wanted else None
        change_after = chance.uniform(0.02, SECONDS * 0.8) if case == "during" and change_at == kills + 1 else None
        code, errors = attempt(words, server, versions, kill_after, change_after)
        if code is None:
            kills += 1
            continue
        break
    if code != 0:
        return "refused", kills, f"exit {code}: {errors[-300:]}"
    found = digest(target) if target.exists() else "nothing"
    if found not in {one[1] for one in versions}:
        return "WRONG", kills, f"{target.stat().st_size if target.exists() else 0} bytes, sha256 {found[:16]}"
    left = sorted(path.name for path in folder.iterdir() if path != target)
    return "right", kills, f"left behind: {left}" if left else ""


def version(words):
    try:
        result = subprocess.run(words, capture_output=True, text=True, check=False)
        return (result.stdout or result.stderr).split("\n")[0]
    except OSError:
        return ""


def main():
    parser = argparse.ArgumentParser(prog="Scripts/killtest.sh")
    parser.add_argument("rounds", nargs="?", type=int, default=10)
    parser.add_argument("--ours", action="store_true")
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--command", required=True)
    parser.add_argument("--home", required=True)
    options = parser.parse_args()
    tools = [("cumulus", 1), ("cumulus", 6)]
    if not options.ours:
        tools += [("aria2c", 1), ("aria2c", 6)] if shutil.which("aria2c") else []
        tools += [("curl", 1)] if shutil.which("curl") else []
    chance = random.Random(options.seed)
    counts = collections.defaultdict(collections.Counter)
    remarks = []
    with tempfile.TemporaryDirectory(dir=options.home) as name:
        folder = pathlib.Path(name).resolve()
        (folder / "out").mkdir()
        versions = make_versions(folder, options.size << 20)
        server = Server(folder, options.size << 20)
        started = time.monotonic()
        try:
            for number in range(options.rounds):
                for tool, connections in tools:
                    for case in ("stays", "between", "during"):
                        ended, kills, remark = play(
                            tool, connections, case, server, versions, folder / "out", options.command, chance
                        )
                        counts[tool, connections, case].update({"rounds": 1, "kills": kills, ended: 1})
                        if remark and tool == "cumulus":
                            remarks.append(f"{tool} -x {connections}, {case}, round {number + 1}: {ended}: {remark}")
        finally:
            server.stop()
        seconds = time.monotonic() - started
    print(f"{options.size} MiB, seed {options.seed}, {seconds:.0f} s; {version(['nginx', '-v']) or 'nginx'}")
    if not options.ours:
        print("; ".join(filter(None, (version(["aria2c", "--version"]), version(["curl", "--version"])[:12]))))
    print(f"{'':22}{'the file':10}{'rounds':>7}{'kills':>7}{'right':>7}{'refused':>9}{'WRONG':>7}")
    for (tool, connections, case), count in counts.items():
        label = f"{tool} {'-C -' if tool == 'curl' else f'-x {connections}'}"
        cells = [count["rounds"], count["kills"], count["right"], count["refused"], count["WRONG"]]
        print(f"{label:22}{case:10}{cells[0]:>7}{cells[1]:>7}{cells[2]:>7}{cells[3]:>9}{cells[4]:>7}")
    for remark in remarks:
        print(remark)
    ours = [count for (tool, _, _), count in counts.items() if tool == "cumulus"]
    bad = sum(count["WRONG"] + count["refused"] for count in ours)
    print(f"{sum(count['rounds'] for count in ours)} rounds of cumulus, {bad} not right")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
