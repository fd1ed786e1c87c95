#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the guide as plain Markdown, for readers on a code host, from the pages of the DocC catalogs.

`Scripts/guide.txt` is the list of the guide's pages, in groups. From it come:

- `docs/guide/PAGE.md`, one for each page: links lead to files, names of symbols to docs/api/, and the title of a page in
  italics, as pages of other modules are named in DocC, is a link
- `GUIDE.md`, the contents: each page with its first paragraph
- the groups of articles below `## Topics` in CumulusCore.docc/CumulusCore.md
- the modules with a catalog in `.spi.yml`, for which the package index builds documentation

Usage: Scripts/guide.py            writes these files
       Scripts/guide.py --check    writes nothing, prints what differs, and exits 1 if anything does
       Scripts/guide.py --count    prints the number of pages and their words, without comments
"""

import pathlib
import re
import sys

import api_pages

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "Scripts" / "guide.txt"
FOLDER = ROOT / "docs" / "guide"
CORE = ROOT / "Sources" / "CumulusCore" / "CumulusCore.docc"
FENCE = re.compile(r"^(```|~~~).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
API = api_pages.committed()
GROUPS = re.compile(r"(\n## Topics\n\n)(?:### [^\n]+\n\n(?:- <doc:\w+>\n)+\n)*")


def pages():
    """The text of each page of the catalogs but their first ones, by name."""
    found = sorted((ROOT / "Sources").glob("*/*.docc/**/*.md"))
    return {path.stem: (path, path.read_text("utf-8")) for path in found if not path.parent.name == f"{path.stem}.docc"}


def read_list():
    """The groups: (title, names of pages)."""
    groups = []
    for line in LIST.read_text("utf-8").splitlines():
        if line.startswith("## "):
            groups.append((line[3:], []))
        elif line and not line.startswith("#"):
            groups[-1][1].append(line)
    return groups


def title(text):
    return re.match(r"# (.+)\n", text)[1]


def abstract(text):
    return " ".join(text.split("\n\n", 2)[1].split())


# Members of these are written as in a call: a setting by its name, a case with its dot.
BARE = {"Settings", "Rules"}
CASES = {"Code", "Kind", "Kinds", "Reason"}


def symbol(link):
    """A symbol's name as code: a type with its outer types, a member with its type."""
    parts = api_pages.parts(link)
    if parts[-1][0].isupper() or len(parts) == 1:
        return ".".join(parts)
    outer, member = parts[-2], parts[-1]
    return member if outer in BARE else f".{member}" if outer in CASES else f"{outer}.{member}"


def linked(text, texts, findings, name, reference="../api"):
    """Prose with links that lead to files."""
    def page(found):
        words, target, fragment = found.groups()
        if target not in texts:
            findings.append(f"{name}: <doc:{target}> is not a page of the guide")
            return found[0]
        if not fragment:
            return f"[{words or title(texts[target][1])}]({target}.md)"
        # As in DocC, a heading's fragment has no punctuation, and hyphens for spaces.
        found_heads = re.findall(r"^#+ (.+)$", FENCE.sub("", texts[target][1]), re.MULTILINE)
        heads = {re.sub(r"[^\w -]", "", head).replace(" ", "-"): head for head in found_heads}
        if fragment not in heads:
            findings.append(f"{name}: {target}.md has no heading {fragment}")
            return found[0]
        return f"[{words or heads[fragment]}]({target}.md#{api_pages.slug(heads[fragment])})"

    text = re.sub(r"!\[([^\]]*)\]\(([\w-]+\.svg)\)", r"![\1](../pictures/\2)", text)

    def other(found):
        named = [target for target in texts if title(texts[target][1]) == found[1]]
        return f"[{found[1]}]({named[0]}.md)" if named else found[0]

    text = re.sub(r"(?<!\*)\*([^*\n]+)\*(?!\*)", other, text)
    text = re.sub(r"\[([^\]]+)\]\(<?doc:(\w+)(?:#([^>)]+))?>?\)", page, text)
    text = re.sub(r"()<doc:(\w+)(?:#([^>]+))?>", page, text)

    def declaration(found):
        target = api_pages.address(found[1], "", *API)
        if not target:
            findings.append(f"{name}: ``{found[1]}`` is not in docs/api/")
            return f"`{symbol(found[1])}`"
        return f"[`{symbol(found[1])}`]({reference}/{target})"

    return re.sub(r"(?<!`)``([^`\n]+)``(?!`)", declaration, text)


# The resources of the examples, as the first page declares them, each from the one before.
RESOURCES = {"site": 'Resource("https://api.example.com")', "posts": 'site["posts"]', "post": "posts[42]"}


