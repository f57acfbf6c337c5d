"""Why a fragment ranks where it does, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from beryl.encode import shape
from beryl.index.store import Index
from beryl.search.fragments import Aligned
from beryl.search.signals import Question

NEAREST = "nearest in meaning"
"""1 for the candidate whose meaning adds most to its score."""
_NESTS = {1: "loop", 2: "double loop", 3: "triple loop"}
_MOST_LINES = 3
_LONGEST = 60


def notes(
    index: Index, question: Question, columns: Mapping[str, float], matched: Sequence[Aligned]
) -> tuple[str, ...]:
    """What speaks for it: names, structure, the most telling lines, idioms."""
    found = []
    if columns.get("title in name", 0.0) > 0.5:
        found.append("its name says so")
    elif columns.get("title in comments", 0.0) > 0.3:
        found.append("its comments name the algorithm")
    if columns.get("title in class and file", 0.0) > 0.4:
        found.append("its class or file is named after it")
    if columns.get(NEAREST, 0.0):
        found.append("of all that was read, its name and comment are nearest in meaning")
    nest = question.structure.nest
    if nest and columns["nest"] == 1.0:
        found.append(f"same {_NESTS.get(nest, 'deep loop nest')}")
    if question.structure.recursive and columns["recursion"] == 1.0:
        found.append("calls itself, as the query does")
    for pair in sorted(matched, key=lambda pair: -pair.similarity)[:_MOST_LINES]:
        code = index.texts.text[int(index.nodes.text[pair.code_node])]
        line = question.nodes[pair.query_node].span.start_line
        found.append(f"line {line} matches `{code[:_LONGEST]}`")
    shared = _shared_idioms(index, question, matched)
    if shared:
        found.append(f"both: {', '.join(shared)}")
    if columns.get("test code", 0.0):
        found.append("counts less: test code")
    return tuple(found)


def _shared_idioms(index: Index, question: Question, matched: Sequence[Aligned]) -> list[str]:
    shared = []
    code = [index.texts.text[int(index.nodes.text[pair.code_node])] for pair in matched]
    theirs = shape.shapes(code).idioms
    for bit, name in enumerate(shape.IDIOMS):
        asked = any(int(question.shapes.idioms[pair.query_node]) >> bit & 1 for pair in matched)
        if asked and any(int(value) >> bit & 1 for value in theirs):
            shared.append(name)
    return shared[:4]
