"""4 Graph CFG BFS: shapes of the 4 nodes that a breadth-first traversal meets first, from every CFG node."""

from __future__ import annotations

from beryl.features import kgraphs
from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """The multiset of 16-bit shapes."""
    return kgraphs.shapes(facts.graph, 4, kgraphs.breadth_first)


FEATURE = FeatureClass("cfg-4-bfs", "4 Graph CFG BFS", Shape.BAG, observe)
