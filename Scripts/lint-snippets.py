#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares code in Markdown files with the compiled snippets that it comes from.

A code block after the comment `<!-- snippet: File/slice -->` must be that slice of `File.swift`, in `Examples/Snippets/` or
`Examples/Hedging/`; a
slice that nothing shows is reported. The code in a table after `<!-- calls: File -->`, in its second column or the one that
is named behind the file, must be in that file, line breaks aside. Each row of a table after `<!-- seeds -->` must name an
article and a slice that are there. No sentence assigns a setting on a resource, which doesn't compile; the seeds' tables do,
and lines that say so. The guide shows its code on the page itself, so that it can be read without building the
documentation: a line `@Snippet(path: "cumulus/Snippets/File", slice: "slice")` is reported as well.

Usage: Scripts/lint-snippets.py [--write]    --write puts the slices into the files, in place of such lines too
"""

import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = [ROOT / "Examples" / "Snippets", ROOT / "Examples" / "Hedging"]
BLOCK = re.compile(r"(<!-- snippet: (\w+)/([\w-]+) -->\n```swift\n)(.*?)(```)", re.DOTALL)
INCLUDE = re.compile(r'^@Snippet\(path: "cumulus/Snippets/(\w+)", slice: "([\w-]+)"\)$', re.MULTILINE)

# Not behind the bar of a table, where the seeds' own code stands.
ASSIGNMENT = re.compile(r"(?<!\| )`(?:site|api|post|posts|resource|child|root|login)(?:\[[^]]*\])?\.\w+ = ")
CALLS = re.compile(r"<!-- calls: (\w+)(?: (\d))? -->\n((?:\|.*\n)+)")


def snippet_files():
    return sorted(path for folder in FOLDERS for path in folder.glob("*.swift"))


def bare(code):
    """The code without white space and without the commas that the formatter puts at the ends of broken lists."""
    return re.sub(r",(?=[)\]])", "", re.sub(r"\s+", "", code))


def check_calls(name, text):
    """Yields what a table of calls shows that its snippet doesn't have."""
    for file, column, table in CALLS.findall(text):
        paths = [path for path in snippet_files() if path.stem == file]
        if not paths:
            yield f"{name}: there is no file {file}.swift of snippets"
            continue
        compiled = bare(paths[0].read_text(encoding="utf-8"))
        for row in table.splitlines()[2:]:
            cells = row.strip("|").split(" | ")
            cell = cells[int(column or 2) - 1] if len(cells) >= int(column or 2) else ""
            # Behind a semicolon stand remarks.
            for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", cell.split("; ")[0]):
                is_call = re.search(r"[(\[{]| = ", code)
                if is_call and bare(code) not in compiled:
                    yield f"{name}: {file}.swift doesn't have {code}"


def check_seeds(name, text, slices, articles):
    """Yields what a table of the seeds' sections names that isn't there."""
    for table in re.findall(r"<!-- seeds -->\n((?:\|.*\n)+)", text):
        for row in table.splitlines()[2:]:
            found = re.fullmatch(r"\| (.+) \| <doc:(\w+)> \| `(\w+)/([\w-]+)` \|", row)
            if not found:
                yield f"{name}: a row without section, article or snippet: {row}"
            elif found[2] not in articles:
                yield f"{name}: there is no article {found[2]}"
            elif (found[3], found[4]) not in slices:
                yield f"{name}: there is no slice {found[3]}/{found[4]}"


def check_assignments(path, text):
    """Yields sentences with a setting that is assigned on a resource."""
    for number, line in enumerate(text.splitlines(), 1):
        is_text = path.suffix == ".md" or "///" in line
        if is_text and "compile" not in line and ASSIGNMENT.search(line):
            yield f"{path.relative_to(ROOT)}:{number}: a setting is written by `setRules` or `with`"


def read_slices():
    slices = {}
    for path in snippet_files():
        name, collected = None, []
        for line in path.read_text(encoding="utf-8").split("\n"):
            marker = re.match(r"\s*// snippet\.([\w-]+)\s*$", line)
            if marker and marker[1] == "end":
                slices[path.stem, name] = textwrap.dedent("\n".join(collected)).strip("\n") + "\n"
                name, collected = None, []
            elif marker:
                name, collected = marker[1], []
            elif name:
                collected.append(line)
    return slices


def pages():
    return sorted(ROOT.glob("*.md")) + sorted((ROOT / "Sources").rglob("*.docc/**/*.md"))


def main():
    write = "--write" in sys.argv
    slices, shown, findings = read_slices(), set(), []
    articles = {path.stem for path in pages()}
    for path in pages():
        text = path.read_text(encoding="utf-8")
        if write:
            updated = INCLUDE.sub(lambda line: f"<!-- snippet: {line[1]}/{line[2]} -->\n```swift\n```", text)
        else:
            updated = text
            findings += [f"{path.name}: @Snippet for {name}/{part}; --write shows its code" for name, part in INCLUDE.findall(text)]

        def replacement(block):
            key = (block[2], block[3])
            shown.add(key)
            if key not in slices:
                findings.append(f"{path.name}: there is no slice {key[0]}/{key[1]}")
                return block[0]
            if slices[key] != block[4] and not write:
                findings.append(f"{path.name}: the code differs from {key[0]}/{key[1]}; --write puts it right")
            return block[1] + slices[key] + block[5]

        findings += check_calls(path.name, text)
        findings += check_seeds(path.name, text, slices, articles)
        updated = BLOCK.sub(replacement, updated)
        if write and updated != text:
            path.write_text(updated, encoding="utf-8")
    for path in pages() + sorted((ROOT / "Sources").rglob("*.swift")):
        findings += check_assignments(path, path.read_text(encoding="utf-8"))
    findings += [f"{name}.swift: nothing shows the slice {part}" for name, part in slices if (name, part) not in shown]
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
