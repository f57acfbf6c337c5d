"""What was typed into the search box -> clauses: words, "phrases", -excluded ones, and prefixes such as name:."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from beryl.errors import InputError
from beryl.index import words

PREFIXES = {
    "name": ("name",),
    "comment": ("comment_leading", "comment_inner"),
    "calls": ("calls",),
    "class": ("scope",),
    "file": ("file",),
    "text": ("literals",),
}
"""Prefix -> the fields that it searches."""
# A question is typed by a person; a page of text belongs to `beryl query`.
MOST_WORDS = 500

_CLAUSE = re.compile(r'(?P<minus>-)?(?:(?P<prefix>[A-Za-z_]\w*):(?!:))?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+))')


@dataclass(frozen=True, slots=True)
class Clause:
    """One word or phrase of a question; `words` are split and lower-cased, stop words dropped."""

    text: str
    words: tuple[str, ...]
    fields: tuple[str, ...] = ()
    """Only these fields; all where empty."""
    phrase: bool = False
    excluded: bool = False

    @property
    def required(self) -> bool:
        """Whether a result must hold it; plain words only help."""
        return (self.phrase or bool(self.fields)) and not self.excluded


@dataclass(frozen=True, slots=True)
class Question:
    """All clauses of a question, in order."""

    clauses: tuple[Clause, ...]

    @property
    def wanted(self) -> tuple[Clause, ...]:
        """The clauses that are looked for."""
        return tuple(clause for clause in self.clauses if not clause.excluded)

    @property
    def excluded(self) -> tuple[Clause, ...]:
        """The clauses that no result may hold."""
        return tuple(clause for clause in self.clauses if clause.excluded)


def parse(items: Sequence[str]) -> Question:
    """The question; InputError where it cannot be asked."""
    text = " ".join(items)
    if text.count('"') % 2:
        raise InputError(f'a phrase is not closed: {_shortened(text)}; a phrase stands between two "')
    found = [_clause(match) for match in _CLAUSE.finditer(text)]
    if not found:
        raise InputError("the question is empty; give at least one word, such as: beryl find compress texture")
    total = sum(len(clause.words) for clause in found)
    if total > MOST_WORDS:
        raise InputError(f"the question has {total:,} words, at most {MOST_WORDS} are looked for; leave the others out")
    question = Question(tuple(found))
    if not any(clause.words for clause in question.wanted):
        raise InputError(_nothing_to_look_for(question, text))
    return question


def _clause(match: re.Match[str]) -> Clause:
    prefix, phrase = match["prefix"], match["phrase"]
    if prefix and prefix.lower() not in PREFIXES:
        raise InputError(
            f"unknown prefix {prefix + ':'!r} in {_shortened(match.group())}; "
            f"known: {', '.join(name + ':' for name in PREFIXES)} (put it between quotes to look for it as it is)"
        )
    text = phrase if phrase is not None else match["word"]
    pieces = words.prose_words(text)
    fields = PREFIXES[prefix.lower()] if prefix else ()
    return Clause(text, tuple(pieces), fields, phrase is not None, bool(match["minus"]))


def _nothing_to_look_for(question: Question, text: str) -> str:
    if question.wanted:
        return (
            f"{_shortened(text)} holds only words that stand in every function (such as `for`, `the`, `int`) or single "
            "characters, which are not indexed; add a telling word"
        )
    return f"{_shortened(text)} only excludes words; add a word to look for"


def _shortened(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
