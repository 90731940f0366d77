#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what adding a part costs: tests/adding holds a toy part of every kind as a patch, and each must
apply and touch four files, the part, its list, its test and its page.

    check_adding.py ROOT              that they apply, alone and one after the other; counts files
    check_adding.py ROOT --build DIR  applies all to a copy of the tree in DIR, builds it, and runs
                                      their tests and the conformance suite
    check_adding.py --self-test
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

KINDS = ("action", "compensation", "component", "constraint", "controller", "force", "friction",
         "integrator", "law", "probe", "sensor", "surface")
FILES = 4
ALWAYS = ("*Conformance*", "Pages.*", "Describe.*", "*EveryMethod*")  # besides the toys' own tests


def read_files(patch):
    """[(path, is_new)] of what a patch touches."""
    files = []
    old = None
    for line in patch.read_text(encoding="utf-8").splitlines():
        if line.startswith("--- "):
            old = line[4:].split("\t")[0]
        elif line.startswith("+++ ") and old is not None:
            files.append((line[4:].split("\t")[0].removeprefix("b/"), old == "/dev/null"))
            old = None
    return files


def apply_patch(patch, root):
    """What went wrong, or nothing."""
    done = subprocess.run(["patch", "-p1", "--silent", "--force", "--fuzz=0", "--reject-file=-",
                           "--no-backup-if-mismatch", "-d", str(root), "-i", str(patch)],
                          capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip()


def lay_out(root, patches, to):
    """The files of the tree that the patches change, and no others."""
    for patch in patches:
        for path, is_new in read_files(patch):
            if (root / path).exists():
                (to / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(root / path, to / path)


def check_files(kind, files):
    problems = []
    if len(files) != FILES:
        problems.append(f"{kind}: {len(files)} files, not {FILES}")
    for what, fits in (("part", lambda p, new: new and p.startswith("src/")),
                       ("line of a list", lambda p, new: not new and p.startswith("src/")),
                       ("test", lambda p, new: new and p.startswith("tests/")),
                       ("page", lambda p, new: new and p.startswith("docs/"))):
        count = sum(1 for p, new in files if fits(p, new))
        if count != 1:
            problems.append(f"{kind}: {count} files that are its {what}")
    return problems


def find_problems(root, kinds=KINDS):
    root = Path(root).resolve()
    patches = sorted((root / "tests" / "adding").glob("*.patch"))
    problems = [f"no tests/adding/{k}.patch" for k in kinds if k not in {p.stem for p in patches}]
    rows = []
    for patch in patches:
        files = read_files(patch)
        if patch.stem not in kinds:
            problems.append(f"{patch.stem} is no kind of part there is")
        problems += check_files(patch.stem, files)
        rows.append((patch.stem, len(files), next((p for p, new in files if not new), "")))
        with tempfile.TemporaryDirectory() as alone:
            lay_out(root, [patch], Path(alone))
            wrong = apply_patch(patch, alone)
            if wrong:
                problems.append(f"{patch.stem} does not apply: {wrong}")
    with tempfile.TemporaryDirectory() as together:
        lay_out(root, patches, Path(together))
        for patch in patches:
            wrong = apply_patch(patch, together)
            if wrong:
                problems.append(f"{patch.stem} does not apply behind the others: {wrong}")
    return rows, problems


def is_left_out(folder, names):
    return {n for n in names
            if n in (".git", "build", "node_modules", "__pycache__", ".cache")
            or (n.startswith("build-") and (Path(folder) / n).is_dir())}


def build(root, to):
    root, copy = Path(root).resolve(), Path(to).resolve() / "tree"
    patches = sorted((root / "tests" / "adding").glob("*.patch"))
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(root, copy, ignore=is_left_out)
    suites = set()
    for patch in patches:
        wrong = apply_patch(patch, copy)
        if wrong:
            sys.exit(f"{patch.stem} does not apply: {wrong}")
        suites.update(re.findall(r"^\+TEST\((\w+),", patch.read_text(encoding="utf-8"), re.M))
    subprocess.run(["cmake", "--preset", "release", "-DBERTH_TESTS=ON",
                    f"-DBERTH_TEMPLATE={copy}/cmake/plain_template.html"], cwd=copy, check=True)
    subprocess.run(["cmake", "--build", "build", "-j", str(os.cpu_count()),
                    "--target", "berth_tests"], cwd=copy, check=True)
    wanted = [f"{s}.*" for s in sorted(suites)] + list(ALWAYS)
    print(f"{len(patches)} toy parts, suites {' '.join(wanted)}", flush=True)
    done = subprocess.run(["build/berth_tests", "--gtest_filter=" + ":".join(wanted),
                           "--gtest_brief=1"], cwd=copy, check=False)
    sys.exit(done.returncode)


def test_itself():
    part = {"src/a.h": "#pragma once\n", "tests/a_test.cpp": "\n", "docs/a.md": "# a\n"}

    def new_file(path, text):
        lines = "".join(f"+{line}\n" for line in text.splitlines())
        return f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{text.count(chr(10))} @@\n{lines}"

    def judge(patch):
        with tempfile.TemporaryDirectory() as root:
            (Path(root) / "src").mkdir()
            (Path(root) / "src/list.h").write_text("one\ntwo\nthree\n")
            (Path(root) / "tests/adding").mkdir(parents=True)
            (Path(root) / "tests/adding/toy.patch").write_text(patch)
            return find_problems(root, ("toy",))[1]

    entry = "--- a/src/list.h\n+++ b/src/list.h\n@@ -1,2 +1,3 @@\n one\n+toy\n two\n"
    all_new = "".join(new_file(p, t) for p, t in part.items())
    assert judge(all_new + entry) == [], judge(all_new + entry)
    cases = {
        "a fifth file": all_new + entry + new_file("src/b.h", "b\n"),
        "no page": new_file("src/a.h", "a\n") + new_file("tests/a_test.cpp", "\n") + entry,
        "a list that is another by now": all_new + entry.replace(" two", " four"),
    }
    for what, patch in cases.items():
        assert judge(patch), f"{what} is not found"
    with tempfile.TemporaryDirectory() as empty:
        assert find_problems(empty)[1], "a missing kind is not found"
    print("finds patches that cost more or do not apply")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return test_itself()
    if len(sys.argv) == 4 and sys.argv[2] == "--build":
        return build(sys.argv[1], sys.argv[3])
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rows, problems = find_problems(sys.argv[1])
    print("kind          files  list")
    for kind, count, where in rows:
        print(f"{kind:<14}{count:>5}  {where}")
    print("\n".join(problems) or f"files touched per kind of part = {FILES}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
