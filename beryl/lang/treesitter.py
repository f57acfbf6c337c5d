"""C, C++ and Java to a FileUnit and to an ICFG: functions, statements, edges and calls of one file."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import tree_sitter

from beryl.errors import InputError
from beryl.lang.callsites import CallSite, call_sites
from beryl.lang.flow import FlowBuilder
from beryl.lang.functions import Definition, comment_before, definitions
from beryl.lang.parsing import SyntaxNode, grammar, parse
from beryl.lang.spec import LanguageSpec
from beryl.registry import LANGUAGES, load
from beryl.types import CallRow, Edge, EdgeKind, FileUnit, Function, FunctionRow, Icfg, Language, Node, NodeKind, Source
from beryl.types import FunctionFlag, Span

TEXT_LIMIT = 400
"""Characters kept of a statement."""
# Python frames only (they take no C stack since 3.11); statements nested deeper than this become an InputError.
_DEEPEST = 100_000
_COMMENT = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|/\*.*?(?:\*/|$)|//[^\n]*""", re.DOTALL)
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
    patterns += [f"({kind}) @scope" for kind in sorted(spec.containers)]
    patterns += [f"({kind}) @call" for kind in sorted(spec.calls)]
    patterns += [f"({kind}) @hole" for kind in sorted(spec.holes)]
    if language is Language.JAVA:
        patterns.append("(class_body (block) @function)")
    return tree_sitter.Query(grammar(language), "\n".join(patterns))


@contextmanager
def _deep_recursion() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def analyse(text: bytes, language: Language, timeout: float = 10.0) -> FileUnit:
    """Functions, nodes, edges and calls of one file; InputError when it takes longer than `timeout` seconds."""
    spec = _spec(language)
    tree = parse(text, language, timeout)
    found = tree_sitter.QueryCursor(_query(language)).captures(tree.root_node)
    functions = definitions(text, spec, found)
    builder = FlowBuilder(spec)
    bounds = [0]
    with _deep_recursion():
        for each in functions:
            expression = bool(each.flags & FunctionFlag.LAMBDA) and each.body.type not in ("block", "compound_statement")
            builder.function((each.node.start_byte, each.node.end_byte), each.before, each.body, expression)
            bounds.append(len(builder.kind))
    return _unit(text, spec, found, functions, builder, bounds, int(tree.root_node.has_error))


def _unit(
    text: bytes,
    spec: LanguageSpec,
    found: dict[str, list[SyntaxNode]],
    functions: list[Definition],
    builder: FlowBuilder,
    bounds: list[int],
    parse_errors: int,
) -> FileUnit:
    calls = _place(call_sites(text, found.get("call", ())), functions, builder, bounds)
    _exceptions(builder, {call.node for call in calls})
    newlines = [match.start() for match in re.finditer(rb"\n", text)]
    rows = []
    for index, each in enumerate(functions):
        start, end = each.node.start_byte, each.node.end_byte
        comment_start, comment_end = comment_before(text, start)
        rows.append(
            FunctionRow(
                each.name,
                each.qualified,
                each.signature,
                each.parameters,
                bisect_right(newlines, start - 1) + 1,
                bisect_right(newlines, end - 1) + 1,
                start,
                end,
                comment_start,
                comment_end,
                int(each.flags),
                bounds[index],
                bounds[index + 1],
            )
        )
    return FileUnit(
        spec.language,
        tuple(rows),
        builder.kind,
        _texts(text, found.get("hole", ()), functions, builder, bounds),
        [bisect_right(newlines, start - 1) + 1 for start in builder.start],
        [bisect_right(newlines, max(start, end - 1) - 1) + 1 for start, end in zip(builder.start, builder.end, strict=True)],
        builder.depth,
        builder.edge_source,
        builder.edge_target,
        builder.edge_kind,
        calls,
        parse_errors,
    )


def _place(
    sites: list[CallSite], functions: list[Definition], builder: FlowBuilder, bounds: list[int]
) -> tuple[CallRow, ...]:
    """Each call at the innermost node around it; a statement with a call becomes a call node."""
    order = [node for node in range(len(builder.kind)) if builder.kind[node] not in (NodeKind.ENTRY, NodeKind.EXIT)]
    order.sort(key=lambda node: (builder.start[node], -builder.end[node]))
    starts = [builder.start[node] for node in order]
    rows = []
    for site in sites:
        position = bisect_right(starts, site.start) - 1
        steps = 0
        while position >= 0 and builder.end[order[position]] <= site.start and steps < 400:
            position, steps = position - 1, steps + 1
        if position < 0 or builder.end[order[position]] <= site.start:
            continue
        node = order[position]
        name = site.name
        if name in ("this", "super"):
            owner = functions[bisect_right(bounds, node) - 1]
            name = owner.owner if name == "this" else owner.base
            if not name:
                continue
        if builder.kind[node] == NodeKind.STATEMENT:
            builder.kind[node] = int(NodeKind.CALL)
        rows.append(CallRow(node, name, site.arguments, site.receiver))
    rows.sort(key=lambda row: row.node)
    return tuple(rows)


def _exceptions(builder: FlowBuilder, calling: set[int]) -> None:
    """Calls inside a try may throw to its handler; without any call, its first node may."""
    handled: set[int] = set()
    for first, last, handler in builder.guarded:
        throwing = [node for node in range(first, last) if node in calling and node not in handled]
        handled.update(range(first, last))
        for node in throwing or [first]:
            builder.edge_source.append(node)
            builder.edge_target.append(handler)
            builder.edge_kind.append(int(EdgeKind.EXCEPTION))


def statement_text(written: str) -> str:
    """Source text as a node shows it: no comments, one line, no final `;`, at most TEXT_LIMIT characters."""
    if "/*" in written or "//" in written:
        written = _COMMENT.sub(lambda match: match.group(1) or " ", written)
    return " ".join(written.split()).rstrip("; ")[:TEXT_LIMIT]


def _texts(
    text: bytes, holes: list[SyntaxNode], functions: list[Definition], builder: FlowBuilder, bounds: list[int]
) -> list[str]:
    texts = [
        statement_text(text[start:end].decode("utf-8", "replace"))
        for start, end in zip(builder.start, builder.end, strict=True)
    ]
    for index, each in enumerate(functions):
        texts[bounds[index]], texts[bounds[index] + 1] = each.name, ""
    return texts


def icfg_of_source(source: Source, function: str = "") -> Icfg:
    """The graph of one file, or of one function of it, with calls joined inside."""
    from beryl.icfg.calls import join_unit

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
        span = Span(source.path, unit.node_line[index], unit.node_end_line[index])
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
    functions, nodes, renumbered = [], [], dict[int, int]()
    for index in wanted:
        each = graph.functions[index]
        first = len(nodes)
        for node in graph.nodes[each.first_node : each.last_node]:
            renumbered[node.id] = len(nodes)
            nodes.append(
                Node(len(nodes), node.kind, node.text, node.span, len(functions), node.math, node.depth)
            )
        functions.append(
            Function(each.name, each.qualified, each.signature, each.span, first, len(nodes), each.damaged)
        )
    edges = tuple(
        Edge(renumbered[edge.source], renumbered[edge.target], edge.kind, edge.uncertain)
        for edge in graph.edges
        if edge.source in renumbered and edge.target in renumbered
    )
    return Icfg(tuple(functions), tuple(nodes), edges)
