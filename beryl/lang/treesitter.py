"""C, C++ and Java to a FileUnit and to an ICFG: functions, statements, edges and calls of one file."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from itertools import pairwise
from operator import itemgetter

import tree_sitter

from beryl.errors import InputError
from beryl.icfg.calls import join_unit
from beryl.lang.callsites import CONSTRUCTION, call_sites
from beryl.lang.flow import CALL, EXCEPTION, STATEMENT
from beryl.lang.functions import Definition, body_of, comment_before, definitions
from beryl.lang.head import head_end
from beryl.lang.mend import mend_damaged, mend_statements
from beryl.lang.missed import missed_functions
from beryl.lang.parsing import SyntaxNode, grammar, parse_parts
from beryl.lang.places import Places
from beryl.lang.receivers import Receivers
from beryl.lang.spec import LanguageSpec
from beryl.lang.statements import FlowBuilder
from beryl.lang.text import by_bytes, readable, statement_text, statement_texts
from beryl.registry import LANGUAGES, load
from beryl.types import (
    CallRow,
    Edge,
    EdgeKind,
    FileUnit,
    Function,
    FunctionFlag,
    FunctionRow,
    Icfg,
    Language,
    Node,
    NodeKind,
    Source,
    Span,
)

# What `CallRow(*row)` does, without a call in Python: there is one for every second statement.
_call_row = partial(tuple.__new__, CallRow)
_function_row = partial(tuple.__new__, FunctionRow)
Captures = dict[str, list[SyntaxNode]]

# Python frames only, which take no C stack since 3.11; one level of statements is one or two frames.
_DEEPEST = 100_000
_CPP_HEADER = re.compile(rb"^\s*(?:class\s+\w+|namespace\b|template\s*<|using\s+namespace\b)", re.MULTILINE)


@cache
def _spec(language: Language) -> LanguageSpec:
    spec: LanguageSpec = load(LANGUAGES, language.value, "language")
    return spec


@cache
def _suffixes() -> dict[str, Language]:
    specs = [_spec(Language(name)) for name in LANGUAGES]
    return {suffix: spec.language for spec in specs for suffix in spec.suffixes}


def language_of(path: str, text: bytes = b"") -> Language | None:
    """The language by suffix; a `.h` whose text is clearly C++ is C++."""
    dot = path.rfind(".")
    language = _suffixes().get(path[dot:].lower()) if dot >= 0 else None
    if language is Language.C and path[dot:].lower() == ".h" and _CPP_HEADER.search(text):
        return Language.CPP
    return language


@cache
def _query(language: Language) -> tree_sitter.Query:
    spec = _spec(language)
    patterns = [f"({kind}) @function" for kind in sorted(spec.functions)]
    patterns += [f"({kind}) @lambda" for kind in sorted(spec.lambdas)]
    # A kind that is also a call gives a scope only where it has a body: an anonymous class.
    with_body = " ".join(f"({kind})" for kind in sorted(spec.holes))
    for kind in sorted(spec.containers):
        patterns.append(f"({kind} {with_body}) @scope" if kind in spec.calls else f"({kind}) @scope")
    patterns += [f"({kind}) @call" for kind in sorted(spec.calls)]
    anonymous = sorted(spec.calls & spec.containers.keys())
    for kind in sorted(spec.holes):
        patterns += [f"({outer} ({kind}) @hole)" for outer in anonymous] or [f"({kind}) @hole"]
    patterns += [f"({kind}) @switch" for kind in sorted(spec.switches)]
    classes = " ".join(f"({kind})" for kind in spec.classes)
    patterns += [f"({kind} type: [{classes}] @local)" for kind in spec.locals]
    patterns += [f"({kind} type: [{classes}] @field)" for kind in spec.fields]
    return tree_sitter.Query(grammar(language), "\n".join(patterns))


@contextmanager
def _deep_recursion() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEEPEST))
    try:
        yield
    except RecursionError:
        raise InputError(f"statements are nested too deeply (about {_DEEPEST // 4:,} levels are possible)") from None
    finally:
        sys.setrecursionlimit(limit)


def analyse(text: bytes, language: Language, timeout: float = 10.0) -> FileUnit:
    """Functions, nodes, edges and calls of one file; InputError when it takes longer than `timeout` seconds."""
    spec = _spec(language)
    found, errors = _captures(text, language, timeout)
    source = by_bytes(text)
    functions = definitions(source, spec, found)
    graph = FlowBuilder(spec, source, sorted(found.get("switch", ()), key=lambda node: node.start_byte))
    bounds = [0]
    with _deep_recursion():
        for each in functions:
            graph.function(each.node, each.before, body_of(each.node, language))
            bounds.append(len(graph.kind))
    places = Places(graph)
    calls = _calls(source, found, functions, graph, bounds, places)
    _exceptions(graph, calls)
    first, last = places.lines(text)
    entries = bounds[:-1]
    spans = zip(first[entries].tolist(), last[entries].tolist(), strict=True)
    return FileUnit(
        language,
        _rows(source, functions, graph, bounds, spans),
        graph.kind,
        _texts(source, functions, _holes(source, functions, found), graph, bounds, places),
        first,
        last,
        graph.depth,
        graph.edge_source,
        graph.edge_target,
        graph.edge_kind,
        calls,
        errors,
    )


def _captures(text: bytes, language: Language, timeout: float) -> tuple[Captures, int]:
    """What the query finds in a file; C functions that do not parse get a second chance with their macros mended."""
    query = _query(language)
    spec = _spec(language)
    start = head_end(text, spec)
    if not spec.preprocessed:
        root = parse_parts(text, language, [(start, len(text))], timeout).root_node
        return tree_sitter.QueryCursor(query).captures(root), int(root.has_error)
    text = mend_statements(text)
    root = parse_parts(text, language, [(start, len(text))], timeout).root_node
    found = tree_sitter.QueryCursor(query).captures(root)
    if not root.has_error:
        return found, 0
    functions = found.get("function", ())
    missed = missed_functions(text, [(node.start_byte, node.end_byte) for node in functions if not node.has_error])
    ranges = _outermost(missed, ((node.start_byte, node.end_byte) for node in functions if node.has_error))
    if not ranges:
        return found, 1
    again = parse_parts(mend_damaged(text, ranges), language, ranges, timeout).root_node
    mended = tree_sitter.QueryCursor(query).captures(again)
    whole = [node.start_byte for node in functions if not node.has_error]
    fresh = {each for each in missed if not _between(whole, *each)}
    return _merged(found, mended, _healed(ranges, fresh, mended.get("function", ()))), 1


def _healed(
    ranges: list[tuple[int, int]], fresh: set[tuple[int, int]], functions: Sequence[SyntaxNode]
) -> list[tuple[int, int]]:
    """The ranges that are one function now; a fresh one, which the tree did not have, may be damaged."""
    whole = [node.start_byte for node in functions if not node.has_error]
    broken = [node.start_byte for node in functions if node.has_error]
    spans = {(node.start_byte, node.end_byte) for node in functions}

    def is_one(start: int, end: int) -> bool:
        good, bad = _between(whole, start, end), _between(broken, start, end)
        return good + bad == 1 and (good == 1 or ((start, end) in fresh and (start, end) in spans))

    return [each for each in ranges if is_one(*each)]


def _merged(found: Captures, mended: Captures, healed: list[tuple[int, int]]) -> Captures:
    """What was found outside the healed ranges, and what the second parse gives inside them."""
    if not healed:
        return found
    starts = [start for start, _ in healed]

    def inside(node: SyntaxNode) -> bool:
        position = bisect_right(starts, node.start_byte) - 1
        return position >= 0 and node.start_byte < healed[position][1]

    return {
        name: [
            *(node for node in found.get(name, ()) if not inside(node)),
            *(node for node in mended.get(name, ()) if inside(node)),
        ]
        for name in {*found, *mended}
    }


def _outermost(first: Iterable[tuple[int, int]], rest: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges that do not overlap, by position; those that come first are preferred."""
    chosen = list(first)
    taken = [start for start, _ in chosen]
    result: list[tuple[int, int]] = []
    for start, end in sorted([*chosen, *(each for each in rest if not _overlaps(chosen, taken, each))]):
        if not result or start >= result[-1][1]:
            result.append((start, end))
    return result


