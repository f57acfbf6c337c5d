"""beryl.notebook: HTML for Jupyter, text elsewhere, both true to the fragment."""

from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree

import answers
import numpy as np
import pytest

from beryl import notebook
from beryl.icfg.svg import Mark


def test_outside_jupyter_a_fragment_is_text_with_the_query_lines_beside_the_code():
    text = repr(notebook.show(answers.fragment())).split("\n")
    assert text[0] == "kit/src/scan.c:10-17  largest  1.530"
    assert text[5].split() == ["14", "4", "if", "(a[i]", ">", "a[best])"]
    assert text[-1].strip() == "no counterpart for line 6: return best"


def test_in_jupyter_it_is_html_and_markup_in_code_stays_text():
    html = notebook.show(answers.hostile())._repr_html_()
    assert "<script" not in html
    assert "&lt;/script&gt;" in html
    assert "<i>" not in html


def test_only_the_surroundings_of_matches_are_shown_of_a_very_long_fragment():
    text = str(notebook.show(answers.long_fragment()))
    assert "weight[48]" in text
    assert "weight[700]" not in text
    assert text.count("\n") < 40


def test_partners_have_the_same_fill_on_both_sides_and_in_both_graphs():
    html = notebook.compare(answers.answer(), answers.fragment()).html
    tint = notebook.TINTS[4 % len(notebook.TINTS)]
    assert html.count(f"background:{tint}") == 2
    assert html.count(f'fill="{tint}"') == 2


def test_a_query_may_be_given_as_text_or_as_the_answer_to_it():
    by_text = notebook.compare(answers.QUERY, answers.fragment())
    assert by_text.text == notebook.compare(answers.answer(), answers.fragment()).text
    assert "    4 ●         if a[i] > a[best]" in by_text.text


def test_graph_draws_marks_and_pictures_do_not_share_ids():
    icfg = answers.query_icfg()
    first, second = notebook.graph(icfg, {2: Mark("7", "#abcdef")}).html, notebook.graph(icfg).html
    assert 'fill="#abcdef"' in first
    assert "#abcdef" not in second
    assert not set(re.findall(r'id="([^"]+)"', first)) & set(re.findall(r'id="([^"]+)"', second))
    svg = re.search(r"<svg.*</svg>", first, re.DOTALL)
    assert ElementTree.fromstring(svg[0]).tag.endswith("svg")
    assert "MaxIndex" in str(notebook.graph(icfg))


def test_scores_lists_every_part_of_every_result():
    view = notebook.scores(answers.answer(answers.fragment(), answers.hostile()))
    rows = view.text.split("\n")
    assert rows[0].split() == ["score", "coverage", "closeness", "similarity"]
    assert rows[1].split() == ["1.", "largest", "1.530", "0.800", "0.500", "0.840"]
    assert 'src="data:image/png;base64,' in view.html


def test_nothing_to_draw_is_said_and_not_raised():
    assert str(notebook.scores(answers.answer())) == "no results"
    assert "nothing to project" in str(notebook.project(answers.QUERY, []))


def test_the_projection_keeps_what_is_most_apart():
    # Two directions hold all the difference: the plane must hold it too, whatever the other dimensions.
    left = np.eye(2, 6, dtype=np.float32)
    points = notebook._plane(left, left)
    assert points.shape == (4, 2)
    assert np.linalg.norm(points[0] - points[1]) == pytest.approx(np.sqrt(2), abs=1e-5)
    assert points[0] == pytest.approx(points[2])


def test_project_places_every_query_line_and_every_matched_code_line():
    fragment = answers.fragment(pairs=((2, 12, 0.9), (4, 14, 0.9), (5, 15, 0.9)))
    view = notebook.project(answers.QUERY, [fragment])
    places = dict(re.findall(r"^(query +\d+|code +\d+)  (\(.*?\))", view.text, re.MULTILINE))
    assert set(places) == {
        "query   2",
        "query   3",
        "query   4",
        "query   5",
        "query   6",
        "code   12",
        "code   14",
        "code   15",
    }
    assert "<img" in view.html


def test_importing_it_loads_neither_matplotlib_nor_numpy():
    script = "import sys, beryl.notebook; sys.exit(bool({'matplotlib', 'numpy', 'lark'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
