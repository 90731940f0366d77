# SPDX-License-Identifier: Apache-2.0
"""Simulation — a run that goes on when it is told to."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import toml
from .channel import ChannelInfo
from .errors import InterruptedWarning
from .progress import show_progress
from .result import Event, Events, Result
from .scenario import Scenario

Participant = Callable[[float, dict[str, Any]], Mapping[str, Any] | None]


class External(NamedTuple):
    """A place where somebody else takes part."""

    name: str
    sample_time: float  #: [s]
    offset: float  #: [s]
    latency: float  #: [s]
    measures: list[ChannelInfo]
    commands: list[ChannelInfo]


class Signal(NamedTuple):
    """A state, input or output of a linear model."""

    name: str
    unit: str


@dataclass(frozen=True)
class LinearModel:
    """A linear model about a motion: ξ̇ = A ξ + B δu, δy = C ξ + D δu. Unpacks into A, B, C, D."""

    t: float  #: [s]
    A: NDArray[np.float64]
    B: NDArray[np.float64]
    C: NDArray[np.float64]
    D: NDArray[np.float64]
    x0: NDArray[np.float64]  #: where it was linearised; attitudes are zero there
    u0: NDArray[np.float64]
    y0: NDArray[np.float64]
    states: list[Signal]
    inputs: list[Signal]
    outputs: list[Signal]

    def __iter__(self) -> Iterator[NDArray[np.float64]]:
        return iter((self.A, self.B, self.C, self.D))

    def __repr__(self) -> str:
        sides = [f"{len(s)} {k}" for k, s in zip(("states", "inputs", "outputs"),
                 (self.states, self.inputs, self.outputs), strict=True)]  # fmt: skip
        names = "".join(f"\n  {s.name} [{s.unit}]" for s in self.states)
        return f"<berth.LinearModel at {self.t:g} s: {', '.join(sides)}; states{names}>"


class Simulation:
    """A run in pieces.

        sim = berth.Simulation(s)
        sim.run_until(330.0)                 # s
        sim.value("tip.force")               # N
        r = sim.run()                        # to the end

    In one piece or in many, a run has the same bits: no step is cut. One thread uses a simulation at a
    time; different ones run side by side, the interpreter's lock is not held meanwhile.
    """

    def __init__(
        self,
        scenario: Scenario | str | os.PathLike[str],
        *,
        out: str | os.PathLike[str] | None = None,
        keep: bool = True,
    ) -> None:
        """Of a Scenario, or of a file. `out`: the result is written there while it runs (.h5 or .csv).
        `keep` = False: no rows are kept in memory, and there is no result()."""
        if not isinstance(scenario, Scenario):
            from .scenario import load

            scenario = load(scenario)
        self.scenario = scenario.copy()
        self._core = self.scenario._simulation()
        self._participants: dict[str, Participant | None] = {}
        if keep:
            self._core.keep_result()
        if out is not None:
            self._core.write_result(Path(out))

    def set(self, path: str, value: Any) -> None:
        """Changes an input, as scenario[path] = value does."""
        self._core.set(toml.write_setting(path), toml.write_setting(value))

    def externals(self) -> dict[str, External]:
        """Places where somebody else takes part, by name: [[external]] of the scenario."""
        return {
            e[0]: External(*e[:4], [ChannelInfo(*s) for s in e[4]], [ChannelInfo(*s) for s in e[5]])
            for e in self._core.externals()
        }

    def connect(self, external: str, participant: Participant | None) -> None:
        """From its next sample on, participant(t, measured) is asked: t [s], and a dict of what the
        external measures (numbers, and arrays of 3 or 4). It answers with a dict of commands, those left
        out stay as they are; None is no answer. What it raises ends the run as "broken_off": run() and
        run_until() raise it, and result() has what there is."""
        if participant is not None and not callable(participant):
            raise TypeError(f"{external} is connected to a callable, not {participant!r}")
        self._core.connect(external, participant)
        self._participants[external] = participant  # keeps it alive

    def command(self, external: str, commands: Mapping[str, Any] | None) -> None:
        """From its next sample on, the external answers with these, until others are given; None: not at
        all. For who steps the run by himself."""
        self._core.command(external, None if commands is None else dict(commands))
        self._participants.pop(external, None)

    def measured(self, external: str, into: NDArray[np.float64]) -> None:
        """Fills an array with what a commanded external measured at its last sample, one number after the
        other in the order of `measures`."""
        self._core.read_measured(external, into)

    def save_state(self) -> bytes:
        """Everything the run is now, but for who is connected: restore_state() of a simulation of the same
        scenario goes on from there, bit for bit."""
        return self._core.save_state()

    def restore_state(self, state: bytes) -> None:
        """Goes on from what save_state() gave; what is recorded begins there."""
        self._core.restore_state(state)

    def run_until(self, t: float) -> bool:
        """Goes on up to t [s]; False when the run is over, there or before."""
        return self._core.run_until(t)

    def step(self, dt: float) -> bool:
        """Goes on by dt [s]; False when the run is over."""
        return self._core.run_until(self._core.t + dt)

    def run_to_event(self, kind_or_name: str) -> bool:
        """Goes on up to the next event of this kind or name, and past it: "contact_on", "capture_hard".
        False when the run is over without one."""
        return self._core.run_to_event(kind_or_name)

    def run(self, *, progress: bool | None = None) -> Result:
        """Goes on to the end. Ctrl-C ends the run: what there is comes back, with the outcome
        "interrupted" and an InterruptedWarning."""
        stop = float(toml.find(toml.parse(self._core.scenario()), "time.stop"))
        label = Path(self.scenario.name).stem
        try:
            with show_progress(progress, stop, "s", label) as show:
                self._core.run_until(float("inf"), show)
        except KeyboardInterrupt:
            if not self._core.is_over:
                raise
            what = f"interrupted at {self.t:g} s: the result has what there is"
            warnings.warn(what, InterruptedWarning, stacklevel=2)
        return self.result()

    @property
    def t(self) -> float:
        """[s]"""
        return self._core.t

    @property
    def is_over(self) -> bool:
        """Whether the run has come to its end."""
        return self._core.is_over

    def channels(self) -> dict[str, ChannelInfo]:
        """All that value() takes, by name."""
        return {c[0]: ChannelInfo(*c) for c in self._core.channels()}

    def value(self, name: str) -> Any:
        """A channel at the present time: a number ("tip.force", "servicer.omega_BN_B.x"), or an array of
        the 3 or 4 numbers of a vector or quaternion."""
        return self._core.value(name)

    def reader(self, names: Sequence[str]) -> Callable[[NDArray[np.float64]], None]:
        """A function that fills an array with these channels at the present time, one after the other:
        for who reads the same ones in every step."""
        wanted, core = [str(n) for n in names], self._core

        def read(into: NDArray[np.float64]) -> None:
            core.read(wanted, into)

        return read

    def linearise(self, inputs: Sequence[str] = (), outputs: Sequence[str] = ()) -> LinearModel:
        """The linear model about the present motion: A, B, C, D = sim.linearise(inputs, outputs).

        Inputs are "jets.force" of a thruster set, "servicer.force" and "servicer.torque" of a body, or
        "joint.effort" of a motor; without any, those of all craft and motors. Outputs are channels."""
        t, a, b, c, d, x0, u0, y0, states, given, seen = self._core.linearise(
            [str(i) for i in inputs], [str(o) for o in outputs]
        )
        n, m, p = len(states), len(given), len(seen)
        return LinearModel(
            t, a.reshape(n, n), b.reshape(n, m), c.reshape(p, n), d.reshape(p, m), x0, u0, y0,
            *([Signal(*s) for s in signals] for signals in (states, given, seen)),
        )  # fmt: skip

    @property
    def verdict(self) -> str:
        """What became of the capture, when the run is over; "" before."""
        return self._core.verdict if self._core.is_over else ""

    @property
    def outcome(self) -> str:
        """How the run ended, when it is over; "" before."""
        return self._core.outcome if self._core.is_over else ""

    def unit(self, name: str) -> str:
        """Of a channel."""
        return self._core.unit(name)

    def events(self) -> Events:
        """What has happened so far."""
        return Events(Event(*e) for e in self._core.events())

    def result(self) -> Result:
        """When the run is over."""
        return Result(self._core.result())

    def __repr__(self) -> str:
        over = ", over" if self.is_over else ""
        return f"<berth.Simulation of {self.scenario.name} at {self.t:g} s{over}>"
