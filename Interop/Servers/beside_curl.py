#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets curl do what ServerLoad has done, and prints both in one table.

Usage: beside_curl.py FOLDER OURS [--none]

FOLDER is start.py's, OURS what ServerLoad printed; with --none curl isn't run. Exits 1 where requests failed and curl's
did not, or any arrived twice.

curl runs once for each step, so that it has no connection from the step before, and it repeats a request, of whatever
method, whose kept connection died. Where requests failed beside it, curl therefore does this step and the one before
ROUNDS times in one process, and a second line says how many of its requests failed and how many it sent again: a
request that curl would have sent again, although it may have taken effect, isn't counted as our fault.
"""

import pathlib
import re
import subprocess
import sys
import time

ROUNDS = 5
SIZES = [1, 100, 1_000, 4_096, 16_384, 32_768, 65_536, 70_000, 300_000, 1_000_000]


class Curl:
    def __init__(self, folder, url, version, mark):
        self.folder, self.url, self.mark, self.count = folder, url, mark, 0
        self.version = "http2" if version == "2" else "http1.1"

    def body(self, size):
        path = self.folder / f"body-{size}"
        if not path.exists():
            with open(self.folder / "content.bin", "rb") as content:
                path.write_bytes(content.read(size))
        return path

    def request(self, path, *more):
        return [f'url = "{self.url}/{path}"', *more]

    def post(self, size):
        self.count += 1
        return self.request("echo", f'data-binary = "@{self.body(size)}"',
                            f'header = "X-Trial-Number: {self.mark}-{self.count}"', 'header = "Expect:"')

    def upload(self, size):
        self.count += 1
        return self.request("echo", f'upload-file = "{self.folder / "content.bin"}"', 'request = "POST"',
                            f'header = "X-Trial-Number: {self.mark}-{self.count}"')

    def early(self, code, size):
        # curl 7.88 spins after some early responses, until its limit.
        return self.request(f"early/{code}", f'data-binary = "@{self.body(size)}"', 'header = "Expect:"', "max-time = 10")

    def run(self, requests, at_once, fine):
        """How many of the requests failed, the seconds, how many connections were opened, and how many were repeated."""
        common = [self.version, f'cacert = "{self.folder / "ca.pem"}"', "silent", "verbose", 'output = "/dev/null"', "max-time = 60",
                  'write-out = "%{exitcode} %{http_code} %{num_connects}\\n"']
        path = self.folder / "curl.conf"
        path.write_text("\nnext\n".join("\n".join([*common, *request]) for request in requests) + "\n")
        command = ["curl", "-K", str(path)]
        if at_once > 1:
            command[1:1] = ["--parallel", "--parallel-max", str(at_once)]
        start = time.monotonic()
        with open(self.folder / "curl.log", "w+", errors="replace") as log:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=log, text=True)
            log.seek(0)
            repeated = sum(1 for line in log if "retrying a fresh connect" in line)
        lines = [line.split() for line in done.stdout.splitlines()]
        good = sum(1 for code, status, _ in lines if code == "0" and int(status) in fine)
        connects = sum(int(connects) for _, _, connects in lines)
        return len(requests) - good, time.monotonic() - start, connects, repeated


def requests_of(curl, step, count):
    """The requests of a step of ServerLoad by its name, how many at once, and the statuses that are fine for them."""
    kind, size, at_once = re.fullmatch(r"(\D+?)(\d+).*?(\d+) at once", step).groups()
    size, at_once = int(size), int(at_once)
    if kind.startswith("GET") or kind.startswith("download") and "segments" not in step:
        return [curl.request(f"bytes/{size}")] * count, at_once, [200]
    if kind == "POST to ":
        sizes = SIZES if size in SIZES else [size]
        return [curl.post(sizes[index % len(sizes)]) for index in range(count)], at_once, [200]
    if kind.startswith("rounds"):
        return [curl.post(size) for _ in range(count)], at_once, [200]
    if kind.startswith("upload"):
        return [curl.upload(size) for _ in range(count)], at_once, [200]
    if kind.startswith("head"):
        token = "0123456789abcdef" * 3900
        requests = [curl.request("bytes/1000", f'header = "X-Token: {token}"')] * count
        return requests, at_once, [200, 400, 413, 414, 431]
    if kind.startswith("early"):
        length = int(re.search(r" to (\d+),", step)[1])
        # The POST that follows is on the same list; with several at once it may come before the early response.
        requests = [request for _ in range(count) for request in (curl.early(size, length), curl.post(1_000))]
        return requests, at_once, [200, size, 502]
    return None


def during_restarts(curl, step, count, restart):
    """What `run` returns, for POSTs while the server restarts."""
    rounds, at_once = (int(number) for number in re.fullmatch(r"\D+?(\d+).*?(\d+) at once", step).groups())
    failures, repeated, begin = 0, 0, time.monotonic()
    for _ in range(rounds):
        restarting = subprocess.Popen(["/bin/sh", "-c", f"sleep 0.1; {restart}"], stderr=subprocess.DEVNULL)
        requests = [curl.post(1_000 if index % 2 else 32_768) for index in range(count // rounds)]
        failed, _, _, again = curl.run(requests, at_once, [200])
        failures, repeated = failures + failed, repeated + again
        restarting.wait()
    return failures, time.monotonic() - begin, 0, repeated


def on_kept_connections(curl, step, count, before):
    """How many of curl's requests failed, were repeated, and were made, in a step and the one before, in one process."""
    requests, at_once, fine = requests_of(curl, step, count)
    sequence = []
    for _ in range(ROUNDS):
        if before:
            sequence += requests_of(curl, *before)[0]
        sequence += requests_of(curl, step, count)[0]
    failed, _, _, repeated = curl.run(sequence, at_once, fine)
    return failed, repeated, len(sequence)


