"""Find the code that implements pseudocode: ranked C, C++ and Java fragments, down to the lines."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from beryl.cli import options, render
from beryl.errors import InputError
from beryl.types import PseudocodeQuery, SearchResult

if TYPE_CHECKING:
    from beryl.engine import Engine

RANKINGS = ("fused", "paper", "bm25", "bm25-body", "name", "random")
FEATURES = ("full", "cb+g", "cb")
PATHS = ("undirected", "directed", "intraprocedural")
LARGEST_QUERY = 10_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `beryl query`."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="p-code or plain pseudocode; - is standard input")
    options.add_index(parser)
    options.add_filters(parser)
    options.add_output(parser)
    parser.add_argument("--ranking", choices=RANKINGS, default="fused", help="how to rank (default: fused)")
    parser.add_argument("--features", choices=FEATURES, default="full", help="ablations of --ranking paper")
    parser.add_argument("--paths", choices=PATHS, default="undirected", help="how --ranking paper measures distance")
    parser.add_argument("--no-names", action="store_true", help="use no header, comment or name of query and code")
    parser.add_argument(
        "--distinct",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="drop nested and overlapping fragments (default: yes, but not for --ranking paper)",
    )
    parser.add_argument(
        "--io", action="append", default=[], metavar="EXAMPLE", help="keep only functions that satisfy this example"
    )
    parser.add_argument("--html", metavar="OUT", help="write one self-contained page that shows the matches")


def read_query(name: str) -> tuple[str, str]:
    """The text of a query file and its stem; `-` is standard input."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except FileNotFoundError:
        raise InputError(f"there is no file {name}") from None
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None
    if len(data) > LARGEST_QUERY:
        raise InputError(f"{name} has {len(data)} bytes; a query has at most {LARGEST_QUERY}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8 text (byte {error.start}); save it as UTF-8") from None
    return text, "-" if name == "-" else Path(name).stem


def run(args: argparse.Namespace) -> int:
    """Search for every file with one index load; a file that cannot be used is named, and the others go on."""
    queries = [_query(file, args) for file in args.files]
    engine = options.open_engine(args)
    answers = [_answer(engine, query) for query in queries]
    refused = [answer for answer in answers if isinstance(answer, InputError)]
    if refused and len(answers) == 1:
        raise refused[0]
    results = [_named(answer, file) for answer, file in zip(answers, args.files, strict=True)]
    if args.html:
        _write_page(args.html, [engine.detailed(result) for result in results])
    code = render.show(options.with_context(engine, results, args), args)
    return render.EXIT_ERROR if refused else code


def _query(file: str, args: argparse.Namespace) -> PseudocodeQuery | InputError:
    try:
        text, stem = read_query(file)
    except InputError as error:
        if len(args.files) == 1:
            raise
        return error
    return PseudocodeQuery(
        text=text,
        name=stem,
        k=args.k,
        filters=options.filters(args),
        ranking=args.ranking,
        features=args.features,
        paths=args.paths,
        names=not args.no_names,
        distinct=args.distinct,
        examples=tuple(args.io),
    )


def _answer(engine: Engine, query: PseudocodeQuery | InputError) -> SearchResult | InputError:
    if isinstance(query, InputError):
        return query
    try:
        result = engine.search(query)
    except InputError as error:
        return error
    if query.examples and not result.results:
        only = "only Java methods that `beryl index --with io` could encode are compared"
        print(f"beryl: no fragment found for {query.name} satisfies the examples; {only}", file=sys.stderr)
    return result


def _named(answer: SearchResult | InputError, file: str) -> SearchResult:
    """The answer with its file; one of several files that cannot be used gives none, and says why."""
    if isinstance(answer, SearchResult):
        return replace(answer, file=file)
    print(f"beryl: {answer}", file=sys.stderr)
    return SearchResult(Path(file).stem, file, "query", 0.0, (), notes=(str(answer.args[0]),))


def _write_page(path: str, results: list[SearchResult]) -> None:
    from beryl.cli import page

    try:
        Path(path).write_text(page.document(results), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
