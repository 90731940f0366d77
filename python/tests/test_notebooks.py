# SPDX-License-Identifier: Apache-2.0
"""The notebooks of python/examples run, and make their pictures."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda f: f.stem)
def test_notebook(file, monkeypatch):
    notebook = nbformat.read(file, as_version=4)
    assert all(not c.get("outputs") for c in notebook.cells), "outputs are not kept in the repository"
    pictures = [p for c in notebook.cells for p in c.source.split('"') if p.endswith(".png")]
    made = EXAMPLES / pictures[0]
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    try:
        nbclient.NotebookClient(
            notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(EXAMPLES)}}
        ).execute()
        assert made.stat().st_size > 5000
    finally:
        made.unlink(missing_ok=True)
