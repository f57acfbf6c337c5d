"""4 Graph CFG DFS: shapes of the 4 nodes that a depth-first traversal meets first, from every CFG node."""

from __future__ import annotations

from beryl.features import kgraphs
from beryl.features.facts import Facts
from beryl.features.feature import FeatureClass, Shape


def observe(facts: Facts) -> dict[str, int]:
    """The multiset of 16-bit shapes."""
    return kgraphs.shapes(facts.graph, 4, kgraphs.depth_first)


FEATURE = FeatureClass("cfg-4-dfs", "4 Graph CFG DFS", Shape.BAG, observe)
