#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attacks the unfinished files of running downloads, and compares what is reported as complete.

    Scripts/parttest.py [--command FILE] [--rounds N] [--seed NUMBER] [--folder DIR ...]

Each of N rounds (1000 unless told) has a folder of its own and one of these attacks, in random order and at random
moments, with two or three processes: a server that calls its files what a victim's unfinished files are called, before
or during the victim's download, as another process or in the same list; a second download of the victim's; or a process
that puts other files, hard links and symbolic links where the victim's unfinished file is, up to the moment at which it
gets its name. A download that reports success must have its own server's bytes, all of them.

--folder is where the rounds' folders are made; several, as on a file system that folds case, take turns.
"""

import argparse
import collections
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import random
import shutil
import socketserver
import subprocess
import sys
import tempfile
import threading
import time

SIZE = 200_000
PIECES = 8
GOOD = random.Random(1).randbytes(SIZE)
EVIL = random.Random(2).randbytes(SIZE)
TAG = '"v1"'


def part_name(shown, owner):
    """The name of an unfinished file, as PartFileName makes it."""
    return f".{shown}.{hashlib.sha256(owner.encode()).hexdigest()[:32]}.part"


def record(url, inode=0):
    """A record that says that half of the good file is there, received anonymously over the usual route."""
    key = "00" * 16
    source = {"key": key, "user": hmac.new(key.encode(), b"", "sha256").hexdigest()}
    return json.dumps(
        {
            "version": 3 if inode else 1,
            "place": hashlib.sha256(url.encode()).hexdigest(),
            "inode": inode,
            "remote": {"entityTag": TAG, "length": SIZE, "source": source},
            "checksums": [],
            "done": [{"start": 0, "end": SIZE // 2}],
        }
    ).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    names = {}

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        path = self.path.split("?")[0]
        name, body = Handler.names.get(path, (None, GOOD))
        begin, status = 0, 200
        wanted = self.headers.get("Range", "")
        if wanted.startswith("bytes=") and self.headers.get("If-Range", TAG) == TAG and body is GOOD:
            begin, _, end = wanted[6:].partition("-")
            begin, end = int(begin), min(int(end or SIZE - 1), SIZE - 1)
            body, status = body[begin : end + 1], 206
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", TAG)
        self.send_header("Accept-Ranges", "bytes")
        if status == 206:
            self.send_header("Content-Range", f"bytes {begin}-{begin + len(body) - 1}/{SIZE}")
        if name:
            self.send_header("Content-Disposition", f'attachment; filename="{name}"')
        self.end_headers()
        step = max(1, len(body) // PIECES)
        try:
            for start in range(0, len(body), step):
                self.wfile.write(body[start : start + step])
                self.wfile.flush()
                time.sleep(0.004)
        except OSError:
            pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, *arguments):
        """A client that is killed closes its connection."""


class Round:
    def __init__(self, number, options, url, folder):
        self.random = random.Random(options.seed * 1_000_003 + number)
        self.folder, self.command, self.url, self.number = folder, options.command, url, number
        self.target = f"{url}/good/{number}/victim.bin"
        self.is_named = self.random.random() < 0.5
        place = hashlib.sha256(self.target.encode()).hexdigest()
        self.part = part_name(
            "victim.bin", "destination victim.bin" if self.is_named else f"place {place}"
        )
        self.old = "victim.bin.part" if self.is_named else f"victim.bin.{place[:8]}.part"

    def run(self, *arguments):
        return subprocess.Popen(
            [self.command, "download", "-q", *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def victim(self, *arguments):
        name = ["-o", "victim.bin"] if self.is_named else []
        return self.run(*arguments, *name, self.target)

    def evil(self, name, body=EVIL):
        path = f"/evil/{self.number}/{self.random.randrange(1 << 60)}"
        Handler.names[path] = (name, body)
        return self.url + path

    def aimed(self):
        """What an evil server calls its file."""
        name = self.random.choice([self.part, self.part[1:], self.old])
        name += self.random.choice(["", "", ".new", ".json.new"])
        return self.random.choice([name, name, name.upper()])

    # The attacks; each returns the processes whose success is examined, with the bytes that they must have.

    def planted(self):
        for name in (self.part, self.old):
            for ending, body in (("", EVIL), (".json", record(self.target, int(name == self.part)))):
                self.run("--overwrite", self.evil(name + ending, body)).wait()
        return [self.victim("-c")]

    def placed(self):
        """Somebody unpacks an archive with state in it."""
        (self.folder / self.part).write_bytes(EVIL)
        (self.folder / (self.part + ".json")).write_bytes(record(self.target, 2))
        return [self.victim("-c")]

    def together(self, others=1):
        jobs = [lambda: self.victim(self.random.choice(["-c", "--overwrite"]))]
        jobs += [lambda: self.run("--overwrite", self.evil(self.aimed()))] * others
        order = list(range(len(jobs)))
        self.random.shuffle(order)
        started = {}
        for index in order:
            started[index] = jobs[index]()
            time.sleep(self.random.random() * 0.06)
        for index in order:
            if index:
                started[index].wait()
        return [started[0]]

    def three(self):
        return self.together(2)

    def listed(self):
        urls = [self.evil(self.aimed()), self.evil(self.aimed()), self.target]
        self.random.shuffle(urls)
        self.is_named = False
        return [self.run("-c", "--parallel", str(self.random.randrange(1, 4)), *urls)]

    def twice(self):
        """Three processes download the same file."""
        started = []
        for _ in range(3):
            started.append(self.victim("-c"))
            time.sleep(self.random.random() * 0.05)
        return started

    def killed(self):
        """A victim that is killed and goes on, while others take its names."""
        first = self.victim()
        time.sleep(0.03 + self.random.random() * 0.06)
        first.kill()
        self.run("--overwrite", self.evil(self.aimed())).wait()
        return [self.victim("-c")]

    def swapped(self):
        """Files change between any two moments of the victim's."""
        victim = self.victim("-c")
        part = self.folder / self.part
        spare = self.folder / "spare"
        while victim.poll() is None:
            if part.exists() and self.random.random() < 0.3:
                for ending in ("", ".new"):
                    try:
                        self.swap(pathlib.Path(str(part) + ending), spare)
                    except OSError:
                        pass
            time.sleep(self.random.random() * 0.01)
        return [victim]

    def swap(self, part, spare):
        spare.write_bytes(EVIL)
        match self.random.randrange(5):
            case 0:
                os.replace(spare, part)
            case 1:
                os.replace(part, self.folder / "aside")
                os.link(spare, part)
            case 2:
                os.unlink(part)
                os.symlink("spare", part)
            case 3:
                os.link(part, self.folder / f"second-{self.random.randrange(1 << 40)}")
            case 4:
                os.replace(part, self.folder / "aside")
                os.replace(self.folder / "aside", part)

    ATTACKS = ("planted", "placed", "together", "three", "listed", "twice", "killed", "swapped")


