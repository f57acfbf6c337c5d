"""The notebooks run from top to bottom, and their committed outputs are there, small, and tell nothing of a machine."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MOST_BYTES = 1_500_000


def test_both_notebooks_are_here():
    assert {path.stem for path in NOTEBOOKS} == {"inspect_matches", "train_and_evaluate"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_committed_outputs_are_worth_looking_at(path):
    text = path.read_text(encoding="utf-8")
    outputs = [out for cell in json.loads(text)["cells"] for out in cell.get("outputs", [])]
    assert len(text) < MOST_BYTES
    assert any({"image/png", "text/html"} & set(out.get("data", {})) for out in outputs)
    assert not [out for out in outputs if out["output_type"] == "error" or out.get("name") == "stderr"]
    assert not re.search(r"/(?:home|root|tmp|usr|work)/", text), "paths of the machine that ran it"


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("torch")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=1100, kernel_name="python3").execute(cwd=str(FOLDER))
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