def _overlaps(ranges: list[tuple[int, int]], starts: list[int], other: tuple[int, int]) -> bool:
    position = bisect_left(starts, other[1]) - 1
    return position >= 0 and ranges[position][1] > other[0]


def _between(positions: list[int], start: int, end: int) -> int:
    return sum(start <= position < end for position in positions)


def _rows(
    source: str, functions: list[Definition], graph: FlowBuilder, bounds: list[int], lines: Iterable[tuple[int, int]]
) -> tuple[FunctionRow, ...]:
    """The functions; their entry nodes say where they are."""
    rows = list[tuple[str | int, ...]]()
    for each, (entry, end), (first, last) in zip(functions, pairwise(bounds), lines, strict=True):
        start = graph.start[entry]
        span = first, last, start, graph.end[entry]
        names = readable(each.name), readable(each.qualified), each.signature
        rows.append((*names, each.parameters, *span, *comment_before(source, start), each.flags, entry, end))
    return tuple(map(_function_row, rows))


def _calls(
    source: str,
    found: Captures,
    functions: list[Definition],
    graph: FlowBuilder,
    bounds: list[int],
    places: Places,
) -> tuple[CallRow, ...]:
    """Each call at the innermost node around it; a statement with a call becomes a call node."""
    sites = call_sites(source, graph.language, found.get("call", ()))
    used = {receiver.removeprefix("this.") for _, _, _, receiver in sites}
    receivers = Receivers(source, used, found.get("local", ()), found.get("field", ()))
    declared, outer = receivers.names, _outer_starts(graph, bounds)
    rows, kinds = list[tuple[int, str, int, str]](), graph.kind
    for site, node in zip(sites, places.innermost([site[0] for site in sites]), strict=True):
        if node < 0:
            continue
        start, name, arguments, receiver = site
        if receiver == CONSTRUCTION:
            if name in ("this", "super"):
                definition = functions[bisect_right(bounds, node) - 1]
                name = definition.owner if name == "this" else definition.base
        elif receiver in declared:
            receiver = receivers.of(receiver, start, outer[bisect_right(bounds, node) - 1])
        if name:
            rows.append((node, name, arguments, receiver))
        if kinds[node] == STATEMENT:
            kinds[node] = CALL
    rows.sort(key=itemgetter(0))
    return tuple(map(_call_row, rows))


