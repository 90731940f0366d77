#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no file is too long to be read in one go: 450 lines of source, 600 of tests.

usage: check_sizes.py ROOT | check_sizes.py --self-test
"""

import os
import sys
import tempfile
from pathlib import Path

SUFFIXES = (".h", ".cpp", ".py", ".ts", ".cmake")
MOST = {"src": 450, "bench": 450, "tools": 450, "cmake": 450, "viewer/src": 450,
        "tests": 600, "viewer/tests": 600}


def find_problems(root):
    root = Path(root)
    problems, count = [], 0
    for folder, most in MOST.items():
        for where, _, names in sorted(os.walk(root / folder)):
            for name in sorted(n for n in names if n.endswith(SUFFIXES)):
                path = Path(where) / name
                shown = path.relative_to(root).as_posix()
                lines = path.read_text(encoding="utf-8").count("\n")
                count += 1
                if lines > most:
                    problems.append(f"{shown}:{most + 1}: {lines} lines, {most} at the most")
    return problems, count


def test_itself():
    with tempfile.TemporaryDirectory() as root:
        for name, lines in (("src/berth/a.h", 450), ("src/berth/b.cpp", 451),
                            ("tests/c_test.cpp", 600), ("tests/d_test.cpp", 601)):
            path = Path(root) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n" * lines)
        problems, _ = find_problems(root)
        found = [p.split(":")[0] for p in problems]
        assert found == ["src/berth/b.cpp", "tests/d_test.cpp"], problems
    print("finds files that are too long")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--self-test":
        return test_itself()
    problems, count = find_problems(sys.argv[1])
    print("\n".join(problems) or f"{count} files are short enough")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
