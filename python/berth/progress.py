# SPDX-License-Identifier: Apache-2.0
"""Progress bars, with tqdm where it is installed."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .page import in_notebook

Show = Callable[[float], None] | None


@contextmanager
def show_progress(wanted: bool | None, total: float, unit: str, label: str) -> Iterator[Show]:
    """A callable that takes how far it is. None as `wanted`: in a terminal and in a notebook. The bar
    appears after a second: what is over before needs none."""
    bar = make_bar(wanted, total, unit, label)
    if bar is None:
        yield None
        return

    def show(done: float) -> None:
        bar.update(min(done, total) - bar.n)

    try:
        yield show
        if math.isfinite(total):
            show(total)
    finally:
        bar.close()


def make_bar(wanted: bool | None, total: float, unit: str, label: str) -> Any:
    if wanted is None:
        wanted = sys.stderr is not None and (sys.stderr.isatty() or in_notebook())
    if not wanted:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # without ipywidgets the bar is one of text
            from tqdm.auto import tqdm
    except ImportError:
        return None
    if not math.isfinite(total):
        return tqdm(
            unit=unit, desc=label, bar_format="{desc}: {n:.0f} {unit} [{elapsed}]", leave=False, delay=1
        )
    layout = "{desc}: {percentage:3.0f}%|{bar}| {n:.0f}/{total:.0f} {unit} [{elapsed}<{remaining}]"
    return tqdm(
        total=total, unit=unit, desc=label, bar_format=layout, leave=False, delay=1, mininterval=0.1
    )
