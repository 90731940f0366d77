# SPDX-License-Identifier: Apache-2.0
"""Sweeps — one scenario many times over, with inputs varied, on all cores."""

from __future__ import annotations

import json
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
    import distributed
    import pandas


@dataclass(frozen=True)
class Spread:
    """How an input is varied: uniform(), normal(), lin(), log() and their kin."""

    kind: str
    numbers: tuple[float, ...]
    values: tuple[Any, ...] = ()  #: of discrete(): what the weights are of

    def __post_init__(self) -> None:
        for x in self.numbers:
            if isinstance(x, bool) or not isinstance(x, (int, float, np.integer, np.floating)):
                raise TypeError(f"{self.kind}() takes numbers, not {x!r}")
            if not math.isfinite(x):
                raise ValueError(f"{self.kind}() takes finite numbers, not {x!r}")

    @property
    def is_random(self) -> bool:
        """Whether it is drawn."""
        return self.kind not in ("lin", "log")

    def __str__(self) -> str:
        numbers = [toml.write_value(x) for x in self.numbers]
        if self.kind == "discrete":
            pairs = zip(self.values, numbers, strict=True)
            return f"discrete({','.join(f'{toml.write_value(v)}:{w}' for v, w in pairs)})"
        if self.kind == "table":
            pairs = zip(numbers[0::2], numbers[1::2], strict=True)
            return f"table({','.join(f'{x}:{p}' for x, p in pairs)})"
        return f"{self.kind}({','.join(numbers)})"


def uniform(low: float, high: float) -> Spread:
    """Random: anywhere between low and high."""
    return Spread("uniform", (low, high))


def normal(mean: float, deviation: float) -> Spread:
    """Random: normally distributed, with this mean and standard deviation."""
    return Spread("normal", (mean, deviation))


def truncated_normal(mean: float, deviation: float, low: float, high: float) -> Spread:
    """Random: normally distributed, drawn between low and high."""
    return Spread("truncated_normal", (mean, deviation, low, high))


def lognormal(median: float, deviation: float) -> Spread:
    """Random: its natural logarithm is normally distributed, with this standard deviation."""
    return Spread("lognormal", (median, deviation))


def triangular(low: float, peak: float, high: float) -> Spread:
    """Random: from low to high, most likely at the peak."""
    return Spread("triangular", (low, peak, high))


def discrete(weights: Mapping[Any, float]) -> Spread:
    """Random: one of the keys, numbers or texts, in proportion to its weight."""
    return Spread("discrete", tuple(weights.values()), tuple(weights))


