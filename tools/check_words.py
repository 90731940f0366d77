#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that code, messages, tests and pages use the terms of the field; RULES says which instead.

usage: check_words.py ROOT | check_words.py --self-test

A word is found in identifiers too: `told` in told_places and in IsToldWithItsLine. Terms in *italics* on the
pages a newcomer reads first must have a line in the glossary.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

# Which files are read, by kind: folders or files, and how their names end.
KINDS = {
    "code": (("src", "bench", "examples", "papers", "cmake"), (".h", ".cpp", ".cmake", ".in")),
    "tests": (("tests",), (".h", ".cpp", ".py", ".m", ".toml")),
    "tools": (("tools",), (".py", ".sh")),
    "pages": (("docs", "papers", "examples", "README.md", "CHANGELOG.md"), (".md",)),
    "scenarios": (("scenarios", "papers"), (".toml",)),
    "viewer": (("viewer/src", "viewer/tests", "viewer/index.html", "viewer/sweep.html"), (".ts", ".html", ".css")),
}
EVERYWHERE = tuple(KINDS)
SOURCE = ("code", "tests")
NOT_VIEWER = tuple(kind for kind in KINDS if kind != "viewer")


def word(*forms):
    """These words alone or as parts of identifiers, whatever the case of their first letter."""
    small = "|".join(forms)
    capital = "|".join(form[0].upper() + form[1:] for form in forms)
    return re.compile(rf"(?<![A-Za-z])(?:{small})(?![a-z])|(?:{capital})(?![a-z])")


def phrase(text):
    """As it stands, in small letters or capitals; a space is any white space."""
    return re.compile(rf"\b{text}\b".replace(" ", r"\s+"), re.IGNORECASE)


def name(text):
    """An identifier, letter by letter."""
    return re.compile(rf"\b(?:{text})\b")


# What is not written, what is written instead, in which kinds of files.
RULES = (
    # Words with another meaning, or none, in mechanics and numerics.
    (word("story", "stories"), "scenario, built", EVERYWHERE),
    (word("tell", "tells", "telling", "told"), "report, record, emit, distinguish", EVERYWHERE),
    (word("blow(?!_up)", "blows", "blown"), "impact, impulse", EVERYWHERE),  # a solution blows up
    (word("look", "looks", "looked", "looking"), "evaluate, sample, locate, search, check, shape",
     NOT_VIEWER),  # a camera does look
    (word("happening", "happenings"), "event, EventRecord", EVERYWHERE),
    (word("agenda"), "event queue", EVERYWHERE),
    (word("book", "books", "booked", "booking"), "ledger, run log, counted as", EVERYWHERE),
    # Phrases.
    (phrase("(?:energy|momentum|momenta|audits?) (?:is|are) kept"), "conserved", EVERYWHERE),
    (phrase("kept to"), "conserved to, held to", EVERYWHERE),
    (phrase("put to (?:its|the) wall"), "set on its wall", EVERYWHERE),
    (phrase("by itself"), "alone, separately, freely", EVERYWHERE),
    (phrase("what is seen(?: when)?"), "what happens, what is reported", EVERYWHERE),
    (phrase("before (?:and|or) behind"), "before and after", EVERYWHERE),
    (phrase("behind (?:an?|the|every) (?:event|impact|latch|hit)"), "after", EVERYWHERE),
    (phrase("turn rows?"), "torque row", EVERYWHERE),
    (phrase("from word to deed"), "from command to thrust", EVERYWHERE),
    (phrase("(?:has|have|the) last word"), "the last verdict, the limit", EVERYWHERE),
    (phrase("the words? of (?:the|this|a) (?:file|scenario)"), "the keys, the keywords", EVERYWHERE),
    # Names of functions and types that were.
    (name(r"Words?|HasWords|(?:list|last|find|refuse)_words?|words?_of"),
     "Keyword, keywords_of, Strings", SOURCE),
    (name("turn_world"), "rotate_world", SOURCE),
    (name("turn_(?:touch|stick)|turned_(?:contacts|impacts|rests)"), "switch_…, switched_…", SOURCE),
    (name("solve_in_turn"), "solve_sequentially", SOURCE),
    (name("Driver"), "HybridRun", ("code", "pages")),
)

# Where one of them is right: file, text of the line, why.
EXCEPTIONS = (
    ("src/berth/scenario/read/table_reader.cpp", '{"tell", "report"}', "the former name of an input"),
    ("CHANGELOG.md", "`tell` is called `report`", "the former name of an input"),
    ("CHANGELOG.md", "`Happening` is `EventRecord`", "former names"),
    ("CHANGELOG.md", "`add_looks`", "a function that was removed"),
    ("CHANGELOG.md", "`Driver` is `HybridRun`", "the former name of a class"),
    ("tools/check_words.py", "", "the table itself"),
)
# Below this line of the changelog stands what was released, as it was written then.
HISTORY = re.compile(r"^## \[\d")

