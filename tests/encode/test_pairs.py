"""Pairs of words and code: reading, splitting by group, measuring, and learning from them."""

from __future__ import annotations

import numpy as np
import pytest

from beryl.encode import pairs
from beryl.encode.files import write_weights
from beryl.encode.hashing import HashingEncoder
from beryl.encode.pairs import Pair
from beryl.encode.static import TABLE, TOKENIZER
from beryl.errors import InputError


def test_a_file_of_pairs_is_read_back_each_code_once(tmp_path):
    written = [Pair("a", "add one", "x + 1"), Pair("b", "more", "x + 1"), Pair("b", "take\tone", "x - 1")]
    assert pairs.write_pairs(written, tmp_path / "p.tsv") == 3
    assert pairs.read_pairs(tmp_path / "p.tsv") == [Pair("a", "add one", "x + 1"), Pair("b", "take one", "x - 1")]


def test_a_line_with_other_columns_is_named(tmp_path):
    (tmp_path / "p.tsv").write_text("a\tb\tc\na\tb\n")
    with pytest.raises(InputError, match=r"p.tsv:2: a pair is"):
        pairs.read_pairs(tmp_path / "p.tsv")


def test_spoc_lines_without_words_are_left_out(tmp_path):
    head = "text\tcode\tworkerid\tprobid\tsubid\tline\tindent\n"
    (tmp_path / "s.tsv").write_text(head + "\tint main() {\t1\t4A\t5\t0\t0\nread n\tcin >> n;\t1\t4A\t5\t1\t1\n")
    assert pairs.spoc_pairs(tmp_path / "s.tsv") == [Pair("spoc-4A", "read n", "cin >> n")]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("/** Returns the largest element. Never null.\n * @param x y */", "Returns the largest element."),
        ("// sort the edges by weight", "sort the edges by weight"),
        ("/* Copyright 2020 somebody else */", ""),
        ("/* short */", ""),
        ("/**\n * Gets the {@link Foo} of <b>this</b>\n * @return it */", "Gets the Foo of this"),
    ],
)
def test_the_first_sentence_of_a_comment(comment, expected):
    assert pairs.first_sentence(comment) == expected


def test_groups_are_never_split():
    many = [Pair(f"g{i % 10}", f"w{i}", f"c{i}") for i in range(100)]
    parts = pairs.split(many, seed=0)
    assert {p.group for p in parts.train}.isdisjoint(p.group for p in parts.held_out)
    assert len(parts.held_out) == 20
    with pytest.raises(InputError, match="at least two groups"):
        pairs.split(many[:1], seed=0)


def test_the_rank_of_equal_texts_is_one():
    same = [Pair("g", text, text) for text in ("swap a and b", "sort the list", "x = y + 1")]
    assert pairs.reciprocal_rank(HashingEncoder(), same) == 1


def test_a_static_table_learns_synonyms(tmp_path):
    from tokenizers import Tokenizer, models, pre_tokenizers

    from beryl.encode.finetune import FinetuneOptions, finetune

    words = [f"w{i}" for i in range(12)] + [f"c{i}" for i in range(12)]
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="w0"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    folder = tmp_path / "start"
    folder.mkdir()
    tokenizer.save(str(folder / TOKENIZER))
    codes = np.random.default_rng(0).integers(-100, 100, (24, 16)).astype(np.int8)
    table = {"codes": codes, "scale": np.full(24, 0.01, np.float32), "rows": np.arange(24, dtype=np.int32)}
    write_weights(folder / TABLE, table)
    generator = np.random.default_rng(1)
    many = []
    for i in range(400):
        a, b = generator.choice(12, 2, replace=False)
        many.append(Pair(f"g{i % 5}", f"w{a} w{b}", f"c{a} c{b}"))
    options = FinetuneOptions(epochs=4, batch=32, learning_rate=0.05)
    gain = finetune(folder, many, tmp_path / "out", options, lambda *_: None)
    assert gain.kept
    assert max(gain.ranks) > gain.ranks[0] + 0.1
    assert (tmp_path / "out" / TABLE).is_file()
