"""The measures of the Satsy paper, by hand."""

import pytest

from beryl.evaluate.examples import (
    average_precision,
    first_false_positive,
    ndcg,
    precision,
    read_judgements,
    read_tasks,
    reciprocal_rank,
)


def test_the_example_of_the_paper():
    """Two relevant documents at ranks 1 and 3: P(1) = 1, P(3) = 0.67."""
    assert average_precision([1, 0, 1]) == pytest.approx((1 + 2 / 3) / 2)


def test_ndcg_sums_from_the_second_rank():
    assert ndcg([0, 1, 0, 1]) == pytest.approx((1 / 1 + 1 / 2) / (1 + 1))
    assert ndcg([1, 1, 0]) == 1.0
    assert ndcg([0, 0]) == 0.0


def test_ranks():
    assert reciprocal_rank([0, 0, 1]) == pytest.approx(1 / 3)
    assert first_false_positive([1, 1, 0, 1]) == 3
    assert first_false_positive([1, 1]) == 3
    assert precision([1, 0, 1, 0]) == 0.5
    assert precision([]) == 0.0


def test_the_benchmark_has_the_eight_tasks_of_table_3_and_twelve_more():
    tasks = read_tasks()
    assert sorted(task.table3 for task in tasks if task.table3) == list(range(1, 9))
    assert sum(not task.table3 for task in tasks) >= 12
    assert {place[0] for place in read_judgements()} <= {task.id for task in tasks}
