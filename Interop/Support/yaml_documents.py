# SPDX-License-Identifier: Apache-2.0
"""Makes random YAML documents, and reads them with PyYAML and libyaml.

Usage: yaml_documents.py SEED COUNT

Prints a JSON list a document: its UTF-8 bytes, its events in the form that YAMLAgreementTests compares or "error", and
whether YAML 1.2.2 differs there from libyaml: "laxer" if it accepts what libyaml refuses, "other" if its events differ.
"""

import json
import random
import re
import sys

import yaml

TEXTS = [
    "a", "name", "yes", "null", "~", "1", "0x1F", "1.5", "two words", "a: b", "- x", "#c", "x #y", "x#y",
    "http://a.example/b?c=d",
    "{id}", "/users/{id}", "[x]", "it's", 'say "hi"', "line\nbreak", "two\n\nbreaks\n", "\nlead", "trail \n", " lead",
    "trail ",
    "tab\there", "é ü", "日本語", "😀", "*star", "&amp", "!bang", "%pct", "@at", "`tick`", "|", "> fold", "", "-", "?",
    "? q", ":",
    "::", ":x", "a:b", "x" * 90, "a long text that is folded somewhere near the width " * 3, "\x07bell", "\\back",
    "2026-11-30", "<<",
    "=", "end:", "a,b", "...", "---", "--- x", "#", "  indented\n    more\nless\n", "text\n# no comment\n",
    "a\n\n\n\nb\n\n",
]
KEYS = [
    "openapi", "info", "title", "paths", "/pets/{id}", "get", "responses", "description", "$ref", "schema", "items", "x-y",
]
# Values of keys and entries; INDENT is the indentation of further lines.
VALUES = [
    "3.0.3", "A pet store", "'#/schemas/Pet'", '"quoted: text"', "|\nINDENTone\nINDENT  two\n\nINDENTthree",
    "|-\nINDENTa\nINDENTb",
    ">\nINDENTfolded\nINDENTtext\n\nINDENT  kept\nINDENTend", ">-\nINDENTx\n", "|+\nINDENTkeep\n\n",
    "[a, b, 'c', {d: e}]",
    '{a: 1, "b":2, c: [x, y]}', "plain text\nINDENTthat goes on\nINDENThere", "'single\nINDENTquoted ''it'''",
    '"double \\\nINDENT  joined\\n \\u00e9"', "&a1 anchored", "*a1", "!!str 5", "!custom {x: y}", "!<tag:x> v", "",
    "~", "true",
    "https://a.example:80/x#y", "a # comment", "[\nINDENTmulti,\nINDENTline,\nINDENT]",
    "{\nINDENTk: v,\nINDENT? q : w,\nINDENTz,\nINDENT}",
    "&b2\nINDENTx: y", "!!map\nINDENTx: y", "|2\nINDENT  two", "[a: b, ? c : d, 'e':f]", "# only comment", "*a1 ",
]
PIECES = list(" \n\t:-?#,[]{}&*!|>'\"%@`ab1.\\") + [
    "\r\n", "  ", "\n  ", ": ", "- ", "? ", "---\n", "...\n", "\n---\n", " #c", "&x ", "*x ", "!t ", "é",
]
# Names of anchors with characters other than letters and digits.
NAME = r"[&*][^\s,\[\]{}]*[^\s,\[\]{}A-Za-z0-9_-]"
# A literal or folded scalar in the first column, which is text for YAML 1.2.2.
FIRST_COLUMN = r"(?m:^)(---.*|[&!]\S*[ \t]+)*[|>]"
# What libyaml refuses and YAML 1.2.2 doesn't: a part of libyaml's message, and what the text must have.
LAXER = [
    ("", NAME),
    ("directive", r"(?m)^%"),  # reserved ones
    ("found incompatible YAML document", r"%YAML\s+1\.\d"),  # later versions
    ("found unexpected ':'", r":[,?\[\]{}]"),  # keys without a value in braces; question marks within texts
    ("cannot start any token", r"\t"),  # tabs after indicators and in blank lines
    ("tab character", r"\t"),  # tabs after a text's indentation
    ("while parsing a flow mapping", r"\{"),  # keys of several lines in braces
    ("", r"[\[{,]\s*\?[^\s]|[\[,]\s*\?\s*:"),  # texts that begin with "?" in brackets; question marks without a key
    ("ing a tag", r"!"),  # tags with "#", and those before a comma or a bracket
    # a first "...", and texts that begin with "?" or ":" in braces
    ("expected node content", r"(?m)^\.\.\.|[\[{,:]\s*\S*[?:]"),
    ("expected <document start>", r"(?:^|[\r\n])\.\.\."),  # documents after "..."
    ("", FIRST_COLUMN),
]
OTHER = f"[\\[{{,:]\\s*\\S*[?:]\\S|{NAME}|{FIRST_COLUMN}|(?m:^)\\s+[|>]"


def random_value(source, depth=0):
    kind = source.random()
    if depth > 4 or kind < 0.45:
        joined = source.choice(TEXTS) + source.choice(["", " ", "\n"]) + source.choice(TEXTS)
        return source.choice([source.choice(TEXTS), joined, source.randint(-5, 10**6), source.random(), True, None])
    count = source.randint(0, 4)
    if kind < 0.7:
        return [random_value(source, depth + 1) for _ in range(count)]
    return {source.choice(TEXTS) + str(source.randint(0, 9)): random_value(source, depth + 1) for _ in range(count)}


