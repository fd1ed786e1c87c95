#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a Debian package of the command, its man page and its completions: Scripts/package-debian.sh FILE.deb
# CUMULUS_BUILD names another build folder, as for install.sh. dpkg-deb honors SOURCE_DATE_EPOCH.
set -euo pipefail
cd "$(dirname "$0")/.."
file=${1:?usage: Scripts/package-debian.sh FILE.deb}
umask 022

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
Scripts/install.sh "$root/usr"
gzip -9n "$root/usr/share/man/man1/cumulus.1"
mkdir -p "$root/usr/share/doc/cumulus"
# The licenses of the packages that are linked into the program; a text that several share is there once.
build=${CUMULUS_BUILD:-.build/install}
linked=$(grep -ho '[^/]*\.build/' "$build"/*/release/cumulus.product/Objects.LinkFileList | sort -u)
{
    cat NOTICE && echo && cat LICENSE
    for folder in "$build"/checkouts/*/; do
        ls "$folder/Sources" | sed 's|$|.build/|' | grep -xF -f <(echo "$linked") > /dev/null || continue
        printf '\n\n== The program contains %s:\n\n' "$(basename "$folder")"
        find "$folder" -maxdepth 1 -name 'NOTICE*' -exec cat {} +
        license=$(find "$folder" -maxdepth 1 -name 'LICENSE*' | head -n 1)
        if cmp -s "$license" LICENSE; then
            echo 'Licensed under the Apache License, Version 2.0, as above.'
        else
            cat "$license"
        fi
        # Of code of others that a package contains.
        find "$folder/Sources" -mindepth 2 -name 'LICENSE*' -exec cat {} +
    done
    echo
    echo 'The program also contains the runtime libraries of Swift (Apache License, Version 2.0, with the Runtime Library'
    echo 'Exception) and of C++ (GNU General Public License, version 3, with the GCC Runtime Library Exception).'
} > "$root/usr/share/doc/cumulus/copyright"
program=$root/usr/bin/cumulus
version=$("$program" --version | cut -d ' ' -f 2)
needed=$(objdump -p "$program" | awk '/NEEDED/ { print $2 }')
case $needed in *libstdc++*) cpp=', libstdc++6' ;; *) cpp= ;; esac
newest=$(objdump -T "$program" | grep -o 'GLIBC_[0-9][0-9.]*' | sort -uV | tail -1)
mkdir "$root/DEBIAN"
# A tilde makes Debian order a pre-release before its release.
cat > "$root/DEBIAN/control" <<END
Package: cumulus
Version: $(tr - '~' <<<"$version")
Section: web
Priority: optional
Architecture: $(dpkg --print-architecture)
Depends: libc6 (>= ${newest#GLIBC_}), libgcc-s1$cpp, zlib1g
Recommends: ca-certificates
Suggests: less, libbrotli1, libzstd1
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f 1)
Maintainer: Cumulus maintainers <noreply@localhost>
Description: HTTP requests, downloads and uploads from the terminal
 cumulus sends HTTP requests that are written in a short form, formats the
 responses safely for the terminal, and downloads files over several
 connections; interrupted downloads and uploads continue.
END
dpkg-deb --root-owner-group --build "$root" "$file"
