# SPDX-License-Identifier: Apache-2.0
"""Sweeps — one scenario many times over, with inputs varied, on all cores."""

from __future__ import annotations

import math
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core, toml
from .errors import UnknownName
from .page import show_page
from .progress import show_progress
from .result import Result
from .scenario import Scenario, load
from .suggest import suggest

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Spread:
    """How an input is varied: uniform(), normal(), lin(), log()."""

    kind: str
    numbers: tuple[float, ...]

    def __post_init__(self) -> None:
        for x in self.numbers:
            if isinstance(x, bool) or not isinstance(x, (int, float, np.integer, np.floating)):
                raise TypeError(f"{self.kind}() takes numbers, not {x!r}")
            if not math.isfinite(x):
                raise ValueError(f"{self.kind}() takes finite numbers, not {x!r}")

    @property
    def is_random(self) -> bool:
        """Whether it is drawn."""
        return self.kind in ("uniform", "normal")

    def __str__(self) -> str:
        return f"{self.kind}({','.join(toml.write_value(x) for x in self.numbers)})"


def uniform(low: float, high: float) -> Spread:
    """Random: anywhere between low and high."""
    return Spread("uniform", (low, high))


def normal(mean: float, deviation: float) -> Spread:
    """Random: normally distributed, with this mean and standard deviation."""
    return Spread("normal", (mean, deviation))


def lin(first: float, last: float, count: int) -> Spread:
    """`count` values from first to last, evenly spaced."""
    return Spread("lin", (first, last, count))


def log(first: float, last: float, count: int) -> Spread:
    """`count` values from first to last, evenly spaced in their logarithm."""
    return Spread("log", (first, last, count))


