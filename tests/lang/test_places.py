"""Where nodes are: a plain search over all of them is the oracle."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beryl.lang.flow import ENTRY, EXIT, STATEMENT, FlowGraph
from beryl.lang.places import Places


def graph_of(spans: list[tuple[int, int]]) -> FlowGraph:
    graph = FlowGraph()
    graph.begin(0, 100)
    for start, end in spans:
        graph.add(STATEMENT, start, end, [])
    return graph


def slowly(graph: FlowGraph, position: int) -> int:
    """The shortest node around a position that is no entry and no exit."""
    around = [
        (graph.end[node] - graph.start[node], node)
        for node, kind in enumerate(graph.kind)
        if kind not in (ENTRY, EXIT) and graph.start[node] <= position < graph.end[node]
    ]
    return min(around, default=(0, -1))[1]


@st.composite
def nested(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Ranges of which any two are apart or one inside the other, and no two the same."""
    spans: list[tuple[int, int]] = []

    def fill(start: int, end: int, depth: int) -> None:
        while end - start > 2 and depth and draw(st.booleans()):
            first = draw(st.integers(start, end - 2))
            last = draw(st.integers(first + 1, end - 1))
            spans.append((first, last))
            fill(first + 1, last, depth - 1)
            start = last

    fill(0, 60, 4)
    return draw(st.permutations(spans))


@given(spans=nested())
def test_the_innermost_node_around_a_position(spans):
    graph = graph_of(spans)
    positions = list(range(64))
    assert Places(graph).innermost(positions) == [slowly(graph, position) for position in positions]


def test_a_file_without_nodes():
    assert Places(FlowGraph()).innermost([3]) == [-1]
    assert [len(column) for column in Places(FlowGraph()).lines(b"")] == [0, 0]


def test_lines_start_at_one_and_end_with_the_last_byte():
    text = b"{\n  a;\n  b\n ;\n}\n"
    graph = FlowGraph()
    graph.begin(0, text.index(b"}") + 1)
    graph.add(STATEMENT, text.index(b"a"), text.index(b"a") + 2, [])
    graph.add(STATEMENT, text.index(b"b"), text.index(b" ;") + 3, [])
    first, last = Places(graph).lines(text)
    assert list(zip(first.tolist(), last.tolist(), strict=True)) == [(1, 5), (5, 5), (2, 2), (3, 4)]
