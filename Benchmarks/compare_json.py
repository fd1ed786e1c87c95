#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times reading and writing of JSON by Cumulus and its peers, interleaved; `Scripts/benchmark.sh json` calls it.

Each peer is a process that answers `NAME MODE` with the seconds of one run. A round asks each peer once for each mode;
what is printed is the median of the rounds.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

MODES = {
    "dynamic": "read, without a type",
    "write": "write what was read",
    "typed": "decode a type",
    "encode": "encode a type",
}


class Peer:
    """A process that answers, with the modes that it knows."""

    def __init__(self, name, label, version, modes, command):
        self.name, self.label, self.version, self.modes = name, label, version, modes
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.read()

    def read(self):
        line = self.process.stdout.readline().strip()
        if not line:
            sys.exit(f"{self.name} has ended early")
        return line

    def ask(self, question):
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        return self.read()


def peers(arguments):
    """Starts the peers that are there; Foundation answers from Cumulus's process."""
    own = Peer("cumulus", "Cumulus", arguments.cumulus_version, list(MODES), [arguments.swift, "serve", arguments.file])
    found = [own]
    foundation = object.__new__(Peer)
    foundation.name, foundation.label, foundation.modes = "foundation", "Foundation", list(MODES)
    foundation.version, foundation.process = arguments.swift_version, own.process
    found.append(foundation)
    if arguments.orjson:
        script = os.path.join(os.path.dirname(__file__), "Peers", "orjson_peer.py")
        peer = Peer("orjson", "orjson", "", ["dynamic", "write"], [arguments.orjson, script, arguments.file])
        peer.version = peer.ask("version")
        found.append(peer)
    if arguments.go:
        peer = Peer("go", "Go encoding/json", "", list(MODES), [arguments.go, arguments.file])
        peer.version = peer.ask("version")
        found.append(peer)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--file", required=True)
    parser.add_argument("--swift", required=True)
    parser.add_argument("--swift-version", required=True)
    parser.add_argument("--cumulus-version", required=True)
    parser.add_argument("--orjson")
    parser.add_argument("--go")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    megabytes = os.path.getsize(arguments.file) / 1e6
    found = peers(arguments)
    times = {}
    for _ in range(arguments.rounds):
        for mode in MODES:
            for peer in found:
                if mode in peer.modes:
                    times.setdefault((mode, peer.name), []).append(float(peer.ask(f"{peer.name} {mode}")))
    rates = {key: megabytes / statistics.median(taken) for key, taken in times.items()}
    if not arguments.json:
        print(f"{megabytes:.1f} MB, median of {arguments.rounds} rounds, MB/s (and how many times Cumulus's rate is)")
    for mode, title in MODES.items():
        if not arguments.json:
            print(f"\n{mode}: {title}")
        for peer in found:
            rate = rates.get((mode, peer.name))
            if rate is None:
                continue
            if arguments.json:
                result = {"workload": "json", "mode": mode, "peer": peer.name, "version": peer.version}
                print(json.dumps(result | {"rate": round(rate, 1)}))
            else:
                ratio = "" if peer.name == "cumulus" else f"{rates[mode, 'cumulus'] / rate:8.2f} x"
                print(f"  {peer.label + ' ' + peer.version:<32}{rate:>9.1f}{ratio}")
    for peer in found:
        if peer.name != "foundation":
            peer.process.stdin.close()


main()
