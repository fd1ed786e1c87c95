# SPDX-License-Identifier: Apache-2.0
"""The configuration files of servers that have one: their defaults, with what the trial can't do without.

That is TLS, the way to the program behind them, bodies of any size, and no log of requests.
"""

import os


def nginx(place, port, backend, options=""):
    as_user = "user root;" if os.getuid() == 0 else ""
    temporary = " ".join(f"{name}_temp_path {place.run}/nginx-{port}-{name};"
                         for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    return f"""daemon off; {as_user}
pid {place.run}/nginx-{port}.pid;
error_log {place.run}/nginx-{port}.log;
events {{ }}
http {{
    access_log off;
    client_max_body_size 0;
    {temporary}
    {options}
    server {{
        listen 127.0.0.1:{port} ssl http2;
        ssl_certificate {place.certificate};
        ssl_certificate_key {place.key};
        location / {{ proxy_pass http://127.0.0.1:{backend}; }}
        location /early/ {{
            location = /early/200 {{ return 200 early; }}
            location = /early/403 {{ return 403 early; }}
            location = /early/413 {{ return 413 early; }}
        }}
    }}
}}
"""


def apache(place, port, backend):
    modules = "\n".join(
        f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so"
        for name in ("mpm_event", "authz_core", "ssl", "socache_shmcb", "http2", "proxy", "proxy_http")
    )
    as_user = "User www-data\nGroup www-data" if os.getuid() == 0 else ""
    return f"""{modules}
ServerName localhost
ServerRoot {place.run}
DefaultRuntimeDir {place.run}
PidFile {place.run}/apache-{port}.pid
ErrorLog {place.run}/apache-{port}.log
{as_user}
Listen 127.0.0.1:{port}
Protocols h2 http/1.1
SSLEngine on
SSLCertificateFile {place.certificate}
SSLCertificateKeyFile {place.key}
ProxyPass / http://127.0.0.1:{backend}/
"""


def lighttpd(place, port, backend):
    return f"""server.modules = ("mod_openssl", "mod_proxy")
server.document-root = "{place.run}"
server.errorlog = "{place.run}/lighttpd-{port}.log"
server.upload-dirs = ("{place.run}")
server.port = {port}
server.bind = "127.0.0.1"
ssl.engine = "enable"
ssl.pemfile = "{place.both}"
proxy.server = ("" => (("host" => "127.0.0.1", "port" => {backend})))
"""


def h2o(place, port, backend):
    user = "user: root\n" if os.getuid() == 0 else ""
    return f"""{user}pid-file: {place.run}/h2o-{port}.pid
error-log: {place.run}/h2o-{port}.log
listen:
  host: 127.0.0.1
  port: {port}
  ssl:
    certificate-file: {place.certificate}
    key-file: {place.key}
hosts:
  default:
    paths:
      /:
        proxy.reverse.url: http://127.0.0.1:{backend}/
"""


def caddy(place, port, backend, admin):
    return f"""{{
    admin 127.0.0.1:{admin}
    auto_https disable_redirects
    skip_install_trust
    storage file_system {place.run}/caddy
}}
https://localhost:{port} {{
    bind 127.0.0.1
    tls {place.certificate} {place.key}
    reverse_proxy 127.0.0.1:{backend}
}}
"""


def haproxy(place, port, backend):
    return f"""defaults
    mode http
    timeout connect 5s
    timeout client 50s
    timeout server 50s
frontend front
    bind 127.0.0.1:{port} ssl crt {place.both} alpn h2,http/1.1
    default_backend back
backend back
    server only 127.0.0.1:{backend}
"""


def haproxy_of_few(port, backend):
    """Without TLS, and with 20 connections at once: further ones wait."""
    return f"""global
    maxconn 20
defaults
    mode http
    timeout connect 5s
    timeout client 50s
    timeout server 50s
frontend front
    bind 127.0.0.1:{port}
    default_backend back
backend back
    server only 127.0.0.1:{backend}
"""
