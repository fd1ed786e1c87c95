#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How long a GET takes beside curl's, process and all, and how much memory it needs; with several sets of options.
#   Scripts/startup.sh [PATH-OF-CUMULUS]            (needs hyperfine)
set -euo pipefail
program=$(realpath "${1:-$(dirname "$0")/../.build/install/cumulus}")
server=$(realpath "$(dirname "$0")/install/echo-server.py")
home=$(mktemp -d)
cd "$home"
python3 "$server" > port &
server_id=$!
trap 'kill $server_id 2>/dev/null; rm -rf "$home"' EXIT
while [ ! -s port ]; do sleep 0.05; done
url=http://127.0.0.1:$(cat port)/
mkdir -p with/cumulus
printf '[defaults]\ntimeout = 20\n[hosts."127.0.0.1"]\nheaders = { X-A = "b" }\n' > with/cumulus/config.toml
export HOME=$home
# Named authorities are read at each start; what that takes is not the program's.
unset SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE

measure() {
  hyperfine -N --warmup 10 --runs "${RUNS:-100}" --export-json result.json "$@" > /dev/null 2>&1
  python3 -c 'import json; r = json.load(open("result.json"))["results"][0]; print("%.2f ms (lowest %.2f)" % (r["median"] * 1e3, r["min"] * 1e3))'
}

printf '%-34s %s\n' "curl -s" "$(measure "curl -s $url")"
printf '%-34s %s\n' "cumulus" "$(measure "$program --ignore-stdin $url")"
for options in --json "-a ada:pw" -v "--json -v -a ada:pw --timeout 5"; do
  printf '%-34s %s\n' "cumulus $options" "$(measure "$program --ignore-stdin $options $url")"
done
printf '%-34s %s\n' "cumulus, with a config file" "$(XDG_CONFIG_HOME=$home/with measure "$program --ignore-stdin $url")"
peak() { python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
print("%.1f MiB" % (resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024))' "$@"; }
printf '%-34s %s\n' "memory of curl -s" "$(peak curl -s "$url")"
printf '%-34s %s\n' "memory of cumulus" "$(peak "$program" "$url")"
