# SPDX-License-Identifier: Apache-2.0
"""What a hit in the caches of Python clients costs: hishel over httpx (SQLite), requests-cache (memory, files)."""

import http.server
import pathlib
import sys
import tempfile
import threading
import time


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    requests = 0

    def do_GET(self):
        Answers.requests += 1
        body = b"A" * (1_000_000 if self.path == "/large" else 1_000)
        self.send_response(200)
        for name, value in [("Cache-Control", "max-age=86400"), ("ETag", '"1"'), ("Content-Type", "text/plain")]:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def show(name, get, url, runs):
    assert len(get(url).content) == len(get(url).content)
    before, best = Answers.requests, None
    for _ in range(5):
        start = time.process_time()
        for _ in range(runs):
            get(url)
        best = min(best or 1e9, (time.process_time() - start) / runs)
    assert Answers.requests == before, f"{name}: not from the cache"
    print(f"{name:<58}{best * 1e9:10.1f} ns")


def main():
    import hishel
    import hishel.httpx
    import requests_cache

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{server.server_port}"
    folder = pathlib.Path(tempfile.mkdtemp())
    rules = requests_cache.CachedSession(str(folder / "r"), backend="filesystem", cache_control=True)
    with requests_cache.CachedSession(backend="memory", cache_control=True) as session:
        show("requests-cache, memory, 1 kB", session.get, f"{site}/x", 500)
    show("requests-cache, files, 1 MB", rules.get, f"{site}/large", 50)
    for name, path, place, runs in [("1 kB", "x", "a.db", 300), ("1 MB", "large", "b.db", 30)]:
        storage = hishel.SqliteStorage(database_path=str(folder / place))
        with hishel.httpx.CacheClient(storage=storage) as client:
            show(f"hishel, SQLite, {name}", client.get, f"{site}/{path}", runs)


if __name__ == "__main__":
    sys.exit(main())
