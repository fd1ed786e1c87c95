#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs Cumulus and its peers against nginx on this machine, interleaved; `Scripts/benchmark.sh http` calls it.

Each run of a client is a process that is told what to do by its arguments (KIND COUNT IN-FLIGHT URL FILE ROOTS MODE),
warms up, and prints one object with what the timed part has cost. A round runs each client once; what is printed is
the median of the rounds. nginx is pinned to the first processor, the client to the second. Allocations are counted in
a run of their own, with a counter loaded before the client, so that they don't disturb the times.

Latencies are measured in two ways. In a closed loop, a request begins when another ends. In an open loop, requests
begin at a fixed rate however many are unfinished, and their latency counts from the scheduled time.
"""

import argparse
import glob
import json
import os
import pathlib
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Scripts"))
from free_ports import free_port  # noqa: E402

GIB = 1 << 30


class Workload:
    """What is measured: what a client does, how often, and how many at once, or a second if they are paced."""

    def __init__(self, title, kind, count, in_flight=1, server="plain", path="/small", size=0, mode=None):
        self.title, self.kind, self.count, self.in_flight = title, kind, count, in_flight
        self.server, self.path, self.size, self.mode = server, path, size, mode


WORKLOADS = {
    "w1": Workload("small GET, one after the other, connection kept", "get", 20_000),
    "w2": Workload("small GET, 64 in flight", "get", 80_000, in_flight=64),
    "w3": Workload("1 GiB, thrown away", "discard", 1, path="/large", size=GIB),
    "w3b": Workload("1 GiB into a file", "save", 1, path="/large", size=GIB),
    "w4": Workload("1 GiB from a file", "upload", 1, server="sink", size=GIB),
    "w4-small": Workload("64 MiB from a file", "upload", 1, server="sink", size=GIB >> 4),
    "w6": Workload("small GET over TLS, connection kept", "get", 15_000, server="secure"),
    "w6-new": Workload("small GET over TLS, new connections", "fresh", 600, server="secure"),
    "new": Workload("small GET, new connections", "fresh", 4_000),
    "w7": Workload("cold start of the command", "start", 20),
    "w8": Workload("HTTP/2 over TLS, one connection, 64 in flight", "get", 40_000, 64, server="h2", mode="h2"),
    "l64": Workload("latency of small GET, 64 in flight", "latency", 40_000, in_flight=64),
    "l1000": Workload("latency of small GET, 1,000 in flight", "latency", 40_000, in_flight=1_000),
    "p2000": Workload("latency of small GET, 2,000 begin each second", "paced", 20_000, in_flight=2_000),
}

LATENCIES = ("p50_ms", "p99_ms", "p999_ms", "max_ms")

# The bars of this project: workload, mode of Cumulus, factor, peer; processor time.
BARS = [
    ("w1", "pipeline-caller", 1.3, "libcurl"),
    ("w1", "transport-caller", 1.15, "libcurl"),
    ("w1", "pipeline-loop", 1.0, "libcurl"),
    ("w1", "pipeline-loop", 1.05, "reqwest"),
    ("w2", "pipeline-caller", 1.3, "libcurl"),
    ("w2", "pipeline-caller", 0.5, "AsyncHTTPClient"),
    ("w2", "pipeline-loop", 0.9, "libcurl"),
    ("w2", "pipeline-loop", 1.1, "reqwest"),
    ("w2", "transport-loop", 1.1, "hyper"),
    ("w3", "pipeline-caller", 1.1, "libcurl"),
    ("w3b", "pipeline-caller", 1.1, "libcurl"),
    ("w4", "pipeline-caller", 1.0, "libcurl"),
    ("w6", "pipeline-caller", 1.1, "libcurl"),
    ("w6-new", "pipeline-caller", 1.1, "libcurl"),
    ("new", "pipeline-caller", 1.8, "libcurl"),
    ("w7", "command", 1.0, "libcurl"),
    ("w8", "pipeline-caller", 2.0, "libcurl"),
]


class Client:
    """A program under measurement, used in one way."""

    def __init__(self, name, mode, command, workloads, version="", preload=True):
        self.name, self.mode, self.command, self.version = name, mode, command, version
        self.workloads, self.preload = workloads, preload
        self.runs, self.allocations = {}, {}

    def median(self, workload, field):
        return statistics.median(run[field] for run in self.runs[workload])

    def both(self, workload):
        """The processor time of both ends, where it is known."""
        known = [run["both_us"] for run in self.runs[workload] if run["both_us"] is not None]
        return round(statistics.median(known), 1) if known else None


class Servers:
    """nginx and a sink for uploads, on free ports of 127.0.0.1."""

    def __init__(self, folder, sink, pin):
        self.folder, self.processes = folder, []
        os.makedirs(f"{folder}/site", exist_ok=True)
        with open(f"{folder}/site/small", "w", encoding="ascii") as file:
            file.write("x" * 212)
        fill(f"{folder}/site/large", GIB)
        os.chmod(folder, 0o755)
        self.roots = f"{folder}/certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
             "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", f"{folder}/key.pem",
             "-out", self.roots], check=True, stderr=subprocess.DEVNULL)
        ports = {name: free_port() for name in ("plain", "secure", "h2")}
        with open(f"{folder}/nginx.conf", "w", encoding="ascii") as file:
            file.write(self.configuration(ports))
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        self.processes.append(subprocess.Popen(pin + [nginx, "-p", folder, "-c", f"{folder}/nginx.conf",
                                                      "-e", f"{folder}/error.log"]))
        self.version = subprocess.run([nginx, "-v"], capture_output=True, text=True, check=True).stderr.split("/")[-1]
        self.origins = {
            "plain": f"http://127.0.0.1:{ports['plain']}",
            "secure": f"https://127.0.0.1:{ports['secure']}",
            "h2": f"https://127.0.0.1:{ports['h2']}",
        }
        if sink:
            process = subprocess.Popen(pin + [sink], stdout=subprocess.PIPE, text=True)
            self.processes.append(process)
            self.origins["sink"] = f"http://127.0.0.1:{process.stdout.readline().strip()}"
        time.sleep(0.5)

    def configuration(self, ports):
        user = "user root;" if os.getuid() == 0 else ""
        common = f"""
            root {self.folder}/site; default_type application/octet-stream;
            keepalive_requests 1000000000; keepalive_timeout 600s;
            sendfile on; tcp_nopush off; open_file_cache max=16;"""
        secure = f"ssl_certificate {self.roots}; ssl_certificate_key {self.folder}/key.pem;"
        return f"""
        {user} worker_processes 1; daemon off; pid {self.folder}/pid;
        events {{ worker_connections 4096; }}
        http {{
            access_log off; client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/proxy;
            fastcgi_temp_path {self.folder}/fastcgi; scgi_temp_path {self.folder}/scgi;
            uwsgi_temp_path {self.folder}/uwsgi;
            server {{ listen 127.0.0.1:{ports['plain']} backlog=4096; {common} }}
            server {{ listen 127.0.0.1:{ports['secure']} ssl backlog=4096; {secure} {common} }}
            server {{ listen 127.0.0.1:{ports['h2']} ssl http2; {secure} {common} }}
        }}"""

    def cpu(self):
        """Seconds of processor time that the servers have taken; None where the system doesn't tell."""
        if not os.path.exists("/proc/self/stat"):
            return None
        ours, seconds = {str(process.pid) for process in self.processes}, 0
        for path in glob.glob("/proc/[0-9]*/stat"):
            try:
                with open(path, encoding="utf-8", errors="replace") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if path.split("/")[2] in ours or fields[1] in ours:
                # Their own, and that of the processes that have ended below them.
                seconds += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        return seconds

    def stop(self):
        for process in self.processes:
            process.terminate()
            process.wait()


