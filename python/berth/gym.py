# SPDX-License-Identifier: Apache-2.0
"""A docking for learning agents: Gymnasium's environment berth/Docking-v0.

    import gymnasium
    import berth.gym                                    # registers it
    env = gymnasium.make("berth/Docking-v0")            # rigid=True: without panels and fuel, faster
    envs = gymnasium.make_vec("berth/Docking-v0", num_envs=64)      # side by side on one core

A servicer starts at rest some metres behind the cone of a target, on V-bar; the agent pushes it with
thrusters until its probe is captured. Attitude is held by wheels, as in scenarios/docking.toml, which it
is made from (with the integrator dopri5); thrusters and wheels rest from the touch on.

action       Box(-1, 1, (3,)), float32: the force asked of the thrusters in units of 3 N; LVLH axes
             (x along V-bar, towards the target, z down). It acts one step of `dt` seconds later, as the
             controller's does there, and is held for one step.
observation  Box(-1, 1, (13,)), float32:
               0-2    position of the probe from the cone's apex, LVLH axes, as navigation measures it,
                      in units of 20 m (of the first distance, where that is more); 3-5 velocity, of 0.5 m/s
               6      angle between the axes of the ports, of 10°
               7      force of the contact, of 500 N
               8      1 while they touch, else 0
               9      share of the time that is left
               10-12  the action that acts from now on
             each held to ±1.
reward       in every step, with the distance d of the ports [m], the speed v at which it shrinks [m/s], and
             the action a:
               10 (d_before − d_now) / d_start − 0.01 |a|² − 0.002 − 0.05 max(0, v/0.1 − 1) [d < 1 m]
             at the end: +100 captured, −50 any other verdict, −20 out of reach
terminated   when the capture has a verdict (captured, missed, bounced_off, overload, …), or the probe is
             farther than 1.5 times the first distance from the cone
truncated    after `stop` seconds

Dispersions: reset(options={"path": value, …}) with the paths of settings, and values or berth.uniform()
and berth.normal(), which are drawn with the environment's seed:

    env.reset(seed=4, options={"spacecraft.servicer.state.position.y": berth.normal(0, 0.5)})

An environment made with dispersions={"path": value, …} has these in every episode, but for paths that
options name.

Time counts from the first observation, `dt` after the start. The same seed, options and actions give the
same bits, alone and side by side.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, SupportsFloat, TypeVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import _core
from .scenario import Scenario
from .simulation import Simulation
from .sweep import Spread

FORCE = 3.0  # [N]
MEASURED = [
    "navigation.position",
    "navigation.velocity",
    "capture.tilt",
    "tip.force",
    "tip.touching",
    "capture.distance",
]
# What rests while the craft touch.
RESTING = (("force", "jets"), ("control", "pointing"), ("control", "keeping"))


# Rewards of an end; another verdict has OTHERWISE.
REWARDS = {"captured": 100.0, "out of reach": -20.0}
OTHERWISE = -50.0

Float = TypeVar("Float", float, NDArray[np.float64])


def make_scenario(rigid: bool, distance: float, stop: float, dt: float) -> Scenario:
    """docking.toml up to the capture, with the agent in place of the approach controller."""
    text = resources.files("berth").joinpath("docking.toml").read_text(encoding="utf-8")
    whole = Scenario(text, name="docking.toml").to_dict()
    whole["integrator"]["method"] = "dopri5"  # for steps as short as these
    whole["time"] = {"stop": stop + 2 * dt}  # the environment ends it
    whole["record"] = {"scene": False, "at_events": False, "interval": stop}
    whole["control"] = [c for c in whole["control"] if c["name"] in ("pointing", "keeping")]
    rest = [{kind: name, "enable": False} for kind, name in RESTING]
    whole["event"] = [{"name": "touch", "after": "capture_touch", "do": rest}]
    whole["capture"][0]["stop"] = True
    for jets in whole["force"]:
        if jets["name"] == "jets":
            jets["sample_time"] = dt
    whole["external"] = [
        {
            "name": "agent",
            "sample_time": dt,
            "measures": MEASURED,
            "commands": [{"name": "force", "to": "jets", "as": "force", "axes": "lvlh", "limit": FORCE}],
        }
    ]
    for unwanted in ("expect", "sweep"):
        whole.pop(unwanted, None)
    for craft in whole["spacecraft"]:
        if rigid:
            wheels = [c for c in craft.get("component", []) if c["type"] == "reaction_wheel"]
            craft["component"] = wheels
        if craft["name"] == "servicer":
            craft["state"]["position"] = [-distance, 0, 0]
    return Scenario(whole, name="docking.toml")


class Task:
    """What a docking is, for one environment or many."""

    def __init__(
        self, rigid: bool, distance: float, stop: float, dt: float, dispersions: Mapping[str, Any] | None
    ) -> None:
        self.dt, self.stop, self.distance = float(dt), float(stop), float(distance)
        self.dispersions = dict(dispersions or {})
        self.scenario = make_scenario(rigid, self.distance, self.stop, self.dt)
        self.action_space = spaces.Box(-1, 1, (3,), np.float32)
        self.observation_space = spaces.Box(-1, 1, (13,), np.float32)
        reach = max(20.0, self.distance)
        # Of MEASURED, one number after the other; in place of the distance the time that is left.
        self.scale = 1 / np.array([*[reach] * 3, *[0.5] * 3, math.radians(10), 500, 1, stop])
        self.most = math.ceil(self.stop / self.dt - 1e-9)

    def draw(self, random: np.random.Generator, options: Mapping[str, Any]) -> dict[str, Any]:
        """Settings of an episode."""
        out: dict[str, Any] = {"sensor.navigation.seed": int(random.integers(1, 2**31))}
        for path, value in {**self.dispersions, **options}.items():
            if isinstance(value, Spread):
                if not value.is_random:
                    raise ValueError(f"{path}: an episode takes a value, uniform() or normal()")
                draw = random.uniform if value.kind == "uniform" else random.normal
                value = float(draw(value.numbers[0], value.numbers[1]))
            out[path] = value
        return out

    def find_reward(
        self, before: Float, distance: Float, start: Float, action: Sequence[Float] | NDArray[np.float64]
    ) -> Float:
        """Of a step, but for what an end brings: numbers, or arrays of them."""
        x, y, z = action
        excess = (before - distance) / self.dt / 0.1 - 1
        hasty = (distance < 1) * (excess > 0) * excess
        return 10 * (before - distance) / start - 0.01 * (x * x + y * y + z * z) - 0.002 - 0.05 * hasty


class DockingEnv(gymnasium.Env[NDArray[np.float32], NDArray[np.float32]]):
    """See the head of berth.gym."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        rigid: bool = False,
        distance: float = 10.0,
        stop: float = 400.0,
        dt: float = 0.2,
        render_mode: str | None = None,
        dispersions: Mapping[str, Any] | None = None,
    ) -> None:
        """`rigid`: without panels and fuel. `distance` [m] from probe to cone at the start, `stop` [s] the
        longest episode, `dt` [s] from action to action, `dispersions` of every episode."""
        self.render_mode = render_mode
        self.task = task = Task(rigid, distance, stop, dt, dispersions)
        self.dt, self.stop, self.distance = task.dt, task.stop, task.distance
        self.scenario = task.scenario
        self.action_space, self.observation_space = task.action_space, task.observation_space
        self._now = np.zeros(10)
        self._sim: Simulation | None = None
        self._count = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        settings = self.task.draw(self.np_random, options or {})
        sim = Simulation(self.scenario.copy(settings), keep=False)
        sim.command("agent", {"force": np.zeros(3)})
        self._sim, self._count = sim, 0
        self._action = [0.0, 0.0, 0.0]
        sim.run_until(self.dt)  # the first observation; no action before
        sim.measured("agent", self._now)
        self._start = self._distance = float(self._now[9])
        return self._observe(), {"settings": settings}

    def step(
        self, action: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], SupportsFloat, bool, bool, dict[str, Any]]:
        sim = self._sim
        if sim is None:
            raise RuntimeError("reset() comes first")
        x, y, z = (1.0 if v > 1 else -1.0 if v < -1 else v for v in map(float, action))
        self._action, before = [x, y, z], self._distance
        self._count += 1
        force = [FORCE * x, FORCE * y, FORCE * z]
        goes_on = sim._core.exchange("agent", "force", force, (self._count + 1) * self.dt, self._now)
        self._distance = distance = float(self._now[9])
        reward = self.task.find_reward(before, distance, self._start, self._action)
        verdict = "" if goes_on else sim.verdict or sim.outcome
        if not verdict and distance > 1.5 * self._start:
            verdict = "out of reach"
        if verdict:
            reward += REWARDS.get(verdict, OTHERWISE)
        terminated = bool(verdict)
        truncated = not terminated and self._count >= self.task.most
        info: dict[str, Any] = {"t": self._count * self.dt, "distance": distance}
        if terminated or truncated:
            info["verdict"] = verdict
        return self._observe(), reward, terminated, truncated, info

    def _observe(self) -> NDArray[np.float32]:
        self._now[9] = self.stop - self._count * self.dt
        return _core.to_box(self._now, self.task.scale, self._action)

    def close(self) -> None:
        self._sim = None


