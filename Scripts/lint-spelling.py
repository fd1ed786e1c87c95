#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the spelling of documents, sources and snippets with codespell. The spelling is American.

codespell is pinned, and installed below .build if it is missing.

Prints one line for each finding, and exits 1 if there are any.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODESPELL = "2.4.1"
# Words that codespell takes for misspelt ones, and British ones: Swift's own `cancelled`, Mastodon's favourites, and what users
# of the command may type.
KNOWN_WORDS = "alse,atleast,cancelled,cancelling,colour,colours,favourite,favourites,fro,inout,iterm,nd,presse,statics,te"
# Generated data.
SKIPPED = {"Sources/CumulusCore/Address/HostNameData.swift", "Sources/CumulusCore/Cookies/PublicSuffixData.swift"}


def codespell():
    """The folder of the pinned codespell, installed if it is missing."""
    folder = ROOT / ".build" / f"codespell-{CODESPELL}"
    if not (folder / "codespell_lib").is_dir():
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--root-user-action=ignore", "--disable-pip-version-check",
                        "--no-deps", "--target", str(folder), f"codespell=={CODESPELL}"], check=True)
    return folder


def main():
    listed = subprocess.run(["git", "ls-files", "*.md", "Sources/*.swift", "Examples/Snippets/*.swift"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.splitlines()
    files = [name for name in listed if name not in SKIPPED and (ROOT / name).is_file()]
    command = [sys.executable, "-m", "codespell_lib", "--builtin", "clear,rare,en-GB_to_en-US", "--ignore-words-list", KNOWN_WORDS,
               "--quiet-level", "2", *files]
    result = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": str(codespell())}, capture_output=True, text=True)
    print(result.stdout, end="")
    if result.returncode not in (0, 65):
        print(f"codespell failed: {result.stderr.strip() or result.returncode}")
    return 1 if result.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
