#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a Debian package of the command, its man page and its completions:
#   Scripts/package-debian.sh FILE.deb [--build-path DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/install/build.sh

file=${1:?usage: Scripts/package-debian.sh FILE.deb [--build-path DIR]}
build=.build/install
[ "${2:-}" = --build-path ] && build=$3

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
build_command "$build"
install_command "$build" "$root/usr"
gzip -9n "$root/usr/share/man/man1/cumulus.1"
install -Dm 644 LICENSE "$root/usr/share/doc/cumulus/copyright"
version=$("$build/cumulus" --version | cut -d ' ' -f 2)
newest=$(newest_glibc "$build/cumulus")
mkdir "$root/DEBIAN"
cat > "$root/DEBIAN/control" <<END
Package: cumulus
Version: $version
Section: web
Priority: optional
Architecture: $(dpkg --print-architecture)
Depends: libc6 (>= ${newest#GLIBC_})
Recommends: ca-certificates
Suggests: less, libbrotli1, libzstd1
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Maintainer: Cumulus maintainers <noreply@localhost>
Description: HTTP requests, downloads and uploads from the terminal
 cumulus sends HTTP requests in a short grammar, prints answers laid out and
 safe for the terminal, and downloads files over several connections,
 continuing where it stopped.
END
dpkg-deb --root-owner-group --build "$root" "$file"
