# SPDX-License-Identifier: Apache-2.0
"""httpx against a server that fails by chance; compare_faults.py calls it: URL COUNT IN-FLIGHT SETTING.

The setting is `retries=N` of httpx's own transport, or the `Retry(...)` of httpx-retries.
"""

import asyncio
import json
import sys

import httpx
from httpx_retries import Retry, RetryTransport

METHODS = ["GET", "GET", "GET", "GET", "GET", "GET", "PUT", "DELETE", "POST", "POST"]


async def call(client, url, number):
    method = METHODS[number % len(METHODS)]
    try:
        response = await client.request(
            method,
            url,
            headers={"X-Call": str(number)},
            content=b"1" if method in ("PUT", "POST") else None,
        )
    except httpx.HTTPError:
        return False
    return response.status_code == 200 and len(response.content) == 100


async def main():
    url, count, in_flight, setting = sys.argv[1], *map(int, sys.argv[2:4]), sys.argv[4]
    limits = httpx.Limits(max_connections=in_flight, max_keepalive_connections=in_flight)
    if setting.startswith("retries="):
        transport = httpx.AsyncHTTPTransport(retries=int(setting.removeprefix("retries=")), limits=limits)
    else:
        transport = RetryTransport(httpx.AsyncHTTPTransport(limits=limits), eval(setting, {"Retry": Retry}))
    result = {"idempotent": 0, "posts": 0, "failures": {}}
    numbers = iter(range(count))

    async def worker(client):
        for number in numbers:
            if await call(client, url, number):
                result["posts" if METHODS[number % len(METHODS)] == "POST" else "idempotent"] += 1

    async with httpx.AsyncClient(transport=transport) as client:
        await asyncio.gather(*(worker(client) for _ in range(in_flight)))
    print(json.dumps(result))


asyncio.run(main())
