#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the command into a temporary prefix and as a Debian package, and checks what is there and that it runs:
#   Scripts/install-check.sh [--build-path DIR]
# Builds it first, which takes some 10 minutes, unless CUMULUS_INSTALL_BUILT is set and DIR has it. As root, dpkg
# installs the package and removes it again, if no cumulus is on the system; otherwise it is unpacked. Prints a line for
# each check, and exits 1 if one fails.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/install/build.sh

build=.build/install
[ "${1:-}" = --build-path ] && build=$2
most_bytes=20000000
# The libraries of glibc itself, and its loader.
glibc='^(lib(c|m|mvec|dl|pthread|rt|util|resolv|anl)|ld-linux[a-z0-9_-]*)\.so\.[0-9]+$'
[ -x "$build/cumulus" ] || unset CUMULUS_INSTALL_BUILT

work=$(mktemp -d)
installed=
clean_up() {
  if [ -n "$installed" ]; then dpkg -r cumulus > /dev/null 2>&1 || true; fi
  rm -rf "$work"
}
trap clean_up EXIT
chmod 755 "$work"
mkdir "$work/home"
prefix=$work/prefix
share=$prefix/share
passed=0 failed=0

# check TITLE COMMAND...: a line for it, and what the command printed if it fails.
check() {
  local title=$1
  shift
  if "$@" > "$work/output" 2>&1; then
    passed=$((passed + 1))
    echo "ok      $title"
  else
    failed=$((failed + 1))
    echo "FAILED  $title"
    sed 's/^/        /' "$work/output"
  fi
}

# Without the variables of this shell: neither a toolchain nor a user's configuration helps.
bare() { env -i HOME="$work/home" PATH="$prefix/bin:/usr/bin:/bin" LC_ALL=C.UTF-8 TERM=dumb "$@"; }

# matches PATTERN COMMAND...: whether a line of its output is like the pattern; prints the output.
matches() {
  local pattern=$1
  shift
  "$@" > "$work/lines" 2>&1 < /dev/null || { cat "$work/lines"; return 1; }
  cat "$work/lines"
  grep -qE -- "$pattern" "$work/lines"
}

man_page() {
  local page=$1
  if command -v man > /dev/null; then
    bare man --warnings -l "$page" > "$work/page" 2> "$work/warnings" || { cat "$work/warnings"; return 1; }
  else
    bare mandoc -T utf8 -W warning "$page" > "$work/page" 2> "$work/warnings" || { cat "$work/warnings"; return 1; }
  fi
  cat "$work/warnings"
  # Some images have a `man` that only says that pages are left out.
  [ ! -s "$work/warnings" ] && [ "$(wc -l < "$work/page")" -ge 100 ]
}

# Each shell finds the installed file by itself, but for bash, which needs its package bash-completion for that.
bash_completion() {
  matches '^complete -F _cumulus cumulus$' bare bash --norc -c "source '$1' && complete -p cumulus"
}
zsh_completion() {
  matches '^_cumulus$' bare zsh -fc \
    "fpath=('$1' \$fpath); autoload -Uz compinit && compinit -D -u && print \$_comps[cumulus]"
}
fish_completion() {
  matches '^download' bare fish --no-config -c "set -p fish_complete_path '$1'; complete -C 'cumulus downl'"
}

