"""What stands beside every ranking in a table: simple searches on the same units, and the paper's own figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# Always run; `beryl.search.baselines` says what each does. Their unit is the whole function.
BASELINES = ("name", "bm25", "bm25-body", "random")
NAMED = ("name", "bm25")
"""Those that live on names."""
REFERENCE = {True: "bm25", False: "bm25-body"}
"""The ranking that every other is tested against, with names and without."""

# Neural baselines of Beryllium §6.1.4 that are not run here.
ABSENT = {
    "DCS": "the paper trained deep code search anew on the comments and methods of its own code database, "
    "which is not published, with its authors' code; no model of that kind for C and Java can be installed",
    "OCoR": "the same holds, and it was trained on pairs of comments and methods too; "
    "BM25 with names, which reads names and comments as both do, stands in for them",
}

CORPORA_DIFFER = (
    "The paper's figures are for orientation only: the Stony Brook and GitHub code databases it searched are "
    "not published, so corpora, projects and labels differ, and so does what counts as a hit."
)


@dataclass(frozen=True, slots=True)
class Published:
    """MRR by system, as printed in the paper's tables 1 to 5."""

    one_project: Mapping[str, float]
    multi_project: Mapping[str, float]
    github: Mapping[str, float]


_SYSTEMS = ("Beryllium", "DCS", "OCoR", "CB+G", "CB")


def _row(*values: float) -> dict[str, float]:
    return dict(zip(_SYSTEMS, values, strict=True))


PUBLISHED = {
    "debian-java": Published(
        one_project=_row(0.819, 0.307, 0.346, 0.65, 0.517),
        multi_project=_row(0.606, 0.232, 0.263, 0.432, 0.256),
        github=_row(0.58, 0.113, 0.132, 0.427, 0.217),
    ),
    "debian-c": Published(
        one_project=_row(0.522, 0.357, 0.281, 0.472, 0.34),
        multi_project=_row(0.316, 0.192, 0.149, 0.265, 0.184),
        github=_row(0.321, 0.113, 0.133, 0.249, 0.08),
    ),
    "mixed": Published(
        one_project=_row(0.498, 0.304, 0.289, 0.349, 0.243),
        multi_project=_row(0.313, 0.146, 0.203, 0.189, 0.122),
        github=_row(0.345, 0.081, 0.098, 0.229, 0.087),
    ),
}
