"""A bench of three queries with answers given by hand, shared by the tests of this room."""

from __future__ import annotations

from collections.abc import Sequence

from beryl.evaluate.benchmark import Answer, Setting, Task, run
from beryl.evaluate.labels import Label
from beryl.types import Fragment, FunctionSpan, Language, PseudocodeQuery


def place(project: str, path: str, start: int, end: int) -> Fragment:
    span = FunctionSpan(path, "f", start, end)
    return Fragment(1.0, {}, project, Language.C, path, start, end, ("f",), (span,))


def label(query: str, project: str, path: str, start: int, end: int, **more: object) -> Label:
    fields: dict[str, object] = {"grade": 2, "group": f"{project}/{path}:{start}-{end}", **more}
    return Label(query, "c", project, path, "f", start, end, **fields)  # type: ignore[arg-type]


NOISE = [place("zlib", f"noise{i}.c", 1, 9) for i in range(100)]

TASKS = [
    Task(
        "heap sort",
        "heap",
        (
            label("heap sort", "libsort", "heap.c", 10, 29, lines=(12, 21)),
            label("heap sort", "libsort", "copy a.c", 10, 29, group="copies"),
            label("heap sort", "zlib", "copy.c", 10, 29, group="copies"),
            label("heap sort", "zlib", "sift.c", 1, 9, grade=1),
        ),
    ),
    Task("kmp", "kmp", (label("kmp", "zlib", "match.c", 5, 24),)),
    Task("pivot", "pivot", (label("pivot", "libsort", "partition.c", 1, 12, grade=1),)),
]

FOUND = {
    "heap": [
        NOISE[0],
        place("zlib", "sift.c", 1, 9),
        place("zlib", "copy.c", 10, 29),
        place("libsort", "copy a.c", 10, 29),
        place("libsort", "heap.c", 12, 31),
        place("libsort", "heap.c", 10, 29),
    ],
    "kmp": NOISE,
    "pivot": [place("libsort", "partition.c", 1, 12)],
}


def search(query: PseudocodeQuery) -> Sequence[Fragment]:
    """The answers above, filtered as a search filters them."""
    wanted = query.filters.projects
    return [item for item in FOUND[query.text] if not wanted or item.project in wanted]


def answers(one_project: bool = False) -> list[Answer]:
    return run(search, TASKS, Setting("worked", one_project=one_project))
