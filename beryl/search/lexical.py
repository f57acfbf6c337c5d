"""Words of the query against words of functions, field by field; the first of the fused signals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from beryl.index import words
from beryl.index.terms import Terms
from beryl.lang.pseudo.frontend import Pseudocode
from beryl.rank.bm25 import Concept, Scorer, idf
from beryl.rank.concepts import concepts
from beryl.search.fragments import searchable
from beryl.types import FloatArray

# signal -> (which words of the query, in which fields of a function)
WITH_NAMES = {
    "title in name": ("title", ("name",)),
    "title in class and file": ("title", ("scope", "file")),
    "title in comments": ("title", ("comment_leading", "comment_inner")),
    "title in code": ("title", ("identifiers", "calls")),
    "words in name": ("body", ("name",)),
    "words in class and file": ("body", ("scope", "file")),
    "words in comments": ("body", ("comment_leading", "comment_inner")),
    "words in calls": ("body", ("calls",)),
    "words in code": ("body", ("identifiers", "literals")),
    "all words": (
        "all",
        ("name", "scope", "comment_leading", "comment_inner", "identifiers", "calls", "literals", "file"),
    ),
}
WITHOUT_NAMES = {"words in code": ("body", ("identifiers", "literals"))}
# A word that the query repeats counts more, but not in proportion.
_REPEATED = 0.5


def signals(names: bool) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    """The lexical signals that may be used."""
    return WITH_NAMES if names else WITHOUT_NAMES


def scores(terms: Terms, pseudocode: Pseudocode, names: bool) -> dict[str, FloatArray]:
    """Every signal for every function: BM25 over its fields, as a share of the most that the query can get."""
    title = title_words(pseudocode)
    asked = {"title": title, "body": body_words(pseudocode, names)}
    asked["all"] = asked["title"] + asked["body"]
    ready = {kind: _concepts(terms, found) for kind, found in asked.items()}
    return {
        signal: _share(Scorer(terms, dict.fromkeys(fields, 1.0)), ready[kind])
        for signal, (kind, fields) in signals(names).items()
    }


def _share(scorer: Scorer, asked: Sequence[Concept]) -> FloatArray:
    total = np.zeros(scorer.terms.documents, dtype=np.float32)
    most = 0.0
    for item in asked:
        documents, values = scorer.contributions(item)
        total[documents] += values
        most += item.weight * idf(scorer.terms.documents, len(documents)) * (scorer.k1 + 1.0) if len(documents) else 0.0
    return total / np.float32(most or 1.0)


def _concepts(terms: Terms, found: Sequence[str]) -> list[Concept]:
    counts = Counter(words.stem(word) for word in found)
    once = concepts(list(dict.fromkeys(found)), terms.vocabulary)
    return [replace(item, weight=item.weight * max(counts[words.stem(item.label)], 1) ** _REPEATED) for item in once]


def title_words(pseudocode: Pseudocode) -> list[str]:
    """Words of the header: the names of the query's functions in order."""
    return [word for function in pseudocode.icfg.functions for word in words.prose_words(function.name)]


def body_words(pseudocode: Pseudocode, names: bool) -> list[str]:
    """Words of the statements, and of the comments where names may be used; never the query's own function names."""
    texts = [node.text for node in searchable(pseudocode.icfg.nodes)]
    if names:
        texts += [comment.text for comment in pseudocode.comments]
    hidden = [function.name for function in pseudocode.icfg.functions]
    return [word for text in texts for word in words.prose_words(_masked(text, hidden))]


def _masked(text: str, hidden: Sequence[str]) -> str:
    for name in hidden:
        text = text.replace(name, " ")
    return text
