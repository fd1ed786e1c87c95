#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the command into a temporary prefix and as a Debian package, and checks what is there and that it runs. Builds
# it first, which takes some 10 minutes. Prints a line for each check, and exits 1 if one fails.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix share=$work/prefix/share
passed=0 failed=0

# check TITLE PATTERN COMMAND...: the command succeeds, and a line of its output is like the pattern.
check() {
    local title=$1 pattern=$2
    shift 2
    # Without the variables of this shell: neither a toolchain nor a user's configuration helps.
    if env -i HOME="$work" PATH="$prefix/bin:/usr/bin:/bin" LC_ALL=C.UTF-8 TERM=dumb "$@" > "$work/output" 2>&1 < /dev/null &&
        grep -qE -- "$pattern" "$work/output"; then
        passed=$((passed + 1))
        echo "ok      $title"
    else
        failed=$((failed + 1))
        echo "FAILED  $title"
        sed 's/^/        /' "$work/output"
    fi
}
# where COMMAND: whether a shell or a tool is here; says so if it isn't.
where() { command -v "$1" > /dev/null || { echo "skipped $1 is not installed"; return 1; }; }

Scripts/install.sh "$prefix"
check 'it says its version' '^cumulus [0-9]+\.[0-9]+' cumulus --version
check 'it explains itself' 'download' cumulus help
if where man; then check 'the man page is laid out' 'SYNOPSIS' man --warnings -l "$share/man/man1/cumulus.1"; fi
check 'bash completes' '^complete -F _cumulus cumulus$' \
    bash --norc -c "source '$share/bash-completion/completions/cumulus' && complete -p cumulus"
if where zsh; then
    for folder in vendor-completions site-functions; do
        check "zsh completes with $folder" '^_cumulus$' zsh -fc \
            "fpath=('$share/zsh/$folder' \$fpath); autoload -Uz compinit && compinit -D -u && print \$_comps[cumulus]"
    done
fi
if where fish; then
    check 'fish completes' '^download' \
        fish --no-config -c "set -p fish_complete_path '$share/fish/vendor_completions.d'; complete -C 'cumulus downl'"
fi
if where dpkg-deb; then
    Scripts/package-debian.sh "$work/cumulus.deb"
    check 'the package names what it needs' '^ Depends: libc6 \(>= 2\.[0-9]+\)' dpkg-deb --info "$work/cumulus.deb"
    check 'it has the man page' ' \./usr/share/man/man1/cumulus\.1\.gz$' dpkg-deb --contents "$work/cumulus.deb"
    check 'it is unpacked' '' bash -c "dpkg-deb -x '$work/cumulus.deb' '$work/unpacked' && echo done"
    check 'what was unpacked runs' '^cumulus [0-9]' "$work/unpacked/usr/bin/cumulus" --version
fi
echo "$passed checks passed, $failed failed"
[ "$failed" = 0 ]
