#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The whole check, in the order of cost; stops at the first failure.
#
#   Scripts/check.sh [--ci]    --ci: without the documentation, which compiles everything once more. `.ci/run`, which has
#                              45 minutes, calls nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."

# Warnings are errors here, and only here; one setting for all steps, so that nothing is built twice.
export CUMULUS_STRICT=1
log=.build/check
mkdir -p "$log"
swift_sources=(Sources Tests Interop Examples Fuzz Benchmarks Package.swift)
total=$SECONDS
case "${1-}" in
'' | --ci) ;;
*)
    echo "check.sh: unknown option: $1" >&2
    exit 64
    ;;
esac

step() {
    local title=$1 started=$SECONDS
    shift
    printf '\n== %s\n' "$title"
    if ! "$@"; then
        printf '== %s: FAILED after %d s\n' "$title" $((SECONDS - started)) >&2
        exit 1
    fi
    printf '== %s: %d s\n' "$title" $((SECONDS - started))
}

# Fails if the pattern is found in Swift files below the folders; prints where.
forbid() {
    local reason=$1 pattern=$2
    shift 2
    if grep -rnP --include='*.swift' --exclude-dir=.build "$pattern" "$@"; then
        echo "forbidden: $reason" >&2
        return 1
    fi
}

forbidden_calls() {
    forbid 'Swift before 6.2.3 (Xcode 26.0 and 26.1) has no `weak let`; WeakReference stands for it' \
        '^(?!\s*//).*\bweak let\b' Sources Tests Examples Interop &&
        forbid 'a trap on what a peer or user supplies' '^(?!\s*//).*(\btry!|\bfatalError\()' Sources Tests Interop &&
        forbid 'all of Foundation in a module that must do without' \
            '^(?!\s*//)\s*(public |internal |private )?import (FoundationNetworking|FoundationXML)\b' \
            Sources/CumulusJSON Sources/CumulusCore Sources/CumulusNIO Sources/CumulusCLI &&
        forbid 'XMLCoder outside CumulusXML' '^(?!\s*//).*\bimport (XMLCoder|CumulusXML)\b' \
            Sources/Cumulus Sources/CumulusJSON Sources/CumulusCore Sources/CumulusNIO Sources/CumulusURLSession \
            Sources/CumulusCLI &&
        forbid "swift-crypto, and its BoringSSL, in a module that isn't for keys or tests" \
            '^(?!\s*//).*\bimport (\w+ )?_?Crypto(Extras)?\b' \
            --exclude-dir=CumulusSignatures --exclude-dir=CumulusTestServer Sources &&
        forbid "the command decides by an error's text; its code, cause and values are exact" \
            '^(?!\s*//).*\b(message|reason|description|localizedDescription)\b(\.(lowercased\(\)|utf8|unicodeScalars))?(\.(has|begins|ends|place|cut|contains|hasPrefix|hasSuffix|starts|firstRange|ranges|firstMatch|wholeMatch|range)\b|\s*[!=]=\s*")' \
            Sources/CumulusCLI
}

# The names and sizes of files, and that the generated ones are what their templates say.
layout() {
    Scripts/lint-layout.py
}

# The interface is the one in API/, the guide leads to all of it, and modules and folders use what they may.
public_interface() {
    Scripts/api.py --check && Scripts/lint-topics.py && Scripts/lint-walls.py
}

# Runs a command whose output is kept and whose output must have a line like the pattern.
expecting() {
    local pattern=$1 file=$2
    shift 2
    "$@" 2>&1 | tee "$file" && grep -qE "$pattern" "$file"
}

# The tests, and at the end what failed: among the lines of thousands that passed nobody finds it.
unit_tests() {
    if expecting 'Test run with [0-9]+ tests? .*passed' "$log/tests.log" swift test --skip-build; then return; fi
    printf '\n== What failed:\n'
    grep -aE '✘|recorded an issue|Fatal error|error: ' "$log/tests.log" | cut -c1-600 | tail -n 60
    return 1
}