def doubled(folder, mark):
    numbers = [line for line in (folder / "numbers").read_text().splitlines() if line.startswith(f"{mark}-")]
    return len(numbers) - len(set(numbers))


def main():
    folder = pathlib.Path(sys.argv[1])
    table = [line.split("\t") for line in (folder / "servers.tsv").read_text().splitlines()]
    bad = 0
    print(f"{'server':24}{'step':52}{'requests':>9}{'failed':>8}{'curl':>6}{'seconds':>9}{'curl':>9}"
          f"{'connections':>13}{'curl':>6}")
    servers, before = {}, {}
    for line in pathlib.Path(sys.argv[2]).read_text().splitlines():
        server, step, count, failures, seconds, connections = line.split("\t")
        if server not in servers:
            name, version = server.rsplit("/", 1)
            row = next(row for row in table if row[:2] == [name, version])
            servers[server] = Curl(folder, row[2], version, f"curl-{server}"), row[5]
        curl, restart = servers[server]
        if step == "doubled":
            theirs = doubled(folder, f"curl-{server}")
            bad += int(failures) > 0
            print(f"{server:24}{'POSTs that arrived, and of them twice':52}{count:>9}{failures:>8}{theirs:>6}", flush=True)
            continue
        result, kept = None, None
        if "--none" not in sys.argv:
            requests = requests_of(curl, step, int(count))
            if step.startswith("POST during"):
                result = during_restarts(curl, step, int(count), restart)
            elif requests:
                result = curl.run(*requests)
                if int(failures) and not result[0]:
                    kept = on_kept_connections(curl, step, int(count), before.get(server))
                before[server] = step, int(count)
        theirs, time_of_curl = (str(result[0]), f"{result[1]:.2f}") if result else ("-", "-")
        is_excused = kept and kept[0] + kept[1] > 0 or result and result[3] > 0
        bad += int(failures) > 0 and (result is None or result[0] == 0 and not is_excused)
        opened = f"{connections:>13}{result[2] if result else '-':>6}" if step.startswith("rounds") else ""
        print(f"{server:24}{step:52}{count:>9}{failures:>8}{theirs:>6}{float(seconds):>9.2f}{time_of_curl:>9}{opened}",
              flush=True)
        if int(failures) and result and result[3]:
            print(f"{'':24}  curl sent {result[3]} again, although they may have taken effect", flush=True)
        if kept:
            print(f"{'':24}{'  curl, in one process with the step before':52}{kept[2]:>9}{'':8}{kept[0]:>6}"
                  f"   and sent {kept[1]} again", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
