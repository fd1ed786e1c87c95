#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the command, strips it, and installs it with its man page and the completions of bash, zsh and fish:
#   Scripts/install.sh PREFIX
# Prints its size, the libraries that it needs, and how long it takes to start. CUMULUS_BUILD names another build folder.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${1:?usage: Scripts/install.sh PREFIX}
build=${CUMULUS_BUILD:-.build/install}
share=$prefix/share

# C++'s library becomes part of the program where the compiler has it: less to load at each start. Alone in its folder,
# so that the linker finds no shared one before it.
mkdir -p "$build/libraries"
libraries=$(cd "$build/libraries" && pwd)
compiler=$(command -v clang || command -v cc || true)
archive=$(${compiler:-false} -print-file-name=libstdc++.a || true)
if [ -e "$archive" ]; then ln -sf "$archive" "$libraries/libstdc++.a"; fi

# Swift's libraries become part of the program; unused code is dropped, and no other file uses its symbols. Without
# the local rpath, it doesn't load libraries from the folder that it is in.
swift build -c release --product cumulus --scratch-path "$build" --static-swift-stdlib --disable-local-rpath \
    -debug-info-format none -Xswiftc -Osize -Xswiftc "-L$libraries" -Xlinker --gc-sections -Xlinker --no-export-dynamic
strip -o "$build/cumulus" "$build/release/cumulus"

install -Dm 755 "$build/cumulus" "$prefix/bin/cumulus"
install -d "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/vendor-completions" \
    "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
"$build/cumulus" completions man > "$share/man/man1/cumulus.1"
"$build/cumulus" completions bash > "$share/bash-completion/completions/cumulus"
"$build/cumulus" completions zsh | tee "$share/zsh/vendor-completions/_cumulus" > "$share/zsh/site-functions/_cumulus"
"$build/cumulus" completions fish > "$share/fish/vendor_completions.d/cumulus.fish"

echo "$prefix/bin/cumulus: $(stat -c %s "$prefix/bin/cumulus") bytes"
echo "needs $(objdump -p "$prefix/bin/cumulus" | awk '/NEEDED/ { printf "%s%s", separator, $2; separator = ", " }')"
started=$(date +%s%N)
for _ in 1 2 3 4 5 6 7 8 9 10; do "$prefix/bin/cumulus" --version > /dev/null; done
echo "starts in $((($(date +%s%N) - started) / 10000000)) ms"
