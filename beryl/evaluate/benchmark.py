"""Benches, and running them: queries x settings -> judged lists (Beryllium §6); `results` turns these into figures."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from beryl import paths
from beryl.errors import InputError
from beryl.evaluate import labels as labelling
from beryl.evaluate.corpus import select
from beryl.evaluate.labels import Judged, Label
from beryl.evaluate.metrics import CUT
from beryl.types import Filters, Fragment, Language, Progress, PseudocodeQuery, silent

STRICT, LENIENT = 2, 1
QUERY_SUFFIX = {"text": ".txt", "pcode": ".pcode"}

Search = Callable[[PseudocodeQuery], Sequence[Fragment]]


@dataclass(frozen=True, slots=True)
class Bench:
    """A benchmark: which labels, which languages, and which corpora make it."""

    name: str
    languages: tuple[Language, ...]
    label_files: tuple[str, ...]
    corpora: tuple[str, ...]
    both: bool = False
    """Only queries labelled in every language (the mixed setting of the paper)."""

    def core(self) -> tuple[str, ...]:
        """The projects of the core subset: about 600,000 lines for daily use."""
        if self.name == "demo":
            raise InputError("the demo bench has no core subset: it is small as it is; leave out --core")
        return tuple(package.name for package in select(self.name, paths.data("benchmark"), core=True))


BENCHES = {
    bench.name: bench
    for bench in (
        Bench("demo", (), ("demo/labels.jsonl",), ("demo",)),
        Bench("debian-java", (Language.JAVA,), ("benchmark/labels_java.jsonl",), ("corpora/debian-java",)),
        Bench("debian-c", (Language.C,), ("benchmark/labels_c.jsonl",), ("corpora/debian-c",)),
        Bench(
            "mixed",
            (Language.C, Language.JAVA),
            ("benchmark/labels_c.jsonl", "benchmark/labels_java.jsonl"),
            ("corpora/debian-c", "corpora/debian-java"),
            both=True,
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Task:
    """One query of a bench with its labels."""

    name: str
    text: str
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """How a bench is run."""

    ranking: str = "fused"
    features: str = "full"
    names: bool = True
    one_project: bool = False
    distinct: bool | None = None
    form: str = "text"
    """Queries as plain text or as p-code."""
    projects: tuple[str, ...] = ()
    """Only these are searched; all where empty."""

    @property
    def column(self) -> str:
        """The heading of its column: what tells it from its neighbours in one table."""
        parts = [self.ranking]
        if self.features != "full":
            parts.append(self.features)
        if self.distinct is not None:
            parts.append("distinct" if self.distinct else "nested")
        return " ".join(parts)

    @property
    def folder(self) -> str:
        """The column as a folder name."""
        return self.column.replace(" ", "-").replace("+", "")


@dataclass(frozen=True, slots=True)
class Answer:
    """The judged list of one query, over all projects or in one."""

    task: str
    project: str
    """Empty over all projects."""
    judged: Judged
    fragments: tuple[Fragment, ...]
    labels: tuple[Label, ...]
    """Those that could be hit."""
    seconds: float = 0.0

    @property
    def topic(self) -> str:
        """The id of the query in runs and qrels."""
        return f"{self.task}@{self.project}" if self.project else self.task

    def relevant(self, least: int) -> int:
        """How many implementations of at least this grade there are; clones count once."""
        return labelling.relevant(self.labels, least)


def bench(name: str) -> Bench:
    """The bench of this name."""
    if name not in BENCHES:
        raise InputError(f"unknown benchmark {name!r}; known: {', '.join(BENCHES)}")
    return BENCHES[name]


def tasks(chosen: Bench, projects: Sequence[str] = (), form: str = "text") -> list[Task]:
    """The queries that have a label (in the given projects, where any are named), in alphabetical order."""
    found = [label for file in chosen.label_files for label in labelling.read(paths.data(*file.split("/")))]
    found = labelling.marked(found, labelling.read_marks(paths.data("benchmark", "lines.jsonl")))
    known = [label for label in found if not projects or label.project in set(projects)]
    by_query: dict[str, list[Label]] = {}
    for label in known:
        by_query.setdefault(label.query, []).append(label)
    if chosen.both:
        wanted = {language.value for language in chosen.languages}
        clear = {q: {item.language for item in rows if item.grade == STRICT} for q, rows in by_query.items()}
        by_query = {query: rows for query, rows in by_query.items() if clear[query] >= wanted}
    return [Task(name, query_text(name, form), tuple(rows)) for name, rows in sorted(by_query.items())]


def query_text(name: str, form: str = "text") -> str:
    """The pseudocode of a query, as plain text or as p-code."""
    path = paths.data("queries", name + QUERY_SUFFIX[form])
    if not path.is_file():
        raise InputError(f"there is no pseudocode for the query {name!r} at {path}")
    return path.read_text(encoding="utf-8")


def families() -> dict[str, str]:
    """Query -> family; members of a family are never split between training and test."""
    table: dict[str, str] = json.loads(paths.data("benchmark", "families.json").read_text(encoding="utf-8"))
    return table


def run(search: Search, todo: Sequence[Task], setting: Setting, progress: Progress = silent) -> list[Answer]:
    """Every query through the search, over all projects at once or in each labelled project by itself."""
    answers = []
    for done, task in enumerate(todo):
        progress(setting.column, done, len(todo))
        for project in _projects(task) if setting.one_project else [""]:
            here = tuple(label for label in task.labels if project in ("", label.project))
            start = time.perf_counter()
            fragments = search(_query(task, setting, project))
            seconds = time.perf_counter() - start
            bare = tuple(replace(item, matches=(), uncovered=(), code="", notes=()) for item in fragments[:CUT])
            answers.append(Answer(task.name, project, labelling.judge(bare, here), bare, here, seconds))
    progress(setting.column, len(todo), len(todo))
    return answers


def _query(task: Task, setting: Setting, project: str) -> PseudocodeQuery:
    return PseudocodeQuery(
        text=task.text,
        name=task.name,
        k=CUT,
        filters=Filters(projects=(project,) if project else setting.projects),
        ranking=setting.ranking,
        features=setting.features,
        names=setting.names,
        distinct=setting.distinct,
    )


def _projects(task: Task) -> list[str]:
    return sorted({label.project for label in task.labels})
