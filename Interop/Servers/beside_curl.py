#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets curl do what ServerLoad has done, and prints both in one table.

Usage: beside_curl.py FOLDER OURS [--none]

FOLDER is start.py's, OURS what ServerLoad printed; with --none curl isn't run. Exits 1 where requests failed and curl's
did not, or any arrived twice.
"""

import pathlib
import re
import subprocess
import sys
import time

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
        """How many of the requests failed, the seconds, and how many connections were opened."""
        common = [self.version, f'cacert = "{self.folder / "ca.pem"}"', "silent", 'output = "/dev/null"', "max-time = 60",
                  'write-out = "%{exitcode} %{http_code} %{num_connects}\\n"']
        path = self.folder / "curl.conf"
        path.write_text("\nnext\n".join("\n".join([*common, *request]) for request in requests) + "\n")
        command = ["curl", "-K", str(path)]
        if at_once > 1:
            command[1:1] = ["--parallel", "--parallel-max", str(at_once)]
        start = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        lines = [line.split() for line in done.stdout.splitlines()]
        good = sum(1 for code, status, _ in lines if code == "0" and int(status) in fine)
        return len(requests) - good, time.monotonic() - start, sum(int(connects) for _, _, connects in lines)


def again(curl, step, count, restart):
    """curl's failures and seconds in a step of ServerLoad, by its name; None where curl can't do the like."""
    kind, size, at_once = re.fullmatch(r"(\D+?)(\d+).*?(\d+) at once", step).groups()
    size, at_once = int(size), int(at_once)
    if kind.startswith("GET"):
        return curl.run([curl.request(f"bytes/{size}")] * count, at_once, [200])
    if kind == "POST to ":
        sizes = SIZES if size in SIZES else [size]
        return curl.run([curl.post(sizes[index % len(sizes)]) for index in range(count)], at_once, [200])
    if kind.startswith("rounds"):
        return curl.run([curl.post(size) for _ in range(count)], at_once, [200])
    if kind.startswith("upload"):
        return curl.run([curl.upload(size) for _ in range(count)], at_once, [200])
    if kind.startswith("download") and "segments" not in step:
        return curl.run([curl.request(f"bytes/{size}")] * count, at_once, [200])
    if kind.startswith("head"):
        token = "0123456789abcdef" * 3900
        requests = [curl.request("bytes/1000", f'header = "X-Token: {token}"')] * count
        return curl.run(requests, at_once, [200, 400, 413, 414, 431])
    if kind.startswith("early"):
        length = int(re.search(r" to (\d+),", step)[1])
        # The POST that follows is on the same list; with several at once it may come before the early answer.
        requests = [request for _ in range(count) for request in (curl.early(size, length), curl.post(1_000))]
        return curl.run(requests, at_once, [200, size, 502])
    if kind.startswith("POST during"):
        failures, begin = 0, time.monotonic()
        for _ in range(size):
            restarting = subprocess.Popen(["/bin/sh", "-c", f"sleep 0.1; {restart}"], stderr=subprocess.DEVNULL)
            requests = [curl.post(1_000 if index % 2 else 32_768) for index in range(count // size)]
            failures += curl.run(requests, at_once, [200])[0]
            restarting.wait()
        return failures, time.monotonic() - begin, 0
    return None


def doubled(folder, mark):
    numbers = [line for line in (folder / "numbers").read_text().splitlines() if line.startswith(f"{mark}-")]
    return len(numbers) - len(set(numbers))


def main():
    folder = pathlib.Path(sys.argv[1])
    table = [line.split("\t") for line in (folder / "servers.tsv").read_text().splitlines()]
    bad = 0
    print(f"{'server':24}{'step':52}{'requests':>9}{'failed':>8}{'curl':>6}{'seconds':>9}{'curl':>9}"
          f"{'connections':>13}{'curl':>6}")
    servers = {}
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
        result = None if "--none" in sys.argv else again(curl, step, int(count), restart)
        theirs, time_of_curl = (str(result[0]), f"{result[1]:.2f}") if result else ("-", "-")
        bad += int(failures) > 0 and (result is None or result[0] == 0)
        opened = f"{connections:>13}{result[2] if result else '-':>6}" if step.startswith("rounds") else ""
        print(f"{server:24}{step:52}{count:>9}{failures:>8}{theirs:>6}{float(seconds):>9.2f}{time_of_curl:>9}{opened}",
              flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
