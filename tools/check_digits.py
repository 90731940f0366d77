#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no reference number of six digits or more stands in two places.

A number that is copied is corrected in one place and forgotten in the other. Those of the papers and
benchmarks stand in papers/*/numbers.toml; tests read them there, pages link to docs/verification.md.

Two literals are the same number when one is the other, or the other rounded or cut to its digits;
sign, exponent and decimal point do not count. Searched are src, tests, bench, papers, scenarios
and docs. Not counted, because they are no reference numbers:

  - inputs: values of a scenario (not its comments, not [expect]) and copies of them where the same
    system is built by another road
  - what a page quotes as input or output of a command: indented and fenced blocks
  - pages that are written by berth_gallery: docs/gallery.md, docs/verification.md
  - coefficients of methods, by path; constants of nature and mathematics, limits of numbers and
    patterns of digits, by value: both are listed below

usage: check_digits.py ROOT | check_digits.py --self-test
"""

import re
import sys
import tempfile
from pathlib import Path

FOLDERS = ("src", "tests", "bench", "papers", "scenarios", "docs")
SUFFIXES = (".h", ".cpp", ".toml", ".md", ".py")
GENERATED = ("docs/gallery.md", "docs/verification.md")
LEAST = 6  # significant digits

# Files whose digits are coefficients.
COEFFICIENTS = {
    "src/berth/integrate/dop853.h": "tableau: rows that share coefficients",
}

# Digits that may stand anywhere, and why.
CONSTANTS = {
    "314159265358979323846264338327950288": "pi",
    "174532925199432957692369076848861271": "a degree in radians",
    "381966011250105151795413165634361882": "golden section",
    "3986004415": "gravity of the Earth [m^3/s^2], EGM96: default and tests of the default",
    "63781363": "radius of the Earth [m], EGM96: likewise",
    "126686534": "gravity of Jupiter: a value that is written and read back",
    "10826355254": "J2 of the Earth, EGM96",
    "108262668": "J2 of the Earth, WGS84",
    "22046226": "pounds in a kilogram: a change of units",
    "32808399": "feet in a metre: a change of units",
    "17976931348623157": "largest double",
    "9223372036854775808": "largest 64-bit integer, plus one",
    "2147483647": "largest 32-bit integer",
    "123456789012345678": "digits in order, for writers and readers of numbers",
    "10000000000000001": "a tenth with 17 digits, for writers of numbers",
    "6981317007977318": "four degrees in radians, the default of two limits",
}

LITERAL = re.compile(r"(?<![\w.])(\d[\d']*(?:\.[\d']*)?|\.\d[\d']*)(?:[eE][-+]?\d+)?(?![\w.])")


def find_digits(literal):
    """Significant digits: 0.0123400 has 1234."""
    return literal.replace("'", "").replace(".", "").lstrip("0").rstrip("0")


def is_same(a, b):
    if len(a) > len(b):
        a, b = b, a
    if b.startswith(a):
        return True
    rounded = str(int(b[:len(a)]) + (b[len(a):len(a) + 1] >= "5")).rstrip("0")
    return rounded == a


def is_pattern(digits):
    """999999, 1000001, 8333333: a number that is recognised at sight."""
    return re.fullmatch(r"\d{0,3}?(\d)\1{4,}\d?", digits) is not None


def find_lines(text, suffix):
    """(line number, text) of what counts."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if suffix == ".md":
            if line.lstrip().startswith("```"):
                fenced = not fenced
            if fenced or line.startswith("    "):
                continue
        yield number, line


def is_scenario(path):
    return path.endswith(".toml") and not path.endswith(("/figures.toml", "/numbers.toml"))


def split_scenario(text):
    """Inputs of a scenario; and lines of its comments and expectations."""
    inputs, others, table = [], [], ""
    for number, line in enumerate(text.splitlines(), 1):
        body, _, comment = line.partition("#")
        heading = re.match(r"\s*\[+([^\]]+)\]", body)
        if heading and "=" not in body:
            table = heading[1].strip()
        (others if table.split(".")[0] == "expect" else inputs).append((number, body))
        others.append((number, comment))
    return inputs, others


def find_problems(root):
    root = Path(root)
    inputs, places = set(), {}

    def add(path, lines):
        for number, line in lines:
            for match in LITERAL.finditer(line):
                digits = find_digits(match[1])
                if len(digits) >= LEAST:
                    places.setdefault(digits, []).append(f"{path}:{number}: {match[0]}")

    count = 0
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            path = file.relative_to(root).as_posix()
            if not file.is_file() or file.suffix not in SUFFIXES:
                continue
            if path in GENERATED or path in COEFFICIENTS:
                continue
            count += 1
            text = file.read_text(encoding="utf-8")
            if is_scenario(path):
                given, others = split_scenario(text)
                for _, line in given:
                    inputs.update(d for d in (find_digits(m[1]) for m in LITERAL.finditer(line))
                                  if len(d) >= LEAST)
                add(path, others)
            else:
                add(path, find_lines(text, file.suffix))

    def is_known(digits):
        return is_pattern(digits) or any(
            k[:LEAST - 1] == digits[:LEAST - 1] and is_same(k, digits)
            for k in (*CONSTANTS, *inputs))

    # Same numbers have the same first digits, but where rounding carries; those few are not seen.
    groups = {}
    for digits in places:
        if not is_known(digits):
            groups.setdefault(digits[:LEAST - 1], []).append(digits)
    problems = []
    for group in groups.values():
        group.sort(key=len, reverse=True)
        while group:
            longest = group.pop(0)
            same = [longest] + [d for d in group if is_same(d, longest)]
            group[:] = [d for d in group if d not in same]
            found = [place for d in same for place in places[d]]
            if len(found) > 1:
                problems.append("the same number in {} places:\n  {}".format(
                    len(found), "\n  ".join(sorted(found))))
    return count, sorted(problems)


def self_test():
    """Each case: files, how many numbers are repeated."""
    cases = [
        ({"src/a.h": "4.895823307", "tests/b.cpp": "4.895823307"}, 1),
        ({"src/a.h": "4.895823307", "tests/b.cpp": "-4.89582e-3"}, 1),
        ({"src/a.h": "4.8958", "tests/b.cpp": "4.8958"}, 0),
        ({"src/a.h": "4.895823307", "tests/b.cpp": "4.895833307"}, 0),
        ({"tests/a.cpp": "f(0.1929684, 0.1929684)"}, 1),
        ({"docs/a.md": "is 0.1929684 s", "papers/p/numbers.toml": "value = 0.192968410197"}, 1),
        ({"docs/a.md": "    $ berth run\n    0.1929684", "tests/b.cpp": "0.1929684"}, 0),
        ({"docs/a.md": "```\n0.1929684\n```", "tests/b.cpp": "0.1929684"}, 0),
        ({"docs/gallery.md": "0.1929684", "tests/b.cpp": "0.1929684"}, 0),
        ({"scenarios/a.toml": "x = 0.1929684", "tests/b.cpp": "0.1929684"}, 0),
        ({"scenarios/a.toml": "# 0.1929684", "tests/b.cpp": "0.1929684"}, 1),
        ({"scenarios/a.toml": "[expect]\nx = 0.1929684", "tests/b.cpp": "0.1929684"}, 1),
        ({"papers/p/a.toml": "x = 0.1929684", "papers/p/b.toml": "x = 0.1929684"}, 0),
        ({"src/a.h": "3.14159265358979", "tests/b.cpp": "3.141592653589793"}, 0),
        ({"src/a.h": "0.999999", "tests/b.cpp": "0.999999"}, 0),
        ({"src/a.h": "0.0833333333", "tests/b.cpp": "0.08333333"}, 0),
    ]
    wrong = 0
    for files, wanted in cases:
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                file = Path(root) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text + "\n", encoding="utf-8")
            _, problems = find_problems(root)
        if len(problems) != wanted:
            wrong += 1
            print(f"{files} should have {wanted} repetitions; {problems}")
    print(f"{len(cases)} cases, {wrong} judged wrongly")
    return wrong


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--self-test":
        sys.exit(1 if self_test() else 0)
    count, problems = find_problems(sys.argv[1])
    print("\n".join(problems) or f"{count} files, every reference number once")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
