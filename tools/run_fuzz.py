#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the targets of `make fuzz` and prints a table: processor time, executions, edges of the code reached, finds.

usage: run_fuzz.py BUILD [--seconds N] [--jobs N] [--timeout N] [--only TARGET …]

As many run at a time as there are processors, or `--jobs`; each for N seconds by the clock. An input that takes
longer than 10 s is a find; where other work shares the processors, `--timeout` allows more.

Inputs begin with tests/fuzz/corpus; what reaches more is kept in BUILD/corpus, and the next run goes on with it.
An input that is a find is kept in BUILD/finds/TARGET. Ends with 1 when there is any.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Longest input in bytes. A scenario may have 4 MB: what is wrong with a reader shows in less.
LONGEST = {"scenario": 4096, "setting": 512, "condition": 512, "study": 256, "journal": 4096, "manifest": 4096,
           "result": 32768, "model": 4096, "datagram": 1400, "facility": 8192,
           "saved_run": 128}
LIMITS = ["-rss_limit_mb=1024"]
# The HDF5 library has faults of its own, which berth confines: its process ends, and the file is refused. Where it
# fails this target goes on, and what it failed with is sorted afterwards.
LIBRARY = {"result": "libhdf5"}


def read_progress(log):
    """Executions and edges, of the last line that has them."""
    executions = edges = 0
    for line in log.splitlines():
        if found := re.match(r"#(\d+)[:\s].*cov: (\d+)", line):
            executions, edges = int(found[1]), int(found[2])
        if found := re.match(r"stat::number_of_executed_units:\s*(\d+)", line):
            executions = max(executions, int(found[1]))
    return executions, edges


def find_failing_module(report):
    """File of the first frame of a report that is neither of the sanitizers nor of the C library."""
    for line in report.splitlines():
        if re.match(r"\s*#\d+ 0x", line) and not re.search(
                r"asan|ubsan|sanitizer|fuzzer::|/lib(c|m|stdc\+\+)\.so| in (__interceptor_\w+|mem\w+|free|malloc|calloc|"
                r"realloc|abort|raise)\b",
                line):
            return line
    return ""


def is_of_library(program, limits, artifact, library, environment):
    """Whether it is the library alone that fails with this input: on top of the stack, or too slow, or too large."""
    again = subprocess.run([program, *limits, str(artifact)], capture_output=True, text=True, errors="replace",
                           env=environment, check=False)
    return again.returncode != 0 and library in find_failing_module(again.stderr)


def run_to_log(command, environment, log):
    """Exit code, and seconds of processor of the process and those it started."""
    with log.open("wb") as out, subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                                                  stdout=subprocess.DEVNULL, stderr=out, env=environment) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def run_target(build, name, seconds, timeout):
    program = build / "fuzz" / name
    limits = [*LIMITS, f"-timeout={timeout}", f"-report_slow_units={timeout}"]
    grown, finds = build / "corpus" / name, build / "finds" / name
    for folder in (grown, finds):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(finds.iterdir())
    command = [program, *limits, f"-max_total_time={seconds}", f"-max_len={LONGEST[name]}", "-print_final_stats=1",
               f"-artifact_prefix={finds}/"]
    dictionaries = [ROOT / "tests" / "fuzz" / f"{name}.dict"]
    if name in ("scenario", "setting"):
        dictionaries.append(build / "fuzz" / "keys.dict")
    words = "".join(d.read_text(encoding="utf-8") for d in dictionaries if d.exists())
    if words:
        together = build / "fuzz" / f"{name}.dict"
        together.write_text(words, encoding="utf-8")
        command.append(f"-dict={together}")
    # Which function failed says whose it is.
    environment = dict(os.environ, ASAN_SYMBOLIZER_PATH=shutil.which("llvm-symbolizer") or "")
    if name in LIBRARY:
        command += ["-fork=1", "-ignore_crashes=1", "-ignore_ooms=1", "-ignore_timeouts=1", "-malloc_limit_mb=2048"]
        environment["ASAN_OPTIONS"] = "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=640"
    command += [grown, ROOT / "tests" / "fuzz" / "corpus" / name]
    log = build / "fuzz" / f"{name}.log"
    code, processor = run_to_log(command, environment, log)
    text = log.read_text(encoding="utf-8", errors="replace")
    executions, edges = read_progress(text)
    new = sorted(set(finds.iterdir()) - before)
    of_library = [f for f in new if name in LIBRARY and is_of_library(program, limits, f, LIBRARY[name], environment)]
    for file in of_library:
        file.unlink()
    ours = [f for f in new if f not in of_library]
    failed = bool(ours) or (code != 0 and name not in LIBRARY) or executions == 0
    remark = f"{len(of_library)} inputs fail in {LIBRARY[name]} alone" if of_library else ""
    lines = [f"| {name:<9} | {processor:>11.0f} | {executions:>10} | {edges:>6} | {len(ours):>5} | {remark} |"]
    lines += [f"  find: {file}\n  again: {program} {file}" for file in ours]
    if failed and not ours:
        lines += text.splitlines()[-20:]
    print("\n".join(lines), flush=True)
    return not failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--only", nargs="*", default=list(LONGEST))
    options = parser.parse_args()
    print("| target    | processor s | executions |  edges | finds | |")
    print("|---|---|---|---|---|---|", flush=True)
    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        good = list(pool.map(lambda name: run_target(options.build.resolve(), name, options.seconds, options.timeout),
                             options.only))
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
