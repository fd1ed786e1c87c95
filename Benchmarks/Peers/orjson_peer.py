# SPDX-License-Identifier: Apache-2.0
"""Answers like `JSONBenchmark serve FILE`, with Python's orjson."""

import sys
import time

import orjson


def seconds(work):
    """Seconds a run of the work takes, over at least a quarter of a second; freeing the result counts."""
    start, runs = time.perf_counter(), 0
    while True:
        work()
        runs += 1
        elapsed = time.perf_counter() - start
        if elapsed >= 0.25:
            return elapsed / runs


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    value = orjson.loads(data)
    work = {
        "orjson dynamic": lambda: orjson.loads(data),
        "orjson write": lambda: orjson.dumps(value),
    }
    print("ready", flush=True)
    for line in sys.stdin:
        name = line.strip()
        if name == "version":
            print(orjson.__version__, flush=True)
        else:
            print(seconds(work[name]) if name in work else "unknown", flush=True)


main()
