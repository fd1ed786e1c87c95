#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clients against a server that fails by chance, and by the same chance for each of them.

    compare_faults.py --cumulus PROGRAM [--cumulus-version V] [--go PROGRAM] [--python PYTHON] [--curl]
                      [--count N] [--in-flight N] [--seed N] [--json]

Of ten calls six are GETs, one is a PUT, one a DELETE and two are POSTs without an Idempotency-Key. What becomes of a
request is settled by the seed, the number of its call, and how often that came: of a hundred 30 are answered with 500,
502, 503 or 429, 5 with half of their body, and 5 connections are reset once the request is there. The table says how
many calls succeeded, how many requests more than calls reached the server, and how many POSTs it may have run twice:
those that came again after anything but 429, with which a server says that it has not run a request.
`Scripts/benchmark.sh faults` builds the programs and calls this.
"""

import argparse
import asyncio
import collections
import datetime
import hashlib
import json
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading

METHODS = ["GET", "GET", "GET", "GET", "GET", "GET", "PUT", "DELETE", "POST", "POST"]
BODY = b"x" * 100
STATUSES = [b"500 Internal Server Error", b"502 Bad Gateway", b"503 Service Unavailable", b"429 Too Many Requests"]
# The peers in Python: their programs, packages, and settings. `Retry()` and `Retry(3)` are the defaults.
LISTED = "status_forcelist=[429, 500, 502, 503, 504]"
PYTHON = [
    ("httpx_faults.py", ["httpx"], "retries=2"),
    ("httpx_faults.py", ["httpx", "httpx-retries"], f"Retry(total=2, {LISTED})"),
    ("httpx_faults.py", ["httpx", "httpx-retries"], "Retry()"),
    ("urllib3_faults.py", ["urllib3"], f"Retry(2, {LISTED})"),
    ("urllib3_faults.py", ["urllib3"], "Retry(3)"),
]
PEERS = pathlib.Path(__file__).resolve().parent / "Peers"


class Server:
    """Answers on a port of its own, in a thread of its own, and counts what arrives."""

    def __init__(self, seed):
        self.seed = seed
        self.arrivals = collections.Counter()
        # Whether a server might have run a call's earlier requests, and the calls that came again even so.
        self.maybe_run = set()
        self.repeated = set()
        self.began = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve()), daemon=True).start()
        self.began.wait()

    async def serve(self):
        server = await asyncio.start_server(self.connection, "127.0.0.1", 0, backlog=1024)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/x"
        self.began.set()
        await server.serve_forever()

    async def connection(self, reader, writer):
        try:
            while await self.exchange(reader, writer):
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def exchange(self, reader, writer):
        """Answers one request; False where the connection ends."""
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)\ncontent-length: *(\d+)", head)
        if length:
            await reader.readexactly(int(length[1]))
        number = int(re.search(rb"(?i)\nx-call: *(\d+)", head)[1])
        self.arrivals[number] += 1
        chance, status = self.chance(number, self.arrivals[number])
        if number in self.maybe_run:
            self.repeated.add(number)
        if chance >= 30 or not STATUSES[status].startswith(b"429"):
            self.maybe_run.add(number)
        if chance < 30:
            writer.write(b"HTTP/1.1 %s\r\nContent-Length: 4\r\n\r\nbusy" % STATUSES[status])
        elif chance < 35:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + BODY[:50])
            return False
        elif chance < 40:
            # A linger time of nothing makes the close a reset.
            one = writer.get_extra_info("socket")
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return False
        else:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + BODY)
        return True

    def chance(self, number, arrival):
        digest = hashlib.sha256(f"{self.seed} {number} {arrival}".encode()).digest()
        return int.from_bytes(digest[:4], "big") % 100, digest[4] % len(STATUSES)


def program(*command):
    """Runs a client that prints its outcome as JSON."""
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def curl(url, count, in_flight, *options):
    """So many processes of curl at once, each with its part of the calls, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for first in range(in_flight):
            file = pathlib.Path(folder) / str(first)
            parts = []
            for number in range(first, count, in_flight):
                method = METHODS[number % len(METHODS)]
                lines = [f'url = "{url}"', f'header = "X-Call: {number}"', f'request = "{method}"', "silent"]
                lines += [f'output = "{file}.out"', f'write-out = "{number} %{{http_code}} %{{exitcode}}\\n"']
                lines += ['data = "1"'] if method in ("PUT", "POST") else []
                parts.append("\n".join(lines + list(options)))
            file.write_text("\nnext\n".join(parts))
            command = ["curl", "--disable", "--config", str(file)]
            running.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
        result = {"idempotent": 0, "posts": 0, "failures": {}}
        for process in running:
            for line in process.communicate()[0].splitlines():
                number, status, code = line.split()
                if status == "200" and code == "0":
                    result["posts" if METHODS[int(number) % len(METHODS)] == "POST" else "idempotent"] += 1
        return result


