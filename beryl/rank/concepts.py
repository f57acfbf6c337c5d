"""Words of a question -> concepts: the word's own term, and at a discount its other spellings and names."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from beryl.index import words
from beryl.rank.bm25 import Concept


@dataclass(frozen=True, slots=True)
class Discounts:
    """What another spelling counts, where the word itself counts 1."""

    abbreviation: float = 0.3
    """A pair of abbreviations.tsv, either way."""
    prefix: float = 0.3
    """Only for a word that no function holds: a term that begins it or that it begins; the shorter has 4 letters."""
    algorithm: float = 0.7
    """Another name of the same algorithm (algorithms.tsv)."""
    pair: float = 0.5
    """Two neighbours of the question written as one word; weight of a concept of its own."""
    least_prefix: int = 4
    most_longer: int = 4
    """A prefix may lack at most this many letters."""


@cache
def abbreviations() -> dict[str, tuple[str, ...]]:
    """Term -> terms that abbreviate it or that it abbreviates; only single words."""
    found: dict[str, list[str]] = {}
    for short, long in (line[:2] for line in words.read_list("abbreviations.tsv")):
        if " " not in long:
            found.setdefault(words.stem(short), []).append(words.stem(long))
            found.setdefault(words.stem(long), []).append(words.stem(short))
    return {term: tuple(dict.fromkeys(others)) for term, others in found.items()}


@cache
def algorithms() -> dict[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """A name of an algorithm as terms -> its other names."""
    found: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {}
    for line in words.read_list("algorithms.tsv"):
        group = [tuple(words.stems(words.prose_words(name))) for name in line]
        for name in group:
            found[name] = tuple(other for other in group if other != name)
    return found


def concepts(
    question: Sequence[str],
    vocabulary: Sequence[str],
    discounts: Discounts = Discounts(),
    fields: tuple[str, ...] = (),
) -> list[Concept]:
    """The concepts of unstemmed words in order; a word that is asked for twice weighs twice."""
    found: dict[str, Concept] = {}
    for word in question:
        term = words.stem(word)
        known = found.get(term)
        weight = 1.0 + (known.weight if known else 0.0)
        variants = known.variants if known else tuple(_variants(term, vocabulary, discounts).items())
        found[term] = Concept(variants, weight, word, fields)
    answer = list(found.values())
    if discounts.pair > 0:
        for joined in dict.fromkeys(words.pairs(question)):
            if joined not in found and _holds(vocabulary, joined):
                answer.append(Concept(((joined, 1.0),), discounts.pair, joined, fields))
    answer.extend(_other_names(words.stems(question), vocabulary, discounts, fields))
    return answer


def _variants(term: str, vocabulary: Sequence[str], discounts: Discounts) -> dict[str, float]:
    found = {term: 1.0}
    if discounts.abbreviation > 0:
        found |= dict.fromkeys(abbreviations().get(term, ()), discounts.abbreviation)
    if discounts.prefix > 0 and not _holds(vocabulary, term):
        for other in _prefixes(term, vocabulary, discounts):
            found.setdefault(other, discounts.prefix)
    return found


def _prefixes(term: str, vocabulary: Sequence[str], discounts: Discounts) -> Iterator[str]:
    """Terms in the vocabulary that are a little shorter or longer than this one, and otherwise the same."""
    if not term.isalpha():
        return
    for size in range(max(discounts.least_prefix, len(term) - discounts.most_longer), len(term)):
        if _holds(vocabulary, term[:size]):
            yield term[:size]
    if len(term) >= discounts.least_prefix:
        position = bisect_left(vocabulary, term)
        while position < len(vocabulary) and vocabulary[position].startswith(term):
            other = vocabulary[position]
            if term != other and other.isalpha() and len(other) - len(term) <= discounts.most_longer:
                yield other
            position += 1


def _other_names(
    terms: Sequence[str], vocabulary: Sequence[str], discounts: Discounts, fields: tuple[str, ...]
) -> Iterator[Concept]:
    """Other names of algorithms that the question names; a name of several words counts as its words."""
    for size in range(1, 5):
        for start in range(len(terms) - size + 1):
            for other in algorithms().get(tuple(terms[start : start + size]), ()):
                new = [term for term in other if term not in terms and _holds(vocabulary, term)]
                for term in new:
                    yield Concept(((term, 1.0),), discounts.algorithm / len(other), " ".join(other), fields)


def _holds(vocabulary: Sequence[str], term: str) -> bool:
    position = bisect_left(vocabulary, term)
    return position < len(vocabulary) and vocabulary[position] == term
