#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the documentation of all libraries into .build/docs; warnings, broken links among them, are errors.
#   Scripts/docs.sh [OPTION ...]    options of `docc convert`, such as --hosting-base-path cumulus
set -euo pipefail
cd "$(dirname "$0")/.."

targets=()
for catalog in Sources/*/*.docc; do targets+=(--target "$(basename "$(dirname "$catalog")")"); done

mkdir -p .build/docs
# Together, so that links between the modules are resolved. DocC's sidebar and its filter need no further index.
swift package --disable-sandbox --allow-writing-to-directory .build/docs \
    generate-documentation "${targets[@]}" \
    --enable-experimental-combined-documentation --disable-indexing \
    --warnings-as-errors --output-path .build/docs "$@"
