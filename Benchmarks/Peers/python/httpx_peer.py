# SPDX-License-Identifier: Apache-2.0
"""httpx as a client under measurement; compare_http.py calls it."""

import asyncio

import httpx

from meter import Workload, measure


async def main():
    work = Workload()
    connections = max(64, work.in_flight)
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    async with httpx.AsyncClient(limits=limits, timeout=120) as client:

        async def one(work):
            if work.kind == "discard":
                async with client.stream("GET", work.url) as response:
                    response.raise_for_status()
                    size = 0
                    async for piece in response.aiter_bytes():
                        size += len(piece)
                    return size
            response = await client.get(work.url)
            response.raise_for_status()
            return len(response.content)

        await measure(work, one, httpx.__version__)


asyncio.run(main())
