"""Groups -> scores: coverage and closeness (Beryllium §5.2, Eq. 7), and the reduction to distinct places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from beryl.rank.group import Group

Place = tuple[str, int, int]
"""File, first line, last line."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A code node that at least one query node retrieved, with the similarity to each of them."""

    node: int
    similarity: dict[int, float]
    """Query node -> cosine."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A group with its score; `members` are positions in the candidate list."""

    members: tuple[int, ...]
    coverage: int
    closeness: float
    similarity: float

    @property
    def score(self) -> float:
        """γ of Eq. 7."""
        return self.coverage + self.closeness


def closeness(group: Group) -> float:
    """1 / distance' of Eq. 7. A single node has no distance; it gets 0, so that it cannot win by division."""
    return 1.0 / group.distance if group.distance > 0 else 0.0


def score(group: Group, candidates: Sequence[Candidate]) -> Scored:
    """γ = QC + 1/distance', and the mean of the best similarity of every covered query node, which breaks ties."""
    best: dict[int, float] = {}
    for member in group.members:
        for query_node, value in candidates[member].similarity.items():
            best[query_node] = max(best.get(query_node, -1.0), value)
    mean = sum(best.values()) / len(best) if best else 0.0
    return Scored(group.members, len(best), closeness(group), mean)


def ranked(groups: Iterable[Group], candidates: Sequence[Candidate]) -> list[Scored]:
    """All groups, best first; ties by mean similarity, then by position, so that the order is always the same."""
    scored = [score(group, candidates) for group in groups]
    first_node = [candidate.node for candidate in candidates]
    return sorted(scored, key=lambda item: (-item.score, -item.similarity, first_node[item.members[0]], item.members))


def distinct(items: Iterable[Sequence[Place]], limit: int) -> list[int]:
    """Positions of the items that share no line with a better one, at most `limit`; items come best first."""
    taken: dict[str, list[tuple[int, int]]] = {}
    kept: list[int] = []
    for position, places in enumerate(items):
        if any(start <= last and end >= first for file, start, end in places for first, last in taken.get(file, ())):
            continue
        for file, start, end in places:
            taken.setdefault(file, []).append((start, end))
        kept.append(position)
        if len(kept) == limit:
            break
    return kept
