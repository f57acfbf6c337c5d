"""An index of the demo corpus, built once for all tests of a worker that ask it."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def demo_index_directory(tmp_path_factory) -> Path:
    from beryl import engine
    from beryl.index.store import BuildOptions

    out = tmp_path_factory.mktemp("demo") / "index"
    options = BuildOptions(each=True, tables=("terms", "shapes", "vectors"), jobs=1)
    engine.build([ROOT / "data" / "demo"], out, options)
    return out


@pytest.fixture(scope="session")
def demo(demo_index_directory):
    import beryl

    return beryl.open(demo_index_directory)


@pytest.fixture(scope="session")
def pseudocode():
    """The text of a shipped query by name."""
    return lambda name: (ROOT / "data" / "queries" / f"{name}.txt").read_text(encoding="utf-8")
