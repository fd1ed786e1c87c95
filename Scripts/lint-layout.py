#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules of layout, size and wording that ARCHITECTURE.md names.

Usage: Scripts/lint-layout.py [ROOT]

Prints one line a finding, `path:line: what is wrong`, and exits 1 if there is any.
"""

import pathlib
import re
import sys

SOURCE_FOLDERS = ["Sources", "Tests", "Interop", "Examples"]

# Folders that say "things go here" instead of naming a concept.
EMPTY_NAMES = {"Utils", "Utilities", "Helpers", "Common", "Base", "Core", "Misc", "Extensions", "Internal", "Shared"}
EMPTY_SUFFIXES = ("Manager", "Helper", "Handler", "Util", "Utils")

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 60
MAX_LEVELS = 3

SPDX = "// SPDX-License-Identifier: Apache-2.0"

# Words that mark unfinished work, and words that praise instead of telling.
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
PRAISE = re.compile(
    r"\b(blazing(?:ly)?|lightning[- ]fast|seamless(?:ly)?|effortless(?:ly)?|cutting[- ]edge|world[- ]class|"
    r"state[- ]of[- ]the[- ]art|revolutionary|game[- ]chang\w+|powerful|elegant(?:ly)?|stunning(?:ly)?|"
    r"leverag\w+|best[- ]in[- ]class|battle[- ]tested|next[- ]gen\w*)\b",
    re.IGNORECASE,
)

TYPE = re.compile(r"\b(?:class|struct|enum|actor|protocol)\s+([A-Za-z_]\w*)")
DECLARES = re.compile(r"\b(?:class|struct|enum|actor|protocol|extension|typealias|func|macro)\s+([A-Za-z_][\w.]*)")
# A declaration that other files can see, or an extension, with its indentation.
VISIBLE = re.compile(
    r"^( *)((?:@[\w.]+(?:\([^)]*\))? |[a-z]+(?:\(set\))? )*)(class|struct|enum|actor|protocol|extension) +([A-Za-z_][\w.]*)"
)
FUNCTION = re.compile(r"^\s*(?:(?:@[\w.]+(?:\([^)]*\))?|[a-z]+(?:\([a-z]+\))?)\s+)*(?:func\s|init[?!]?\s*[(<]|deinit\b|subscript\s*[(<])")
# A test waits for events; one that has to see that nothing happens says so on the line above.
SLEEP = re.compile(r"\bTask\.sleep\(|(?<!func )(?<![.\w])u?sleep\(")
# Nor does it measure time, which a busy machine lengthens, or block its thread: no time limit ends that.
MEASURE = re.compile(r"\bContinuousClock(?:\(\))?\.now - |\.duration\(to: (?:Continuous\w+)?\.now\) <")
BLOCK = re.compile(r"^(?!.*\bawait\b).*\.wait\(\)|\bGlibc\.(?:accept|connect|recv)\(")
# What a test waits with: its suite has a time limit, after which the others go on.
WAIT = re.compile(r"\b(?:withLoopbackServer|LoopbackServer\.start|eventually|waitFor\w+|waitPatiently)\b|\bGate\(\)")
SUITE = re.compile(r"^@Suite\b")
UNCHECKED = re.compile(r"@unchecked\s+Sendable|nonisolated\(unsafe\)")


class Findings:
    def __init__(self, root):
        self.root = root
        self.lines = []

    def add(self, path, line, text):
        self.lines.append(f"{path.relative_to(self.root)}:{line}: {text}")


def code_only(line):
    """The line without string contents and without its comment, so that braces in them don't count."""
    line = re.sub(r'#"(?:[^"]|"(?!#))*"#', '""', line)
    line = re.sub(r'"(?:\\.|[^"\\])*"', '""', line)
    return line.split("//")[0]


def mask_long_strings(lines):
    """The lines with the contents of multi-line string literals emptied."""
    masked, inside = [], False
    for line in lines:
        toggles = len(re.findall(r'#*"""#*', line)) % 2 == 1
        masked.append("" if inside and not toggles else line)
        if toggles:
            inside = not inside
    return masked


