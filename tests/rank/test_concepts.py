"""Other spellings of a word."""

from __future__ import annotations

from beryl.rank.concepts import Discounts, concepts

VOCABULARY = ("dist", "distanc", "idx", "index", "matrix", "qsort", "quick", "quicksort", "sort", "vertex", "vtx")


def variants(word: str, **discounts: float) -> dict[str, float]:
    return dict(concepts([word], VOCABULARY, Discounts(**discounts))[0].variants)


def test_an_abbreviation_and_its_word_meet_half_way():
    assert variants("distance", abbreviation=0.6)["dist"] == 0.6
    assert variants("vtx", abbreviation=0.6)["vertex"] == 0.6
    assert variants("distance")["distanc"] == 1.0


def test_a_discount_of_zero_switches_a_rule_off():
    assert "idx" in variants("index", abbreviation=0.5)
    assert "idx" not in variants("index", abbreviation=0.0)


def test_a_word_that_no_function_holds_is_met_by_its_beginning():
    assert variants("matric", prefix=0.3) == {"matric": 1.0}
    assert variants("vert", prefix=0.3, abbreviation=0.0)["vertex"] == 0.3
    assert "distanc" not in variants("dist", prefix=0.3, abbreviation=0.0), "dist itself is known"


def test_neighbours_are_also_one_word():
    asked = concepts(["quick", "sort"], VOCABULARY)
    assert [concept.label for concept in asked[:3]] == ["quick", "sort", "quicksort"]
    assert asked[2].weight == Discounts().pair


def test_other_names_of_an_algorithm_count_less():
    names = {concept.variants[0][0]: concept.weight for concept in concepts(["quick", "sort"], VOCABULARY)}
    assert 0 < names["qsort"] < 1


def test_a_word_asked_for_twice_weighs_twice():
    asked = concepts(["vertex", "index", "vertex"], VOCABULARY, Discounts(pair=0.0))
    assert {concept.label: concept.weight for concept in asked} == {"vertex": 2.0, "index": 1.0}