# Builds another package into the same folder and with the same versions, so that the dependencies aren't compiled a
# second time. Once more if it fails: SwiftPM 6.3 at times still has the description of the package before ("No target
# named ... in build description").
other_package() {
    local folder=$1
    shift
    cp Package.resolved "$folder/Package.resolved" &&
        { swift build --package-path "$folder" --scratch-path .build "$@" ||
            swift build --package-path "$folder" --scratch-path .build "$@"; }
}

client_check() {
    other_package Examples/ClientCheck && expecting "stranger's own work" "$log/own-parts.log" .build/debug/OwnParts &&
        Scripts/first-request.py .build/debug/FirstRequest
}

# Compiled without the fuzzer: Scripts/fuzz.sh builds everything once more, and runs them.
fuzz_targets() { other_package Fuzz --target Fuzz; }

# Compiled, not run: a measurement that doesn't compile is missed on the day when it is wanted.
benchmarks() { other_package Benchmarks; }

# A database beside the library: the one example with a dependency of its own.
records() {
    cp Package.resolved Examples/Records/Package.resolved &&
        swift test --package-path Examples/Records --scratch-path .build
}

# A command-line program, a server and an app.
programs() {
    cp Package.resolved Examples/Programs/Package.resolved &&
        swift test --package-path Examples/Programs --scratch-path .build
}

# Without them tests of content codings would be left out, and Examples/Records could not be built.
system_libraries() {
    local name missing=0
    if [ "$(uname)" != Linux ]; then return; fi
    for name in libbrotlidec.so.1 libzstd.so.1; do
        ldconfig -p | grep -F "$name" >/dev/null || missing=1
    done
    [ -e /usr/include/sqlite3.h ] || missing=1
    for name in zsh fish; do command -v "$name" >/dev/null || missing=1; done
    if [ "$missing" = 0 ]; then return; fi
    DEBIAN_FRONTEND=noninteractive apt-get -q update &&
        DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends libbrotli1 libzstd1 libsqlite3-dev \
            zsh fish
}

step 'Libraries' system_libraries
step 'Format' swift format lint --strict -r "${swift_sources[@]}"
step 'Layout, size, names' layout
step 'Text by bytes' Scripts/lint-characters.py
step 'Snippets in documents' Scripts/lint-snippets.py
step 'Spelling' Scripts/lint-spelling.py
step 'Plain English' Scripts/lint-english.py
step 'Public suffix list' Scripts/public-suffixes.py --check
step 'Tables of reference' Scripts/reference.py --check
step 'Guide as Markdown' Scripts/guide.py --check
step 'Pictures' Scripts/pictures.py --check
step 'Links' Scripts/lint-links.py
step 'Forbidden calls' forbidden_calls
step 'Privacy manifests' Scripts/privacy.py
step 'Workflows' Scripts/lint-workflows.py
step 'Build' swift build --build-tests
step "Branches for Apple's systems" Scripts/typecheck-darwin.py
step 'Public interface' public_interface
step 'Tests' unit_tests
step 'Slow tests' expecting 'Test run with [0-9]+ tests? .*passed' "$log/slow-tests.log" Scripts/slow-tests.sh --skip-build
step 'Tour' expecting '^[0-9]+ steps passed$' "$log/tour.log" swift run --skip-build tour
step 'Completions in bash, zsh and fish' Scripts/completions.py
step 'A newcomer with twenty tasks' Scripts/newcomer.sh
step 'Interop' expecting 'Test run with [0-9]+ tests? .*passed' "$log/interop.log" Scripts/interop.sh --skip-build
step 'Kill test' Scripts/killtest.sh 3 --ours --size 64
step 'Kill test of the cache' Scripts/killtest/cache.py 40
step 'Unfinished files under attack' Scripts/parttest.py --rounds 60
step 'One import is enough' client_check
step 'Traits' Scripts/traits.py
step 'Fuzz targets compile' fuzz_targets
step 'Benchmarks compile' benchmarks
step 'Records into a database' records
step 'A tool, a server, an app' programs
# Last: its symbol graphs need other compiler flags, with which everything is compiled once more.
if [ "${1-}" != --ci ]; then step 'Documentation' Scripts/docs.sh; fi

printf '\n== All passed in %d s\n' $((SECONDS - total))
tail -n 1 "$log/tour.log"
grep -E 'Test run with [0-9]+ tests?' "$log/tests.log" | tail -n 1
