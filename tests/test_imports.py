"""Imports point one way, and heavy packages stay out of `import beryl` and `beryl --help`."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "beryl"
ORDER = (
    *("types", "errors", "registry", "config", "paths", "icfg", "lang", "features", "encode", "index", "smt"),
    *("rank", "search", "engine", "evaluate", "notebook", "cli"),
)
ROOM_OF_PACKAGE = {
    "torch": {"encode"},
    "torch_geometric": {"encode"},
    "transformers": {"encode"},
    "faiss": {"index"},
    "z3": {"smt"},
    "lark": {"lang"},
    "tree_sitter": {"lang"},
}
HEAVY = (*ROOM_OF_PACKAGE, "sklearn", "scipy", "rich", "numpy")


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if "_bundle" not in path.parts)


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_up_the_list_only(path):
    here = room(path)
    if here in ("__init__", "__main__"):
        return
    for name in imported(path):
        parts = name.split(".")
        if parts[0] != "beryl" or len(parts) < 2 or parts[1] == "__version__":
            continue
        assert ORDER.index(parts[1]) <= ORDER.index(here), f"{here} must not import {name}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_each_heavy_package_is_imported_in_one_room_only(path):
    for name in imported(path):
        rooms = ROOM_OF_PACKAGE.get(name.split(".")[0])
        assert rooms is None or room(path) in rooms, f"{room(path)} must not import {name}"


@pytest.mark.parametrize("code", ["import beryl", "from beryl.cli.main import main; main(['--help'])"])
def test_nothing_heavy_is_loaded_at_import(code):
    probe = f"""
import sys
try:
    {code}
except SystemExit:
    pass
loaded = [name for name in {HEAVY!r} if name in sys.modules]
sys.exit(" ".join(loaded) or 0)
"""
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