def fill(path, size):
    """Writes a file for real: reading a hole costs its first reader the memory for it."""
    with open(path, "wb") as file:
        for _ in range(size >> 20):
            file.write(b"x" * (1 << 20))


def run(client, workload, servers, arguments, pin, counts=False):
    """Runs a client once; what it prints, or nothing where it can't."""
    work = WORKLOADS[workload]
    count = max(1, int(work.count * arguments.share / (4 if counts else 1)))
    file = "-"
    if work.kind == "save":
        file = f"{arguments.memory}/saved"
    elif work.kind == "upload":
        file = f"{servers.folder}/upload-{work.size}"
        if not os.path.exists(file):
            fill(file, work.size)
    url = servers.origins[work.server] + work.path
    roots = servers.roots if url.startswith("https") else "-"
    command = pin + client.command + [work.kind, str(count), str(work.in_flight), url, file, roots,
                                      work.mode or client.mode]
    environment = dict(os.environ)
    if counts:
        environment["LD_PRELOAD"] = arguments.counter
    before = servers.cpu()
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=180, check=False)
    except subprocess.TimeoutExpired:
        return complain(client, workload, "takes too long")
    finally:
        if work.kind == "save" and os.path.exists(file):
            os.remove(file)
    if done.returncode != 0 or not done.stdout.startswith("{"):
        return complain(client, workload, (done.stderr or done.stdout).strip()[-300:] or f"exit {done.returncode}")
    result = json.loads(done.stdout)
    expected = (work.size or 212) * count
    if result["bytes"] != expected:
        return complain(client, workload, f"moved {result['bytes']} bytes, not {expected}")
    client.version = result["version"] or client.version
    requests = result["requests"]
    # The kernel does a part of the sender's work in the receiver's time, and the other way about.
    both = None if before is None else result["cpu"] + servers.cpu() - before
    return {
        "rate": (work.size / 1e6 if work.size else requests) / result["seconds"],
        "cpu_us": result["cpu"] / requests * 1e6,
        # Only those that warm up by nothing know what of it is theirs.
        "both_us": both / requests * 1e6 if work.size and both is not None else None,
        "allocations": None if result["allocations"] is None else result["allocations"] / requests,
        "peak_rss_mb": result["peak_kb"] / 1024,
        **{field: result[field] for field in LATENCIES if field in result},
    }


