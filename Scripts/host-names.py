#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes Unicode's data on characters in host names (UTS 46, RFC 5892, RFC 5893) as Swift.

Usage: Scripts/host-names.py [--check]

Reads the tables of the Python package idna (3.13 or newer) and of Python's own unicodedata; writes
Sources/CumulusCore/Address/HostNameData.swift, with --check only tells whether it would differ. Unicode's data is
licensed under the Unicode License v3 (https://www.unicode.org/license.txt).
"""

import pathlib
import sys
import unicodedata

import idna.idnadata
from idna.uts46data import uts46data

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "Sources" / "CumulusCore" / "Address" / "HostNameData.swift"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
WIDTH = 2000
JOININGS = idna.idnadata.joining_types()

HEADER = """\
// SPDX-License-Identifier: Apache-2.0 AND Unicode-3.0
// swift-format-ignore-file
// Written by Scripts/host-names.py of Unicode {version}, by the tables of the Python package idna and of unicodedata {own}.
// The data is subject to the Unicode License v3 (https://www.unicode.org/license.txt).

/// Unicode's data on characters in host names, as static strings; `HostNameTable` reads them.
///
/// Words are separated by blanks, and numbers are in base 36. A range begins the given number of characters after the
/// one before, and ends at the next.
enum HostNameData {{
    /// UTS 46: `V` valid, `X` refused, `I` ignored, `M` mapped to the characters that follow it with dots between them,
    /// `P` and `N` mapped to the character that many after or before it.
    static let mapping: StaticString = \"\"\"
{mapping}
        \"\"\"

    /// Compositions (NFC): a character, and after a dot each of its two parts.
    static let compositions: StaticString = \"\"\"
{compositions}
        \"\"\"

    /// Bidi classes (RFC 5893): `R` for R and AL, `A` for AN, `E` for EN, `N` for NSM, `O` for those allowed in either
    /// direction, `L` for the rest.
    static let directions: StaticString = \"\"\"
{directions}
        \"\"\"

    /// Joining types (RFC 5892 appendix A.1): `D`, `L`, `R`, `T`, and `U` for letters that don't join.
    static let joinings: StaticString = \"\"\"
{joinings}
        \"\"\"
}}
"""


def base36(number):
    text = ""
    while True:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
        if not number:
            return text


def kinds():
    """Each range of UTS 46 as its start and what becomes of its characters."""
    found = []
    for index, row in enumerate(uts46data):
        start, status = row[0], row[1]
        end = uts46data[index + 1][0] if index + 1 < len(uts46data) else 0x110000
        if status in "VD":
            kind = "V"
        elif status == "I":
            kind = "I"
        elif status == "M" and len(row[2]) == 1 and end == start + 1:
            offset = ord(row[2]) - start
            kind = ("P" if offset >= 0 else "N") + base36(abs(offset))
        elif status == "M":
            kind = "M" + ".".join(base36(ord(letter)) for letter in row[2])
        else:
            # Refused, also what the rules for ASCII refuse.
            kind = "X"
        # ASCII is judged elsewhere, and by its own rules.
        if start < 0x80:
            kind = "V" if not 0x41 <= start <= 0x5A else "Pw"
        if not found or found[-1][1] != kind:
            found.append((start, kind))
    return found


def ranges(kind_of):
    found = []
    for code in range(0x110000):
        kind = kind_of(code)
        if not found or found[-1][1] != kind:
            found.append((code, kind))
    return found


def direction(code):
    return {
        "R": "R", "AL": "R", "AN": "A", "EN": "E", "NSM": "N",
        "ES": "O", "CS": "O", "ET": "O", "ON": "O", "BN": "O",
    }.get(unicodedata.bidirectional(chr(code)), "L")


def joining(code):
    kind = JOININGS.get(code, "U")
    kind = chr(kind) if isinstance(kind, int) else kind
    return kind if kind in "DLRT" else "D" if kind == "C" else "U"


def compositions():
    """Pairs that a normalized text has composed."""
    for code in range(0xA0, 0x110000):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) != 2 or parts[0].startswith("<") or unicodedata.normalize("NFC", chr(code)) != chr(code):
            continue
        yield code, int(parts[0], 16), int(parts[1], 16)


def spell(found):
    words, before = [], 0
    for start, kind in found:
        words.append(f"{base36(start - before)}{kind}")
        before = start
    return words


def lines(words):
    rows, row = [], "       "
    for word in words:
        if len(row) + len(word) > WIDTH:
            rows.append(row)
            row = "       "
        row += f" {word}"
    return "\n".join(rows + [row])


def main():
    text = HEADER.format(
        version=idna.idnadata.__version__,
        own=unicodedata.unidata_version,
        mapping=lines(spell(kinds())),
        compositions=lines(".".join(map(base36, row)) for row in compositions()),
        directions=lines(spell(ranges(direction))),
        joinings=lines(spell(ranges(joining))),
    )
    if "--check" in sys.argv:
        if TARGET.read_text() != text:
            sys.exit(f"{TARGET.relative_to(ROOT)} differs: run Scripts/host-names.py")
        return
    TARGET.write_text(text)
    print(f"{TARGET.relative_to(ROOT)}: {len(text)} bytes")


if __name__ == "__main__":
    main()
