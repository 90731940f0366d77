# SPDX-License-Identifier: Apache-2.0
"""Studies of functions whose answers are known, by the code that sweeps use."""

from __future__ import annotations

import math

import numpy as np
import pytest

import berth

ISHIGAMI = {f"x{i}": berth.uniform(-math.pi, math.pi) for i in (1, 2, 3)}


def ishigami(x):
    return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


A = np.array([0, 1, 4.5, 9, 99, 99, 99, 99])


def sobol_g(x):
    return np.prod((np.abs(4 * x - 2) + A) / (1 + A), axis=1)


def known_ishigami():
    b, pi4 = 0.1, math.pi**4
    v1, v2, v13 = (1 + b * pi4 / 5) ** 2 / 2, 49 / 8, b**2 * pi4**2 * (1 / 18 - 1 / 50)
    v = v1 + v2 + v13
    return [(v1 / v, (v1 + v13) / v), (v2 / v, v2 / v), (0, v13 / v)]


def known_g():
    partial = 1 / (3 * (1 + A) ** 2)
    v = np.prod(1 + partial) - 1
    return [(p / v, p * np.prod(1 + partial) / (1 + p) / v) for p in partial]


def is_inside(interval, truth, slack=0.0):
    return interval.low - slack <= truth <= interval.high + slack


@pytest.mark.parametrize("design", ["random", "sobol", "lhs", "halton"])
@pytest.mark.parametrize(
    "function, inputs, known",
    [
        (ishigami, ISHIGAMI, known_ishigami()),
        (sobol_g, {f"x{i}": berth.uniform(0, 1) for i in range(8)}, known_g()),
    ],
)
def test_sobol_indices_are_known(function, inputs, known, design):
    """95 % intervals: of all of them most hold the truth, and none is far off."""
    found = berth.find_sobol_indices(function, inputs, samples=2048, design=design, seed=4)
    pairs = [
        (interval, truth)
        for index, truths in zip(found.values(), known, strict=True)
        for interval, truth in zip(index, truths, strict=True)
    ]
    assert sum(is_inside(i, t, 1e-9) for i, t in pairs) >= len(pairs) - 2
    assert all(is_inside(i, t, 3 * (i.high - i.low) + 1e-6) for i, t in pairs)


def test_intervals_cover_what_they_state():
    """P(z₁ + z₂ > 2), of 200 draws, and of as many as it takes."""
    truth = 0.5 * math.erfc(2 / math.sqrt(2) / math.sqrt(2))
    inputs = {"a": berth.normal(0, 1), "b": berth.normal(0, 1)}

    def limit(x):
        return x.sum(axis=1) > 2

    fixed = [berth.find_probability(limit, inputs, samples=200, seed=s) for s in range(300)]
    assert np.mean([is_inside(i, truth) for i in fixed]) >= 0.93
    sure = [berth.find_probability(limit, inputs, half_width=0.05, seed=s) for s in range(100)]
    assert np.mean([is_inside(i, truth) for i in sure]) >= 0.93
    assert all(i.high - i.low <= 0.1 for i in sure)
    for design in ("sobol", "halton", "lhs"):
        of = [berth.find_probability(limit, inputs, samples=512, seed=s, design=design) for s in range(60)]
        assert np.mean([is_inside(i, truth) for i in of]) >= 0.88, design


def test_rare_events_of_a_known_limit_state():
    """One in a million: z₁ + … + z₁₀ > 4.753 √10."""
    inputs = {f"z{i}": berth.normal(0, 1) for i in range(10)}

    def limit(x):
        return x.sum(axis=1) / math.sqrt(10)

    found = [berth.find_rare_probability(limit, inputs, 4.753424, samples=300, seed=s) for s in range(4)]
    assert sum(f.low < 1e-6 < f.high for f in found) >= 3
    assert all(3e-7 < f.probability < 3e-6 for f in found)
    assert all(f.evaluations < 30_000 for f in found)


def test_minimum_under_noise():
    rng = np.random.default_rng(1)

    def sphere(x, repetitions):
        return np.sum((x - 0.3) ** 2) + 0.05 * rng.standard_normal() / math.sqrt(repetitions)

    found = berth.minimise(sphere, [-1] * 5, [1] * 5, budget=200_000)
    assert np.max(np.abs(found.x - 0.3)) < 0.1
    assert found.why


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="there is no design"):
        berth.find_sobol_indices(ishigami, ISHIGAMI, samples=8, design="sobl")
    with pytest.raises(berth.ScenarioError, match="write the lower end first"):
        berth.find_probability(ishigami, {"x": berth.uniform(2, 1)}, samples=8)
    with pytest.raises(ValueError, match="returned 1 numbers for 8 cases"):
        berth.find_probability(lambda x: 1.0, {"x": berth.uniform(1, 2)}, samples=8)
    with pytest.raises(ValueError, match="Latin hypercube"):
        berth.find_probability(ishigami, ISHIGAMI, half_width=0.1, design="lhs")
    with pytest.raises(ValueError, match="samples or half_width"):
        berth.find_probability(ishigami, ISHIGAMI)
    with pytest.raises(ValueError, match="low lies below high"):
        berth.minimise(lambda x, n: 0.0, [1], [0])
