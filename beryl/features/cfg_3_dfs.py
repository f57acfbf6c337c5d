"""3 Graph CFG DFS: shapes of the 3 nodes that a depth-first traversal meets first, from every CFG node."""

from __future__ import annotations

from beryl.features import kgraphs
from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """The multiset of 9-bit shapes."""
    return kgraphs.shapes(facts.graph, 3, kgraphs.depth_first)


FEATURE = FeatureClass("cfg-3-dfs", "3 Graph CFG DFS", Shape.BAG, observe)
