# SPDX-License-Identifier: Apache-2.0
"""What the clients in Python have in common: arguments, clocks, the printed object."""

import asyncio
import json
import resource
import sys
import time


class Workload:
    """What to do: KIND COUNT IN-FLIGHT URL FILE ROOTS MODE."""

    def __init__(self):
        if len(sys.argv) != 8:
            sys.exit("KIND COUNT IN-FLIGHT URL FILE ROOTS MODE")
        self.kind, self.url = sys.argv[1], sys.argv[4]
        self.count, self.in_flight = int(sys.argv[2]), int(sys.argv[3])
        if self.kind == "paced":
            sys.exit("paced requests are not supported")


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return time.perf_counter(), usage.ru_utime + usage.ru_stime


def peak():
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))


def members(latencies):
    """Members of the printed object for latencies."""
    latencies.sort()
    return {f"{name}_ms": latencies[min(len(latencies) - 1, len(latencies) * permille // 1000)] * 1e3
            for name, permille in (("p50", 500), ("p99", 990), ("p999", 999), ("max", 1000)) if latencies}


async def repeated(work, one, count):
    async def sequence(share):
        return sum([await one(work) for _ in range(share)])

    shares = [(count + index) // work.in_flight for index in range(work.in_flight)]
    return sum(await asyncio.gather(*(sequence(share) for share in shares)))


def timed(one, latencies):
    async def timed_one(work):
        start = time.perf_counter()
        size = await one(work)
        latencies.append(time.perf_counter() - start)
        return size

    return timed_one


async def measure(work, one, version):
    if work.count > 1:
        await repeated(work, one, max(work.count // 10, work.in_flight))
    latencies = []
    if work.kind == "latency":
        one = timed(one, latencies)
    wall, processor = used()
    size = await repeated(work, one, work.count)
    wall_after, processor_after = used()
    print(json.dumps({
        "version": version, "requests": work.count, "bytes": size, "seconds": wall_after - wall,
        "cpu": processor_after - processor, "allocations": None, "peak_kb": peak(),
        **members(latencies),
    }))
