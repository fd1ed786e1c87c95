#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests that are slow by nature or that measure time, one after the other and in their full size: bombs of 2.5
# gigabytes, 10,000 calls of a server that fails, the time that a cancellation takes. `swift test` has smaller forms.
#
#     Scripts/slow-tests.sh [OPTION ...]    options of `swift test`, such as --skip-build
#
# They are the tests whose files name `SlowTests`.
set -euo pipefail
cd "$(dirname "$0")/.."

suites=$(grep -rl --include='*Tests.swift' 'SlowTests\.' Tests | sed -E 's|.*/([^/+.]+)[^/]*\.swift|\1|' | sort -u | paste -sd '|')
export CUMULUS_SLOW_TESTS=1
exec swift test --no-parallel --filter "\.($suites)/" "$@"
