#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts words and turns of phrase that only this project uses, in comments, docstrings, messages and pages.

`Scripts/english.txt` has the number that each folder may still have. A folder above its number fails, and the findings
on lines that are newer than the number are printed. A folder below its number fails, too: `--lower` writes the smaller
numbers, so that they only shrink. The library's messages have a list of their own, without an allowance.

Usage: Scripts/lint-english.py            checks
       Scripts/lint-english.py --lower    checks, and lowers the numbers that can be lowered
       Scripts/lint-english.py FOLDER     prints all findings of a folder of that list
"""

import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALLOWANCES = ROOT / "Scripts" / "english.txt"

# (pattern, what to write instead)
PHRASES = [
    (r"\b(?:is|are|was|were|has|have|had|knows|know) none\b|\bis none of\b", "is not, has no"),
    (r"(?<!there )\b(?:is|are|was|were) no (?!longer|more|different|later|earlier|other)", "is not a"),
    (r"\bknows? no\b", "has no, does not know"),
    (r"\b(?:whoever|nobody|somebody|whom|whomever)\b", "every caller that, no caller, a user, which"),
    (r"\b(?:anew|thereby|shall|the like|of one's own)\b", "again, must, your own"),
    (r"\bbesides?\b(?! the point)", "next to, compared with"),
    (r"\b(?:the|a|its|this|that|no|each|every|any|one|whose) rests?\b(?! of us)|\brests? of (?:a|the|its) (?:body|response|file)\b",
     "remaining bytes"),
    (r"\b(?:proofs?|proven|proves?|proving)\b", "authorization, credentials, signature"),
    (r"\banswer(?:s|ed|ing)?\b", "response, respond"),
    (r"\bhops?\b", "redirect, lookup"),
    (r"\b(?:told|tells?)\b", "reports, contains, is set to"),
    (r"\b(?:asks|asked|asking)\b", "requests, checks, calls"),
    (r"\b(?:strangers?|foreign)\b", "untrusted, third-party"),
    (r"\b(?:gives|given|gave)\b", "returns, receives"),
    (r"\blies\b", "is"),
    (r"\bpassages?\b", "attempt"),
    (r"(?:^|[.:;] )(?:What|Who|Whose|Whom)(?= [a-z])(?![^.?]*\?)", "a noun first: \"The number of ...\", \"Every caller that ...\""),
]
# What the library's messages never say. Unlike the phrases above, these have no allowance.
MESSAGE_PHRASES = [
    (r"(?<!there )\b(?:is|are|was|were) no (?!longer|more|different)[a-z]", "is not a"),
    (r"\bthere (?:is|are) (?:none|nothing|nobody)\b", "has no, is missing"),
    (r"\bis none of\b", "is not one of"),
    (r"\b(?:nobody|somebody|someone|whoever|whom|anew|meanwhile)\b", "no user, another client, in the meantime"),
    (r"\b(?:wants?|asks? for|asked for|speaks?|spoke|knows? no)\b", "requires, supports, has no"),
    (r"\bholds? (?:a|an|only)\b", "contains"),
    (r"\banswer(?:s|ed|ing)?\b", "response, respond"),
    (r"\bcan't be (?:told|named)\b", "can't choose, can't be sent"),
    (r"\b(?:left|leaves) out\b", "omitted, omits"),
    (r"\b(?:broke|breaks) off\b", "was interrupted"),
    (r"\bon its way\b", "in transit"),
    (r"\b(?:lies|anybody|hops?|shall|strangers?)\b", "is, redirect, must, untrusted"),
]
MESSAGE_PATTERNS = [(re.compile(pattern, re.IGNORECASE), better) for pattern, better in MESSAGE_PHRASES]
# Messages in which a word of that list is right.
ALLOWED_MESSAGES = ()
# Folders whose messages are the command's own, and are not checked without an allowance.
OTHER_MESSAGES = ("Sources/CumulusCLI/", "Sources/CumulusUploads/", "Sources/Tour/")

PATTERNS = [(re.compile(pattern, re.IGNORECASE if "What|Who" not in pattern else 0), better) for pattern, better in PHRASES]

# Generated files, and data whose words are not ours.
SKIPPED = ("HostNameData.swift", "PublicSuffixData.swift", "LICENSE")
SWIFT = ("Sources", "Tests", "Interop", "Examples", "Fuzz", "Benchmarks")
# GUIDE.md and docs/guide are made of the catalogs' pages.
PAGES = ("README.md", "SECURITY.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "RELEASING.md", "CHANGELOG.md")


def folder(name):
    """The folder of the list that a file counts for: two levels within Sources, the first one elsewhere."""
    parts = pathlib.PurePosixPath(name).parts
    if parts[0] == "Sources":
        return "/".join(parts[: 3 if len(parts) > 3 and parts[1] in ("CumulusCore", "CumulusCache", "CumulusCLI") else 2])
    if parts[0] == "Tests":
        return "/".join(parts[:2])
    return parts[0]


def swift_texts(text, strings):
    """(line number, text) of each comment, and of each string literal of three words and more if asked for."""
    within = False
    for number, line in enumerate(text.splitlines(), 1):
        quotes = line.count('"""')
        if within:
            if quotes:
                within = False
            elif strings:
                yield number, line.strip()
            continue
        comment = re.search(r'^(?:[^"/]|"(?:[^"\\]|\\.)*"|/(?!/))*?(//.*)$', line)
        if comment:
            yield number, comment.group(1).lstrip("/ ")
            line = line[: comment.start(1)]
        if quotes % 2:
            within = True
            continue
        if strings:
            for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                if literal.count(" ") >= 2:
                    yield number, re.sub(r"\\\([^()]*(?:\([^()]*\)[^()]*)*\)", "X", literal)