def undeclared(text):
    """The sentence about the resources that a page's code uses and doesn't declare; empty if there are none."""
    code = "\n".join(fence[0] for fence in FENCE.finditer(text) if fence[0].startswith("```swift"))
    code = re.sub(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*', "", code)
    used = [
        name
        for name in RESOURCES
        if re.search(rf"(?<![.\w]){name}\b(?!:)[\[.]", code)
        and not re.search(rf"\b(?:let|var|for await|for try await) {name}\b|\b{name}: |\b{name} in\b", code)
    ]
    if not used:
        return ""
    names = list(RESOURCES)[: list(RESOURCES).index(used[-1]) + 1]
    listed = [f"`{name}` is `{RESOURCES[name]}`" for name in names]
    joined = " and ".join(listed) if len(listed) < 3 else f"{', '.join(listed[:-1])}, and {listed[-1]}"
    return f"In the examples, {joined}.\n\n"


def plain(name, texts, group, findings):
    """A page as plain Markdown, with a sentence about the resources that its examples use."""
    path, text = texts[name]
    text = text.partition("\n## Topics\n")[0].rstrip("\n") + "\n"
    heading, abstract_, rest = text.split("\n\n", 2)
    text = f"{heading}\n\n{abstract_}\n\n{undeclared(text)}{rest}"
    pieces, end = [], 0
    for fence in FENCE.finditer(text):
        pieces += [linked(text[end : fence.start()], texts, findings, name), fence[0]]
        end = fence.end()
    pieces.append(linked(text[end:], texts, findings, name))
    head, _, body = "".join(pieces).partition("\n")
    note = f"<!-- Made by Scripts/guide.py from {path.relative_to(ROOT)}; change that file. -->"
    return f"{note}\n{head}\n{body}\n[All pages](../../GUIDE.md) · {group}\n"


def contents(groups, texts, findings):
    lines = ["# The guide", "", "Every page, by subject. [The interface](docs/api/README.md) lists all public types. `Scripts/docs.sh` builds both as a", "site with a search.", ""]
    lines.insert(0, "<!-- Made by Scripts/guide.py from Scripts/guide.txt and the pages' first paragraphs. -->")
    for group, names in groups:
        lines += [f"## {group}", ""]
        for name in names:
            text = linked(abstract(texts[name][1]), texts, findings, name, "docs/api")
            lines.append(f"- [{title(texts[name][1])}](docs/guide/{name}.md): {text}")
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def topics(groups, texts):
    """The front page of the core's catalog; DocC can't list pages of the other modules there."""
    def own(names):
        return [f"- <doc:{name}>\n" for name in names if CORE in texts[name][0].parents]
    listed = "".join(f"### {group}\n\n{''.join(own(names))}\n" for group, names in groups if own(names))
    text = (CORE / "CumulusCore.md").read_text("utf-8")
    return GROUPS.sub(lambda found: found[1] + listed, text, count=1)


def package_index():
    names = sorted(path.parent.name for path in (ROOT / "Sources").glob("*/*.docc"))
    names.sort(key=lambda name: name != "CumulusCore")
    return f"version: 1\nbuilder:\n  configs:\n    - documentation_targets: [{', '.join(names)}]\n"


def words(text):
    return len(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL).split())


def main():
    texts, groups, findings, check = pages(), read_list(), [], "--check" in sys.argv
    names = [name for _, members in groups for name in members]
    findings += [f"Scripts/guide.txt doesn't list {name}" for name in sorted(set(texts) - set(names))]
    findings += [f"Scripts/guide.txt lists {name}, which isn't a page" for name in names if name not in texts]
    findings += [f"Scripts/guide.txt lists {name} twice" for name in sorted(set(names)) if names.count(name) > 1]
    groups = [(group, [name for name in members if name in texts]) for group, members in groups]
    wanted = {FOLDER / f"{name}.md": plain(name, texts, group, findings) for group, members in groups for name in members}
    wanted[ROOT / "GUIDE.md"] = contents(groups, texts, findings)
    if "--count" in sys.argv:
        total = sum(words(texts[name][1]) for name in texts)
        prose = sum(words(FENCE.sub("", texts[name][1])) for name in texts)
        print(f"{len(texts)} pages, {total} words, {prose} of them outside code blocks")
        return 0
    wanted[ROOT / ".spi.yml"] = package_index()
    wanted[CORE / "CumulusCore.md"] = topics(groups, texts)
    for path, text in wanted.items():
        if path.is_file() and path.read_text("utf-8") == text:
            continue
        if check:
            findings.append(f"{path.relative_to(ROOT)} differs from its source: run Scripts/guide.py")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    for path in sorted(set(FOLDER.glob("*.md")) - set(wanted)):
        if check:
            findings.append(f"{path.relative_to(ROOT)} has no source: run Scripts/guide.py")
        else:
            path.unlink()
    print("\n".join(findings + [f"guide: {len(names)} pages in {len(groups)} groups, {len(findings)} findings"]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
