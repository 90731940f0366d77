# SPDX-License-Identifier: Apache-2.0
"""The environment berth/Docking-v0."""

import time
import warnings

import numpy as np
import pytest

import berth

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

import berth.gym  # noqa: E402


def fly(env, seed, steps, options=None):
    rng = np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed, options=options)
    out = [observation]
    for _ in range(steps):
        observation, reward, terminated, truncated, _ = env.step(rng.uniform(-1, 1, 3).astype(np.float32))
        out.append(np.append(observation, reward))
        if terminated or truncated:
            break
    return np.concatenate(out)


def test_the_checker_is_content():
    env = gymnasium.make("berth/Docking-v0", rigid=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*render.*")
        check_env(env.unwrapped, skip_render_check=True)


def test_a_seed_gives_the_same_bits():
    env = berth.gym.DockingEnv(rigid=True)
    options = {
        "spacecraft.servicer.state.position.y": berth.normal(0, 0.5),
        "spacecraft.servicer.mass": 650,
    }
    first = fly(env, 3, 60, options)
    np.testing.assert_array_equal(fly(env, 3, 60, options), first)
    np.testing.assert_array_equal(fly(berth.gym.DockingEnv(rigid=True), 3, 60, options), first)
    assert not np.array_equal(fly(env, 4, 60, options), first)
    _, info = env.reset(seed=1, options=options)
    assert info["settings"]["spacecraft.servicer.mass"] == 650
    with pytest.raises(berth.ScenarioError):
        env.reset(options={"spacecraft.servicer.mas": 1})
    with pytest.raises(RuntimeError):
        berth.gym.DockingEnv().step(np.zeros(3, np.float32))


def pilot(observation, env):
    """Closes at 5 cm/s along the axis, and corrects sideways."""
    reach = 1 / env.task.scale[0]
    r, v = observation[:3] * reach, observation[3:6] * 0.5
    bias = np.array([0, 0.03, 0.02])
    wanted = -0.04 * (r - bias)
    wanted[0] = min(0.2, 0.06 + 0.02 * max(0.0, -r[0] - 0.5))
    force = 750 * 0.25 * (wanted - v)
    return np.clip(force / berth.gym.FORCE, -1, 1).astype(np.float32)


def test_a_pilot_docks():
    env = berth.gym.DockingEnv(rigid=True, distance=5.0)
    observation, _ = env.reset(seed=2)
    total, ended = 0.0, False
    while not ended:
        observation, reward, terminated, truncated, info = env.step(pilot(observation, env))
        assert env.observation_space.contains(observation)
        total += float(reward)
        ended = terminated or truncated
    assert info["verdict"] == "captured" and terminated
    assert total > 80


def test_episodes_end():
    env = berth.gym.DockingEnv(rigid=True, distance=3.0, stop=30.0)
    env.reset(seed=1)
    for k in range(1, 1000):
        _, _, terminated, truncated, info = env.step(np.zeros(3, np.float32))
        if terminated or truncated:
            break
    assert truncated and not terminated and info["t"] == pytest.approx(30) and k == round(30 / env.dt)
    env = berth.gym.DockingEnv(rigid=True, distance=3.0)
    env.reset(seed=1)
    ended = False
    while not ended:
        _, _, terminated, truncated, info = env.step(np.array([-1, 0, 0], np.float32))
        ended = terminated or truncated
    assert terminated and info["verdict"] == "out of reach"


def find_pace(rigid, steps=3000):
    env = berth.gym.DockingEnv(rigid=rigid, stop=1e5)
    env.reset(seed=1)
    action = np.array([0.1, 0, 0], np.float32)
    begin = time.process_time()
    for _ in range(steps):
        env.step(action * np.float32(0.02))
    return steps / (time.process_time() - begin)


@pytest.mark.soak
def test_pace():
    """Steps a second on a quiet core."""
    flexible, rigid = find_pace(False), find_pace(True)
    print(f"{flexible:.0f} and {rigid:.0f} steps a second")
    assert flexible > 5000 and rigid > 15000
