# SPDX-License-Identifier: Apache-2.0
"""The servers of the trial: what each needs, how it starts, and what is known of it."""

import dataclasses
import pathlib
import shutil

import configurations

HERE = pathlib.Path(__file__).resolve().parent
JAVA = "/usr/share/java"
TOMCAT = "/usr/share/tomcat10/lib/*:/usr/share/tomcat10/bin/tomcat-juli.jar"
JETTY = ":".join(
    [f"{JAVA}/jetty9-{name}.jar" for name in (
        "server", "http", "http2-server", "http2-common", "http2-hpack", "io", "util", "alpn-server", "alpn-java-server")]
    + [f"{JAVA}/servlet-api.jar"]
)


@dataclasses.dataclass
class Server:
    name: str
    # The versions of HTTP to try, the scheme that it speaks.
    versions: str
    scheme: str
    # What must be there: a program, or a file.
    needs: str
    # Its command line, made of a place and a port.
    command: callable
    # After how many seconds it closes a connection that rests, by default; 0 if that is too long to be tried.
    idle: float = 0
    # How it restarts: a command for a shell, in which {pid} is its process.
    restart: str = ""
    # It sends a body back and counts nothing.
    echoes: bool = False
    # It closes connections so that POSTs get lost, and only counts which arrive twice.
    closes: bool = False

    def is_there(self):
        return shutil.which(self.needs, path=PATH) is not None or pathlib.Path(self.needs).exists()


PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"


def written(place, name, text):
    path = place.run / name
    path.write_text(text)
    return str(path)


def go(place, port):
    return [place.backend, port, place.content, place.numbers, place.certificate, place.key]


def java(program, classes):
    def command(place, port):
        more = {"TomcatServer": [place.certificate, place.key, place.run / "tomcat"], "JettyServer": [place.store]}
        # Small heaps and one collecting thread: several of them run side by side on few cores.
        return ["java", "-XX:+UseSerialGC", "-Xmx512m", "-cp", f"{place.classes}:{classes}",
                program, port, place.content, place.numbers, *more.get(program, [])]
    return command


def nginx(options=""):
    def command(place, port):
        text = configurations.nginx(place, port, place.backend_port, options)
        return ["nginx", "-p", place.run, "-c", written(place, f"nginx-{port}.conf", text)]
    return command


def apache(place, port):
    path = written(place, "apache.conf", configurations.apache(place, port, place.backend_port))
    return ["apache2", "-D", "FOREGROUND", "-f", path]


def lighttpd(place, port):
    return ["lighttpd", "-D", "-f",
            written(place, "lighttpd.conf", configurations.lighttpd(place, port, place.backend_port))]


def h2o(place, port):
    return ["h2o", "-c", written(place, "h2o.conf", configurations.h2o(place, port, place.backend_port))]


def caddy(place, port):
    text = configurations.caddy(place, port, place.backend_port, place.free_port())
    return ["caddy", "run", "--adapter", "caddyfile", "--config", written(place, "Caddyfile", text)]


def haproxy(place, port):
    path = written(place, "haproxy.conf", configurations.haproxy(place, port, place.backend_port))
    return ["haproxy", "-W", "-f", path]


def haproxy_of_few(place, port):
    text = configurations.haproxy_of_few(port, place.backend_port)
    return ["haproxy", "-W", "-f", written(place, "haproxy-20.conf", text)]


def nghttpd(place, port):
    return ["nghttpd", "-a", "127.0.0.1", "--echo-upload", "-d", place.files, port, place.key, place.certificate]


def node(*files):
    # With its own limit it resets the connection before any client has read its 431.
    return lambda place, port: ["node", "--max-http-header-size=131072", HERE / "trial.js", port, place.content,
                                place.numbers, *(getattr(place, file) for file in files)]


def hypercorn(place, port):
    return [place.venv / "hypercorn", "-b", f"127.0.0.1:{port}", "--certfile", place.certificate, "--keyfile", place.key,
            "trial_asgi:app"]


def gunicorn(*options):
    return lambda place, port: [place.venv / "gunicorn", "-b", f"127.0.0.1:{port}", *options, "trial_wsgi:app"]


