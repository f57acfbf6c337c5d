"""Find functions similar to a function: FILE:FUNCTION, FILE:LINE, a file with one function, or standard input."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from beryl.cli import options, render
from beryl.errors import InputError
from beryl.types import CodeQuery, Language, Source

STDIN = "<stdin>"
LARGEST_QUERY = 10_000_000
RANKING_HELP = "svm-weights (default), dyn-select, equal-all, rand-select or solo:CLASS"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `beryl similar`."""
    parser.add_argument(
        "queries",
        nargs="+",
        metavar="FILE[:FUNCTION|:LINE]",
        help="a function in a source file; - is standard input, -:FUNCTION a function in it",
    )
    options.add_index(parser)
    options.add_filters(parser)
    options.add_output(parser)
    parser.add_argument("--ranking", default="svm-weights", metavar="R", help=RANKING_HELP)
    parser.add_argument("--weights", default="", metavar="FILE", help="learned weights: a file, algo (default) or libc")
    parser.add_argument("--query-language", metavar="L", help="language of the query, where its name does not tell")


def arguments(words: Sequence[str]) -> list[str]:
    """Argparse takes what starts with a dash for an option; `-:FUNCTION` is a query, so its dash is spelled out."""
    return [STDIN + word[1:] if word.startswith("-:") else word for word in words]


def run(args: argparse.Namespace) -> int:
    """Search for every function with one index load."""
    from beryl.search import code

    code.check_ranking(args.ranking)
    if args.weights and args.ranking != "svm-weights":
        raise InputError("--weights only goes with --ranking svm-weights")
    wanted = options.filters(args)
    if sum(options.split_name(name)[0] in ("-", STDIN) for name in args.queries) > 1:
        raise InputError("standard input can be read once; name one function of it")
    queries = [read_query(name, args.query_language) for name in args.queries]
    engine = options.open_engine(args)
    results = []
    for query in queries:
        asked = replace(query, k=args.k, filters=wanted, ranking=args.ranking, weights=args.weights)
        result = engine.search(asked)
        results.append(result)
        if args.format == "text" and result.results:
            _say_choice(result.results[0].notes)
    return render.show(options.with_context(engine, results, args), args)


def _say_choice(notes: tuple[str, ...]) -> None:
    """Which function was taken where several could be meant."""
    for note in notes:
        if "was taken" in note or "syntax error" in note:
            print(f"beryl: {note}", file=sys.stderr)


def read_query(name: str, language: str | None) -> CodeQuery:
    """The query that FILE:FUNCTION, FILE:LINE or FILE stands for; `-` is standard input."""
    file, function, line = options.split_name(name)
    file = "-" if file == STDIN else file
    if name.endswith(":0") and not (function or line) and name != file:
        raise InputError(f"{file}: there is no line 0; lines count from 1")
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except FileNotFoundError:
        raise InputError(f"there is no file {file}") from None
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from None
    if len(data) > LARGEST_QUERY:
        raise InputError(f"{file} has {len(data)} bytes; a query has at most {LARGEST_QUERY}")
    text = data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    return CodeQuery(Source(text, _language(file, text, language), file), function, line)


def _language(file: str, text: str, asked: str | None) -> Language:
    if asked:
        return options.languages(asked)[0]
    from beryl.lang.treesitter import language_of

    found = language_of(file, text.encode("utf-8", "replace"))
    if found is not None:
        return found
    if file != "-":
        raise InputError(f"{file}: the suffix tells no language; add --query-language c, cpp or java")
    from beryl.search.code import language_by_look

    return language_by_look(text)
