"""Math or prose: the shipped classifier, and its agreement with scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest

from beryl import paths
from beryl.errors import ModelError
from beryl.lang.pseudo import evaluate, lines, train


@pytest.mark.parametrize(
    "text", ["x < y", "A[i] ← A[j]", "n - 1", "TRUE", "d[u] + w(u, v) < d[v]", "i := i + 1", "Q ≠ ∅"]
)
def test_math(text):
    assert lines.is_math(text)


@pytest.mark.parametrize(
    "text", ["sort A[1..n] by weight", "let C be a new n × n matrix", "vertex v ∈ G.V", "print x", "Q is empty"]
)
def test_prose(text):
    assert not lines.is_math(text)


def test_accuracy_on_lines_labelled_by_hand_is_at_least_97_percent_in_six_styles_and_more():
    test = evaluate.test_lines(paths.data("lines", "test.tsv"))
    result = evaluate.accuracy(test)
    assert result.total >= 400
    assert len(result.by_style) >= 6
    assert result.right / result.total >= 0.97, result.wrong


def test_no_test_line_is_a_training_line():
    test = evaluate.test_lines(paths.data("lines", "test.tsv"))
    dev = {line.text.strip() for line in evaluate.test_lines(paths.data("lines", "dev.tsv"))}
    unlabelled = set(paths.data("lines", "more.txt").read_text(encoding="utf-8").split("\n"))
    lines_kept = train.collect([], [paths.data("lines", "more.txt")], [line.text for line in test])
    assert not dev & {line.text.strip() for line in test}
    assert unlabelled
    assert not {text for line in test for text in train.expressions(line.text)} & set(lines_kept.pseudocode)


@pytest.mark.parametrize("method", train.METHODS)
def test_inductive_answers_are_those_of_scikit_learn(method):
    math = (
        "x = 1",
        "a[i] = b[j]",
        "i < n",
        "f(x) + g(y)",
        "y = x * 2",
        "k == 0",
        "n - 1",
        "p->next",
        "s += t",
        "count",
        "a && b",
    )
    prose = (
        "sort the list",
        "the tree is empty",
        "swap the two halves",
        "find the end of it",
        "wait for a signal",
        "mark it as done",
    )
    unlabelled = ("d[v] ← ∞", "let T be a tree", "u ∈ V", "vertex v of G", "print x", "x ≤ y") * 2
    model, classifier = train.fit(train.Lines(math * 2, prose * 2, unlabelled), method)
    new = ["z = x + y", "choose an element", "x", "A[i] > key", "remove the last one from the list", "Q is empty"]
    assert list(classifier.probability(new) > 0.5) == [
        bool(label) for label in model.predict(train.rows_of(classifier, new))
    ]


def test_the_shipped_model_is_plain_arrays_of_at_least_the_size_of_the_paper():
    folder = paths.model(lines.MODEL)
    assert {path.suffix for path in folder.iterdir()} == {".npy", ".json"}
    labels = np.load(folder / "labels.npy", allow_pickle=False)
    assert len(labels) > 20 + 712 + 1023
    assert (labels.sum(axis=1) > 0).all(), "a line that no label ever reached"


def test_a_missing_model_is_said_so(monkeypatch, tmp_path):
    monkeypatch.setattr(lines.paths, "model", lambda name: tmp_path / name)
    lines.classifier.cache_clear()
    with pytest.raises(ModelError, match=r"scripts/train_lines\.py"):
        lines.classifier()
    lines.classifier.cache_clear()