CLOSING_MODES = ("close", "reset-0", "reset-5", "reset-30", "half-read", "half-close")


def closing(mode, *files):
    return lambda place, port: [place.venv / "python", HERE / "trial_closing.py", port, place.numbers, mode,
                                *(getattr(place, file) for file in files)]


def servers(venv):
    """All of them; `venv` is the folder of PyPI's programs."""
    return [
        Server("go", "2 1.1", "https", "go", go, restart="kill -HUP {pid}"),
        Server("tomcat", "2 1.1", "https", "/usr/share/tomcat10/lib/catalina.jar", java("TomcatServer", TOMCAT), idle=20),
        Server("jetty", "2 1.1", "https", f"{JAVA}/jetty9-http2-server.jar", java("JettyServer", JETTY)),
        Server("nghttpd", "2", "https", "nghttpd", nghttpd, echoes=True),
        Server("h2o", "2 1.1", "https", "h2o", h2o, idle=10),
        Server("caddy", "2 1.1", "https", "caddy", caddy,
               restart="caddy reload --force --adapter caddyfile --config {run}/Caddyfile"),
        Server("apache", "2 1.1", "https", "apache2", apache, idle=5, restart="kill -USR1 {pid}"),
        Server("nginx", "2 1.1", "https", "nginx", nginx(), restart="kill -HUP {pid}"),
        Server("nginx-7", "2 1.1", "https", "nginx", nginx("keepalive_requests 7;"), restart="kill -HUP {pid}"),
        Server("haproxy", "2 1.1", "https", "haproxy", haproxy, restart="kill -USR2 {pid}"),
        Server("node", "2 1.1", "https", "node", node("certificate", "key"), idle=5),
        Server("hypercorn", "2 1.1", "https", str(venv / "hypercorn"), hypercorn, idle=5),
        Server("lighttpd", "2 1.1", "https", "lighttpd", lighttpd, idle=5, restart="kill -USR1 {pid}"),
        Server("gunicorn", "1.1", "http", str(venv / "gunicorn"), gunicorn(), restart="kill -HUP {pid}"),
        Server("gunicorn-threads", "1.1", "http", str(venv / "gunicorn"), gunicorn("--threads", "8"), idle=2,
               restart="kill -HUP {pid}"),
        Server("uvicorn", "1.1", "http", str(venv / "uvicorn"), lambda place, port: [
            venv / "uvicorn", "--port", port, "--log-level", "warning", "trial_asgi:app"], idle=5),
        Server("werkzeug", "1.1", "http", str(venv / "python"), lambda place, port: [
            venv / "python", HERE / "trial_wsgi.py", port]),
        Server("php", "1.1", "http", "php", lambda place, port: [
            "php", "-q", "-S", f"127.0.0.1:{port}", HERE / "trial.php"]),
        Server("puma", "1.1", "http", "puma", lambda place, port: [
            # Its restart of one process alone loses what has begun, whoever asked.
            "puma", "--silent", "-e", "production", "-b", f"tcp://127.0.0.1:{port}", HERE / "trial.ru"], idle=20),
        Server("starman", "1.1", "http", "starman", lambda place, port: [
            "starman", "--listen", f"127.0.0.1:{port}", HERE / "trial.psgi"]),
        Server("uwsgi", "1.1", "http", "/usr/lib/uwsgi/plugins/python3_plugin.so", lambda place, port: [
            # It closes each connection without an announcement.
            "uwsgi", "--plugin", "python3", "--http-socket", f"127.0.0.1:{port}", "--module", "trial_wsgi:app", "--master",
            "--processes", "2", "--threads", "8", "--disable-logging", "--pythonpath", HERE]),
        Server("haproxy-20", "1.1", "http", "haproxy", haproxy_of_few),
        Server("node-http", "1.1", "http", "node", node(), idle=5),
        Server("jdk", "1.1", "http", "javac", java("JDKServer", ""), idle=30),
    ] + [
        Server(f"closing-{mode}{'-tls' if files else ''}", "1.1", "https" if files else "http", str(venv / "python"),
               closing(mode, *files), closes=True)
        for mode in CLOSING_MODES for files in ((), ("certificate", "key"))
    ]