# completion SHELL FILE: the file is there, and its shell takes it, if that is installed.
completion() {
  local shell=$1 file=$2 place=${2#"$work/"} where=$2
  check "$place is there" test -s "$file"
  if ! command -v "$shell" > /dev/null; then
    echo "skipped $shell is not installed"
    return
  fi
  [ "$shell" = bash ] || where=$(dirname "$file")
  check "$shell completes with $place" "${shell}_completion" "$where"
}

small_enough() {
  echo "it has $1 bytes, at most $most_bytes are allowed"
  [ "$1" -le "$most_bytes" ]
}

# Whether all of these libraries are glibc's; prints the others.
are_of_glibc() {
  [ $# -gt 0 ] || { echo 'it names no library'; return 1; }
  ! printf '%s\n' "$@" | grep -vE "$glibc"
}

package_information() {
  dpkg-deb --info "$1" > "$work/information" || return 1
  cat "$work/information"
  grep -qx ' Package: cumulus' "$work/information" &&
    grep -qxF " Version: $version" "$work/information" &&
    grep -qx " Architecture: $(dpkg --print-architecture)" "$work/information" &&
    grep -qxF " Depends: libc6 (>= ${newest#GLIBC_})" "$work/information" &&
    grep -qE '^ Installed-Size: [1-9][0-9]*$' "$work/information"
}

package_contents() {
  local path
  dpkg-deb --contents "$1" > "$work/contents" || return 1
  cat "$work/contents"
  grep -qE '^-rwxr-xr-x root/root .* \./usr/bin/cumulus$' "$work/contents" || return 1
  for path in man/man1/cumulus.1.gz bash-completion/completions/cumulus zsh/vendor-completions/_cumulus \
    fish/vendor_completions.d/cumulus.fish doc/cumulus/copyright; do
    grep -qE "^-rw-r--r-- root/root .* \./usr/share/$path\$" "$work/contents" || { echo "no $path"; return 1; }
  done
}

# Whether this machine may have the package for a moment.
can_install() {
  [ "$(id -u)" = 0 ] && [ ! -e /usr/bin/cumulus ] &&
    ! dpkg-query -W -f '${Status}' cumulus 2> /dev/null | grep -q ' installed$'
}

is_removed() {
  dpkg -r cumulus && [ ! -e /usr/bin/cumulus ] &&
    ! dpkg-query -W -f '${Status}' cumulus 2> /dev/null | grep -q ' installed$'
}

Scripts/install.sh "$prefix" --build-path "$build"
export CUMULUS_INSTALL_BUILT=1
program=$prefix/bin/cumulus
size=$(stat -c %s "$program")
newest=$(newest_glibc "$program")
mapfile -t needed < <(objdump -p "$program" | awk '$1 == "NEEDED" { print $2 }')
version=$(bare "$program" --version | cut -d ' ' -f 2) || version=

check 'cumulus --version says its version' matches '^cumulus [0-9]+\.[0-9]+' bare cumulus --version
check 'cumulus help explains it' matches 'cumulus' bare cumulus help
check "the program has $size bytes, at most $most_bytes" small_enough "$size"
check "it needs only libraries of glibc: ${needed[*]}" are_of_glibc "${needed[@]}"
check "its newest symbol of glibc is $newest" matches '^GLIBC_[0-9]+\.[0-9]' echo "$newest"
check 'share/man/man1/cumulus.1 is there' matches '^\.TH CUMULUS 1' cat "$share/man/man1/cumulus.1"
if command -v man > /dev/null || command -v mandoc > /dev/null; then
  check 'the man page is formatted without a warning' man_page "$share/man/man1/cumulus.1"
else
  echo 'skipped neither man nor mandoc is installed'
fi
completion bash "$share/bash-completion/completions/cumulus"
completion zsh "$share/zsh/vendor-completions/_cumulus"
completion zsh "$share/zsh/site-functions/_cumulus"
completion fish "$share/fish/vendor_completions.d/cumulus.fish"

if command -v dpkg-deb > /dev/null; then
  package=$work/cumulus.deb
  check 'the Debian package is built' Scripts/package-debian.sh "$package" --build-path "$build"
  check 'dpkg-deb --info: name, version, architecture, C library, size' package_information "$package"
  check 'dpkg-deb --contents: program, man page, completions, licence' package_contents "$package"
  if can_install; then
    installed=1
    check 'dpkg -i installs it' dpkg -i "$package"
    check 'the installed program is the same' cmp /usr/bin/cumulus "$program"
    check 'the installed program runs' matches "^cumulus $version\$" bare /usr/bin/cumulus --version
    check 'dpkg -r removes it' is_removed
    installed=
  else
    echo 'skipped dpkg -i: not root, or there is a cumulus on this system'
    check 'dpkg-deb -x unpacks it' dpkg-deb -x "$package" "$work/unpacked"
    check 'the unpacked program is the same' cmp "$work/unpacked/usr/bin/cumulus" "$program"
    check 'the unpacked program runs' matches "^cumulus $version\$" bare "$work/unpacked/usr/bin/cumulus" --version
  fi
else
  echo 'skipped dpkg-deb is not installed'
fi

echo "cumulus $version: $size bytes, needs $newest or newer; $passed checks passed, $failed failed"
[ "$failed" = 0 ]
