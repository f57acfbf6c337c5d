"""Hits of `beryl find` -> fragments with their usages; and near spellings where there is none."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np

from beryl.index import words
from beryl.index.store import Index
from beryl.index.terms import FIELDS, Terms
from beryl.search import usages
from beryl.search.question import Question
from beryl.types import Fragment, FunctionSpan, KeywordQuery, Language, Match

_LANGUAGES = list(Language)
# Suggestions: few, close, and of words that are in use.
_MOST_SUGGESTIONS = 3
_MOST_CORRECTED = 3
_LEAST_LIKENESS = 0.7
_LONGEST_SLIP = 24
_FUNCTIONS_OF_A_FILE = 5


@dataclass(frozen=True, slots=True)
class Hit:
    """A function that was found, and for files the best function of the file."""

    function: int
    score: float
    parts: Mapping[str, float]
    others: tuple[int, ...] = ()
    """Further functions of the file, best first."""


def function_fragments(index: Index, hits: Sequence[Hit], question: Question, query: KeywordQuery) -> list[Fragment]:
    """One fragment per function: its lines, where the words stand, who calls it and whom it calls."""
    return [_function(index, hit, question, query) for hit in hits]


def _function(index: Index, hit: Hit, question: Question, query: KeywordQuery) -> Fragment:
    table, function = index.functions, hit.function
    file = int(table.file[function])
    start, end = int(table.start_line[function]), int(table.end_line[function])
    path, name = index.files.path[file], table.qualified[function]
    code = index.lines(file, start, end)
    matches, missing = _matches(question, path, start, code)
    extra: dict[str, object] = {"signature": table.signature[function]}
    if query.callers:
        extra["callers"] = usages.callers(index, function, query.callers)
    if query.callees:
        extra["callees"] = usages.callees(index, function, query.callees)
    return Fragment(
        score=hit.score,
        parts=hit.parts,
        project=index.projects[int(index.files.project[file])],
        language=_LANGUAGES[int(index.files.language[file])],
        path=path,
        start=start,
        end=end,
        functions=(name,),
        spans=(FunctionSpan(path, name, start, end),),
        matches=matches,
        nodes=tuple(range(int(table.first_node[function]), int(table.first_node[function + 1]))),
        notes=_notes(hit, missing),
        code="\n".join(code),
        extra=extra,
    )


def _matches(question: Question, path: str, start: int, code: Sequence[str]) -> tuple[tuple[Match, ...], list[str]]:
    """The first line with each word of the question, and the words that no line has."""
    first: dict[str, int] = {}
    for number, line in enumerate(code):
        for word in words.prose_words(line):
            first.setdefault(words.stem(word), number)
    found, missing = [], []
    for word in dict.fromkeys(word for clause in question.wanted for word in clause.words):
        term = words.stem(word)
        if term in first:
            found.append(Match(1, word, path, start + first[term], code[first[term]].strip(), 1.0))
        else:
            missing.append(word)
    return tuple(found), missing


def _notes(hit: Hit, missing: Sequence[str]) -> tuple[str, ...]:
    notes = []
    if missing:
        notes.append(f"not in its lines: {', '.join(missing)}; perhaps in its comment, class or file, or spelled so")
    if hit.parts.get("damping", 1.0) < 1.0:
        notes.append("counts less: it is in a support library, test or generated code")
    if hit.parts.get("pagerank", 0.0) > 0.5:
        notes.append("much used by other functions")
    return tuple(notes)


def file_fragments(index: Index, hits: Sequence[Hit], question: Question, query: KeywordQuery) -> list[Fragment]:
    """One fragment per file: its best functions."""
    return [_file(index, hit) for hit in hits]


def _file(index: Index, hit: Hit) -> Fragment:
    table = index.functions
    file = int(table.file[hit.function])
    path = index.files.path[file]
    best = (hit.function, *hit.others)[:_FUNCTIONS_OF_A_FILE]
    spans = tuple(
        FunctionSpan(path, table.qualified[f], int(table.start_line[f]), int(table.end_line[f])) for f in best
    )
    return Fragment(
        score=hit.score,
        parts=hit.parts,
        project=index.projects[int(index.files.project[file])],
        language=_LANGUAGES[int(index.files.language[file])],
        path=path,
        start=1,
        end=int(index.files.lines[file]),
        functions=tuple(span.function for span in spans),
        spans=spans,
        notes=_notes(hit, ()),
    )


def unknown_words(index: Index, terms: Terms, question: Question) -> list[str]:
    """A note for every word that no function holds, with words that are spelled like it."""
    asked = dict.fromkeys(word for clause in question.wanted for word in clause.words)
    notes: list[str] = []
    for word in [word for word in asked if terms.identify(words.stem(word)) < 0]:
        near = _near(index, terms, word) if len(notes) < _MOST_CORRECTED else []
        notes.append(f"no function holds {word!r}" + (f"; near spellings: {', '.join(near)}" if near else ""))
    return notes


def why_nothing(question: Question) -> str:
    """Why nothing was found though each word is known."""
    required = [clause.text for clause in question.wanted if clause.required]
    what = f"holds {' and '.join(map(repr, required))} as asked for" if required else "is left"
    hint = "leave out quotes or prefixes" if required else "exclude less"
    return f"each word is known, but no function {what} in the code to be searched; {hint} or widen filters"


def _near(index: Index, terms: Terms, word: str) -> list[str]:
    """Words one slip of the pen away whose stem the index holds, the more used first; else stems that look like it."""
    use: dict[str, tuple[int, str]] = {}
    for slip in sorted(_slips(word)):
        stem = words.stem(slip)
        if stem in terms.known:
            use.setdefault(stem, (-_use(terms, stem), slip))
    close = [slip for _, slip in sorted(use.values())[:_MOST_SUGGESTIONS]]
    return close or [_spelled(index, terms, stem) for stem in _alike(terms, words.stem(word))]


def _slips(term: str) -> set[str]:
    """Everything that one letter left out, put in, replaced or swapped with the next makes of a term."""
    if len(term) > _LONGEST_SLIP:
        return set()
    cuts = [(term[:i], term[i:]) for i in range(len(term) + 1)]
    found = {head + tail[1:] for head, tail in cuts if tail}
    found |= {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    found |= {head + letter + tail[1:] for head, tail in cuts if tail for letter in ascii_lowercase}
    found |= {head + letter + tail for head, tail in cuts for letter in ascii_lowercase}
    return {one for one in found if len(one) > 1 and one != term}


def _alike(terms: Terms, term: str) -> list[str]:
    sizes = np.diff(terms.vocabulary.offsets)
    near_size = np.flatnonzero(np.abs(sizes - len(term.encode())) <= 2)
    starts = terms.vocabulary.buffer[terms.vocabulary.offsets[near_size]]
    candidates = [terms.vocabulary[i] for i in near_size[starts == term.encode()[0]].tolist()]
    return difflib.get_close_matches(term, candidates, _MOST_SUGGESTIONS, _LEAST_LIKENESS)


def _use(terms: Terms, term: str) -> int:
    return int(terms.frequency[terms.identify(term)])


def _spelled(index: Index, terms: Terms, term: str) -> str:
    """A stem as some function writes it."""
    identifier = terms.identify(term)
    for field in FIELDS:
        functions, _ = terms.postings(field, identifier)
        if not len(functions):
            continue
        table, function = index.functions, int(functions[0])
        file = int(table.file[function])
        comment, start, end = (int(x[function]) for x in (table.comment_start, table.start_byte, table.end_byte))
        data = index.source(file).encode("utf-8", "surrogatepass")
        near = data[comment if 0 < comment < start else start : end].decode("utf-8", "replace")
        text = f"{table.qualified[function]} {index.files.path[file]} {near}"
        for word in words.prose_words(text):
            if words.stem(word) == term:
                return word
    return term
