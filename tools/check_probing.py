#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses code that asks a part for its members by name: `if constexpr (requires { part.x; })`.

A part states what it has: by the kinds of its inputs (model/fields.h), or by a constant or function with
a default in a base (model/elements.h, control/control_part.h, run/switching.h).

usage: check_probing.py ROOT | check_probing.py --self-test
"""

import re
import sys
import tempfile
from pathlib import Path

FOLDERS = ("scenario", "run", "system")
SUFFIXES = {".h", ".cpp", ".hpp", ".inc"}
# In a condition, or as a value: a requires-expression that is not the body of a concept.
PROBE = re.compile(r"(?:\(|=|\|\||&&|!|return|,)\s*requires\s*(?:\([^)]*\)\s*)?\{")
CONCEPT = re.compile(r"\bconcept\s+\w+\s*=[^;{]*(?:;|\{.*?\}\s*;)", re.DOTALL)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def blank(match):
    """As many lines of nothing."""
    return re.sub(r"[^\n]", " ", match[0])


def find_probes(text):
    """Numbers of the lines that probe."""
    text = CONCEPT.sub(blank, COMMENT.sub(blank, text))
    return [text.count("\n", 0, m.start()) + 1 for m in PROBE.finditer(text)]


def find_problems(root):
    berth = Path(root) / "src" / "berth"
    files = sorted(f for folder in FOLDERS for f in (berth / folder).rglob("*")
                   if f.suffix in SUFFIXES)
    problems = []
    for file in files:
        for line in find_probes(file.read_text(encoding="utf-8")):
            problems.append(f"{file.relative_to(root)}:{line}: asks a part for a member by its "
                            f"name; let the part state it")
    return len(files), problems


def self_test():
    """Each case: text, does it probe?"""
    cases = [
        ("if constexpr (requires { part.body; }) check(part.body);", True),
        ("found = requires { c.find_force(p); };", True),
        ("return requires { p.brakes(); };", True),
        ("} else if constexpr (requires(Part p) { p.name; }) {", True),
        ("if (a && requires { p.x; }) f();", True),
        ("template <class P>\ninline constexpr bool prescribes = requires {\n  &P::find;\n};", True),
        ("template <class P>\nconcept HasFields = requires {\n  P::fields();\n};", False),
        ("concept C = A<T> && requires(T t) { t.x; };", False),
        ("template <class V>\nrequires(!HasFields<V>) void read(V& to);", False),
        ("// if constexpr (requires { part.x; })", False),
        ("if constexpr (P::prescribes) f();", False),
    ]
    wrong = 0
    for text, probes in cases:
        with tempfile.TemporaryDirectory() as root:
            file = Path(root) / "src" / "berth" / "run" / "a.h"
            file.parent.mkdir(parents=True)
            file.write_text(text + "\n", encoding="utf-8")
            _, problems = find_problems(root)
        if probes != bool(problems):
            wrong += 1
            print(f"{text!r} should {'' if probes else 'not '}be refused")
    print(f"{len(cases)} cases, {wrong} judged wrongly")
    return wrong


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--self-test":
        sys.exit(1 if self_test() else 0)
    count, problems = find_problems(sys.argv[1])
    print("\n".join(problems) or f"{count} files ask no part for members by name")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
