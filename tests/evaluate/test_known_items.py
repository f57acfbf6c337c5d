"""Known items: sentences, hiding a comment, ranks."""

from __future__ import annotations

import numpy as np
import pytest

from beryl import paths
from beryl.evaluate.known_items import (
    Item,
    draw,
    first_sentence,
    locate,
    measure,
    rank_of,
    rankings,
    read_items,
    report,
    tasks_report,
    without_comments,
    write_items,
)
from beryl.index.build import build_index
from beryl.index.store import BuildOptions, Index
from beryl.index.terms import Terms
from beryl.search.find_settings import prepared, read

SHUFFLE_C = """\
/**
 * Bring the cards of a deck into random order. Uses the <b>modern</b> method.
 * @param deck the deck
 */
void shuffle_deck(int *deck, int size) {
    for (int i = size - 1; i > 0; i--)
        exchange_cards(deck, i, random_below(i + 1));
}

/* exchange_cards - exchange two cards of a deck in place */
void exchange_cards(int *deck, int first, int second) {
    int card = deck[first];
    deck[first] = deck[second];
    deck[second] = card;
}

/* Count all cards of the given suit in hand */
int count_suit(int *hand, int size, int suit) {
    int found = 0;
    for (int i = 0; i < size; i++)
        found += hand[i] / 13 == suit;
    return found;
}
"""
SETTINGS = read(paths.config("find.toml"))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    root = tmp_path_factory.mktemp("items")
    (root / "cards").mkdir()
    (root / "cards" / "shuffle.c").write_text(SHUFFLE_C)
    return build_index([root / "cards"], root / "index", BuildOptions(jobs=1, tables=("terms",)))


@pytest.mark.parametrize(
    ("comment", "sentence"),
    [
        ("/** Sorts the list. Stable. */", "Sorts the list"),
        ("/**\n * Returns {@code true} if\n * <i>x</i> fits.\n * @param x\n */", "Returns true if x fits"),
        ("// First line\n// second line", "First line second line"),
        ("/*\n * Heading\n *\n * Text below.\n */", "Heading"),
        ("/* version 1.2 of it */", "version 1.2 of it"),
        ("/** @return nothing */", "@return nothing"),
        ("/**/", ""),
    ],
)
def test_first_sentence(comment, sentence):
    assert first_sentence(comment) == sentence


def test_items_are_sentences_without_the_name(index):
    assert {(item.function, item.query) for item in draw(index, SETTINGS)} == {
        ("shuffle_deck", "Bring the cards of a deck into random order"),
        ("count_suit", "Count all cards of the given suit in hand"),
    }


def test_items_are_kept_in_a_file_and_found_again(index, tmp_path):
    items = draw(index, SETTINGS)
    write_items(items, tmp_path / "items.jsonl")
    assert read_items(tmp_path / "items.jsonl") == items
    names = {item.function: index.functions.name[function] for item, function in locate(index, items).items()}
    assert names == {"shuffle_deck": "shuffle_deck", "count_suit": "count_suit"}
    assert locate(index, [Item("cards", "shuffle.c", "shuffle_deck", 1, "", "test")]) == {}


def test_a_hidden_comment_leaves_the_function_and_its_file(index):
    terms = Terms.open(index)
    function = locate(index, draw(index, SETTINGS))
    hidden = without_comments(index, terms, list(function.values()))
    word = terms.identify("random")
    assert len(terms.postings("comment_leading", word)[0]) == 1
    assert len(hidden.postings("comment_leading", word)[0]) == 0
    assert hidden.postings("calls", word)[0].tolist() == terms.postings("calls", word)[0].tolist()
    assert terms.files[word][1].tolist() == [2]
    assert hidden.files[word][1].tolist() == [1]
    assert hidden.lengths["comment_leading"].sum() < terms.lengths["comment_leading"].sum()


def test_nothing_hidden_changes_nothing(index):
    terms = Terms.open(index)
    same = without_comments(index, terms, [])
    assert same.function_norm == pytest.approx(terms.function_norm, rel=1e-5)
    assert same.file_norm == pytest.approx(terms.file_norm, rel=1e-5)
    assert same.lengths["comment_leading"].tolist() == terms.lengths["comment_leading"].tolist()


def test_ranks_count_ties_in_index_order():
    scores = np.array([0.5, 0.9, 0.5, 0.0], dtype=np.float32)
    assert [rank_of(scores, function) for function in range(4)] == [2, 1, 3, 0]


def test_every_system_is_measured_on_every_item(index):
    places = locate(index, draw(index, SETTINGS))
    ready = prepared(index, without_comments(index, Terms.open(index), list(places.values())), SETTINGS)
    figures = measure(ready, places, rankings(ready))
    assert figures["default"].reciprocal == [1.0, 1.0]
    assert all(len(one.success) == 2 for one in figures.values())
    text = report(figures, "all")
    assert "| default " in text
    assert "1.000" in text


def test_change_tasks_count_what_was_judged(index, tmp_path):
    path = tmp_path / "tasks.jsonl"
    path.write_text(
        '{"project": "cards", "task": "t", "query": "exchange cards", "judged": {"shuffle.c:11 exchange_cards": 1}}\n'
    )
    text = tasks_report(index, path)
    assert "exchange cards (cards)" in text
    assert "1 of 5" in text
    assert "unjudged" in text
    assert "0.20" in text


def test_the_shipped_items_hold_out_enough_queries():
    items = read_items(paths.data("benchmark", "find", "known_items.jsonl"))
    held_out = {item.project for item in items if item.split == "test"}
    assert sum(item.split == "test" for item in items) >= 150
    assert not held_out & {item.project for item in items if item.split == "tune"}
