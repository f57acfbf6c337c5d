"""An ICFG to look at: text, JSON, Graphviz dot, and SVG drawn without Graphviz."""

from __future__ import annotations

import json
from collections.abc import Callable

from beryl.icfg.svg import to_svg
from beryl.types import Icfg, Node, NodeKind

_DOT_SHAPES = {
    NodeKind.ENTRY: "oval",
    NodeKind.EXIT: "oval",
    NodeKind.CONDITION: "diamond",
    NodeKind.LOOP: "hexagon",
    NodeKind.CALL: "box3d",
}


def to_text(icfg: Icfg) -> str:
    """One line per node, with its successors."""
    rows = []
    width = len(str(max((node.span.start_line for node in icfg.nodes), default=0)))
    outgoing: dict[int, list[str]] = {}
    for edge in icfg.edges:
        outgoing.setdefault(edge.source, []).append(f"{edge.kind.label} {edge.target}")
    for index, function in enumerate(icfg.functions):
        rows.append(f"{function.signature}  lines {function.span.start_line}-{function.span.end_line}")
        for node in icfg.nodes:
            if node.function == index:
                rows.append(_row(node, width, outgoing.get(node.id, [])))
        rows.append("")
    return "\n".join(rows).rstrip() + "\n"


def _row(node: Node, width: int, successors: list[str]) -> str:
    """`  12  line 7  condition  math  x < y  -> true 13, false 15`."""
    nature = {True: "math", False: "prose", None: ""}[node.math]
    arrow = f"  -> {', '.join(successors)}" if successors else ""
    text = "  " * node.depth + node.text
    return (
        f"{node.id:>4}  line {node.span.start_line:>{width}}  {node.kind.label:<9}  {nature:<5}  {text}{arrow}".rstrip()
    )


def to_json(icfg: Icfg) -> str:
    """The stable JSON shape: functions, nodes, edges; `function` is an index into `functions`."""
    document = {
        "functions": [
            {
                "name": function.name,
                "start": function.span.start_line,
                "end": function.span.end_line,
                "path": function.span.path,
                "signature": function.signature,
                "damaged": function.damaged,
            }
            for function in icfg.functions
        ],
        "nodes": [
            {
                "id": node.id,
                "kind": node.kind.label,
                "text": node.text,
                "line": node.span.start_line,
                "end_line": node.span.end_line,
                "function": node.function,
                "math": node.math,
                "depth": node.depth,
            }
            for node in icfg.nodes
        ],
        "edges": [{"source": edge.source, "target": edge.target, "kind": edge.kind.label} for edge in icfg.edges],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def to_dot(icfg: Icfg) -> str:
    """Graphviz source, a cluster per function."""
    rows = ["digraph icfg {", '  node [shape=box, fontname="Helvetica"];']
    for index, function in enumerate(icfg.functions):
        rows.append(f"  subgraph cluster_{index} {{ label={_quoted(function.name)};")
        for node in icfg.nodes:
            if node.function == index:
                label = f"{node.span.start_line}: {node.text or node.kind.label}"
                shape = _DOT_SHAPES.get(node.kind, "box")
                rows.append(f"    n{node.id} [label={_quoted(label)}, shape={shape}];")
        rows.append("  }")
    for edge in icfg.edges:
        style = ", style=dashed" if edge.kind.label in ("call", "return", "exception") else ""
        label = "" if edge.kind.label == "flow" else edge.kind.label
        rows.append(f"  n{edge.source} -> n{edge.target} [label={_quoted(label)}{style}];")
    return "\n".join([*rows, "}"]) + "\n"


def _quoted(text: str) -> str:
    """A dot string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


FORMATS: dict[str, Callable[[Icfg], str]] = {"text": to_text, "json": to_json, "dot": to_dot, "svg": to_svg}
"""Name of a format -> the function that writes it."""
