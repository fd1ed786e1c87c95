#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures `cumulus download -x N` beside aria2c, over connections that a loopback server limits; prints a table.

    Scripts/connections.py [--command FILE] [--size BYTES] [--runs N] [--case NAME ...] [--ours]

Each connection gets a rate when it is accepted, by its number. The best of N runs (1 unless told) counts. Fails if a
file was wrong, if ours took more than 1.05 of aria2c's time and a tenth of a second, or if more connections took longer
than fewer by as much.
"""

import argparse
import hashlib
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

# The rates of the connections in bytes per second, in turn; 0 is unlimited.
CASES = {
    "even": [200_000],
    "uneven": [400_000, 100_000, 200_000, 50_000],
    "one crawls": [300_000, 300_000, 300_000, 4_000],
    "slow": [40_000],
    "fast": [0],
}
COUNTS = (1, 2, 4, 8, 16)
SLACK = 0.1


class Server:
    def __init__(self, data, rates):
        self.data, self.rates, self.accepted = data, rates, 0
        self.tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}/file"

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            rate = self.rates[self.accepted % len(self.rates)]
            self.accepted += 1
            threading.Thread(target=self.serve, args=(connection, rate), daemon=True).start()

    def serve(self, connection, rate):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if rate:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)
        buffer = b""
        try:
            while True:
                while b"\r\n\r\n" not in buffer:
                    received = connection.recv(65_536)
                    if not received:
                        return
                    buffer += received
                head, buffer = buffer.split(b"\r\n\r\n", 1)
                self.answer(connection, head.decode("latin-1"), rate)
        except OSError:
            pass
        finally:
            connection.close()

    def answer(self, connection, head, rate):
        length = len(self.data)
        fields = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head.split("\r\n")[1:])}
        start, end, status, extra = 0, length, "200 OK", ""
        if "range" in fields:
            first, _, last = fields["range"].removeprefix("bytes=").partition("-")
            start, end = int(first), min(int(last) + 1, length) if last else length
            status, extra = "206 Partial Content", f"Content-Range: bytes {start}-{end - 1}/{length}\r\n"
        connection.sendall(
            f"HTTP/1.1 {status}\r\nContent-Length: {end - start}\r\nETag: {self.tag}\r\n"
            f"Accept-Ranges: bytes\r\n{extra}\r\n".encode()
        )
        if not rate:
            connection.sendall(memoryview(self.data)[start:end])
            return
        begun, sent, piece = time.monotonic(), 0, max(256, rate // 20)
        while sent < end - start:
            chunk = self.data[start + sent : min(start + sent + piece, end)]
            connection.sendall(chunk)
            sent += len(chunk)
            ahead = begun + sent / rate - time.monotonic()
            if ahead > 0:
                time.sleep(ahead)


def measure(server, data, folder, arguments):
    server.accepted = 0
    started = time.monotonic()
    code = subprocess.run(arguments, cwd=folder, stdout=subprocess.DEVNULL).returncode
    took = time.monotonic() - started
    path = folder / "file"
    right = code == 0 and path.is_file() and path.read_bytes() == data
    for left in folder.iterdir():
        left.unlink()
    return took, right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", default=".build/debug/cumulus")
    parser.add_argument("--size", type=int, default=19 << 20)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--case", action="append", choices=CASES)
    parser.add_argument("--ours", action="store_true", help="leave out aria2c")
    options = parser.parse_args()
    ours = str(pathlib.Path(options.command).resolve())
    has_aria = not options.ours and shutil.which("aria2c")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="connections-"))
    failed = False
    print(f"{'connections':14}" + "".join(f"{f'-x {count}':>16}" for count in COUNTS))
    for case in options.case or CASES:
        # A slow server's file is smaller, so that one connection ends, too.
        size = options.size // 8 if case == "slow" else options.size
        data = random.Random(7).randbytes(size)
        server = Server(data, CASES[case])
        fewest, cells = None, []
        for count in COUNTS:
            aria = ["aria2c", "-q", "--no-conf", f"-x{count}", f"-s{count}", "-k1M", "-o", "file", server.url]
            mine = [ours, "download", "-q", "-x", str(count), "-o", "file", server.url]
            times = []
            for arguments in [mine, aria] if has_aria else [mine]:
                results = [measure(server, data, folder, arguments) for _ in range(options.runs)]
                failed |= arguments is mine and not all(right for _, right in results)
                times.append(min(took for took, _ in results))
            bad = fewest is not None and times[0] > 1.05 * fewest + SLACK
            bad |= len(times) > 1 and count > 1 and times[0] > 1.05 * times[1] + SLACK
            failed |= bad
            fewest = min(fewest or times[0], times[0])
            cells.append(" / ".join(f"{took:.2f}" for took in times) + ("!" if bad else ""))
        print(f"{case:14}" + "".join(f"{cell:>16}" for cell in cells), flush=True)
    folder.rmdir()
    print("seconds of ours / aria2c's" + (": FAILED" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
