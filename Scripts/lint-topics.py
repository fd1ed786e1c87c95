#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the guide leads to every public type of API/.

A type of CumulusCore is in a list below `## Topics` of a page of its guide, and in no more than one. The other modules
have no guide of their own: a page of CumulusCore's names each of their types.

Usage: Scripts/lint-topics.py [--list]    --list prints the types of each module, and how many there are

Prints one line a finding, and exits 1 if there is any.
"""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DECLARATION = re.compile(r"^(\w+): (?:@\S+ )*(?:final |indirect )?(struct|class|enum|actor|protocol|typealias) ")


def types(path):
    """The module's top-level types that are not deprecated."""
    found = (DECLARATION.match(line) for line in path.read_text("utf-8").splitlines())
    return [match[1] for match in found if match]


def main():
    pages = {path.name: path.read_text("utf-8") for path in sorted((ROOT / "Sources").rglob("*.docc/*.md"))}
    listed = collections.defaultdict(list)
    for name, text in pages.items():
        for topic in re.findall(r"^- ``(\w+)``$", text.partition("\n## Topics\n")[2], re.MULTILINE):
            listed[topic].append(name)
    prose = "\n".join(pages.values())
    findings, count = [], 0
    for path in sorted((ROOT / "API").glob("*.txt")):
        names = types(path)
        count += len(names)
        if "--list" in sys.argv:
            print(f"{path.stem}: {len(names)}: {', '.join(names)}")
        for name in names:
            if path.stem == "CumulusCore":
                if len(listed[name]) != 1:
                    where = ", ".join(listed[name]) or "none"
                    findings.append(f"{path.stem}.{name}: should be in one list of topics, is in {where}")
            elif not re.search(rf"\b{name}\b", prose):
                findings.append(f"{path.stem}.{name}: no page of the guide names it")
    known = {name for path in (ROOT / "API").glob("*.txt") for name in types(path)}
    findings += [f"{pages[0]}: lists {name}, which API/ doesn't have" for name, pages in listed.items() if pages and name not in known]
    if "--list" in sys.argv:
        print(f"{count} types")
    for line in findings:
        print(line)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
