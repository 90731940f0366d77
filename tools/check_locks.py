#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that all that npm and pip fetch is pinned by version and hash, and that no file says from where.

usage: check_locks.py ROOT | check_locks.py --self-test
"""

import json
import re
import sys
import tempfile
from pathlib import Path

NPM = ("viewer/package.json", "viewer/package-lock.json")
EXACT = re.compile(r"\d+\.\d+\.\d+[\w.+-]*")
# What asks for packages, and how: each call of pip that installs, each of npm.
CALLERS = ("tools", "cmake", "Makefile")


def name_of(text):
    """Names of Python packages differ in case and in what joins their words alone."""
    return re.sub(r"[-_.]+", "-", text).lower()


def check_npm(root):
    package, lock = (json.loads((root / file).read_text(encoding="utf-8")) for file in NPM)
    rows = lock["packages"]
    for key in ("dependencies", "devDependencies", "overrides"):
        for name, version in package.get(key, {}).items():
            if not EXACT.fullmatch(version):
                yield f"{NPM[0]}: {name} may be any of {version}"
            elif rows.get(f"node_modules/{name}", {}).get("version") != version:
                yield f"{NPM[1]}: {name} is not {version}: npm install"
    for path, row in rows.items():
        if not path:
            continue
        if not re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", row.get("integrity", "")):
            yield f"{NPM[1]}: {path} has no SHA-512"
        if "resolved" in row:
            yield f"{NPM[1]}: {path} says where it comes from: omit-lockfile-registry-resolved in viewer/.npmrc"


def read_lock(text):
    """Of each package of a lock: its name, version and hashes."""
    for entry in re.split(r"\n(?=\S)", text.replace("\\\n", " ").strip()):
        if entry.startswith("#"):
            continue
        found = re.match(r"([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)\s*(?:;[^-]*?(?=--|$))?", entry)
        yield (name_of(found.group(1)), found.group(2), re.findall(r"--hash=sha256:([0-9a-f]{64})\b", entry)) \
            if found else (entry, None, [])


def check_pip(root):
    lists = sorted((root / "python").glob("requirements-*.txt"))
    if not lists:
        yield "python: no requirements-*.txt"
    for file in lists:
        lock = file.with_suffix(".lock")
        if not lock.is_file():
            yield f"python/{lock.name}: is missing: tools/lock_python.sh"
            continue
        text = lock.read_text(encoding="utf-8")
        locked = {}
        for name, version, hashes in read_lock(text):
            if version is None:
                yield f"python/{lock.name}: {name} has no version"
            elif not hashes:
                yield f"python/{lock.name}: {name} has no hash"
            locked.setdefault(name, set()).add(version)
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("#") or not line.strip():
                continue
            name, _, version = line.partition("==")
            if not version:
                yield f"python/{file.name}: {line} names no version"
            elif version not in locked.get(name_of(re.sub(r"\[.*\]", "", name)), ()):
                yield f"python/{lock.name}: {line} is not in it: tools/lock_python.sh"
        if re.search(r"https?://|--(?:extra-)?index-url|--find-links", text):
            yield f"python/{lock.name}: says where packages come from"


def check_callers(root):
    """Whoever calls pip or npm asks for the lock."""
    for place in CALLERS:
        top = root / place
        for file in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if file.suffix not in (".sh", ".cmake", "") or not file.is_file():
                continue
            shown = file.relative_to(root).as_posix()
            for line in file.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
                if re.search(r"\bpip\S* install\b", line) and "--require-hashes" not in line:
                    if not re.search(r" uv==[\d.]+$", line):  # makes the locks, and nothing else
                        yield f"{shown}: installs without --require-hashes: {line.strip()}"
                if re.search(r'(?i:npm)\b\S* (?:install|i|update)\b|\bnpx\b', line):
                    yield f"{shown}: npm fetches beside its lock: {line.strip()}"


def find_problems(root):
    root = Path(root)
    return [*check_npm(root), *check_pip(root), *check_callers(root)]


def test_itself():
    sha = "sha512-" + "A" * 86 + "=="
    good = {
        NPM[0]: json.dumps({"dependencies": {"a": "1.2.3"}}),
        NPM[1]: json.dumps({"packages": {"": {}, "node_modules/a": {"version": "1.2.3", "integrity": sha}}}),
        "python/requirements-x.txt": "# why\nAb_c==1.0\n",
        "python/requirements-x.lock": f"ab-c==1.0 ; python_version < '4' \\\n    --hash=sha256:{'0' * 64}\n",
        "tools/x.sh": "python -m pip install -q \\\n  --require-hashes -r python/requirements-x.lock\n",
        "cmake/x.cmake": 'COMMAND "${BERTH_NPM}" ci --no-audit\n',
    }
    bad = (
        (NPM[0], json.dumps({"dependencies": {"a": "^1.2.3"}}), "may be any"),
        (NPM[0], json.dumps({"dependencies": {"a": "1.2.4"}}), "is not 1.2.4"),
        (NPM[1], good[NPM[1]].replace(sha, "sha1-AAAA"), "no SHA-512"),
        (NPM[1], good[NPM[1]].replace('"integrity"', '"resolved": "x", "integrity"'), "says where"),
        ("python/requirements-x.txt", "Ab_c==1.1\n", "is not in it"),
        ("python/requirements-x.txt", "Ab_c>=1.0\n", "names no version"),
        ("python/requirements-x.lock", "ab-c==1.0\n", "has no hash"),
        ("python/requirements-x.lock", "ab-c>=1.0 \\\n    --hash=sha256:0\n", "has no version"),
        ("python/requirements-x.lock", "--index-url https://a.b\n" + good["python/requirements-x.lock"],
         "says where"),
        ("tools/x.sh", "pip install numpy\n", "without --require-hashes"),
        ("cmake/x.cmake", 'COMMAND "${BERTH_NPM}" install\n', "beside its lock"),
    )
    for file, text, said in (("tools/x.sh", good["tools/x.sh"], None), *bad):
        with tempfile.TemporaryDirectory() as root:
            for name, content in {**good, file: text}.items():
                path = Path(root) / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(content)
            (Path(root) / "Makefile").write_text("all:\n")
            problems = find_problems(root)
        assert any(said in p for p in problems) if said else not problems, (file, text, said, problems)


def main():
    if sys.argv[1:] == ["--self-test"]:
        test_itself()
        print("finds what it should")
        return
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    problems = find_problems(sys.argv[1])
    print("\n".join(problems) or "all that is fetched is pinned by version and hash")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
