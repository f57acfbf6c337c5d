"""Milliseconds by stage of one search."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Clock:
    """`with clock("encode"): ...` adds up the time of each stage."""

    def __init__(self) -> None:
        self.stages: dict[str, float] = {}
        self._start = time.perf_counter()

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Time one stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.stages[stage] = self.stages.get(stage, 0.0) + 1000 * (time.perf_counter() - start)

    @property
    def total(self) -> float:
        """Milliseconds since it was made."""
        return 1000 * (time.perf_counter() - self._start)
