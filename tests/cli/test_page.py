"""The page of matches: what it holds, what it escapes, and what a real browser does with it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import answers
import chromium
import pytest

from beryl.cli import page


class Reader(HTMLParser):
    """Tags, and the text of every line of code, as a browser would read them."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.lines: list[str] = []
        self._in_code = False
        self.feed(document)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "code":
            self._in_code = True
            self.lines.append("")

    def handle_endtag(self, tag):
        self._in_code = self._in_code and tag != "code"

    def handle_data(self, data):
        if self._in_code:
            self.lines[-1] += data


def test_query_and_code_are_there_line_by_line():
    lines = Reader(page.document([answers.answer(answers.fragment())])).lines
    assert "    best ← 0" in lines
    assert "    for (int i = 1; i < n; i++)" in lines, "tabs are shown as four spaces"


def test_partners_carry_the_number_of_the_query_line_in_text_and_in_both_graphs():
    document = page.document([answers.answer(answers.fragment())])
    assert re.search(r'data-line="4" data-q="4"', document)
    assert re.search(r'data-line="14" data-q="4"', document)
    assert document.count('data-mark="4"') == 2


def test_a_bar_per_part_of_the_score_and_a_cell_per_query_line():
    document = page.document([answers.answer(answers.fragment())])
    assert re.search(r'coverage</span><svg.*?class="fill" width="80.0"', document)
    assert document.count('class="cell h') == 4
    assert "4 of 5" in document


def test_markup_in_code_paths_names_and_notes_stays_text():
    plain = Reader(page.document([answers.answer(answers.fragment())]))
    reader = Reader(document := page.document([answers.answer(answers.hostile())]))
    assert any("</script><script>" in line for line in reader.lines)
    assert reader.tags.count("script") == plain.tags.count("script") == 1
    assert not {"img", "u", "iframe", "link"} & set(reader.tags)
    assert reader.tags.count("b") == document.count('<b class="chip')


def test_nothing_is_loaded_from_anywhere():
    document = page.document([answers.answer(answers.fragment())])
    assert not re.search(r"""(?:src|href)=["'](?!#)|@import|url\((?!#)""", document)
    assert "default-src 'none'" in document


def test_control_and_reordering_characters_are_made_visible():
    document = page.document([answers.answer(answers.fragment(), text=answers.STRANGE)])
    assert "\u202e" not in document
    assert "\x00" not in document
    assert "⟨U+202E⟩" in document
    assert "字" in document
    assert "🙂" in document
    assert page.document([answers.answer(text="lone \udc80 surrogate")]).encode("utf-8")


def test_no_result_and_no_query_say_so():
    assert "Nothing found" in page.document([answers.answer()])
    assert "No query" in page.document([])


def test_spans_in_three_files_are_all_shown():
    reader = Reader(document := page.document([answers.answer(answers.three_files())]))
    assert "src/heap.c:40–42" in document
    assert "lib/deep/swap.c:3–4" in document
    assert "    return heap[0];" in reader.lines
    assert re.search(r'data-line="41" data-q="6"', document)


def test_stretches_without_a_match_are_folded_in_a_long_fragment_and_nothing_is_lost():
    document = page.document([answers.answer(answers.long_fragment())])
    assert document.count('class="fold"') == 4
    assert document.count('data-line="') == 3000 + answers.QUERY.count("\n") + 1
    assert len(document) < 1_000_000


def test_text_that_is_no_pseudocode_is_shown_without_a_graph():
    document = page.document([answers.answer(answers.fragment(), text="  \n\t\n")])
    assert "Control flow of the query" not in document
    assert "Control flow of the fragment" in document


