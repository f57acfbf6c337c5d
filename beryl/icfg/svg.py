"""A picture of an ICFG: one row per node, indented like the text; jumps run in lanes beside the rows.

Back edges use lanes on the left, forward jumps lanes on the right, calls and returns dashed lanes further right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from beryl.types import Edge, EdgeKind, Icfg, Node, NodeKind

ROW, BOX, INDENT, LANE = 40, 26, 26, 14
"""Pixels: distance of rows, height of a box, indentation of a level, distance of lanes."""
LETTER = 6.7
"""Pixels: width of a letter in 12 px monospace, with some air."""
MAX_TEXT = 72
MARGIN = 24
_COLOURS = {
    EdgeKind.FLOW: "#555555",
    EdgeKind.TRUE: "#1a7f37",
    EdgeKind.FALSE: "#b35900",
    EdgeKind.CASE: "#1a7f37",
    EdgeKind.BACK: "#0550ae",
    EdgeKind.CALL: "#8250df",
    EdgeKind.RETURN: "#bf87ff",
    EdgeKind.EXCEPTION: "#cf222e",
}
_FILLS = {
    NodeKind.ENTRY: "#dff3e4",
    NodeKind.EXIT: "#eeeeee",
    NodeKind.STATEMENT: "#ffffff",
    NodeKind.CONDITION: "#fff4d6",
    NodeKind.LOOP: "#dcecff",
    NodeKind.CALL: "#f1e7ff",
    NodeKind.RETURN: "#fde5e5",
}
_DASHED = (EdgeKind.CALL, EdgeKind.RETURN, EdgeKind.EXCEPTION)


@dataclass(frozen=True, slots=True)
class Mark:
    """What tells a node from the others: a label on its corner, a fill, and a class for the style sheet of a page."""

    label: str
    fill: str = "#ffe08a"
    style: str = ""


@dataclass(frozen=True, slots=True)
class _Box:
    """Where a node is drawn, and what stands in it."""

    node: Node
    label: str
    row: int
    left: float
    top: float
    width: float

    @property
    def middle(self) -> float:
        """Height of its centre."""
        return self.top + BOX / 2

    @property
    def right(self) -> float:
        """Its right side."""
        return self.left + self.width


@dataclass(frozen=True, slots=True)
class _Jump:
    """An edge that does not run straight down, and the rows it passes."""

    edge: Edge
    low: int
    high: int


def to_svg(icfg: Icfg, marks: Mapping[int, Mark] | None = None, prefix: str = "", longest_text: int = MAX_TEXT) -> str:
    """The whole graph as one SVG document; `prefix` keeps the ids of several pictures in one page apart."""
    marks = marks or {}
    order = [row for index in range(len(icfg.functions)) for row in _rows(icfg, index)]
    place = {node.id: row for row, node in enumerate(order)}
    straight, back, forward, between = _sorted_edges(icfg, place)
    back_lanes, forward_lanes, call_lanes = (_lanes(group) for group in (back, forward, between))
    start = MARGIN + 34 + LANE * (1 + max(back_lanes, default=-1) + 1)
    boxes = {node.id: _box(node, row, start, longest_text) for row, node in enumerate(order)}
    side = max((box.right for box in boxes.values()), default=start) + LANE
    far = side + LANE * (1 + max(forward_lanes, default=-1) + 1)
    width = far + LANE * (1 + max(call_lanes, default=-1) + 1) + MARGIN
    height = ROW * len(order) + 2 * MARGIN
    parts = [_head(width, height, prefix)]
    parts += [_straight(boxes[edge.source], boxes[edge.target], edge, prefix) for edge in straight]
    for jumps, lanes, origin, step in (
        (back, back_lanes, start - LANE, -LANE),
        (forward, forward_lanes, side, LANE),
        (between, call_lanes, far, LANE),
    ):
        parts += [
            _curve((boxes[edge.source], boxes[edge.target]), edge, origin + lane * step, step > 0, prefix)
            for edge, lane in zip((jump.edge for jump in jumps), lanes, strict=True)
        ]
    parts += [_node(box, marks.get(node)) for node, box in boxes.items()]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _rows(icfg: Icfg, function: int) -> list[Node]:
    """The nodes of a function from top to bottom: entry first, exit last."""
    nodes = [node for node in icfg.nodes if node.function == function]
    return sorted(nodes, key=lambda node: (node.kind is NodeKind.EXIT, node.id))


def _box(node: Node, row: int, start: float, longest_text: int) -> _Box:
    """A box as wide as its text."""
    label = _label(node, longest_text)
    width = max(60.0, LETTER * len(label) + 26)
    return _Box(
        node,
        label,
        row,
        start + INDENT * (node.depth + (node.kind not in (NodeKind.ENTRY, NodeKind.EXIT))),
        MARGIN + ROW * row,
        width,
    )


def _label(node: Node, longest: int) -> str:
    """What stands in the box."""
    text = node.text or node.kind.label
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _sorted_edges(icfg: Icfg, place: dict[int, int]) -> tuple[list[Edge], list[_Jump], list[_Jump], list[_Jump]]:
    """Edges to the next row, up, further down, and between functions; short ones first, for the inner lanes."""
    straight: list[Edge] = []
    back: list[_Jump] = []
    forward: list[_Jump] = []
    between: list[_Jump] = []
    for edge in icfg.edges:
        source, target = place[edge.source], place[edge.target]
        jump = _Jump(edge, min(source, target), max(source, target))
        if edge.kind in (EdgeKind.CALL, EdgeKind.RETURN):
            between.append(jump)
        elif target == source + 1:
            straight.append(edge)
        elif target <= source:
            back.append(jump)
        else:
            forward.append(jump)
    for group in (back, forward, between):
        group.sort(key=lambda jump: (jump.high - jump.low, jump.low))
    return straight, back, forward, between


def _lanes(jumps: Sequence[_Jump]) -> list[int]:
    """For each jump the innermost lane that is free on its rows."""
    taken: list[list[tuple[int, int]]] = []
    lanes = []
    for jump in jumps:
        lane = next(
            (
                number
                for number, spans in enumerate(taken)
                if all(jump.high <= low or jump.low >= high for low, high in spans)
            ),
            len(taken),
        )
        if lane == len(taken):
            taken.append([])
        taken[lane].append((jump.low, jump.high))
        lanes.append(lane)
    return lanes


def _head(width: float, height: float, prefix: str) -> str:
    """The opening tag, arrow heads and styles."""
    markers = "".join(
        f'<marker id="{prefix}{kind.label}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto">'
        f'<path class="head {kind.label}" d="M0,0 L8,4 L0,8 z" fill="{colour}"/></marker>'
        for kind, colour in _COLOURS.items()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="DejaVu Sans Mono, monospace" font-size="11">\n'
        f'<rect class="paper" width="100%" height="100%" fill="#ffffff"/>\n<defs>{markers}</defs>'
    )


def _straight(source: _Box, target: _Box, edge: Edge, prefix: str) -> str:
    """An edge to the next row: down from the source, then into the target from above."""
    x = max(source.left, target.left) + 14
    x = (
        min(x, source.right - 6, target.right - 6)
        if min(source.right, target.right) > max(source.left, target.left)
        else x
    )
    path = f"M{x:.1f},{source.top + BOX:.1f} L{x:.1f},{target.top:.1f}"
    return _path(path, edge, prefix) + _word(edge, x + 4, source.top + BOX + 10)


def _curve(ends: tuple[_Box, _Box], edge: Edge, x: float, right: bool, prefix: str) -> str:
    """An edge through a lane: out of one side, along the lane, into the same side of the target."""
    source, target = ends
    out, into = (source.right, target.right) if right else (source.left, target.left)
    leave = source.middle + (4 if source.row <= target.row else -4)
    enter = target.middle + (-4 if source.row <= target.row else 4)
    if source.row == target.row:
        leave, enter = source.middle + 6, source.middle - 6
    path = f"M{out:.1f},{leave:.1f} L{x:.1f},{leave:.1f} L{x:.1f},{enter:.1f} L{into:.1f},{enter:.1f}"
    below = edge.kind is EdgeKind.FALSE  # where true leaves on the same side, both words can be read
    return _path(path, edge, prefix) + _word(edge, out + (4 if right else -32), leave + (11 if below else -3))


def _path(path: str, edge: Edge, prefix: str) -> str:
    """One line with its arrow head."""
    dashes = ' stroke-dasharray="5 3"' if edge.kind in _DASHED else ""
    return (
        f'<path class="edge {edge.kind.label}" d="{path}" fill="none" stroke="{_COLOURS[edge.kind]}" '
        f'stroke-width="1.3" stroke-linejoin="round"{dashes} marker-end="url(#{prefix}{edge.kind.label})"/>'
    )


def _word(edge: Edge, x: float, y: float) -> str:
    """The kind of an edge, where it is a choice or a call."""
    if edge.kind in (EdgeKind.FLOW, EdgeKind.BACK, EdgeKind.RETURN):
        return ""
    colour = _COLOURS[edge.kind]
    where = f'x="{x:.1f}" y="{y:.1f}" font-size="9"'
    return f'<text class="word {edge.kind.label}" {where} fill="{colour}">{edge.kind.label}</text>'


def _node(box: _Box, mark: Mark | None) -> str:
    """A box with its text, its line number and its mark."""
    node, left, top = box.node, box.left, box.top
    fill, border = (mark.fill, 2) if mark else (_FILLS[node.kind], 1)
    style = f'fill="{fill}" stroke="#444444" stroke-width="{border}"'
    if node.kind in (NodeKind.CONDITION, NodeKind.LOOP):
        right, low, middle = box.right, top + BOX, box.middle
        points = (
            f"{left + 8},{top} {right - 8},{top} {right},{middle} {right - 8},{low} {left + 8},{low} {left},{middle}"
        )
        shape = f'<polygon points="{points}" {style}/>'
    else:
        radius = 13 if node.kind in (NodeKind.ENTRY, NodeKind.EXIT) else 3
        shape = f'<rect x="{left}" y="{top}" width="{box.width}" height="{BOX}" rx="{radius}" {style}/>'
    slant = (
        ' font-style="italic"' if node.math is False else ' font-weight="bold"' if node.kind is NodeKind.ENTRY else ""
    )
    classes = f"node {node.kind.label} mark {mark.style}" if mark else f"node {node.kind.label}"
    data = f' data-mark="{escape(mark.label)}"' if mark else ""
    hook = f'<g class="{classes.strip()}" data-node="{node.id}"{data}>'
    return (
        f"{hook}<title>{escape(f'{node.kind.label}: {node.text}')}</title>{shape}"
        f'<text x="{left + 13}" y="{top + 17}"{slant}>{escape(box.label)}</text>'
        f'<text x="{MARGIN / 2}" y="{top + 17}" class="number" fill="#999999" font-size="10">{node.span.start_line}'
        f"</text>{_badge(mark, left, top) if mark else ''}</g>"
    )


def _badge(mark: Mark, left: float, top: float) -> str:
    """The label of a mark on the upper left corner of its box."""
    width = 8 + 6.5 * len(mark.label)
    return (
        f'<g class="badge"><rect x="{left - width / 2:.1f}" y="{top - 7}" width="{width:.1f}" height="14" rx="7" '
        f'fill="#333333"/><text x="{left:.1f}" y="{top + 3.5}" font-size="10" font-weight="bold" fill="#ffffff" '
        f'text-anchor="middle">{escape(mark.label)}</text></g>'
    )
