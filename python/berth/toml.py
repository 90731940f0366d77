# SPDX-License-Identifier: Apache-2.0
"""TOML: written from Python's values, read into them, and the paths of settings."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

BARE = re.compile(r"[A-Za-z0-9_-]+")


def parse(text: str) -> dict[str, Any]:
    """A TOML text as dicts, lists and values."""
    return tomllib.loads(text)


def write_key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"a key is a str, not {type(key).__name__}")
    return key if BARE.fullmatch(key) else write_text(key)


def write_text(text: str) -> str:
    out = ['"']
    for c in text:
        if c in '"\\':
            out.append("\\" + c)
        elif c < " " or c == "\x7f":
            out.append(f"\\u{ord(c):04x}")
        elif "\ud800" <= c <= "\udfff":
            raise ValueError("a text with half a character (a lone surrogate) is no text")
        else:
            out.append(c)
    out.append('"')
    return "".join(out)


def write_value(value: Any, depth: int = 0) -> str:
    """A value in one line. Arrays are lists."""
    if depth > 50:
        raise ValueError("a value nested that deep is no scenario's")
    if isinstance(value, str):
        return write_text(value)
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise ValueError("a whole number has at most 64 bits")
        return str(value)
    if isinstance(value, float):
        if math.isfinite(value):
            return repr(value)
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, Mapping):
        inside = (f"{write_key(k)} = {write_value(v, depth + 1)}" for k, v in value.items())
        return "{ " + ", ".join(inside) + " }"
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return "[" + ", ".join(write_value(v, depth + 1) for v in value) + "]"
    raise TypeError(f"{type(value).__name__} is nothing a scenario can hold: {value!r}")


def write_table(table: Mapping[str, Any], path: str = "") -> str:
    """A table as text: [tables] and [[lists of tables]] down to the second level, inline below."""
    lines: list[str] = []
    later: list[str] = []
    for key, value in table.items():
        name = f"{path}.{write_key(key)}" if path else write_key(key)
        if isinstance(value, Mapping) and path.count(".") < 1:
            later.append(f"\n[{name}]\n{write_table(value, name)}")
        elif is_table_list(value) and path.count(".") < 1:
            later.extend(f"\n[[{name}]]\n{write_table(v, name)}" for v in value)
        else:
            lines.append(f"{write_key(key)} = {write_value(value)}\n")
    return "".join(lines + later)


def is_table_list(value: Any) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, (str, bytes, bytearray))
        and len(value) > 0
        and all(isinstance(v, Mapping) for v in value)
    )


def write_setting(value: Any) -> str:
    """The right-hand side of a setting. A text stands as it is, as after `--set key=`."""
    if isinstance(value, str):
        if "\ud800" <= max(value, default="") and any("\ud800" <= c <= "\udfff" for c in value):
            raise ValueError("a text with half a character (a lone surrogate) is no text")
        return value
    return write_value(value)


def find(table: Mapping[str, Any], path: str) -> Any:
    """The value at a path of settings. Raises KeyError when there is none."""
    here: Any = table
    segments = path.split(".")
    i = 0
    while i < len(segments):
        segment = segments[i]
        if isinstance(here, Mapping):
            # One table may stand for a list of one: the name enters it.
            if segment not in here and i > 0 and here.get("name") == segment:
                i += 1
                continue
            here = here[segment]
        elif isinstance(here, list):
            here = find_member(here, segment)
        else:
            raise KeyError(path)
        i += 1
    return here


def find_member(members: list[Any], name: str) -> Any:
    letters = "wxyz"[4 - len(members) :] if len(members) in (3, 4) else ""
    if len(name) == 1 and name in letters and all(isinstance(m, (int, float)) for m in members):
        return members[letters.index(name)]
    for m in members:
        if isinstance(m, Mapping) and m.get("name") == name:
            return m
    if name.isdigit() and 1 <= int(name) <= len(members):
        return members[int(name) - 1]
    raise KeyError(name)