def version(*command):
    found = re.search(r"\d+\.\d+[.\d]*", subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout)
    return found[0] if found else "?"


def python_version(python, package):
    return version(python, "-c", f"import importlib.metadata; print(importlib.metadata.version('{package}'))")


def clients(options):
    """Names and what runs them, given a URL."""
    numbers = [str(options.count), str(options.in_flight)]
    cumulus = f"Cumulus {options.cumulus_version}"
    for setting, policy in (("as it is", "default"), ("no budget", "no-budget"), ("15 attempts, no budget", "patient")):
        yield f"{cumulus}, {setting}", lambda url, policy=policy: program(options.cumulus, url, *numbers, policy)
    if options.go:
        yield f"Go {version(options.go, 'version')} net/http", lambda url: program(options.go, url, *numbers)
    for script, package, setting in PYTHON if options.python else ():
        names = " + ".join(f"{one} {python_version(options.python, one)}" for one in package)
        peer = [options.python, str(PEERS / "python" / script)]
        yield f"{names}, `{setting}`", lambda url, peer=peer, setting=setting: program(*peer, url, *numbers, setting)
    if options.curl:
        name = "curl " + version("curl", "--version")
        yield f"{name}, `--retry 2`", lambda url: curl(url, options.count, options.in_flight, "retry = 2")
        yield f"{name}, `--retry 14 --retry-all-errors`", lambda url: curl(
            url, options.count, options.in_flight, "retry = 14", "retry-delay = 1", "retry-all-errors"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cumulus", required=True)
    parser.add_argument("--cumulus-version", default="unknown")
    parser.add_argument("--go")
    parser.add_argument("--python")
    parser.add_argument("--curl", action="store_true")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    posts = sum(METHODS[number % len(METHODS)] == "POST" for number in range(options.count))
    rows = []
    for name, run in clients(options):
        print(f"{name} ...", file=sys.stderr)
        server = Server(options.seed)
        result = run(server.url)
        twice = sum(1 for number in server.repeated if METHODS[number % 10] == "POST")
        rows.append({"client": name, **result, "requests": server.arrivals.total(), "posts_twice": twice})
    if options.json:
        return print(json.dumps(rows, indent=1))
    print(f"{datetime.date.today()}, {options.count} calls, {options.in_flight} at a time, seed {options.seed}\n")
    print("| client | idempotent calls that succeed | POSTs that succeed | extra requests | POSTs that may have run twice |")
    print("|---|---|---|---|---|")
    for row in rows:
        shares = [100 * row["idempotent"] / (options.count - posts), 100 * row["posts"] / posts]
        extra = 100 * (row["requests"] - options.count) / options.count
        print(f"| {row['client']} | {shares[0]:.2f} % | {shares[1]:.1f} % | {extra:.1f} % | {row['posts_twice']} |")
    for row in rows:
        if row["failures"]:
            told = ", ".join(f"{count} {why}" for why, count in sorted(row["failures"].items()))
            print(f"\n{row['client']}: failures by the reason that the error names: {told}")


if __name__ == "__main__":
    main()
