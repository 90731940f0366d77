# SPDX-License-Identifier: Apache-2.0
"""berth/Docking-v0 many times over: the bits of single environments."""

import time

import numpy as np
import pytest

import berth

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

import berth.gym  # noqa: E402

SHORT = {"rigid": True, "distance": 3.0, "stop": 20.0}
SHIFTED = {
    "spacecraft.servicer.state.position.y": berth.normal(0, 0.02),
    "spacecraft.servicer.mass": berth.uniform(500, 700),
}


def assert_same(a, b, where=""):
    """Of infos: the same keys, types and bits."""
    if isinstance(a, dict):
        assert isinstance(b, dict) and a.keys() == b.keys(), where
        for key in a:
            assert_same(a[key], b[key], f"{where}.{key}")
    elif isinstance(a, np.ndarray) and a.dtype == object:
        assert len(a) == len(b), where
        for x, y in zip(a, b, strict=True):
            assert_same(x, y, where)
    else:
        assert type(a) is type(b), where
        assert np.asarray(a).dtype == np.asarray(b).dtype, where
        np.testing.assert_array_equal(a, b, where)


def compare(n, steps, compute, mode=AutoresetMode.NEXT_STEP, options=None, push=(0, 0), **kwargs):
    """Against Gymnasium's own vector of single ones; how their episodes have ended."""
    one = SyncVectorEnv([lambda: berth.gym.DockingEnv(**kwargs)] * n, autoreset_mode=mode)
    other = berth.gym.DockingVectorEnv(n, compute=compute, autoreset_mode=mode, **kwargs)
    for a, b in zip(one.reset(seed=3, options=options), other.reset(seed=3, options=options), strict=True):
        assert_same(a, b)
    rng = np.random.default_rng(5)
    verdicts = []
    for k in range(steps):
        actions = rng.uniform(-1.2, 1.2, (n, 3)).astype(np.float32)
        actions[:, 0] += np.linspace(*push, n, dtype=np.float32)
        answers = one.step(actions), other.step(actions)
        for what, a, b in zip(("obs", "reward", "terminated", "truncated", "info"), *answers, strict=True):
            assert_same(a, b, f"step {k}, {what}")
        info = answers[1][4]
        of = info.get("final_info", info)
        if "verdict" in of:
            verdicts += of["verdict"][of["_verdict"]].tolist()
        if mode is AutoresetMode.DISABLED and (ended := answers[1][2] | answers[1][3]).any():
            again = {"reset_mask": ended}
            for a, b in zip(one.reset(options=dict(again)), other.reset(options=again), strict=True):
                assert_same(a, b)
    other.close()
    return verdicts


@pytest.mark.parametrize("compute", ["interpret", pytest.param("compile", marks=pytest.mark.soak)])
def test_the_bits_of_single_environments(compute):
    verdicts = compare(6, 300, compute, push=(-1.5, 1.5), rigid=True, distance=0.3, stop=40.0)
    assert set(verdicts) == {"captured", "out of reach", ""} and len(verdicts) > 10


def test_the_bits_compiled():
    """Away from the target: without contacts fewer structures are compiled."""
    kwargs = {"distance": 0.4, "stop": 20.0, "rigid": True, "dispersions": SHIFTED}
    verdicts = compare(9, 300, "compile", push=(-2, 0), **kwargs)
    assert set(verdicts) == {"out of reach", ""} and len(verdicts) > 10


@pytest.mark.soak
def test_the_bits_with_panels_and_fuel():
    compare(3, 40, "compile", push=(-1, 1), distance=2.0, stop=5.0)


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.DISABLED])
def test_other_modes_of_autoreset(mode):
    kwargs = {**SHORT, "stop": 6.0}
    assert len(compare(3, 70, "interpret", mode, SHIFTED, push=(-1, 1), **kwargs)) >= 6


def test_dispersions_of_every_episode():
    kwargs = {**SHORT, "stop": 2.0, "dispersions": SHIFTED}
    assert compare(4, 30, "interpret", **kwargs) == [""] * 8
    env = berth.gym.DockingVectorEnv(2, **kwargs)
    _, info = env.reset(seed=[7, None], options={"spacecraft.servicer.mass": 650})
    settings = info["settings"]
    assert settings["spacecraft.servicer.mass"].tolist() == [650, 650]
    y = settings["spacecraft.servicer.state.position.y"]
    alone = berth.gym.DockingEnv(**kwargs)
    _, own = alone.reset(seed=7, options={"spacecraft.servicer.mass": 650})
    assert y[0] == own["settings"]["spacecraft.servicer.state.position.y"] and y[0] != y[1]


