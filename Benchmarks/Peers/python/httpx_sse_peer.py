# SPDX-License-Identifier: Apache-2.0
"""httpx-sse as a client under measurement; compare_events.py calls it: parse FILE TIMES | stream URL."""

import importlib.metadata
import json
import sys

import httpx
import httpx_sse

from meter import used

if sys.argv[1] == "version":
    print(f"httpx-sse {importlib.metadata.version('httpx-sse')}, httpx {httpx.__version__}")
    sys.exit()


class Pieces(httpx.SyncByteStream):
    def __iter__(self):
        with open(sys.argv[2], "rb") as file:
            content = file.read()
        for _ in range(int(sys.argv[3])):
            for start in range(0, len(content), 65536):
                yield content[start : start + 65536]


def answer(request):
    return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, stream=Pieces())


transport = httpx.MockTransport(answer) if sys.argv[1] == "parse" else None
url = "http://a.example" if sys.argv[1] == "parse" else sys.argv[2]
events = size = 0
with httpx.Client(transport=transport, timeout=120) as client:
    wall, cpu = used()
    with httpx_sse.connect_sse(client, "GET", url) as source:
        for event in source.iter_sse():
            events += 1
            size += len(event.data)
    later = used()
print(json.dumps({"events": events, "bytes": size, "seconds": later[0] - wall, "cpu": later[1] - cpu}))