def _outer_starts(graph: FlowBuilder, bounds: list[int]) -> list[int]:
    """For each function the start of the outermost function around it: what its variables may be declared in."""
    result: list[int] = []
    start, end = 0, -1
    for entry in bounds[:-1]:
        if graph.start[entry] >= end:
            start, end = graph.start[entry], graph.end[entry]
        result.append(start)
    return result


def _exceptions(graph: FlowBuilder, calls: Iterable[CallRow]) -> None:
    """Calls inside a try may throw to its handler; without any call, its first node may."""
    if not graph.guarded:
        return
    calling = {call.node for call in calls}
    edges = zip(graph.edge_source, graph.edge_target, graph.edge_kind, strict=True)
    thrown = {(source, target) for source, target, kind in edges if kind == EXCEPTION}
    handled: set[int] = set()
    for first, last, handler in graph.guarded:
        throwing = [node for node in range(first, last) if node in calling and node not in handled]
        handled.update(range(first, last))
        for node in throwing or [first]:
            if (node, handler) not in thrown:
                graph.edge(node, handler, EXCEPTION)


def _holes(source: str, functions: list[Definition], found: Captures) -> list[tuple[int, int]]:
    """Ranges that have nodes of their own: bodies of lambdas, of local classes and of switch expressions."""
    bodies: list[tuple[int, int]] = []
    if "lambda" in found:
        lambdas = [each.body for each in functions if each.flags & FunctionFlag.LAMBDA]
        bodies = [body for body in lambdas if source[body[0]] == "{"]
    switches = [node.child_by_field_name("body") or node for node in found.get("switch", ())]
    return sorted([*bodies, *((node.start_byte, node.end_byte) for node in [*switches, *found.get("hole", ())])])


