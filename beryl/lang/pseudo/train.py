"""Training of the line classifier (§3.3, §6.1.2): labels from source code, spread over a graph of lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from beryl.lang.pseudo import latex, layout, rewrite, statements, structure
from beryl.lang.pseudo.lines import FEATURES, FORMAT, Classifier, features, listening
from beryl.lang.treesitter import analyse, language_of
from beryl.types import NodeKind

if TYPE_CHECKING:
    from beryl.lang.pseudo.lines import Floats

NEIGHBOURS = 21
"""Edges of a line in the joint graph: with fewer, some pseudocode lines are never reached by a label."""
METHODS = ("LabelSpreading", "LabelPropagation")
"""What §3.3 cites, as scikit-learn has it, and its older sister; the first wins where both are as good."""
LONGEST = 80
"""Characters of a labelled line: pseudocode lines are short, and only short lines resemble them."""
MIN_SPACES = 2
"""A comment of fewer words is a file name or a heading, and says nothing about prose."""
WEIGHTS = {"phrases": 2.0, "phrase": 3.0, "verb_first": 2.0, "function_word": 1.5, "alone": 1.5}
"""Features that count for more than one, when lines are compared; chosen on data/lines/dev.tsv."""
SMALLEST_SPREAD = 0.1
"""A feature that is nearly constant must not outweigh the others once it is divided by its spread."""
UNLABELLED = -1
_TYPE = re.compile(
    r"^(?:(?:const|static|final|unsigned|signed|struct|public|private)\s+)*[\w<>\[\],.]+[\s*&]+(?=\w+\s*(?:=|$|\[|:))"
)
_SKIPPED = re.compile(
    r"\b(?:throw|case|goto|new|assert|else|switch|default|instanceof|sizeof|typedef|struct|void|int|char|super|catch|int64_t|__int128)\b"
)
_OPERAND = re.compile(r"(?<![<>=!+*/%&|^-])=(?!=)|[<>=!]=|&&|\|\||(?<![<-])[<>](?![<>])")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Lines:
    """The training set: labelled code (math) and comments (prose), and unlabelled pseudocode."""

    math: tuple[str, ...]
    prose: tuple[str, ...]
    pseudocode: tuple[str, ...]

    @property
    def texts(self) -> list[str]:
        """All lines, labelled first."""
        return [*self.math, *self.prose, *self.pseudocode]

    @property
    def labels(self) -> list[int]:
        """1 math, 0 prose, -1 unknown."""
        return [1] * len(self.math) + [0] * len(self.prose) + [UNLABELLED] * len(self.pseudocode)


def collect(sources: Iterable[Path], pseudocode: Iterable[Path], held_out: Iterable[str]) -> Lines:
    """Code and comments of source files, and what is to classify in pseudocode files; test lines are left out."""
    math: dict[str, None] = {}
    prose: dict[str, None] = {}
    for path in sources:
        raw = path.read_bytes()
        language = language_of(str(path), raw)
        if language is None:
            continue
        unit = analyse(raw, language)
        math.update(dict.fromkeys(_code(unit.node_text, unit.node_kind)))
        prose.update(dict.fromkeys(_comments(raw.decode("utf-8", errors="replace"))))
    unlabelled: dict[str, None] = {}
    for path in pseudocode:
        unlabelled.update(dict.fromkeys(expressions(path.read_text(encoding="utf-8"))))
    held_out = list(held_out)
    hidden = {text for line in held_out for text in expressions(line)} | {line.strip() for line in held_out}
    return Lines(*(tuple(text for text in group if text not in hidden) for group in (math, prose, unlabelled)))


def _code(texts: Sequence[str], kinds: Sequence[int]) -> list[str]:
    """Statements, conditions and their operands, without the types of declarations.

    Pseudocode declares nothing, and its loop bounds and returned values are operands: `n - 1`.
    """
    kept = []
    for text, kind in zip(texts, kinds, strict=True):
        bare = _TYPE.sub("", re.sub(r"^return\b\s*", "", text)).strip()
        if kind not in (NodeKind.ENTRY, NodeKind.EXIT) and 0 < len(bare) <= LONGEST and not _SKIPPED.search(bare):
            kept += [bare, *(part.strip() for part in _OPERAND.split(bare) if part.strip() and _is_whole(part))]
    return kept


def _is_whole(part: str) -> bool:
    """Are the brackets of this part its own?"""
    return all(part.count(opening) == part.count(closing) for opening, closing in ("()", "[]", "{}"))


def _comments(text: str) -> list[str]:
    """Sentences of comments."""
    kept = []
    for match in _COMMENT.finditer(text):
        words = re.sub(r"^\s*(?:/\*+|\*+/?|//+)|\*/", "", match[0], flags=re.MULTILINE)
        for sentence in re.split(r"(?<=[.:;,])\s+|\n\s*\n", words):
            bare = " ".join(sentence.split()).strip(" .:;,")
            if len(bare) <= LONGEST and bare.count(" ") >= MIN_SPACES:
                kept.append(bare)
    return kept


def expressions(text: str) -> list[str]:
    """What a text of pseudocode gives the classifier to judge."""
    bare, _ = rewrite.fenced(text)
    rows = latex.lines(bare)[0] if latex.is_latex(bare) else layout.split(bare)
    with listening() as heard:
        for row in rows:
            if row.text and not structure.CLOSER.match(row.text) and not rewrite.is_header(row.text):
                statements.pieces(row.text)
    return list(dict.fromkeys(text for text in heard if text))


def fit(lines: Lines, method: str) -> tuple[Any, Classifier]:
    """Spread the labels with scikit-learn's LabelSpreading or LabelPropagation; the model and its inductive form."""
    from sklearn.semi_supervised import LabelPropagation, LabelSpreading

    raw = features(lines.texts)
    weights = np.array([WEIGHTS.get(name, 1.0) for name in FEATURES], dtype=np.float32)
    mean, scale = raw.mean(axis=0), np.maximum(raw.std(axis=0), np.float32(SMALLEST_SPREAD)) / weights
    rows = ((raw - mean) / scale).astype(np.float32)
    if method == "LabelSpreading":
        model = LabelSpreading(kernel="knn", n_neighbors=NEIGHBOURS, alpha=0.2, max_iter=200)
    else:
        model = LabelPropagation(kernel="knn", n_neighbors=NEIGHBOURS, max_iter=2000)
    model.fit(rows, np.array(lines.labels))
    return model, Classifier(
        rows,
        model.label_distributions_.astype(np.float32),
        mean.astype(np.float32),
        scale.astype(np.float32),
        NEIGHBOURS,
    )


def save(classifier: Classifier, folder: Path, about: dict[str, object]) -> None:
    """Arrays and a JSON note; nothing pickled."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("labels", "mean", "scale"):
        np.save(folder / f"{name}.npy", getattr(classifier, name))
    np.save(folder / "rows.npy", classifier.rows)
    note = {"format": FORMAT, "neighbours": classifier.neighbours, **about}
    (folder / "lines.json").write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")


def rows_of(classifier: Classifier, texts: Sequence[str]) -> Floats:
    """Standardised features of new texts, as the model expects them."""
    return np.asarray((features(texts) - classifier.mean) / classifier.scale, dtype=np.float32)