def start(client, servers, pin):
    """Starts a command some times; the median of its time and of its processor time."""
    command = pin + client.command + [servers.origins["plain"] + "/small"]
    times, used = [], []
    for _ in range(WORKLOADS["w7"].count):
        began, before = time.perf_counter(), os.times()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        after = os.times()
        if done.returncode != 0:
            return complain(client, "w7", f"exit {done.returncode}")
        times.append(time.perf_counter() - began)
        used.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return {"rate": statistics.median(times) * 1e3, "cpu_us": statistics.mean(used) * 1e6, "allocations": None,
            "both_us": None, "peak_rss_mb": 0}


def complain(client, workload, reason):
    print(f"{workload}: {client.name} {client.mode}: {reason}", file=sys.stderr)
    return None


def clients(arguments):
    """The clients that have been built."""
    small = {"w1", "w2", "w6", "w6-new", "new"}
    latency, paced = {"l64", "l1000"}, {"p2000"}
    all_but_start = set(WORKLOADS) - {"w7"}
    found = []
    for name, program, version in (("Cumulus", arguments.cumulus, arguments.cumulus_version),
                                   ("Cumulus before", arguments.before, arguments.before_version)):
        for mode in arguments.modes.split(",") if program else []:
            known = small | latency | paced | {"w8"} if mode.endswith("loop") else all_but_start
            found.append(Client(name, mode, [program], known, version))
    if arguments.command:
        found.append(Client("Cumulus", "command", [arguments.command, "get"], {"w7"}, arguments.cumulus_version))
        if shutil.which("curl"):
            text = subprocess.run(["curl", "--version"], capture_output=True, text=True, check=True).stdout
            found.append(Client("libcurl", "curl -s", ["curl", "-s"], {"w7"}, text.split()[1]))
    plain = all_but_start - {"w8"}
    for name, program, known in (
        ("C sockets", arguments.limit, {"w1", "w2", "new"} | latency),
        ("libcurl", arguments.curl, all_but_start - paced),
        ("AsyncHTTPClient", arguments.async_http_client, all_but_start),
        ("URLSession", arguments.url_session, {"w1", "w2", "new"} | latency | paced),
        ("Go net/http", arguments.go, all_but_start),
        ("reqwest", arguments.reqwest, plain - {"w4", "w4-small"}),
        ("hyper", arguments.hyper, {"w1", "w2", "w3", "new"} | latency | paced),
    ):
        if program:
            found.append(Client(name, "", [program], known))
    # httpx takes minutes with many requests in flight.
    for name, known in (("aiohttp", latency), ("httpx", set())) if arguments.python else ():
        script = os.path.join(os.path.dirname(__file__), "Peers", "python", f"{name}_peer.py")
        found.append(Client(name, "", [arguments.python, script], {"w1", "w2", "w3"} | known, preload=False))
    return [one for one in found if not arguments.only or one.name in arguments.only.split(",")]


