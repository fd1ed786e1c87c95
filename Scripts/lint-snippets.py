#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares code in Markdown files and docstrings with the compiled snippets that it comes from.

- A code block after the comment `<!-- snippet: File/slice -->` must be that slice of `File.swift`, in one of `FOLDERS`. A
  slice that nothing shows is reported.
- The code of a block in a docstring, fenced or indented, must be a slice, white space aside.
- Any other Swift block must follow `<!-- not compiled: REASON -->`. Swift without a fence is reported.
- A line that begins with a fence has nothing after it but a language: a fence joined with its content is reported.
- The code in a table after `<!-- calls: File -->`, in its second column or the one that is named behind the file, must be in
  that file, line breaks aside.
- Each row of a table after `<!-- seeds -->` must name an article and a slice that exist.
- No sentence assigns a setting on a resource, which doesn't compile; the seeds' tables do, and lines that say so.
- The guide shows its code on the page itself, so that it can be read without building the documentation: a line
  `@Snippet(path: "cumulus/Snippets/File", slice: "slice")`, or the comment without its block, is reported.

Usage: Scripts/lint-snippets.py [--write]    --write puts the slices into the Markdown files, in place of such lines too
"""

import os
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = [
    ROOT / folder
    for folder in [
        "Examples/Snippets", "Examples/Hedging", "Examples/Records/Sources/Records", "Examples/Records/Tests/RecordsTests",
        "Examples/ClientCheck/Sources/FirstRequest", "Examples/Programs/Sources/FrontDesk",
        "Examples/Programs/Sources/FrontDeskServer", "Tests/CumulusNIOTests", "Tests/CumulusTests",
    ]
]
BLOCK = re.compile(r"(<!-- snippet: ([\w+]+)/([\w-]+) -->\n```swift\n)(.*?)(```)", re.DOTALL)
MARKED = re.compile(r"<!-- (?:snippet: [\w+]+/[\w-]+|not compiled: \S+ \S.*) -->")
SWIFT = re.compile(r"^\s*(?:import \w+$|(?:public )?(?:let|var|func|struct|enum|actor|extension) \w)|\btry \w|\$0", re.MULTILINE)
FENCE = re.compile(r"\s*(?:```+|~~~+)(.*)")
LANGUAGE = re.compile(r"[\w+#-]*\s*")
# DocC's directive, and a comment whose block is missing.
INCLUDE = re.compile(
    r'^(?:@Snippet\(path: "cumulus/Snippets/(?=.*"\)$)|<!-- snippet: (?=.*-->\n(?!```swift\n)))'
    r'([\w+]+)(?:", slice: "|/)([\w-]+)(?:"\)| -->)$',
    re.MULTILINE,
)

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
            for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", cell):
                is_call = re.search(r"[({]|\w\[.*\]\W*[.\w]| = |^[a-z]\w*\.\w", code)
                if is_call and "&" not in code and bare(code) not in compiled:
                    yield f"{name}: {file}.swift doesn't have {code}"


def check_seeds(name, text, slices, articles, shown):
    """Yields what a table of the seeds' sections names that isn't there; notes the slices that it names."""
    for table in re.findall(r"<!-- seeds -->\n((?:\|.*\n)+)", text):
        for row in table.splitlines()[2:]:
            found = re.fullmatch(r"\| (.+) \| \[[^]]+\]\((?:\.\./\.\./docs/guide/)?(\w+)\.md\) \| `(\w+)/([\w-]+)` \|", row)
            if not found:
                yield f"{name}: a row without section, article or snippet: {row}"
            elif found[2] not in articles:
                yield f"{name}: there is no article {found[2]}"
            elif (found[3], found[4]) not in slices:
                yield f"{name}: there is no slice {found[3]}/{found[4]}"
            else:
                shown.add((found[3], found[4]))


def check_assignments(path, text):
    """Yields sentences with a setting that is assigned on a resource."""
    for number, line in enumerate(text.splitlines(), 1):
        is_text = path.suffix == ".md" or "///" in line
        if is_text and "compile" not in line and ASSIGNMENT.search(line):
            yield f"{path.relative_to(ROOT)}:{number}: a setting is written by `setRules` or `with`"


def blocks(lines):
    """Yields the first line's index, the language, the code and the line above of each block; `None` is no fence."""
    index, is_list = 0, False
    while index < len(lines):
        line, above = lines[index], lines[index - 1] if index else ""
        fence = re.match(r"\s*(```+|~~~+)\s*(\S*)", line)
        is_indented = not is_list and not above.strip() and re.match(r"    +\S", line)
        start = index
        index += 1
        if fence:
            while index < len(lines) and lines[index].strip() != fence[1]:
                index += 1
            yield start, fence[2], "\n".join(lines[start + 1 : index]), above
            index += 1
        elif is_indented:
            while index < len(lines) and (not lines[index].strip() or lines[index].startswith("    ")):
                index += 1
            yield start, None, "\n".join(lines[start:index]), above
        elif line.strip():
            is_list = bool(re.match(r"\s*([-*+]|\d+\.)\s", line)) or is_list and line.startswith(" ")


