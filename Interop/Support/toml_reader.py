# SPDX-License-Identifier: Apache-2.0
"""Reads TOML with Python's tomllib: documents as lists of UTF-8 bytes, a JSON list per line, from standard input.

Each is answered by a line: its value in the form that TOMLAgreementTests compares, or "error".
"""

import datetime
import json
import struct
import sys
import tomllib


def canonical(value):
    if isinstance(value, bool):
        return f"b{int(value)}"
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise ValueError("more than 64 bits")
        return f"i{value}"
    if isinstance(value, float):
        return "nan" if value != value else "f" + struct.pack(">d", value).hex()
    if isinstance(value, str):
        return "s" + value.encode().hex()
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, dict):
        members = sorted((key.encode().hex(), canonical(member)) for key, member in value.items())
        return "{" + ",".join(f"{key}={member}" for key, member in members) + "}"
    assert isinstance(value, (datetime.date, datetime.time, datetime.datetime))
    return "d"


for line in sys.stdin:
    try:
        print(canonical(tomllib.loads(bytes(json.loads(line)).decode())))
    except (ValueError, RecursionError):
        print("error")
