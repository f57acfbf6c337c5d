"""Generated algorithms: both layouts agree, conversion is stable, and control flow has no loose ends."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from beryl.errors import BerylError
from beryl.lang.pseudo import frontend
from beryl.types import Icfg, NodeKind

EXPRESSIONS = st.sampled_from(["$x = x + 1$", "$a[i] < b$", "@sort the list@", "$f(x)$", "@x is empty@", "$n - 1$"])
SIMPLE = st.one_of(
    EXPRESSIONS,
    st.sampled_from(["G(x, $y + 1$)", "F(x)", "return", "return $x$", "return @the result@", "break", "continue"]),
).map(lambda text: ("simple", text))


def compound(inner: st.SearchStrategy) -> st.SearchStrategy:
    body = st.lists(inner, min_size=1, max_size=3)
    tests = st.one_of(EXPRESSIONS, st.tuples(EXPRESSIONS, EXPRESSIONS).map(lambda pair: f"{pair[0]} and not {pair[1]}"))
    return st.one_of(
        st.tuples(st.just("while"), tests, body),
        st.tuples(st.just("for each"), EXPRESSIONS, body),
        st.tuples(st.just("for"), EXPRESSIONS.map(lambda text: f"{text} to $n$"), body),
        st.tuples(st.just("repeat"), tests, body),
        st.tuples(st.just("if"), tests, body, st.none() | body),
    )


STATEMENTS = st.recursive(SIMPLE, compound, max_leaves=12)
ALGORITHMS = st.lists(STATEMENTS, min_size=1, max_size=5)


def indented(body: list, depth: int = 1) -> list[str]:
    rows: list[str] = []
    pad = "  " * depth
    for statement in body:
        kind, head = statement[0], statement[1]
        if kind == "simple":
            rows.append(pad + head)
            continue
        rows.append(pad + ("repeat" if kind == "repeat" else f"{kind} {head}"))
        rows += indented(statement[2], depth + 1)
        if kind == "repeat":
            rows.append(f"{pad}until {head}")
        if kind == "if" and statement[3]:
            rows += [f"{pad}else", *indented(statement[3], depth + 1)]
    return rows


def braced(body: list) -> str:
    parts = []
    for statement in body:
        kind, head = statement[0], statement[1]
        if kind == "simple":
            parts.append(head + "\n")
        elif kind == "repeat":
            parts.append(f"repeat {{ {braced(statement[2])} }} until {head}\n")
        else:
            parts.append(f"{kind} {head} {{\n{braced(statement[2])}}}\n")
            if kind == "if" and statement[3]:
                parts.append(f"else {{ {braced(statement[3])} }}\n")
    return "".join(parts)


def graph(text: str) -> Icfg:
    return frontend.read(text, "x.pcode").icfg


def reached(icfg: Icfg) -> set[int]:
    """Nodes that control reaches from the entry, calls aside."""
    following: dict[int, list[int]] = {}
    for edge in icfg.edges:
        if edge.kind.label not in ("call", "return"):
            following.setdefault(edge.source, []).append(edge.target)
    seen, todo = {0}, [0]
    while todo:
        for target in following.get(todo.pop(), []):
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return seen


def followed(body: list, live: bool) -> tuple[list[bool], set[str]]:
    """By hand: is each node of a body live, in the order of the text, and how may control leave the body?"""
    nodes: list[bool] = []
    leaves: set[str] = set()
    for statement in body:
        made, outcomes = followed_one(statement, live)
        nodes += made
        leaves |= outcomes - {"next"}
        live = "next" in outcomes
    return nodes, leaves | ({"next"} if live else set())


def followed_one(statement: tuple, live: bool) -> tuple[list[bool], set[str]]:
    """As `followed`, for one statement; code that is not live leaves nowhere."""
    kind, head = statement[0], statement[1]
    if kind == "simple":
        word = head.split()[0]
        return [live], {word if word in ("return", "break", "continue") else "next"} if live else set()
    nodes, leaves = followed(statement[2], live)
    if kind == "if":
        others, elsewhere = followed(statement[3] or [], live)
        return [live, *nodes, *others], leaves | elsewhere
    tested = bool(leaves & {"next", "continue"}) if kind == "repeat" else live
    after = leaves & {"return"} | ({"next"} if tested or "break" in leaves else set())
    return [*nodes, tested] if kind == "repeat" else [live, *nodes], after


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ALGORITHMS)
def test_both_layouts_give_the_same_graph(body):
    one = graph("F(x)\n" + "\n".join(indented(body)) + "\n")
    other = graph("F(x) {\n" + braced(body) + "}\n")
    assert [(node.kind, node.text, node.math, node.depth) for node in one.nodes] == [
        (node.kind, node.text, node.math, node.depth) for node in other.nodes
    ]
    assert one.edges == other.edges


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ALGORITHMS)
def test_exactly_the_live_nodes_are_reached_and_the_exit_always_is(body):
    icfg = graph("F(x)\n" + "\n".join(indented(body)) + "\n")
    seen = reached(icfg)
    nodes, leaves = followed(body, True)
    assert [node.id in seen for node in icfg.nodes[2:]] == nodes
    assert leaves
    assert 1 in seen
    assert [node.kind for node in icfg.nodes].count(NodeKind.EXIT) == 1
    sources = {edge.source for edge in icfg.edges}
    assert all(node.id in sources for node in icfg.nodes if node.kind is not NodeKind.EXIT)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ALGORITHMS)
def test_p_code_is_recognised_and_left_as_it_is(body):
    text = "F(x)\n" + "\n".join(["  $x = 0$", *indented(body)]) + "\n"
    assert frontend.convert(text) == text


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="if while for each x=1 $@{}()\n\t:;.\\do end then←", max_size=80))
def test_no_text_gives_anything_but_a_graph_or_one_sentence(text):
    said, functions = "", ()
    try:
        functions = frontend.read(text).icfg.functions
    except BerylError as error:
        said = str(error).strip()
    assert said or functions
