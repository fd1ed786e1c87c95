#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the targets of Fuzz/ with libFuzzer and AddressSanitizer, and runs each for some seconds.
#
#     Scripts/fuzz.sh [TARGET...] [--seconds N]
#     Scripts/fuzz.sh --build               only builds them
#
# Without a name all targets run, as many at once as there are processors; N is 30 unless given, or
# CUMULUS_FUZZ_SECONDS. Prints one line a target and fails on a finding: a trap, a broken promise, an address error, more
# than 10 s or 2 GB for one input. The input and the log are then in .build/fuzz. What the fuzzer learns is kept in
# .build/fuzz/corpus for the next run.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${CUMULUS_FUZZ_SECONDS:-30}
runs=1
targets=()
while [ $# -gt 0 ]; do
    case $1 in
    --build) runs=0 ;;
    --seconds) seconds=${2:?--seconds needs a number} && shift ;;
    -*) sed -n '3,11s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    *) targets+=("$1") ;;
    esac
    shift
done

scratch=.build/fuzz-build
kept=.build/fuzz
log=$kept/log
mkdir -p "$log"
cp Package.resolved Fuzz/Package.resolved 2>/dev/null || true
# Of several `-sanitize` the compiler takes the last; `--sanitize` is what makes the package manager leave out `main`.
flags=(--package-path Fuzz --scratch-path "$scratch" -c release --sanitize fuzzer --sanitize address)
flags+=(-Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing)
if ! swift build "${flags[@]}" --product Fuzz >"$log/build" 2>&1; then
    grep -v 'Cannot export local symbol' "$log/build" | tail -n 40 >&2
    exit 1
fi
[ "$runs" = 1 ] || exit 0
program=$(swift build "${flags[@]}" --show-bin-path)/Fuzz
if [ ${#targets[@]} -eq 0 ]; then mapfile -t targets < <("$program" --list); fi

# The crash reporter of Swift reads memory that AddressSanitizer watches.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0}

# Runs one target, prints its line, and fails on a finding.
fuzz() {
    local target=$1 corpus=$kept/corpus/$1 outcome=nothing coverage executions rate
    mkdir -p "$corpus" "Fuzz/Corpus/$target"
    if ! "$program" "$target" "$corpus" "Fuzz/Corpus/$target" -max_total_time="$seconds" -max_len=4096 \
        -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 \
        -artifact_prefix="$kept/$target-" >"$log/$target" 2>&1; then
        outcome="FINDING: $(sed -nE 's/.*Test unit written to (.*)/\1/p' "$log/$target" | tail -n 1)"
    fi
    coverage=$(grep -aoE 'cov: [0-9]+' "$log/$target" | tail -n 1 || true)
    executions=$(sed -nE 's/^stat::number_of_executed_units: *//p' "$log/$target")
    rate=$(sed -nE 's/^stat::average_exec_per_sec: *//p' "$log/$target")
    printf '%-16s %9s executions %7s a second  %-12s found %s\n' \
        "$target" "${executions:-?}" "${rate:-?}" "${coverage:-cov: ?}" "$outcome"
    [ "$outcome" = nothing ] && return
    grep -aE 'FINDING|Fatal error|ERROR: ' "$log/$target" | head -n 3 | cut -c1-500 >&2 || true
    return 1
}

failed=0
most=${CUMULUS_FUZZ_JOBS:-$(getconf _NPROCESSORS_ONLN)}
running=0
for target in "${targets[@]}"; do
    if [ "$running" -ge "$most" ]; then
        wait -n || failed=1
        running=$((running - 1))
    fi
    fuzz "$target" &
    running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
    wait -n || failed=1
    running=$((running - 1))
done
exit $failed