# Pages whose terms in italics the glossary explains.
FIRST_PAGES = ("README.md", "docs/tutorial.md")
GLOSSARY = "docs/glossary.md"


def find_files(root, kind):
    places, endings = KINDS[kind]
    for place in places:
        top = root / place
        if top.is_file():
            yield top
        for where, folders, names in os.walk(top):
            folders[:] = sorted(f for f in folders if f not in ("node_modules", "dist"))
            for file in sorted(names):
                if file.endswith(endings):
                    yield Path(where) / file


def find_unexplained(root):
    """Terms in italics without a line in the glossary. Endings aside: latches is explained as latch."""
    rows = re.findall(r"^\| ([^|]+) \|", (root / GLOSSARY).read_text(encoding="utf-8"), re.MULTILINE)
    known = [term.strip().lower().replace("-", " ") for row in rows for term in row.split(",")]
    for page in FIRST_PAGES:
        text = (root / page).read_text(encoding="utf-8")
        for found in re.finditer(r"(?<![*\w])\*([A-Za-z][\w\s-]*)\*(?![*\w])", text):
            term = re.sub(r"[\s-]+", " ", found.group(1).lower())
            stem = re.sub(r"(?:es|ed|s)$", "", term)
            if term != "italics" and not any(k.startswith(stem) for k in known):
                number = text.count("\n", 0, found.start()) + 1
                yield f"{page}:{number}: {term} is not in {GLOSSARY}"


def find_problems(root, exceptions=EXCEPTIONS):
    root = Path(root)
    problems, count, used = [], 0, set()
    if (root / GLOSSARY).is_file():
        problems += find_unexplained(root)
    for kind in KINDS:
        rules = [(pattern, say) for pattern, say, kinds in RULES if kind in kinds]
        for path in find_files(root, kind):
            count += 1
            shown = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if shown == "CHANGELOG.md" and HISTORY.match(line):
                    break
                for pattern, say in rules:
                    found = pattern.search(line)
                    if not found:
                        continue
                    excused = [e for e in exceptions if e[0] == shown and e[1] in line]
                    used.update(excused)
                    if not excused:
                        problems.append(f"{shown}:{number}: {found.group()} → say {say}")
    for file, text, why in exceptions:
        if (file, text, why) not in used:
            problems.append(f"{file}:1: no longer says {text!r} ({why}): take it off EXCEPTIONS")
    return problems, count


def test_itself():
    cases = (
        ("src/berth/a.h", "std::vector<int> told_places;", True),
        ("src/berth/b.cpp", "void HybridRun::tell() {", True),
        ("src/berth/c.h", "// history, outlook, bookkeeping of ledgers, untold", False),
        ("src/berth/d.h", "constexpr auto words_of(Axes) {", True),
        ("src/berth/e.h", "// four words of 32 bits; the craft turns about x", False),
        ("tests/f_test.cpp", "TEST(Sweep, IsToldWithItsLine) {", True),
        ("tests/g_test.cpp", "TEST(Sweep, IsReportedWithItsLine) {", False),
        ("docs/h.md", "Rows stand before and behind it.", True),
        ("docs/i.md", "The probe is behind the mouth of the cone.", False),
        ("scenarios/j.toml", "# The story of a docking", True),
        ("viewer/src/k.ts", "this.look = 'orbit';", False),
        ("CHANGELOG.md", "# Changes\n## [Unreleased]\n- impacts\n## [0.1.0]\n- blows", False),
        ("src/berth/l.cpp", '{"tell", "report"},', False),
        ("docs/glossary.md", "| term | means |\n| latch, release | joins |", False),
        ("README.md", "It *latches* **now**; terms in *italics*.", False),
        ("docs/tutorial.md", "A *probe* that *latches*.", True),
    )
    exceptions = (("src/berth/l.cpp", '{"tell"', "former"), ("src/berth/a.h", "gone", "former"))
    with tempfile.TemporaryDirectory() as root:
        for file, text, _ in cases:
            path = Path(root) / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8")
        problems, _ = find_problems(root, exceptions)
        found = [p.split(":")[0] for p in problems]
        wanted = [file for file, _, is_wrong in cases if is_wrong] + ["src/berth/a.h"]
        assert sorted(found) == sorted(wanted), problems
    print("finds words that are not those of the field")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--self-test":
        return test_itself()
    problems, count = find_problems(sys.argv[1])
    print("\n".join(problems) or f"{count} files use the terms of the field")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
