# SPDX-License-Identifier: Apache-2.0
"""Answers each request with what it was, as JSON; prints its port, on loopback."""
import http.server, json, time

FILE = bytes(range(256)) * 400


class Echo(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8", "replace")
        if self.path == "/slow":
            time.sleep(5)
        if self.path == "/file.bin":
            return self.file()
        value = {"method": self.command, "path": self.path, "headers": dict(self.headers.items()), "body": body}
        if self.path == "/list":
            value = [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bob"}]
        self.send(404 if self.path == "/missing" else 200, json.dumps(value).encode(), "application/json")

    def file(self):
        range_ = self.headers.get("Range", "")
        start, end, status = 0, len(FILE) - 1, 200
        extra = {"ETag": '"one"', "Accept-Ranges": "bytes"}
        if range_.startswith("bytes="):
            first, last = range_[6:].split("-")
            start, status = int(first), 206
            end = min(int(last), end) if last else end
            extra["Content-Range"] = f"bytes {start}-{end}/{len(FILE)}"
        self.send(status, FILE[start : end + 1], "application/octet-stream", extra)

    def send(self, status, body, kind, extra={}):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **extra}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_HEAD = do_PATCH = do_DELETE = answer

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
print(server.server_port, flush=True)
server.serve_forever()
