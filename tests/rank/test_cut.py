"""Where a fragment begins and ends: the run of statements that the query speaks of."""

from __future__ import annotations

import numpy as np

from beryl.rank.cut import nests, window

# check, check, loop { step, loop { step } }, clean-up
DEPTHS = np.array([0, 0, 0, 1, 1, 2, 0], dtype=np.uint8)
LOOPS = np.array([False, False, True, False, True, False, False])


def test_a_loop_is_in_itself_and_what_follows_it_is_not():
    assert nests(DEPTHS, LOOPS).tolist() == [0, 0, 1, 1, 2, 2, 0]


def test_a_run_has_the_nest_of_the_query_and_all_its_evidence():
    # two lines, one matches the outer step, one the inner one
    evidence = np.zeros((2, 7), dtype=np.float32)
    evidence[0, 3] = evidence[1, 5] = 4.0
    first, last = window(evidence, DEPTHS, LOOPS, wanted_nest=2)
    assert first <= 2
    assert last >= 5


def test_a_function_is_cut_to_the_loop_that_matches():
    # eighteen statements around a loop of twelve, the ten lines of the query match inside it: 1.2 * 10 = 12 = 0.4 * 30
    assert _cut_of_a_loop(around=9) == (9, 20)


def test_of_a_long_function_about_two_fifths_are_kept():
    # 0.4 * 52 = 21 statements: the loop and what leads to it
    first, last = _cut_of_a_loop(around=20)
    assert first <= 20
    assert last >= 31
    assert last - first + 1 == 21


def _cut_of_a_loop(around: int) -> tuple[int, int]:
    """Where a query of ten lines, all matched in a loop of twelve statements, is cut out of a function."""
    depths = np.array([0] * around + [0] + [1] * 11 + [0] * around, dtype=np.uint8)
    loops = np.zeros(len(depths), dtype=np.bool_)
    loops[around] = True
    evidence = np.zeros((10, len(depths)), dtype=np.float32)
    evidence[np.arange(10), np.arange(around + 1, around + 11)] = 3.0
    return window(evidence, depths, loops, wanted_nest=1)


def test_a_run_never_ends_inside_a_loop_that_it_holds():
    evidence = np.ones((3, 7), dtype=np.float32)
    first, last = window(evidence, DEPTHS, LOOPS, wanted_nest=0)
    assert last == 6 or DEPTHS[last + 1] <= DEPTHS[first]
