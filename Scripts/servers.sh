#!/bin/bash
# The long trial of servers that we did not write, with their defaults: each gets GETs, POSTs of 1 byte to 10 MB, uploads
# and downloads of 100 MB, and large heads, 1, 16 and 100 at a time; it responds early, closes idle connections, and is
# restarted. All responses are checked, and the servers count what arrives twice. curl does the same. Scripts/interop.sh
# contains the short form.
#
#   Scripts/servers.sh [--requests N] [--debug] [NAME[/VERSION] ...]
#
# NAME is a server of Interop/Servers/catalog.py, VERSION 2 or 1.1; without names all of them, with 3,000 requests for
# each of the main steps, which takes about two hours. Prints a table of all steps; exits 1 if a request failed where
# curl's did not and would not have been sent again by curl (Interop/Servers/beside_curl.py), or one arrived twice.
set -euo pipefail
cd "$(dirname "$0")/.."
requests=3000
configuration=release
while [ $# -gt 0 ]; do
    case "$1" in
        --requests) requests=$2; shift 2 ;;
        --debug) configuration=debug; shift ;;
        -*) sed -n '2,14s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
        *) break ;;
    esac
done

home="$PWD/.build/interop"
mkdir -p "$home"
run=$(mktemp -d /tmp/cumulus-servers.XXXXXX)
servers=""
cleanup() {
    status=$?
    trap - EXIT INT TERM
    if [ -n "$servers" ]; then kill "$servers" 2>/dev/null && wait "$servers" || true; fi
    rm -rf "$run"
    exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

Interop/Servers/install.sh "$home"
swift build -c "$configuration" --product ServerLoad >&2
mkdir "$run/certificates" "$run/servers"
Interop/Support/make_certificates.sh "$run/certificates"
names=()
for name in "$@"; do names+=("${name%%/*}"); done
python3 Interop/Servers/start.py "$run/servers" "$run/certificates" "$home/venv/bin" 100 "${names[@]}" &
servers=$!
until [ -e "$run/servers/servers.tsv" ]; do
    kill -0 "$servers" 2>/dev/null || { echo "servers: they did not start" >&2; exit 1; }
    sleep 0.2
done
".build/$configuration/ServerLoad" "$run/servers" "$requests" "$@" | tee "$run/ours.tsv" >&2
python3 Interop/Servers/beside_curl.py "$run/servers" "$run/ours.tsv"
