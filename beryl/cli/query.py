"""Find the code that implements pseudocode: ranked C, C++ and Java fragments, down to the lines."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from beryl.cli import options, render
from beryl.errors import InputError
from beryl.types import PseudocodeQuery, SearchResult

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
    """Search for every file with one index load."""
    texts = [read_query(name) for name in args.files]
    wanted = options.filters(args)
    engine = options.open_engine(args)
    results = []
    for file, (text, stem) in zip(args.files, texts, strict=True):
        query = PseudocodeQuery(
            text=text,
            name=stem,
            k=args.k,
            filters=wanted,
            ranking=args.ranking,
            features=args.features,
            paths=args.paths,
            names=not args.no_names,
            distinct=args.distinct,
            examples=tuple(args.io),
        )
        results.append(replace(engine.search(query), file=file))
        if args.io and not results[-1].results:
            only = "only Java methods that `beryl index --with io` could encode are compared"
            print(f"beryl: no fragment found for {stem} satisfies the examples; {only}", file=sys.stderr)
    if args.html:
        _write_page(args.html, [engine.detailed(result) for result in results])
    return render.show(options.with_context(engine, results, args), args)


def _write_page(path: str, results: list[SearchResult]) -> None:
    from beryl.cli import page

    try:
        Path(path).write_text(page.document(results), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None
