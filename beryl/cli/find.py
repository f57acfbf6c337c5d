"""Find functions by words, ranked by relevance and by how much they are used. "A phrase" must stand as it is, -word
must not stand at all; name:, comment:, calls:, class:, file: and text: look in one place only. Each result comes with
its callers and callees."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from beryl.cli import options, render
from beryl.types import KeywordQuery

RANKINGS = ("default", "paper", "bm25")
KINDS = ("function", "file")
# `-k5` and `-h` are options; any other word with a single dash is one to exclude.
_EXCLUDED = re.compile(r"-(?!k\d*$|h$)[^-\s].*", re.DOTALL)


def arguments(words: Sequence[str]) -> list[str]:
    """The command line made ready for argparse: a blank before `-word`, so that it is not taken for an option."""
    return [f" {word}" if _EXCLUDED.fullmatch(word) else word for word in words]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `beryl find`."""
    parser.add_argument("words", nargs="+", metavar="WORD", help='word, "phrase", -word, name:word, comment:, calls:')
    options.add_index(parser)
    options.add_filters(parser)
    options.add_output(parser)
    parser.add_argument("--kind", choices=KINDS, default="function", help="rank functions (default) or files")
    parser.add_argument("--ranking", choices=RANKINGS, default="default", help="how to rank (default: default)")
    parser.add_argument("--callers", type=_levels, default=1, metavar="N", help="levels of callers (default: 1)")
    parser.add_argument("--callees", type=_levels, default=1, metavar="N", help="levels of callees (default: 1)")
    parser.add_argument("--config", default="", metavar="FILE", help="settings like configs/find.toml")


def _levels(text: str) -> int:
    if not text.isdigit() or int(text) > 5:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 5")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Search and print."""
    query = KeywordQuery(
        words=tuple(quoted(word.strip()) for word in args.words),
        k=args.k,
        filters=options.filters(args),
        ranking=args.ranking,
        kind=args.kind,
        callers=args.callers,
        callees=args.callees,
        config=args.config,
    )
    engine = options.open_engine(args)
    return render.show(options.with_context(engine, [engine.search(query)], args), args)


def quoted(word: str) -> str:
    """An argument with blanks in it was quoted in the shell, which took the quotes away: `"a b"`, `name:"a b"`."""
    if '"' in word or not re.search(r"\s", word):
        return word
    head, text = re.fullmatch(r"(-?(?:[a-z]+:)?)(.*)", word, re.DOTALL).groups()  # type: ignore[union-attr]
    return f'{head}"{text}"'
