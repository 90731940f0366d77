#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does what a page says and compares what it shows.

    <!-- file: NAME -->      the block after it is written to NAME
    <!-- append: NAME -->    the block after it is added to NAME
    ```console               lines with "$ berth …" are run, the lines below are what they print;
                             … inside a line stands for any text, a line of … alone for any lines
    <!-- picture: NAME -->   the picture after it is the file NAME that the commands have made

usage: run_page.py PAGE PROGRAM [--update]     --update writes pictures that differ instead
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile


def matches(wanted: list[str], got: list[str]) -> bool:
    """Whether the printed lines are those shown."""
    if not wanted:
        return not got
    if wanted[0] == "…":
        return any(matches(wanted[1:], got[i:]) for i in range(len(got) + 1))
    if not got:
        return False
    pattern = ".*".join(re.escape(part) for part in wanted[0].split("…"))
    return re.fullmatch(pattern, got[0]) is not None and matches(wanted[1:], got[1:])


def run_block(block: list[str], program: str, folder: pathlib.Path) -> list[str]:
    """Runs the commands of a console block; what was not as shown."""
    problems: list[str] = []
    commands: list[tuple[str, list[str]]] = []
    for line in block:
        if line.startswith("$ "):
            commands.append((line[2:], []))
        else:
            commands[-1][1].append(line)
    for command, wanted in commands:
        words = shlex.split(command)
        if words[0] != "berth":
            problems.append(f"{command}: only berth is run")
            continue
        done = subprocess.run([program, *words[1:]], cwd=folder, text=True, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        got = done.stdout.splitlines()
        if not matches(wanted, got):
            problems.append("\n  ".join([f"$ {command}", "prints", *got, "the page shows", *wanted]))
    return problems


def run_page(page: pathlib.Path, program: str, update: bool) -> list[str]:
    problems: list[str] = []
    lines = page.read_text().splitlines()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        todo: tuple[str, str] | None = None
        commands = 0
        i = 0
        while i < len(lines):
            if comment := re.fullmatch(r"<!-- (file|append|picture): (\S+) -->", lines[i]):
                todo = (comment[1], comment[2])
            elif todo and todo[0] == "picture" and lines[i].startswith("!["):
                shown = page.parent / re.fullmatch(r"!\[.*\]\((.*)\)", lines[i])[1]
                made = folder / todo[1]
                if not made.exists():
                    problems.append(f"{todo[1]}: no command has made it")
                elif not shown.exists() or shown.read_bytes() != made.read_bytes():
                    if update:
                        shown.parent.mkdir(parents=True, exist_ok=True)
                        shutil.copy(made, shown)
                    else:
                        problems.append(f"{shown}: not the picture the commands make; --update writes it")
                todo = None
            elif lines[i].startswith("```") and len(lines[i]) > 3:
                end = lines.index("```", i + 1)
                block = lines[i + 1:end]
                if lines[i] == "```console":
                    problems += run_block(block, program, folder)
                    commands += sum(line.startswith("$ ") for line in block)
                elif todo:
                    with open(folder / todo[1], "w" if todo[0] == "file" else "a") as out:
                        out.write("\n".join(([""] if todo[0] == "append" else []) + block) + "\n")
                    todo = None
                i = end
            i += 1
    if commands == 0:
        problems.append("no command on the page")
    return problems


def main() -> int:
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    if len(arguments) != 2:
        print(__doc__)
        return 2
    problems = run_page(pathlib.Path(arguments[0]), str(pathlib.Path(arguments[1]).resolve()),
                        "--update" in sys.argv)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