class DockingVectorEnv(gymnasium.vector.VectorEnv[NDArray[np.float32], NDArray[np.float32], NDArray[Any]]):
    """Many of DockingEnv side by side on one core, with the bits of each alone.

    One call of the library steps them all. Where there is a C compiler, the mechanics is compiled for the
    lanes of the processor (docs/performance.md). Seeds, infos, resets by options["reset_mask"] and the
    modes of autoreset are as those of gymnasium.vector.SyncVectorEnv."""

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        rigid: bool = False,
        distance: float = 10.0,
        stop: float = 400.0,
        dt: float = 0.2,
        render_mode: str | None = None,
        dispersions: Mapping[str, Any] | None = None,
        *,
        compute: str = "auto",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        """As DockingEnv. `compute`: "auto" compiles in the background where there is a compiler, "compile"
        waits for it, "interpret" does without; the numbers are the same."""
        if num_envs < 1:
            raise ValueError(f"num_envs is {num_envs}: there is at least one environment")
        self.num_envs, self.render_mode = int(num_envs), render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.task = task = Task(rigid, distance, stop, dt, dispersions)
        self.single_action_space, self.single_observation_space = task.action_space, task.observation_space
        self.action_space = batch_space(task.action_space, self.num_envs)
        self.observation_space = batch_space(task.observation_space, self.num_envs)
        n = self.num_envs
        self._group: _core.SimulationGroup | None = _core.SimulationGroup(n, compute, "agent", "force")
        if compute == "compile" and not self._group.is_compiled:
            warnings.warn(f"interpreted: {self._group.note}", stacklevel=2)
        self._random: list[np.random.Generator | None] = [None] * n
        self._seeds: list[int] = [-1] * n
        self._has_begun = np.zeros(n, bool)
        self._has_ended = np.zeros(n, bool)
        self._goes_on = np.zeros(n, bool)
        self._count = np.zeros(n, np.int64)
        self._now, self._action = np.zeros((n, 10)), np.zeros((n, 3))
        self._start, self._distance = np.ones(n), np.ones(n)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """A seed is that of the first, the next ones follow; or one for each. Of options "reset_mask" says
        which are reset, an array of bool; the others stay as they are."""
        n = self.num_envs
        seeds: Sequence[int | None] = [None] * n
        if seed is not None:
            seeds = [seed + i for i in range(n)] if isinstance(seed, int) else seed
        if len(seeds) != n:
            raise ValueError(f"{len(seeds)} seeds for {n} environments")
        options = dict(options or {})
        mask = options.pop("reset_mask", np.ones(n, bool))
        is_mask = isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (n,)
        if not (is_mask and mask.any()):
            raise ValueError(f"reset_mask is an array of {n} bool, of which one at least is True")
        for i in np.flatnonzero(mask).tolist():
            if (s := seeds[i]) is not None:
                self._random[i], self._seeds[i] = seeding.np_random(s)
        infos: dict[str, Any] = {}
        self._begin(mask, options, infos)
        self._advance(mask)
        self._start = np.where(mask, self._distance, self._start)
        self._has_ended = self._has_ended & ~mask
        return self._observe(), infos

    def step(
        self, actions: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        if not self._has_begun.all():
            raise RuntimeError("reset() comes first")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._has_ended.any():
            which = np.flatnonzero(self._has_ended).tolist()
            raise RuntimeError(f"reset() comes first: the episodes of environments {which} are over")
        asked = np.asarray(actions, np.float64)
        if asked.shape != (self.num_envs, 3):
            raise ValueError(f"actions have the shape {(self.num_envs, 3)}, not {asked.shape}")
        if not np.isfinite(asked).all():
            which = np.flatnonzero(~np.isfinite(asked).all(axis=1)).tolist()
            raise ValueError(f"actions of environments {which} are not finite")
        task, infos = self.task, dict[str, Any]()
        self._count += 1
        self._action = np.clip(asked, -1, 1)
        before, again = self._distance, self._has_ended
        if again.any():
            self._begin(again, {}, infos)
        everyone = np.ones(self.num_envs, bool)
        self._advance(everyone)
        if again.any():
            self._start = np.where(again, self._distance, self._start)
        distance, acts = self._distance, ~again

        rewards = np.where(again, 0.0, task.find_reward(before, distance, self._start, self._action.T))
        lost = distance > 1.5 * self._start
        terminated = (lost | ~self._goes_on) & acts
        truncated = (self._count >= task.most) & acts & ~terminated
        ended = terminated | truncated
        verdicts = self._judge(ended, lost) if ended.any() else {}
        for i, verdict in verdicts.items():
            if verdict:
                rewards[i] += REWARDS.get(verdict, OTHERWISE)
        observations = self._observe()
        t = self._count * task.dt
        if self.autoreset_mode is AutoresetMode.SAME_STEP and verdicts:
            for i, verdict in verdicts.items():
                final = {"t": float(t[i]), "distance": float(distance[i]), "verdict": verdict}
                infos = self._add_info(infos, {"final_obs": observations[i], "final_info": final}, i)
            self._begin(ended, {}, infos)
            self._advance(ended)
            self._start = np.where(ended, self._distance, self._start)
            observations = self._observe()
            acts, ended = ~ended, np.zeros_like(ended)
        elif verdicts:
            texts = np.full(self.num_envs, None, dtype=object)
            texts[list(verdicts)] = list(verdicts.values())
            infos.update(verdict=texts, _verdict=ended.copy())
        if acts.any():
            infos.update(t=np.where(acts, t, 0.0), _t=acts)
            infos.update(distance=np.where(acts, distance, 0.0), _distance=acts.copy())
        self._has_ended = ended
        return observations, rewards, terminated, truncated, infos

    def _begin(self, which: NDArray[np.bool_], options: Mapping[str, Any], infos: dict[str, Any]) -> None:
        """Episodes of these environments, before their first observation."""
        if self._group is None:
            raise RuntimeError("the environments are closed")
        self._has_begun[which] = False
        for i in np.flatnonzero(which).tolist():
            settings = self.task.draw(self._random_of(i), options)
            scenario = self.task.scenario.copy(settings)
            self._group.replace(i, scenario._text, scenario._name, scenario._folder, scenario._settings)
            self._add_info(infos, {"settings": settings}, i)
        self._count[which], self._action[which] = 0, 0
        self._has_begun[which] = True

    def _advance(self, which: NDArray[np.bool_]) -> None:
        """One step of these environments. Where one fails, all must be reset."""
        if self._group is None:
            raise RuntimeError("the environments are closed")
        t = np.asarray((self._count + 1) * self.task.dt, np.float64)
        members = np.flatnonzero(which).tolist()
        try:
            self._group.exchange(members, FORCE * self._action, t, self._now, self._goes_on)
        except Exception:
            self._has_begun[:] = False
            raise
        self._distance = np.where(which, self._now[:, 9], self._distance)

    def _judge(self, ended: NDArray[np.bool_], lost: NDArray[np.bool_]) -> dict[int, str]:
        """Verdicts of these environments; "" where the time is over."""
        assert self._group is not None
        out: dict[int, str] = {}
        for i in np.flatnonzero(ended).tolist():
            out[i] = "out of reach" if lost[i] else ""
            if not self._goes_on[i]:
                out[i] = self._group.ending(i)
        return out

    def _observe(self) -> NDArray[np.float32]:
        self._now[:, 9] = self.task.stop - self._count * self.task.dt
        return _core.to_boxes(self._now, self.task.scale, self._action)

    def _random_of(self, i: int) -> np.random.Generator:
        random = self._random[i]
        if random is None:
            random, self._seeds[i] = seeding.np_random()
            self._random[i] = random
        return random

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """Of each environment."""
        return tuple(self._random_of(i) for i in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """Of each environment."""
        return tuple(self._seeds[: len(self.np_random)])

    def close_extras(self, **kwargs: Any) -> None:
        self._group = None
        self._has_begun[:] = False


gymnasium.register(
    id="berth/Docking-v0",
    entry_point="berth.gym:DockingEnv",
    vector_entry_point="berth.gym:DockingVectorEnv",
)
