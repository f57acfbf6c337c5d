"""One self-contained page that shows matches: pseudocode on the left, fragments on the right, both with their ICFGs.

Style sheet and script are files beside this one and are put inline; the page asks the network for nothing, and its
content security policy says so. All text of queries and code goes through `_text`.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from beryl.errors import BerylError
from beryl.icfg.svg import Mark, to_svg
from beryl.types import Fragment, Icfg, Match, SearchResult

ASSETS = Path(__file__).with_name("page_assets")
HUES = 8
"""Colours of matched lines; the number beside a line tells lines of one colour apart."""
LONG = 80
"""Lines: stretches without a match are folded in fragments longer than this."""
CONTEXT = 3
SHORTEST_FOLD = 10
SHOWN_PARTS = 9
LONGEST_NODE_TEXT = 40
"""Letters in a box of a graph, so that two graphs fit side by side; the whole text is its tooltip."""
_CONTROLS = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n"} | {0x7F: "␡"}
# Characters that reorder the text around them would let code look other than it is.
_REORDERING = {ord(mark): f"⟨U+{ord(mark):04X}⟩" for mark in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}


@dataclass(frozen=True, slots=True)
class _Query:
    """The left side of a search, prepared: its lines, its graph, and the colour of every line that is matched."""

    lines: tuple[str, ...]
    icfg: Icfg | None
    hues: Mapping[int, int]
    key: str


def document(results: Sequence[SearchResult]) -> str:
    """The page, as one HTML document."""
    style = (ASSETS / "page.css").read_text(encoding="utf-8")
    script = (ASSETS / "page.js").read_text(encoding="utf-8")
    title = ", ".join(result.query for result in results if result.query) or "query"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"
    sections = "\n".join(_section(f"s{number}", result) for number, result in enumerate(results, 1))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="color-scheme" content="light dark">
<title>{_text(title)} – beryl</title>
<style>
{style}</style>
</head>
<body data-view="both">
{_top(results)}
<main>
{sections or _nothing("No query was asked.")}
</main>
<script>{script}</script>
</body>
</html>
"""


def _text(text: str) -> str:
    """Any text as HTML text or attribute: escaped, control characters made visible, always valid UTF-8."""
    valid = text.encode("utf-8", "replace").decode("utf-8")
    return escape(valid.translate(_CONTROLS).translate(_REORDERING))


def _top(results: Sequence[SearchResult]) -> str:
    links = [
        f'<a href="#s{number}">{_text(result.query or f"query {number}")} <small>{len(result.results)}</small></a>'
        for number, result in enumerate(results, 1)
    ]
    views = "".join(
        f'<button type="button" data-show="{view}" aria-pressed="{str(view == "both").lower()}">{label}</button>'
        for view, label in (("text", "Text"), ("graph", "Graph"), ("both", "Both"))
    )
    return f"""<header class="top">
<strong class="brand">beryl</strong>
<nav aria-label="Queries">{"".join(links) if len(links) > 1 else ""}</nav>
<div class="tools">
<span class="keys" title="Keys: j and k go between results, g changes the view, Escape lets go">
<kbd>j</kbd><kbd>k</kbd> results <kbd>g</kbd> view <kbd>esc</kbd> let go</span>
<div class="switch" role="group" aria-label="View">{views}</div>
<button type="button" class="theme" aria-label="Dark or light">◐</button>
</div>
</header>"""


def _nothing(words: str) -> str:
    return f'<p class="nothing">{_text(words)}</p>'


def _section(key: str, result: SearchResult) -> str:
    query = _prepared(key, result)
    cards = [_card(query, rank, fragment, result) for rank, fragment in enumerate(result.results, 1)]
    notes = "".join(f'<p class="remark">{_text(note)}</p>' for note in result.notes)
    return f"""<section class="search" id="{key}">
{_left(query, result)}
<div class="results">
{notes}{"".join(cards) or _nothing("Nothing found. A longer query, another --language or no filter may find more.")}
</div>
</section>"""


