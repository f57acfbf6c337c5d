"""A bench from index to files: every column of its table is run, judged and saved."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from beryl import paths
from beryl.encode.gcn import CONFIG, NO_MODEL, model_folder
from beryl.engine import Engine
from beryl.errors import InputError
from beryl.evaluate import benchmark, report, results, trec
from beryl.evaluate.baselines import BASELINES, NAMED
from beryl.evaluate.benchmark import Answer, Bench, Setting, Task
from beryl.evaluate.results import Result
from beryl.types import Fragment, Progress, PseudocodeQuery, silent

PAPER = "paper"
UNJUDGED_FILE = "unjudged.jsonl"
# Derived tables by who reads them.
BASELINE_TABLES = ("terms",)
RANKING_TABLES = ("terms", "shapes", "vectors")
ABLATION_TABLE = "ablation"


def columns(plain: Setting, rankings: Sequence[str], features: Sequence[str]) -> list[Setting]:
    """One setting per column: rankings, `paper` by features and also distinct, then the baselines."""
    found = []
    for ranking in (name for name in rankings if name not in BASELINES):
        if ranking == PAPER:
            by_features = [replace(plain, ranking=PAPER, features=name) for name in features]
            found += by_features
            found += [replace(item, distinct=True) for item in by_features if item.features == "full"]
        else:
            found.append(replace(plain, ranking=ranking))
    # `name` and `bm25` are nothing without names; where these are hidden they show what hiding costs.
    return found + [replace(plain, ranking=name, names=plain.names or name in NAMED) for name in BASELINES]


def tables(rankings: Sequence[str], features: Sequence[str]) -> tuple[str, ...]:
    """The derived tables that an index must have for these columns."""
    if all(name in BASELINES for name in rankings):
        return BASELINE_TABLES
    ablation = "cb+g" in features and PAPER in rankings
    return (*RANKING_TABLES, ABLATION_TABLE) if ablation else RANKING_TABLES


def run(
    engine: Engine, chosen: Bench, wanted: Sequence[Setting], out: Path | None, progress: Progress = silent
) -> list[Result]:
    """The results of all settings; saved in `out`, one folder each, where it is given."""
    todo = indexed_tasks(engine, chosen, wanted[0])
    found = []
    for setting in wanted:
        found.append(run_one(engine, chosen, todo, setting, out, progress))
    if out is not None:
        report.write(found, out)
    return found


def run_one(
    engine: Engine,
    chosen: Bench,
    todo: Sequence[Task],
    setting: Setting,
    out: Path | None,
    progress: Progress = silent,
) -> Result:
    """The result of one setting."""

    def search(query: PseudocodeQuery) -> Sequence[Fragment]:
        return engine.search(query).results

    answers = benchmark.run(search, todo, setting, progress, chosen.depth)
    about = {**describe(engine), "searches": len(answers)}
    if chosen.elsewhere:
        about["unjudged"] = sum(len(answer.unjudged()) for answer in answers)
        about["precision"] = results.precision(answers, chosen.depth)
    result = results.result(chosen.name, setting, answers, about)
    if out is not None:
        trec.write(answers, out / setting.folder, setting.column)
        results.write(result, out / setting.folder)
        if chosen.elsewhere:
            _write_unjudged(answers, out / setting.folder)
    return result


def _write_unjudged(answers: Sequence[Answer], folder: Path) -> None:
    """Results of Experiment 3 that nobody has read yet, in the form of judgements to be filled in."""
    records = [
        {
            "query": answer.task,
            "language": str(item.language),
            "package": item.project,
            "path": item.path,
            "function": item.functions[0],
            "start": item.start,
            "end": item.end,
        }
        for answer in answers
        for item in answer.unjudged()
    ]
    lines = "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)
    (folder / UNJUDGED_FILE).write_text(lines, encoding="utf-8")


def indexed_tasks(engine: Engine, chosen: Bench, setting: Setting) -> list[Task]:
    """The queries with a label in a project that is searched."""
    indexed = set(engine.index.projects)
    projects = sorted(indexed & set(setting.projects) if setting.projects else indexed)
    todo = benchmark.tasks(chosen, projects, setting.form) if projects else []
    if chosen.elsewhere:
        todo = benchmark.restricted(todo, projects)
    if not todo:
        raise InputError(
            f"the index {engine.index.directory} holds no project with labels of {chosen.name}; "
            "projects are named by their folders: build it with `beryl index --each` over the corpus"
        )
    return todo


def describe(engine: Engine) -> dict[str, Any]:
    """Index, encoder and model, machine, date and commit."""
    manifest = engine.index.manifest
    return {
        **manifest.counts,
        "index": manifest.content,
        "encoder": manifest.encoder,
        "model": manifest.model,
        "hygiene": hygiene(engine),
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": commit(),
        "machine": machine(),
    }


def hygiene(engine: Engine) -> str:
    """What the graph autoencoder was trained on."""
    held_out = unseen_projects(engine)
    if not held_out:
        return ""
    return (
        "The graph autoencoder was trained without labels on the searched corpus, as the paper does, but never saw "
        f"{len(held_out)} of its projects ({', '.join(held_out)}); `--unseen` searches only these."
    )


def unseen_projects(engine: Engine) -> tuple[str, ...]:
    """The projects of an index that its graph model was not trained on, as far as the model says."""
    manifest = engine.index.manifest
    if manifest.model == NO_MODEL:
        return ()
    try:
        path = model_folder(manifest.model, manifest.encoder) / CONFIG
        held_out = json.loads(path.read_text(encoding="utf-8")).get("held_out_projects", ())
    except (OSError, ValueError):
        return ()
    return tuple(name for name in engine.index.projects if name in held_out)


def unseen(engine: Engine, plain: Setting) -> Setting:
    """The setting restricted to projects that the graph model was not trained on."""
    projects = tuple(name for name in unseen_projects(engine) if not plain.projects or name in plain.projects)
    if not projects:
        raise InputError(f"the model of {engine.index.directory} names no project that it was not trained on")
    return replace(plain, projects=projects, subset="unseen")


def commit() -> str:
    """The commit of the checkout that runs, with + where it has changes; `unknown` outside one."""
    try:
        words = ("git", "-C", str(paths.root()), "describe", "--always", "--dirty=+", "--exclude=*")
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def machine() -> str:
    """Processors, system and Python."""
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
