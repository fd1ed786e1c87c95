# SPDX-License-Identifier: Apache-2.0
"""Event streams by sse-starlette, on the port that is the first argument; the paths are those of events.js.

feed: numbered events each 0.01 s, or `pause`, which continue after Last-Event-ID; `last` ends them, and a request after
that one gets 204.
silent: an event, then nothing; with `beat`, a comment each 0.2 s. gate: an event, and another one after a POST.
chat: a reply in parts. open: how many streams are open.
"""

import asyncio
import json
import sys

import uvicorn
from sse_starlette.sse import EventSourceResponse
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

streams = 0
gate = asyncio.Event()


async def counted(events):
    global streams
    streams += 1
    try:
        async for event in events:
            yield event
    finally:
        streams -= 1


def response(events, ping=3600):
    return EventSourceResponse(counted(events), ping=ping)


async def feed(request):
    number = int(request.headers.get("last-event-id", "0"))
    last = int(request.query_params.get("last", "1000000"))
    pause = float(request.query_params.get("pause", "0.01"))
    if number >= last:
        return Response(status_code=204)

    async def events():
        for current in range(number + 1, last + 1):
            yield {"id": str(current), "data": json.dumps({"n": current}), "retry": 100}
            await asyncio.sleep(pause)

    return response(events())


async def silent(request):
    async def events():
        yield {"id": "1", "data": "one", "retry": 100}
        await asyncio.sleep(2 if "beat" in request.query_params else 3600)
        yield {"id": "2", "data": "two"}

    return response(events(), ping=0.2 if "beat" in request.query_params else 3600)


async def gated(request):
    if request.method == "POST":
        gate.set()
        return JSONResponse({})
    gate.clear()

    async def events():
        yield {"data": "before"}
        await gate.wait()
        yield {"data": "behind"}

    return response(events())


async def chat(request):
    question = (await request.json())["question"]

    async def events():
        for word in question.split(" "):
            yield {"data": json.dumps({"text": word + " ", "note": "Zürich\nnew line"}, ensure_ascii=False)}
        yield {"event": "usage", "data": json.dumps({"words": len(question.split(" "))})}
        yield {"data": "[DONE]"}

    return response(events())


async def opened(request):
    return JSONResponse(streams)


app = Starlette(
    routes=[
        Route("/feed", feed),
        Route("/silent", silent),
        Route("/gate", gated, methods=["GET", "POST"]),
        Route("/chat", chat, methods=["POST"]),
        Route("/open", opened),
    ]
)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error", backlog=2048)
