#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the links of the Markdown files, the guide's included.

Each relative link leads to a file, and to a heading of it; each `<doc:Page>` to a page of the guide. DocC checks the
other links of its pages. Links to other hosts are counted, not followed: the check needs no network. Each numbered row
of a table in ARCHITECTURE.md names a file below Sources/ and a function in it.

Outside the catalogs, where a code host shows the files, no link has DocC's own form or leads into a catalog: DocC's
links are dead there. Each page of docs/guide/ is at most three clicks from the README.

Usage: Scripts/lint-links.py

Prints one line for each finding, and exits 1 if there are any.
"""

import pathlib
import posixpath
import re
import subprocess
import sys
import urllib.parse

import api_pages

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
STEP = re.compile(r"^\| \d+ \| `([\w/+]+\.swift)` \| `(\w+)` \|", re.MULTILINE)
DOCC = re.compile(r"<doc:[^>]+>|(?<!`)``[\w/][^`\n]*``(?!`)")
CLICKS = 3
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def slug(heading):
    """The name of a heading with links, as code hosts make it."""
    return api_pages.slug(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading))


def headings(text):
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


def host_links(name, text):
    """Yields the links of a file outside the catalogs that are dead on a code host."""
    for link in DOCC.findall(text):
        yield f"{name}: {link} is a link for DocC only"
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", text)):
        if ".docc/" in link:
            yield f"{name}: {link} leads into a catalog; link to docs/guide/"


def distances(files):
    """The number of clicks from the README to each Markdown file."""
    found, next_names = {"README.md": 0}, ["README.md"]
    while next_names:
        name = next_names.pop(0)
        for link in LINK.findall(files.get(name, "")):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), link.partition("#")[0]))
            if target in files and target not in found:
                found[target] = found[name] + 1
                next_names.append(target)
    return found


def main():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = {name: FENCE.sub("", (ROOT / name).read_text("utf-8")) for name in listed.stdout.split("\n") if name and (ROOT / name).is_file()}
    pages = {pathlib.Path(name).stem for name in files if ".docc/" in name}
    findings, inside, outside = [], 0, 0
    for name, text in files.items():
        if ".docc/" not in name:
            findings += host_links(name, text)
        text = re.sub(r"`[^`\n]*`", "", text)
        for page in re.findall(r"<doc:([\w-]+)(?:#[^>]*)?>", text):
            inside += 1
            if page not in pages:
                findings.append(f"{name}: <doc:{page}> is not a page of the guide")
        for link in LINK.findall(text):
            if re.match(r"<?\w+:", link):
                outside += link.startswith("http")
                continue
            inside += 1
            path, _, fragment = urllib.parse.unquote(link).partition("#")
            target = (ROOT / name).parent / path if path else ROOT / name
            if ".docc/" in name and path.endswith(".svg"):  # DocC finds a picture by its name
                target = ROOT / name[: name.index(".docc/") + 6] / "Pictures" / path
            if not target.exists():
                findings.append(f"{name}: {link} leads nowhere")
            elif fragment and target.suffix == ".md" and fragment not in headings(FENCE.sub("", target.read_text("utf-8"))):
                findings.append(f"{name}: {link}: the file has no such heading")
    clicks = distances(files)
    guide = [name for name in files if name.startswith("docs/guide/")]
    findings += [f"{name} is more than {CLICKS} clicks from the README" for name in guide if clicks.get(name, CLICKS + 1) > CLICKS]
    for path, function in STEP.findall((ROOT / "ARCHITECTURE.md").read_text("utf-8")):
        inside += 1
        file = ROOT / "Sources" / path
        if not file.is_file() or not re.search(rf"\b(func )?{function}\b *[(<]", file.read_text("utf-8")):
            findings.append(f"ARCHITECTURE.md: {path} has no function {function}")
    farthest = max((clicks.get(name, 0) for name in guide), default=0)
    print("\n".join(findings + [f"guide: {len(guide)} pages, at most {farthest} clicks from the README", f"links: {len(files)} Markdown files, {inside} links inside, {outside} to other hosts, {len(findings)} dead"]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
