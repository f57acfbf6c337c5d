"""What the paper prints of its binary search (Source Forager, Figs. 2 to 5), class by class."""

from __future__ import annotations

from forager_functions import FIGURE_2, facts

from beryl.features import FEATURES, PAPER, feature_classes, kgraphs
from beryl.features.feature import Observation
from beryl.features.similarity import Tree

CLASSES = {feature.name: feature for feature in feature_classes()}


def observed(name: str) -> Observation:
    """What a class sees in Fig. 2."""
    return CLASSES[name].observe(facts(FIGURE_2))


def reversed_bits(shape: str, k: int) -> int:
    """The number whose bits are those of a shape, last first."""
    return int(format(int(shape), f"0{k * k}b")[::-1], 2)


def test_type_operation_coupling() -> None:
    assert set(observed("type-operation-coupling")) == {
        *("int unary-", "int /", "int* +", "int >", "int +", "int <=", "int -", "int <"),
    }


def test_numeric_literals() -> None:
    assert set(observed("numeric-literals")) == {"-1", "0", "1", "2"}


def test_terms_and_their_five_to_one_ratio() -> None:
    assert observed("nl-terms") == {"bin": 5, "search": 5, "high": 1, "low": 1, "found": 1, "mid": 1, "match": 1}


def test_comments() -> None:
    assert set(observed("comments")) == {"found", "match", "no"}


def test_type_signature() -> None:
    assert observed("type-signature") == {"int": 3, "int*": 1}


def test_local_types() -> None:
    assert observed("local-types") == {"int": 1}


def test_no_calls_and_no_strings() -> None:
    for name in ("modeled-calls", "unmodeled-calls", "user-calls", "string-literals"):
        assert observed(name) == {}


def test_skeleton_tree_drawn_by_hand() -> None:
    # seq( while( seq( if( seq( if )))): the bodies of the inner ifs hold neither loop nor conditional.
    down = ("seq", "while", "seq", "if", "seq", "if")
    assert observed("skeleton-tree") == Tree(down, down[::-1])


def test_decorated_skeleton_tree_drawn_by_hand() -> None:
    # seq( - while( <= seq( /(+) if( <([]) seq(-) seq( if( >([]) seq(+) ))))) unary- ); the last branch is empty.
    pre = ("seq", "-", "while", "<=", "seq", "/", "+", "if", "<", "[]", "seq", "-", "seq", "if", ">", "[]", "seq", "+")
    post = ("-", "<=", "+", "/", "[]", "<", "-", "seq", "[]", ">", "+", "seq", "if", "seq", "if", "seq", "while")
    assert observed("decorated-skeleton-tree") == Tree((*pre, "unary-"), (*post, "unary-", "seq"))


def test_four_graphs_breadth_first_are_those_of_the_paper_with_the_bits_reversed() -> None:
    found = observed("cfg-4-bfs")
    assert not isinstance(found, Tree)
    assert {reversed_bits(shape, 4): count for shape, count in found.items()} == {134: 3, 194: 4, 2114: 3}


def test_bit_order_of_figure_5() -> None:
    # 0 -> 1, 1 -> 2 and 1 -> 3: "0100 0011 0000 0000".
    graph = ((1,), (2, 3), (), ())
    assert kgraphs.shape(graph, kgraphs.breadth_first(graph, 0, 4)) == 17_152


def test_all_sixteen_classes_of_table_1_are_there_and_ten_more() -> None:
    assert len(PAPER) == 16
    assert len(FEATURES) == 26
    assert [feature.name for feature in feature_classes()] == list(FEATURES)
