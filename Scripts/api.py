#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the public interface of each module from the compiler's symbol graphs: to API/, one declaration a line, and with
its docstrings to docs/api/.

    Scripts/api.py            writes API/MODULE.txt and docs/api/TYPE.md
    Scripts/api.py --check    fails where the interface differs from API/, and prints what breaks callers

It reads the modules of the last `swift build` (CUMULUS_BUILD names another folder than .build/debug), which must not be
older than the sources: the compiler finds docstrings by their places in the files.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import api_pages

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("CUMULUS_BUILD", ROOT / ".build/debug")).resolve()
MODULES = ["Cumulus", "CumulusCore", "CumulusJSON", "CumulusNIO", "CumulusURLSession", "CumulusBackground", "CumulusCodings", "CumulusFormats", "CumulusXML", "CumulusServices", "CumulusOAuth", "CumulusAWS", "CumulusUploads", "CumulusSignatures", "CumulusCache", "CumulusTelemetry", "CumulusLifecycle", "CumulusYAML", "CumulusCatalogs", "CumulusTesting", "CumulusTestServer"]


def refuse_old_build():
    """Ends the program if a file changed after it was compiled, by the time of its unit in the compiler's index."""
    compiled = {}
    for unit in (BUILD / "index" / "store").glob("*/units/*.swift.o-*"):
        name = unit.name.partition(".o-")[0]
        compiled[name] = max(compiled.get(name, 0), unit.stat().st_mtime)
    for module in MODULES:
        for path in (ROOT / "Sources" / module).rglob("*.swift"):
            if path.stat().st_mtime > compiled.get(path.name, 0):
                sys.exit(f"api: {path.relative_to(ROOT)} is newer than the last build: `swift build --build-tests`")


def module_maps():
    """Of the C targets: ours, and those that the dependencies' modules name."""
    maps = [ROOT / "Sources/CZlib/module.modulemap", *BUILD.glob("*.build/module.modulemap")]
    covered = {path.parent.name for path in maps}
    for path in (BUILD.parent.parent / "checkouts").glob("*/Sources/*/include/module.modulemap"):
        if f"{path.parent.parent.name}.build" not in covered:
            maps.append(path)
    return maps


def target():
    described = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True)
    return json.loads(described.stdout)["target"]["unversionedTriple"]


def symbol_graphs(module, triple, maps, folder):
    command = ["swift", "symbolgraph-extract", "-module-name", module, "-target", triple]
    command += ["-I", str(BUILD / "Modules"), "-minimum-access-level", "public", "-output-dir", folder]
    for path in maps:
        command += ["-Xcc", f"-fmodule-map-file={path}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"api: no symbol graph of {module}:\n{done.stdout}{done.stderr}")
    for path in sorted(pathlib.Path(folder).glob(f"{module}*.symbols.json")):
        yield json.loads(path.read_text())


def declarations(module, triple, maps, reference):
    """Lines of `path: declaration`, and of `type: Protocol` for what a type conforms to; adds the symbols to a reference."""
    lines = set()
    with tempfile.TemporaryDirectory() as folder:
        for graph in symbol_graphs(module, triple, maps, folder):
            reference.add(module, graph)
            names = {}
            for symbol in graph["symbols"]:
                path = ".".join(symbol["pathComponents"])
                names[symbol["identifier"]["precise"]] = path
                if "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
                    continue
                text = " ".join("".join(f["spelling"] for f in symbol["declarationFragments"]).split())
                gone = any(note.get("isUnconditionallyUnavailable") for note in symbol.get("availability", []))
                old = any(note.get("isUnconditionallyDeprecated") for note in symbol.get("availability", []))
                lines.add(f"{path}: {'unavailable ' if gone else 'deprecated ' if old else ''}{text}")
            for relation in graph["relationships"]:
                if relation["kind"] == "conformsTo" and relation["source"] in names:
                    whole = relation.get("targetFallback") or names.get(relation["target"], relation["target"])
                    lines.add(f"{names[relation['source']]}: conforms to {whole}")
    return sorted(lines)


def main():
    checks = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not checks:
        sys.exit(__doc__)
    refuse_old_build()
    triple, maps = target(), module_maps()
    differs = False
    reference = api_pages.Reference()
    for module in MODULES:
        now = declarations(module, triple, maps, reference)
        path = ROOT / "API" / f"{module}.txt"
        before = path.read_text().splitlines() if path.exists() else []
        if not checks:
            path.parent.mkdir(exist_ok=True)
            path.write_text("\n".join(now) + "\n")
            continue
        gone, new = sorted(set(before) - set(now)), sorted(set(now) - set(before))
        differs = differs or bool(gone or new)
        for line in gone:
            print(f"{module}: breaks callers of  {line}")
        for line in new:
            print(f"{module}: new               {line}")
    pages, differing = api_pages.write(reference, checks)
    if differs:
        print("api: the public interface changed. Run Scripts/api.py, and name what breaks in CHANGELOG.md.")
        sys.exit(1)
    if checks and differing:
        print(f"api: docs/api/ differs from the docstrings ({', '.join(differing[:9])}). Run Scripts/api.py.")
        sys.exit(1)
    print(f"api: {'as' if checks else 'written to'} API/ and docs/api/, {len(MODULES)} modules, {len(pages)} pages")


main()
