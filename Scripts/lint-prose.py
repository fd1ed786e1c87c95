#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the wording and the spelling of documents, documentation comments and messages.

The table below "## Words" in CONTRIBUTING.md lists what not to say. A phrase is a finding in Markdown files, in comments
that document Swift code, and in string literals of Sources and Snippets. In a phrase, `X` stands for one word.
codespell checks the spelling of the same files. A pinned version is installed below .build if it is missing.

Usage: Scripts/lint-prose.py [--no-spelling]

Prints one line for each finding, `path:line: "what it says": what to say`, and exits 1 if there are any.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODESPELL = "2.4.1"
# Words that codespell takes for misspelt ones.
KNOWN_WORDS = "alse,atleast,fro,inout,iterm,nd,presse,statics,te"
# Generated data.
SKIPPED = {"Sources/CumulusCore/Address/HostNameData.swift", "Sources/CumulusCore/Cookies/PublicSuffixData.swift"}
LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"')
# Several blanks, and the end of a line with the mark of the next line's comment.
GAP = r"(?:\s+|\s*\n\s*///?\s+)"


def words():
    """The table of CONTRIBUTING.md: patterns, each with what to say instead."""
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("\n## Words\n")[2].partition("\n## ")[0]
    found = []
    for cells in re.findall(r"^\| (.+?) \| (.+?) \|$", section, re.MULTILINE):
        for phrase in re.findall(r'"(.+?)"', cells[1]):
            parts = [r"\w+" if part == "X" else re.escape(part) for part in phrase.split()]
            # "There is no JSON" is another matter than "this is no JSON".
            start = r"(?<!there )(?<!There )\b" if parts[0] in ("is", "are") else r"\b"
            text = start + GAP.join(parts) + r"(?!\w)"
            found.append((re.compile(text if phrase != phrase.lower() else f"(?i:{text})"), cells[0]))
    return found


def prose(path, text):
    """The text with blanks in place of what is not prose, so that lines keep their numbers."""
    if path.suffix == ".md":
        text = re.sub(r"^```.*?^```", lambda block: re.sub(r"[^\n]", " ", block[0]), text, flags=re.MULTILINE | re.DOTALL)
        if path.name == "CONTRIBUTING.md":
            head, title, rest = text.partition("\n## Words\n")
            table = re.sub(r"^\|.*\|$", "", rest, flags=re.MULTILINE)
            text = head + title + table
        return text
    kept = []
    for line in text.split("\n"):
        stripped = line.lstrip()
        if stripped.startswith("///"):
            kept.append(line)
        elif stripped.startswith("//"):
            kept.append("")
        else:
            kept.append(" § ".join(LITERAL.findall(line)))
    return "\n".join(kept)


def files():
    listed = subprocess.run(["git", "ls-files", "*.md", "Sources/*.swift", "Examples/Snippets/*.swift"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split("\n")
    paths = (ROOT / name for name in listed if name and name not in SKIPPED)
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def phrases(paths):
    unwanted, findings = words(), []
    if not unwanted:
        return ["CONTRIBUTING.md: there is no table of words"]
    one = re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in unwanted))
    for path in paths:
        text = prose(path, path.read_text("utf-8"))
        for match in one.finditer(text):
            instead = next(say for pattern, say in unwanted if pattern.match(text, match.start(), match.end()))
            line = text.count("\n", 0, match.start()) + 1
            said = re.sub(GAP, " ", match[0])
            findings.append(f'{path.relative_to(ROOT)}:{line}: "{said}": say {instead}')
    return findings


def codespell():
    """The folder of the pinned codespell, installed if it is missing."""
    folder = ROOT / ".build" / f"codespell-{CODESPELL}"
    if not (folder / "codespell_lib").is_dir():
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--root-user-action=ignore", "--disable-pip-version-check", "--no-deps",
                        "--target", str(folder), f"codespell=={CODESPELL}"], check=True)
    return folder


def spelling(paths):
    command = [sys.executable, "-m", "codespell_lib", "--builtin", "clear,rare", "--ignore-words-list", KNOWN_WORDS,
               "--quiet-level", "2", *(str(path.relative_to(ROOT)) for path in paths)]
    result = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": str(codespell())}, capture_output=True, text=True)
    if result.returncode not in (0, 65):
        return [f"codespell failed: {result.stderr.strip() or result.returncode}"]
    return result.stdout.splitlines()


def main():
    paths = files()
    findings = phrases(paths)
    if "--no-spelling" not in sys.argv:
        findings += spelling(paths)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
