"""Identifiers and comments -> natural-language terms (§III-A): split, stop words dropped, lemmatised, stemmed."""

from __future__ import annotations

import re
from functools import cache

from beryl import paths

STOP_LISTS = ("stop_english.txt", "stop_code.txt", "stop_remarks.txt")
LONGEST_WORD = 40
"""A longer run of letters is an encoded blob, not a word."""
_SHORTEST_PART = 3
"""Shorter dictionary words would split almost anything."""
_LEAST_COVERED = 0.5
"""The part of a word's letters that must be in dictionary words for it to be split."""

_PARTS = re.compile(r"(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+)\d*")
_WORD = re.compile(r"[^\W\d_]{2,}")
_TOKEN = re.compile(r"[^\W\d]\w+")


def read_list(name: str) -> list[list[str]]:
    """The lines of a shipped word list as fields between tabs; lines that start with # are comments."""
    text = paths.data("words", name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


@cache
def stop_words() -> frozenset[str]:
    """English words, words of programming languages and remarks like `fixme`."""
    return frozenset(word for name in STOP_LISTS for line in read_list(name) for word in line[0].split())


@cache
def dictionary() -> frozenset[str]:
    """Words at which identifiers that run together are split."""
    return frozenset(line[0] for line in read_list("dictionary.txt"))


@cache
def whole_words() -> frozenset[str]:
    """Words that are never split: the dictionary, and the C library's functions, which are words to programmers."""
    return dictionary() | frozenset(line[0].lower() for line in read_list("c_library.tsv"))


@cache
def _lemmas() -> dict[str, str]:
    return {line[0]: line[1] for line in read_list("lemmas.tsv")}


@cache
def _stemmer() -> object:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@cache
def base_form(word: str) -> str:
    """The lemma's stem: `vertices` -> vertex, `searching` -> search."""
    lemma = _lemmas().get(word, word)
    return str(_stemmer().stemWord(lemma)) if lemma.isascii() else lemma  # type: ignore[attr-defined]


def split_greedily(word: str) -> list[str]:
    """Dictionary words of a word that runs together (Feild, Binkley, Lawrie 2006): the better of both directions.

    A word of which dictionary words cover less than half stays whole.
    """
    if len(word) <= _SHORTEST_PART or word in whole_words() or base_form(word) in dictionary():
        return [word]
    best = max(_from_front(word), _from_back(word), key=_quality)
    return best if _quality(best)[0] >= _LEAST_COVERED * len(word) else [word]


def _quality(parts: list[str]) -> tuple[int, int]:
    """More letters in known words, then fewer parts."""
    return sum(len(part) for part in parts if part in dictionary()), -len(parts)


def _from_front(word: str) -> list[str]:
    parts: list[str] = []
    unknown = ""
    while word:
        length = next((n for n in range(len(word), _SHORTEST_PART - 1, -1) if word[:n] in dictionary()), 0)
        if length:
            parts += [unknown, word[:length]]
            unknown, word = "", word[length:]
        else:
            unknown, word = unknown + word[0], word[1:]
    return [part for part in (*parts, unknown) if part]


def _from_back(word: str) -> list[str]:
    parts: list[str] = []
    unknown = ""
    while word:
        length = next((n for n in range(len(word), _SHORTEST_PART - 1, -1) if word[-n:] in dictionary()), 0)
        if length:
            parts += [unknown, word[-length:]]
            unknown, word = "", word[:-length]
        else:
            unknown, word = word[-1] + unknown, word[:-1]
    return [part for part in reversed((*parts, unknown)) if part]


@cache
def of_identifier(identifier: str) -> tuple[str, ...]:
    """The terms of a name: `binsearch` -> bin, search; `maxVertices2` -> max, vertex."""
    found = []
    for part in _PARTS.findall(identifier):
        word = part.lower()
        letters = word.rstrip("0123456789")
        if letters in dictionary() or len(letters) < 2:  # `buf2` is a buf, `crc32` is no crc
            word = letters
        if len(word) < 2 or len(word) > LONGEST_WORD or word in stop_words():
            continue
        found += [base_form(piece) for piece in split_greedily(word) if len(piece) > 1 and piece not in stop_words()]
    return tuple(found)


def of_prose(text: str) -> list[str]:
    """The terms of a comment; identifiers in it are split like others."""
    return [term for token in identifiers_in(text) for term in of_identifier(token)]


def identifiers_in(text: str) -> list[str]:
    """The words and names in a comment, as they are written."""
    return _TOKEN.findall(text)


def words(text: str) -> list[str]:
    """The words of a comment in lower case, nothing dropped but single letters and digits."""
    return _WORD.findall(text.lower())
