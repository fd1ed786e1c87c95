#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the Public Suffix List as Swift, from the file of Debian's package publicsuffix.

Usage: Scripts/public-suffixes.py [FILE] [--check]

Writes Sources/CumulusCore/Cookies/PublicSuffixData.swift; with --check only tells whether it would differ. The list is
licensed under the MPL 2.0 (https://mozilla.org/MPL/2.0/), and so is what is made of it.
"""

import pathlib
import subprocess
import sys
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "Sources" / "CumulusCore" / "Cookies" / "PublicSuffixData.swift"
LIST = "/usr/share/publicsuffix/public_suffix_list.dat"
WIDTH = 2000

HEADER = """\
// SPDX-License-Identifier: Apache-2.0 AND MPL-2.0
// swift-format-ignore-file
// Written by Scripts/public-suffixes.py from the Public Suffix List (https://publicsuffix.org/list/), Debian's package
// publicsuffix {version}. The list is subject to the terms of the Mozilla Public License, v. 2.0
// (https://mozilla.org/MPL/2.0/); it is written here in another form, sorted, in ASCII, without its comments.

/// The rules of the Public Suffix List, {count} of them, as one text in the program file: nothing is built from it.
enum PublicSuffixData {{
    /// The version of Debian's package, which begins with the list's date.
    static let version = "{version}"

    /// The names in byte order, each followed by a space.
    ///
    /// After a name, `*` means that all names directly below it are suffixes, and it is none; `+` that it is one as
    /// well; `!` that it is none, despite the rule above it.
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


def main():
    arguments = [word for word in sys.argv[1:] if word != "--check"]
    path = pathlib.Path(arguments[0] if arguments else LIST)
    if not path.exists():
        sys.exit(f"{path} is not there: apt-get install publicsuffix")
    version = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", "publicsuffix"], capture_output=True, text=True
    ).stdout or "of an unknown version"
    found = rules(path)
    lines = [""]
    for name in sorted(found, key=lambda name: name.encode()):
        word = marked(name, found[name]) + " "
        if len(lines[-1]) + len(word) > WIDTH:
            lines.append("")
        lines[-1] += word
    text = "\n".join(f"        {line}\\" for line in lines[:-1]) + f"\n        {lines[-1]}"
    made = HEADER.format(version=version, count=sum(len(kinds) for kinds in found.values()), text=text)
    if "--check" in sys.argv:
        sys.exit(0 if TARGET.exists() and TARGET.read_text() == made else f"{TARGET} is not what {path} makes")
    TARGET.write_text(made)


if __name__ == "__main__":
    main()
