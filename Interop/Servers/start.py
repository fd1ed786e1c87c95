#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starts the servers of the trial side by side on free loopback ports, and stops them when it is stopped.

Usage: start.py FOLDER CERTIFICATES VENV MEBIBYTES [NAME ...]

CERTIFICATES has `ca.pem`, `server.pem` and `server.key`; VENV is the folder of PyPI's programs. In FOLDER it makes
`content.bin` of that size, `numbers`, into which the servers write what arrived, and, last, `servers.tsv`: a line for
each server and version of HTTP with name, version, URL, seconds that an unused connection lasts, `echo`, `count` or
`close`, and the command that restarts it. What isn't installed or doesn't start is named as left out.
"""

import array
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "Scripts"))
import catalog
from free_ports import free_ports


def say(*words):
    print("servers:", *words, file=sys.stderr, flush=True)


class Place:
    """The files and programs that the servers share."""

    def __init__(self, run, certificates, venv, size):
        self.run, self.venv = run, venv
        self.certificate, self.key = certificates / "server.pem", certificates / "server.key"
        self.content, self.numbers, self.files = run / "content.bin", run / "numbers", run / "files"
        self.both, self.store, self.classes = run / "server-and-key.pem", run / "server.p12", run / "classes"
        self.backend, self.log = run / "trial", run / "logs"
        self.processes = []
        # For each server, and for what a few of them need besides.
        self.ports = free_ports(128)
        for folder in (self.files / "bytes", self.classes, self.log, run / "tomcat"):
            folder.mkdir(parents=True, exist_ok=True)
        # Apache and others leave root for a user of their own.
        run.chmod(0o755)
        self.numbers.touch()
        self.both.write_bytes(self.certificate.read_bytes() + self.key.read_bytes())
        shutil.copy(certificates / "ca.pem", run / "ca.pem")
        # Each 8 bytes tell their place, most significant byte first.
        words = array.array("Q", range(size // 8))
        words.byteswap()
        with open(self.content, "wb") as file:
            words.tofile(file)
        for length in (1_000, size):
            (self.files / "bytes" / str(length)).write_bytes(words.tobytes()[:length])
        (self.files / "echo").touch()

    def free_port(self):
        return self.ports.pop()

    def build(self, names):
        """Compiles what is compiled, side by side; returns the names of what can't be had."""
        tasks = {"go": ["go", "build", "-o", self.backend, catalog.HERE / "trial.go"]}
        java = catalog.HERE / "java"
        common = ["javac", "-d", self.classes, "-sourcepath", java, "-cp"]
        if "tomcat" in names:
            tasks["tomcat"] = [*common, catalog.TOMCAT, java / "TomcatServer.java"]
        if "jetty" in names:
            tasks["jetty"] = [*common, catalog.JETTY, java / "JettyServer.java"]
            subprocess.run(
                ["openssl", "pkcs12", "-export", "-in", self.certificate, "-inkey", self.key, "-out", self.store,
                 "-passout", "pass:trial"], check=True)
        if "jdk" in names:
            tasks["jdk"] = [*common, ".", java / "JDKServer.java"]
        running = {name: self.spawn(f"build-{name}", command) for name, command in tasks.items()}
        failed = [name for name, process in running.items() if process.wait() != 0]
        for name in failed:
            say(f"left out: {name} could not be built:", self.tail(f"build-{name}"))
        return failed

    def spawn(self, name, command):
        environment = dict(
            os.environ, PATH=f"{catalog.PATH}:{os.environ.get('PATH', '')}", HOME=str(self.run),
            GOCACHE=str(pathlib.Path.home() / ".cache/go-build"), GOFLAGS="-mod=mod", GO111MODULE="off",
            TRIAL_CONTENT=str(self.content), TRIAL_NUMBERS=str(self.numbers), PYTHONPATH=str(catalog.HERE),
            PYTHONDONTWRITEBYTECODE="1")
        with open(self.log / f"{name}.log", "wb") as log:
            return subprocess.Popen([str(word) for word in command], cwd=self.run, env=environment, stdout=log,
                                    stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)

    def tail(self, name):
        text = (self.log / f"{name}.log").read_text(errors="replace").strip()
        return text[-400:] or "it said nothing"

    def start(self, name, command, port):
        """Starts a server and waits until it accepts connections; returns its process, or None."""
        process = self.spawn(name, command)
        self.processes.append(process)
        end = time.monotonic() + 120
        while time.monotonic() < end and process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=5).close()
                return process
            except OSError:
                time.sleep(0.05)
        say(f"left out: {name} did not start:", self.tail(name))
        return None

    def stop(self):
        for process in self.processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except OSError:
                pass
        for process in self.processes:
            process.wait()


def lines_of(place, server, port, process):
    restart = server.restart.format(pid=process.pid, run=place.run)
    host = "localhost" if server.scheme == "https" else "127.0.0.1"
    for version in server.versions.split():
        kind = "echo" if server.echoes else "close" if server.closes else "count"
        yield "\t".join([server.name, version, f"{server.scheme}://{host}:{port}", str(server.idle), kind, restart])


def main():
    run, certificates, venv = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    wanted = sys.argv[5:]
    begin = time.monotonic()
    place = Place(run, certificates, venv, int(sys.argv[4]) << 20)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        chosen = [server for server in catalog.servers(venv) if not wanted or server.name in wanted]
        for server in chosen:
            if not server.is_there():
                say(f"left out: {server.name}: there is no {server.needs}")
        chosen = [server for server in chosen if server.is_there()]
        failed = place.build({server.name for server in chosen})
        place.backend_port = place.free_port()
        if place.start("backend", [place.backend, place.backend_port, place.content, place.numbers],
                       place.backend_port) is None:
            return 1
        table = {}

        def start(server):
            port = place.free_port()
            if process := place.start(server.name, server.command(place, port), port):
                table[server.name] = list(lines_of(place, server, port, process))

        threads = [threading.Thread(target=start, args=[server]) for server in chosen if server.name not in failed]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rows = [line for server in chosen for line in table.get(server.name, [])]
        (run / "servers.part").write_text("".join(f"{row}\n" for row in rows))
        os.rename(run / "servers.part", run / "servers.tsv")
        say(f"{len(table)} of {len(catalog.servers(venv))} are up after {time.monotonic() - begin:.1f} s:", *table)
        while True:
            signal.pause()
    finally:
        place.stop()


if __name__ == "__main__":
    sys.exit(main())
