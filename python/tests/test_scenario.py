# SPDX-License-Identifier: Apache-2.0
"""Scenarios: settings, dicts, what is refused."""

import pickle
import random

import numpy as np
import pytest

import berth
from berth import toml

SPRING = {
    "title": "A body on a spring",
    "time": {"stop": 2.0},
    "body": [
        {
            "name": "mass",
            "joint": "prismatic",
            "mass": 2,
            "inertia": [1, 1, 1],
            "q": [0.1],
            "stiffness": 8.0,
        }
    ],
}


def test_settings_are_read_back(scenarios):
    s = berth.load(scenarios / "docking.toml", {"time.stop": 400})
    assert s["time.stop"] == 400
    s["spacecraft.servicer.mass"] = 700.0
    s["dock.joint.enforce"] = "fused"
    s["spacecraft.servicer.state.position.x"] = np.float64(-19)
    s["spacecraft.servicer.inertia"] = np.array([210.0, 260, 260])
    assert s["spacecraft.servicer.mass"] == 700
    assert s["spacecraft.servicer.state.position"] == [-19, 0, 0]
    assert s["spacecraft.servicer.state.position.x"] == -19
    assert s["spacecraft.servicer.inertia"] == [210, 260, 260]
    assert s["integrator.method"] == "dop853"  # a default
    with pytest.raises(KeyError, match="did you mean spacecraft.servicer.mass"):
        s["spacecraft.servicer.mas"]
    assert "spacecraft.servicer.mass = 700.0" in repr(s)
    copy = s.copy({"time.stop": 5})
    assert (copy["time.stop"], s["time.stop"]) == (5, 400)
    assert pickle.loads(pickle.dumps(s)).to_toml() == s.to_toml()


def test_all_problems_are_listed(scenarios):
    s = berth.load(scenarios / "docking.toml")
    s["time.stop"] = -1
    s["spacecraft.servicer.mas"] = 3
    s["dock.joint.enforce"] = "glued"
    with pytest.raises(berth.ScenarioError) as caught:
        s.run()
    assert len(caught.value.problems) == 3
    paths = {p.path for p in caught.value.problems}
    assert "time.stop" in paths
    assert str(caught.value).count("\n") == 2
    with pytest.raises(ValueError):
        s.check()
    with pytest.raises(berth.ScenarioError):
        berth.load(scenarios / "none.toml")


def compare(a, b):
    assert list(a) == list(b)
    for name in b:
        np.testing.assert_array_equal(a[name], b[name])


def test_dicts_make_a_scenario(tmp_path):
    s = berth.Scenario(SPRING)
    s.check()
    r = s.run()
    assert r.outcome == "reached_end"
    # As text, as a file and with everything written out: the same run.
    (tmp_path / "spring.toml").write_text(s.to_toml())
    for other in (
        berth.Scenario(s.to_toml()),
        berth.load(tmp_path / "spring.toml"),
        berth.Scenario(s.to_dict()),
    ):
        compare(other.run(), r)
    whole = berth.Scenario(s.to_toml(complete=True))
    compare(whole.run(), r)


def test_every_shipped_scenario_survives_dicts(scenarios):
    for file in sorted(scenarios.glob("*.toml")):
        s = berth.load(file)
        again = berth.Scenario(s.to_dict(), name=str(file), folder=file.parent)
        assert again.to_toml(complete=True) == s.to_toml(complete=True), file.name


def test_texts_survive_toml():
    for text in ("", 'a"b', "a\\b", "tab\tnew\nline", "\x7f\x00", "ä°…", "]]>", "'''"):
        assert toml.parse(f"x = {toml.write_value(text)}")["x"] == text
        assert toml.parse(toml.write_table({"t": {text or "k": [1, {"a b": text}]}}))
    with pytest.raises(ValueError):
        toml.write_value("\ud800")


@pytest.mark.parametrize(
    "wrong", [None, object(), 1j, b"bytes", {1: 2}, {1, 2}, [None], 2**70, lambda: 0, "\ud800"]
)
def test_wrong_types_are_refused(scenarios, wrong):
    s = berth.load(scenarios / "bouncing_ball.toml")
    with pytest.raises((TypeError, ValueError)):
        s["time.stop"] = wrong
    with pytest.raises((TypeError, ValueError)):
        s[wrong] = 1
    with pytest.raises((TypeError, ValueError, KeyError)):
        s[wrong]
    if not isinstance(wrong, dict):
        with pytest.raises((TypeError, ValueError, OSError)):
            berth.Scenario(wrong).check()
        with pytest.raises((TypeError, ValueError, OSError)):
            berth.load(wrong)


def random_value(rng, depth=0):
    kinds = [
        lambda: rng.uniform(-1e3, 1e3), lambda: rng.randint(-5, 5), lambda: rng.choice([True, False]),
        lambda: rng.choice([float("nan"), float("inf"), -float("inf"), 0.0, 1e308, 5e-324]),
        lambda: "".join(rng.choices("ab[]{}=\"'.,\n# 01", k=rng.randint(0, 12))),
        lambda: rng.choice(["fused", "rk4", "ground", "servicer", "10 deg", "[1,2", "{a=1}", "true"]),
        lambda: None, lambda: object(), lambda: 2**80, lambda: b"x",
    ]  # fmt: skip
    if depth < 3:
        kinds += [
            lambda: [random_value(rng, depth + 1) for _ in range(rng.randint(0, 4))],
            lambda: {rng.choice("abc"): random_value(rng, depth + 1) for _ in range(2)},
        ]
    return rng.choice(kinds)()


def fuzz(file, count, seed):
    rng = random.Random(seed)
    base = berth.load(file)
    from berth.scenario import list_paths

    paths = list_paths(base.to_dict(complete=True))
    refused = 0
    for _ in range(count):
        try:
            s = base.copy()
            for _ in range(rng.randint(1, 3)):
                path = rng.choice(paths)
                if rng.random() < 0.2:
                    at = rng.randrange(len(path) + 1)
                    path = path[:at] + rng.choice(["", ".", "x", "=", "\n", "9", "ä"]) + path[at:]
                s[path] = random_value(rng)
            s.check()
        except (ValueError, TypeError, KeyError):
            refused += 1
    return refused


def test_settings_of_any_kind_never_crash(scenarios):
    assert 200 < fuzz(scenarios / "docking.toml", 400, 1) <= 400


@pytest.mark.soak
def test_settings_of_any_kind_never_crash_at_length(scenarios):
    files = sorted(scenarios.glob("*.toml"))
    for k, file in enumerate(files):
        fuzz(file, 10_000 // len(files) + 1, k)
