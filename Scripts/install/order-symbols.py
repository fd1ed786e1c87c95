#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes Scripts/install/symbol-order.txt: the functions that usual commands run, for the linker to put side by side.

A program's code is read from disk and mapped in pages. If what a request needs is scattered over all of them, most of
the file is in memory; side by side, it is a small part, and the program starts sooner. A name that is not there any more
is ignored, so the list needs to be written only now and then.

Usage: Scripts/install/order-symbols.py PROGRAM    (not stripped: .build/install/release/cumulus; needs valgrind, openssl)
"""

import http.server
import os
import pathlib
import re
import ssl
import subprocess
import sys
import tempfile
import threading

LIST = pathlib.Path(__file__).with_name("symbol-order.txt")
COMMANDS = [
    ["{plain}"],
    ["-v", "--pretty=all", "{plain}"],
    ["-a", "ada:pw", "--json", "{plain}", "title=Hi", "count:=3"],
    ["{secure}", "--verify={certificate}"],
    ["download", "--overwrite", "-o", "file", "{plain}"],
    ["--filter", ".items[0]", "{plain}"],
]


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b'{"items": [{"id": 1, "title": "Hi"}, null, 2.5, true]}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_):
        pass


def serve(certificate=None):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http{'s' if certificate else ''}://127.0.0.1:{server.server_port}/"


def functions_of(program, arguments, folder):
    """The linker's names of all functions that a command runs."""
    output = folder / "callgrind.out"
    subprocess.run(
        ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={output}", program, *arguments],
        check=True, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={"HOME": str(folder), "PATH": os.environ["PATH"]},
    )
    names = re.findall(r"^c?fn=\(\d+\) (\S+)", output.read_text(errors="replace"), re.MULTILINE)
    return {re.sub(r"'\d+$", "", name) for name in names}


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        certificate = folder / "certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-days", "2",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", certificate, "-out", folder / "certificate"],
            check=True, stderr=subprocess.DEVNULL,
        )
        certificate.write_text(certificate.read_text() + (folder / "certificate").read_text())
        places = {"plain": serve(), "secure": serve(certificate), "certificate": folder / "certificate"}
        found = set()
        for command in COMMANDS:
            found |= functions_of(program, [word.format(**places) for word in command], folder)
    symbols = subprocess.run(["nm", "--defined-only", program], check=True, capture_output=True, text=True).stdout
    known = {line.split()[-1] for line in symbols.splitlines()}
    LIST.write_text("".join(f"{name}\n" for name in sorted(found & known)))
    print(f"{len(found & known)} functions")


if __name__ == "__main__":
    main()
