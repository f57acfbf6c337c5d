"""Labelled candidates from an index of the public corpora: what the fused ranking is trained on."""

from __future__ import annotations

from functools import partial

import numpy as np

from beryl.evaluate import benchmark
from beryl.evaluate.benchmark import BENCHES
from beryl.evaluate.labels import Label, hits
from beryl.evaluate.learn import Group
from beryl.index.store import Index
from beryl.lang.pseudo import frontend
from beryl.search import fused, reading
from beryl.search.clock import Clock
from beryl.search.signals import Question
from beryl.types import Filters, Fragment, FunctionSpan, Language, Progress, silent

TRAINED_ON = (("java", "debian-java", (Language.JAVA,)), ("c", "debian-c", (Language.C, Language.CPP)))
STRICT = 2


def groups(index: Index, names: bool, progress: Progress = silent) -> list[Group]:
    """The candidates of every query of grade 2 in Java and in C, with the grade of each."""
    families = benchmark.families()
    found = []
    for language, bench, allowed in TRAINED_ON:
        functions = index.allowed_functions(Filters(languages=allowed))
        tasks = benchmark.tasks(BENCHES[bench])
        for done, task in enumerate(tasks):
            progress(f"candidates in {language}", done, len(tasks))
            grades = grades_of(index, task.labels)
            if STRICT not in grades.values():
                continue
            question = Question(frontend.read(task.text, task.name), names)
            made = fused.candidates(index, question, functions, Clock())
            if made is None:
                continue
            chosen, _, columns = made
            graded = np.array([grades.get(int(function), 0) for function in chosen.functions], dtype=np.int64)
            projects = np.asarray(index.files.project)[np.asarray(index.functions.file)[chosen.functions]]
            read = partial(reading.meaning, index, question, chosen) if names else None
            about = task.name, language, families[task.name]
            found.append(Group(*about, columns, graded, projects.astype(np.int64), read))
    return found


def grades_of(index: Index, labels: tuple[Label, ...]) -> dict[int, int]:
    """Function -> grade, for every function that would hit a label."""
    files = {(index.projects[int(index.files.project[file])], path): file for file, path in enumerate(index.files.path)}
    found: dict[int, int] = {}
    for label in labels:
        file = files.get((label.project, label.path))
        if file is None:
            continue
        for function in range(int(index.files.first_function[file]), int(index.files.first_function[file + 1])):
            if hits(_whole(index, function, label), label):
                found[function] = max(found.get(function, 0), label.grade)
    return found


def _whole(index: Index, function: int, label: Label) -> Fragment:
    start, end = int(index.functions.start_line[function]), int(index.functions.end_line[function])
    span = FunctionSpan(label.path, "", start, end)
    return Fragment(0.0, {}, label.project, Language.C, label.path, start, end, (), (span,))