def test_make_vec():
    mode = "vector_entry_point"
    env = gymnasium.make_vec("berth/Docking-v0", num_envs=3, vectorization_mode=mode, rigid=True)
    assert isinstance(env, berth.gym.DockingVectorEnv) and env.spec is not None
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    env.action_space.seed(0)
    answer = env.step(env.action_space.sample())
    assert env.observation_space.contains(answer[0])
    assert [a.shape for a in answer[1:4]] == [(3,)] * 3
    assert [a.dtype for a in answer[1:4]] == [np.float64, np.bool_, np.bool_]
    # Wrappers of Gymnasium take it.
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    wrapped.reset(seed=1)
    wrapped.step(env.action_space.sample())


def test_one_by_one():
    env = berth.gym.DockingVectorEnv(3, **SHORT)
    first, _ = env.reset(seed=[1, 2, 3])
    push = np.ones((3, 3), np.float32)
    now, *_ = env.step(push)
    mask = np.array([False, True, False])
    again, info = env.reset(seed=[None, 2, None], options={"reset_mask": mask})
    np.testing.assert_array_equal(again[1], first[1])
    np.testing.assert_array_equal(again[[0, 2]], now[[0, 2]])
    assert info["_settings"].tolist() == mask.tolist()
    alone = berth.gym.DockingEnv(**SHORT)
    alone.reset(seed=2)
    np.testing.assert_array_equal(env.step(push)[0][1], alone.step(push[1])[0])
    assert env.np_random_seed == (1, 2, 3)


def test_errors():
    with pytest.raises(ValueError, match="compute is auto, compile or interpret, not gpu"):
        berth.gym.DockingVectorEnv(2, compute="gpu")
    with pytest.raises(ValueError, match="at least one"):
        berth.gym.DockingVectorEnv(0)
    env = berth.gym.DockingVectorEnv(2, **SHORT)
    zero = np.zeros((2, 3), np.float32)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(zero)
    with pytest.raises(ValueError, match="3 seeds for 2"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": np.zeros(2, bool)})
    with pytest.raises(berth.ScenarioError, match="mass"):
        env.reset(options={"spacecraft.servicer.mas": 1})
    with pytest.raises(RuntimeError, match="reset"):
        env.step(zero)
    observation, _ = env.reset(seed=1)
    with pytest.raises(ValueError, match="shape"):
        env.step(np.zeros((3, 3), np.float32))
    with pytest.raises(ValueError, match=r"\[1\] are not finite"):
        env.step(np.array([[0, 0, 0], [0, np.nan, 0]]))
    env.step(zero)
    env.close()
    env.close()
    with pytest.raises(RuntimeError, match="closed"):
        env.reset()
    with pytest.raises(RuntimeError):
        env.step(zero)


def test_without_a_compiler(monkeypatch):
    monkeypatch.setenv("BERTH_CC", "/nowhere/cc")
    with pytest.warns(UserWarning, match="interpreted: .*"):
        env = berth.gym.DockingVectorEnv(2, **SHORT, compute="compile")
    observation, _ = env.reset(seed=2)
    alone, _ = berth.gym.DockingEnv(**SHORT).reset(seed=2)
    np.testing.assert_array_equal(observation[0], alone)


def test_a_failure_names_its_environment():
    env = berth.gym.DockingVectorEnv(2, **SHORT, compute="interpret")
    env.reset(seed=1)
    env._group.exchange([0, 1], np.zeros((2, 3)), np.full(2, 0.4), np.zeros((2, 10)), np.zeros(2, bool))
    force, now = np.array([[0.1, 0, 0], [np.inf, 0, 0]]), np.zeros((2, 10))
    goes_on = np.zeros(2, bool)
    with pytest.raises(ValueError, match="environment 1: external agent: force.*not finite"):
        env._group.exchange([0, 1], force, np.full(2, 3 * 0.2), now, goes_on)
    assert goes_on[0] and now[0, 9] > 0  # the other has gone on


def find_pace(env, shape, steps):
    """Steps a second of all environments together, once what is compiled is there; actions are random."""
    env.reset(seed=1)
    rng = np.random.default_rng(0)
    actions = rng.uniform(-1, 1, (steps + 100, *shape)).astype(np.float32)
    for action in actions[:100]:
        env.step(action)
    begin = time.process_time()
    for action in actions[100:]:
        env.step(action)
    return steps * (shape[0] if len(shape) > 1 else 1) / (time.process_time() - begin)


@pytest.mark.soak
@pytest.mark.parametrize("rigid", [False, True])
def test_pace_of_many(rigid):
    """Steps a second on a quiet core."""
    n, kwargs = 64, {"rigid": rigid, "stop": 1e5}
    single = find_pace(berth.gym.DockingEnv(**kwargs), (3,), 4000)
    many = {
        c: find_pace(berth.gym.DockingVectorEnv(n, compute=c, **kwargs), (n, 3), 400)
        for c in ("interpret", "compile")
    }
    paces = ", ".join(f"{c} {p:.0f}" for c, p in many.items())
    print(f"rigid={rigid}: single {single:.0f}, {n} side by side {paces} steps a second")
    assert many["compile"] > 1.3 * single
