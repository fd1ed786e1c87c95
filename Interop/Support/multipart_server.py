# SPDX-License-Identifier: Apache-2.0
"""A small server that reads multipart/form-data with python-multipart and tells what it read, as JSON.

Usage: multipart_server.py PORT    answers any POST: {"fields": [...], "framing": ...}, or 400 with the parser's words
"""

import hashlib
import http.server
import json
import re
import sys

from python_multipart import multipart


def read(content_type, body):
    kind, options = multipart.parse_options_header(content_type)
    fields = []

    def begin():
        fields.append({"headers": {}, "data": bytearray()})

    name, value = [], []

    def add_header():
        fields[-1]["headers"][b"".join(name).decode().lower()] = b"".join(value)
        name.clear()
        value.clear()

    def add_data(data, start, end):
        fields[-1]["data"] += data[start:end]

    ended = []
    parser = multipart.MultipartParser(options[b"boundary"], {
        "on_part_begin": begin,
        "on_header_field": lambda data, start, end: name.append(data[start:end]),
        "on_header_value": lambda data, start, end: value.append(data[start:end]),
        "on_header_end": add_header,
        "on_part_data": add_data,
        "on_end": lambda: ended.append(True),
    })
    parser.write(body)
    parser.finalize()
    if not ended:
        raise ValueError("the last boundary is missing")
    return kind.decode(), [shown(field) for field in fields]


def shown(field):
    # Read raw: python-multipart's own reader of parameters takes backslashes for escapes.
    disposition = field["headers"].get("content-disposition", b"").decode()
    parameters = dict(re.findall(r'; (\w+)="([^"]*)"', disposition))
    return {
        "name": parameters.get("name"),
        "filename": parameters.get("filename"),
        "type": field["headers"].get("content-type", b"").decode(),
        "size": len(field["data"]),
        "sha256": hashlib.sha256(field["data"]).hexdigest(),
        "hex": field["data"].hex() if len(field["data"]) <= 4096 else None,
    }


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = bytearray()
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return bytes(body)

    def do_POST(self):
        body = self.body()
        try:
            kind, fields = read(self.headers["Content-Type"], body)
            framing = "chunked" if self.headers.get("Transfer-Encoding") else "length"
            status, answer = 200, {"type": kind, "fields": fields, "framing": framing}
        except Exception as error:
            status, answer = 400, {"error": repr(error)}
        text = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
