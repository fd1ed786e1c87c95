#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the Public Suffix List as Swift, from the file in the Python package publicsuffixlist.

The package is pinned, and installed below .build if it is missing. FILE is another copy of the list
(https://publicsuffix.org/list/public_suffix_list.dat), from which the date of its line VERSION is taken.

Usage: Scripts/public-suffixes.py [FILE] [--check]

Writes Sources/CumulusCore/Cookies/PublicSuffixData.swift, and the list's date into NOTICE and the guide's page on
cookies; with --check it writes nothing, and exits 1 if one of them differs. The list is licensed under the MPL 2.0
(https://mozilla.org/MPL/2.0/), and so is the file that is made of it.
"""

import datetime
import pathlib
import re
import subprocess
import sys
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "Sources" / "CumulusCore" / "Cookies" / "PublicSuffixData.swift"
PACKAGE = "1.1.2.20261023"
DATED = {
    ROOT / "NOTICE": (r"(\(https://publicsuffix\.org/list/\), of )\d{4}-\d\d-\d\d", "{date}"),
    ROOT / "Sources" / "CumulusCore" / "CumulusCore.docc" / "Cookies.md": (r"(\(MPL 2\.0\) of )\w+ \d+, \d{4}", "{day}"),
}
WIDTH = 2000

HEADER = """\
// SPDX-License-Identifier: Apache-2.0 AND MPL-2.0
// swift-format-ignore-file
// Written by Scripts/public-suffixes.py from the Public Suffix List (https://publicsuffix.org/list/), version
// {version}. The list is subject to the terms of the Mozilla Public License, v. 2.0
// (https://mozilla.org/MPL/2.0/); it is written here in another form, sorted, in ASCII, without its comments.

/// The rules of the Public Suffix List, {count} of them, as one text in the program file: nothing is built from it.
enum PublicSuffixData {{
    /// The list's version, which is its date and time.
    static let version = "{version}"

    /// The names in byte order, each followed by a space.
    ///
    /// After a name, `*` means that all names directly below it are suffixes, but it is not; `+` that it is a suffix as
    /// well; `!` that it is not a suffix, despite the rule above it.
    static let rules: StaticString = \"\"\"
{text}
        \"\"\"
}}
"""


def ascii_name(name):
    """A rule's name in the form that hosts have."""
    labels = []
    for label in name.split("."):
        label = unicodedata.normalize("NFC", label.lower())
        labels.append(label if label.isascii() else "xn--" + label.encode("punycode").decode())
    return ".".join(labels)


def rules(path):
    """Each name with its flags: plain, wildcard below it, exception."""
    found = {}
    for line in path.read_text(encoding="utf-8").split("\n"):
        rule = line.split(" ")[0].strip()
        if not rule or rule.startswith("//"):
            continue
        kind, name = ("!", rule[1:]) if rule[0] == "!" else ("*", rule[2:]) if rule.startswith("*.") else ("", rule)
        name = ascii_name(name)
        if not name or not set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-."):
            sys.exit(f"{path}: a rule that is not understood: {rule}")
        found.setdefault(name, set()).add(kind)
    return found


def marked(name, kinds):
    if "!" in kinds:
        return name + "!"
    if "*" in kinds:
        return name + ("+" if "" in kinds else "*")
    return name


def packaged():
    """The list in the pinned package, installed if it is missing."""
    folder = ROOT / ".build" / f"publicsuffixlist-{PACKAGE}"
    path = folder / "publicsuffixlist" / "public_suffix_list.dat"
    if not path.is_file():
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--root-user-action=ignore", "--disable-pip-version-check",
                        "--no-deps", "--target", str(folder), f"publicsuffixlist=={PACKAGE}"], check=True)
    return path


def version(path):
    """The version that the list states, such as `2026-10-22_08-36-41_UTC`."""
    found = re.search(r"^// VERSION: (\d{4}-\d\d-\d\d\S*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else sys.exit(f"{path} has no line VERSION")


def swift(path):
    found = rules(path)
    lines = [""]
    for name in sorted(found, key=lambda name: name.encode()):
        word = marked(name, found[name]) + " "
        if len(lines[-1]) + len(word) > WIDTH:
            lines.append("")
        lines[-1] += word
    text = "\n".join(f"        {line}\\" for line in lines[:-1]) + f"\n        {lines[-1]}"
    return HEADER.format(version=version(path), count=sum(len(kinds) for kinds in found.values()), text=text)


def main():
    arguments = [word for word in sys.argv[1:] if word != "--check"]
    path = pathlib.Path(arguments[0]) if arguments else packaged()
    if not path.is_file():
        sys.exit(f"there is no file {path}")
    date = datetime.date.fromisoformat(version(path)[:10])
    made = {TARGET: swift(path)}
    for file, (pattern, form) in DATED.items():
        words = form.format(date=date, day=f"{date:%B} {date.day}, {date:%Y}")
        made[file], count = re.subn(pattern, lambda found: found[1] + words, file.read_text(encoding="utf-8"))
        if not count:
            sys.exit(f"{file} doesn't state the list's date")
    differing = [str(file.relative_to(ROOT)) for file, text in made.items() if not file.exists() or file.read_text("utf-8") != text]
    if "--check" in sys.argv:
        sys.exit(f"{path} makes another {', '.join(differing)}" if differing else 0)
    for file, text in made.items():
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
