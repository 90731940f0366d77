# SPDX-License-Identifier: Apache-2.0
"""berth — spacecraft that meet: approach, contact, capture, docked flight, departure.

    import berth
    s = berth.load("docking.toml", {"time.stop": 400})     # seconds; settings as those of `berth run --set`
    s["spacecraft.servicer.mass"] = 700.0                  # kg
    r = s.run()
    r.verdict, r.outcome, r.audit.energy, r.events[0].t
    r.t, r["tip.force"], r["tip.force"].unit               # numpy arrays that know their unit
    r.to_dataframe(["tip.force"])

Numbers are in SI units; N are inertial axes, B those of a body; quaternions have their scalar first.
"""

from __future__ import annotations

import os
from pathlib import Path

from . import _core
from .channel import Channel, ChannelInfo
from .errors import InterruptedWarning, Problem, ScenarioError, UnknownName
from .result import Event, Events, Group, Result, Summary
from .scenario import Scenario, load
from .simulation import External, LinearModel, Signal, Simulation
from .study import (
    Interval,
    Minimum,
    RareProbability,
    SobolIndex,
    find_probability,
    find_rare_probability,
    find_sobol_indices,
    minimise,
)
from .sweep import (
    Spread,
    SweepTable,
    discrete,
    lin,
    log,
    lognormal,
    merge,
    normal,
    sweep,
    table,
    triangular,
    truncated_normal,
    uniform,
)

__version__: str = _core.version

__all__ = [
    "Channel", "ChannelInfo", "Event", "Events", "External", "Group", "Interval", "InterruptedWarning",
    "LinearModel", "Minimum", "Problem", "RareProbability", "Result", "Scenario", "ScenarioError", "Signal",
    "Simulation", "SobolIndex", "Spread", "Summary", "SweepTable", "UnknownName",
    "discrete", "find_probability", "find_rare_probability", "find_sobol_indices", "lin", "load", "log",
    "lognormal", "merge", "minimise", "normal", "open", "sweep", "table", "triangular", "truncated_normal",
    "uniform",
]  # fmt: skip


def open(file: str | os.PathLike[str]) -> Result | SweepTable:
    """Reads a result that a run has written (.h5), or the table of a sweep."""
    path = Path(file)
    if _core.is_sweep(path):
        return SweepTable(path)
    return Result(_core.Result.open(path))
