"""What is read of query and function, and that its likeness tells an implementation from a stranger."""

from __future__ import annotations

import numpy as np
import pytest

from beryl.evaluate.benchmark import query_text
from beryl.lang.pseudo import frontend
from beryl.search import reading
from beryl.search.signals import Candidates, Question


def function(index, name):
    return next(i for i in range(len(index.functions.file)) if index.functions.name[i] == name)


def question(name):
    return Question(frontend.read(query_text(name), name), True)


def test_a_head_is_class_name_and_how_the_comment_begins(demo):
    head = reading.head(demo.index, function(demo.index, "cheapest_wiring"))
    assert head.startswith("cheapest wiring. ")
    assert len(head) > len("cheapest wiring. ")
    assert "*" not in head
    assert "/" not in head


def test_an_implementation_is_nearer_in_meaning_than_a_stranger(demo):
    index = demo.index
    chosen = Candidates.of(index, np.array([function(index, "common_measure"), function(index, "cheapest_wiring")]))
    near, far = reading.meaning(index, question("gcd"), chosen, np.array([0, 1]))
    assert -1.0 <= far < near <= 1.0


def test_with_names_hidden_nothing_is_read(demo, monkeypatch):
    monkeypatch.setattr(reading, "meaning", lambda *_: pytest.fail("read"))
    assert demo.query(query_text("gcd"), names=False)


def test_the_order_of_candidates_does_not_change_what_is_read(demo):
    index = demo.index
    chosen = Candidates.of(index, np.arange(6))
    forward = reading.meaning(index, question("gcd"), chosen, np.arange(6))
    backward = reading.meaning(index, question("gcd"), chosen, np.arange(6)[::-1])
    assert forward == pytest.approx(backward[::-1], abs=1e-5)
