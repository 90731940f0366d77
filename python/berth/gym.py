# SPDX-License-Identifier: Apache-2.0
"""A docking for learning agents: Gymnasium's environment berth/Docking-v0.

    import gymnasium
    import berth.gym                                    # registers it
    env = gymnasium.make("berth/Docking-v0")            # rigid=True: without panels and fuel, faster

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

Time counts from the first observation, `dt` after the start. The same seed, options and actions give the
same bits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from importlib import resources
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces
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
    ) -> None:
        """`rigid`: without panels and fuel. `distance` [m] from probe to cone at the start, `stop` [s] the
        longest episode, `dt` [s] from action to action."""
        self.render_mode = render_mode
        self.dt, self.stop, self.distance = float(dt), float(stop), float(distance)
        self.scenario = make_scenario(rigid, self.distance, self.stop, self.dt)
        self.action_space = spaces.Box(-1, 1, (3,), np.float32)
        self.observation_space = spaces.Box(-1, 1, (13,), np.float32)
        reach = max(20.0, self.distance)
        # Of MEASURED, one number after the other; in place of the distance the time that is left.
        self._scale = 1 / np.array([*[reach] * 3, *[0.5] * 3, math.radians(10), 500, 1, stop])
        self._now = np.zeros(10)
        self._sim: Simulation | None = None
        self._count, self._most = 0, math.ceil(self.stop / self.dt - 1e-9)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        settings: dict[str, Any] = {"sensor.navigation.seed": int(self.np_random.integers(1, 2**31))}
        settings.update(self._draw(options or {}))
        sim = Simulation(self.scenario.copy(settings), keep=False)
        sim.command("agent", {"force": np.zeros(3)})
        self._sim, self._count = sim, 0
        self._action = [0.0, 0.0, 0.0]
        sim.run_until(self.dt)  # the first observation; no action before
        sim.measured("agent", self._now)
        self._start = self._distance = float(self._now[9])
        return self._observe(), {"settings": settings}

    def _draw(self, options: Mapping[str, Any]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for path, value in options.items():
            if isinstance(value, Spread):
                if not value.is_random:
                    raise ValueError(f"{path}: an episode takes a value, uniform() or normal()")
                draw = self.np_random.uniform if value.kind == "uniform" else self.np_random.normal
                value = float(draw(value.numbers[0], value.numbers[1]))
            out[path] = value
        return out

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
        reward = 10 * (before - distance) / self._start - 0.01 * (x * x + y * y + z * z) - 0.002
        if distance < 1:
            reward -= 0.05 * max(0.0, (before - distance) / self.dt / 0.1 - 1)
        verdict = "" if goes_on else sim.verdict or sim.outcome
        lost = distance > 1.5 * self._start
        if verdict:
            reward += 100 if verdict == "captured" else -50
        elif lost:
            reward -= 20
        terminated = bool(verdict) or lost
        truncated = not terminated and self._count >= self._most
        info: dict[str, Any] = {"t": self._count * self.dt, "distance": distance}
        if terminated or truncated:
            info["verdict"] = verdict or ("out of reach" if lost else "")
        return self._observe(), reward, terminated, truncated, info

    def _observe(self) -> NDArray[np.float32]:
        self._now[9] = self.stop - self._count * self.dt
        return _core.to_box(self._now, self._scale, self._action)

    def close(self) -> None:
        self._sim = None


gymnasium.register(id="berth/Docking-v0", entry_point="berth.gym:DockingEnv")
