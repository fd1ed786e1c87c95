# SPDX-License-Identifier: Apache-2.0
# How the command is built to be installed; sourced by the scripts that do it.

# Builds the command as a small program into a folder, as `cumulus`.
#
# The flags stand here and not in Package.swift: programs that use the library have their own. What is for the linker
# alone drops what nobody calls, public or not, folds equal functions, shares equal pieces of code, packs relocations
# (which needs glibc 2.36), and puts what usual commands run and use side by side (order-symbols.py lists it). Generic
# types are found by calls instead of by their names, for which the runtime would search all conformances at each start.
# Tables for unwinding the stack are left out: nothing here throws C++ exceptions, and Swift's report of a crash follows
# frame pointers.
build_command() {
  local build=$1 library
  if [ -n "${CUMULUS_INSTALL_BUILT:-}" ]; then return; fi
  mkdir -p "$build/static-libraries"
  local libraries
  libraries=$(cd "$build/static-libraries" && pwd)
  # The linker takes these for the shared ones, since it looks here first.
  for library in libstdc++.a libz.a; do
    ln -sf "$(cc -print-file-name="$library")" "$libraries/$library"
  done
  cc -Os -fPIC -c Scripts/install/scalar-names.c -o "$libraries/scalar-names.o"
  # What one module may take from another is left to the linker, which sees all of them.
  swift build -c release --product cumulus --scratch-path "$build" \
    --static-swift-stdlib -debug-info-format none --experimental-lto-mode=full \
    -Xswiftc -Osize -Xswiftc -disable-cmo -Xswiftc -Xfrontend -Xswiftc -conditional-runtime-records \
    -Xswiftc -Xfrontend -Xswiftc -internalize-at-link \
    -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
    -Xcc -Os -Xcc -ffunction-sections -Xcc -fdata-sections \
    -Xcc -fno-asynchronous-unwind-tables -Xcc -fno-unwind-tables \
    -Xswiftc -use-ld=lld -Xswiftc "-ld-path=$PWD/Scripts/install/link" -Xswiftc "-L$libraries" \
    -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
    -Xlinker --wrap=_swift_stdlib_getScalarName -Xlinker "$libraries/scalar-names.o" \
    -Xlinker -mllvm -Xlinker -enable-machine-outliner=always -Xlinker -mllvm -Xlinker -machine-outliner-reruns=1 \
    -Xlinker -O2 -Xlinker --no-eh-frame-hdr -Xlinker --no-export-dynamic -Xlinker --icf=all \
    -Xlinker -z -Xlinker pack-relative-relocs \
    -Xlinker "--symbol-ordering-file=$PWD/Scripts/install/symbol-order.txt" -Xlinker --no-warn-symbol-ordering
  strip --remove-section=.eh_frame -o "$build/cumulus" "$build/release/cumulus"
}

# Installs what was built, with its man page and completions.
install_command() {
  local build=$1 prefix=$2
  local share=$prefix/share
  install -Dm 755 "$build/cumulus" "$prefix/bin/cumulus"
  install -d "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/vendor-completions" \
    "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
  "$build/cumulus" completions man > "$share/man/man1/cumulus.1"
  "$build/cumulus" completions bash > "$share/bash-completion/completions/cumulus"
  "$build/cumulus" completions zsh > "$share/zsh/vendor-completions/_cumulus"
  cp "$share/zsh/vendor-completions/_cumulus" "$share/zsh/site-functions/_cumulus"
  "$build/cumulus" completions fish > "$share/fish/vendor_completions.d/cumulus.fish"
}

# The newest symbol of the C library that a program needs; packed relocations need 2.36, which no symbol says.
newest_glibc() {
  local newest
  newest=$(objdump -T "$1" | grep -o 'GLIBC_[0-9][0-9.]*' | sort -uV | tail -1)
  if objdump -p "$1" | grep -q GLIBC_ABI_DT_RELR; then
    newest=$(printf '%s\nGLIBC_2.36\n' "$newest" | sort -V | tail -1)
  fi
  echo "$newest"
}
