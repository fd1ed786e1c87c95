#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the spans and metrics of CumulusTelemetry with those of opentelemetry-python's instrumentation of httpx.

    Scripts/telemetry.py [--program FILE]

Both send the same exchanges to servers on loopback, with `OTEL_SEMCONV_STABILITY_OPT_IN=http`. Prints the table of
differences, attribute by attribute, each with its purpose, and fails if one has none, or if one of the table has gone.
The packages from PyPI are installed below .build. FILE is the program `TelemetryExchanges` of Benchmarks/, if it was
built before.
"""

import argparse
import gzip
import http.server
import json
import os
import pathlib
import socket
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / ".build" / "telemetry-venv"
PACKAGES = ["opentelemetry-sdk", "opentelemetry-instrumentation-httpx", "httpx"]

# The fields that differ on purpose.
PURPOSES = {
    "name": "the convention's name has the template of the path if it is known, as here",
    "server.port": "the port of the Host field, or the scheme's; theirs is the URL's, and missing if that has none",
    "server.address": "the Host field names the server, as the convention says",
    "url.template": "opt-in in the convention; here it is the span's name, and only literals and templates of the source "
    "code reach it",
    "url.full": "all values of the query are redacted, as in our logs, and credentials are left out; they redact those of "
    "a few signatures",
    "http.request.resend_count": "required by the convention for a request that is sent again; they don't set it",
    "network.peer.address": "known once the response was received; theirs is the URL's host, also if it has no address",
    "network.peer.port": "as network.peer.address",
    "error.type": "a kind of failure that all transports share; theirs is the name of a Python class",
    "description": "the kind of failure without the peer's words; theirs is the exception's message",
    "status": "a body that breaks off is a failure of its exchange; their span has ended with the head",
}

# The exchanges whose spans or durations differ in number on purpose.
COUNTS = {
    ("spans", "cached"): "a response from the cache is not an exchange; httpx has no cache",
    ("spans", "503 with a retry"): "the retry is ours; httpx has none",
    ("spans", "resumed body"): "the request for the remaining bytes is ours; httpx doesn't resume",
    ("durations", "503 with a retry"): "as its spans",
    ("durations", "resumed body"): "as its spans",
    **{
        ("durations", name): "the convention has a duration of failures; they record none"
        for name in (
            "time-out", "refused connection", "unknown host", "malformed response", "closed connection", "cancelled",
        )
    },
}


# MARK: the server


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    other_port = 0
    flaky = {}

    def respond(self, status, headers=(), body=b"hello"):
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD" and status not in (204, 304):
            self.wfile.write(body)

    def every(self):
        length = int(self.headers.get("content-length") or 0)
        if length:
            self.rfile.read(length)
        path = self.path.split("?")[0]
        agent = "ours" if self.headers.get("user-agent", "").lower().startswith("cumulus") else "theirs"
        if path.startswith("/status/"):
            self.respond(int(path[8:]))
        elif path == "/gone":
            self.respond(204)
        elif path == "/flaky":
            Handler.flaky[agent] = Handler.flaky.get(agent, 0) + 1
            self.respond(503 if Handler.flaky[agent] == 1 else 200)
        elif path == "/old":
            self.respond(302, {"Location": "/ok"})
        elif path == "/older":
            self.respond(301, {"Location": "/old"})
        elif path == "/other":
            self.respond(303, {"Location": "/ok"})
        elif path == "/away":
            self.respond(302, {"Location": f"http://127.0.0.1:{Handler.other_port}/ok"})
        elif path == "/private" and not self.headers.get("authorization"):
            self.respond(401, {"WWW-Authenticate": 'Digest realm="r", nonce="n", qop="auth"'})
        elif path == "/cached":
            self.respond(200, {"Cache-Control": "max-age=100"})
        elif path == "/tagged":
            is_same = self.headers.get("if-none-match") == '"v"'
            self.respond(304 if is_same else 200, {"ETag": '"v"', "Cache-Control": "no-cache"})
        elif path == "/gzip":
            self.respond(200, {"Content-Encoding": "gzip"}, gzip.compress(b"hello" * 100))
        elif path == "/chunks":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"5\r\nhello\r\n0\r\n\r\n")
        elif path == "/long":
            self.respond(200, {}, b"x" * 1_000_000)
        elif path == "/old-version":
            self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            self.close_connection = True
        elif path in ("/cut", "/resumable"):
            self.part(path == "/resumable")
        elif path == "/slow":
            time.sleep(1)
            self.respond(200)
        elif path == "/garbage":
            self.wfile.write(b"this is not HTTP\r\n\r\n")
            self.close_connection = True
        elif path == "/close":
            self.close_connection = True
        else:
            self.respond(200)

    def part(self, is_resumable):
        body = b"0123456789" * 10_000
        wanted = self.headers.get("range")
        if is_resumable and wanted:
            start = int(wanted[len("bytes=") :].split("-")[0])
            self.respond(
                206, {"ETag": '"v"', "Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}"}, body[start:]
            )
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", '"v"')
        self.send_header("Accept-Ranges", "bytes")
        self.end_headers()
        self.wfile.write(body[:70_000])
        self.close_connection = True

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = do_LOCK = do_QUERY = every

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """A client that leaves is no news."""


def serve():
    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def unused_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# MARK: the reference, which runs with the packages from PyPI


def reference(base, unused):
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "http"
    import asyncio

    import httpx
    from opentelemetry import metrics, trace
    from opentelemetry.instrumentation.httpx import HTTPXClientInstrumentor
    from opentelemetry.sdk.metrics import Histogram, MeterProvider
    from opentelemetry.sdk.metrics.export import AggregationTemporality, InMemoryMetricReader
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    # Only the values of one exchange.
    reader = InMemoryMetricReader({Histogram: AggregationTemporality.DELTA})
    metrics.set_meter_provider(MeterProvider([reader]))
    HTTPXClientInstrumentor().instrument()
    client = httpx.Client(follow_redirects=True)

    def get(path, **options):
        client.get(base + path, **options)

    def left():
        with client.stream("GET", base + "/long") as response:
            for _ in response.iter_bytes(1_000):
                break

    def cancelled():
        async def run():
            async with httpx.AsyncClient() as other:
                task = asyncio.create_task(other.get(base + "/slow"))
                await asyncio.sleep(0.2)
                task.cancel()
                await task

        asyncio.run(run())

    def request(method, path="/ok", **options):
        client.request(method, base + path, **options)

    exchanges = {
        "GET": lambda: get("/ok"),
        "query with secrets": lambda: get("/ok?token=hunter2&page=2&sig=x"),
        "user in the URL": lambda: client.get(base.replace("//", "//user:pw@") + "/ok"),
        "template": lambda: get("/ok/7"),
        "POST": lambda: request("POST", content=b"12345"),
        "PUT": lambda: request("PUT", content=b"12345"),
        "PATCH": lambda: request("PATCH", content=b"12345"),
        "DELETE": lambda: request("DELETE", "/gone"),
        "HEAD": lambda: request("HEAD"),
        "OPTIONS": lambda: request("OPTIONS"),
        "QUERY": lambda: request("QUERY"),
        "unknown method": lambda: request("LOCK"),
        "other Host": lambda: get("/ok", headers={"Host": "b.example:8080"}),
        "304": lambda: get("/status/304"),
        "404": lambda: get("/status/404"),
        "410": lambda: get("/status/410"),
        "500": lambda: get("/status/500"),
        "999": lambda: get("/status/999"),
        "503 with a retry": lambda: get("/flaky"),
        "redirect within the origin": lambda: get("/old"),
        "redirect to another origin": lambda: get("/away"),
        "two redirects": lambda: get("/older"),
        "303 after POST": lambda: request("POST", "/other", content=b"12345"),
        "challenge": lambda: get("/private", auth=httpx.DigestAuth("u", "p")),
        "cached": lambda: (get("/cached"), get("/cached")),
        "validated": lambda: (get("/tagged"), get("/tagged", headers={"If-None-Match": '"v"'})),
        "gzip": lambda: get("/gzip"),
        "chunks": lambda: get("/chunks"),
        "stream": lambda: get("/ok"),
        "stream that is left": left,
        "HTTP/1.0": lambda: get("/old-version"),
        "body that breaks off": lambda: get("/cut"),
        "resumed body": lambda: get("/resumable"),
        "time-out": lambda: get("/slow", timeout=0.1),
        "refused connection": lambda: client.get(unused),
        "unknown host": lambda: client.get("http://name.invalid/"),
        "malformed response": lambda: get("/garbage"),
        "closed connection": lambda: get("/close"),
        "cancelled": cancelled,
    }
    for name, send in exchanges.items():
        try:
            send()
        except BaseException:
            pass
        spans = [
            {
                "name": span.name,
                "kind": span.kind.name.lower(),
                "status": span.status.status_code.name,
                "description": span.status.description or "",
                "attributes": {key: str(value) for key, value in span.attributes.items()},
            }
            for span in exporter.get_finished_spans()
        ]
        exporter.clear()
        data = reader.get_metrics_data()
        points = [
            {key: str(value) for key, value in point.attributes.items()}
            for resource in (data.resource_metrics if data else [])
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == "http.client.request.duration"
            for point in metric.data.data_points
        ]
        print(json.dumps({"exchange": name, "spans": spans, "durations": points}))


# MARK: the comparison


def lines(command, ports):
    """The exchanges of a program, with names in place of ports."""
    environment = {**os.environ, "OTEL_SEMCONV_STABILITY_OPT_IN": "http"}
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout
    for port, name in ports.items():
        output = output.replace(str(port), name)
    return {line["exchange"]: line for line in map(json.loads, output.splitlines())}


def differences(ours, theirs):
    """Yields (field, exchange, theirs, ours) for each field of two spans or data points that differs."""
    for field in sorted(set(ours) | set(theirs)):
        mine, other = ours.get(field, "-"), theirs.get(field, "-")
        if mine != other:
            yield field, other, mine


def flat(span):
    return {"name": span["name"], "kind": span["kind"], "status": span["status"],
            "description": span["description"] or "-", **span["attributes"]}


def compare(ours, theirs):
    """The rows of the table: {(place, field, theirs, ours): [exchanges]}, and the differences in number."""
    rows, counts = {}, []
    for name in theirs:
        mine, other = ours[name], theirs[name]
        for kind in ("spans", "durations"):
            if len(mine[kind]) != len(other[kind]):
                counts.append((kind, name, len(other[kind]), len(mine[kind])))
        for our, their in zip(mine["spans"], other["spans"]):
            for field, before, after in differences(flat(our), flat(their)):
                rows.setdefault(("span", field, before, after), []).append(name)
        # Metrics have no order: those of the same status and server are compared.
        def key(point):
            return (point.get("http.response.status_code", ""), point.get("server.port", ""), point.get("error.type", ""))
        pairs = zip(sorted(mine["durations"], key=key), sorted(other["durations"], key=key))
        for our, their in pairs if len(mine["durations"]) == len(other["durations"]) else ():
            for field, before, after in differences(our, their):
                rows.setdefault(("metric", field, before, after), []).append(name)
    return rows, counts


def shown(value):
    text = value if len(value) <= 44 else f"{value[:41]}..."
    return f"`{text}`".replace("|", "\\|")


def report(rows, counts):
    """Prints the tables; returns what has no purpose."""
    unknown = []
    print("| of | field | opentelemetry-python | CumulusTelemetry | exchanges | purpose |\n|---|---|---|---|---|---|")
    groups = {}
    for (place, field, before, after), names in rows.items():
        # One row for values that differ in the same way: a value that only one of them has.
        kind = (place, field, "-" if before == "-" else None, "-" if after == "-" else None)
        groups.setdefault(kind, []).append((before, after, names))
    for (place, field, _, _), found in sorted(groups.items(), key=str):
        before, after, _ = found[0]
        names = sorted({name for _, _, names in found for name in names})
        exchanges = ", ".join(names) if len(names) <= 4 else f"{len(names)} of them"
        purpose = PURPOSES.get(field)
        if purpose is None:
            unknown.append(f"{place} {field}: {before} -> {after} in {exchanges}")
        print(f"| {place} | `{field}` | {shown(before)} | {shown(after)} | {exchanges} | {purpose or 'UNKNOWN'} |")
    for kind, name, before, after in counts:
        purpose = COUNTS.get((kind, name))
        if purpose is None:
            unknown.append(f"{name}: {before} {kind} -> {after}")
        print(f"| {kind} | number | {before} | {after} | {name} | {purpose or 'UNKNOWN'} |")
    fields = {field for _, field, _, _ in rows}
    unknown += [f"{field} has a purpose, but no difference" for field in PURPOSES if field not in fields]
    found = {(kind, name) for kind, name, _, _ in counts}
    unknown += [f"{kind} of {name} have a purpose, but no difference" for kind, name in COUNTS if (kind, name) not in found]
    return unknown


def installed():
    """The path of a Python with the reference's packages."""
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *PACKAGES], check=True)
    return python


