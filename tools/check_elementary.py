#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses functions of the C library that round differently from one processor to the next.

A result has the same bits everywhere if every function that decides one of them is our own
(scalar/elementary.h) or is rounded as IEEE 754 says (sqrt, fabs, floor, ldexp …). Refused are

  std::exp(x), ::exp(x)   and all others of the list below
  tan(x), asin(x) …       unqualified, where berth has no function of that name
  exp(x), pow(x, y) …     unqualified in a file that does not include scalar/elementary.h, on whatever way:
                          it would be the library's

Folders that only draw pictures are free to use them: report, app.

usage: check_elementary.py ROOT | check_elementary.py --self-test
"""

import re
import sys
import tempfile
from pathlib import Path

FREE = ("report", "app")
SUFFIXES = {".h", ".cpp", ".inc"}
OURS = "sin cos exp expm1 tanh log log1p log10 pow cbrt hypot atan2 arg polar".split()
OTHERS = """tan asin acos atan sinh cosh asinh acosh atanh exp2 exp10 log2 sincos erf erfc tgamma
            lgamma""".split()
HEADERS = ("berth/scalar/elementary.h", "berth/math/complex.h")  # arg and polar need the second one

ANY = "|".join(OURS + OTHERS)
QUALIFIED = re.compile(rf"(?:\bstd\s*|(?<![\w>]))::\s*({ANY})[fl]?\s*\(")
UNQUALIFIED = re.compile(rf"(?<![\w.:>~])({ANY})\s*\((?!\s*\))")
INCLUDE = re.compile(r'^#include "(berth/[^"]+)"', re.MULTILINE)
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def blank(match):
    """As many lines of nothing."""
    return re.sub(r"[^\n]", " ", match[0])


class Tree:
    def __init__(self, root):
        self.source = Path(root) / "src"
        self.files = sorted(f for f in (self.source / "berth").rglob("*") if f.suffix in SUFFIXES)
        self.texts = {f.relative_to(self.source).as_posix(): f.read_text(encoding="utf-8")
                      for f in self.files}
        self.reached = {}

    def reaches(self, name):
        """All headers of berth that a file includes, on whatever way."""
        if name not in self.reached:
            self.reached[name] = found = set()
            for other in INCLUDE.findall(self.texts.get(name, "")):
                found.add(other)
                found |= self.reaches(other)
        return self.reached[name]


def find_problems(root):
    tree = Tree(root)
    problems, count = [], 0
    for name, text in tree.texts.items():
        if name.split("/")[1] in FREE or name == "berth/scalar/elementary.inc":
            continue
        count += 1
        text = NOISE.sub(blank, text)

        def refuse(match, why):
            line = text.count("\n", 0, match.start()) + 1
            problems.append(f"src/{name}:{line}: {match[0].strip()}…) {why}")

        for match in QUALIFIED.finditer(text):
            refuse(match, "is rounded by the library: scalar/elementary.h has those of berth")
        reached = tree.reaches(name) | {name}
        for match in UNQUALIFIED.finditer(text):
            if match[1] in OTHERS:
                refuse(match, "is rounded by the library, and berth has none: elementary.inc is the place")
            elif HEADERS[match[1] in ("arg", "polar")] not in reached:
                refuse(match, "is the library's where scalar/elementary.h is not included")
    return problems, count


def self_test():
    """Each case: text, is it refused?"""
    with_header = '#include "berth/scalar/elementary.h"\n'
    cases = [
        ("x = std::exp(y);", True),
        (with_header + "x = std::pow (y, 2);", True),
        ("x = ::sin(y);", True),
        ("x = std::cosf(y);", True),
        ("x = exp(y);", True),
        (with_header + "x = exp(y);", False),
        ('#include "berth/run/b.h"\nx = exp(y);', False),
        (with_header + "x = tan(y);", True),
        (with_header + "x = berth::log(y);", False),
        (with_header + "x = polar(1, y);", True),
        ("E = M.exp();", False),
        ("E = p->exp(2);", False),
        ("x = std::sqrt(y) + std::floor(z) + std::ldexp(a, 2) + std::log2_floor(b);", False),
        ("// std::exp(y)", False),
        ('say("log(a,b,n)");', False),
        ("auto f = explain(x) + catalog(y);", False),
    ]
    wrong = 0
    for text, wanted in cases:
        for folder, refused in (("run", wanted), ("report", False)):
            with tempfile.TemporaryDirectory() as root:
                for name, content in ((f"{folder}/a.h", text), ("run/b.h", with_header)):
                    file = Path(root) / "src" / "berth" / name
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(content + "\n", encoding="utf-8")
                problems, _ = find_problems(root)
            if refused != bool(problems):
                wrong += 1
                print(f"{text!r} in {folder} should {'' if refused else 'not '}be refused")
    print(f"{len(cases)} cases, {wrong} judged wrongly")
    return wrong


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--self-test":
        sys.exit(1 if self_test() else 0)
    problems, count = find_problems(sys.argv[1])
    print("\n".join(problems) or f"{count} files use elementary functions of berth alone")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
