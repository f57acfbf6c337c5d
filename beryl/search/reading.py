"""The best candidates are read: how near in meaning the bundled language model finds query and function.

Title and lines of the query are compared with class, name and leading comment of the function. A text takes some
milliseconds, so only `rank.model.READ` functions of a query are read, and none where names are hidden.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from os import cpu_count

import numpy as np

from beryl.index import words
from beryl.index.store import Index
from beryl.registry import ENCODERS, load
from beryl.search.signals import Candidates, Question
from beryl.types import FloatArray, IntArray, TextEncoder

READER = "granite"
# In characters. Longer comments were no better, and the time of a text grows with its length.
COMMENT, QUERY = 120, 300
_MOST_REMEMBERED = 50_000
_MARKUP = re.compile(r"<[^<>]*>|\{@\w+|[*/{}]+|\\[a-z]+\b")
_TAGS = re.compile(r"\s[@\\](?:param|return|throws|see|since|author).*", re.DOTALL)


def meaning(index: Index, question: Question, chosen: Candidates, positions: IntArray) -> FloatArray:
    """The cosine of the query with each of these candidates."""
    texts = [head(index, int(function)) for function in chosen.functions[positions]]
    rows = _vectors([asked(question), *texts])
    likeness: FloatArray = rows[1:] @ rows[0]
    return likeness


def asked(question: Question) -> str:
    """The query as it is compared: its title and lines."""
    title = " ".join(words.prose_words(question.pseudocode.title))
    return f"{title}. {' ; '.join(question.texts)[:QUERY]}"


def head(index: Index, function: int) -> str:
    """The words of class and name, and how the comment before the function begins."""
    table = index.functions
    start, end = int(table.comment_start[function]), int(table.comment_end[function])
    comment = ""
    if end > start:
        written = index.source(int(table.file[function])).encode("utf-8", "surrogatepass")[start:end]
        comment = " ".join(_MARKUP.sub(" ", _TAGS.sub("", written.decode("utf-8", "replace"))).split())
    return f"{' '.join(words.prose_words(table.qualified[function]))}. {comment[:COMMENT]}"


@cache
def _reader() -> tuple[TextEncoder, dict[str, FloatArray]]:
    """The language model and the vectors of what it has read."""
    return load(ENCODERS, READER, "encoder")(""), {}


def _vectors(texts: Sequence[str]) -> FloatArray:
    encoder, known = _reader()
    if len(known) + len(texts) > _MOST_REMEMBERED:
        known.clear()
    new = sorted({text for text in texts if text not in known}, key=len)
    if new:
        parts = _dealt(new, min(cpu_count() or 1, len(new)))
        with ThreadPoolExecutor(len(parts)) as pool:  # the work is in matrix products, which let other threads run
            for part, rows in zip(parts, pool.map(encoder.encode, parts), strict=True):
                known.update(zip(part, rows, strict=True))
    return np.stack([known[text] for text in texts])


def _dealt(texts: Sequence[str], hands: int) -> list[Sequence[str]]:
    """Texts in so many parts of about the same length."""
    return [texts[first::hands] for first in range(hands)]
