"""The wheel alone, installed where the checkout cannot be seen, converts, indexes, searches and evaluates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import beryl

ROOT = Path(__file__).resolve().parent.parent
PSEUDOCODE = """\
BINARY-SEARCH(A, n, v)
low = 1
high = n
while low <= high
    mid = (low + high) / 2
    if A[mid] == v
        return mid
    if A[mid] < v
        low = mid + 1
    else
        high = mid - 1
return NIL
"""
C = """\
int sum(const int *a, int n) {
    int total = 0;
    for (int i = 0; i < n; i++)
        total += a[i];
    return total;
}

int lookup(const int *a, int n, int wanted) {
    int low = 0, high = n - 1;
    while (low <= high) {
        int mid = (low + high) / 2;
        if (a[mid] == wanted)
            return mid;
        if (a[mid] < wanted)
            low = mid + 1;
        else
            high = mid - 1;
    }
    return -1;
}
"""
# What the extras bring: a plain `pip install` does without.
OPTIONAL = ("torch", "torch_geometric", "transformers", "matplotlib", "z3")
# Imports from the wheel only, and every kind of file is found through beryl.paths.
PROBE = """
import json, beryl
from beryl import paths
from beryl.rank import model
found = {
    "package": beryl.__file__,
    "files": [str(path) for path in (
        paths.grammar("p.lark"), paths.model("static"), paths.model("lines"), paths.model("ranking"),
        paths.model("similar"), paths.config("find.toml"), paths.config("gae.toml"), paths.data("words"),
        paths.data("queries"), paths.data("benchmark", "families.json"), paths.data("demo", "labels.jsonl"),
    ) if path.exists()],
    "weights": len(model.bundled(True).weights),
}
print(json.dumps(found))
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The bin folder of a fresh environment that has the wheel and the packages of this one, but not the checkout."""
    work = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(work), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = work.glob("*.whl")
    venv.create(work / "env")
    python = work / "env" / "bin" / "python"
    install = ["--python", str(python), "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, capture_output=True)
    (site,) = (work / "env").glob("lib/python3*/site-packages")
    # A path line adds the folder but not what its own .pth files name, so an editable install stays unseen.
    shared = dict.fromkeys(sysconfig.get_path(kind) for kind in ("purelib", "platlib"))
    hide = f"import sys; sys.modules.update(dict.fromkeys({OPTIONAL!r}))"
    (site / "shared.pth").write_text("\n".join([*shared, hide]) + "\n", encoding="utf-8")
    return work / "env" / "bin"


@pytest.fixture
def outside(installed, tmp_path):
    """Run a program of that environment in an empty folder, with a cache of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {**kept, "XDG_CACHE_HOME": str(tmp_path / "cache"), "NO_COLOR": "1"}

    def run(program: str, *words: str) -> str:
        command = [str(installed / program), *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_everything_comes_from_the_wheel(outside, installed):
    found = json.loads(outside("python", "-c", PROBE))
    environment = str(installed.parent)
    assert found["package"].startswith(environment)
    assert len(found["files"]) == 11
    assert all(path.startswith(environment) for path in found["files"])
    assert found["weights"] > 0


def test_version(outside):
    assert outside("beryl", "--version") == f"beryl {beryl.__version__}\n"


def test_convert(outside, tmp_path):
    (tmp_path / "search.txt").write_text(PSEUDOCODE, encoding="utf-8")
    assert "while" in outside("beryl", "convert", "search.txt")


def test_index_and_query(outside, tmp_path):
    (tmp_path / "search.txt").write_text(PSEUDOCODE, encoding="utf-8")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "arrays.c").write_text(C, encoding="utf-8")
    assert "2 functions" in outside("beryl", "index", "tree", "--jobs", "1")
    answer = json.loads(outside("beryl", "query", "search.txt", "--json"))
    best = (answer[0] if isinstance(answer, list) else answer)["results"][0]
    assert best["functions"] == ["lookup"]
    assert best["path"] == "arrays.c"


def test_the_demo_is_evaluated(outside):
    assert "MRR" in outside("beryl", "eval", "demo", "--ranking", "bm25")
