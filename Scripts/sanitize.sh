#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests under a sanitizer: Scripts/sanitize.sh [thread|address] [swift test options]
# For `thread` it works on a copy of the sources in .build/sanitize, whose locks the sanitizer can see.
set -euo pipefail
cd "$(dirname "$0")/.."

kind=${1:-thread}
[ $# -gt 0 ] && shift
# For tests that measure memory.
export CUMULUS_SANITIZER=$kind
export CUMULUS_TEST_MINUTES=${CUMULUS_TEST_MINUTES:-180}
if [ "$kind" != thread ]; then
    # Swift stores pointers to the counts of weak references shifted: the search for leaks takes those for lost.
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}
    exec swift test --sanitize="$kind" --scratch-path ".build/sanitize-$kind" "$@"
fi

copy=.build/sanitize/cumulus
mkdir -p "$copy"
# Only what has changed is copied, so that only that is built again.
git ls-files -z | while IFS= read -r -d '' file; do
    if [ -f "$file" ] && ! cmp -s "$file" "$copy/$file"; then
        mkdir -p "$copy/$(dirname "$file")"
        cp -p "$file" "$copy/$file"
    fi
done
# What has moved away would be compiled twice.
find "$copy" -path "$copy/.build" -prune -o -name '*.swift' ! -name Mutex.swift -print | while IFS= read -r file; do
    [ -f "${file#"$copy/"}" ] || rm "$file"
done
# What the tests read beside the project.
ln -sfn "$(cd .. && pwd)/shared" .build/sanitize/shared
for module in "$copy"/Sources/*/ "$copy"/Tests/*/ "$copy"/Interop/ "$copy"/Examples/*/; do
    # C has no such locks.
    [ -d "$module/include" ] && continue
    cmp -s Scripts/sanitize/Mutex.swift "$module/Mutex.swift" || cp Scripts/sanitize/Mutex.swift "$module/Mutex.swift"
done
export TSAN_OPTIONS="suppressions=$PWD/Scripts/sanitize/suppressions.txt${TSAN_OPTIONS:+ $TSAN_OPTIONS}"
cd "$copy"
swift build --build-tests --sanitize=thread
# One after the other: at a fifth of the speed, tests side by side would run into their time limits.
exec swift test --skip-build --sanitize=thread --no-parallel "$@"