def built():
    """The path of our program."""
    (ROOT / "Benchmarks" / "Package.resolved").write_bytes((ROOT / "Package.resolved").read_bytes())
    build = ["swift", "build", "--package-path", "Benchmarks", "--scratch-path", ".build"]
    subprocess.run([*build, "--product", "TelemetryExchanges"], check=True, cwd=ROOT, stdout=sys.stderr)
    return ROOT / ".build" / "debug" / "TelemetryExchanges"


def main():
    if sys.argv[1:2] == ["--reference"]:
        return reference(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path)
    arguments = parser.parse_args()
    program = arguments.program or built()
    python = installed()
    own, Handler.other_port, unused = serve(), serve(), unused_port()
    ports = {own: "A", Handler.other_port: "B", unused: "UNUSED"}
    urls = [f"http://127.0.0.1:{own}", f"http://127.0.0.1:{unused}/"]
    theirs = lines([python, __file__, "--reference", *urls], ports)
    ours = lines([program, *urls], ports)
    if set(ours) != set(theirs):
        print("exchanges of one program only:", sorted(set(ours) ^ set(theirs)), file=sys.stderr)
        return 1
    rows, counts = compare(ours, theirs)
    unknown = report(rows, counts)
    print(f"\n{len(theirs)} exchanges, {sum(len(line['spans']) for line in theirs.values())} spans of "
          f"opentelemetry-python, {sum(len(line['spans']) for line in ours.values())} of CumulusTelemetry")
    for text in unknown:
        print("no purpose:", text, file=sys.stderr)
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
