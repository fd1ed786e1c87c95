#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the same with cumulus, HTTPie, curl, xh and aria2, as far as they are installed, and prints the guide's table.

    Scripts/beside-others.py [PATH-OF-CUMULUS]

Each cell is what a run showed: nothing is written down by hand.
"""
import http.server, os, pty, shutil, subprocess, sys, tempfile, threading

program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/debug/cumulus")
FILE = bytes(range(256)) * 40_000
connections = set()


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = {
            "/steer": b"before \x1b]0;owned\x07 after\n",
            "/numbers": b'{"a":1.50,"a":2,"big":12345678901234567890123}',
            "/missing": b"{}",
        }.get(self.path, FILE)
        status, extra = (404 if self.path == "/missing" else 200), {}
        wanted = self.headers.get("Range", "")
        if body is FILE:
            connections.add(self.client_address)
            extra = {"ETag": '"one"', "Accept-Ranges": "bytes"}
            if wanted.startswith("bytes="):
                first, _, last = wanted[6:].partition("-")
                end = min(int(last or len(FILE) - 1), len(FILE) - 1)
                extra["Content-Range"] = f"bytes {first}-{end}/{len(FILE)}"
                body, status = FILE[int(first) : end + 1], 206
        self.send_response(status)
        kind = "text/plain" if self.path == "/steer" else "application/json"
        for name, value in {"Content-Type": kind, "Content-Length": len(body), **extra}.items():
            self.send_header(name, str(value))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def do_POST(self):
        Server.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.do_GET()

    def log_message(self, *_):
        pass


http_server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=http_server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{http_server.server_port}"


def run(line, folder):
    # Both take what is no terminal for a body.
    if line[0] in (tools.get("HTTPie"), tools.get("xh")):
        line = [line[0], "--ignore-stdin", *line[1:]]
    return subprocess.run(line, capture_output=True, stdin=subprocess.DEVNULL, cwd=folder, timeout=60)


def shown(line, folder):
    """What a command writes to a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(line[0], line, {**os.environ, "TERM": "xterm", "CUMULUS_PAGER": "", "PAGER": "cat"})
    seen = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    os.waitpid(child, 0)
    os.close(terminal)
    return seen


# The same for each tool; a tool without a line for it does not do it.
names = {"cumulus": program, "HTTPie": "http", "curl": "curl", "xh": "xh", "aria2": "aria2c"}
tools = {name: shutil.which(path) for name, path in names.items() if shutil.which(path)}


def posts_json(name, tool, folder):
    Server.body = b""
    if name == "aria2":
        return None
    run([tool, f"{url}/numbers", "name=Ada", "age:=36"], folder)
    return Server.body.replace(b" ", b"") == b'{"name":"Ada","age":36}'


def harmless(name, tool, folder):
    return None if name == "aria2" else b"\x1b]0;" not in shown([tool, f"{url}/steer"], folder)


def keeps_numbers(name, tool, folder):
    if name in ("aria2", "curl"):
        return None
    output = run([tool, "--pretty=format", f"{url}/numbers"], folder).stdout
    return b"1.50" in output and b"12345678901234567890123" in output and output.count(b'"a"') == 2


def fails_on_404(name, tool, folder):
    return run([tool, f"{url}/missing"], folder).returncode != 0


def hides_password(name, tool, folder):
    if name == "aria2":
        return None
    option = {"cumulus": ["-a", "ada:s3cret"], "HTTPie": ["-a", "ada:s3cret"], "xh": ["-a", "ada:s3cret"], "curl": ["-u", "ada:s3cret"]}
    done = run([tool, "-v", *option[name], f"{url}/numbers"], folder)
    return b"YWRhOnMzY3JldA" not in done.stdout + done.stderr


def continues(name, tool, folder):
    path = f"{folder}/part.bin"
    with open(path, "wb") as file:
        file.write(FILE[:100_000])
    lines = {
        "cumulus": ["download", "-c", "-o", "part.bin"], "HTTPie": ["-d", "-c", "-o", "part.bin"],
        "xh": ["-d", "-c", "-o", "part.bin"], "curl": ["-s", "-C", "-", "-o", "part.bin"], "aria2": ["-q", "-c", "-o", "part.bin"],
    }
    run([tool, *lines[name], f"{url}/file"], folder)
    with open(path, "rb") as file:
        return file.read() == FILE


def shares_work(name, tool, folder):
    lines = {
        "cumulus": ["download", "-x", "4", "-o", "many.bin"], "aria2": ["-q", "-x4", "-s4", "-k1M", "-o", "many.bin"],
    }
    if name not in lines:
        return None
    connections.clear()
    run([tool, *lines[name], f"{url}/file"], folder)
    return len(connections) > 1


rows = [
    ("`name=Ada age:=36` is JSON", posts_json),
    ("control sequences are shown, not executed", harmless),
    ("formatting JSON keeps `1.50`, large numbers and equal names", keeps_numbers),
    ("404 is an exit status without an option", fails_on_404),
    ("`-v` hides the password", hides_password),
    ("a shorter file is continued", continues),
    ("one file over several connections", shares_work),
]
print("| | " + " | ".join(tools) + " |")
print("|---" * (len(tools) + 1) + "|")
for title, look in rows:
    cells = []
    for name, tool in tools.items():
        with tempfile.TemporaryDirectory() as folder:
            result = look(name, tool, folder)
        cells.append("yes" if result else "no" if result is not None else "-")
    print(f"| {title} | " + " | ".join(cells) + " |")