def dumped(source):
    """A random value as PyYAML writes it in some style."""
    value = random_value(source)
    if source.random() < 0.2:
        shared = random_value(source, 2)
        value = [shared, value, shared, {"k": shared}]
    return yaml.dump(
        value,
        Dumper=source.choice([yaml.SafeDumper, yaml.CSafeDumper]),
        default_flow_style=source.choice([True, False, None]),
        default_style=source.choice([None, None, None, '"', "'", "|", ">"]),
        width=source.choice([10, 20, 40, 80, 1000]),
        indent=source.choice([2, 3, 4, 6, 9]),
        allow_unicode=source.random() < 0.6,
        canonical=source.random() < 0.1,
        explicit_start=source.random() < 0.2,
        explicit_end=source.random() < 0.2,
        version=source.choice([None, None, None, (1, 1), (1, 2)]),
        tags=source.choice([None, None, {"!e!": "tag:e.example,2026:"}]),
        line_break=source.choice(["\n", "\n", "\n", "\r\n", "\r"]),
    )


def value_line(source, indent):
    return source.choice(VALUES).replace("INDENT", " " * (indent + source.choice([1, 2, 2, 2, 4])))


def handmade(source, indent=0, depth=0):
    """A description as people write them, with some mistakes."""
    lines, pad = [], " " * indent
    is_map = source.random() < 0.7
    for number in range(source.randint(1, 4)):
        if source.random() < 0.15:
            lines.append(source.choice(["", "# comment", pad + "# comment"]))
        nests = depth < 4 and source.random() < 0.45
        if not is_map:
            nested = handmade(source, indent + 2, depth + 1) if nests else value_line(source, indent)
            lines.append(f"{pad}- {nested.lstrip(' ')}" if source.random() < 0.8 or not nests else f"{pad}-\n{nested}")
            continue
        key = source.choice(KEYS) + str(number)
        if source.random() < 0.08:
            key = f"? {key}\n{pad}"
        elif source.random() < 0.05:
            key = source.choice(["&k ", "!!str ", "&k !t "]) + key
        if nests:
            step = source.choice([0, 1, 2, 2, 2, 2, 4])
            lines.append(f"{pad}{key}:{source.choice(['', ' ', ' # c'])}\n{handmade(source, indent + step, depth + 1)}")
        else:
            lines.append(f"{pad}{key}: {value_line(source, indent)}")
    return "\n".join(lines)


def mutated(source, text):
    """The text with a few characters deleted, inserted or replaced, cut, or with a part repeated."""
    for _ in range(source.randint(1, 3)):
        place, kind = source.randrange(len(text) + 1), source.random()
        if kind < 0.3:
            text = text[:place] + text[place + source.randint(1, 3) :]
        elif kind < 0.65:
            text = text[:place] + source.choice(PIECES) + text[place:]
        elif kind < 0.85:
            text = text[:place] + source.choice(PIECES) + text[place + 1 :]
        elif kind < 0.92:
            text = text[:place]
        else:
            end = place + source.randint(1, 30)
            text = text[:end] + text[place:end] + text[end:]
    return text


def document(source):
    kind = source.random()
    if kind < 0.25:
        return dumped(source)
    if kind < 0.45:
        return handmade(source) + source.choice(["", "\n"])
    if kind < 0.6:
        return mutated(source, dumped(source))
    if kind < 0.85:
        return mutated(source, handmade(source) + source.choice(["", "\n"]))
    return "".join(source.choice(PIECES) for _ in range(source.randint(1, 14)))


def hexadecimal(text):
    return (text or "").encode().hex()


def events(text):
    """libyaml's events, a word each, and the difference that is permitted."""
    words = []
    try:
        for event in yaml.parse(text, Loader=yaml.CLoader):
            anchor = hexadecimal(getattr(event, "anchor", None))
            if isinstance(event, yaml.DocumentStartEvent):
                words.append("D")
            elif isinstance(event, yaml.ScalarEvent):
                style = "q" if event.style else "p"
                words.append(f"{style}&{anchor}!{hexadecimal(event.tag)}={hexadecimal(event.value)}")
            elif isinstance(event, yaml.SequenceStartEvent):
                words.append(f"[&{anchor}")
            elif isinstance(event, yaml.MappingStartEvent):
                words.append("{&" + anchor)
            elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
                words.append("E")
            elif isinstance(event, yaml.AliasEvent):
                words.append(f"*{anchor}")
    except yaml.YAMLError as error:
        is_laxer = any(part in str(error) and re.search(pattern, text) for part, pattern in LAXER)
        return "error", "laxer" if is_laxer else ""
    return " ".join(words), "other" if re.search(OTHER, text) else ""


def main():
    source = random.Random(int(sys.argv[1]))
    for _ in range(int(sys.argv[2])):
        text = document(source)
        print(json.dumps([list(text.encode()), *events(text)]))


if __name__ == "__main__":
    main()
