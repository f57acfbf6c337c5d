"""The story on one screen: build an index, open it, ask it in four ways."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beryl.index.build import build_index
from beryl.index.store import BuildOptions, Index, open_index
from beryl.types import (
    CodeQuery,
    ExampleQuery,
    Fragment,
    KeywordQuery,
    Progress,
    PseudocodeQuery,
    SearchResult,
    Source,
    silent,
)

Query = PseudocodeQuery | CodeQuery | ExampleQuery | KeywordQuery
Location = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Engine:
    """An open index and the four ways to ask it. Options of each question are the fields of its Query type."""

    index: Index

    def search(self, query: Query) -> SearchResult:
        """The whole answer to any question: fragments, time taken, stages."""
        if isinstance(query, PseudocodeQuery):
            from beryl.search import pseudocode

            return pseudocode.search(self.index, query)
        if isinstance(query, CodeQuery):
            from beryl.search import code

            return code.search(self.index, query)
        if isinstance(query, ExampleQuery):
            from beryl.search import examples

            return examples.search(self.index, query)
        from beryl.search import keyword

        return keyword.search(self.index, query)

    def detailed(self, result: SearchResult) -> SearchResult:
        """The same answer with the lines and the ICFG of every fragment, for pictures."""
        from beryl.search.detail import detailed

        return detailed(self.index, result)

    def query(self, text: str, **options: Any) -> list[Fragment]:  # noqa: ANN401 - fields of PseudocodeQuery
        """Implementations of pseudocode."""
        return list(self.search(PseudocodeQuery(text, **options)).results)

    def similar(self, source: Source, function: str = "", **options: Any) -> list[Fragment]:  # noqa: ANN401
        """Functions similar to one in a source text."""
        return list(self.search(CodeQuery(source, function, **options)).results)

    def io(self, *examples: str, **options: Any) -> list[Fragment]:  # noqa: ANN401 - fields of ExampleQuery
        """Methods that satisfy input/output examples such as `"log.txt" -> "log"`."""
        return list(self.search(ExampleQuery(examples, **options)).results)

    def find(self, *words: str, **options: Any) -> list[Fragment]:  # noqa: ANN401 - fields of KeywordQuery
        """Functions by words."""
        return list(self.search(KeywordQuery(words, **options)).results)


def build(
    paths: Sequence[Location],
    out: Location = ".beryl",
    options: BuildOptions | None = None,
    update: bool = False,
    progress: Progress = silent,
) -> Engine:
    """Index the projects in `paths`; with `update` only what changed is read again, with the same result."""
    folders = [Path(path) for path in paths]
    return Engine(build_index(folders, Path(out), options or BuildOptions(), update, progress))


def open(path: Location) -> Engine:
    """Open an index for searching."""
    return Engine(open_index(Path(path)))
