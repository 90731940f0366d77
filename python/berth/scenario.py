# SPDX-License-Identifier: Apache-2.0
"""Scenario — what is to be run: a file, a text or dicts, with settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import _core, toml
from .channel import ChannelInfo
from .errors import UnknownName
from .result import Result
from .suggest import suggest


class Scenario:
    """A scenario with settings.

        s = berth.load("docking.toml")
        s["spacecraft.servicer.mass"] = 700.0        # kg; paths as those of `berth run --set`
        r = s.run()

    Numbers are in SI units, or in that of the key's ending (`tilt_deg`). Nothing is checked before it is
    needed, so that settings which only fit together may come one by one; check() and run() raise a
    ScenarioError that lists all that is wrong.
    """

    def __init__(
        self,
        content: str | Mapping[str, Any],
        settings: Mapping[str, Any] | None = None,
        *,
        name: str = "scenario",
        folder: str | os.PathLike[str] = ".",
    ) -> None:
        """From a TOML text, or from dicts: {"time": {"stop": 10}, "body": [{…}]}. `name` stands for the
        file in messages; craft of other files are searched for in `folder`."""
        if isinstance(content, str):
            self._text = content
        elif isinstance(content, Mapping):
            self._text = toml.write_table(content)
        else:
            raise TypeError(f"a scenario is a str or a dict, not {type(content).__name__}")
        self._name = str(name)
        self._folder = Path(folder)
        self._settings: list[tuple[str, str]] = []
        self.update(settings or {})

    # --- settings

    def __setitem__(self, path: str, value: Any) -> None:
        """Changes one input. A str is read as after `--set path=`: "fused", "[1, 2, 3]"."""
        if not isinstance(path, str):
            raise TypeError(f"a path is a str, not {type(path).__name__}")
        if not path or "=" in path:
            raise ValueError(f"a path is table.name.key, not {path!r}")
        self._settings.append((toml.write_setting(path), toml.write_setting(value)))

    def __getitem__(self, path: str) -> Any:
        """The value of an input: as it is written, or the default (in SI units)."""
        if not isinstance(path, str):
            raise TypeError(f"a path is a str, not {type(path).__name__}")
        try:
            return toml.find(self.to_dict(), path)
        except KeyError:
            pass
        whole = self.to_dict(complete=True)
        try:
            return toml.find(whole, path)
        except KeyError:
            raise UnknownName(f"the scenario has no {path}{suggest(path, list_paths(whole))}") from None

    def update(self, settings: Mapping[str, Any]) -> None:
        """Changes several inputs."""
        for path, value in settings.items():
            self[path] = value

    def copy(self, settings: Mapping[str, Any] | None = None) -> Scenario:
        """Another of the same, with further settings."""
        out = Scenario(self._text, name=self._name, folder=self._folder)
        out._settings = list(self._settings)
        out.update(settings or {})
        return out

    # --- what it is

    @property
    def name(self) -> str:
        """Of the file."""
        return self._name

    def to_toml(self, complete: bool = False) -> str:
        """A scenario file that stands alone: settings and the craft of other files worked in. `complete`:
        with all defaults, in SI units."""
        if complete:
            return self._simulation().scenario()
        settings = [f"{path}={value}" for path, value in self._settings]
        return _core.expand(self._text, self._name, self._folder, settings)

    def to_dict(self, complete: bool = False) -> dict[str, Any]:
        """to_toml() as dicts, lists and values."""
        return toml.parse(self.to_toml(complete))

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes to_toml()."""
        Path(file).write_text(self.to_toml(), encoding="utf-8")

    def check(self) -> None:
        """Raises the ScenarioError that running would raise."""
        self._simulation().check()

    def channels(self) -> dict[str, ChannelInfo]:
        """All that can be recorded, by name."""
        return {c[0]: ChannelInfo(*c) for c in self._simulation().channels()}

    def _simulation(self) -> _core.Simulation:
        return _core.Simulation(self._text, self._name, self._folder, self._settings)

    # --- running

    def run(
        self,
        out: str | os.PathLike[str] | None = None,
        *,
        progress: bool | None = None,
    ) -> Result:
        """Runs it to its end. `out`: the result is also written there while it runs (.h5 or .csv).

        A bar shows how far it is, in a terminal and in a notebook (`progress` = None). Ctrl-C ends the
        run: what there is comes back, with the outcome "interrupted" and an InterruptedWarning."""
        from .simulation import Simulation

        return Simulation(self, out=out).run(progress=progress)

    def __repr__(self) -> str:
        lines = "".join(f"\n  {path} = {value}" for path, value in self._settings)
        return f"<berth.Scenario {self._name}{lines}>"


def list_paths(table: Any, above: str = "") -> list[str]:
    """Of all values in dicts and lists of them."""
    out: list[str] = []
    if isinstance(table, dict):
        members = list(table.items())
    elif isinstance(table, list) and table and all(isinstance(m, dict) for m in table):
        members = [(str(m.get("name", k + 1)), m) for k, m in enumerate(table)]
    else:
        return [above]
    for name, value in members:
        out.extend(list_paths(value, f"{above}.{name}" if above else name))
    return out


def load(file: str | os.PathLike[str], settings: Mapping[str, Any] | None = None) -> Scenario:
    """Reads a scenario file (TOML), with settings: berth.load("docking.toml", {"time.stop": 400})."""
    path = Path(file)
    return Scenario(_core.read_text(path), settings, name=str(path), folder=path.parent)
