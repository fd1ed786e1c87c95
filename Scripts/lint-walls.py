#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks which module and which folder uses what of which, symbol by symbol, as the compiler saw it.

Usage: Scripts/lint-walls.py [--build FOLDER]

Reads the index that `swift build --build-tests` writes into FOLDER (default: .build), and the rules in walls.rules
beside this script. Members of extensions count; accessors count as their property, and generic parameters not at all.
Only Swift files below Sources count, and of them what this platform compiles. Prints one line a finding. Exits 1 if there
is any, 2 if the index is missing, or older than the sources.
"""

import argparse
import collections
import ctypes
import functools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

RULES = pathlib.Path(__file__).resolve().with_name("walls.rules")
SOURCES = pathlib.Path("Sources")
RECORD, DEFINITION = 2, 2  # libIndexStore's numbers: a kind of dependency, a role of an occurrence
PARTS = {3, 4, 1000, 1001, 1002, 1003, *range(1013, 1019)}  # its subkinds for accessors and generic parameters
Use = collections.namedtuple("Use", "path line symbol name home")  # home: the file that defines the symbol


def fail(text):
    print(f"lint-walls: {text}", file=sys.stderr)
    sys.exit(2)


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else fail(f"{' '.join(command[:4])} failed:\n{done.stderr.strip()}")


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode("utf-8", "replace") if self.data else ""


class IndexStore:
    """The part of libIndexStore that is needed here; the library stands beside the compiler."""

    VISITOR = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)

    def __init__(self, folder, places):
        libraries = [path for place in places for path in sorted(place.glob("libIndexStore.*"))]
        if not libraries:
            fail(f"no libIndexStore in {', '.join(map(str, places))}: it is a part of Swift's whole toolchain")
        self.library, self.folder = ctypes.CDLL(str(libraries[0])), folder
        self.store = self.get("store_create", ctypes.c_void_p, str(folder).encode(), None)
        if not self.store:
            fail(f"{libraries[0]} can't read {folder}: was it written by another version of Swift? Build again.")

    def get(self, name, result, *arguments):
        function = self.library["indexstore_" + name]
        function.restype = result
        return function(*(ctypes.c_void_p(each) if isinstance(each, int) else each for each in arguments))

    def text(self, name, thing):
        return str(self.get(name, Text, thing))

    def each(self, name, reader, visit):
        """Calls `visit` with each part of what the reader reads, and closes the reader."""
        visitor = self.VISITOR(lambda _, part: visit(part) or True)
        self.get(f"{reader[0]}_{name}_apply_f", ctypes.c_bool, reader[1], None, visitor)
        self.get(f"{reader[0]}_dispose", None, reader[1])

    def units(self):
        """Of each compiled file, by path: when it was indexed, and its record or None. The newest unit counts."""
        found = {}
        for path in sorted(self.folder.glob("*/units/*"), key=lambda path: path.stat().st_mtime):
            unit = self.get("unit_reader_create", ctypes.c_void_p, self.store, path.name.encode(), None)
            if not unit:
                continue
            main = self.text("unit_reader_get_main_file", unit)
            found[main] = (path.stat().st_mtime, None)

            def visit(part):
                if self.get("unit_dependency_get_kind", ctypes.c_int, part) == RECORD:
                    if self.text("unit_dependency_get_filepath", part) == main:
                        found[main] = (path.stat().st_mtime, self.text("unit_dependency_get_name", part))

            self.each("dependencies", ("unit_reader", unit), visit)
        return found

    def occurrences(self, record):
        """(identifier, name, whether it defines, line) of all symbols that the record names, but their parts."""
        reader = self.get("record_reader_create", ctypes.c_void_p, self.store, record.encode(), None)
        line, column, found = ctypes.c_uint(), ctypes.c_uint(), []

        def visit(here):
            symbol = self.get("occurrence_get_symbol", ctypes.c_void_p, here)
            if self.get("symbol_get_subkind", ctypes.c_int, symbol) not in PARTS:
                defines = bool(self.get("occurrence_get_roles", ctypes.c_uint64, here) & DEFINITION)
                self.get("occurrence_get_line_col", None, here, ctypes.byref(line), ctypes.byref(column))
                usr, name = self.text("symbol_get_usr", symbol), self.text("symbol_get_name", symbol)
                found.append((usr, name, defines, line.value))

        if reader:
            self.each("occurrences", ("record_reader", reader), visit)
        return found


@functools.cache
def lines(path):
    return pathlib.Path(path).read_text("utf-8").splitlines()


def qualifies(path, line, name):
    """Whether a type is named only for one that is nested in it: in `extension Resource.Settings`, or where that is made."""
    text = lines(path)[line - 1]
    if re.search(rf"\b{re.escape(name)}\.[A-Z]", text):
        return True
    nested = (text for text in lines(path)[line:] if not re.match(r" *///|$", text))
    return text == f"extension {name} {{" and bool(re.match(r" +public struct ", next(nested, "")))


class Project:
    """What the index says of the files in Sources."""

    def __init__(self, build):
        stores = [path.resolve() for name in ("debug", "*/debug") for path in build.glob(f"{name}/index/store")]
        if not stores:
            fail(f"no index in {build}/debug/index/store: `swift build --build-tests` writes it")
        self.build, self.products = build.resolve(), stores[0].parents[1]
        self.target = json.loads(output("swift", "-print-target-info"))
        library = pathlib.Path(self.target["paths"]["runtimeResourcePath"]).parent
        swift = shutil.which("swift") or fail("there is no swift in PATH")
        index = IndexStore(stores[0], [library, pathlib.Path(swift).resolve().parents[1] / "lib"])
        root, every = pathlib.Path.cwd(), index.units()
        files = sorted(str(path) for path in SOURCES.rglob("*.swift"))
        units = {path: every[str(root / path)] for path in files if str(root / path) in every}
        self.modules = {path.split("/")[1] for path in units}
        old = [path for path, (when, _) in units.items() if pathlib.Path(path).stat().st_mtime > when]
        old += [path for path in files if path not in units and path.split("/")[1] in self.modules]
        if old:
            fail(f"the index is older than {len(old)} files, such as {old[0]}: `swift build --build-tests`")
        self.files = list(units)
        found = {path: index.occurrences(record) for path, (_, record) in units.items() if record}
        home = {usr: path for path, symbols in found.items() for usr, _, defines, _ in symbols if defines}
        self.uses = sorted(
            Use(path, line, usr, name, home[usr])
            for path, symbols in found.items()
            for usr, name, defines, line in symbols
            if not defines and home.get(usr, path) != path and not qualifies(path, line, name)
        )

    def public(self, module):
        """The identifiers of what a module makes public."""
        maps = {path.parent.name: path for path in SOURCES.glob("*/module.modulemap")}
        maps |= {path.parents[1].name: path for path in self.build.glob("checkouts/*/Sources/*/include/module.modulemap")}
        maps |= {path.parent.name.removesuffix(".build"): path for path in self.products.glob("*.build/module.modulemap")}
        with tempfile.TemporaryDirectory() as folder:
            command = ["swift", "symbolgraph-extract", "-module-name", module, "-output-dir", folder]
            command += ["-target", self.target["target"]["unversionedTriple"], "-I", str(self.products / "Modules")]
            command += ["-minimum-access-level", "public", "-skip-inherited-docs"]
            output(*command, *(word for path in maps.values() for word in ("-Xcc", f"-fmodule-map-file={path}")))
            graphs = [json.loads(path.read_text()) for path in pathlib.Path(folder).glob("*.symbols.json")]
        return {symbol["identifier"]["precise"] for graph in graphs for symbol in graph["symbols"]}

    def crossing(self, user, used):
        return [use for use in self.uses if use.path.split("/")[1] == user and use.home.split("/")[1] == used]


def folder(path):
    return path.split("/")[2] if path.count("/") > 2 else "(top)"


def hidden(project, user, used, cache={}):
    """Uses of what isn't public, by symbol: the first of each."""
    if used not in cache:
        cache[used] = project.public(used)
    first = {}
    for use in project.crossing(user, used):
        if use.symbol not in cache[used]:
            first.setdefault(use.symbol, use)
    return list(first.values())


