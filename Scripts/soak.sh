#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sends many requests over 64 connections to a server that resets, closes and stalls, and cancels some of them: each must
# end once, nothing may hang, and memory must stay where it was after the warm-up.
#
#     Scripts/soak.sh [REQUESTS] [SEED]     200000 requests by default
set -euo pipefail
cd "$(dirname "$0")/.."
cp Package.resolved Benchmarks/Package.resolved 2>/dev/null || true
options=(--package-path Benchmarks --scratch-path .build/benchmarks -c release)
swift build "${options[@]}" --product Soak >&2
"$(swift build "${options[@]}" --show-bin-path)/Soak" "$@"
