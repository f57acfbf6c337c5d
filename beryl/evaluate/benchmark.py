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
JUDGED_ELSEWHERE = 10
FOUND_ELSEWHERE = "experiment 3"
"""What `found_by` says of labels that Experiment 3 brought to light; they do not take their project out of it."""
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
    elsewhere: bool = False
    """Experiment 3: each query only in projects where no implementation of it is known; the first ten are judged."""
    queries: str = "queries"
    """The folder of its pseudocode."""
    over: str = ""
    """The index that it searches, where that has another name."""

    @property
    def index(self) -> str:
        """The name of its index."""
        return self.over or self.name

    @property
    def depth(self) -> int:
        """How many results of a list are judged."""
        return JUDGED_ELSEWHERE if self.elsewhere else CUT

    def core(self) -> tuple[str, ...]:
        """The projects of the core subset: about 600,000 lines for daily use."""
        if self.name == "demo":
            raise InputError("the demo bench has no core subset: it is small as it is; leave out --core")
        return tuple(package.name for package in select(self.index, paths.data("benchmark"), core=True))


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
        Bench(
            "elsewhere",
            (Language.C, Language.JAVA),
            ("benchmark/experiment3.jsonl",),
            ("corpora/debian-c", "corpora/debian-java"),
            elsewhere=True,
            over="mixed",
        ),
        Bench(
            "held-out",
            (Language.C, Language.JAVA),
            ("benchmark/held_out_c.jsonl", "benchmark/held_out_java.jsonl"),
            ("corpora/debian-c", "corpora/debian-java"),
            queries="queries-held-out",
            over="mixed",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Task:
    """One query of a bench with its labels."""

    name: str
    text: str
    labels: tuple[Label, ...]
    projects: tuple[str, ...] = ()
    """Only these are searched; all where empty."""


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
    subset: str = ""
    """What these projects are: `core`, `unseen` (by the graph model), or all."""

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
    judged_only: bool = False
    """Experiment 3: nobody knows whether there is an implementation, so the query counts in any case."""

    @property
    def topic(self) -> str:
        """The id of the query in runs and qrels."""
        return f"{self.task}@{self.project}" if self.project else self.task

    def relevant(self, least: int) -> int:
        """How many implementations of at least this grade there are; clones count once."""
        return labelling.relevant(self.labels, least)

    def counts(self, least: int) -> bool:
        """Whether the query takes part in means over this grade."""
        return self.judged_only or self.relevant(least) > 0

    def unjudged(self) -> list[Fragment]:
        """The results that no label or judgement speaks of."""
        return [item for item in self.fragments if not any(labelling.hits(item, label) for label in self.labels)]


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
    return [Task(name, query_text(name, form, chosen.queries), tuple(rows)) for name, rows in sorted(by_query.items())]


def restricted(todo: Sequence[Task], projects: Sequence[str]) -> list[Task]:
    """Each query only in those of the projects where the benchmark knows no implementation of it."""
    known: dict[str, set[str]] = {}
    for name in ("debian-c", "debian-java"):
        for file in BENCHES[name].label_files:
            for label in labelling.read(paths.data(*file.split("/"))):
                if label.found_by != FOUND_ELSEWHERE:
                    known.setdefault(label.query, set()).add(label.project)
    rest = {task.name: tuple(p for p in projects if p not in known.get(task.name, set())) for task in todo}
    return [replace(task, projects=rest[task.name]) for task in todo if rest[task.name]]


def query_text(name: str, form: str = "text", folder: str = "queries") -> str:
    """The pseudocode of a query, as plain text or as p-code."""
    path = paths.data(folder, name + QUERY_SUFFIX[form])
    if not path.is_file():
        raise InputError(f"there is no pseudocode for the query {name!r} at {path}")
    return path.read_text(encoding="utf-8")


def families() -> dict[str, str]:
    """Query -> family; members of a family are never split between training and test."""
    table: dict[str, str] = json.loads(paths.data("benchmark", "families.json").read_text(encoding="utf-8"))
    return table


def unseen_weights(query: str, setting: Setting) -> str:
    """The model of the fold that never saw the query's family; '' where the ranking is not learned."""
    if setting.ranking != "fused":
        return ""
    folder = paths.model("ranking") / "folds"
    prefix = "names" if setting.names else "no_names"
    table = json.loads((folder / f"{prefix}.json").read_text(encoding="utf-8"))
    name = table.get(families().get(query, ""), "")
    return str(folder / name) if name else ""


def run(
    search: Search, todo: Sequence[Task], setting: Setting, progress: Progress = silent, depth: int = CUT
) -> list[Answer]:
    """Every query through the search, over all projects at once or in each labelled project by itself."""
    answers = []
    for done, task in enumerate(todo):
        progress(setting.column, done, len(todo))
        for project in _projects(task) if setting.one_project else [""]:
            here = tuple(label for label in task.labels if project in ("", label.project))
            start = time.perf_counter()
            fragments = search(_query(task, setting, project))
            seconds = time.perf_counter() - start
            bare = tuple(replace(item, matches=(), uncovered=(), code="", notes=()) for item in fragments[:depth])
            judged = labelling.judge(bare, here)
            answers.append(Answer(task.name, project, judged, bare, here, seconds, bool(task.projects)))
    progress(setting.column, len(todo), len(todo))
    return answers


def _query(task: Task, setting: Setting, project: str) -> PseudocodeQuery:
    return PseudocodeQuery(
        text=task.text,
        name=task.name,
        k=CUT,
        filters=Filters(projects=(project,) if project else task.projects or setting.projects),
        ranking=setting.ranking,
        features=setting.features,
        names=setting.names,
        distinct=setting.distinct,
        weights=unseen_weights(task.name, setting),
    )


def _projects(task: Task) -> list[str]:
    return sorted({label.project for label in task.labels})
