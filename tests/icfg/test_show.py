"""Pictures and listings of a graph."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from beryl.icfg import show
from beryl.lang.pseudo import frontend

TEXT = 'F(x)\n  while $x < 3$\n    if @x & y are "odd"@\n      G(x)\n    $x = x + 1$\n  return $x$\nG(x)\n  $x = 2$\n'


@pytest.fixture(scope="module")
def icfg():
    return frontend.read(TEXT, "f.pcode").icfg


def test_json_has_the_promised_shape(icfg):
    document = json.loads(show.to_json(icfg))
    assert [(each["name"], each["start"], each["end"]) for each in document["functions"]] == [("F", 1, 6), ("G", 7, 8)]
    assert all({"id", "kind", "text", "line", "function", "math"} <= node.keys() for node in document["nodes"])
    assert all(edge.keys() == {"source", "target", "kind"} for edge in document["edges"])
    kinds = [(node["function"], node["kind"]) for node in document["nodes"]]
    assert all(kinds.count((function, kind)) == 1 for function in (0, 1) for kind in ("entry", "exit"))
    assert {"id": 2, "kind": "loop", "text": "x < 3", "line": 2}.items() <= document["nodes"][2].items()


def test_text_lists_every_node_with_its_successors(icfg):
    rows = show.to_text(icfg).split("\n")
    assert rows[0] == "F(x)  lines 1-6"
    assert rows[3].split() == ["2", "line", "2", "loop", "math", "x", "<", "3", "->", "true", "3,", "false", "6"]


def test_dot_quotes_what_dot_would_trip_over(icfg):
    dot = show.to_dot(icfg)
    assert r'label="3: x & y are \"odd\""' in dot
    assert dot.count("->") == len(icfg.edges)


def test_svg_is_valid_and_boxes_do_not_overlap(icfg):
    svg = show.to_svg(icfg)
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert {'x & y are "odd"', "x < 3", "return x"} <= set(texts)
    tops = [float(found) for found in re.findall(r'<text x="12.0" y="([\d.]+)"', svg)]
    assert len(tops) == len(icfg.nodes)
    assert all(after - before >= 26 for before, after in pairwise(tops))
    assert svg.count("marker-end") == len(icfg.edges)
