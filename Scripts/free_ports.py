# SPDX-License-Identifier: Apache-2.0
"""Ports of this machine for servers that start later: free ones, and none that the system assigns by itself.

A port that the system chose (`bind` with 0) may be chosen again, for a connection or for the server of a test, before
the server that it is meant for has started. These are below every system's range for that.

Usage: free_ports.py COUNT
"""

import random
import socket
import sys

PORTS = range(16_000, 32_000)


def free_ports(count):
    """As many different ports, on which nothing listens."""
    probes = []
    try:
        for port in random.sample(PORTS, len(PORTS)):
            if len(probes) == count:
                break
            probe = socket.socket()
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                probe.close()
            else:
                probes.append(probe)
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def free_port():
    """One of them."""
    return free_ports(1)[0]


if __name__ == "__main__":
    print(*free_ports(int(sys.argv[1])), sep="\n")