class SweepTable:
    """A table with a row per case: its inputs, how it ended, and what was collected of its summary.

    t["spacecraft.servicer.mass"]        an input of all cases
    t["verdict"], t["outcome"]           texts
    t.to_dataframe()
    t.replay(17)                         case 17 again, with all its channels
    """

    def __init__(self, file: Path, scratch: str | None = None) -> None:
        self.file = file
        if scratch:
            weakref.finalize(self, shutil.rmtree, scratch, ignore_errors=True)
        self.title, self.scenario, columns, inputs = _core.open_sweep(file)
        self.units: dict[str, str] = {name: unit for name, unit, _, _ in columns}
        self.descriptions: dict[str, str] = {name: text for name, _, text, _ in columns}
        self._columns: dict[str, NDArray[Any]] = {
            name: np.array(values, dtype=object) if isinstance(values, list) else values
            for name, _, _, values in columns
        }
        self.inputs: list[str] = [c[0] for c in columns[1 : 1 + inputs]]

    @property
    def columns(self) -> list[str]:
        """Names of all columns."""
        return list(self._columns)

    def __getitem__(self, column: str) -> NDArray[Any]:
        try:
            return self._columns[column]
        except (KeyError, TypeError):
            what = f"the sweep has no column {column}"
            raise UnknownName(what + suggest(column, self._columns)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """Number of cases."""
        return len(self._columns["case"])

    def to_dataframe(self) -> pandas.DataFrame:
        """A pandas DataFrame by case; units are in `.attrs["units"]`."""
        import pandas

        columns = {k: v for k, v in self._columns.items() if k != "case"}
        if "as_expected" in columns:
            columns["as_expected"] = columns["as_expected"].astype(bool)
        frame = pandas.DataFrame(columns, index=pandas.Index(self["case"].astype(int), name="case"))
        frame.attrs["units"] = self.units
        return frame

    def case(self, number: int) -> Scenario:
        """The scenario of a case."""
        text, settings = _core.open_case(self.file, number)
        out = Scenario(text, name=f"case {number}")
        for setting in settings:
            path, _, value = setting.partition("=")
            out[path] = value
        return out

    def replay(self, number: int, *, progress: bool | None = None) -> Result:
        """Runs a case again; the same numbers, with all channels."""
        return self.case(number).run(progress=progress)

    def save(self, file: str | os.PathLike[str]) -> None:
        """The file `berth sweep` would have written (.h5)."""
        shutil.copyfile(self.file, file)

    def show(self, height: int = 700) -> Any:
        """The page of the sweep: inside a notebook, elsewhere in a browser. `height` is in pixels."""
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.html")
            _core.make_page([self.file], page)
            return show_page(page.read_text(encoding="utf-8"), height)

    def __repr__(self) -> str:
        ends: dict[str, int] = {}
        for verdict, outcome in zip(self["verdict"], self["outcome"], strict=True):
            ends[verdict or outcome] = ends.get(verdict or outcome, 0) + 1
        counts = ", ".join(f"{n} {end}" for end, n in sorted(ends.items(), key=lambda e: -e[1]))
        return (
            f"<berth.SweepTable: {self.title}\n  {len(self)} cases: {counts}"
            f"\n  varied {', '.join(self.inputs)}; {len(self.columns)} columns>"
        )


def describe_vary(path: str, spread: Any) -> str:
    if isinstance(spread, Spread):
        return f"{path}={spread}"
    if isinstance(spread, str):
        return f"{path}={spread}"
    if hasattr(spread, "tolist"):
        spread = spread.tolist()
    if isinstance(spread, Sequence):
        return f"{path}={toml.write_value(spread)}"
    raise TypeError(f"{path} is varied by uniform(), normal(), lin(), log() or a list, not {spread!r}")


def sweep(
    scenario: Scenario | str | os.PathLike[str],
    vary: Mapping[str, Any] | None = None,
    *,
    samples: int | None = None,
    seed: int | None = None,
    collect: Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    fresh: bool = False,
    progress: bool | None = None,
) -> SweepTable:
    """Runs a scenario once for every combination of the varied inputs, on all cores.

        berth.sweep(s, {"spacecraft.servicer.mass": berth.uniform(600, 800)}, samples=1000, seed=7)

    `vary`: paths with uniform(), normal(), lin(), log() or a list of values; without it, and without
    samples or a seed, what [sweep] of the scenario says. `collect`: patterns of paths of the summary to
    keep, as "docks.*". Rows have the same bytes whatever the number of `threads`, and are those of `berth
    sweep`. `out` keeps the table as a file (.h5); an interrupted sweep with one goes on from there when it
    is called again (`fresh`: starts over). Ctrl-C raises KeyboardInterrupt."""
    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    texts = [toml.write_setting(describe_vary(path, spread)) for path, spread in (vary or {}).items()]
    for what, number, least in (("samples", samples, 1), ("seed", seed, 0), ("threads", threads, 1)):
        if number is not None and not least <= number < 2**31:
            raise ValueError(f"{what} is a whole number from {least} on, not {number}")
    scratch = None
    if out is None:
        scratch = tempfile.mkdtemp(prefix="berth_")
    file = Path(scratch, "sweep.h5") if scratch else Path(os.fspath(out))  # type: ignore[arg-type]
    settings = [f"{path}={value}" for path, value in scenario._settings]
    try:
        with show_progress(progress, count_cases(vary or {}, samples), "cases", "sweep") as show:
            _core.sweep(
                scenario._text, scenario.name, scenario._folder, texts, settings, samples or 0, seed,
                list(collect), file, threads or 0, fresh, show,
            )  # fmt: skip
    except BaseException:
        if scratch:
            shutil.rmtree(scratch, ignore_errors=True)
        raise
    return SweepTable(file, scratch)


def count_cases(vary: Mapping[str, Any], samples: int | None) -> float:
    """For the bar; inf where the scenario says how many there are."""
    if not vary:
        return math.inf
    count = 1.0
    for spread in vary.values():
        if isinstance(spread, Spread):
            count *= 1 if spread.is_random else spread.numbers[2]
        elif not isinstance(spread, str):
            count *= len(spread)
    return count * (samples or 1)
