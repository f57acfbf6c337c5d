"""beryl: find implementations of algorithms in real code.

The public names; nothing heavy is imported until it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from beryl.errors import BerylError
from beryl.types import (
    CodeQuery,
    ExampleQuery,
    Filters,
    Fragment,
    Icfg,
    KeywordQuery,
    PseudocodeQuery,
    Span,
)

if TYPE_CHECKING:
    from beryl.engine import Engine, build, open

__version__ = "0.1.0"

__all__ = [
    "BerylError",
    "CodeQuery",
    "Engine",
    "ExampleQuery",
    "Filters",
    "Fragment",
    "Icfg",
    "KeywordQuery",
    "PseudocodeQuery",
    "Span",
    "build",
    "open",
]

_LAZY = {"Engine", "build", "open"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the type of a lazily loaded public name
    """Load the engine only when one of its names is asked for."""
    if name in _LAZY:
        from beryl import engine

        return getattr(engine, name)
    raise AttributeError(f"module 'beryl' has no attribute {name!r}")
