#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures, in release mode, and prints the figures.
#
#     Scripts/benchmark.sh json [--rounds N] [--json]   reading and writing JSON, beside Foundation, orjson and Go
#     Scripts/benchmark.sh json-allocations             how often reading JSON asks for memory; fails past the bound
#     Scripts/benchmark.sh settings                     resolving settings
#     Scripts/benchmark.sh download [--rounds N] [--json]   downloads from nginx, beside aria2c and curl
#
# Peers: orjson, the newest of PyPI, is installed below .build; Go is used where it is installed; nginx and aria2 come
# from apt. What isn't there is named and left out. CUMULUS_COMMAND is a command that was built for release elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=.build/benchmarks
say() { echo "$@" >&2; }

# Builds one program of Benchmarks/ and prints its path.
build() {
    cp Package.resolved Benchmarks/Package.resolved 2>/dev/null || true
    swift build --package-path Benchmarks --scratch-path "$scratch" -c release --product "$1" >&2
    echo "$(swift build --package-path Benchmarks --scratch-path "$scratch" -c release --show-bin-path)/$1"
}

orjson_python() {
    local venv=.build/benchmark-venv
    if { [ -x "$venv/bin/python" ] || python3 -m venv "$venv"; } >&2 &&
        "$venv/bin/pip" install --quiet --disable-pip-version-check --upgrade orjson >&2; then
        echo "$venv/bin/python"
    else
        say 'orjson can not be installed: left out'
    fi
}

go_peer() {
    if ! command -v go >/dev/null; then
        say 'go is not installed (apt-get install golang-go): left out'
    elif GO111MODULE=off go build -o "$scratch/json-go" Benchmarks/Peers/go/main.go >&2; then
        echo "$scratch/json-go"
    else
        say 'the Go program does not build: left out'
    fi
}

json() {
    local program file orjson go
    program=$(build JSONBenchmark)
    file=$scratch/timeline.json
    "$program" generate "$file"
    orjson=$(orjson_python)
    go=$(go_peer)
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
    package aria2c aria2 || say 'aria2 can not be installed: left out'
    if [ -z "$program" ]; then
        swift build --scratch-path .build/release-build -c release --product cumulus >&2
        program="$(swift build --scratch-path .build/release-build -c release --show-bin-path)/cumulus"
    fi
    mkdir -p "$scratch"
    PATH="$PATH:/usr/sbin" python3 Benchmarks/compare_downloads.py --command "$program" --home "$scratch" \
        --cumulus-version "$(git describe --always --dirty 2>/dev/null || echo unknown)" "$@"
}

case ${1-} in
json) shift && json "$@" ;;
json-allocations) "$(build JSONAllocations)" ;;
settings) "$(build SettingsBenchmark)" ;;
download) shift && download "$@" ;;
*)
    sed -n '3,12s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
