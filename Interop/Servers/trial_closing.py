#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server that closes kept connections in ways in which a request can get lost: trial_closing.py PORT NUMBERS MODE
[CERTIFICATE KEY].

It responds to the first request of each connection. MODE is what it does then:

    close             closes at once, without having announced it
    reset-0, -5, -30  reads the second request, and resets the connection after so many milliseconds
    half-read         reads half of the second request, and closes
    half-close        ends its own direction, reads what still arrives, and closes

The number of each request of which it has read the head goes to the file, so that a request that arrives twice is found.
"""

import os
import random
import re
import socket
import ssl
import struct
import sys
import threading
import time

PORT, NUMBERS, MODE = int(sys.argv[1]), os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND | os.O_CREAT), sys.argv[3]
TLS = None
if len(sys.argv) > 5:
    TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    TLS.load_cert_chain(sys.argv[4], sys.argv[5])


def read(connection, most=1 << 30):
    """Reads a request, or at least `most` bytes of it, and notes its number; None if there is none."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65536 if most > 65536 else 1)
        if not piece:
            return None
        received += piece
    head, body = received.split(b"\r\n\r\n", 1)
    number = re.search(rb"\r\nx-trial-number: *(\S+)", head, re.I)
    if number:
        os.write(NUMBERS, number[1] + b"\n")
    length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.I)
    count = min(int(length[1]) if length else 0, most)
    while len(body) < count:
        piece = connection.recv(min(65536, count - len(body)))
        if not piece:
            return None
        body += piece
    return body


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def digest(body):
    import hashlib
    return b"%d %s" % (len(body), hashlib.sha256(body).hexdigest().encode())


def serve(connection):
    try:
        if TLS:
            connection = TLS.wrap_socket(connection, server_side=True)
        body = read(connection)
        if body is None:
            return
        text = digest(body)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(text), text))
        if MODE == "close":
            time.sleep(random.random() * 0.000_2)
        elif MODE.startswith("reset-"):
            if read(connection) is not None:
                time.sleep(int(MODE[6:]) / 1000)
                reset(connection)
        elif MODE == "half-read":
            read(connection, 500)
        elif MODE == "half-close":
            time.sleep(random.random() * 0.000_2)
            # Not the TLS object's, which would forget the keys.
            socket.socket.shutdown(connection, socket.SHUT_WR)
            connection.settimeout(0.2)
            read(connection)
    except OSError:
        pass
    finally:
        connection.close()


listener = socket.create_server(("127.0.0.1", PORT), backlog=1024)
while True:
    accepted, _ = listener.accept()
    accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=serve, args=[accepted], daemon=True).start()