def _prepared(key: str, result: SearchResult) -> _Query:
    from beryl.lang.pseudo import frontend

    text = result.query_text
    lines = tuple(text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n"))
    matched = sorted({match.query_line for fragment in result.results for match in fragment.matches})
    hues = {line: position % HUES for position, line in enumerate(matched)}
    try:
        icfg = frontend.read(text, result.query).icfg if text.strip() else None
    except BerylError:  # the text of another mode; it is shown, and has no graph
        icfg = None
    return _Query(lines if text.strip() else (), icfg, hues, key)


def _left(query: _Query, result: SearchResult) -> str:
    count = len(result.results)
    rows = "".join(_query_line(query, number, text) for number, text in enumerate(query.lines, 1))
    marks = {}
    if query.icfg:
        for node in query.icfg.nodes:
            line = node.span.start_line
            if line in query.hues and node.kind.label not in ("entry", "exit"):
                marks[node.id] = Mark(str(line), style=f"h{query.hues[line]}")
    graph = _graph(query.icfg, marks, f"{query.key}-q-", "Control flow of the query") if query.icfg else ""
    return f"""<aside class="query" aria-label="Query">
<h2>{_text(result.query or "query")}</h2>
<p class="meta">{count or "no"} result{"" if count == 1 else "s"} in {result.took_ms:.0f} ms</p>
<div class="code text"><div class="lines">{rows}</div></div>
{graph}
</aside>"""


def _query_line(query: _Query, number: int, text: str) -> str:
    hue = query.hues.get(number)
    chip = f'<b class="chip">{number}</b>' if hue is not None else ""
    wide = text.expandtabs(4)
    indentation = len(wide) - len(wide.lstrip())
    return _line(number, wide, {number: chip} if hue is not None else {}, hue, f' style="--in: {indentation + 2}ch"')


def _line(number: int, text: str, chips: Mapping[int, str], hue: int | None, style: str = "") -> str:
    """One line of query or code; `chips` are the query lines that it stands for, the best before its text."""
    first, *others = list(chips.values()) or [""]
    code = f"<code{style}>{_text(text.rstrip())}</code>"
    body = f'<span class="n">{number}</span><span class="chips">{first}</span>{code}'
    if hue is None:
        return f'<div class="line" data-line="{number}">{body}</div>'
    if others:
        body += f'<span class="others">{"".join(others)}</span>'
    keys = " ".join(map(str, chips))
    return f'<div class="line match h{hue}" data-line="{number}" data-q="{keys}" tabindex="0">{body}</div>'


def _graph(icfg: Icfg, marks: Mapping[int, Mark], prefix: str, caption: str) -> str:
    drawn = to_svg(icfg, marks, prefix, LONGEST_NODE_TEXT)
    picture = drawn.translate(_CONTROLS).encode("utf-8", "replace").decode("utf-8")
    head = f'<figure class="graph"><figcaption>{_text(caption)}</figcaption>'
    return f'{head}<div class="scroll">{picture}</div></figure>'


def _card(query: _Query, rank: int, fragment: Fragment, result: SearchResult) -> str:
    covered = sorted({match.query_line for match in fragment.matches})
    place = f"{fragment.project}/{fragment.path}:{fragment.start}"
    main, *others = fragment.functions or ("",)
    more = f' <small title="{_text(", ".join(others))}">and {len(others)} more</small>' if others else ""
    notes = "".join(f"<li>{_text(note)}</li>" for note in fragment.notes)
    blocks = "".join(_blocks(query, fragment))
    return f"""<article class="result" id="{query.key}-r{rank}" data-covered="{" ".join(map(str, covered))}"
 data-open="{" ".join(str(line.line) for line in fragment.uncovered)}" aria-label="Result {rank}">
<header><span class="rank">{rank}</span><div class="where"><strong>{_text(main)}{more}</strong>
<span class="place">{_text(place)}–{fragment.end}</span></div>
<span class="language">{_text(str(fragment.language))}</span>
<span class="score" title="score">{fragment.score:.3f}</span>
</header>
<div class="facts">{_coverage(query, fragment)}{_parts(fragment, result)}</div>
{f'<ul class="notes">{notes}</ul>' if notes else ""}
<div class="text">{blocks}{_uncovered(fragment)}</div>
{_fragment_graph(query, fragment, rank)}
</article>
"""


def _coverage(query: _Query, fragment: Fragment) -> str:
    """A strip with one cell per query line: filled where it is matched."""
    found = {match.query_line for match in fragment.matches}
    lines = sorted(found | {line.line for line in fragment.uncovered})
    if not lines:
        return ""
    cells = "".join(
        f'<i class="cell h{query.hues.get(line, 0)}" data-q="{line}" title="line {line}"></i>'
        if line in found
        else f'<i class="cell none" title="line {line}: no counterpart"></i>'
        for line in lines
    )
    return (
        f'<div class="coverage"><span class="label">lines found</span><span class="strip">{cells}</span>'
        f'<span class="value">{len(found)} of {len(lines)}</span></div>'
    )


def _parts(fragment: Fragment, result: SearchResult) -> str:
    """The parts of the score as bars; a bar is full at 1, or at the most that any result has where that is more."""
    most = {
        name: max(1.0, *(abs(float(other.parts.get(name, 0.0))) for other in result.results)) for name in fragment.parts
    }
    bars = [_bar(name, float(value), most[name]) for name, value in fragment.parts.items()]
    more = bars[SHOWN_PARTS:]
    rest = f'<details class="more"><summary>{len(more)} more parts</summary>{"".join(more)}</details>' if more else ""
    return f'<div class="parts">{"".join(bars[:SHOWN_PARTS])}</div>{rest}'


def _bar(name: str, value: float, most: float) -> str:
    share = min(abs(value) / most, 1.0) * 100
    sign = " below" if value < 0 else ""
    return (
        f'<div class="part{sign}"><span class="label">{_text(name)}</span>'
        f'<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="track" width="100" height="8"/><rect class="fill" width="{share:.1f}" height="8"/></svg>'
        f'<span class="value">{value:.3g}</span></div>'
    )


def _blocks(query: _Query, fragment: Fragment) -> list[str]:
    """The code of the fragment: the main file, then every span that lies elsewhere."""
    first = int(str(fragment.extra.get("first_line", fragment.start)))
    blocks = [_code(query, fragment, fragment.path, first, fragment.code)]
    for position, span in enumerate(fragment.spans):
        if span.path == fragment.path and fragment.start <= span.start and span.end <= fragment.end:
            continue
        text = fragment.snippets[position] if position < len(fragment.snippets) else ""
        place = f"{_text(span.path)}:{span.start}–{span.end}"
        head = f'<p class="also">also <strong>{_text(span.function)}</strong> {place}</p>'
        blocks.append(head + _code(query, fragment, span.path, span.start, text))
    return blocks


def _code(query: _Query, fragment: Fragment, path: str, first: int, text: str) -> str:
    """Numbered lines; those that match carry the numbers of their query lines."""
    if not text:
        return '<p class="remark">The source text of these lines is not part of the result.</p>'
    matched: dict[int, list[Match]] = {}
    for match in fragment.matches:
        if match.path == path:
            matched.setdefault(match.line, []).append(match)
    rows = [
        _code_line(query, number, line, matched.get(number, []))
        for number, line in enumerate(_without_margin(text.split("\n")), first)
    ]
    marked = [number in matched for number in range(first, first + len(rows))]
    return f'<div class="code"><div class="lines">{_folded(rows, marked, first)}</div></div>'


def _without_margin(lines: list[str]) -> list[str]:
    """The lines without the indentation that all share; tabs become spaces so that it can be told."""
    wide = [line.expandtabs(4) for line in lines]
    margin = min((len(line) - len(line.lstrip(" ")) for line in wide if line.strip()), default=0)
    return [line[margin:] for line in wide]


def _best_first(matches: Sequence[Match]) -> list[Match]:
    return sorted(matches, key=lambda match: (-match.similarity, match.query_line))


def _code_line(query: _Query, number: int, text: str, matches: Sequence[Match]) -> str:
    best = {
        match.query_line: match for match in sorted(matches, key=lambda match: (-match.similarity, match.query_line))
    }
    chips = {
        line: f'<b class="chip h{query.hues[line]}" title="{match.similarity:.2f} like line {line}: '
        f'{_text(match.query_text)}">{line}</b>'
        for line, match in best.items()
    }
    return _line(number, text, chips, query.hues[next(iter(best))] if best else None)


def _folded(rows: Sequence[str], marked: Sequence[bool], first: int) -> str:
    """The rows; in a long fragment, stretches far from any match are folded."""
    if len(rows) <= LONG:
        return "".join(rows)
    near = [any(marked[max(0, row - CONTEXT) : row + CONTEXT + 1]) for row in range(len(rows))]
    near[:CONTEXT] = [True] * CONTEXT
    parts, row = [], 0
    while row < len(rows):
        end = row
        while end < len(rows) and near[end] == near[row]:
            end += 1
        stretch = "".join(rows[row:end])
        if near[row] or end - row < SHORTEST_FOLD:
            parts.append(stretch)
        else:
            words = f"⋯ lines {first + row}–{first + end - 1}: {end - row} without a match"
            parts.append(f'<details class="fold"><summary>{words}</summary>{stretch}</details>')
        row = end
    return "".join(parts)


def _uncovered(fragment: Fragment) -> str:
    if not fragment.uncovered:
        return ""
    items = "".join(
        f'<li><b class="chip open">{line.line}</b> <code>{_text(line.text)}</code></li>' for line in fragment.uncovered
    )
    head = f"<summary>No counterpart for {len(fragment.uncovered)} of the query</summary>"
    return f'<details class="uncovered">{head}<ul>{items}</ul></details>'


def _fragment_graph(query: _Query, fragment: Fragment, rank: int) -> str:
    if fragment.graph is None:
        return ""
    partners: dict[tuple[str, int], list[int]] = {}
    for match in _best_first(fragment.matches):
        partners.setdefault((match.path, match.line), []).append(match.query_line)
    marks = {}
    for node in fragment.graph.nodes:
        lines = list(dict.fromkeys(partners.get((node.span.path, node.span.start_line), [])))
        if lines and node.kind.label not in ("entry", "exit"):
            marks[node.id] = Mark(" ".join(map(str, lines)), style=f"h{query.hues[lines[0]]}")
    return _graph(fragment.graph, marks, f"{query.key}-r{rank}-", "Control flow of the fragment")