def function_lengths(lines):
    """Yields first line and length of each function, initializer and subscript with a body."""
    for start, line in enumerate(lines):
        if line.lstrip().startswith("//") or not FUNCTION.match(line):
            continue
        braces, parentheses, opened = 0, 0, False
        for end in range(start, len(lines)):
            code = code_only(lines[end])
            for character in code:
                if character in "([":
                    parentheses += 1
                elif character in ")]":
                    parentheses -= 1
                elif character == "{":
                    braces += 1
                    # A brace inside the parameters is a default value, not the body.
                    opened = opened or parentheses == 0
                elif character == "}":
                    braces -= 1
            if opened and braces <= 0:
                yield start + 1, end - start + 1
                break
            following = lines[end + 1].strip() if end + 1 < len(lines) else ""
            if not opened and parentheses <= 0 and (following == "" or following.startswith(("///", "}"))):
                break  # a requirement of a protocol: it has no body


def check_swift(path, top, findings):
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    if not lines[0].startswith(SPDX) and not (path.name == "Package.swift" and SPDX in lines[:3]):
        findings.add(path, 1, f"the first line is not {SPDX!r}")
    if len(lines) > MAX_FILE_LINES:
        findings.add(path, 1, f"{len(lines)} lines (at most {MAX_FILE_LINES})")

    stem, plus, topic = path.stem.partition("+")
    declared = {name.split(".")[-1] for name in DECLARES.findall(text)}
    if top == "Sources" and stem not in declared and path.name != "main.swift":
        findings.add(path, 1, f"declares or extends no {stem}")
    if plus and not topic[:1].isupper():
        findings.add(path, 1, "the topic after + starts with a small letter")

    for number, line in enumerate(lines, 1):
        if found := UNFINISHED.search(line):
            findings.add(path, number, f"{found[1]}: finish it or file an issue")
        if line.lstrip().startswith("//"):
            if found := PRAISE.search(line):
                findings.add(path, number, f"{found[1]!r} praises instead of telling")
            continue
        for name in TYPE.findall(code_only(line)):
            if name.endswith(EMPTY_SUFFIXES):
                findings.add(path, number, f"{name}: the suffix says nothing")
        has_reason = number > 1 and lines[number - 2].lstrip().startswith("//")
        if UNCHECKED.search(line) and not has_reason:
            findings.add(path, number, "no reason on the line above")
        if top == "Tests" and SLEEP.search(code_only(line)) and not has_reason:
            findings.add(path, number, "a test waits for events, not for time (or says why on the line above)")
        if top == "Tests" and MEASURE.search(code_only(line)) and not has_reason:
            findings.add(path, number, "a test doesn't measure time (or says why on the line above)")
        if top == "Tests" and BLOCK.search(code_only(line)) and not has_reason:
            findings.add(path, number, "this blocks for as long as it takes (or say on the line above what ends it)")
    if top == "Tests" and any(WAIT.search(code_only(line)) for line in lines):
        for number, line in enumerate(lines, 1):
            if SUITE.search(line) and not any("timeLimit" in line for line in lines):
                findings.add(path, number, "a suite that waits has a time limit, .timeLimit(.minutes(10))")
    for line, length in function_lengths(mask_long_strings(lines)):
        if length > MAX_FUNCTION_LINES:
            findings.add(path, line, f"a function of {length} lines (at most {MAX_FUNCTION_LINES})")


def check_folders(root, findings):
    for top in SOURCE_FOLDERS:
        seen = {}
        for path in sorted((root / top).rglob("*")):
            parts = path.relative_to(root / top).parts
            if any(part.startswith(".") or part.endswith(".docc") for part in parts):
                continue
            if any(" " in part for part in parts):
                findings.add(path, 0, "a blank in a path")
            twin = seen.setdefault(str(path).lower(), path)
            if twin != path:
                findings.add(path, 0, f"differs from {twin.name} only in case")
            if path.is_dir():
                if path.name in EMPTY_NAMES:
                    findings.add(path, 0, "the folder names no concept")
                if len(parts) - 1 > MAX_LEVELS:
                    findings.add(path, 0, f"more than {MAX_LEVELS} levels below its module")
            elif path.suffix == ".swift":
                check_swift(path, top, findings)


