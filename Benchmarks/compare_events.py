#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times event streams of Cumulus and its peers, interleaved; `Scripts/benchmark.sh events` calls it.

Each run reads so many megabytes of events, `parse` from pieces of 64 KiB in memory and `stream` from nginx. A peer that is
slow reads a part of them. Rates are medians, in megabytes of the stream a second of the peer's processor time; curl
only writes the bytes to /dev/null.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Scripts"))
from loopback_nginx import LoopbackNginx  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def delta(number):
    """A part of a reply as OpenAI's API sends it."""
    value = {
        "id": "chatcmpl-123", "object": "chat.completion.chunk", "created": 1694268190, "model": "small",
        "choices": [{"index": 0, "delta": {"content": f" word{number % 1000}"}, "finish_reason": None}],
    }
    return b"data: " + json.dumps(value, separators=(",", ":")).encode() + b"\n\n"


def update(number):
    """An update of a kilobyte, with a type and an ID."""
    return f"event: update\nid: {number}\ndata: {'x' * 980}\n\n".encode()


KINDS = {"deltas of 180 bytes": delta, "updates of 1 KB": update}


def block(make):
    """A mebibyte of whole events, about, and their number."""
    parts = []
    while sum(map(len, parts[-1:])) * len(parts) < 1 << 20:
        parts.append(make(len(parts)))
    return b"".join(parts), len(parts)


def run(words):
    process = subprocess.run(words, capture_output=True, text=True, check=False)
    if process.returncode != 0:
        sys.exit(f"{words} failed: {process.stderr[-500:]}")
    return json.loads(process.stdout.strip().split("\n")[-1])


def curl(url):
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(["curl", "-sN", "-o", "/dev/null", url], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"events": None, "seconds": time.monotonic() - started, "cpu": cpu}


def version(words):
    return subprocess.run([*words, "version"], capture_output=True, text=True, check=True).stdout.strip()


def clients(arguments):
    """Names with the modes that they know: a function of file, repetitions, URL and number of events, and a divisor."""
    own = arguments.cumulus
    yield "Cumulus", "parse", lambda f, t, u, n: run([own, "parse", f, str(t)]), 1
    yield "Cumulus", "stream", lambda f, t, u, n: run([own, "stream", u]), 1
    yield "Cumulus, decoded", "stream", lambda f, t, u, n: run([own, "values", u]), 4
    yield "curl -N, not parsed", "stream", lambda f, t, u, n: curl(u), 1
    if arguments.go:
        go = arguments.go
        yield version([go]), "parse", lambda f, t, u, n: run([go, "parse", f, str(t), str(n)]), 4
        yield version([go]), "stream", lambda f, t, u, n: run([go, "stream", u, str(n)]), 4
    if arguments.node:
        node = ["node", str(HERE / "Peers/node/eventsource.js")]
        yield version(node), "stream", lambda f, t, u, n: run([*node, "stream", u, str(n)]), 64
    if arguments.python:
        python = [arguments.python, str(HERE / "Peers/python/httpx_sse_peer.py")]
        yield version(python), "parse", lambda f, t, u, n: run([*python, "parse", f, str(t)]), 16
        yield version(python), "stream", lambda f, t, u, n: run([*python, "stream", u]), 16


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cumulus", required=True)
    parser.add_argument("--cumulus-version", required=True)
    parser.add_argument("--go")
    parser.add_argument("--node", action="store_true")
    parser.add_argument("--python")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = list(clients(arguments))
    rates = {}
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/tmp")) as name:
        folder = pathlib.Path(name)
        server = LoopbackNginx(folder, {"events": None}, "default_type text/event-stream;")
        try:
            for kind, make in KINDS.items():
                bytes_, count = block(make)
                (folder / "block").write_bytes(bytes_)
                for divisor in {divisor for *_, divisor in found}:
                    with open(server.root / str(divisor), "wb") as file:
                        for _ in range(arguments.megabytes // divisor):
                            file.write(bytes_)
                for _ in range(arguments.rounds):
                    for label, mode, measure, divisor in found:
                        if label == "Cumulus, decoded" and make is not delta:
                            continue
                        times = arguments.megabytes // divisor
                        url = server.url("events", str(divisor))
                        result = measure(str(folder / "block"), times, url, count * times)
                        if result["events"] not in (None, count * times):
                            sys.exit(f"{label} has read {result['events']} events of {count * times}")
                        size = len(bytes_) * times / 1e6
                        rates.setdefault((kind, mode, label), []).append((size / result["cpu"], size / result["seconds"]))
        finally:
            server.stop()
    table = [
        {
            "events": kind, "mode": mode, "client": label,
            "cpu": statistics.median(cpu for cpu, _ in values), "wall": statistics.median(wall for _, wall in values),
        }
        for (kind, mode, label), values in rates.items()
    ]
    if arguments.json:
        return print(json.dumps(table, indent=2))
    print(f"Cumulus {arguments.cumulus_version}, {arguments.megabytes} MiB, {arguments.rounds} rounds")
    print("| events | mode | client | MB a CPU second | MB a second |\n|---|---|---|---|---|")
    for row in sorted(table, key=lambda row: (row["events"], row["mode"], -row["cpu"])):
        print(f"| {row['events']} | {row['mode']} | {row['client']} | {row['cpu']:,.0f} | {row['wall']:,.0f} |")


if __name__ == "__main__":
    main()
