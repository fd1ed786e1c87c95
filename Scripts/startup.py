#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a GET takes beside curl's, process and all, with several sets of options, and how much memory it needs.

The programs take turns, so that other load on the machine slows all of them alike; compare the ratios. Exits 1 if a set
of options takes more than twice as long as curl, by the medians, or a GET more than 32 MiB.

Usage: Scripts/startup.py [--runs N] [PROGRAM]          (.build/install/cumulus, as Scripts/install.sh builds it)
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPTIONS = ["", "--ignore-stdin", "--json", "-a ada:pw", "-v", "--json -v -a ada:pw --timeout 5"]
MOST_TIME = 2  # times curl's
MOST_MEMORY = 32 * 1024  # KiB
CONFIGURATION = '[defaults]\ntimeout = 20\n[hosts."127.0.0.1"]\nheaders = { X-A = "b" }\n'
# A small Python, since a process that it starts counts Python's memory, too, until it is curl or cumulus.
PEAK = """import os, sys
null = os.open(os.devnull, os.O_RDWR)
streams = [(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1)]
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=streams)
print(os.wait4(child, 0)[2].ru_maxrss)"""


def commands(program, url, home):
    """Name, arguments and environment of each."""
    # Named authorities are read at each start; what that takes is not the program's.
    left_out = ("SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE")
    plain = {name: value for name, value in os.environ.items() if name not in left_out}
    plain |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "without")}
    configured = plain | {"XDG_CONFIG_HOME": str(home / "with")}
    yield "curl -s", ["curl", "-s", url], plain
    for options in OPTIONS:
        yield f"cumulus {options}".strip(), [program, *options.split(), url], plain
    yield "cumulus, with a config file", [program, url], configured
    yield "curl -s again", ["curl", "-s", url], plain


def seconds(arguments, environment, null):
    """How long a program ran."""
    streams = [(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1)]
    start = time.perf_counter()
    child = os.posix_spawnp(arguments[0], arguments, environment, file_actions=streams)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 0:
        sys.exit(f"exit status {status}: {' '.join(arguments)}")
    return time.perf_counter() - start


def report(measured, runs):
    """Prints the table; returns what is over a bound, a line each."""
    null = os.open(os.devnull, os.O_RDWR)
    times = {name: [] for name, _, _ in measured}
    for turn in range(runs + 5):
        for name, arguments, environment in measured:
            taken = seconds(arguments, environment, null)
            if turn >= 5:
                times[name].append(taken)
    curl = statistics.median(times["curl -s"] + times["curl -s again"])
    excesses = []
    for name, arguments, _ in measured:
        median = statistics.median(times[name])
        print(f"{name:<42} {median * 1e3:5.2f} ms  {median / curl:.2f} of curl's")
        if arguments[0] != "curl" and median > MOST_TIME * curl:
            excesses.append(f"{name}: {median / curl:.3f} of curl's time (at most {MOST_TIME})")
    for name, arguments, environment in measured[:2]:
        words = [sys.executable, "-IS", "-c", PEAK, *arguments]
        peak = int(subprocess.run(words, check=True, capture_output=True, env=environment).stdout)
        print(f"memory of {name:<32} {peak / 1024:5.1f} MiB")
        if arguments[0] != "curl" and peak > MOST_MEMORY:
            excesses.append(f"memory of {name}: {peak} KiB (at most {MOST_MEMORY})")
    return excesses


def main():
    parser = argparse.ArgumentParser(description="A GET of the command beside curl's.")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("program", nargs="?", default=ROOT / ".build/install/cumulus", type=pathlib.Path)
    options = parser.parse_args()
    server = subprocess.Popen([sys.executable, ROOT / "Scripts/echo-server.py"], stdout=subprocess.PIPE)
    try:
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/"
        with tempfile.TemporaryDirectory() as name:
            home = pathlib.Path(name)
            (home / "with/cumulus").mkdir(parents=True)
            (home / "with/cumulus/config.toml").write_text(CONFIGURATION)
            excesses = report(list(commands(str(options.program.resolve()), url, home)), options.runs)
    finally:
        server.kill()
    if not excesses:
        print(f"within the bounds: {MOST_TIME} of curl's time, {MOST_MEMORY // 1024} MiB")
    for excess in excesses:
        print(f"over the bound: {excess}")
    return 1 if excesses else 0


if __name__ == "__main__":
    sys.exit(main())
