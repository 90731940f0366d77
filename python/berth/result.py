# SPDX-License-Identifier: Apache-2.0
"""Result — what was recorded of a run, and what it came to."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _core, toml
from .channel import Channel, ChannelInfo
from .errors import UnknownName
from .page import show_page
from .suggest import suggest

if TYPE_CHECKING:
    import pandas
    import xarray

Side = Literal["after", "before", "both"]
SIDES = ("after", "before", "both")


@dataclass(frozen=True)
class Event:
    """Something that happened: contact_on, impact, latch, event, …"""

    t: float  #: [s]
    kind: str
    name: str
    numbers: dict[str, float] = field(default_factory=dict)

    def __getitem__(self, number: str) -> float:
        try:
            return self.numbers[number]
        except KeyError:
            what = f"{self.kind} {self.name} has no {number}"
            raise UnknownName(what + suggest(number, self.numbers)) from None

    def __repr__(self) -> str:
        numbers = "".join(f"  {k} {v:.6g}" for k, v in self.numbers.items())
        return f"<{self.t:.6f} s  {self.kind} {self.name}{numbers}>"


class Events(list[Event]):
    """What happened, in order."""

    def find(self, kind_or_name: str) -> Events:
        """Those of this kind or name: "latch", "capture_hard"."""
        return Events(e for e in self if kind_or_name in (e.kind, e.name))

    def __repr__(self) -> str:
        if not self:
            return "<no events>"
        return "\n".join(repr(e) for e in self)


class Summary(Mapping[str, float | str]):
    """What a run came to, by paths: summary["docks.joint.force_peak"], or summary.docks.joint.force_peak.
    `unit(path)` and `meaning(path)` say what a value is."""

    def __init__(self, fields: Mapping[str, tuple[float | str, str, str]], below: str = "") -> None:
        self._fields = fields
        self._below = below

    def _path(self, path: str) -> str:
        return self._below + path

    def _find(self, path: str) -> tuple[float | str, str, str]:
        try:
            return self._fields[self._path(path)]
        except (KeyError, TypeError):
            raise UnknownName(f"the summary has no {path}{suggest(path, list(self))}") from None

    def __getitem__(self, path: str) -> float | str:
        return self._find(path)[0]

    def unit(self, path: str) -> str:
        """The unit of a value; "" where there is none."""
        return self._find(path)[1]

    def meaning(self, path: str) -> str:
        """What a value is."""
        return self._find(path)[2]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        whole = self._path(name)
        if whole in self._fields:
            return self._fields[whole][0]
        if any(path.startswith(whole + ".") for path in self._fields):
            return Summary(self._fields, whole + ".")
        raise AttributeError(f"the summary has no {whole}{suggest(name, self._names())}")

    def _names(self) -> list[str]:
        return list(dict.fromkeys(path.split(".")[0] for path in self))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names()]

    def __iter__(self) -> Iterator[str]:
        n = len(self._below)
        return (path[n:] for path in self._fields if path.startswith(self._below))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        rows = []
        for path in self:
            value, unit, _ = self._find(path)
            text = f"{value:.6g}" if isinstance(value, float) else value
            rows.append(f"{path:40} {text} {unit if unit != '-' else ''}".rstrip())
        return "\n".join(rows)


class Group:
    """Channels that share their times: those of the result itself, or of a group of [record]."""

    def __init__(self, core: _core.Result, name: str, rows: int, channels: list[Any]) -> None:
        self._core = core
        self.name = name
        self.rows = rows
        self.channels: dict[str, ChannelInfo] = {c[0]: ChannelInfo(*c) for c in channels}

    @property
    def t(self) -> NDArray[np.float64]:
        """[s] of its rows."""
        return self._core.times(self.name)

    def __getitem__(self, name: str) -> Channel:
        """A channel, or one number of it: "tip.force", "servicer.omega_BN_B.x"."""
        if not isinstance(name, str):
            raise TypeError(f"a channel is named by a str, not {type(name).__name__}")
        info = self.channels.get(name)
        if info:
            return Channel.make(self._core.values(name, self.name), info)
        whole, _, part = name.rpartition(".")
        of = self.channels.get(whole)
        if of and name in of.parts and of.width > 1:
            numbers = self._core.values(whole, self.name)[:, of.parts.index(name)]
            return Channel.make(numbers, ChannelInfo(name, of.unit, "", f"{of.description}, {part}", 1))
        raise UnknownName(f"the result has no channel {name}{suggest(name, self.channels)}")

    def __contains__(self, name: object) -> bool:
        try:
            self[name]  # type: ignore[index]
        except (KeyError, TypeError):
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def __len__(self) -> int:
        return len(self.channels)

    def _rows(self, side: Side) -> Any:
        if side not in SIDES:
            raise ValueError(f'side is "after", "before" or "both", not {side!r}')
        if side == "both" or "row.side" not in self.channels:
            return slice(None)
        sides = self["row.side"].view(np.ndarray)
        return sides >= 0 if side == "after" else sides <= 0

    def _choose(self, channels: str | Sequence[str] | None) -> list[str]:
        if channels is None:
            return [c for c in self.channels if c != "row.side"]
        return [channels] if isinstance(channels, str) else list(channels)

    def to_dataframe(
        self, channels: str | Sequence[str] | None = None, side: Side = "after"
    ) -> pandas.DataFrame:
        """A pandas DataFrame by time [s]: all channels, or those named; vectors as name.x, name.y, name.z.

        At an instant at which something happens there are two rows: side = "after" or "before" takes one
        of them, so that times are unique, "both" takes both. Units are in `.attrs["units"]`."""
        import pandas

        rows = self._rows(side)
        columns: dict[str, NDArray[np.float64]] = {}
        units: dict[str, str] = {}
        for name in self._choose(channels):
            values = self[name]
            assert values.info
            numbers = values.view(np.ndarray)[rows]
            for k, part in enumerate(values.info.parts):
                columns[part] = numbers if numbers.ndim == 1 else numbers[:, k]
                units[part] = values.unit
        frame = pandas.DataFrame(columns, index=pandas.Index(self.t[rows], name="t"))
        frame.attrs["units"] = units
        return frame

    def to_xarray(
        self, channels: str | Sequence[str] | None = None, side: Side = "after"
    ) -> xarray.Dataset:
        """An xarray Dataset over t [s]; vectors have the dimension xyz, quaternions wxyz. Variables have
        unit, frame and description as attributes. `side` as in to_dataframe()."""
        import xarray

        rows = self._rows(side)
        variables: dict[str, Any] = {}
        coordinates: dict[str, Any] = {"t": ("t", self.t[rows], {"units": "s"})}
        for name in self._choose(channels):
            values = self[name]
            assert values.info
            facts = {"units": values.unit, "frame": values.frame, "description": values.description}
            dimensions = ["t"]
            if values.ndim == 2:
                letters = "wxyz"[4 - values.info.width :]
                dimensions.append(letters)
                coordinates[letters] = list(letters)
            variables[name] = (dimensions, values.view(np.ndarray)[rows], facts)
        return xarray.Dataset(variables, coordinates)

    def __repr__(self) -> str:
        return f"<group {self.name or 'of the result'}: {self.rows} rows of {len(self)} channels>"


class Result(Group):
    """What was recorded of a run: just run, or read from a file with berth.open(); both have the same
    numbers.

        r.t, r["tip.force"]                  times [s], a channel
        r.outcome, r.verdict, r.events       how it ended, what it came to, what happened
        r.summary, r.audit                   all that was summed up; how well it conserved energy, …
    """

    def __init__(self, core: _core.Result) -> None:
        groups = core.groups()
        super().__init__(core, *groups[0])
        self.groups: dict[str, Group] = {g[0]: Group(core, *g) for g in groups[1:]}
        self._summary: Summary | None = None
        self._events: Events | None = None

    @property
    def outcome(self) -> str:
        """How it ended: reached_end, stopped, interrupted, stuck, …"""
        return self._core.outcome

    @property
    def reason(self) -> str:
        """A sentence on how it ended, where there is something to say."""
        return self._core.reason

    @property
    def verdict(self) -> str:
        """What became of the capture: captured, bounced_off, …; "" when nothing gave one."""
        return self._core.verdict

    @property
    def t_end(self) -> float:
        """[s] at which it ended."""
        return self._core.t_end

    @property
    def completed(self) -> bool:
        """It reached its end, or an event stopped it."""
        return self._core.completed

    @property
    def as_expected(self) -> bool:
        """Completed, [expect] met, every audit a number."""
        return self._core.as_expected

    @property
    def is_verified(self) -> bool:
        """Digests show that nothing was damaged. Files of 0.1.0 have none; `warnings` says so."""
        return self._core.is_verified

    @property
    def warnings(self) -> list[str]:
        """What a reader of the result should know."""
        return self._core.warnings

    @property
    def failed(self) -> list[str]:
        """Expectations that were not met."""
        return self._core.failed

    @property
    def events(self) -> Events:
        """What happened."""
        if self._events is None:
            self._events = Events(Event(*e) for e in self._core.events())
        return self._events

    @property
    def summary(self) -> Summary:
        """All that was summed up, by paths."""
        if self._summary is None:
            self._summary = Summary({f[0]: f[1:] for f in self._core.fields()})
        return self._summary

    @property
    def audit(self) -> Summary:
        """How well energy and momentum were conserved, relative: audit.energy, audit.linear_momentum, …"""
        return Summary(self.summary._fields, "audit.")

    @property
    def scenario(self) -> str:
        """The complete scenario (TOML), with its settings and all defaults; it can be run again."""
        return self._core.scenario

    @property
    def title(self) -> str:
        """One line on what this is."""
        return str(toml.parse(self.scenario).get("title", ""))

    def to_dict(self) -> dict[str, Any]:
        """The summary as `berth run --json` prints it."""
        out: dict[str, Any] = json.loads(self._core.json)
        return out

    def save(self, file: str | os.PathLike[str]) -> None:
        """As .h5, the file that `berth run` would have written, or .csv."""
        self._core.save(Path(file))

    def to_html(self, file: str | os.PathLike[str] | None = None) -> str:
        """The page of the run, which a browser opens offline; also written to a file."""
        with tempfile.TemporaryDirectory() as folder:
            result, page = Path(folder, "result.h5"), Path(folder, "page.html")
            self.save(result)
            _core.make_page([result], page)
            text = page.read_text(encoding="utf-8")
        if file is not None:
            Path(file).write_text(text, encoding="utf-8")
        return text

    def show(self, height: int = 700) -> Any:
        """The page of the run: inside a notebook, elsewhere in a browser. `height` is in pixels."""
        return show_page(self.to_html(), height)

    def _facts(self) -> list[tuple[str, str]]:
        end = f"{self.outcome} at {self.t_end:g} s" + (f": {self.reason}" if self.reason else "")
        out = [("outcome", end)]
        if self.verdict:
            out.append(("verdict", self.verdict))
        audits = [f"{k.replace('_', ' ')} {v:.2g}" for k, v in self.audit.items() if isinstance(v, float)]
        out.append(("audit", ", ".join(audits)))
        out.append(("events", f"{len(self.events)}" + self._first_events()))
        out.append(("recorded", f"{self.rows} rows of {len(self)} channels" + self._other_groups()))
        out.extend(("not met", line) for line in self.failed)
        out.extend(("warning", line) for line in self.warnings[:3])
        if len(self.warnings) > 3:
            out.append(("", f"and {len(self.warnings) - 3} more warnings"))
        return out

    def _first_events(self) -> str:
        names = list(dict.fromkeys(e.name if e.kind == "event" else e.kind for e in self.events))
        return (": " + ", ".join(names[:6]) + (", …" if len(names) > 6 else "")) if names else ""

    def _other_groups(self) -> str:
        return "".join(f"; {g.name}: {g.rows} rows of {len(g)}" for g in self.groups.values())

    def __repr__(self) -> str:
        lines = "".join(f"\n  {name:9} {text}" for name, text in self._facts())
        return f"<berth.Result: {self.title}{lines}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
            f"<td style='text-align:left'>{html.escape(text)}</td></tr>"
            for name, text in self._facts()
        )
        return f"<b>{html.escape(self.title)}</b><table>{rows}</table>"

    def __reduce__(self) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "result.h5")
            self.save(file)
            return (_from_bytes, (file.read_bytes(),))


def _from_bytes(content: bytes) -> Result:
    # An open file stays readable without a name.
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "result.h5")
        file.write_bytes(content)
        return Result(_core.Result.open(file))
