# SPDX-License-Identifier: Apache-2.0
"""Pages: inside a notebook, or in a browser."""

from __future__ import annotations

import html
import os
import tempfile
import webbrowser
from typing import Any


def in_notebook() -> bool:
    """Whether a Jupyter kernel runs this."""
    try:
        from IPython import get_ipython  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and shell.has_trait("kernel")


class Page:
    """A page that a notebook shows in a frame."""

    def __init__(self, text: str, height: int) -> None:
        self._text, self._height = text, int(height)

    def _repr_html_(self) -> str:
        inside = html.escape(self._text, quote=True)
        return f'<iframe srcdoc="{inside}" style="width:100%;height:{self._height}px;border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<page of {len(self._text) / 1e6:.1f} MB>"


def show_page(text: str, height: int) -> Any:
    """In a notebook an object that shows it; elsewhere the file that a browser was asked to open."""
    if in_notebook():
        return Page(text, height)
    handle, name = tempfile.mkstemp(prefix="berth_", suffix=".html")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    webbrowser.open("file://" + name)
    return name
