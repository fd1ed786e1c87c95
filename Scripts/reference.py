#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the guide's tables of settings, exit codes and variables from the sources, or checks them.

The pages are SettingsAndInheritance.md and CommandReference.md of the guide; what stands between `<!-- table: NAME -->`
and the next empty line is the table. The settings have a table for each group. A setting's type is that of
API/CumulusCore.txt; its default, its rule and whether it goes along to another origin are those of its key.

Usage: Scripts/reference.py [--check]    --check writes nothing, prints what differs, and exits 1 if anything does
"""

import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORE = ROOT / "Sources" / "CumulusCore"
GUIDE = CORE / "CumulusCore.docc"

# The tables of settings, each below its own heading; every setting belongs to one of them.
GROUPS = {
    "requests": "headers query queryStyle contentType coders trailingSlash conditions expectsContinue userInfo",
    "responses": "acceptableStatuses errorDecoders contentCodings maxBodySize paging tracksRevisions",
    "identity": "authorizers credentials maxAuthAttempts client cookies scope",
    "connections": "transport proxy allowedAddresses httpVersion",
    "limits": "timeout responseTimeout connectTimeout poolTimeout deadline minimumRate maxConcurrentRequests rateLimit"
    " bandwidth clock",
    "recovery": "retry idempotencyKey redirects resumes chunks",
    "storage": "cachePolicy responseStore neutralHeaders cachesDirectory",
    "hooks": "preflights interceptors responseProcessors validators postProcessors observers logger loggedBodySize",
}
# What a key's own rule for combining does; a key without one has "the nearest wins", or is a list.
RULES = {
    "acceptableStatuses": None,
    "authorizers": "combined, the child's first",
    "coders": "nearer registrations win",
    "deadline": "the strictest wins",
    "errorDecoders": "combined, the child's first",
    "headers": "merged by name",
    "query": "merged by name",
    "userInfo": "merged by name",
}
# Of these, a part goes to another origin (Resource/SettingsSnapshot.swift).
PARTLY = {"authorizers", "client", "headers"}
# Settings that are short for others.
SHORTHANDS = {
    "credentials": "short for an authorizer (Basic)",
    "contentType": "short for the headers `Content-Type` and `Accept`",
}
# What defaults mean that say little as code; those that begin with a blank follow it.
DEFAULTS = {
    "queryStyle": " writes `k[]=1&k[]=2`",
    "redirects": " follows up to 20, never from https to http",
    "retry": " retries idempotent requests up to twice",
    "cachesDirectory": "`Cumulus` in the user's caches",
    "transport": "the tree's own",
    "logger": "from `CUMULUS_LOGGING`",
    "coders": "those of <doc:Coding>",
    "contentCodings": "`[.gzip, .deflate]`",
    "headers": "none; `User-Agent`, `Accept` and `Accept-Encoding` are filled in",
}
EMPTY = {"nil", "[]", "Query()", "UserValues()", ".none"}


def sources():
    return {path: path.read_text("utf-8") for path in sorted(CORE.rglob("*.swift"))}


def body(text, start):
    """The braces that begin behind `start`, with what is between them."""
    depth, opened = 0, text.index("{", start)
    for end in range(opened, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            return text[opened : end + 1]
    return text[opened:]


@functools.cache
def settings():
    """The row of each setting by its name, and what is wrong with them."""
    findings = []
    code = "\n".join(sources().values())
    interface = (ROOT / "API" / "CumulusCore.txt").read_text("utf-8")
    found = re.findall(r"^(Resource\.Settings|Resource\.Rules)\.(\w+): var \w+: (.+?) \{ get set \}$", interface, re.MULTILINE)
    limits = {name for owner, name, _ in found if owner == "Resource.Rules"}
    rows = {}
    for owner, name, kind in sorted(found, key=lambda row: row[1]):
        # Of the settings they are properties that the compiler refuses, with the reason.
        if name == "settings" or owner == "Resource.Settings" and name in limits:
            continue
        link = f"``{owner.replace('.', '/')}/{name}``"
        if name in SHORTHANDS:
            rows[name] = f"| {link} | `{kind}` | – | {SHORTHANDS[name]} |"
            continue
        property_ = re.search(rf"public var {name}: [^{{]+\{{\s*get \{{[^}}]*?(?:self|settings)\[key: (\w+)\.self\]", code)
        if not property_:
            findings.append(f"no property of the sources is {name}")
            continue
        key = property_[1]
        declared = re.search(rf"enum {key}: ([\w, ]+)", code)
        inside = body(code, declared.start())
        found = re.search(r"static (?:var|let) defaultValue(?:: [^={]+)? *(?:= *(.+)|\{ (.+?) \})$", inside, re.MULTILINE)
        value = (found[1] or found[2]).strip() if found else "[]"
        words = DEFAULTS.get(name, "")
        default = "none" if value in EMPTY else f"`{value}`"
        default = default + words if words.startswith(" ") else words or default
        has_rule = "static func combine(" in inside
        if has_rule != bool(RULES.get(name)):
            findings.append(f"{name}: RULES in Scripts/reference.py doesn't say what {key} does")
        is_list = "ListSettingKey" in declared[1]
        rule = RULES.get(name) or ("combined, the root's first" if is_list else "")
        rule = "a rule only" if owner == "Resource.Rules" else rule
        crosses = "HarmlessSettingKey" in declared[1] or "static var crossesOrigins: Bool { true }" in inside
        reach = "partly private" if name in PARTLY else "" if crosses else "private"
        rows[name] = f"| {link} | `{kind}` | {default} | {'; '.join(filter(None, [rule, reach]))} |"
    named = " ".join(GROUPS.values()).split()
    findings += [f"{name}: it is not in one group of Scripts/reference.py" for name in rows if named.count(name) != 1]
    findings += [f"{name}: it is not a setting, but GROUPS in Scripts/reference.py has it" for name in named if name not in rows]
    return rows, findings


def settings_rows(group):
    """A function that returns the rows of a group of settings."""
    return lambda: [row for name in GROUPS[group].split() if (row := settings()[0].get(name))]


def quoted(text):
    """The text with options as code, so that no reader of Markdown makes a dash of them."""
    return re.sub(r"(?<![\w-])(--?[A-Za-z][\w-]*)", r"`\1`", text)


def exit_rows():
    text = (ROOT / "Sources/CumulusCLI/Commands/CommandStatus.swift").read_text("utf-8")
    meanings = dict(re.findall(r'case \.(\w+): "([^"]+)"', text))
    for name, number in re.findall(r"^    case (\w+) = (\d+)$", text, re.MULTILINE):
        yield f"| {number} | {quoted(meanings[name])} |"


def variable_rows():
    text = (ROOT / "Sources/CumulusCLI/Help/HelpTexts+Ends.swift").read_text("utf-8")
    section = text.partition("static let environment")[2]
    for names, meaning in re.findall(r'^ +\("([^"]+)", "([^"]+)"\),$', section, re.MULTILINE):
        yield f"| {', '.join(f'`{name}`' for name in names.split(', '))} | {quoted(meaning)} |"


TABLES = {
    **{
        f"settings: {group}": ("SettingsAndInheritance", "| setting | type | default | notes |", 4, settings_rows(group))
        for group in GROUPS
    },
    "exit codes": ("CommandReference", "| code | meaning |", 2, exit_rows),
    "variables": ("CommandReference", "| variable | meaning |", 2, variable_rows),
}


def unnamed_variables(page):
    """The variables that the sources read and the page doesn't name."""
    pattern = re.compile(r'(?:environment\[|variable\(|getenv\()"([A-Za-z_]+)"')
    for module in ["CumulusCore", "CumulusNIO", "CumulusCLI"]:
        for path in (ROOT / "Sources" / module).rglob("*.swift"):
            for name in pattern.findall(path.read_text("utf-8")):
                if f"`{name}`" not in page:
                    yield f"CommandReference.md doesn't name {name}, which {path.name} reads"


