# SPDX-License-Identifier: Apache-2.0
"""nginx on a free port of this machine, for the kill test and the benchmark of downloads."""

import os
import socket
import subprocess
import sys
import time

from free_ports import free_port


class LoopbackNginx:
    """Serves the folder `www` below `folder`, at once or, in each of the locations, at a limited rate a connection."""

    def __init__(self, folder, locations, options=""):
        """`locations` maps a first segment of the path to nginx's `limit_rate`, or to None; `options` are of `http`."""
        self.root = folder / "www"
        self.root.mkdir()
        self.port = free_port()
        # Started by root, nginx would drop to a user who may not reach the files.
        as_user = "user root;" if os.getuid() == 0 else ""
        temporary = "".join(
            f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        places = "".join(
            f"location /{name}/ {{ {f'limit_rate {rate};' if rate else ''} alias {self.root}/; }}\n"
            for name, rate in locations.items()
        )
        (folder / "nginx.conf").write_text(
            f"daemon off; {as_user} worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx.log;\n"
            f"events {{ worker_connections 256; }}\n"
            f"http {{ access_log off; sendfile on; {options} {temporary}\n"
            f"server {{ listen 127.0.0.1:{self.port}; root {self.root};\n{places}}} }}\n"
        )
        self.process = subprocess.Popen(
            ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")], stderr=subprocess.DEVNULL
        )
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        sys.exit("nginx did not start")

    def url(self, place, name):
        return f"http://127.0.0.1:{self.port}/{place}/{name}"

    def stop(self):
        self.process.terminate()
        self.process.wait()
