"""Benches, and running them: queries x settings -> judged lists -> tables (Beryllium §6)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from beryl import paths
from beryl.errors import InputError
from beryl.evaluate import labels as labelling
from beryl.evaluate.labels import Judged, Label
from beryl.evaluate.metrics import BEYOND, CUT, MEASURES, bootstrap, first_rank, mean
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


@dataclass(frozen=True, slots=True)
class Answer:
    """The judged list of one query, over all projects or in one."""

    task: str
    project: str
    judged: Judged
    fragments: tuple[Fragment, ...]
    relevant: tuple[int, int]
    """How many implementations there are, strict and lenient."""


def bench(name: str) -> Bench:
    """The bench of this name."""
    if name not in BENCHES:
        raise InputError(f"unknown benchmark {name!r}; known: {', '.join(BENCHES)}")
    return BENCHES[name]


def tasks(chosen: Bench, projects: Sequence[str] = (), form: str = "text") -> list[Task]:
    """The queries that have a label (in the given projects, where any are named), in alphabetical order."""
    found = [label for file in chosen.label_files for label in labelling.read(paths.data(*file.split("/")))]
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
        progress("queries", done, len(todo))
        query = PseudocodeQuery(
            text=task.text,
            name=task.name,
            k=CUT,
            ranking=setting.ranking,
            features=setting.features,
            names=setting.names,
            distinct=setting.distinct,
        )
        for project in _projects(task) if setting.one_project else [""]:
            here = [label for label in task.labels if project in ("", label.project)]
            filters = Filters(projects=(project,)) if project else Filters()
            fragments = tuple(search(replace(query, filters=filters)))
            counts = (labelling.relevant(here, STRICT), labelling.relevant(here, LENIENT))
            answers.append(Answer(task.name, project, labelling.judge(fragments, here), fragments, counts))
    progress("queries", len(todo), len(todo))
    return answers


def _projects(task: Task) -> list[str]:
    return sorted({label.project for label in task.labels})


def f_ranks(answers: Sequence[Answer], least: int = STRICT) -> dict[str, float]:
    """F-rank of every query that has a label of this grade; the mean over projects in the one-project setting."""
    ranks: dict[str, list[int]] = {}
    for answer in answers:
        if answer.relevant[STRICT - least] > 0:
            ranks.setdefault(answer.task, []).append(first_rank(answer.judged.gains, least))
    return {task: mean(values) for task, values in ranks.items()}


def per_query(answers: Sequence[Answer], measure: str, least: int = STRICT) -> dict[str, float]:
    """A measure for every query that has a label of this grade; the mean over projects in the one-project setting."""
    values: dict[str, list[float]] = {}
    for answer in answers:
        count = answer.relevant[STRICT - least]
        if count > 0:
            values.setdefault(answer.task, []).append(MEASURES[measure](answer.judged.gains, least, count))
    return {task: mean(items) for task, items in values.items()}


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over queries with its 95% bootstrap interval."""

    value: float
    low: float
    high: float


def summary(answers: Sequence[Answer], least: int = STRICT) -> dict[str, Figure]:
    """Every measure over all queries."""
    table = {}
    for name in MEASURES:
        values = list(per_query(answers, name, least).values())
        table[name] = Figure(mean(values), *bootstrap(values))
    return table


def show_rank(rank: float) -> str:
    """A rank as the paper prints it."""
    return f">{CUT}" if rank >= BEYOND else f"{rank:g}" if rank == int(rank) else f"{rank:.2f}"
