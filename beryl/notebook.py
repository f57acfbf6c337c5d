"""Looking at matches in Jupyter: code beside query, graphs, scores and vectors; plain text everywhere else.

Every function gives a View: Jupyter shows its HTML, a terminal its text. Nothing here ranks or matches; it draws what a
search returned.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any

from beryl.icfg.show import to_text
from beryl.icfg.svg import Mark, to_svg
from beryl.types import Fragment, Icfg, Match, NodeKind, PseudocodeQuery, SearchResult

if TYPE_CHECKING:
    from beryl.engine import Engine
    from beryl.types import FloatArray

TINTS = ("#cfe3fb", "#fde0c9", "#cdf0dd", "#f7d3ea", "#f7edc4", "#e3d7fa", "#c9eff2", "#fad5d2")
"""Fills of matched lines; the number beside a line tells lines of one colour apart."""
INKS = ("#1b5aa6", "#95480f", "#17764a", "#92276e", "#6f5a0c", "#5b2fa3", "#0f6a73", "#9c241c")
_BOX = "border:1px solid #d5dbe1;border-radius:8px;background:#fff;color:#1c2126;overflow:auto;max-height:34em"
_ROW = "font:12.5px/1.55 ui-monospace,'DejaVu Sans Mono',monospace;white-space:pre"
_MOST_LINES = 400
_MOST_PARTS = 12
_LONGEST_NODE_TEXT = 40

Query = str | PseudocodeQuery | SearchResult


@dataclass(frozen=True, slots=True)
class View:
    """Something to look at: HTML for Jupyter, text for a terminal."""

    html: str
    text: str

    def _repr_html_(self) -> str:
        return self.html

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def show(fragment: Fragment) -> View:
    """The code of a fragment with the numbers of the query lines that it matches."""
    matched = _matched(fragment)
    rows = []
    for number, text in _code(fragment):
        rows.append(_html_row(number, text, [match.query_line for match in matched.get(number, [])]))
    html = f'{_headline(fragment)}<div style="{_BOX}">{"".join(rows)}</div>{_uncovered_html(fragment)}'
    return View(html, "\n".join(_show_text(fragment, matched)))


def compare(query: Query, fragment: Fragment) -> View:
    """Query and fragment side by side, partners in the same colour and with the same number, and both graphs."""
    text = _query_text(query)
    shown = show(fragment)
    covered = {match.query_line for match in fragment.matches}
    lines = list(enumerate(text.rstrip().expandtabs(4).split("\n"), 1))
    left = "".join(_html_row(number, line, [number] if number in covered else []) for number, line in lines)
    graphs = _two_graphs(text, fragment)
    grid = "display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:14px;align-items:start"
    html = f'<div style="{grid}"><div><b>query</b><div style="{_BOX}">{left}</div></div><div>{shown.html}</div></div>'
    plain = [f"{number:>5} {'●' if number in covered else ' '} {line}" for number, line in lines]
    return View(html + graphs, "\n".join([*plain, "", shown.text]))


def graph(icfg: Icfg, marks: Mapping[int, Mark] | None = None) -> View:
    """An ICFG as a picture; `marks` by node id."""
    box = f'<div style="{_BOX}">{to_svg(icfg, marks, _unique(), _LONGEST_NODE_TEXT)}</div>'
    return View(box, to_text(icfg))


def scores(results: SearchResult | Sequence[Fragment]) -> View:
    """The parts of every score as bars, a row per fragment."""
    fragments = list(results.results if isinstance(results, SearchResult) else results)
    if not fragments:
        return View("<p>no results</p>", "no results")
    names = list(dict.fromkeys(name for fragment in fragments for name in fragment.parts))[:_MOST_PARTS]
    table = [[float(fragment.parts.get(name, 0.0)) for name in names] for fragment in fragments]
    labels = [f"{rank}. {fragment.functions[0]}" for rank, fragment in enumerate(fragments, 1)]
    head = f"{'':<32}{'score':>9}" + "".join(f"{name[:14]:>15}" for name in names)
    rows = [
        f"{label[:31]:<32}{fragment.score:>9.3f}" + "".join(f"{value:>15.3f}" for value in values)
        for label, fragment, values in zip(labels, fragments, table, strict=True)
    ]
    return View(_score_picture(names, labels, fragments, table), "\n".join([head, *rows]))


def project(query: Query, fragments: Sequence[Fragment], engine: Engine | None = None) -> View:
    """Query and code nodes in two dimensions (PCA), partners joined by a line.

    With `engine` the vectors are those of its index, [graph | text | counts]; without, those of the text encoder.
    """
    from beryl.lang.pseudo import frontend

    icfg = frontend.read(_query_text(query)).icfg
    asked = [node.id for node in icfg.nodes if node.kind not in (NodeKind.ENTRY, NodeKind.EXIT)]
    matches = [(rank, match) for rank, fragment in enumerate(fragments) for match in fragment.matches]
    if not asked or not matches:
        return View("<p>nothing to project: no match</p>", "nothing to project: no match")
    left, right = _vectors(icfg, fragments, matches, engine)
    points = _plane(left[asked], right)
    lines = [icfg.nodes[node].span.start_line for node in asked]
    rows = [
        f"query {line:>3}  ({x:+.2f}, {y:+.2f})  {icfg.nodes[node].text[:50]}"
        for node, line, (x, y) in zip(asked, lines, points[: len(asked)].tolist(), strict=True)
    ]
    rows += [
        f"code {match.line:>4}  ({x:+.2f}, {y:+.2f})  {match.code_text[:50]}"
        for (_, match), (x, y) in zip(matches, points[len(asked) :].tolist(), strict=True)
    ]
    return View(_plane_picture(points, lines, matches, fragments), "\n".join(rows))


_pictures = 0


def _unique() -> str:
    """A prefix that keeps the ids of all pictures of one notebook apart."""
    global _pictures
    _pictures += 1
    return f"beryl{_pictures}-"


def _query_text(query: Query) -> str:
    if isinstance(query, str):
        return query
    return query.text if isinstance(query, PseudocodeQuery) else query.query_text


def _matched(fragment: Fragment) -> dict[int, list[Match]]:
    found: dict[int, list[Match]] = {}
    for match in sorted(fragment.matches, key=lambda match: (-match.similarity, match.query_line)):
        if match.path == fragment.path:
            found.setdefault(match.line, []).append(match)
    return found


def _code(fragment: Fragment) -> Iterator[tuple[int, str]]:
    """The lines of the main file; those of a very long fragment that are near a match."""
    lines = fragment.code.expandtabs(4).split("\n")
    near = {number + step for number in _matched(fragment) for step in (-2, -1, 0, 1, 2)}
    for number, text in enumerate(lines, fragment.start):
        if len(lines) <= _MOST_LINES or number in near:
            yield number, text


def _hue(line: int) -> int:
    return line % len(TINTS)


def _html_row(number: int, text: str, partners: Sequence[int]) -> str:
    style = "color:#fff;border-radius:8px;padding:0 5px;font-size:10px;margin-right:3px"
    chips = [f'<b style="background:{INKS[_hue(line)]};{style}">{line}</b>' for line in partners]
    fill = f";background:{TINTS[_hue(partners[0])]}" if partners else ""
    left = "display:inline-block;width:4ch;text-align:right;color:#6b747d"
    return (
        f'<div style="{_ROW}{fill}"><span style="{left}">{number}</span>'
        f'<span style="display:inline-block;width:34px;text-align:center">{"".join(chips[:1])}</span>'
        f"{escape(_valid(text))}  {''.join(chips[1:])}</div>"
    )


def _valid(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "␀")


def _headline(fragment: Fragment) -> str:
    place = f"{fragment.project}/{fragment.path}:{fragment.start}–{fragment.end}"
    functions = ", ".join(fragment.functions[:3])
    return f"<div><b>{escape(functions)}</b> <code>{escape(place)}</code> score {fragment.score:.3f}</div>"


def _uncovered_html(fragment: Fragment) -> str:
    lines = ", ".join(f"{line.line} <code>{escape(_valid(line.text))}</code>" for line in fragment.uncovered)
    return f"<div>no counterpart for line {lines}</div>" if lines else ""


def _show_text(fragment: Fragment, matched: Mapping[int, Sequence[Match]]) -> Iterator[str]:
    place = f"{fragment.project}/{fragment.path}:{fragment.start}-{fragment.end}"
    yield f"{place}  {', '.join(fragment.functions)}  {fragment.score:.3f}"
    for number, text in _code(fragment):
        partners = ",".join(str(match.query_line) for match in matched.get(number, []))
        yield f"{number:>5} {partners:>7}  {text}".rstrip()
    for line in fragment.uncovered:
        yield f"      no counterpart for line {line.line}: {line.text}"


def _two_graphs(text: str, fragment: Fragment) -> str:
    """The graphs of query and fragment side by side; nothing where the fragment brings none."""
    from beryl.lang.pseudo import frontend

    if fragment.graph is None:
        return ""
    covered = {match.query_line for match in fragment.matches}
    partners: dict[tuple[str, int], list[int]] = {}
    for match in sorted(fragment.matches, key=lambda match: (-match.similarity, match.query_line)):
        partners.setdefault((match.path, match.line), []).append(match.query_line)
    asked = frontend.read(text).icfg
    left, right = {}, {}
    for node in asked.nodes:
        if node.span.start_line in covered and node.kind not in (NodeKind.ENTRY, NodeKind.EXIT):
            left[node.id] = _mark([node.span.start_line])
    for node in fragment.graph.nodes:
        lines = partners.get((node.span.path, node.span.start_line))
        if lines and node.kind not in (NodeKind.ENTRY, NodeKind.EXIT):
            right[node.id] = _mark(lines)
    grid = "display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:14px;margin-top:10px;align-items:start"
    return f'<div style="{grid}">{graph(asked, left).html}{graph(fragment.graph, right).html}</div>'


def _mark(lines: Sequence[int]) -> Mark:
    return Mark(" ".join(map(str, lines)), TINTS[_hue(lines[0])])


def _vectors(
    icfg: Icfg, fragments: Sequence[Fragment], matches: Sequence[tuple[int, Match]], engine: Engine | None
) -> tuple[FloatArray, FloatArray]:
    """One row per query node, and one per match."""
    import numpy as np

    if engine is None:
        from beryl.encode.static import load

        encoder = load()
        prose = [node.math is False for node in icfg.nodes]
        texts = [node.text for node in icfg.nodes]
        return encoder.encode(texts, prose), encoder.encode([match.code_text for _, match in matches])
    from beryl.index.vectors import Vectors

    table = Vectors.open(engine.index)
    nodes = np.array([_index_node(engine, fragments[rank], match) for rank, match in matches], dtype=np.int64)
    blocks = ("graph", "text", "counts") if table.has_graph else ("text", "counts")
    found = [table.node_vectors(nodes, block) for block in blocks]
    widths = np.cumsum([part.shape[1] for part in found])
    rows = table.encode_query(icfg)
    asked = np.split(rows[:, rows.shape[1] - widths[-1] :], widths[:-1], axis=1)
    # Each block as unit vectors, so that none drowns the others.
    left, right = (np.concatenate([_unit(part) for part in parts], axis=1) for parts in (asked, found))
    return left, right


def _index_node(engine: Engine, fragment: Fragment, match: Match) -> int:
    """The node of the index that a match speaks of: the one of the fragment on that line."""
    lines = engine.index.nodes.line
    return min(fragment.nodes, key=lambda node: abs(int(lines[node]) - match.line))


def _unit(rows: FloatArray) -> FloatArray:
    """Rows of length one; rows of zeros stay as they are."""
    import numpy as np

    unit: FloatArray = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return unit


def _plane(left: FloatArray, right: FloatArray) -> FloatArray:
    """The first two principal components of all rows."""
    import numpy as np

    rows = _unit(np.concatenate([left, right]))
    rows = rows - rows.mean(axis=0)
    _, _, axes = np.linalg.svd(rows, full_matrices=False)
    plane: FloatArray = rows @ axes[:2].T
    return plane if plane.shape[1] == 2 else np.pad(plane, ((0, 0), (0, 2 - plane.shape[1])))


def _figure(width: float, height: float) -> Any:  # noqa: ANN401 - matplotlib's Figure
    from beryl.registry import load

    return load({"figure": "matplotlib.figure:Figure"}, "figure", "picture")(figsize=(width, height), dpi=96)


def _image(figure: Any, words: str) -> str:  # noqa: ANN401 - matplotlib's Figure
    """A figure as an HTML image."""
    buffer = BytesIO()
    figure.savefig(buffer, format="png", bbox_inches="tight", facecolor="white", metadata={"Software": None})
    data = base64.b64encode(buffer.getvalue()).decode()
    return f'<img alt="{escape(words)}" style="max-width:100%;height:auto" src="data:image/png;base64,{data}">'


def _score_picture(
    names: Sequence[str], labels: Sequence[str], fragments: Sequence[Fragment], table: Sequence[Sequence[float]]
) -> str:
    """One small chart per part, fragments from top to bottom."""
    columns = min(len(names), 4) + 1
    rows = -(-(len(names) + 1) // columns)
    figure = _figure(2.6 * columns + 1.5, (0.3 * len(labels) + 0.7) * rows)
    charts = figure.subplots(rows, columns, sharey=True, squeeze=False).flatten()
    series = [("score", [fragment.score for fragment in fragments])]
    series += [(name, [values[column] for values in table]) for column, name in enumerate(names)]
    for position, chart in enumerate(charts):
        if position >= len(series):
            chart.axis("off")
            continue
        name, values = series[position]
        chart.barh(range(len(labels)), values, color="#1c2126" if position == 0 else "#4f86c6")
        chart.set_title(name, fontsize=10)
        chart.set_yticks(range(len(labels)), [label[:28] for label in labels], fontsize=9)
        chart.spines[["top", "right"]].set_visible(False)
    charts[0].invert_yaxis()
    figure.tight_layout()
    return _image(figure, "parts of the scores")


def _plane_picture(
    points: FloatArray, lines: Sequence[int], matches: Sequence[tuple[int, Match]], fragments: Sequence[Fragment]
) -> str:
    """Query nodes as numbered dots, code nodes as squares by fragment, partners joined."""
    figure = _figure(9, 6)
    chart = figure.subplots()
    place = {line: points[position] for position, line in reversed(list(enumerate(lines)))}
    shapes = "s^DvPX<>*h"
    for rank, fragment in enumerate(fragments):
        own = [len(lines) + position for position, (owner, _) in enumerate(matches) if owner == rank]
        label = f"{rank + 1}. {fragment.functions[0]}"
        chart.scatter(*points[own].T, marker=shapes[rank % len(shapes)], s=46, label=label, alpha=0.8, zorder=2)
    for position, (_, match) in enumerate(matches):
        start, end = place.get(match.query_line), points[len(lines) + position]
        if start is not None:
            chart.plot([start[0], end[0]], [start[1], end[1]], color="#9aa3ad", linewidth=0.7, zorder=1)
    chart.scatter(*points[: len(lines)].T, s=150, color="#1c2126", label="query lines", zorder=3)
    for position, line in enumerate(lines):
        chart.annotate(str(line), points[position], color="white", ha="center", va="center", fontsize=8, zorder=4)
    chart.legend(fontsize=8, loc="best")
    chart.set_xticks([])
    chart.set_yticks([])
    chart.set_title("query and code nodes, first two principal components", fontsize=10)
    return _image(figure, "projection of query and code nodes")
