#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds text that is searched or taken apart by characters.

A joiner, a mark or a variation selector behind a `/` makes another character of it: `"/\\u{200D}"` has no `"/"` for
`split`, and `"http:\\u{301}"` has no prefix `"http:"`, while everything that reads the bytes sees both. What comes from
outside is therefore read as bytes (`utf8`) or scalars (`unicodeScalars`), in the guide's code and the tests' tools, too.

Usage: Scripts/lint-characters.py [ROOT]

Prints one line a finding, `path:line: what is wrong`, and exits 1 if there is any. Whatever is right as it stands is in
ALLOWED, with its reason.
"""

import pathlib
import re
import sys

# (start of the path, pattern of the line, why it is right). An entry that matches nothing is a finding, too.
ALLOWED = [
    ("CumulusJSON/Codable/JSONSnakeCase.swift", "", "keys are converted as Foundation converts them, by characters"),
    ("CumulusTesting/Fixtures/FixtureDescription.swift", r"given\.first", "whole names are compared, of a list of ours"),
    ("CumulusCore/Address/Origin+Parsing.swift", r'contains\(""\)', "whole labels are compared, of ASCII only"),
    ("CumulusCore/Cookies/CookieDate.swift", "whereSeparator", "these are bytes"),
    ("CumulusPrimitives/Files/FileName.swift", r"kept|name", "these are arrays of scalars"),
    ("CumulusCore/Recovery/RedirectRule.swift", "canonicalName", "a field's name is a token of ASCII"),
    ("CumulusAWS/Signing/AWSEndpoint.swift", "labels|rest", "whole labels of a host are compared, of ASCII only"),
    ("CumulusTestServer/Server/AWS/AWSVerifier.swift", '"host"', "whole names of fields are compared, of ASCII only"),
    ("CumulusSignatures/MessageSignatureAuthorizer.swift", "names", "whole names are looked up"),
    ("Examples/Snippets/ControllingRequests.swift", "key", "a key that replaces, no text"),
    ("Examples/Snippets/Services.swift", "key", "a key that replaces, no text"),
    ("Examples/Snippets/ComingFromCycles.swift", "key", "a key that replaces, no text"),
    ("Examples/Snippets/RecipeStore.swift", "key", "a key that replaces, no text"),
    ("CumulusNIO/TLS/NIOSSLError+Reason.swift", "replacing", "a name of a library's own, in ASCII"),
    ("CumulusCLI/Options/Invocation.swift", r"own\.prefix|words\.filter", "whole words of the command line are compared"),
    ("CumulusServices/OpenAPI/OpenAPIReader+Bodies.swift", r"types\.first", "whole media types are compared"),
    ("CumulusServices/OpenAPI/OpenAPIReader+Parameters.swift", r"types\.filter", "whole words are compared"),
    ("CumulusServices/OpenAPI/OpenAPIServers.swift", "schemes", "whole words are compared"),
]

LITERAL = r'"(?:\\.|[^"\\])*"'
# What takes a text apart by characters, or compares it as such.
PATTERNS = [
    # hasPrefix("http:"), split(separator: "/"), contains("/"), components(separatedBy: ","), firstIndex(of: ":")
    re.compile(
        r"\.(?:split|firstIndex|lastIndex|firstRange|ranges|contains|hasPrefix|hasSuffix|components|replacing|"
        r"replacingOccurrences|trimmingPrefix|range)\(\s*(?:separator: |of: |separatedBy: |ofText: )?" + LITERAL
    ),
    # hasPrefix(name)
    re.compile(r"\.(?:hasPrefix|hasSuffix)\("),
    # prefix { $0 != "/" }, drop(while: { $0 == " " }), contains { " \t".contains($0) }
    re.compile(r"\{[^{}]*\$0 (?:==|!=) " + LITERAL),
    re.compile(LITERAL + r"\.contains\(\$0\)"),
    # text.first == "/", text.last != "."
    re.compile(r"\.(?:first|last)\??(?:\(\))? (?:==|!=) " + LITERAL),
    # isWhitespace, isNumber and the like are of characters.
    re.compile(
        r"(?:\$0|\\|character|\.first|\.last)\??\.(?:isWhitespace|isNewline|isNumber|isLetter|isPunctuation|isSymbol|"
        r"isUppercase|isLowercase|isHexDigit|hexDigitValue|wholeNumberValue|asciiValue|isASCII)"
    ),
    re.compile(r"\.(?:components|trimmingCharacters)\("),
    re.compile(r"\.enumerateLines|\.split\(whereSeparator"),
]
# The same words on bytes and scalars are what is wanted.
RIGHT = re.compile(r"utf8|Unicode\.Scalar|unicodeScalars|UInt8\(ascii:|scalar")


def code(line):
    """The line without its comment."""
    quoted = False
    for index, character in enumerate(line):
        if character == '"' and (index == 0 or line[index - 1] != "\\"):
            quoted = not quoted
        elif not quoted and line.startswith("//", index):
            return line[:index]
    return line


def main():
    default = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else default
    found = []
    used = set()
    # The guide's code is read by those who copy it.
    paths = [*(root / "Sources").rglob("*.swift"), *(root / "Examples" / "Snippets").rglob("*.swift")]
    for path in sorted(paths):
        name = str(path.relative_to(root)).removeprefix("Sources/")
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            text = code(line)
            if RIGHT.search(text) or not any(pattern.search(text) for pattern in PATTERNS):
                continue
            reasons = [entry for entry in ALLOWED if name.startswith(entry[0]) and re.search(entry[1], text)]
            used.update(reasons)
            if not reasons:
                found.append(f"{path.relative_to(root)}:{number}: by characters: {line.strip()}")
    for entry in ALLOWED:
        if entry not in used:
            found.append(f"Scripts/lint-characters.py: the entry for {entry[0]} {entry[1]!r} allows nothing")
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