def _texts(
    source: str,
    functions: list[Definition],
    holes: list[tuple[int, int]],
    graph: FlowBuilder,
    bounds: list[int],
    places: Places,
) -> list[str]:
    """What each node says; what has nodes of its own is left out of the statement around it."""
    texts = statement_texts(source, graph.kind, graph.start, graph.end)
    for index, each in enumerate(functions):
        texts[bounds[index]] = readable(each.name)
    if not holes:
        return texts
    inside: dict[int, list[tuple[int, int]]] = {}
    for (start, end), node in zip(holes, places.innermost([start - 1 for start, _ in holes]), strict=True):
        if node >= 0 and graph.end[node] >= end:
            inside.setdefault(node, []).append((start, end))
    for node, gaps in inside.items():
        pieces, position = [], graph.start[node]
        for start, end in gaps:
            if start < position:
                continue
            pieces.append(source[position:start] + "{}")
            position = end
        texts[node] = statement_text("".join([*pieces, source[position : graph.end[node]]]))
    return texts


def icfg_of_source(source: Source, function: str = "") -> Icfg:
    """The graph of one file, or of one function of it, with calls joined inside."""
    unit = analyse(source.text.encode("utf-8", "surrogatepass"), source.language)
    functions = [
        Function(
            row.name,
            row.qualified,
            row.signature,
            Span(source.path, row.start_line, row.end_line),
            row.first_node,
            row.last_node,
            bool(row.flags & FunctionFlag.DAMAGED),
        )
        for row in unit.functions
    ]
    nodes, owner = [], 0
    for index, text in enumerate(unit.node_text):
        while index >= functions[owner].last_node:
            owner += 1
        span = Span(source.path, int(unit.node_line[index]), int(unit.node_end_line[index]))
        nodes.append(Node(index, NodeKind(unit.node_kind[index]), text, span, owner, None, unit.node_depth[index]))
    edges = [
        Edge(start, end, EdgeKind(kind))
        for start, end, kind in zip(unit.edge_source, unit.edge_target, unit.edge_kind, strict=True)
    ]
    edges += join_unit(unit)
    graph = Icfg(tuple(functions), tuple(nodes), tuple(edges))
    return select(graph, function) if function else graph


def select(graph: Icfg, function: str) -> Icfg:
    """The part of a graph that is one function (or several of that name)."""
    wanted = [
        index
        for index, each in enumerate(graph.functions)
        if function in (each.name, each.qualified) or each.qualified.endswith("." + function)
    ]
    if not wanted:
        known = ", ".join(dict.fromkeys(each.qualified for each in graph.functions)) or "none"
        raise InputError(f"no function {function!r} in the file; there are: {known}")
    functions, nodes, renumbered = list[Function](), list[Node](), dict[int, int]()
    for index in wanted:
        each = graph.functions[index]
        first = len(nodes)
        for node in graph.nodes[each.first_node : each.last_node]:
            renumbered[node.id] = len(nodes)
            nodes.append(Node(len(nodes), node.kind, node.text, node.span, len(functions), node.math, node.depth))
        functions.append(
            Function(each.name, each.qualified, each.signature, each.span, first, len(nodes), each.damaged)
        )
    edges = tuple(
        Edge(renumbered[edge.source], renumbered[edge.target], edge.kind, edge.uncertain)
        for edge in graph.edges
        if edge.source in renumbered and edge.target in renumbered
    )
    return Icfg(tuple(functions), tuple(nodes), edges)
