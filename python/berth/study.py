# SPDX-License-Identifier: Apache-2.0
"""Monte Carlo studies of functions of one's own, by the draws, intervals and searches of sweeps.

A function takes an array with a row per case and a column per input, in the order of `inputs`, and
returns a number per case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from .sweep import Spread, describe_vary

Array = NDArray[np.float64]
Function = Callable[[Array], Any]

FIRST_CHECK = 100  #: draws before the first look of find_probability()
MOST_SAMPLES = 10_000_000
BLOCK = 100_000  #: cases a function is asked for at once


class Interval(NamedTuple):
    """An estimate with its confidence interval."""

    value: float
    low: float
    high: float


class SobolIndex(NamedTuple):
    """The share of the variance that an input has alone, and with all its interactions."""

    first: Interval
    total: Interval


@dataclass(frozen=True)
class RareProbability:
    """A small probability with its interval, and how it was found."""

    probability: float
    low: float
    high: float
    levels: int
    evaluations: int
    without_failure: int  #: replicates that found no failure: low is 0 then
    thresholds: list[float]  #: of each level


@dataclass(frozen=True)
class Minimum:
    """Where a search ended."""

    x: Array
    value: float  #: mean of the evaluations that judged it
    evaluations: int
    why: str


def evaluate(function: Function, x: Array) -> Array:
    values = np.asarray(function(x), dtype=float).reshape(-1)
    if len(values) != len(x):
        raise ValueError(f"the function returned {len(values)} numbers for {len(x)} cases")
    return values


def make_plan(inputs: Mapping[str, Spread], samples: int, seed: int, design: str, indices: bool) -> Any:
    texts = [describe_vary(name, spread) for name, spread in inputs.items()]
    return _core.Plan(texts, samples, seed, design, indices)


def run_plan(function: Function, plan: Any, width: int, first: int, last: int) -> Array:
    parts = []
    for at in range(first, last, BLOCK):
        count = min(BLOCK, last - at)
        parts.append(evaluate(function, plan.inputs(at, count).reshape(count, width)))
    return np.concatenate(parts) if parts else np.empty(0)


def find_sobol_indices(
    function: Function,
    inputs: Mapping[str, Spread],
    *,
    samples: int,
    seed: int = 1,
    design: str = "sobol",
    confidence: float = 0.95,
) -> dict[str, SobolIndex]:
    """Sobol's indices of first and total order, with intervals, from samples · (inputs + 2) evaluations."""
    plan = make_plan(inputs, samples, seed, design, True)
    values = run_plan(function, plan, len(inputs), 0, plan.cases)
    groups = plan.randomisations if plan.randomisations > 1 else 16
    found = _core.sobol_indices(values, len(inputs), groups, confidence)
    return {
        name: SobolIndex(Interval(*first), Interval(*total))
        for name, (first, total) in zip(inputs, found, strict=True)
    }


def find_probability(
    function: Function,
    inputs: Mapping[str, Spread],
    *,
    samples: int | None = None,
    half_width: float | None = None,
    seed: int = 1,
    design: str = "random",
    confidence: float = 0.95,
) -> Interval:
    """The probability that the function is true (not 0): of `samples` draws, or of as many as it takes
    for an interval of ± `half_width` that holds however often it is checked."""
    if (samples is None) == (half_width is None):
        raise ValueError("give samples or half_width")
    if half_width is not None and design == "lhs":
        raise ValueError("a Latin hypercube must know beforehand how many samples there are")
    most = samples or MOST_SAMPLES
    plan = make_plan(inputs, most, seed, design, False)
    groups = plan.randomisations
    met = np.zeros(groups, dtype=int)
    seen = checks = 0
    while True:
        grown = max(seen + seen // 10, FIRST_CHECK) if groups == 1 else max(2 * seen, 8 * groups)
        wanted = most if samples else min(grown, most)
        good = run_plan(function, plan, len(inputs), seen, wanted) != 0
        np.add.at(met, np.arange(seen, wanted) % groups, good)
        seen, checks = wanted, checks + 1
        trials = np.bincount(np.arange(groups), minlength=groups) * (seen // groups)
        trials[: seen % groups] += 1
        found = find_interval(met, trials, checks, confidence, half_width is not None)
        if half_width is None or (found.high - found.low) / 2 <= half_width or seen >= most:
            return found


def find_interval(
    met: NDArray[Any], trials: NDArray[Any], checks: int, confidence: float, lasting: bool
) -> Interval:
    if len(met) > 1:
        level = _core.check_confidence(checks, confidence) if lasting else confidence
        return Interval(*_core.replicated_proportion(met.tolist(), trials.tolist(), level))
    find = _core.lasting_proportion if lasting else _core.proportion
    return Interval(*find(int(met[0]), int(trials[0]), confidence))


def find_rare_probability(
    function: Function,
    inputs: Mapping[str, Spread],
    threshold: float,
    *,
    samples: int = 500,
    replicates: int = 10,
    seed: int = 1,
    confidence: float = 0.95,
) -> RareProbability:
    """The probability that the function exceeds a threshold, by subset simulation: `samples` on every
    level of each of the replicates, whose scatter gives the interval. A branch of failures that no
    replicate meets is not in it."""
    plan = make_plan(inputs, 1, seed, "random", False)
    search = _core.SubsetSimulation(len(inputs), threshold, samples, replicates, seed, confidence)
    while not search.is_done():
        x = plan.from_normal(search.ask()).reshape(-1, len(inputs))
        search.record(evaluate(function, x))
    r = search.result()
    return RareProbability(
        r["probability"], r["low"], r["high"], r["levels"], r["evaluations"], r["without_failure"],
        r["thresholds"],
    )  # fmt: skip


def minimise(
    function: Callable[[Array, int], float],
    low: Sequence[float],
    high: Sequence[float],
    *,
    start: Sequence[float] | None = None,
    budget: int = 10_000,
    seed: int = 1,
    noisy: bool = True,
    step: float = 0.3,
    tolerance: float = 1e-3,
    most_level: int = 10,
    violation: Callable[[Array], float] | None = None,
) -> Minimum:
    """CMA-ES within a box. The function takes a point and how many repetitions to average over, which
    grows as the noise asks for it (up to 2^most_level); the budget counts repetitions. `violation` is 0
    where all constraints hold. `step` and `tolerance` are standard deviations, at the start and at the
    end, in units of the box."""
    a, b = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    if a.shape != b.shape or not np.all(a < b):
        raise ValueError("low lies below high, input by input")
    middle = np.full(len(a), 0.5) if start is None else (np.asarray(start, dtype=float) - a) / (b - a)
    search = _core.CmaEs(middle.tolist(), budget, seed, step, tolerance, noisy, most_level)
    while not search.is_done():
        values, violations = [], []
        for x, level, _ in search.ask():
            point = a + (b - a) * np.asarray(x)
            values.append(float(function(point, 2**level)))
            violations.append(float(violation(point)) if violation else 0.0)
        search.record(np.asarray(values), np.asarray(violations))
    best = a + (b - a) * np.asarray(search.best())
    value = search.best_value()
    return Minimum(best, float("nan") if value is None else value, search.evaluations(), search.why())