def told(use):
    return f"{use.path}:{use.line}: uses {use.name} of {use.home}"


def broken(project, module, verb, rest):
    """What breaks one rule, a line each; None where it isn't a rule."""
    if verb == "uses" and rest[1:] == ["nothing"]:
        return [told(use) for use in project.crossing(module, rest[0])]
    if verb == "uses" and rest[1:] == ["public"]:
        return [told(use) + ", which isn't public" for use in hidden(project, module, rest[0])]
    if verb == "uses" and rest[1:2] == ["package"] and len(rest) == 3 and rest[2].isdecimal():
        uses, allowed = hidden(project, module, rest[0]), int(rest[2])
        says = f"{module} uses {len(uses)} symbols of {rest[0]} that aren't public; the rule says {allowed}"
        if len(uses) < allowed:
            print(f"{says}: it can be lowered", file=sys.stderr)
        return [told(use) for use in uses] + [says] if len(uses) > allowed else []
    if verb == "keeps" and rest[1::2] == ["of", "in"] and len(rest) == 5:
        name, home, place = (rest[0], *(f"{SOURCES}/{module}/{path}" for path in rest[2::2]))
        return [
            f"{told(use)}, which is for {place} alone"
            for use in project.crossing(module, module)
            if use.name == name and use.home == home and use.path != place
        ]
    if verb == "floors":
        raised = {f"{SOURCES}/{module}/{name[1:]}" for name in rest if name[0] == "+"}
        rank = {name: number for number, name in enumerate(name for name in rest if name[0] not in "|+")}
        inside = {folder(path) for path in project.files if path.split("/")[1] == module} - {"(top)"}
        lines = [f"{SOURCES}/{module}/{name}: stands on no floor" for name in sorted(inside - set(rank))]
        lines += [f"{SOURCES}/{module}/{name}: has a floor, but no files" for name in rank if name not in inside]
        return lines + [
            f"{told(use)}, which stands above it"
            for use in project.crossing(module, module)
            if rank.get(folder(use.home), -1) > rank.get(folder(use.path), len(rank)) and use.home not in raised
        ]
    return None


def rules():
    """The rules, each with its number and words; a line that begins with a blank continues the one before."""
    found = []
    for number, line in enumerate(RULES.read_text().splitlines(), 1):
        words = line.split("#")[0].split()
        if words and line[0] == " ":
            found[-1][1].extend(words)
        elif words:
            found.append((number, words))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(".build"), metavar="FOLDER")
    project, lines = Project(parser.parse_args().build), []
    for number, words in rules():
        named = {words[0], *(words[2:3] if words[1:2] == ["uses"] else [])}
        if missing := named - project.modules:
            fail(f"the index has nothing of {', '.join(sorted(missing))}: `swift build --build-tests`")
        found = broken(project, words[0], words[1], words[2:]) if len(words) > 2 else None
        lines += [f"{RULES.name}:{number}: not a rule: {' '.join(words)}"] if found is None else found
    print("".join(line + "\n" for line in lines), end="")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
