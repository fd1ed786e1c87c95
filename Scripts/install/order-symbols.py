#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes Scripts/install/symbol-order.txt: the functions that usual commands run and the variables that they use, for
the linker to put side by side.

A program's code is read from disk and mapped in pages, and each page of its variables takes memory when one of them is
touched. If what a request needs is scattered over all pages, most of them are in memory; side by side, few are, and the
program starts sooner. A name that is not there any more is ignored, so the list needs to be written only now and then.

Usage: Scripts/install/order-symbols.py PROGRAM    (not stripped: .build/install/release/cumulus; needs valgrind, openssl)
"""

import bisect
import collections
import http.server
import os
import pathlib
import re
import ssl
import subprocess
import sys
import tempfile
import threading

# Where valgrind loads a position-independent program.
LOADED_AT = 0x108000
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


def run(words, folder, **options):
    """Runs valgrind with a command that sees an empty home."""
    return subprocess.Popen(
        ["valgrind", *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        env={"HOME": str(folder), "PATH": os.environ["PATH"]}, **options,
    )


def functions_of(program, arguments, folder):
    """The linker's names of all functions that a command runs, but those that it numbers anew in each build."""
    output = folder / "callgrind.out"
    words = ["--tool=callgrind", "--demangle=no", f"--callgrind-out-file={output}", program, *arguments]
    if run(words, folder, stderr=subprocess.DEVNULL).wait() != 0:
        sys.exit(f"failed: {' '.join(arguments)}")
    names = re.findall(r"^c?fn=\(\d+\) (\S+)", output.read_text(errors="replace"), re.MULTILINE)
    return {re.sub(r"'\d+$", "", name) for name in names if not name.startswith("OUTLINED_FUNCTION")}


def variables_of(program, arguments, folder, variables):
    """The linker's names of all variables that a command reads or writes."""
    starts = [at for at, _, _ in variables]
    first, last = starts[0], sum(variables[-1][:2])
    touched = set()
    trace = run(["--tool=lackey", "--trace-mem=yes", program, *arguments], folder, stderr=subprocess.PIPE)
    for line in trace.stderr:
        if line[:3] in (b" S ", b" L ", b" M "):
            address = int(line[3:].partition(b",")[0], 16) - LOADED_AT
            if first <= address < last:
                touched.add(address)
    if trace.wait() != 0:
        sys.exit(f"failed: {' '.join(arguments)}")
    found = set()
    for address in touched:
        at, size, name = variables[bisect.bisect_right(starts, address) - 1]
        if address < at + size:
            found.add(name)
    return found


def variables_in(program, symbols):
    """Address, size and name of all variables, in the order of their addresses.

    Constants with relocations are not among them, since all of their pages are touched.
    """
    listing = subprocess.run(["readelf", "-SW", program], check=True, capture_output=True, text=True).stdout
    sections = [
        (int(at, 16), int(at, 16) + int(size, 16))
        for at, size in re.findall(r" \.(?:data|bss) +\S+ +([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+)", listing)
    ]
    found = sorted((int(at, 16), int(size, 16), name) for at, size, kind, name in symbols if kind in "bBdD")
    return [variable for variable in found if any(start <= variable[0] < end for start, end in sections)]


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
        lines = subprocess.run(["nm", "-S", "--defined-only", program], check=True, capture_output=True, text=True).stdout
        symbols = [line.split(" ", 3) for line in lines.splitlines() if line.count(" ") >= 3]
        all_variables = variables_in(program, symbols)
        functions, variables = collections.Counter(), collections.Counter()
        for command in COMMANDS:
            arguments = [word.format(**places) for word in command]
            functions.update(functions_of(program, arguments, folder))
            variables.update(variables_of(program, arguments, folder, all_variables))
    known = {symbol[3] for symbol in symbols}
    functions = collections.Counter({name: count for name, count in functions.items() if name in known})
    # What most commands need comes first.
    names = [name for found in (functions, variables) for name in sorted(found, key=lambda name: (-found[name], name))]
    LIST.write_text("".join(f"{name}\n" for name in names))
    print(f"{len(functions)} functions, {len(variables)} variables")


if __name__ == "__main__":
    main()
