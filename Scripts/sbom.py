#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what a release consists of, as an SPDX 2.3 document in JSON (ISO/IEC 5962).

Usage: Scripts/sbom.py VERSION FILE.json [RELEASED-FILE ...]

The packages are those of `swift package show-dependencies`, with the revisions of Package.resolved and the licenses in
their checkouts; each released file is named with its SHA-256. The same commit gives the same document.
"""

import hashlib
import json
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
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def license_of(folder):
    """The SPDX identifier of the license file in a folder; NOASSERTION if its text is none of those known here."""
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
        yield name, child["identity"]
        yield from edges(child, child["identity"])


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
    when = output("git", "show", "--no-patch", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd", "HEAD")
    graph = json.loads(output("swift", "package", "show-dependencies", "--format", "json"))
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    packages = [package("cumulus", version, "NOASSERTION", license_of(ROOT))]
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        state, checkout = pin["state"], pathlib.Path(pin["location"]).stem
        place = f"git+{pin['location']}@{state['revision']}"
        packages.append(package(
            pin["identity"], state.get("version", state["revision"]), place,
            license_of(ROOT / ".build/checkouts" / checkout),
        ))
    contents = [released(path) for path in files]
    relations = [relation("SPDXRef-DOCUMENT", "DESCRIBES", identifier("cumulus"))]
    relations += [
        relation(identifier(one), "DEPENDS_ON", identifier(other))
        for one, other in sorted(set(edges(graph)))
    ]
    relations += [relation(identifier("cumulus"), "GENERATES", each["SPDXID"]) for each in contents]
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"cumulus-{version}",
        "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'cumulus {version} {commit}')}",
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
