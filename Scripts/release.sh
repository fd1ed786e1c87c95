#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a release: checks, the version in the sources, the section of CHANGELOG.md, a commit, a tag, and the files to
# publish in .build/release-VERSION. Pushes nothing. RELEASING.md has the list of what to do before and after.
#
#     Scripts/release.sh VERSION [--dry-run] [--no-checks]
#
# --dry-run changes nothing, and prints what would be changed; --no-checks omits Scripts/check.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

version='' dry_run=no checks=yes
for word in "$@"; do
    case $word in
        --dry-run) dry_run=yes ;;
        --no-checks) checks=no ;;
        -*) echo "usage: Scripts/release.sh VERSION [--dry-run] [--no-checks]" >&2 && exit 64 ;;
        *) version=$word ;;
    esac
done
fail() { echo "release: $*" >&2 && exit 1; }

[[ $version =~ ^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?$ ]] ||
    fail "'$version' is not a version: MAJOR.MINOR.PATCH, optionally followed by -beta.1 or the like"
git rev-parse -q --verify "refs/tags/$version" >/dev/null && fail "there is a tag $version"
[ -z "$(git status --porcelain --untracked-files=no)" ] || fail "there are changes that are not committed"
last=$(git describe --tags --abbrev=0 --match '[0-9]*.[0-9]*.[0-9]*' 2>/dev/null || true)
if [ -n "$last" ] && [ "$(printf '%s\n%s\n' "$last" "$version" | sort -V | tail -n 1)" != "$version" ]; then
    fail "$version comes before $last"
fi

notes=$(sed -n '/^## \[Unreleased\]/,/^## \[[0-9]/p' CHANGELOG.md | sed '1d; /^## \[[0-9]/d')
grep -q '^- ' <<<"$notes" || fail "CHANGELOG.md has nothing unreleased"

if [ "$checks" = yes ]; then Scripts/check.sh; else echo "== the checks were left out"; fi

echo "== The public interface since ${last:-the beginning}"
if [ -n "$last" ]; then
    git diff --unified=0 "$last" -- API | grep -E '^[-+][^-+]' | cut -c1-200 || echo "   (no change)"
else
    echo "   $(cat API/*.txt | wc -l) declarations in $(ls API/*.txt | wc -l) modules"
fi

# The version that servers are told: MAJOR.MINOR.
told=$(cut -d. -f1,2 <<<"$version")
current=$(grep -rhoE 'Cumulus/[0-9]+\.[0-9]+' Sources/CumulusCore --include='*.swift' | sort -u)
[ "$(wc -l <<<"$current")" = 1 ] || fail "the sources name several versions: $current"
named=$(grep -rlF "$current" Sources Tests Examples README.md --include='*.swift' --include='*.md' || true)
command=Sources/CumulusCLI/Options/Invocation.swift
grep -qE 'version = "cumulus [0-9A-Za-z.-]+"' "$command" || fail "$command has no version"

echo "== $current becomes Cumulus/$told in"
sed 's/^/   /' <<<"$named"
echo "== cumulus --version says $version ($command)"
echo "== The section of CHANGELOG.md: [$version] - $(date +%F), $(grep -c '^- ' <<<"$notes") entries"
echo "== A commit 'Release $version', and the tag $version"
echo "== In .build/release-$version: the source archive, a Debian package, the SBOM, SHA256SUMS"
if [ "$dry_run" = yes ]; then
    echo "nothing was changed"
    exit 0
fi

while read -r file; do sed -i "s|${current//./\\.}\b|Cumulus/$told|g" "$file"; done <<<"$named"
sed -i -E "s/version = \"cumulus [0-9A-Za-z.-]+\"/version = \"cumulus $version\"/" "$command"
sed -i "s/^## \[Unreleased\]$/## [Unreleased]\n\n## [$version] - $(date +%F)/" CHANGELOG.md
Scripts/guide.py  # docs/guide names the version, too
git add -u
git commit -q -m "Release $version"
{
    echo "Cumulus $version"
    echo "$notes"
} | git tag -a "$version" --cleanup=verbatim -F -

# The files to publish, from the commit just made. The same commit gives the same source archive and SBOM.
folder=.build/release-$version
rm -rf "$folder"
mkdir -p "$folder"
archive=$folder/cumulus-$version.tar.gz
git archive --prefix="cumulus-$version/" "$version" | gzip -9n > "$archive"
files=("$archive")
if command -v dpkg-deb >/dev/null; then
    debian=$folder/cumulus_${version}_$(dpkg --print-architecture).deb
    Scripts/package-debian.sh "$debian"
    files+=("$debian")
fi
TZ=UTC Scripts/sbom.py "$version" "$folder/cumulus-$version.spdx.json" "${files[@]}"
(cd "$folder" && sha256sum -- cumulus* > SHA256SUMS && cat SHA256SUMS)
echo "made; push it with: git push origin HEAD $version, and publish the files in $folder"
