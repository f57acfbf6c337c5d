"""Evidence, alignment, structure and the linear mix, each on numbers that can be worked out on paper."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from beryl.errors import ModelError
from beryl.rank import align, evidence
from beryl.rank.model import MEANING, Model, load, matrix
from beryl.rank.structure import Step, compare, contained, overlap, structure
from beryl.types import NodeKind

LOOP, IF, DO, RETURN = NodeKind.LOOP, NodeKind.CONDITION, NodeKind.STATEMENT, NodeKind.RETURN
NONE = (0,) * 7


def test_the_share_of_nodes_at_or_above_a_level():
    # three statements at levels 0, 100, 255, standing in 5, 3 and 2 nodes
    shares = evidence.tail(np.array([0, 100, 255], dtype=np.uint8), np.array([5, 3, 2]))
    assert shares[0] == 1.0
    assert shares[100] == pytest.approx(0.5)
    assert shares[101] == pytest.approx(0.2)


def test_a_rare_match_is_worth_more_and_a_long_function_less():
    shares = np.ones(256)
    shares[255] = 0.01
    best = np.array([255, 255, 0], dtype=np.uint8)
    worth = evidence.worth(best, shares, np.array([1, 100, 1]))
    assert worth[0] == pytest.approx(-math.log(0.01))
    assert worth[1] == pytest.approx(-math.log(0.01) - 0.5 * math.log(100), rel=1e-5)
    assert worth[2] == 0.0


def test_entry_and_exit_never_count():
    # one function of four nodes: entry and exit match perfectly, its statements do not
    row = np.array([255, 10, 40], dtype=np.uint8)
    best = evidence.best_levels(row, np.array([0, 0, 1, 2], dtype=np.int32), np.array([0, 4]))
    assert best.tolist() == [40]


def test_alignment_in_order_beats_the_same_matches_out_of_order():
    # each line matches one statement with evidence 5: in order 3 * (5 - 1) = 12; reversed, only one can be matched
    ordered = 5 * np.eye(3, dtype=np.float32)
    assert align.align(ordered).score == pytest.approx(12.0)
    assert align.align(ordered).pairs == ((0, 0), (1, 1), (2, 2))
    assert align.align(ordered[:, ::-1]).score == pytest.approx(4.0)


def test_a_skipped_statement_costs_a_quarter():
    table = np.zeros((2, 3), dtype=np.float32)
    table[0, 0] = table[1, 2] = 5
    assert align.align(table).score == pytest.approx(4 + 4 - align.SKIP_STATEMENT)


def test_no_evidence_no_alignment():
    assert align.align(np.zeros((3, 4), dtype=np.float32)) == align.Alignment(0.0, ())
    assert align.align(np.zeros((3, 0), dtype=np.float32)).pairs == ()


def test_many_candidates_at_once_score_as_one_by_one():
    generator = np.random.default_rng(0)
    batch = generator.exponential(1.0, size=(20, 6, 15)).astype(np.float32)
    lengths = generator.integers(1, 16, size=20).tolist()
    for row, length in enumerate(lengths):
        batch[row, :, length:] = 0
    together = align.scores(batch, lengths)
    for row, length in enumerate(lengths):
        assert together[row] == pytest.approx(align.align(batch[row, :, :length]).score, abs=1e-4)


def test_nested_loops_and_operators_are_counted_by_nest():
    #   for (...)            loop, nest 0
    #     for (...)          loop, nest 1
    #       x = x + a * b    one AddSub, one MultDiv, nest 2
    #   return x             nest 0
    plus_times = (1, 1, 0, 0, 0, 0, 0)
    found = structure([Step(LOOP, 0, NONE), Step(LOOP, 1, NONE), Step(DO, 2, plus_times), Step(RETURN, 0, NONE)], False)
    assert (found.loops, found.nest, found.branches, found.returns) == (2, 2, 0, 1)
    assert found.operators == {(0, 2): 1, (1, 2): 1}
    assert found.skeleton == {(0, LOOP, 0): 1, (LOOP, LOOP, 1): 1, (0, RETURN, 0): 1}


def test_overlap_and_containment_by_hand():
    first, second = {(1,): 2, (2,): 1}, {(1,): 1, (3,): 1}
    assert overlap(first, second) == pytest.approx(1 / 4)
    assert contained(first, second) == pytest.approx(1 / 3)
    assert overlap({}, {}) == contained({}, second) == 1.0


def test_code_is_like_itself():
    own = structure([Step(LOOP, 0, NONE), Step(IF, 1, NONE), Step(RETURN, 2, NONE)], True)
    assert set(compare(own, own).values()) == {1.0}


def test_the_mix_is_a_weighted_sum_and_its_parts_add_up():
    columns = {"a": np.array([1.0, 4.0], dtype=np.float32), "b": np.array([2.0, 0.0], dtype=np.float32)}
    model = Model({"a": 2.0, "a (relative)": 1.0, "b": -1.0}, {})
    # 2*1 + 1/4 - 2 = 0.25 and 2*4 + 1 - 0 = 9
    assert model.score(columns).tolist() == [0.25, 9.0]
    assert sum(model.parts(columns).values()).tolist() == [0.25, 9.0]
    assert matrix(columns, ("b (relative)",))[:, 0].tolist() == [1.0, 0.0]


def test_meaning_counts_from_the_worst_that_was_read_and_the_parts_add_up(monkeypatch):
    monkeypatch.setattr("beryl.rank.model.READ", 2)
    columns = {"a": np.array([1.0, 5.0, 4.0, 2.0], dtype=np.float32)}
    asked = []

    def read(positions):
        asked.extend(positions.tolist())
        return np.array([0.1, 0.9], dtype=np.float32)  # of the candidates with a = 5 and a = 4

    scored = Model({"a": 1.0}, {}, meaning=10.0).rank(columns, read)
    assert asked == [1, 2]
    assert scored.scores == pytest.approx([1, 5, 4 + 8, 2])
    assert sum(scored.parts.values()) == pytest.approx([1, 5, 12, 2])
    assert scored.parts[MEANING] == pytest.approx([0, 0, 8, 0])


def test_where_meaning_weighs_nothing_nothing_is_read():
    columns = {"a": np.array([1.0, 5.0], dtype=np.float32)}
    assert Model({"a": 1.0}, {}).rank(columns, pytest.fail).scores.tolist() == [1.0, 5.0]


def test_a_damaged_model_is_one_sentence(tmp_path):
    path = tmp_path / "names.json"
    path.write_text(json.dumps({"weights": 3}))
    with pytest.raises(ModelError, match="cannot be read"):
        load(path)