def unnamed_codes(page):
    """Codes of errors that the guide's page on errors doesn't list."""
    text = (CORE / "Outcome" / "CumulusError+Code.swift").read_text("utf-8")
    for code in re.findall(r"public static let (\w+) = Code\(", text):
        if f"``CumulusError/Code/{code}``" not in page.split("## Kinds of errors")[0]:
            yield f"Errors.md: the table of codes lacks {code}"


def main():
    check, findings = "--check" in sys.argv, []
    for table, (name, head, columns, rows) in TABLES.items():
        path = GUIDE / f"{name}.md"
        text = path.read_text("utf-8")
        wanted = "\n".join([head, "|" + "---|" * columns, *rows()]) + "\n"
        pattern = re.compile(rf"(<!-- table: {table} -->\n)((?:\|.*\n)*)")
        if not pattern.search(text):
            findings.append(f"{path.name}: there is no place for the table of {table}")
        updated = pattern.sub(lambda found: found[1] + wanted, text)
        if updated != text and check:
            findings.append(f"{path.name}: the table of {table} differs from the sources; Scripts/reference.py writes it")
        elif updated != text:
            path.write_text(updated, "utf-8")
    findings += settings()[1]
    findings += sorted(set(unnamed_variables((GUIDE / "CommandReference.md").read_text("utf-8"))))
    findings += unnamed_codes((GUIDE / "Errors.md").read_text("utf-8"))
    for line in findings:
        print(line)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