def test_ids_are_unique_though_the_page_holds_many_graphs():
    both = [answers.answer(answers.fragment(), answers.three_files()), answers.answer(answers.fragment())]
    ids = re.findall(r'\bid="([^"]+)"', page.document(both))
    assert len(ids) == len(set(ids))


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if chromium.executable() is None:
        pytest.skip("no Chromium on this machine; the page was not opened in a browser")
    opened = chromium.Browser(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.fixture
def shown(browser, tmp_path):
    def show(*results, **options):
        path = tmp_path / "page.html"
        path.write_text(page.document(results), encoding="utf-8")
        browser.show(path, **options)
        return browser

    return show


def lit(browser, place):
    script = f"[...document.querySelectorAll('{place} .line.lit')].map(e => +e.dataset.line)"
    return browser.value(script)


@pytest.mark.browser
def test_a_click_on_a_query_line_lights_up_its_partner_in_text_and_graphs(shown):
    browser = shown(answers.answer(answers.fragment()))
    assert lit(browser, "body") == []
    browser.click('.query .line[data-q="4"]')
    assert lit(browser, ".query") == [4]
    assert lit(browser, ".result") == [14]
    assert browser.value("document.querySelectorAll('.node.lit').length") == 2
    browser.hover('.query .line[data-q="2"]')
    assert lit(browser, ".result") == [14], "a clicked line stays lit"
    browser.press("Escape")
    assert lit(browser, "body") == []


@pytest.mark.browser
def test_the_pointer_over_a_code_line_lights_up_the_query_line(shown):
    browser = shown(answers.answer(answers.fragment(), answers.three_files()))
    browser.hover('#s1-r2 .line[data-line="12"]')
    assert lit(browser, ".query") == [2]
    assert lit(browser, "#s1-r2") == [12]
    assert lit(browser, "#s1-r1") == [], "only the fragment under the pointer"


@pytest.mark.browser
def test_j_and_k_go_between_results_and_the_query_shows_what_each_leaves_open(shown):
    browser = shown(answers.answer(answers.fragment(), answers.three_files(), answers.hostile()))
    current = "document.querySelector('.current').id"
    open_lines = "[...document.querySelectorAll('.query .line.open')].map(e => +e.dataset.line)"
    assert browser.value(current) == "s1-r1"
    assert browser.value(open_lines) == [6]
    browser.press("j")
    assert browser.value(current) == "s1-r2"
    assert browser.value(open_lines) == []
    browser.press("j")
    browser.press("j")
    assert browser.value(current) == "s1-r3"
    browser.press("k")
    assert browser.value(current) == "s1-r2"


@pytest.mark.browser
def test_hostile_code_runs_nothing_and_asks_for_nothing(shown):
    browser = shown(answers.answer(answers.hostile()))
    browser.click('.result .line[data-q="4"]')
    assert browser.value("document.title") == "max-index – beryl"
    assert browser.value("document.images.length") == 0
    assert [url for url in browser.requests if not url.startswith(("file:", "about:"))] == []


@pytest.mark.browser
@pytest.mark.parametrize(
    "fragments",
    [(), (answers.fragment(),), (answers.three_files(),), (answers.long_fragment(),), (answers.hostile(),)],
    ids=["none", "one", "three files", "3000 lines", "hostile"],
)
def test_at_400_pixels_nothing_sticks_out_of_the_window(shown, fragments):
    browser = shown(answers.answer(*fragments), width=400, height=800)
    assert browser.value("document.documentElement.scrollWidth") <= 400


@pytest.mark.browser
def test_dark_and_light_both_have_enough_contrast(shown):
    script = """(() => { const part = (c) => c.match(/[\\d.]+/g).slice(0, 3).map(Number).map((v) =>
        (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
      const light = (c) => { const [r, g, b] = part(c); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      const ratio = (e, ground) => { const [a, b] = [light(getComputedStyle(e).color),
        light(getComputedStyle(ground).backgroundColor)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); };
      return [...document.querySelectorAll(".line.match:not(.away)")].flatMap((line) => [ratio(line, line),
        ...[...line.querySelectorAll(".chip")].map((chip) => ratio(chip, chip))]); })()"""
    for dark in (False, True):
        ratios = shown(answers.answer(answers.fragment(), answers.three_files()), dark=dark).value(script)
        assert len(ratios) > 15
        assert min(ratios) >= 4.5, "WCAG AA"


@pytest.mark.browser
def test_it_prints(shown):
    browser = shown(answers.answer(answers.fragment(), answers.three_files()))
    assert browser.pdf().startswith(b"%PDF")
