#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the include arrow: each folder of src/berth includes only what lies to its left.

    scalar <- {compile, math <- {sampling <- statistics <- search, integrate, model <- {parts} <- system}}
           <- run <- ensemble
           <- export <- record <- scenario <- simulate <- analysis <- live <- report <- program <- app

usage: check_layering.py ROOT | check_layering.py --self-test
"""

import re
import sys
import tempfile
from pathlib import Path

PARTS = ("components", "constraints", "contact", "control", "sensors", "forces")


def build_arrow():
    """layer -> layers it may include, besides itself"""
    sees = {"scalar": (), "math": ("scalar",), "compile": ("scalar",)}
    sees["integrate"] = ("scalar", "math")
    sees["model"] = ("scalar", "math")
    sees["sampling"] = ("scalar", "math")
    sees["statistics"] = ("scalar", "math", "sampling")
    sees["search"] = ("scalar", "math", "sampling", "statistics")
    for part in PARTS:
        sees[part] = ("scalar", "math", "model")
    sees["system"] = ("scalar", "math", "integrate", "model", *PARTS)
    # From here on everyone sees all who came before.
    for layer in ("run", "ensemble", "export", "record", "scenario", "simulate", "analysis", "live", "report",
                  "program", "app"):
        sees[layer] = tuple(sees)
    return sees


SEES = build_arrow()
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<(berth/[^>]+)>)')
SUFFIXES = {".h", ".cpp", ".hpp", ".inc"}


def find_layer(path):
    """Layer of a path below src/berth; "" for files every layer sees, such as version.h."""
    if len(path.parts) > 1:
        return path.parts[0]
    return "simulate" if path.stem in ("simulate", "simulation") else ""


def find_target(berth, file, name):
    """Path below src/berth that an #include of `name` in `file` means; None if it is not ours."""
    if name.startswith("berth/"):
        return Path(name).relative_to("berth")
    beside = (file.parent / name).resolve()
    return beside.relative_to(berth) if beside.is_relative_to(berth) and beside.exists() else None


def find_problems(root):
    berth = (Path(root) / "src" / "berth").resolve()
    files = sorted(f for f in berth.rglob("*") if f.suffix in SUFFIXES)
    problems = []
    for file in files:
        layer = find_layer(file.relative_to(berth))
        if layer and layer not in SEES:
            problems.append(f"{file.relative_to(berth.parents[1])}:1: "
                            f"folder {layer} has no place in the include arrow ({__file__})")
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if match and (match[1] or match[2] or "").startswith("papers/"):
                problems.append(f"{file.relative_to(berth.parents[1])}:{number}: "
                                "papers are no part of the library")
                continue
            target = match and find_target(berth, file, match[1] or match[2])
            if not target:
                continue
            wanted = find_layer(target)
            if wanted in ("", layer) or wanted in SEES.get(layer, ()):
                continue
            allowed = ", ".join(SEES.get(layer, ())) or "nothing else"
            problems.append(f"{file.relative_to(berth.parents[1])}:{number}: "
                            f"{layer or 'src/berth'} must not include berth/{target.as_posix()}; "
                            f"it sees {allowed}")
    return len(files), problems


def self_test():
    """Each case: file, its include line, does the arrow allow it?"""
    cases = [
        ("math/vec3.h", '#include "berth/scalar/scalar.h"', True),
        ("math/vec3.h", '#include <vector>', True),
        ("math/vec3.h", '#include "berth/version.h"', True),
        ("math/vec3.h", '// #include "berth/run/run.h"', True),
        ("scalar/dual.h", '#include "berth/math/vec3.h"', False),
        ("compile/emit_c.h", '#include "berth/scalar/graph.h"', True),
        ("compile/emit_c.h", '#include "berth/math/vec3.h"', False),
        ("system/system.h", '#include "berth/compile/emit_c.h"', False),
        ("run/driver.cpp", '#include "berth/compile/emit_c.h"', True),
        ("sampling/sobol.h", '#include "berth/math/philox.h"', True),
        ("sampling/sobol.h", '#include "berth/model/model.h"', False),
        ("run/driver.cpp", '#include "berth/sampling/sobol.h"', True),
        ("integrate/rk.h", '#include "berth/math/vec3.h"', True),
        ("integrate/rk.h", '#include "berth/model/model.h"', False),
        ("model/model.h", '#include "berth/integrate/rk.h"', False),
        ("statistics/ranks.h", '#include "berth/math/philox.h"', True),
        ("statistics/ranks.h", '#include "berth/model/model.h"', False),
        ("system/system.h", '#include "berth/statistics/ranks.h"', False),
        ("analysis/sweep.cpp", '#include "berth/statistics/ranks.h"', True),
        ("components/panel.h", '#include "berth/model/model.h"', True),
        ("components/panel.h", '#include "berth/components/wheel.h"', True),
        ("components/panel.h", '#include "berth/forces/spring.h"', False),
        ("contact/cone.h", '#include "berth/integrate/history.h"', False),
        ("control/pd.h", '#  include <berth/system/system.h>', False),
        ("system/system.h", '#include "berth/constraints/rigid.h"', True),
        ("system/system.h", '#include "berth/integrate/rk.h"', True),
        ("system/discrete/step.h", '#include "berth/run/driver.h"', False),
        ("system/system.h", '#include "../run/driver.h"', False),
        ("run/driver.cpp", '#include "berth/system/system.h"', True),
        ("run/driver.cpp", '#include "berth/simulate.h"', False),
        ("search/cma_es.cpp", '#include "berth/math/philox.h"', True),
        ("search/cma_es.cpp", '#include "berth/model/fields.h"', False),
        ("analysis/sweep.cpp", '#include "berth/search/cma_es.h"', True),
        ("simulate.h", '#include "berth/scenario/read.h"', True),
        ("simulation.cpp", '#include "berth/simulate/summary.h"', True),
        ("simulation.cpp", '#include "berth/report/page.h"', False),
        ("simulate.cpp", '#include "berth/report/page.h"', False),
        ("simulate/summary.h", '#include "berth/run/event_record.h"', True),
        ("simulate/summary.h", '#include "berth/analysis/sweep.h"', False),
        ("record/recording.h", '#include "berth/simulate/summary.h"', False),
        ("analysis/sweep.cpp", '#include "berth/simulate.h"', True),
        ("app/main.cpp", '#include "berth/report/page.h"', True),
        ("report/page.cpp", '#include "berth/app/options.h"', False),
        ("version.h", '#include "berth/scalar/scalar.h"', False),
        ("report/page.cpp", '#include "papers/gallery/figures.h"', False),
        ("attic/old.h", '#include <vector>', False),
    ]
    wrong = 0
    for path, line, allowed in cases:
        with tempfile.TemporaryDirectory() as root:
            for name, text in (("run/driver.h", ""), (path, f"#pragma once\n{line}\n")):
                file = Path(root) / "src" / "berth" / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            _, problems = find_problems(root)
        if allowed != (not problems):
            wrong += 1
            print(f"{path}: {line} should be {'allowed' if allowed else 'refused'}; {problems}")
    print(f"{len(cases)} cases, {wrong} judged wrongly")
    return wrong


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--self-test":
        sys.exit(1 if self_test() else 0)
    count, problems = find_problems(sys.argv[1])
    print("\n".join(problems) or f"{count} files follow the include arrow")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
