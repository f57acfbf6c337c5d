"""Find Java methods by input/output examples, such as '"log.txt" -> "log"', '"aBCd", "cd" -> true', "'5' -> true" or
'[3, 1, 2] -> [1, 2, 3]'. Needs an index built with `beryl index --with io`."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from beryl.cli import options, render
from beryl.errors import InputError
from beryl.types import ExampleQuery

RANKINGS = ("fused", "satsy", "satsy-rr")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `beryl io`."""
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE", help="inputs -> output, with Java literals")
    parser.add_argument("--file", metavar="JSON", help='examples from a file: a list of "1, 2 -> 3" or {input, output}')
    options.add_index(parser)
    options.add_filters(parser)
    options.add_output(parser)
    parser.add_argument("--ranking", choices=RANKINGS, default="fused", help="how to rank (default: fused)")
    parser.add_argument("--timeout", type=float, default=0.25, metavar="SECONDS", help="of one check (default: 0.25)")
    parser.add_argument("--budget", type=float, default=5.0, metavar="SECONDS", help="of the query (default: 5)")


def run(args: argparse.Namespace) -> int:
    """Search and print."""
    examples = (*args.examples, *(read_file(Path(args.file)) if args.file else ()))
    query = ExampleQuery(examples, args.k, options.filters(args), args.ranking, args.timeout, args.budget)
    engine = options.open_engine(args)
    result = engine.search(query)
    return render.show(options.with_context(engine, [replace(result, file=args.file or "")], args), args)


def read_file(path: Path) -> tuple[str, ...]:
    """The examples of a JSON file."""
    try:
        items = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}") from None
    if not isinstance(items, list):
        raise InputError(f'{path} must hold a list of examples such as ["1, 2 -> 3"]')
    return tuple(_example(path, item) for item in items)


def _example(path: Path, item: object) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, dict) and "output" in item and "input" in item:
        given = item["input"] if isinstance(item["input"], list) else [item["input"]]
        return f"{', '.join(map(_literal, given))} -> {_literal(item['output'])}"
    raise InputError(f'{path}: an example is a text or {{"input": [...], "output": ...}}, not {json.dumps(item)}')


def _literal(value: Any) -> str:  # noqa: ANN401 - any JSON value is also a literal of the examples' language
    return json.dumps(value)
