# SPDX-License-Identifier: Apache-2.0
"""aiohttp as a client under measurement; compare_http.py calls it."""

import asyncio

import aiohttp

from meter import Workload, measure


async def main():
    work = Workload()
    connector = aiohttp.TCPConnector(limit=max(64, work.in_flight))
    async with aiohttp.ClientSession(connector=connector, raise_for_status=True) as session:

        async def one(work):
            async with session.get(work.url) as response:
                if work.kind == "discard":
                    size = 0
                    async for piece in response.content.iter_any():
                        size += len(piece)
                    return size
                return len(await response.read())

        await measure(work, one, aiohttp.__version__)


asyncio.run(main())
