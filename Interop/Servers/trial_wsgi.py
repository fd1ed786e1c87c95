# SPDX-License-Identifier: Apache-2.0
"""The trial's paths as a WSGI application, for gunicorn and, run as a program with a port, for Werkzeug's server."""

import hashlib
import os
import re
import sys

CONTENT = os.environ["TRIAL_CONTENT"]
NUMBERS = open(os.environ["TRIAL_NUMBERS"], "ab", buffering=0)
PHRASES = {200: "200 OK", 206: "206 Partial Content", 403: "403 Forbidden", 413: "413 Content Too Large"}


def pieces(start, length):
    with open(CONTENT, "rb") as file:
        file.seek(start)
        while length > 0:
            piece = file.read(min(length, 1 << 18))
            length -= len(piece)
            yield piece


def send_bytes(environ, start_response, size):
    start, end, status = 0, size - 1, 200
    fields = [("ETag", f'"{size}"'), ("Accept-Ranges", "bytes"), ("Content-Type", "application/octet-stream")]
    if asked := re.fullmatch(r"bytes=(\d+)-(\d*)", environ.get("HTTP_RANGE", "")):
        start, status = int(asked[1]), 206
        end = min(end, int(asked[2] or end))
        fields.append(("Content-Range", f"bytes {start}-{end}/{size}"))
    start_response(PHRASES[status], [*fields, ("Content-Length", str(end - start + 1))])
    return pieces(start, end - start + 1)


def echo(environ, start_response):
    if number := environ.get("HTTP_X_TRIAL_NUMBER"):
        NUMBERS.write(number.encode() + b"\n")
    digest, count = hashlib.sha256(), 0
    left = int(environ.get("CONTENT_LENGTH") or 0)
    while left > 0 and (piece := environ["wsgi.input"].read(min(left, 1 << 18))):
        digest.update(piece)
        count += len(piece)
        left -= len(piece)
    body = f"{count} {digest.hexdigest()}".encode()
    start_response(PHRASES[200], [("Content-Length", str(len(body))), ("Content-Type", "text/plain")])
    return [body]


def app(environ, start_response):
    _, kind, *value = environ["PATH_INFO"].split("/")
    if kind == "bytes":
        return send_bytes(environ, start_response, int(value[0]))
    if kind == "echo":
        return echo(environ, start_response)
    start_response(PHRASES[int(value[0])] if kind == "early" else "404 Not Found", [("Content-Length", "5")])
    return [b"early"]


if __name__ == "__main__":
    from werkzeug.serving import run_simple

    run_simple("127.0.0.1", int(sys.argv[1]), app, threaded=True)
