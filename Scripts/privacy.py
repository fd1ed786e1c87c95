#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the privacy manifests of the modules that apps link against the calls that need a reason.

Apple refuses an app whose binary calls one of these without a declared reason (ITMS-91053). Each module that calls some has
a PrivacyInfo.xcprivacy with exactly their categories, and Package.swift copies it on Apple's systems.

Usage: Scripts/privacy.py [ROOT]

Prints one line for each finding, and exits 1 if there are any.
"""

import pathlib
import plistlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The command and the test server are in no app.
NOT_IN_APPS = {"CumulusCLI", "CumulusTestServer", "Tour", "CZlib"}
PREFIX = "NSPrivacyAccessedAPICategory"
# By https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api: the calls of each
# category, and the reasons that a library may give.
CATEGORIES = {
    "FileTimestamp": (
        r"\b(stat|fstat|lstat|fstatat|getattrlist|getattrlistbulk|fgetattrlist|getattrlistat)\(|"
        r"\battributesOfItem\(|\b(contentModificationDateKey|creationDateKey|fileModificationDate)\b|"
        r"\.(creationDate|modificationDate)\b",
        {"C617.1", "3B52.1", "0A2A.1", "DDA9.1"},
    ),
    "DiskSpace": (
        r"\b(statfs|fstatfs|statvfs|fstatvfs)\(|\bvolume\w*Capacity\w*\b|\bsystem(Free)?Size\b",
        {"E174.1", "85F4.1", "7D9E.1", "B728.1"},
    ),
    "SystemBootTime": (r"\bsystemUptime\b|\bmach_absolute_time\b", {"35F9.1", "8FFB.1", "3D61.1"}),
    "UserDefaults": (r"\bUserDefaults\b", {"CA92.1", "1C8F.1", "C56D.1", "AC6B.1"}),
    "ActiveKeyboards": (r"\bactiveInputModes\b", {"3EC4.1", "54BD.1"}),
}


def used(module):
    """The categories of a module's calls, each with the first place of one."""
    found = {}
    for path in sorted(module.rglob("*")):
        if path.suffix not in (".swift", ".c", ".h"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            # Neither comments nor the makers of C's structures, `stat()`, are calls.
            code = re.sub(r"//.*|\bstat(v?fs)?\(\)", "", line)
            for category, (pattern, _) in CATEGORIES.items():
                if re.search(pattern, code):
                    found.setdefault(category, f"{path.relative_to(module.parent.parent)}:{number}")
    return found


def declared(manifest, findings):
    """The categories of a manifest; what is wrong with it joins the findings."""
    contents = plistlib.loads(manifest.read_bytes())
    if contents.get("NSPrivacyTracking") is not False or contents.get("NSPrivacyCollectedDataTypes") != []:
        findings.append(f"{manifest}: the library neither tracks nor collects data")
    categories = set()
    for entry in contents.get("NSPrivacyAccessedAPITypes", []):
        category = entry["NSPrivacyAccessedAPIType"].removeprefix(PREFIX)
        reasons = set(entry["NSPrivacyAccessedAPITypeReasons"])
        if category not in CATEGORIES:
            findings.append(f"{manifest}: unknown category {category}")
        elif not reasons or not reasons <= CATEGORIES[category][1]:
            findings.append(f"{manifest}: {category} can't have the reasons {sorted(reasons)}")
        categories.add(category)
    return categories


def check(root):
    findings = []
    package = (root / "Package.swift").read_text()
    for module in sorted(path for path in (root / "Sources").iterdir() if path.is_dir()):
        if module.name in NOT_IN_APPS:
            continue
        manifest = module / "PrivacyInfo.xcprivacy"
        calls = used(module)
        reasons = declared(manifest, findings) if manifest.exists() else set()
        for category, place in calls.items():
            if category not in reasons:
                findings.append(f"{place}: {module.name} needs a reason for {category} in its PrivacyInfo.xcprivacy")
        for category in sorted(reasons - set(calls)):
            findings.append(f"{manifest}: {module.name} calls nothing of {category}")
        # The target's declaration, up to the next one.
        target = re.search(rf'name: "{module.name}",\n(.*?)\n        \),', package, re.DOTALL)
        if manifest.exists() != bool(target and "privacyManifest" in target[1]):
            findings.append(f"Package.swift: {module.name} and its PrivacyInfo.xcprivacy don't belong together")
    return findings


if __name__ == "__main__":
    problems = check(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)
