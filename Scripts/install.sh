#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the command, strips it, and installs it with its man page and the completions of bash, zsh and fish:
#   Scripts/install.sh PREFIX [--build-path DIR]
# The program is one file that needs the C library alone; the newest of its symbols is printed.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/install/build.sh

prefix=${1:?usage: Scripts/install.sh PREFIX [--build-path DIR]}
build=.build/install
[ "${2:-}" = --build-path ] && build=$3

build_command "$build"
install_command "$build" "$prefix"
echo "$prefix/bin/cumulus: $(stat -c %s "$prefix/bin/cumulus") bytes"
echo "needs of the C library: $(newest_glibc "$build/cumulus") or newer"
