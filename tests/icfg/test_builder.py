"""The builder by itself: frames take jumps, loose ends meet, dead code stays without a way in."""

from __future__ import annotations

from beryl.icfg.builder import Builder, called
from beryl.types import EdgeKind, NodeKind, Span

HERE = Span("f.txt", 1, 9)


def edges(build: Builder) -> list[tuple[int, int, str]]:
    return [(edge.source, edge.target, edge.kind.label) for edge in build.finish().edges]


def test_break_leaves_the_inner_loop_only_and_continue_goes_back_to_its_test():
    build = Builder()
    with build.function("F", "F()", HERE) as ends:
        outer = build.add(NodeKind.LOOP, "outer", HERE, True, ends)
        with build.loop() as around:
            inner = build.add(NodeKind.LOOP, "inner", HERE, True, [(outer, EdgeKind.TRUE)])
            with build.loop() as frame:
                stop = build.add(NodeKind.STATEMENT, "break", HERE, None, [(inner, EdgeKind.TRUE)])
                build.frames[-1].breaks.append((stop, EdgeKind.FLOW))
                again = build.add(NodeKind.STATEMENT, "continue", HERE, None)
                build.frames[-1].continues.append((again, EdgeKind.FLOW))
                build.connect(frame.continues, inner, back=True)
            build.connect([(inner, EdgeKind.FALSE), *frame.breaks], outer, back=True)
        assert not around.breaks
        ends[:] = [(outer, EdgeKind.FALSE)]
    assert [node.depth for node in build.nodes] == [0, 0, 0, 1, 2, 2]
    assert edges(build) == [
        *[(0, 2, "flow"), (2, 3, "true"), (3, 4, "true"), (5, 3, "back")],
        *[(3, 2, "back"), (4, 2, "back"), (2, 1, "false")],
    ]
    assert build.frames == []


def test_after_a_return_nothing_reaches_the_dead_code_but_it_goes_on_to_the_exit():
    build = Builder()
    with build.function("F", "F()", HERE) as ends:
        value = build.add(NodeKind.RETURN, "return x", HERE, True, ends)
        build.connect([(value, EdgeKind.FLOW)], build.exit)
        dead = build.add(NodeKind.STATEMENT, "x = 1", HERE, True)
        ends[:] = [(dead, EdgeKind.FLOW)]
    assert edges(build) == [(0, 2, "flow"), (2, 1, "flow"), (3, 1, "flow")]


def test_ends_that_meet_twice_give_one_edge():
    build = Builder()
    with build.function("F", "F()", HERE) as ends:
        test = build.add(NodeKind.CONDITION, "x", HERE, True, ends)
        ends[:] = [(test, EdgeKind.FALSE), (test, EdgeKind.FALSE), (test, EdgeKind.TRUE)]
    assert edges(build) == [(0, 2, "flow"), (2, 1, "false"), (2, 1, "true")]


def test_a_call_of_a_function_of_the_graph_keeps_its_flow_and_comes_back_after_it():
    build = Builder()
    with build.function("F", "F()", HERE) as ends:
        call = build.add(NodeKind.STATEMENT, "y = G(x) + H(x)", HERE, True, ends)
        ends[:] = [(call, EdgeKind.FLOW)]
    with build.function("G", "G()", HERE):
        pass
    icfg = build.finish()
    assert icfg.nodes[2].kind is NodeKind.CALL
    assert edges(build) == [(0, 2, "flow"), (2, 1, "flow"), (3, 4, "flow"), (2, 3, "call"), (4, 1, "return")]


def test_names_before_argument_lists_are_calls():
    assert called("a = MAKE-SET(x) + q.pop (y) - (z)") == ["MAKE-SET", "q.pop"]
