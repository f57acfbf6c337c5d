"""Identifiers and prose -> terms: split at case, underscore and digit, lower-cased, stemmed, stop words dropped."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from beryl import paths

STOP_LISTS = ("stop_english.txt", "stop_code.txt")
# Raised whenever this file or lexing.py would give a text other terms than before.
RULES = 1
# A longer run of letters is an encoded blob, not a word.
LONGEST_WORD = 40

_ASCII_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_OTHER_PARTS = re.compile(r"\d+|[^\W\d_]+")
_PROSE_WORD = re.compile(r"[^\W_]\w*")
# Porter 2 changes no word without one of these endings; asking it takes a hundred times as long.
_CHANGEABLE = re.compile(r".*(?:[seyi]|ed|ing|al|ful|ll|er|or|ic|ant|ent|ism|ion)")
_NUMBER = re.compile(r"(?:(0x[0-9a-f]+)|(\d+))(?:[ulfd]*)")


def read_list(name: str) -> list[list[str]]:
    """The lines of a shipped word list as fields between tabs; lines that start with # are comments."""
    text = paths.data("words", name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


@cache
def stop_words() -> frozenset[str]:
    """English words and keywords that are not indexed."""
    return frozenset(word for name in STOP_LISTS for line in read_list(name) for word in line[0].split())


@cache
def fingerprint() -> str:
    """Hash of all that decides which terms a text has; terms of two fingerprints never meet."""
    rules = [str(RULES), *sorted(stop_words())]
    return hashlib.blake2b("\n".join(rules).encode(), digest_size=8).hexdigest()


@cache
def _stemmer() -> object:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@cache
def stem(word: str) -> str:
    """The Snowball (Porter 2) stem of a lower-case word; words with digits stay as they are."""
    if len(word) < 4 or not word.isalpha() or not _CHANGEABLE.fullmatch(word):
        return word
    return str(_stemmer().stemWord(word))  # type: ignore[attr-defined]


def parts(identifier: str) -> list[str]:
    """Lower-case pieces of an identifier: `HTMLParser2_x` -> html, parser, 2, x."""
    pattern = _ASCII_PARTS if identifier.isascii() else _OTHER_PARTS
    return [part.lower() for part in pattern.findall(identifier)]


def kept(pieces: Sequence[str]) -> list[str]:
    """The words among pieces, and letters joined with the digits after them: crc, 32 -> crc, crc32, 32."""
    words = []
    stop = stop_words()
    for position, piece in enumerate(pieces):
        if piece.isdigit():
            before = pieces[position - 1] if position else ""
            if len(before) > 1 and not before.isdigit() and len(before) + len(piece) <= LONGEST_WORD:
                words.append(before + piece)
            if 1 < len(piece) <= LONGEST_WORD:
                words.append(piece)
        elif 1 < len(piece) <= LONGEST_WORD and piece not in stop:
            words.append(piece)
    return words


def number(token: str) -> str:
    """A number literal as a word: `0xFFu` -> 255; empty where it is none, or a single digit."""
    found = _NUMBER.fullmatch(token.lower())
    if not found or len(token) > LONGEST_WORD:
        return ""
    hexadecimal, decimal = found.groups()
    word = str(int(hexadecimal, 16)) if hexadecimal else str(decimal)
    return word if len(word) > 1 else ""


@lru_cache(maxsize=1 << 18)
def kept_of(token: str) -> tuple[str, ...]:
    """The words of an identifier or number."""
    if token[:1].isdigit():
        word = number(token)
        if word:
            return (word,)
    return tuple(kept(parts(token)))


@cache
def terms(token: str) -> tuple[str, ...]:
    """The terms of an identifier or number."""
    return tuple(stem(word) for word in kept_of(token))


def pairs(words: Sequence[str]) -> list[str]:
    """Neighbours written as one word, so that `quick_sort` and `quicksort` meet."""
    return [
        first + stem(second)
        for first, second in pairwise(words)
        if first.isalpha() and second.isalpha() and len(first) + len(second) <= LONGEST_WORD
    ]


@cache
def name_terms(identifier: str) -> tuple[str, ...]:
    """The terms of a name, and its neighbouring words joined."""
    words = kept(parts(identifier))
    return (*(stem(word) for word in words), *pairs(words))


def prose_words(text: str) -> list[str]:
    """The words of a text in order, unstemmed, identifiers split, stop words dropped."""
    return [word for token in _PROSE_WORD.findall(text) for word in kept_of(token)]


def stems(words: Iterable[str]) -> list[str]:
    """The stem of each word."""
    return [stem(word) for word in words]
