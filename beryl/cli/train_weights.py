"""Train the feature weights of `beryl similar --ranking svm-weights` from functions labelled as alike.

LABELS is a JSON file: category -> list of references (package, path, start, end) to functions of the index."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from beryl.cli import options
from beryl.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `beryl train-weights`."""
    parser.add_argument("labels", metavar="LABELS", help="JSON: category -> functions that do the same")
    options.add_index(parser)
    parser.add_argument("--out", default="weights.json", metavar="FILE", help="where to write (default: weights.json)")


def run(args: argparse.Namespace) -> int:
    """Train on all pairs of the labelled functions; say how well the classifier tells them apart."""
    from beryl.evaluate import pairs, training

    labels = pairs.read(Path(args.labels))
    index = options.open_engine(args).index
    queries = pairs.locate(index, Path(args.labels).name, labels)
    with options.progress() as bar:
        found = training.train(index, queries, bar)
    body = {"weights": found.weights, "trained_on": Path(args.labels).name, "functions": len(queries.functions)}
    try:
        Path(args.out).write_text(json.dumps(body, indent=1) + "\n", encoding="ascii")
    except OSError as error:
        raise InputError(f"cannot write {args.out}: {error.strerror}") from None
    print(
        f"{len(queries.functions)} functions of {len(set(queries.categories))} categories "
        f"({queries.missing} references not in the index): {found.accuracy:.1%} of pairs told apart "
        f"under {training.FOLDS}-fold cross-validation; weights in {args.out}"
    )
    for name, weight in sorted(found.weights.items(), key=lambda item: -item[1]):
        if weight > 0:
            print(f"  {weight:.3f}  {name}")
    return 0
