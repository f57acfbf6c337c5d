"""Judged lists -> figures, and figures on disk: what a table or a comparison needs to know of one run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from beryl.errors import InputError
from beryl.evaluate import labels as labelling
from beryl.evaluate.benchmark import LENIENT, STRICT, Answer, Setting
from beryl.evaluate.metrics import BEYOND, CUT, MEASURES, bootstrap, first_rank, mean
from beryl.evaluate.metrics import precision as precision_at

RESULT_FILE = "result.json"
GRADES = {"strict": STRICT, "lenient": LENIENT}


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over queries with its 95% bootstrap interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Cut:
    """How precisely fragments are cut: line-IoU of the first hits on labels with marked lines."""

    figure: Figure
    hit: int
    marked: int


@dataclass(frozen=True, slots=True)
class Result:
    """The figures of one run; strict and lenient are apart everywhere."""

    bench: str
    setting: Setting
    f_rank: Mapping[str, Mapping[str, float]]
    """Grade -> query -> F-rank; the mean over projects in the one-project setting."""
    measures: Mapping[str, Mapping[str, Mapping[str, float]]]
    """Grade -> measure -> query -> value."""
    cut: Cut
    seconds: float
    about: Mapping[str, Any]
    """Index, encoder, model, machine, date, commit."""

    def values(self, measure: str, grade: str = "strict") -> dict[str, float]:
        """Query -> value of a measure; `MRR` is 1 / F-rank as the paper has it, 0 where that is `>100`."""
        if measure == "MRR":
            return {query: 0.0 if rank >= BEYOND else 1.0 / rank for query, rank in self.f_rank[grade].items()}
        return dict(self.measures[grade][measure])

    def figure(self, measure: str, grade: str = "strict") -> Figure:
        """A measure over all queries."""
        return figure(list(self.values(measure, grade).values()))


def figure(values: Sequence[float]) -> Figure:
    """The mean with its interval."""
    return Figure(mean(values), *bootstrap(values))


def result(bench: str, setting: Setting, answers: Sequence[Answer], about: Mapping[str, Any]) -> Result:
    """The figures of one run."""
    f_rank = {name: f_ranks(answers, least) for name, least in GRADES.items()}
    measures = {
        name: {measure: per_query(answers, measure, least) for measure in MEASURES} for name, least in GRADES.items()
    }
    return Result(bench, setting, f_rank, measures, cut(answers), sum(item.seconds for item in answers), about)


def f_ranks(answers: Sequence[Answer], least: int = STRICT) -> dict[str, float]:
    """F-rank of every query that has a label of this grade; the mean over projects in the one-project setting."""
    ranks: dict[str, list[int]] = {}
    for answer in answers:
        if answer.counts(least):
            ranks.setdefault(answer.task, []).append(first_rank(answer.judged.gains, least))
    return {task: mean(values) for task, values in ranks.items()}


def per_query(answers: Sequence[Answer], measure: str, least: int = STRICT) -> dict[str, float]:
    """A measure for every query that has a label of this grade; the mean over projects in the one-project setting."""
    values: dict[str, list[float]] = {}
    for answer in answers:
        if answer.counts(least):
            value = MEASURES[measure](answer.judged.gains, least, answer.relevant(least))
            values.setdefault(answer.task, []).append(value)
    return {task: mean(items) for task, items in values.items()}


def precision(answers: Sequence[Answer], k: int) -> dict[str, dict[str, float]]:
    """Grade -> P@k with its interval, for lists whose first k were all judged."""
    return {
        name: asdict(figure([precision_at(answer.judged.gains, least, k) for answer in answers]))
        for name, least in GRADES.items()
    }


def cut(answers: Sequence[Answer]) -> Cut:
    """Line-IoU of the first fragment that hits each label with marked lines."""
    values, marked = [], 0
    for answer in answers:
        for label in answer.labels:
            if label.lines is None:
                continue
            marked += 1
            first = next((item for item in answer.fragments if labelling.hits(item, label)), None)
            if first is not None:
                values.append(labelling.line_iou(first, label))
    return Cut(figure(values), len(values), marked)


def show_rank(rank: float) -> str:
    """A rank as the paper prints it."""
    return f">{CUT}" if rank >= BEYOND else f"{rank:.2f}".rstrip("0").rstrip(".")


def ir_name(measure: str, least: int) -> str:
    """The name of a measure in ir_measures' notation: `Success@5` of grade 2 is `Success(rel=2)@5`."""
    name, _, depth = measure.partition("@")
    return f"{name}(rel={least})" + (f"@{depth}" if depth else "")


def as_json(item: Result) -> dict[str, Any]:
    """A result as plain values; means and intervals are there for readers and worked out again when it is read."""
    summary = {
        grade: {ir_name(measure, least): asdict(item.figure(measure, grade)) for measure in ("MRR", *MEASURES)}
        for grade, least in GRADES.items()
    }
    return {**asdict(item), "summary": summary}


def write(item: Result, folder: Path) -> None:
    """Save a result."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(as_json(item), indent=1, ensure_ascii=False)
    (folder / RESULT_FILE).write_text(text + "\n", encoding="utf-8")


def read(folder: Path) -> Result:
    """A saved result."""
    path = folder / RESULT_FILE
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
        setting = {**body["setting"], "projects": tuple(body["setting"]["projects"])}
        saved = Cut(Figure(**body["cut"]["figure"]), body["cut"]["hit"], body["cut"]["marked"])
        plain = {name: body[name] for name in ("bench", "f_rank", "measures", "seconds", "about")}
        return Result(setting=Setting(**setting), cut=saved, **plain)
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); `beryl eval BENCH --out` writes one") from None
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is not a result of `beryl eval`: {error!r}") from None


def saved_runs(folder: Path) -> dict[str, Path]:
    """Name -> folder of every run that an output folder holds; the folder itself where it is one run."""
    if (folder / RESULT_FILE).is_file():
        return {folder.name: folder}
    found = {path.parent.name: path.parent for path in sorted(folder.glob(f"*/{RESULT_FILE}"))}
    if not found:
        raise InputError(f"{folder} holds no {RESULT_FILE}; name a folder that `beryl eval BENCH --out` wrote")
    return found