def report_json(found, workload):
    for client in found:
        if workload in client.runs:
            print(json.dumps({
                "workload": workload, "client": client.name, "version": client.version, "mode": client.mode,
                "rate": round(client.median(workload, "rate"), 1),
                "cpu_us": round(client.median(workload, "cpu_us"), 2),
                "both_us": client.both(workload),
                "allocations": client.allocations.get(workload),
                "peak_rss_mb": round(client.median(workload, "peak_rss_mb"), 1),
                **{field: round(client.median(workload, field), 3)
                   for field in LATENCIES if field in client.runs[workload][0]},
            }), flush=True)


def report_latency(found, workload):
    print(f"\n{workload}: {WORKLOADS[workload].title}\n")
    if WORKLOADS[workload].kind == "paced":
        print("libcurl, C sockets and aiohttp are measured in the closed loop only.\n")
    print("| client | p50 ms | p99 ms | p99.9 ms | max ms | CPU µs/request |")
    print("|---|---|---|---|---|---|")
    measured = [one for one in found if workload in one.runs]
    for client in sorted(measured, key=lambda one: one.median(workload, "p99_ms")):
        cells = [" ".join(filter(None, [client.name, client.version, client.mode]))]
        cells += [f"{client.median(workload, field):.2f}" for field in LATENCIES]
        print(f"| {' | '.join(cells)} | {client.median(workload, 'cpu_us'):.1f} |")
    print(flush=True)


