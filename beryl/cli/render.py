"""Answers as text, JSON and JSON lines; one function per format."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable, Sequence

from beryl.types import Fragment, SearchResult

EXIT_FOUND, EXIT_NOTHING, EXIT_ERROR = 0, 1, 2
DEFAULT_WIDTH = 100
MAX_SHOWN_LINES = 40  # a fragment longer than a screen hides the next one
SIMILAR_ENOUGH = 1e-9


def show(results: Sequence[SearchResult], args: argparse.Namespace) -> int:
    """Print all results in the format asked for; the exit code says whether anything was found."""
    FORMATS[args.format](results, args)
    return EXIT_FOUND if any(result.results for result in results) else EXIT_NOTHING


def as_json(result: SearchResult) -> dict[str, object]:
    """The documented JSON object of one query; see docs/result.schema.json."""
    return {
        "query": result.query,
        "file": result.file,
        "mode": result.mode,
        "took_ms": round(result.took_ms, 1),
        "results": [_fragment_json(rank, fragment) for rank, fragment in enumerate(result.results, 1)],
    } | ({"notes": list(result.notes)} if result.notes else {})


def _fragment_json(rank: int, fragment: Fragment) -> dict[str, object]:
    plain: dict[str, object] = {
        "rank": rank,
        "score": round(fragment.score, 6),
        "parts": {name: round(float(value), 6) for name, value in fragment.parts.items()},
        "project": fragment.project,
        "language": str(fragment.language),
        "path": fragment.path,
        "start": fragment.start,
        "end": fragment.end,
        "functions": list(fragment.functions),
        "spans": [
            {"path": span.path, "function": span.function, "start": span.start, "end": span.end}
            for span in fragment.spans
        ],
        "matches": [
            {
                "query_line": match.query_line,
                "query_text": match.query_text,
                "path": match.path,
                "line": match.line,
                "code_text": match.code_text,
                "similarity": round(float(match.similarity), 4),
            }
            for match in fragment.matches
        ],
        "uncovered": [{"line": line.line, "text": line.text} for line in fragment.uncovered],
    }
    if fragment.notes:
        plain["notes"] = list(fragment.notes)
    return plain | dict(fragment.extra)


def _print_json(results: Sequence[SearchResult], args: argparse.Namespace) -> None:
    documents = [as_json(result) for result in results]
    print(json.dumps(documents[0] if len(documents) == 1 else documents, ensure_ascii=False, indent=2))


def _print_jsonl(results: Sequence[SearchResult], args: argparse.Namespace) -> None:
    for result in results:
        print(json.dumps(as_json(result), ensure_ascii=False))


class Paint:
    """Colours on a terminal, nothing elsewhere; NO_COLOR is honoured."""

    def __init__(self) -> None:
        self.on = sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    def __call__(self, text: str, code: str) -> str:
        """`text` in a colour, where colours are on."""
        return f"\033[{code}m{text}\033[0m" if self.on and text else text


BOLD, DIM, GREEN, YELLOW, CYAN = "1", "2", "32", "33", "36"


def _print_text(results: Sequence[SearchResult], args: argparse.Namespace) -> None:
    paint = Paint()
    width = shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns
    for result in results:
        if len(results) > 1:
            print(paint(f"== {result.query}", BOLD))
        if not result.results:
            print(f"{result.query or 'query'}: nothing found")
        for note in result.notes:
            print(paint(f"note: {note}", DIM))
        for rank, fragment in enumerate(result.results, 1):
            print("\n".join(fragment_lines(rank, fragment, args.explain, paint, width)))
            print()


def fragment_lines(rank: int, fragment: Fragment, explain: bool, paint: Paint, width: int) -> list[str]:
    """One result as lines of text: where, code beside the query lines it matches, what stayed uncovered."""
    place = f"{fragment.project}/{fragment.path}:{fragment.start}"
    head = f"{paint(f'{rank:>2}.', BOLD)} {paint(place, CYAN)}  {', '.join(fragment.functions)}"
    lines = [f"{head}  {paint(f'{fragment.score:.3f}', DIM)}"]
    lines += _code_lines(fragment, paint, width)
    for span in fragment.spans:
        if span.path != fragment.path or span.end < fragment.start or span.start > fragment.end:
            lines.append(paint(f"    also {span.path}:{span.start}-{span.end} {span.function}", DIM))
    lines += [paint(line, DIM) for line in (*call_lines(fragment), *usage_lines(fragment))]
    for line in fragment.uncovered:
        lines.append(paint(f"    no counterpart for line {line.line}: {line.text}"[:width], YELLOW))
    if explain:
        parts = ", ".join(f"{name} {value:.3f}" for name, value in fragment.parts.items())
        lines.append(paint(f"    score: {parts}", DIM))
        lines += [f"    - {note}" for note in fragment.notes]
    return lines


def call_lines(fragment: Fragment) -> list[str]:
    """How the functions of a fragment across functions call each other."""
    calls = fragment.extra.get("call_path")
    if not isinstance(calls, list):
        return []
    return [f"    {call['caller']} calls {call['callee']} at {call['at']}" for call in calls]


def usage_lines(fragment: Fragment) -> list[str]:
    """Callers and callees of a result of `beryl find` as trees; nothing for other results."""
    lines = []
    for side, head in (("callers", "called by"), ("callees", "calls")):
        entries = fragment.extra.get(side)
        if isinstance(entries, list) and entries:
            lines += [f"    {head}", *_tree_lines(entries, side, "      ")]
    return lines


def _tree_lines(entries: Sequence[dict[str, object]], side: str, indent: str) -> list[str]:
    lines = []
    for entry in entries:
        if "more" in entry:
            lines.append(f"{indent}… {entry['more']} more")
            continue
        mark = " (again)" if "recursive" in entry else " (perhaps)" if "uncertain" in entry else ""
        lines.append(f"{indent}{entry['call']}  {entry['function']}{mark}")
        below = entry.get(side)
        lines += _tree_lines(below, side, indent + "  ") if isinstance(below, list) else []
    return lines


def _code_lines(fragment: Fragment, paint: Paint, width: int) -> list[str]:
    matched: dict[int, list[str]] = {}
    for match in fragment.matches:
        if match.path == fragment.path:
            matched.setdefault(match.line, []).append(f"{match.query_line}: {match.query_text}")
    first = int(str(fragment.extra.get("first_line", fragment.start)))
    code = fragment.code.expandtabs(4).splitlines()
    shown, hidden = code[:MAX_SHOWN_LINES], len(code) - MAX_SHOWN_LINES
    margin = min((len(line) - len(line.lstrip()) for line in shown if line.strip()), default=0)
    left = max(30, width * 2 // 3 - 8)
    lines = []
    for number, text in enumerate(shown, first):
        body = text[margin:][:left]
        if number in matched:
            aside = " | ".join(dict.fromkeys(matched[number]))[: max(10, width - left - 12)]
            lines.append(f"{paint(f'{number:>6}', GREEN)} {paint(body.ljust(left), GREEN)} {paint('◂ ' + aside, DIM)}")
        else:
            lines.append(f"{paint(f'{number:>6}', DIM)} {body}")
    if hidden > 0:
        lines.append(paint(f"       … {hidden} more lines", DIM))
    return lines


FORMATS: dict[str, Callable[[Sequence[SearchResult], argparse.Namespace], None]] = {
    "text": _print_text,
    "json": _print_json,
    "jsonl": _print_jsonl,
}
