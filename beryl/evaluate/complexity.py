"""An oracle nobody here wrote: decisions of our graphs against those that lizard counts, function by function.

Ours, of the graph: one for each condition that is no switch (if, catch), each loop, each case edge.
lizard's, of the tokens: `if`, `for`, `while`, `catch`, `case`; its `&&`, `||`, `?` are left out, because our nodes are
statements, and so are `#if` lines, because both halves are alternatives without a decision at run time.
Loops made by a macro (`list_for_each(...)`) are left out of ours: lizard cannot see them.
Lambdas and local classes are functions of their own for us and not always for lizard: both are added to the function
around them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beryl.errors import InputError, MissingDependency
from beryl.lang.treesitter import analyse, language_of
from beryl.types import EdgeKind, FileUnit, FunctionFlag, NodeKind

_COUNTED = {"if", "for", "while", "catch", "case"}
# Group 1 is what lizard looks at; it stays empty for #if, #ifdef and #elif, which it would count.
_MACRO_WITHOUT_CONDITIONS = re.compile(r"#\s*(?:ifdef|if|elif)?(\w*)\s*(.*)", re.MULTILINE | re.DOTALL)
_MACRO_LOOP = re.compile(r"\w*for_?each\w*\s*\(", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One function as both see it."""

    path: str
    line: int
    name: str
    ours: int
    lizards: int
    damaged: bool


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a comparison of many functions came to."""

    functions: int
    equal: int
    undamaged: int
    undamaged_equal: int
    unmatched: int
    """Functions of ours that lizard does not report, or that it reports under another name."""
    different: tuple[Comparison, ...]


def decisions(unit: FileUnit) -> list[int]:
    """The decisions of each function of a file, nested functions not included."""
    cases = Counter(
        source for source, kind in zip(unit.edge_source, unit.edge_kind, strict=True) if kind == EdgeKind.CASE
    )
    return [
        sum(
            cases.get(node, 1)
            for node in range(row.first_node, row.last_node)
            if unit.node_kind[node] in (NodeKind.CONDITION, NodeKind.LOOP)
            and not _MACRO_LOOP.match(unit.node_text[node])
        )
        for row in unit.functions
    ]


def _analyser() -> Any:  # noqa: ANN401 - lizard has no types
    try:
        import lizard
    except ModuleNotFoundError:
        raise MissingDependency("the comparison with lizard", "lizard", "dev") from None

    def structural(tokens: Iterator[str], reader: Any) -> Iterator[str]:  # noqa: ANN401
        reader.conditions = _COUNTED
        reader.macro_pattern = _MACRO_WITHOUT_CONDITIONS
        # lizard takes one off for `&& ... =`, to make up for && of C++ references, which is not counted here.
        reader.parallel_states = [
            each for each in reader.parallel_states if type(each).__name__ != "CppRValueRefStates"
        ]
        return tokens

    return lizard.FileAnalyzer([structural, *lizard.get_extensions([])])


def compare_file(path: Path, analyser: Any) -> tuple[list[Comparison], int]:  # noqa: ANN401
    """The outermost functions of a file as both see them, and how many could not be matched."""
    text = path.read_bytes()
    language = language_of(str(path), text)
    if language is None:
        raise InputError(f"{path} is not C, C++ or Java source")
    unit = analyse(text, language)
    theirs = analyser.analyze_source_code(str(path), text.decode("utf-8", "replace")).function_list
    result: list[Comparison] = []
    unmatched, outer_end = 0, -1
    counts = decisions(unit)
    for position, row in enumerate(unit.functions):
        if row.start_byte < outer_end:
            continue
        outer_end = row.end_byte
        inside = [other for other in theirs if row.start_line <= other.start_line <= row.end_line]
        if not any(other.name.replace("::", ".").rpartition(".")[2] == row.name for other in inside):
            unmatched += 1
            continue
        nested = [
            index for index in range(position, len(unit.functions)) if unit.functions[index].start_byte < row.end_byte
        ]
        ours = sum(counts[index] for index in nested)
        lizards = sum(other.cyclomatic_complexity - 1 for other in inside)
        damaged = bool(row.flags & FunctionFlag.DAMAGED)
        result.append(Comparison(str(path), row.start_line, row.qualified, ours, lizards, damaged))
    return result, unmatched


def compare(paths: Iterator[Path], wanted: int) -> Agreement:
    """Compare file after file until `wanted` functions have been seen."""
    analyser = _analyser()
    seen: list[Comparison] = []
    unmatched = 0
    for path in paths:
        if len(seen) >= wanted:
            break
        found, missing = compare_file(path, analyser)
        seen += found
        unmatched += missing
    whole = [each for each in seen if not each.damaged]
    return Agreement(
        len(seen),
        sum(each.ours == each.lizards for each in seen),
        len(whole),
        sum(each.ours == each.lizards for each in whole),
        unmatched,
        tuple(each for each in seen if each.ours != each.lizards),
    )
