"""3 Graph CFG BFS: shapes of the 3 nodes that a breadth-first traversal meets first, from every CFG node."""

from __future__ import annotations

from beryl.features import kgraphs
from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """The multiset of 9-bit shapes."""
    return kgraphs.shapes(facts.graph, 3, kgraphs.breadth_first)


FEATURE = FeatureClass("cfg-3-bfs", "3 Graph CFG BFS", Shape.BAG, observe)
