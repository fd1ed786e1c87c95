#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the contents of a release as an SPDX 2.3 document in JSON (ISO/IEC 5962).

Usage: Scripts/sbom.py VERSION FILE.json [RELEASED-FILE ...]

The packages are those of `swift package show-dependencies`, with the revisions of Package.resolved and the licenses in
their checkouts. The two must contain the same packages and versions. Another package is the Swift runtime, which is
linked statically into the command; the library of C++, which comes from the compiler, is omitted. Each released file has
its SHA-256. The time is SOURCE_DATE_EPOCH, or else the commit's.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
LICENSES = [
    ("Apache-2.0", r"Apache License\s+Version 2\.0"),
    ("MIT", r"Permission is hereby granted, free of charge"),
    ("BSD-3-Clause", r"Redistribution and use in source and binary forms.*Neither the name"),
]


def output(*command):
    """The standard output of a command. Its errors are printed, and end this script if the command fails."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"sbom: \"{' '.join(command)}\" failed with status {done.returncode}.")
    return done.stdout.strip()


def license_of(folder):
    """The SPDX identifier of the license file in a folder; NOASSERTION if its text is not in `LICENSES`."""
    for path in sorted(folder.glob("LICENSE*")):
        text = path.read_text("utf-8", "replace")
        for name, pattern in LICENSES:
            if re.search(pattern, text, re.DOTALL):
                return name
    return "NOASSERTION"


def identifier(name):
    return "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name, version, place, license_name):
    return {
        "SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": place,
        "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": license_name,
        "copyrightText": "NOASSERTION",
    }


def relation(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def edges(node, name="cumulus"):
    """(package, dependency) of all packages of the graph; the root's identity is its folder's name."""
    for child in node["dependencies"]:
        yield name, child
        yield from edges(child, child["identity"])


def check_pins(pins, resolved):
    """Ends this script unless the pins and the resolved packages have the same names, versions and commits."""
    problems = [f"\"{name}\" has a pin but is not a dependency." for name in sorted(pins.keys() - resolved.keys())]
    problems += [f"\"{name}\" is a dependency without a pin." for name in sorted(resolved.keys() - pins.keys())]
    for name in sorted(pins.keys() & resolved.keys()):
        state, node = pins[name]["state"], resolved[name]
        pinned, used = state.get("version"), node["version"]
        commit = output("git", "-C", node["path"], "rev-parse", "HEAD")
        tags = output("git", "-C", node["path"], "tag", "--points-at", "HEAD").split()
        if pinned != used:
            problems.append(f"\"{name}\" is pinned to {pinned}, but resolved to {used}.")
        elif commit != state["revision"]:
            problems.append(f"\"{name}\" is pinned to commit {state['revision']}, but its checkout is {commit}.")
        elif used not in tags and f"v{used}" not in tags:
            problems.append(f"\"{name}\" is pinned to {used}, but its commit {commit} does not have that tag.")
    if problems:
        sys.exit("\n".join(["sbom: Package.resolved differs from the resolved dependencies.", *problems]))


def swift_runtime():
    text = output("swift", "--version")
    found = re.search(r"Swift version (\S+)(?: \((swift-\S+)\))?", text)
    if not found:
        sys.exit(f"sbom: \"swift --version\" printed no version: {text}")
    place = f"git+https://github.com/swiftlang/swift@{found[2]}" if found[2] else "NOASSERTION"
    return package("swift-runtime", found[1], place, "Apache-2.0 WITH Swift-exception")


def released(path):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {
        "SPDXID": "SPDXRef-File-" + re.sub(r"[^A-Za-z0-9.-]", "-", path.name), "fileName": "./" + path.name,
        "checksums": [
            {"algorithm": "SHA1", "checksumValue": hashlib.sha1(path.read_bytes()).hexdigest()},
            {"algorithm": "SHA256", "checksumValue": digest},
        ],
        "licenseConcluded": "NOASSERTION", "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION",
    }


def document(version, files):
    commit = output("git", "rev-parse", "HEAD")
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or output("git", "show", "--no-patch", "--format=%ct", "HEAD")
    when = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    # This command must not write other pins than those of the build.
    graph = json.loads(output("swift", "package", "--force-resolved-versions", "show-dependencies", "--format", "json"))
    pins = {pin["identity"]: pin for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]}
    resolved = {child["identity"]: child for _, child in edges(graph)}
    check_pins(pins, resolved)

    packages = [package("cumulus", version, "NOASSERTION", license_of(ROOT)), swift_runtime()]
    for name, node in sorted(resolved.items()):
        place = f"git+{pins[name]['location']}@{pins[name]['state']['revision']}"
        packages.append(package(name, node["version"], place, license_of(pathlib.Path(node["path"]))))
    contents = [released(path) for path in files]
    relations = [
        relation("SPDXRef-DOCUMENT", "DESCRIBES", identifier("cumulus")),
        relation(identifier("cumulus"), "STATIC_LINK", identifier("swift-runtime")),
    ]
    relations += [
        relation(identifier(one), "DEPENDS_ON", identifier(other))
        for one, other in sorted({(name, child["identity"]) for name, child in edges(graph)})
    ]
    relations += [relation(identifier("cumulus"), "GENERATES", each["SPDXID"]) for each in contents]
    # A second build of a commit makes other files, and a document with other contents needs another name.
    origin = " ".join(["cumulus", version, commit, *(each["checksums"][1]["checksumValue"] for each in contents)])
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"cumulus-{version}",
        "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, origin)}",
        "creationInfo": {"created": when, "creators": ["Tool: cumulus-sbom.py"]},
        "packages": packages, "files": contents, "relationships": relations,
    }


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    version, target, *files = sys.argv[1:]
    written = document(version, [pathlib.Path(name) for name in files])
    pathlib.Path(target).write_text(json.dumps(written, indent=2) + "\n")
    unknown = [each["name"] for each in written["packages"] if each["licenseDeclared"] == "NOASSERTION"]
    print(f"{target}: {len(written['packages'])} packages, {len(files)} files"
          + (f"; no known license: {', '.join(unknown)}" if unknown else ""))


if __name__ == "__main__":
    main()
