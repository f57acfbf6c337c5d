"""The shipped queries: every one converts, and its control flow is that of the p-code written by hand."""

from __future__ import annotations

import pytest

from beryl import paths
from beryl.lang.pseudo import frontend
from beryl.types import NodeKind

QUERIES = sorted(paths.data("queries").glob("*.txt"))


def outline(read: frontend.Pseudocode) -> list[tuple[str, int]]:
    kept = (NodeKind.ENTRY, NodeKind.LOOP, NodeKind.CONDITION, NodeKind.RETURN)
    return [(node.kind.label, node.depth) for node in read.icfg.nodes if node.kind in kept]


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_conversion_has_the_structure_of_the_p_code_written_by_hand(path):
    made = frontend.read(frontend.load(path), str(path))
    written = path.with_suffix(".pcode")
    by_hand = frontend.read(frontend.load(written), str(written))
    assert outline(made) == outline(by_hand)
    assert by_hand.pcode == written.read_text(encoding="utf-8")


def test_most_lines_are_marked_as_by_hand():
    same = total = 0
    for path in QUERIES:
        made = frontend.read(frontend.load(path), str(path)).icfg.nodes
        by_hand = frontend.read(frontend.load(path.with_suffix(".pcode")), "x.pcode").icfg.nodes
        if len(made) != len(by_hand):
            continue
        pairs = [(a, b) for a, b in zip(made, by_hand, strict=True) if b.math is not None and a.kind == b.kind]
        same += sum(a.math == b.math for a, b in pairs)
        total += len(pairs)
    assert total > 600
    assert same / total > 0.97
