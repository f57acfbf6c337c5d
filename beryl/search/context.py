"""More lines around a fragment, for people who want to see where it stands."""

from __future__ import annotations

from dataclasses import replace

from beryl.index.store import Index
from beryl.types import Fragment, SearchResult


def widened(index: Index, result: SearchResult, lines: int) -> SearchResult:
    """The same answer with so many lines of code before and after every fragment."""
    files = {(index.projects[int(index.files.project[file])], path): file for file, path in enumerate(index.files.path)}
    return replace(result, results=tuple(_widened(index, fragment, files, lines) for fragment in result.results))


def _widened(index: Index, fragment: Fragment, files: dict[tuple[str, str], int], lines: int) -> Fragment:
    file = files[fragment.project, fragment.path]
    first = max(1, fragment.start - lines)
    code = "\n".join(index.lines(file, first, fragment.end + lines))
    return replace(fragment, code=code, extra={**fragment.extra, "first_line": first})
