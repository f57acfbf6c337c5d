"""Shapes of many statements in processes of their own."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from beryl import paths
from beryl.encode import shape
from beryl.index import shape_worker
from beryl.types import silent

TEXTS = ["i = i + 1", "dist[v] = dist[u] + w", "swap(a[i], a[j])", "", "return é", "while (lo < hi)"]

# As in the README: a plain script, whose top level would run again in a process that imports it.
SCRIPT = """
import sys
import beryl
from beryl.index import shapes
shapes._WORTH_PROCESSES = 1
print(beryl.build([sys.argv[1]], sys.argv[2]).index.manifest.counts["functions"])
"""


def test_chunks_in_processes_give_what_one_call_gives(monkeypatch):
    monkeypatch.setattr(shape_worker, "CHUNK", 4)
    made = shape_worker.shapes_of(TEXTS, 2, silent)
    for found, texts in zip(made, (TEXTS[:4], TEXTS[4:]), strict=True):
        for got, expected in zip(found, shape.shapes(texts), strict=True):
            assert np.array_equal(got, expected)


def test_a_script_without_a_main_guard_can_build_an_index(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, str(script), str(paths.data("demo", "packline")), str(tmp_path / "index")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    assert int(done.stdout) > 10
