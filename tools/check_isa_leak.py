#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no code built for AVX2 can be taken for code that every processor runs.

A function that several object files define (an inline function, an instance of a template) is weak:
the linker keeps one copy for the whole program, whichever comes first. Should that copy come from
`instances/pack*.cpp`, a processor without AVX2 stops at it. So a weak function there must concern
Pack, for no other file defines that. Nor may such a file initialise anything at start-up, before
anyone could ask what the processor is. Weak data (tables, typeinfo) holds no instructions.

usage: check_isa_leak.py [--nm NM] FILE        FILE lists the object files, one per line
       check_isa_leak.py [--nm NM] --self-test [--cxx CXX]
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PACK_OBJECT = re.compile(r"/instances/pack[^/]*\.cpp\.o(bj)?$")
WEAK_FUNCTION = re.compile(r"^[0-9a-f]+ W (?!.*Pack)(.*)$")
AT_START_UP = re.compile(r"^[0-9a-f]+ t _GLOBAL__sub_I_")


def find_leaks(nm, object_file):
    listing = subprocess.run([nm, "-C", "--defined-only", object_file],
                             check=True, capture_output=True, text=True).stdout
    leaks = set()
    for line in listing.splitlines():
        if match := WEAK_FUNCTION.match(line):
            leaks.add(f"weak and not about Pack: {match[1]}")
        elif AT_START_UP.match(line):
            leaks.add("initialises something at start-up")
    return sorted(leaks)


def check(nm, list_file):
    objects = [o for o in Path(list_file).read_text(encoding="utf-8").split("\n")
               if PACK_OBJECT.search(o)]
    count = 0
    for object_file in objects:
        for leak in find_leaks(nm, object_file):
            count += 1
            print(f"{object_file}: {leak}")
    print(f"{len(objects)} object files built for packs, {count} leaks")
    if count:
        print("Force them inline (BERTH_INLINE), give them internal linkage, or define them in a "
              "file that is not built for packs.")
    return count


def self_test(nm, cxx):
    """A pack file with two leaks among things that are none."""
    source = """
        struct Pack { double v[4]; };
        template <class T> T twice(const T& x) { return x; }
        template Pack twice<Pack>(const Pack&);
        inline const double table[] = {1.0, 2.0};
        inline double leak(double x) { return x + table[x > 0]; }
        [[gnu::always_inline]] inline double inlined(double x) { return x * x; }
        static double hidden(double x) { return x - 1.0; }
        double use(double x) { return leak(inlined(hidden(x))); }
        double early = use(1.0);
    """
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / "instances"
        folder.mkdir()
        (folder / "pack.cpp").write_text(source, encoding="utf-8")
        subprocess.run([cxx, "-std=c++20", "-O0", "-c", "pack.cpp", "-o", "pack.cpp.o"],
                       check=True, cwd=folder)
        leaks = find_leaks(nm, folder / "pack.cpp.o")
    print("\n".join(leaks))
    return leaks != ["initialises something at start-up",
                     "weak and not about Pack: leak(double)"]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list_file", nargs="?")
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        sys.exit(1 if self_test(options.nm, options.cxx) else 0)
    if not options.list_file:
        parser.error("which object files?")
    sys.exit(1 if check(options.nm, options.list_file) else 0)


if __name__ == "__main__":
    main()
