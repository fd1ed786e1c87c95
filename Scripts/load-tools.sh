#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `cumulus bench` beside wrk, hey and ab, against nginx on loopback; a tool that is not installed is left out.
#   Scripts/load-tools.sh [PATH-OF-CUMULUS]         (needs nginx)
set -euo pipefail
program=$(realpath "${1:-$(dirname "$0")/../.build/install/cumulus}")
home=$(mktemp -d)
cd "$home"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > nginx.conf <<END
worker_processes 1; daemon off; pid $home/pid; error_log $home/error.log;
events { worker_connections 512; }
http { access_log off; keepalive_requests 1000000000;
  server { listen 127.0.0.1:$port; location / { default_type application/json; return 200 '{"id":1,"name":"Ada"}'; } } }
END
nginx -p "$home" -c "$home/nginx.conf" 2> /dev/null &
server_id=$!
trap 'kill $server_id 2>/dev/null; wait 2>/dev/null; rm -rf "$home"' EXIT
url=http://127.0.0.1:$port/
sleep 0.5
count=${REQUESTS:-20000}
export HOME=$home
echo "| tool | requests/s | 50% | 99% |"
echo "|---|---|---|---|"
"$program" bench "$url" -n "$count" -c 10 --report | python3 -c 'import json, sys
r = json.load(sys.stdin)
print("| cumulus bench | %.0f | %.2f ms | %.2f ms |" % (r["requests_per_second"], r["latency"]["p50"] * 1e3, r["latency"]["p99"] * 1e3))'
if command -v wrk > /dev/null; then
  wrk -t1 -c10 -d3s --latency "$url" | awk '/Requests\/sec/ {r=$2} $1=="50%" {a=$2} $1=="99%" {b=$2} END {print "| wrk -t1 | " r " | " a " | " b " |"}'
fi
if command -v hey > /dev/null; then
  hey -n "$count" -c 10 "$url" | awk '/Requests\/sec/ {r=$2} $1 ~ /^50%/ {a=$3} $1 ~ /^99%/ {b=$3} END {printf "| hey | %.0f | %.2f ms | %.2f ms |\n", r, a*1000, b*1000}'
fi
if command -v ab > /dev/null; then
  ab -q -k -n "$count" -c 10 "$url" 2> /dev/null | awk '/Requests per second/ {r=$4} $1=="50%" {a=$2} $1=="99%" {b=$2} END {print "| ab -k | " r " | " a " ms | " b " ms |"}'
fi