def check_blocks(path, text):
    """Yields the blocks of a Markdown file that are neither compiled nor marked."""
    for index, language, code, above in blocks(text.splitlines()):
        place = f"{path.relative_to(ROOT)}:{index + 1}"
        if not language and SWIFT.search(code):
            yield f"{place}: Swift without a fence ```swift"
        elif language == "swift" and not MARKED.fullmatch(above):
            yield f"{place}: Swift without `<!-- snippet: File/slice -->` or `<!-- not compiled: REASON -->` above it"


def check_fences(path, text):
    """Yields the fences that are joined with the content of their block, as after a reflow."""
    for number, line in enumerate(text.splitlines(), 1):
        if (fence := FENCE.match(line)) and not LANGUAGE.fullmatch(fence[1]):
            yield f"{path.relative_to(ROOT)}:{number}: a fence with more than a language; put the code on its own lines"


def check_docstrings(path, text, slices, shown):
    """Yields the blocks of docstrings that are no slice of a snippet; notes those that are."""
    compiled = {}
    for key, code in slices.items():
        compiled.setdefault(bare(code), []).append(key)
    comment, first = [], 0
    for number, line in enumerate([*text.splitlines(), ""]):
        found = re.match(r"\s*/// ?(.*)", line)
        if found:
            first = first if comment else number
            comment.append(found[1])
            continue
        for index, language, code, above in blocks(comment):
            keys = compiled.get(bare(code), [])
            shown.update(keys)
            if language in (None, "", "swift") and not keys and not MARKED.fullmatch(above):
                place = f"{path.relative_to(ROOT)}:{first + index + 1}"
                yield f"{place}: this code isn't compiled; put it into a slice of Examples/Snippets"
        comment = []


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
    seeds = sorted((ROOT / "Examples" / "Seeds").glob("*.md"))
    return sorted(ROOT.glob("*.md")) + seeds + sorted((ROOT / "Sources").rglob("*.docc/**/*.md"))


def files(ending):
    """The tree's own files; builds, and templates to be filled in, are in folders that begin with a dot."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (pathlib.Path(folder, name) for name in sorted(names) if name.endswith(ending))


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
            findings += [f"{path.name}: {name}/{part} without its code; --write adds it" for name, part in INCLUDE.findall(text)]

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
        findings += check_seeds(path.name, text, slices, articles, shown)
        updated = BLOCK.sub(replacement, updated)
        if write and updated != text:
            path.write_text(updated, encoding="utf-8")
    for path in pages() + sorted((ROOT / "Sources").rglob("*.swift")):
        findings += check_assignments(path, path.read_text(encoding="utf-8"))
    for path in files(".md"):
        if path.is_relative_to(ROOT / "docs" / "api"):  # Declarations, and docstrings that are checked in the sources.
            continue
        text = path.read_text(encoding="utf-8")
        findings += check_blocks(path, text)
        findings += check_fences(path, text)
    for path in files(".swift"):
        if path.relative_to(ROOT).parts[0] in ("Sources", "Examples"):
            findings += check_docstrings(path, path.read_text(encoding="utf-8"), slices, shown)
    findings += [f"{name}.swift: nothing shows the slice {part}" for name, part in slices if (name, part) not in shown]
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
