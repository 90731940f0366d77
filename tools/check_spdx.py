#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every source file names its licence in one of its first three lines.

usage: check_spdx.py ROOT
"""

import os
import sys
from pathlib import Path

LINE = "SPDX-License-Identifier: Apache-2.0"
SUFFIXES = (".h", ".cpp", ".py", ".ts", ".sh", ".cmake", ".h.in", ".cmake.in")
NAMES = ("CMakeLists.txt", "Makefile")


def is_other_peoples(folder):
    """Folders that hold no source of ours: build trees, packages, git."""
    return (folder in ("build", "node_modules", "__pycache__", "dist", ".git", ".cache")
            or folder.startswith("build-"))


def find_sources(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not is_other_peoples(f))
        for name in sorted(names):
            if name.endswith(SUFFIXES) or name in NAMES:
                yield Path(folder) / name


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = Path(sys.argv[1])
    count = 0
    missing = []
    for file in find_sources(root):
        count += 1
        first_lines = file.read_text(encoding="utf-8").splitlines()[:3]
        if not any(LINE in line for line in first_lines):
            missing.append(f"{file.relative_to(root)}:1: no line \"{LINE}\" among the first three")
    print("\n".join(missing) or f"{count} files carry the licence line")
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