def report_table(found, workload):
    work = WORKLOADS[workload]
    unit = "MB/s" if work.size else "ms" if work.kind == "start" else "requests/s"
    print(f"\n{workload}: {work.title}\n")
    print(f"| client | {unit} | CPU µs/request | with the server's | allocations/request | peak RSS MB "
          "| CPU: pipeline to this |")
    print("|---|---|---|---|---|---|---|")
    own = [one for one in found if one.name == "Cumulus" and one.mode in ("pipeline-caller", "command")
           and workload in one.runs]
    for client in sorted((one for one in found if workload in one.runs), key=lambda one: one.median(workload, "cpu_us")):
        cpu = client.median(workload, "cpu_us")
        ratio = f"{own[0].median(workload, 'cpu_us') / cpu:.2f}" if own and cpu > 0 else ""
        allocations = client.allocations.get(workload)
        rate = client.median(workload, "rate")
        both = client.both(workload) or "–"
        print(f"| {' '.join(filter(None, [client.name, client.version, client.mode]))} "
              f"| {rate:.1f} | {cpu:.1f} " if work.kind == "start" else
              f"| {' '.join(filter(None, [client.name, client.version, client.mode]))} | {rate:.0f} | {cpu:.1f} ",
              f"| {both} | {'–' if allocations is None else f'{allocations:.1f}'} "
              f"| {client.median(workload, 'peak_rss_mb'):.1f} | {ratio} |", sep="")
    for name, mode, factor, peer in BARS:
        mine = [one for one in found if one.name == "Cumulus" and one.mode == mode and workload in one.runs]
        theirs = [one for one in found if one.name == peer and workload in one.runs]
        if name == workload and mine and theirs:
            field = "rate" if work.kind == "start" else "cpu_us"
            ratio = mine[0].median(workload, field) / theirs[0].median(workload, field)
            verdict = "held" if ratio <= factor else "MISSED"
            print(f"\nbar: {mode} at most {factor} x {peer}: {ratio:.2f}, {verdict}", end="")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(prog="Scripts/benchmark.sh http")
    parser.add_argument("workloads", nargs="*", help=f"all, or some of {' '.join(WORKLOADS)}; else w1 w2")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--share", type=float, default=1, help="a part of the requests, for a quicker look")
    parser.add_argument("--only", help="names of clients, with commas between them")
    parser.add_argument("--modes", default="pipeline-caller,pipeline-loop,transport-caller,transport-loop", help="ways to use Cumulus")
    parser.add_argument("--memory", help="a folder in memory for large files", default="/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir())
    for name in ("cumulus", "cumulus-version", "before", "before-version", "command", "curl", "limit", "sink", "counter",
                 "async-http-client", "url-session", "go", "reqwest", "hyper", "python"):
        parser.add_argument(f"--{name}", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    chosen = list(WORKLOADS) if "all" in arguments.workloads else arguments.workloads or ["w1", "w2"]
    if unknown := set(chosen) - set(WORKLOADS):
        parser.error(f"there is no workload {', '.join(sorted(unknown))}")
    # Ended from outside, it still ends its servers and removes its files.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    allow_descriptors()
    if any(WORKLOADS[workload].kind == "paced" for workload in chosen):
        sharpen_sleeps()
    pinned = shutil.which("taskset") and (os.cpu_count() or 1) > 1
    server_pin, client_pin = (["taskset", "-c", "0"], ["taskset", "-c", "1"]) if pinned else ([], [])
    found = clients(arguments)
    with tempfile.TemporaryDirectory(dir=arguments.memory) as folder:
        servers = Servers(folder, arguments.sink, server_pin)
        try:
            if not arguments.json:
                print(f"nginx {servers.version.strip()}, medians of {arguments.rounds} interleaved rounds, "
                      f"{'server and client on a processor each' if pinned else 'not pinned'}, "
                      f"load average at the start {os.getloadavg()[0]:.1f}")
            for workload in chosen:
                measure(found, workload, servers, arguments, client_pin)
                table = report_latency if WORKLOADS[workload].kind in ("latency", "paced") else report_table
                (report_json if arguments.json else table)(found, workload)
        finally:
            servers.stop()


def allow_descriptors():
    """Raises the limit of open files, here and for nginx and the clients: each connection is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8192 if hard == resource.RLIM_INFINITY else min(8192, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def sharpen_sleeps():
    """Ends sleeps on time, not up to 50 µs later: the clients started from here inherit this."""
    path = "/proc/self/timerslack_ns"
    if os.path.exists(path):
        with open(path, "w", encoding="ascii") as file:
            file.write("1")


def measure(found, workload, servers, arguments, pin):
    taking_part = [one for one in found if workload in one.workloads]
    for client in taking_part:
        if arguments.counter and client.preload and WORKLOADS[workload].kind in ("get", "fresh"):
            counted = run(client, workload, servers, arguments, pin, counts=True)
            if counted and counted["allocations"] is not None:
                client.allocations[workload] = round(counted["allocations"], 1)
    for _ in range(arguments.rounds):
        for client in list(taking_part):
            result = start(client, servers, pin) if workload == "w7" else run(client, workload, servers, arguments, pin)
            if result is None:
                # One that fails is left out rather than half measured.
                taking_part.remove(client)
                client.runs.pop(workload, None)
            else:
                client.runs.setdefault(workload, []).append(result)


main()
