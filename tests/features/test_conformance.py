"""Every feature-class: similarities in [0, 1], symmetric, 1 with itself unless empty, and what two empty ones score."""

from __future__ import annotations

import pytest
from forager_functions import FIGURE_2, FIGURE_3, all_facts
from hypothesis import given, settings
from hypothesis import strategies as st

from beryl.features import FEATURES, feature_classes
from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Observation, Shape
from beryl.features.similarity import Tree
from beryl.types import Language

OTHERS = """
/* Copies a string; returns its length. */
size_t copy(char *to, const char *from) {
    size_t n = strlen(from);
    for (size_t i = 0; i <= n; i++) to[i] = from[i];
    printf("%zu copied\\n", n);
    return n;
}
void nothing(void) {}
struct list { struct list *next; int value; };
static int sum(struct list *head) { int s = 0; while (head) { s += head->value; head = head->next; } return s; }
double area(double r) { return 3.14 * r * r; }
"""
JAVA = """
class Box {
    private int[] held;
    int first(java.util.List<String> names) {
        for (String name : names) { if (name.length() > 3 && held[0] != -1) return name.indexOf('x'); }
        switch (held.length) { case 1: return 0x10; default: return held.length > 2 ? 1 : 0; }
    }
}
"""
FUNCTIONS = [*all_facts(FIGURE_2 + FIGURE_3 + OTHERS), *all_facts(JAVA, Language.JAVA), Facts("empty"), Facts("")]


@pytest.mark.parametrize("feature", feature_classes(), ids=lambda feature: feature.name)
def test_conformance(feature: FeatureClass) -> None:
    observations = [feature.observe(facts) for facts in FUNCTIONS]
    for first in observations:
        is_something = isinstance(first, Tree) or bool(first)
        assert feature.similarity(first, first) == pytest.approx(float(is_something))
        for second in observations:
            value = feature.similarity(first, second)
            assert 0.0 <= value <= 1.0
            assert value == pytest.approx(feature.similarity(second, first))


@pytest.mark.parametrize("feature", feature_classes(), ids=lambda feature: feature.name)
def test_names_in_the_table_are_those_of_the_classes(feature: FeatureClass) -> None:
    assert feature.name in FEATURES


EMPTY: dict[Shape, Observation] = {Shape.TREE: Tree((), ()), Shape.VECTOR: b""}
SOMETHING: dict[Shape, Observation] = {Shape.TREE: Tree(("seq", "if"), ("if", "seq")), Shape.VECTOR: b"\x01\xff"}


def test_two_empty_trees_are_alike_and_any_other_empty_observation_is_unlike_everything() -> None:
    for feature in feature_classes():
        empty, other = EMPTY.get(feature.shape, {}), SOMETHING.get(feature.shape, {"x": 1})
        assert feature.similarity(empty, empty) == (1.0 if feature.shape is Shape.TREE else 0.0)
        assert feature.similarity(empty, other) == 0.0


counts = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 5))


@settings(deadline=None)
@given(counts, counts)
def test_bags_stay_in_bounds_and_are_symmetric(first: dict[str, int], second: dict[str, int]) -> None:
    for feature in feature_classes():
        if feature.shape not in (Shape.TREE, Shape.VECTOR):
            value = feature.similarity(first, second)
            assert 0.0 <= value <= 1.0
            assert value == pytest.approx(feature.similarity(second, first))
            assert feature.similarity(first, dict(first)) == pytest.approx(float(bool(first)))


vectors = st.lists(st.integers(-127, 127), min_size=4, max_size=4).map(lambda codes: bytes(c % 256 for c in codes))


@settings(deadline=None)
@given(vectors, vectors)
def test_vectors_stay_in_bounds_and_are_symmetric(first: bytes, second: bytes) -> None:
    for feature in feature_classes():
        if feature.shape is Shape.VECTOR:
            value = feature.similarity(first, second)
            assert 0.0 <= value <= 1.0
            assert value == pytest.approx(feature.similarity(second, first))
            assert feature.similarity(first, first) == pytest.approx(float(any(first)))
