#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills `cumulus --cache FOLDER URL` with SIGKILL at random moments, two at a time, and looks at what the folder gives.

    Scripts/killtest/cache.py [ROUNDS] [--command PATH] [--seed NUMBER]

A server on loopback has 8 URLs with two versions each, sent in pieces. After each round a run that may send nothing must
give one version, whole, or nothing (504). Fails if a body was wrong, or a run that wasn't killed failed.
"""

import argparse
import functools
import http.server
import pathlib
import random
import subprocess
import tempfile
import threading
import time

CHANCE = random.Random()


@functools.cache
def body(path, version):
    return random.Random(f"{path} {version}").randbytes(700_000)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        content = body(self.path, CHANCE.randint(0, 1))
        self.send_response(200)
        self.send_header("Cache-Control", "max-age=86400")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        try:
            for start in range(0, len(content), 50_000):
                self.wfile.write(content[start : start + 50_000])
                time.sleep(0.004)
        except OSError:
            pass

    def log_message(self, *arguments):
        pass


def main():
    parser = argparse.ArgumentParser(prog="Scripts/killtest/cache.py")
    parser.add_argument("rounds", nargs="?", type=int, default=500)
    parser.add_argument("--command", default=".build/debug/cumulus")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    CHANCE.seed(options.seed)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    # A killed client resets its connection.
    server.handle_error = lambda *_: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    counts = dict.fromkeys(("killed", "ended", "whole", "nothing", "WRONG"), 0)
    with tempfile.TemporaryDirectory() as folder:

        def words(path, *items):
            url = f"http://127.0.0.1:{server.server_port}{path}"
            return [options.command, "--no-config", "--ignore-stdin", "-b", url, *items, "--cache", folder]

        def judge(path, output, allowed):
            right = output in (body(path, 0), body(path, 1))
            counts["whole" if right else "nothing" if allowed and not output else "WRONG"] += 1

        quiet = subprocess.DEVNULL
        for _ in range(options.rounds):
            path = f"/{CHANCE.randint(0, 7)}"
            writers = [
                subprocess.Popen(words(path, "Cache-Control:no-cache"), stdout=quiet, stderr=quiet) for _ in range(2)
            ]
            time.sleep(CHANCE.uniform(0.02, 0.25))
            for writer in writers:
                if CHANCE.random() < 0.8:
                    writer.kill()
                counts["killed" if writer.wait() == -9 else "ended" if writer.returncode == 0 else "WRONG"] += 1
            run = subprocess.run(words(path, "Cache-Control:only-if-cached"), capture_output=True, check=False)
            judge(path, run.stdout, allowed=run.returncode == 5)
        judge("/0", subprocess.run(words("/0"), capture_output=True, check=False).stdout, allowed=False)
        drafts = len(list(pathlib.Path(folder).rglob("*.new")))
    print(f"{options.rounds} rounds, seed {options.seed}: {counts}, {drafts} drafts left")
    raise SystemExit(1 if counts["WRONG"] else 0)


if __name__ == "__main__":
    main()
