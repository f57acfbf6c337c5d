"""Math or prose: the line classifier of §3.3, applied to new lines from the arrays that training left behind.

Training (`beryl.lang.pseudo.train`) spreads labels from source code and comments over a graph of lines, pseudocode
lines among them. A new line is classified inductively, as scikit-learn does it: the labels of its nearest lines vote.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from beryl import paths
from beryl.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_HEARD: ContextVar[list[str] | None] = ContextVar("heard", default=None)
_USED: ContextVar[Classifier | None] = ContextVar("used", default=None)
MODEL = "lines"
FORMAT = 1
_TOKEN = re.compile(
    r'(?P<text>"[^"]*"|“[^”]*”)|(?P<word>[A-Za-z][A-Za-z]*(?:[\'’-][a-z]+)*(?![\w\[(.{^]|[\'′]|\s*_))'
    r"|(?P<name>[^\W\d][\w'′]*(?:[-.](?=\w)[\w'′]+)*)|(?P<number>\d[\w.]*)"
    r"|(?P<operator>:=|<-|->|[<>=!]=|\+=|-=|\*=|\+\+|--|<<|>>|&&|\|\||[-+*/%<>=^&|~!←→↔≤≥≠≡≈∈∉∪∩∖⊆⊂∧∨¬⊕·×÷−±√∇Σ∏∀∃])"
    r"|(?P<bracket>[()\[\]{}⌊⌋⌈⌉⟨⟩‖])|(?P<other>\S)"
)
_OPERATORS = """
mod div and or not xor shl shr rightshift leftshift leftrotate rightrotate min max argmin argmax
sum log exp gcd lcm sqrt
"""
_FUNCTIONS = """
the a an of to in into with from for by is are was be been has have does do that which this these those it its them
their all each every any some no none as at on onto out off over under up down than then until while if when where whose
between among after before such there other only both either neither same more most
"""
_OPERATOR_WORDS = frozenset(_OPERATORS.split())
_FUNCTION_WORDS = frozenset(_FUNCTIONS.split())
_SYMBOL = re.compile(r"[^\W\d_](?:_\w|[\d'′²³ᵀ⁻¹])*")
_CONSTANTS = frozenset(["true", "false", "nil", "null", "none", "infinity", "inf", "undefined", "empty"])


@dataclass(frozen=True, slots=True)
class Classifier:
    """Lines as standardised feature rows, and how much of each label (prose, math) each has after the spreading."""

    rows: Floats
    labels: Floats
    mean: Floats
    scale: Floats
    neighbours: int

    def probability(self, texts: Sequence[str]) -> Floats:
        """For every text, how likely it is math: the labels of its nearest lines, added up."""
        import numpy as np

        queries = (features(texts) - self.mean) / self.scale
        near = np.einsum("ij,ij->i", self.rows, self.rows)[None, :] - 2.0 * queries @ self.rows.T
        nearest = np.argpartition(near, self.neighbours - 1, axis=1)[:, : self.neighbours]
        mass = self.labels[nearest].sum(axis=1)
        return np.asarray(mass[:, 1] / np.maximum(mass.sum(axis=1), np.float32(1e-12)), dtype=np.float32)


@cache
def classifier() -> Classifier:
    """The shipped classifier."""
    import numpy as np

    folder = paths.model(MODEL)
    try:
        about = json.loads((folder / "lines.json").read_text(encoding="utf-8"))
        rows, labels, mean, scale = (np.load(folder / f"{name}.npy") for name in ("rows", "labels", "mean", "scale"))
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot read the line classifier in {folder}: {error}; run scripts/train_lines.py") from None
    if about.get("format") != FORMAT or rows.shape[1] != len(FEATURES):
        raise ModelError(f"the line classifier in {folder} is of another version; run scripts/train_lines.py")
    return Classifier(rows.astype(np.float32), labels.astype(np.float32), mean, scale, int(about["neighbours"]))


def is_math(text: str) -> bool:
    """Is this text math rather than prose?"""
    heard = _HEARD.get()
    if heard is not None:
        heard.append(text)
        return True
    return _is_math(text)


@lru_cache(maxsize=4096)
def _is_math(text: str) -> bool:
    return bool((_USED.get() or classifier()).probability([text])[0] > 0.5)


@contextmanager
def using(other: Classifier | None) -> Iterator[None]:
    """Judge by another classifier than the shipped one, to compare them."""
    _is_math.cache_clear()
    token = _USED.set(other)
    try:
        yield
    finally:
        _USED.reset(token)
        _is_math.cache_clear()


@contextmanager
def listening() -> Iterator[list[str]]:
    """Collect what is_math is asked, without a model: how training finds the lines to spread labels over."""
    heard: list[str] = []
    token = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(token)


def features(texts: Sequence[str]) -> Floats:
    """One row per text; FEATURES names the columns."""
    import numpy as np

    return np.array([_row(text) for text in texts], dtype=np.float32).reshape(len(texts), len(FEATURES))


FEATURES = (
    *(
        "phrases",
        "phrase",
        "words",
        "function_words",
        "function_word",
        "operators",
        "operator",
        "assignment",
        "relation",
    ),
    *("names", "letters", "numbers", "brackets", "quotes", "alone", "verb_first", "word_then_bracket", "long_words"),
    *("sentence", "call", "tokens"),
)
"""What is measured of a line: shares and counts of kinds of tokens, and which kinds stand side by side."""


def _row(text: str) -> list[float]:
    """The features of one text."""
    text = _as_code(text)
    tokens = [(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(text)]
    count = max(len(tokens), 1)
    kinds = [_kind(kind, token) for kind, token in tokens]
    plain = [token.lower() for kind, (_, token) in zip(kinds, tokens, strict=True) if kind == "word"]
    function_words = sum(1 for word in plain if word in _FUNCTION_WORDS)
    phrases = sum(1 for pair in pairwise(kinds) if pair in _PHRASES)
    operators = kinds.count("operator")
    first, second = [*kinds, "", ""][:2]
    return [
        min(phrases, 4) / 2,
        float(phrases > 0),
        len(plain) / count,
        min(function_words, 3) / 3,
        float(function_words > 0),
        min(operators, 3) / 3,
        float(operators > 0),
        float(bool(re.search(r"(?<![<>=!])=(?!=)|[-+*]=", text))),
        float(bool(re.search(r"[<>]|[=!]=", text))),
        (kinds.count("name") + kinds.count("symbol")) / count,
        sum(1 for _, token in tokens if len(token) == 1 and token.isalpha()) / count,
        kinds.count("number") / count,
        kinds.count("bracket") / count,
        float("text" in kinds),
        float(len([kind for kind in kinds if kind != "other"]) == 1),
        1.0 * (first == "word" and second in ("word", "name", "symbol", "number", "text")),
        float(bool(re.search(r"[a-z]{3,} \(", text))),
        min(sum(1 for word in plain if len(word) > 3), 4) / 4,
        float(bool(re.match(r"[A-Z][a-z]+ [a-z]", text))),
        float(bool(re.fullmatch(r"[\w.'-]+\s?\(.*\)", text.strip()))),
        min(count, 24) / 24,
    ]


def _as_code(text: str) -> str:
    """Typeset symbols as the operators of code, so that pseudocode and source code are measured alike."""
    text = re.sub(r"_\{[^{}]*\}|\^\{[^{}]*\}", "", text)
    return re.sub(r"\s*(?:←|:=|≔|↔)\s*", " = ", text).translate(_CODE)


_CODE = str.maketrans(
    {
        "≤": "<",
        "≥": ">",
        "≠": "<",
        "≡": "<",
        "≈": "<",
        "∈": "<",
        "∉": "<",
        "⊆": "<",
        "⊂": "<",
        "∞": "9",
        "∅": "9",
        "⊥": "9",
        "′": "'",
    }
)


_PHRASES = {
    *(("word", kind) for kind in ("word", "name", "symbol", "number", "text")),
    *((kind, "word") for kind in ("name", "symbol", "number", "text")),
    *(("name", kind) for kind in ("name", "text")),
    ("text", "name"),
}
"""Kinds that only prose puts side by side; two symbols are a product."""


def _kind(kind: str, token: str) -> str:
    """The kind of a token: words told apart by what they do, one-letter names from longer ones."""
    if kind not in ("word", "name"):
        return kind
    if token.lower() in _OPERATOR_WORDS:
        return "operator"
    if _SYMBOL.fullmatch(token):
        return "symbol"
    return "name" if token.isupper() or token.lower() in _CONSTANTS else kind
