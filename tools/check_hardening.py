#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what a program or shared library was built with against damage by files of others: loaded anywhere (PIE),
all calls found at the start and read-only afterwards (full RELRO), nothing executable that can be written, stacks
and copies that are checked.

usage: check_hardening.py FILE… | check_hardening.py --self-test
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path


def read(option, file):
    return subprocess.run(["readelf", "-W", option, str(file)], capture_output=True, text=True, check=True).stdout


def find_problems(file):
    problems = []
    header, dynamic, segments, symbols = (read(o, file) for o in ("-h", "-d", "-l", "--dyn-syms"))
    if not re.search(r"Type:\s+DYN", header):
        problems.append("is loaded at a fixed address: no PIE")
    if "INTERP" in segments and not re.search(r"FLAGS_1\).*\bPIE\b", dynamic):
        problems.append("is a program, and not marked as PIE")
    if "GNU_RELRO" not in segments:
        problems.append("what the loader fills in stays writable: no RELRO")
    if not re.search(r"FLAGS\).*\bBIND_NOW\b|FLAGS_1\).*\bNOW\b", dynamic):
        problems.append("calls are found when they are made: no full RELRO")
    # Five numbers, what may be done there, and an alignment.
    flags = re.findall(r"^\s+(\w+)\s+(?:0x[0-9a-f]+\s+){5}([RWE ]+?)\s+0x", segments, re.MULTILINE)
    if not any(kind == "GNU_STACK" and "E" not in may for kind, may in flags):
        problems.append("its stack is executable")
    if any(kind == "LOAD" and "W" in may and "E" in may for kind, may in flags):
        problems.append("has memory that can be written and executed")
    if "__stack_chk_fail" not in symbols:
        problems.append("no stack is checked: -fstack-protector-strong")
    if not re.search(r"\b__(?:mem|str|v?s?n?v?f?printf|read|recv|poll|fdelt|fgets|longjmp|realpath)\w*_chk\b", symbols):
        problems.append("no copy is checked: -D_FORTIFY_SOURCE=2")
    if re.search(r"\((?:RPATH|RUNPATH)\)", dynamic):
        problems.append("searches for libraries in a folder of this build")
    return problems


SOURCE = """
#include <cstdio>
#include <cstring>
int main(int n, char** words) {
  char text[16];
  std::strcpy(text, words[n - 1]);
  return std::puts(text);
}
"""
HARDENED = ("-O2", "-fPIE", "-fstack-protector-strong", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2",
            "-pie", "-Wl,-z,relro,-z,now,-z,noexecstack")


def test_itself():
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder) / "a.cpp", Path(folder) / "a"
        source.write_text(SOURCE)

        def build(*options):
            subprocess.run(["g++", *HARDENED, *options, "-o", program, source], check=True, capture_output=True)
            return find_problems(program)

        assert build() == [], build()
        for options, said in ((("-fno-PIE", "-no-pie"), "no PIE"), (("-Wl,-z,norelro",), "no RELRO"),
                              (("-Wl,-z,lazy",), "no full RELRO"), (("-Wl,-z,execstack",), "stack is executable"),
                              (("-fno-stack-protector",), "no stack is checked"),
                              (("-U_FORTIFY_SOURCE",), "no copy is checked"),
                              ((f"-Wl,-rpath,{folder}",), "searches for libraries")):
            problems = build(*options)
            assert len(problems) >= 1 and any(said in p for p in problems), (options, problems)


def main():
    if sys.argv[1:] == ["--self-test"]:
        test_itself()
        print("finds what it should")
        return
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    problems = [f"{file}: {problem}" for file in sys.argv[1:] for problem in find_problems(file)]
    print("\n".join(problems) or f"{len(sys.argv) - 1} files are hardened")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
