#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Downloads from nginx by `cumulus download`, aria2c and curl, interleaved; prints medians. See Scripts/benchmark.sh."""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Scripts"))
from loopback_nginx import LoopbackNginx  # noqa: E402

MIB = 1 << 20
RATE = "20m"  # a connection; nginx's m is 1024 * 1024


class Server(LoopbackNginx):
    """nginx with sparse files: without a limit below /free/, with 20 MiB/s a connection below /slow/."""

    def __init__(self, folder, sizes):
        super().__init__(folder, {"free": None, "slow": RATE})
        for size in sizes:
            with open(self.root / f"{size}", "wb") as file:
                file.truncate(size * MIB)


def run(words, target, size):
    """Runs a client once: seconds, CPU seconds, peak RSS in MB."""
    for left in target.parent.iterdir():
        left.unlink()
    started = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0 or not target.exists() or target.stat().st_size != size * MIB:
        sys.exit(f"{words[0]} failed ({process.returncode}): {errors.decode(errors='replace')[-500:]}")
    return {"seconds": seconds, "cpu": usage.ru_utime + usage.ru_stime, "rss": usage.ru_maxrss / 1024}


def clients(command, target):
    """Makes command lines."""

    def cumulus(url, connections=None):
        more = [] if connections is None else ["-x", str(connections)]
        return [command, "download", url, "-o", str(target), "-c", *more]

    def aria2c(url, connections):
        return [
            "aria2c", "-q", "-d", str(target.parent), "-o", target.name, f"-x{connections}", f"-s{connections}",
            "-k1M", "--file-allocation=none", url,
        ]

    def curl(url):
        return ["curl", "-sS", "-o", str(target), url]

    return cumulus, aria2c, curl


def version(words):
    try:
        text = subprocess.run(words, capture_output=True, text=True, check=False)
        return (text.stdout or text.stderr).split("\n")[0].strip()
    except OSError:
        return "not installed"


def main():
    parser = argparse.ArgumentParser(prog="Scripts/benchmark.sh download")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--command", required=True)
    parser.add_argument("--cumulus-version", default="unknown")
    parser.add_argument("--home", required=True)
    options = parser.parse_args()
    has_aria2c = shutil.which("aria2c") is not None
    versions = {
        "cumulus": options.cumulus_version,
        "aria2c": version(["aria2c", "--version"]).removeprefix("aria2 version "),
        "curl": " ".join(version(["curl", "--version"]).split()[1:2]),
        "nginx": version(["nginx", "-v"]).removeprefix("nginx version: nginx/"),
    }
    with tempfile.TemporaryDirectory(dir=options.home) as name:
        folder = pathlib.Path(name).resolve()
        (folder / "out").mkdir()
        target = folder / "out" / "file"
        cumulus, aria2c, curl = clients(options.command, target)
        server = Server(folder, [64, 200, 1000, 1024, 4096])
        slow200, slow1000 = server.url("slow", 200), server.url("slow", 1000)
        free1024 = server.url("free", 1024)
        workloads = [
            ("200 MiB, 20 MiB/s a connection, 8 connections", 200, options.rounds, "seconds", [
                ("cumulus -x 8", cumulus(slow200, 8)),
                ("aria2c -x8 -s8", aria2c(slow200, 8) if has_aria2c else None)]),
            ("1000 MiB, 20 MiB/s a connection, adaptive beside 6", 1000, options.rounds, "seconds", [
                ("cumulus", cumulus(slow1000)),
                ("aria2c -x6 -s6", aria2c(slow1000, 6) if has_aria2c else None)]),
            ("1 GiB, no limit, one connection", 1024, options.rounds, "cpu", [
                ("cumulus -x 1", cumulus(free1024, 1)),
                ("curl", curl(free1024)),
                ("aria2c -x1 -s1", aria2c(free1024, 1) if has_aria2c else None)]),
            ("64 MiB, no limit", 64, 3, "rss", [
                ("cumulus -x 1", cumulus(server.url("free", 64), 1)),
                ("cumulus", cumulus(server.url("free", 64)))]),
            ("4 GiB, no limit", 4096, 1, "rss", [
                ("cumulus -x 1", cumulus(server.url("free", 4096), 1)),
                ("cumulus", cumulus(server.url("free", 4096)))]),
        ]
        try:
            if not options.json:
                print("; ".join(f"{key} {value}" for key, value in versions.items()))
            for title, size, rounds, what, lines in workloads:
                lines = [(label, words) for label, words in lines if words]
                results = {label: [] for label, _ in lines}
                for _ in range(rounds):
                    for label, words in lines:
                        results[label].append(run(words, target, size))
                show(title, rounds, what, results, versions, options.json)
        finally:
            server.stop()


def show(title, rounds, what, results, versions, as_json):
    medians = {
        label: {key: statistics.median(one[key] for one in runs) for key in runs[0]} for label, runs in results.items()
    }
    first = next(iter(medians.values()))
    if not as_json:
        print(f"\n{title} (medians of {rounds}, interleaved)")
        print(f"{'':18}{'seconds':>9}{'CPU s':>8}{'RSS MB':>8}  {'ours / theirs (' + what + ')'}")
    for label, median in medians.items():
        if as_json:
            client = label.split()[0]
            print(json.dumps({
                "workload": title, "client": label, "version": versions[client], "seconds": round(median["seconds"], 3),
                "cpu_s": round(median["cpu"], 3), "peak_rss_mb": round(median["rss"], 1),
            }))
            continue
        ratio = "" if median is first else f"{first[what] / median[what]:.2f}"
        print(f"{label:18}{median['seconds']:>9.2f}{median['cpu']:>8.2f}{median['rss']:>8.1f}  {ratio}")


if __name__ == "__main__":
    main()
