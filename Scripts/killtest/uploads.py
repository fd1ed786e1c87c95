#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rounds of Scripts/killuploads.sh: uploads that are killed and continued."""

import argparse
import hashlib
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from free_ports import free_port  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SECONDS = 1.5  # about how long a transfer takes
MOST_KILLS = 4
PATIENCE = 120
PIECE = 8 << 20  # the command's default
CONCURRENCY = 4
KEY, SECRET = "AKIAIOSFODNN7EXAMPLE", "secret"


class CountingProxy:
    """Passes TCP connections on, and counts the bytes from the client."""

    def __init__(self, target):
        self.target, self.bytes = target, 0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            for source, sink, counts in [(client, server, True), (server, client, False)]:
                threading.Thread(target=self.copy, args=(source, sink, counts), daemon=True).start()

    def copy(self, source, sink, counts):
        try:
            while data := source.recv(1 << 16):
                if counts:
                    with self.lock:
                        self.bytes += len(data)
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Server:
    """A server of uploads in a process, behind a proxy."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder / name
        self.folder.mkdir(parents=True)
        self.port = free_port()
        self.log = open(folder / f"{name}.log", "wb")
        if name == "moto":
            command = [str(pathlib.Path(sys.executable).parent / "moto_server"), "-H", "127.0.0.1", "-p", str(self.port)]
        else:
            script = ROOT / "Interop/Support/tus_server.py"
            command = [sys.executable, str(script), str(self.port), str(self.folder), name]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"killuploads: {name} did not start")
                time.sleep(0.1)
        self.proxy = CountingProxy(self.port)
        if name == "moto":
            self.client(self.port).create_bucket(Bucket="bucket")

    def client(self, port):
        import boto3

        return boto3.client(
            "s3", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1",
            aws_access_key_id=KEY, aws_secret_access_key=SECRET,
        )

    def arguments(self, number):
        if self.name == "moto":
            return [f"s3://bucket/file-{number}", "--endpoint", f"http://127.0.0.1:{self.proxy.port}"]
        return ["--tus", f"http://127.0.0.1:{self.proxy.port}/files/"]

    def digest(self, number, output):
        """The digest of what arrived, and removes it."""
        if self.name == "moto":
            client = self.client(self.port)
            body = client.get_object(Bucket="bucket", Key=f"file-{number}")["Body"]
            found = hashlib.sha256()
            for piece in body.iter_chunks(1 << 20):
                found.update(piece)
            client.delete_object(Bucket="bucket", Key=f"file-{number}")
            return found.hexdigest()
        name = output.strip().split("/")[-1]
        paths = [path for path in (self.folder / name, self.folder / "completed" / name) if path.is_file()]
        if len(paths) != 1:
            return f"{len(paths)} files named {name}"
        with open(paths[0], "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        paths[0].unlink()
        return found

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


def reasons(errors):
    """The lines of a run that say why it started over."""
    return [line for line in errors.decode().splitlines() if "from the beginning" in line]


def upload(command, server, file, state, number, generator, seconds):
    """Runs one upload to its end, killed at random moments; the last run is not killed.

    `seconds` is about how long a whole run takes. Returns how often it was killed, the output of the last run, and the
    reasons of the runs that started over: tussi no longer has an upload that is complete, which a killed client may not
    have learned."""
    environment = dict(
        os.environ, XDG_STATE_HOME=str(state), HOME=str(state), AWS_ACCESS_KEY_ID=KEY, AWS_SECRET_ACCESS_KEY=SECRET,
        AWS_REGION="us-east-1",
    )
    # The client limits the rate, so that kills land in the middle and little is in the buffers between.
    rate = f"{int(file.stat().st_size / SECONDS)}"
    arguments = [command, "upload", "-c", str(file), *server.arguments(number), "--limit-rate", rate]
    kills, restarts = generator.randint(1, MOST_KILLS), []
    for killed in range(kills + 1):
        process = subprocess.Popen(
            arguments, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            limit = generator.uniform(0, seconds) if killed < kills else PATIENCE
            output, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            restarts += reasons(errors)
            if output:
                # It had ended, and its record was removed: another run would be another upload.
                return killed, output.decode(), restarts
            if killed == kills:
                raise SystemExit(f"killuploads: {server.name}: upload {number} took more than {PATIENCE} s")
            continue
        if process.returncode != 0:
            raise SystemExit(f"killuploads: {server.name}: upload {number} failed after {killed} kills: {errors.decode()}")
        return killed, output.decode(), restarts + reasons(errors)
    raise AssertionError("unreachable")


def others(server, file):
    """The seconds and bytes of another client."""
    before, started = server.proxy.bytes, time.monotonic()
    if server.name == "moto":
        server.client(server.proxy.port).upload_file(str(file), "bucket", "other")
        name = "boto3"
    else:
        from tusclient import client

        url = f"http://127.0.0.1:{server.proxy.port}/files/"
        client.TusClient(url).uploader(str(file), chunk_size=PIECE).upload()
        name = "tus-py-client"
    return name, time.monotonic() - started, server.proxy.bytes - before


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", nargs="?", type=int, default=10)
    parser.add_argument("--command", required=True)
    parser.add_argument("--home", required=True)
    parser.add_argument("--ours", action="store_true")
    parser.add_argument("--size", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--servers", default="tuspyserver,tussi,moto")
    options = parser.parse_args()
    generator = random.Random(options.seed)
    print(f"seed {options.seed}", flush=True)
    folder = pathlib.Path(tempfile.mkdtemp(dir=options.home)).resolve()
    file = folder / "file.bin"
    with open(file, "wb") as output:
        for _ in range(options.size):
            output.write(generator.randbytes(1 << 20))
    size = file.stat().st_size
    expected = hashlib.sha256(file.read_bytes()).hexdigest()
    failed = False
    try:
        for name in options.servers.split(","):
            server = Server(name, folder)
            try:
                started, before = time.monotonic(), server.proxy.bytes
                state = folder / "state"
                process = subprocess.run(
                    [options.command, "upload", str(file), *server.arguments("whole")],
                    env=dict(
                        os.environ, XDG_STATE_HOME=str(state), HOME=str(state), AWS_ACCESS_KEY_ID=KEY,
                        AWS_SECRET_ACCESS_KEY=SECRET, AWS_REGION="us-east-1",
                    ),
                    stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                )
                if process.returncode != 0 or server.digest("whole", process.stdout) != expected:
                    raise SystemExit(f"killuploads: {name}: {process.stderr}")
                taken = time.monotonic() - started
                print(f"{name}: cumulus {taken:.2f} s, {server.proxy.bytes - before} bytes", flush=True)
                if not options.ours:
                    other, seconds, count = others(server, file)
                    print(f"{name}: {other} {seconds:.2f} s, {count} bytes", flush=True)
                kills = wrong = resent = beyond = restarts = 0
                for number in range(options.count):
                    before = server.proxy.bytes
                    killed, output, restarted = upload(
                        options.command, server, file, folder / "state", number, generator, taken + SECONDS
                    )
                    excess = server.proxy.bytes - before - size
                    allowed = killed * PIECE * (CONCURRENCY if name == "moto" else 1) + size // 50
                    restarts += len(restarted)
                    for reason in restarted:
                        print(f"{name}: upload {number}: {reason}", flush=True)
                    allowed += size * len(restarted) if name == "tussi" else 0
                    kills += killed
                    resent += max(0, excess)
                    if excess > allowed:
                        beyond += 1
                        print(f"{name}: upload {number}: {excess} bytes sent again after {killed} kills", flush=True)
                    if server.digest(number, output) != expected:
                        wrong += 1
                        print(f"{name}: upload {number} has wrong bytes", flush=True)
                left = list((folder / "state").rglob("*.upload*"))
                print(
                    f"{name}: {options.count} uploads of {options.size} MiB, {kills} kills, {wrong} wrong, "
                    f"{resent / max(1, kills) / (1 << 20):.2f} MiB sent again per kill, "
                    f"{beyond} beyond what was in flight, {restarts} started over, {len(left)} records left",
                    flush=True,
                )
                failed = failed or wrong > 0 or beyond > 0 or len(left) > 0
            finally:
                server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)


main()
