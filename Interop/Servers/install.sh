#!/bin/bash
# Installs the servers of the trial, as far as they are missing: from Debian, and from PyPI into FOLDER/venv.
#   Interop/Servers/install.sh FOLDER
# Each package is tried alone where all of them together can't be had; what stays missing is named, and start.py leaves
# its server out.
set -euo pipefail
home=$1
say() { echo "servers: $*" >&2; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

missing=()
# What it is known by, a program or a file, and its package.
while read -r known package; do
    if [ -e "$known" ] || PATH="$PATH:/usr/sbin" command -v "$known" >/dev/null; then continue; fi
    missing+=("$package")
done <<'PACKAGES'
go golang-go
javac default-jdk-headless
/usr/share/tomcat10/lib/catalina.jar tomcat10-common
/usr/share/java/jetty9-server.jar libjetty9-java
nghttpd nghttp2-server
h2o h2o
caddy caddy
apache2 apache2-bin
nginx nginx
haproxy haproxy
node nodejs
lighttpd lighttpd
/usr/lib/lighttpd/mod_openssl.so lighttpd-mod-openssl
php php-cli
puma puma
starman starman
/usr/lib/uwsgi/plugins/python3_plugin.so uwsgi-plugin-python3
uwsgi uwsgi-core
curl curl
openssl openssl
PACKAGES

if [ ${#missing[@]} -gt 0 ]; then
    say "installing ${missing[*]}"
    # RUNLEVEL=1 keeps the packages from starting servers of their own.
    export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
    get() { as_root apt-get -q install -y --no-install-recommends "$@" >"$home/servers.log" 2>&1; }
    as_root apt-get -q update >"$home/servers.log" 2>&1 || true
    if ! get "${missing[@]}"; then
        for package in "${missing[@]}"; do get "$package" || say "left out: $package can't be installed"; done
    fi
fi

for package in hypercorn gunicorn uvicorn werkzeug; do
    [ -d "$(echo "$home"/venv/lib/python*/site-packages/"$package")" ] && continue
    say "installing $package"
    [ -x "$home/venv/bin/python" ] || python3 -m venv "$home/venv"
    "$home/venv/bin/pip" install -q --disable-pip-version-check "$package" >"$home/servers.log" 2>&1 ||
        say "left out: $package can't be installed"
done
