"""The only file that knows where grammars/, models/, configs/ and data/ are: repository or wheel."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_BUNDLE = _PACKAGE / "_bundle"


def root() -> Path:
    """The folder that holds grammars/, models/, configs/ and data/."""
    return _BUNDLE if _BUNDLE.is_dir() else _PACKAGE.parent


def grammar(name: str) -> Path:
    """Path of a Lark grammar, such as `p.lark`."""
    return root() / "grammars" / name


def model(name: str) -> Path:
    """Path of a bundled model folder or file."""
    return root() / "models" / name


def config(name: str) -> Path:
    """Path of a shipped configuration file."""
    return root() / "configs" / name


def data(*parts: str) -> Path:
    """Path of shipped data."""
    return root().joinpath("data", *parts)


def cache() -> Path:
    """The user's cache folder for indexes made on the fly (`--source`) and nothing else."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "beryl"