def visible_types(path):
    """The types that a file declares for others, as `Outer.Inner`, each with its line."""
    lines = mask_long_strings(path.read_text(encoding="utf-8").split("\n"))
    around = []  # the types that are open: indentation, name, whether others see it
    for number, line in enumerate(lines, 1):
        found = VISIBLE.match(code_only(line))
        if not found:
            continue
        indentation, modifiers, kind, name = len(found[1]), found[2], found[3], found[4]
        while around and around[-1][0] >= indentation:
            around.pop()
        is_seen = "private" not in modifiers.split() and "fileprivate" not in modifiers.split()
        is_seen = is_seen and all(seen for _, _, seen in around)
        name = ".".join([outer for _, outer, _ in around] + [name])
        around.append((indentation, found[4], is_seen))
        if is_seen and kind != "extension":
            yield name, number


def check_names(root, findings):
    """No two modules have a type of one name; of nested ones the whole name counts."""
    homes = {}
    for path in sorted((root / "Sources").rglob("*.swift")):
        if path.is_symlink():
            continue
        module = path.relative_to(root / "Sources").parts[0]
        for name, line in visible_types(path):
            home = homes.setdefault(name, (module, path))
            if home[0] != module:
                findings.add(path, line, f"{name} is declared in {home[0]}, too ({home[1].relative_to(root)})")


def check_codec(root, findings):
    """CumulusNIO's HTTP1 folder is built alone for fuzzing: it may not know the core."""
    for path in sorted((root / "Sources" / "CumulusNIO" / "HTTP1").glob("*.swift")):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if re.match(r"(?:\w+ )?import Cumulus", line):
                findings.add(path, number, "HTTP1 is built without the core, for fuzzing")


def check_mirror(root, findings):
    """Tests/XTests/Folder is there only if Sources/X/Folder is; Support holds what several tests share, Interface what the compiler says."""
    for target in sorted((root / "Tests").glob("*Tests")):
        module = root / "Sources" / target.name.removesuffix("Tests")
        if not module.is_dir():
            findings.add(target, 0, f"there is no Sources/{module.name}")
            continue
        for folder in sorted(path for path in target.rglob("*") if path.is_dir()):
            relative = folder.relative_to(target)
            if relative.parts[0] not in ("Support", "Interface") and not (module / relative).is_dir():
                findings.add(folder, 0, f"mirrors nothing: there is no Sources/{module.name}/{relative}")


def check_documents(root, findings):
    documents = sorted(root.glob("*.md")) + sorted((root / "Sources").rglob("*.docc/**/*.md"))
    for path in documents:
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if found := PRAISE.search(line):
                findings.add(path, number, f"{found[1]!r} praises instead of telling")
            if found := UNFINISHED.search(line.replace("`TODO`", "").replace("`FIXME`", "")):
                findings.add(path, number, f"{found[1]}: finish it or file an issue")


def check_paths(root, findings):
    """Each Swift file that ARCHITECTURE.md names by its path is there."""
    document = root / "ARCHITECTURE.md"
    homes = [root / "Sources" / "CumulusCore", root / "Sources", root / "Sources" / "CumulusNIO", root]
    for number, line in enumerate(document.read_text(encoding="utf-8").split("\n"), 1):
        for path in re.findall(r"`(\w+/[\w/+]+\.swift)`", line):
            if not any((home / path).is_file() for home in homes):
                findings.add(document, number, f"there is no {path}")


def check_promises(root, findings):
    """Each row of SECURITY.md's tables ends with suites of tests, and each of them is there."""
    document = root / "SECURITY.md"
    if not document.exists():
        return
    tests = [path for top in ("Tests", "Interop") for path in (root / top).rglob("*.swift")]
    suites = {name for path in tests for name in re.findall(r"\bstruct (\w+Tests)\b", path.read_text(encoding="utf-8"))}
    for number, line in enumerate(document.read_text(encoding="utf-8").split("\n"), 1):
        if not line.startswith("| ") or line == "| promise | tests |":
            continue
        named = re.findall(r"`(\w+)`", line.rstrip(" |").rpartition(" | ")[2])
        for name in named or ["suite"]:
            if name not in suites:
                findings.add(document, number, f"there is no suite {name}" if named else "a promise without a suite of tests")


def main():
    default = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else default
    findings = Findings(root)
    check_folders(root, findings)
    check_names(root, findings)
    check_codec(root, findings)
    check_mirror(root, findings)
    check_documents(root, findings)
    check_paths(root, findings)
    check_promises(root, findings)
    for line in findings.lines:
        print(line)
    return 1 if findings.lines else 0


if __name__ == "__main__":
    sys.exit(main())