def table(values: Sequence[float], cumulative: Sequence[float]) -> Spread:
    """Random: below each value with the cumulative probability beside it, from 0 to 1; linear between."""
    if len(values) != len(cumulative):
        raise ValueError("table() takes as many probabilities as values")
    pairs = zip(values, cumulative, strict=True)
    return Spread("table", tuple(float(x) for pair in pairs for x in pair))


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
        self.title, self.scenario, columns, inputs, self._cases, summary = _core.open_sweep(file)
        self.units: dict[str, str] = {name: unit for name, unit, _, _ in columns}
        self.descriptions: dict[str, str] = {name: text for name, _, text, _ in columns}
        self._is_text: dict[str, bool] = {name: is_text for name, _, _, is_text in columns}
        self._read: dict[str, NDArray[Any]] = {}
        self.inputs: list[str] = [c[0] for c in columns[1 : 1 + inputs]]
        self.summary: dict[str, Any] = json.loads(summary)

    @property
    def study(self) -> dict[str, Any] | None:
        """What a search or a stopping rule has found: probability, interval, contours …"""
        found = self.summary.get("study")
        return found if isinstance(found, dict) else None

    @property
    def columns(self) -> list[str]:
        """Names of all columns."""
        return list(self._is_text)

    def _rows(self, column: str, first: int, count: int) -> NDArray[Any]:
        values = _core.read_column(self.file, column, first, count)
        return np.array(values, dtype=object) if isinstance(values, list) else values

    def __getitem__(self, column: str) -> NDArray[Any]:
        if not isinstance(column, str) or column not in self._is_text:
            what = f"the sweep has no column {column}"
            raise UnknownName(what + suggest(column, self._is_text)) from None
        if column not in self._read:
            self._read[column] = self._rows(column, 0, self._cases)
        return self._read[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._is_text)

    def __len__(self) -> int:
        """Number of cases."""
        return self._cases

    def over_time(self, channel: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Times [s], and a channel of every case at these times [case, time]; NaN where a case has ended.
        Of channels that were asked for with `bands`."""
        known: list[str] = self.summary.get("bands", {}).get("channels", [])
        if channel not in known:
            raise UnknownName(f"{channel} was not kept over time" + suggest(channel, known))
        t, values, _ = _core.read_band(self.file, channel)
        return t, values.reshape(self._cases, len(t))

    def to_dataframe(self) -> pandas.DataFrame:
        """A pandas DataFrame by case; units are in `.attrs["units"]`."""
        import pandas

        columns = {k: self[k] for k in self if k != "case"}
        if "as_expected" in columns:
            columns["as_expected"] = columns["as_expected"].astype(bool)
        frame = pandas.DataFrame(columns, index=pandas.Index(self["case"].astype(int), name="case"))
        frame.attrs["units"] = self.units
        return frame

    def to_parquet(self, file: str | os.PathLike[str], rows: int = 100_000) -> None:
        """The table as a Parquet file, `rows` at a time; units are metadata of the columns."""
        import pyarrow
        import pyarrow.parquet

        fields = []
        for name, is_text in self._is_text.items():
            kind = pyarrow.string() if is_text else pyarrow.float64()
            kind = {"case": pyarrow.int64(), "as_expected": pyarrow.bool_()}.get(name, kind)
            fields.append(pyarrow.field(name, kind, metadata={"unit": self.units[name]}))
        schema = pyarrow.schema(fields)
        with pyarrow.parquet.ParquetWriter(os.fspath(file), schema) as writer:
            for first in range(0, self._cases, rows):
                count = min(rows, self._cases - first)
                arrays = []
                for field in schema:
                    values = self._rows(field.name, first, count)
                    if field.type in (pyarrow.int64(), pyarrow.bool_()):
                        values = values.astype(field.type.to_pandas_dtype())
                    arrays.append(pyarrow.array(values, type=field.type))
                writer.write_batch(pyarrow.record_batch(arrays, schema=schema))

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
    raise TypeError(f"{path} is varied by uniform(), normal(), lin(), log() … or a list, not {spread!r}")


def sweep(
    scenario: Scenario | str | os.PathLike[str],
    vary: Mapping[str, Any] | None = None,
    *,
    samples: int | None = None,
    seed: int | None = None,
    design: str | None = None,
    collect: Sequence[str] = (),
    bands: Sequence[str] = (),
    indices: bool = False,
    until: str = "",
    rare: str = "",
    boundary: Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    client: distributed.Client | None = None,
    fresh: bool = False,
    progress: bool | None = None,
) -> SweepTable:
    """Runs a scenario once for every combination of the varied inputs, on all cores.

        berth.sweep(s, {"spacecraft.servicer.mass": berth.uniform(600, 800)}, samples=1000, seed=7)

    `vary`: paths with uniform(), normal(), lin(), log() … or a list of values; without it, and without
    samples or a seed, what [sweep] and [dispersion] of the scenario say. `design`: how random ones are
    drawn, "random", "lhs", "sobol" or "halton". `collect`: patterns of paths of the summary to keep, as
    "docks.*". `bands`: channels to keep over time. `indices`: Sobol's indices of every random input, in
    samples · (inputs + 2) cases. `until`: stop when sure, as "captured ±0.5 % at 95 %". `rare`:
    probability of what hardly happens, as "contacts.tip.force_peak > 400". `boundary`: two inputs over
    which contours of success are sought.

    `client`: a Dask client; its workers run the cases, whatever cluster they are on. Rows have the same
    bytes whatever the number of `threads` or workers, and are those of `berth sweep`. `out` keeps the
    table as a file (.h5); an interrupted sweep with one goes on from there when it is called again
    (`fresh`: starts over). Ctrl-C raises KeyboardInterrupt."""
    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    texts = [toml.write_setting(describe_vary(path, spread)) for path, spread in (vary or {}).items()]
    for what, number, least in (("samples", samples, 1), ("seed", seed, 0), ("threads", threads, 1)):
        if number is not None and not least <= number < 2**31:
            raise ValueError(f"{what} is a whole number from {least} on, not {number}")
    if client is not None and threads is not None:
        raise ValueError("threads are those of this process: a client's workers have their own")
    request = {
        "vary": texts,
        "settings": [f"{path}={value}" for path, value in scenario._settings],
        "samples": samples or 0,
        "seed": seed,
        "design": design or "",
        "collect": list(collect),
        "bands": list(bands),
        "indices": indices,
        "until": until,
        "rare": rare,
        "boundary": list(boundary),
    }
    scratch = None
    if out is None:
        scratch = tempfile.mkdtemp(prefix="berth_")
    file = Path(scratch, "sweep.h5") if scratch else Path(os.fspath(out))  # type: ignore[arg-type]
    work = (scenario._text, scenario.name, scenario._folder, json.dumps(request), file)
    is_counted = not (until or rare or boundary or indices)
    try:
        total = count_cases(vary or {}, samples) if is_counted else math.inf
        with show_progress(progress, total, "cases", "sweep") as show:
            if client is None:
                _core.sweep(*work, threads or 0, fresh, show)
            else:
                from .cluster import run_on_cluster

                run_on_cluster(_core.SweepSession(*work, fresh), client, show)
    except BaseException:
        if scratch:
            shutil.rmtree(scratch, ignore_errors=True)
        raise
    return SweepTable(file, scratch)


def merge(parts: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str]) -> SweepTable:
    """Joins the files of `berth sweep --part`, in any order, to the one a single machine would have
    written. FileNotFoundError lists the parts that are missing."""
    missing = _core.merge([Path(p) for p in parts], Path(out))
    if missing:
        raise FileNotFoundError("missing: " + "; ".join(missing))
    return SweepTable(Path(out))


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
