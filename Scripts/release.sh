#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a release: checks, the version in the sources, the section of CHANGELOG.md, a commit, the files to publish in
# .build/release-VERSION, and last a tag. Pushes nothing. RELEASING.md lists the steps before and after.
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
        -*) echo "Usage: Scripts/release.sh VERSION [--dry-run] [--no-checks]" >&2 && exit 64 ;;
        *) version=$word ;;
    esac
done
fail() { echo "release: $*" >&2 && exit 1; }

# The work tree is what gets built, and the commit is what gets published: they must not differ.
require_clean() {
    local changes
    changes=$(git status --porcelain --untracked-files=normal)
    [ -z "$changes" ] || fail "Uncommitted or untracked files. Commit, remove or ignore them first:
$(head -n 5 <<<"$changes")"
}

# Orders versions, one a line. With a tilde for the hyphen, 0.2.0-beta.1 precedes 0.2.0, as SemVer and Debian require.
in_order() { tr - '~' | sort -V | tr '~' -; }

# SemVer and Debian order these pre-releases alike, which is not true of every name.
number='(0|[1-9][0-9]*)'
form="^$number\.$number\.$number(-(alpha|beta|rc)\.$number)?$"
[[ $version =~ $form ]] || fail "'$version' is not a version. Write 1.2.3, or 1.2.3-beta.1 (or alpha, or rc)."
if git rev-parse -q --verify "refs/tags/$version" >/dev/null; then fail "The tag $version exists already."; fi
require_clean
last=$(git tag --merged HEAD | { grep -E "$form" || true; } | in_order | tail -n 1)
newest=$(printf '%s\n' "$last" "$version" | in_order | tail -n 1)
[ "$newest" = "$version" ] || fail "$version is older than the last tag, $last."

notes=$(sed -n '/^## \[Unreleased\]/,/^## \[[0-9]/p' CHANGELOG.md | sed '1d; /^## \[[0-9]/d')
grep -q '^- ' <<<"$notes" || fail "The section [Unreleased] of CHANGELOG.md has no entry."

if [ "$checks" = yes ]; then Scripts/check.sh; else echo "== The checks were skipped"; fi

echo "== The public interface since ${last:-the beginning}"
if [ -n "$last" ]; then
    git diff --unified=0 "$last" -- API | grep -E '^[-+][^-+]' | cut -c1-200 || echo "   (no change)"
else
    lists=(API/*.txt)
    echo "   $(cat "${lists[@]}" | wc -l) declarations in ${#lists[@]} modules"
fi

# The User-Agent contains MAJOR.MINOR only.
minor=$(cut -d. -f1,2 <<<"$version")
current=$(grep -rhoE 'Cumulus/[0-9]+\.[0-9]+' Sources/CumulusCore --include='*.swift' | sort -u || true)
[[ $current =~ ^Cumulus/[0-9.]+$ ]] || fail "Sources/CumulusCore must contain exactly one version: '$current'"
mapfile -t named < <(grep -rlF "$current" Sources Tests Examples README.md --include='*.swift' --include='*.md')
command=Sources/CumulusCLI/Options/Invocation.swift
grep -qE 'version = "cumulus [0-9A-Za-z.-]+"' "$command" || fail "$command has no version."
today=$(date -u +%F)

echo "== $current becomes Cumulus/$minor in"
printf '   %s\n' "${named[@]}"
echo "== cumulus --version prints $version ($command)"
echo "== The section of CHANGELOG.md: [$version] - $today, $(grep -c '^- ' <<<"$notes") entries"
echo "== A commit 'Release $version'"
echo "== In .build/release-$version: the source archive, Package.resolved, a Debian package, the SBOM, SHA256SUMS"
echo "== The tag $version"
if [ "$dry_run" = yes ]; then
    echo "Nothing was changed."
    exit 0
fi

require_clean  # The checks take long enough for an edit.
before=$(git rev-parse HEAD) tagged=no unpacked=$(mktemp -d)
finish() {
    rm -rf "$unpacked"
    [ "$tagged" = yes ] ||
        echo "release: Failed; no tag was made. To undo the edits and the commit: git reset --hard $before" >&2
}
trap finish EXIT

for file in "${named[@]}"; do sed -i "s|${current//./\\.}\b|Cumulus/$minor|g" "$file"; done
sed -i -E "s/version = \"cumulus [0-9A-Za-z.-]+\"/version = \"cumulus $version\"/" "$command"
sed -i "s/^## \[Unreleased\]$/## [Unreleased]\n\n## [$version] - $today/" CHANGELOG.md
Scripts/guide.py  # docs/guide contains the version.
git add -u
git commit -q -m "Release $version"
commit=$(git rev-parse HEAD)
require_clean

# The same commit gives the same source archive, with the same versions of git and gzip. The Debian package and the SBOM,
# which contains its digest, are not claimed to be reproducible. All timestamps are the commit's.
SOURCE_DATE_EPOCH=$(git show --no-patch --format=%ct "$commit")
export SOURCE_DATE_EPOCH
folder=.build/release-$version
rm -rf "$folder"
mkdir -p "$folder"
archive=$folder/cumulus-$version.tar.gz
# git sorts the names, and sets the owner to root and the time to the commit's; it reads the umask from its settings.
git -c tar.umask=0022 archive --format=tar --prefix="cumulus-$version/" "$commit" | gzip -9n > "$archive"
swift package resolve
cp Package.resolved "$folder/Package.resolved"
files=("$archive" "$folder/Package.resolved")
debian=''
if command -v dpkg-deb >/dev/null; then
    # The file's name has the hyphen, because code hosts replace a tilde.
    debian=$folder/cumulus_${version}_$(dpkg --print-architecture).deb
    Scripts/package-debian.sh "$debian"
    files+=("$debian")
fi
Scripts/sbom.py "$version" "$folder/cumulus-$version.spdx.json" "${files[@]}"
(cd "$folder" && sha256sum -- cumulus* Package.resolved > SHA256SUMS)

echo "== Checking the files"
tar -tzf "$archive" >/dev/null
[ "$(git get-tar-commit-id < <(gzip -dc "$archive"))" = "$commit" ] || fail "$archive was not made from $commit."
cmp Package.resolved "$folder/Package.resolved" || fail "The dependencies changed during the build."
if [ -n "$debian" ]; then
    packed=$(dpkg-deb --field "$debian" Version)
    [ "$packed" = "$(tr - '~' <<<"$version")" ] || fail "$debian has the version '$packed'."
    dpkg-deb --extract "$debian" "$unpacked"
    printed=$("$unpacked/usr/bin/cumulus" --version)
    [ "$printed" = "cumulus $version" ] || fail "The packaged command prints the version '$printed'."
fi
(cd "$folder" && sha256sum --check SHA256SUMS && cat SHA256SUMS)
require_clean
[ "$(git rev-parse HEAD)" = "$commit" ] || fail "HEAD is no longer the release's commit, $commit."

{
    echo "Cumulus $version"
    echo "$notes"
} | git tag -a "$version" --cleanup=verbatim -F - "$commit"
tagged=yes
echo "Done. Push it with: git push origin HEAD $version, and publish the files in $folder"
