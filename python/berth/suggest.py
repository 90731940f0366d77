# SPDX-License-Identifier: Apache-2.0
"""The nearest name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def suggest(name: object, names: Iterable[str]) -> str:
    """ "; did you mean …?", or nothing."""
    near = difflib.get_close_matches(str(name), list(names), 1)
    return f"; did you mean {near[0]}?" if near else ""
