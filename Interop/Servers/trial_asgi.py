# SPDX-License-Identifier: Apache-2.0
"""The trial's paths as an ASGI application, for Hypercorn and uvicorn."""

import hashlib
import os
import re

CONTENT = os.environ["TRIAL_CONTENT"]
NUMBERS = open(os.environ["TRIAL_NUMBERS"], "ab", buffering=0)


async def answer(send, status, body, fields=()):
    fields = [(b"content-length", b"%d" % len(body)), *fields]
    await send({"type": "http.response.start", "status": status, "headers": fields})
    await send({"type": "http.response.body", "body": body})


async def send_bytes(send, headers, size):
    start, end, status = 0, size - 1, 200
    fields = [(b"etag", b'"%d"' % size), (b"accept-ranges", b"bytes"), (b"content-type", b"application/octet-stream")]
    if asked := re.fullmatch(rb"bytes=(\d+)-(\d*)", headers.get(b"range", b"")):
        start, status = int(asked[1]), 206
        end = min(end, int(asked[2] or end))
        fields.append((b"content-range", b"bytes %d-%d/%d" % (start, end, size)))
    fields.append((b"content-length", b"%d" % (end - start + 1)))
    await send({"type": "http.response.start", "status": status, "headers": fields})
    with open(CONTENT, "rb") as file:
        file.seek(start)
        left = end - start + 1
        while left > 0:
            piece = file.read(min(left, 1 << 18))
            left -= len(piece)
            await send({"type": "http.response.body", "body": piece, "more_body": left > 0})


async def echo(receive, send, headers):
    if number := headers.get(b"x-trial-number"):
        NUMBERS.write(number + b"\n")
    digest, count = hashlib.sha256(), 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            return
        digest.update(event.get("body", b""))
        count += len(event.get("body", b""))
        if not event.get("more_body"):
            break
    await answer(send, 200, b"%d %s" % (count, digest.hexdigest().encode()))


async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            event = await receive()
            await send({"type": event["type"] + ".complete"})
            if event["type"] == "lifespan.shutdown":
                return
    headers = dict(scope["headers"])
    _, kind, *value = scope["path"].split("/")
    if kind == "bytes":
        await send_bytes(send, headers, int(value[0]))
    elif kind == "echo":
        await echo(receive, send, headers)
    else:
        await answer(send, int(value[0]) if kind == "early" else 404, b"early")