def page_texts(text):
    """(line number, text) of the prose of a page: code blocks and code spans are left out."""
    within = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith(("```", "~~~")):
            within = not within
        elif not within and not line.startswith("    "):
            yield number, re.sub(r"``?[^`]*``?|\]\([^)]*\)", "X", line).strip(" -*|>#")


def findings(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = page_texts(text) if name.endswith(".md") else swift_texts(text, name.startswith("Sources/"))
    for number, line in lines:
        plain = re.sub(r"``?[^`]*``?", "X", line)
        for pattern, better in PATTERNS:
            for match in pattern.finditer(plain):
                yield number, match.group(0).strip(" .:;"), better


def messages(text):
    """(line number, text) of each string literal of three words and more, without interpolated values."""
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r'^((?:[^"/]|"(?:[^"\\]|\\.)*"|/(?!/))*?)//.*$', r"\1", line)
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', code):
            if literal.count(" ") >= 2:
                yield number, re.sub(r"`[^`]*`|\\\([^()]*(?:\([^()]*\)[^()]*)*\)", "X", literal)


def message_findings(name):
    if not name.startswith("Sources/") or not name.endswith(".swift") or name.startswith(OTHER_MESSAGES):
        return
    for number, message in messages((ROOT / name).read_text(encoding="utf-8")):
        if any(allowed in message for allowed in ALLOWED_MESSAGES):
            continue
        for pattern, better in MESSAGE_PATTERNS:
            if match := pattern.search(message):
                yield f"{name}:{number}: \"{match.group(0)}\" in the message \"{message}\": write {better}"


def files():
    listed = subprocess.run(["git", "ls-files", "*.swift", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in listed.splitlines():
        if name.endswith(SKIPPED) or not (ROOT / name).is_file():
            continue
        if name.endswith(".md") and (name in PAGES or ".docc/" in name) or name.endswith(".swift") and name.split("/")[0] in SWIFT:
            yield name


def allowances():
    if not ALLOWANCES.is_file():
        return {}
    rows = (line.split() for line in ALLOWANCES.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    return {name: int(number) for number, name in rows}


def newer_lines(names):
    """The lines that were added since the allowances were last changed, by file; `None` if Git can't say."""
    base = subprocess.run(["git", "log", "-1", "--format=%H", "--", str(ALLOWANCES)], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    if not base:
        return None
    diff = subprocess.run(["git", "diff", "-U0", base, "--", *names], cwd=ROOT, capture_output=True, text=True).stdout
    added, name = collections.defaultdict(set), None
    for line in diff.splitlines():
        if line.startswith("+++ "):
            name = line[6:]
        elif match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            start, count = int(match.group(1)), int(match.group(2) or 1)
            added[name].update(range(start, start + count))
    return added


def main():
    found = collections.defaultdict(list)
    wrong = []
    for name in files():
        found[folder(name)] += [(name, *finding) for finding in findings(name)]
        wrong += message_findings(name)
    for line in wrong:
        print(line)
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        for name, number, words, better in found[sys.argv[1].rstrip("/")]:
            print(f"{name}:{number}: \"{words}\": write {better}")
        return 0
    allowed = allowances()
    if not allowed:
        allowed = {name: len(all) for name, all in found.items()}
    over = {name: all for name, all in found.items() if len(all) > allowed.get(name, 0)}
    under = {name: len(found.get(name, [])) for name in allowed if len(found.get(name, [])) < allowed[name]}
    for name, all in sorted(over.items()):
        print(f"{name}: {len(all)} findings, {allowed.get(name, 0)} are allowed; new ones:")
        newer = newer_lines(sorted({finding[0] for finding in all}))
        for file, number, words, better in all:
            if newer is None or number in newer.get(file, ()):
                print(f"  {file}:{number}: \"{words}\": write {better}")
    if "--lower" in sys.argv or not ALLOWANCES.is_file():
        rows = sorted((name, under.get(name, number)) for name, number in allowed.items())
        lines = [f"{number:5} {name}\n" for name, number in rows if number]
        ALLOWANCES.write_text("# What Scripts/lint-english.py still allows, by folder; the numbers only shrink.\n" + "".join(lines),
                              encoding="utf-8")
    elif under:
        for name, number in sorted(under.items()):
            print(f"{name}: {number} findings, {allowed[name]} are allowed: run Scripts/lint-english.py --lower")
    return 1 if wrong or over or under and "--lower" not in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