def examine(round_, process):
    """Whether a process was right: success with the good bytes, or an error."""
    problem = process.communicate()[1].decode(errors="replace")
    target = round_.folder / "victim.bin"
    if process.returncode < 0:
        return f"killed by signal {-process.returncode}: {problem}"
    if process.returncode:
        return None if problem else "failed without a word"
    if target.is_symlink() or not target.is_file():
        return "reported success without a file"
    return None if target.read_bytes() == GOOD else "FOREIGN BYTES in a reported success"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", default=".build/debug/cumulus")
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", action="append")
    parser.add_argument("--attack", action="append", choices=Round.ATTACKS)
    options = parser.parse_args()
    options.command = str(pathlib.Path(options.command).resolve())
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    homes = [pathlib.Path(tempfile.mkdtemp(prefix="parttest-", dir=folder)) for folder in options.folder or [None]]
    counts, wrong = collections.defaultdict(collections.Counter), 0
    for number in range(options.rounds):
        folder = homes[number % len(homes)] / str(number)
        folder.mkdir()
        attacks = options.attack or Round.ATTACKS
        attack = attacks[number // len(homes) % len(attacks)]
        round_ = Round(number, options, url, folder)
        processes = getattr(round_, attack)()
        for process in processes:
            process.wait()
        for process in processes:
            problem = examine(round_, process)
            counts[attack]["success" if process.returncode == 0 else "an error"] += 1
            if problem:
                counts[attack]["WRONG"] += 1
                wrong += 1
                print(f"round {number} ({attack}, {folder}): {problem}", file=sys.stderr)
        shutil.rmtree(folder)
        Handler.names.clear()
    print(f"{'attack':10} {'success':>8} {'an error':>9} {'wrong':>6}")
    for attack, count in counts.items():
        print(f"{attack:10} {count['success']:8} {count['an error']:9} {count['WRONG']:6}")
    for home in homes:
        shutil.rmtree(home)
    print(f"{options.rounds} rounds: {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
