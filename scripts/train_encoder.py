"""Make and fine-tune text encoders.

python scripts/train_encoder.py mine PAIRS.tsv [--spoc FILE ...] [--index INDEX]   pairs from SPoC and doc comments
python scripts/train_encoder.py measure PAIRS.tsv --encoder NAME                   how well an encoder ranks pairs
python scripts/train_encoder.py train PAIRS.tsv --out DIR [--encoder DIR]          fine-tune the static table
python scripts/train_encoder.py compact TABLE.npz --index INDEX --out DIR          the static table from a larger one
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from beryl import paths
from beryl.encode import open_encoder, pairs
from beryl.encode.pairs import Pair
from beryl.errors import BerylError
from beryl.index.store import Index, open_index

STATEMENTS = 150_000
BODY = 300


def described_functions(index: Index) -> Iterator[Pair]:
    """Functions with a comment before them: its first sentence and the beginning of the body."""
    starts, ends = index.functions.comment_start, index.functions.comment_end
    for file in range(len(index.files.lines)):
        first, last = (int(index.files.first_function[file + i]) for i in (0, 1))
        chosen = [f for f in range(first, last) if ends[f] > starts[f]]
        source = index.source(file).encode("utf-8", "surrogatepass") if chosen else b""
        for function in chosen:
            comment = source[starts[function] : ends[function]].decode("utf-8", "replace")
            nodes = range(int(index.functions.first_node[function]) + 2, int(index.functions.first_node[function + 1]))
            body = "; ".join(index.texts.text[int(index.nodes.text[node])] for node in list(nodes)[:8])
            words = pairs.first_sentence(comment)
            if words and len(body) > 20:
                yield Pair(index.projects[int(index.files.project[file])], words, body[:BODY])


def mine(args: argparse.Namespace) -> None:
    found = [pair for path in args.spoc for pair in pairs.spoc_pairs(path)]
    if args.index:
        found += described_functions(open_index(args.index))
    print(f"{pairs.write_pairs(found, args.pairs):,} pairs in {args.pairs}")


def measure(args: argparse.Namespace) -> None:
    held_out = pairs.split(pairs.read_pairs(args.pairs), args.seed).held_out
    rank = pairs.reciprocal_rank(open_encoder(args.encoder), held_out)
    print(f"{args.encoder}: mean reciprocal rank {rank:.4f} on {min(len(held_out), pairs.POOL):,} held-out pairs")


def train(args: argparse.Namespace) -> None:
    from beryl.encode.finetune import FinetuneOptions, finetune

    options = FinetuneOptions(epochs=args.epochs, seed=args.seed, learning_rate=args.learning_rate)
    folder = args.encoder or paths.model("static")
    gain = finetune(folder, pairs.read_pairs(args.pairs), args.out, options, lambda n, r: print(f"epoch {n}: {r:.4f}"))
    print(f"written to {args.out}" if gain.kept else "no better than the original: nothing written")


def compact(args: argparse.Namespace) -> None:
    from beryl.encode.compact import CompactOptions
    from beryl.encode.compact import compact as make

    texts = open_index(args.index).texts.text
    chosen = np.random.default_rng(args.seed).permutation(len(texts))[:STATEMENTS]
    make(args.table, [texts[int(i)] for i in chosen], args.out, CompactOptions(dim=args.dim))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("mine")
    one.add_argument("pairs", type=Path)
    one.add_argument("--spoc", type=Path, nargs="*", default=[])
    one.add_argument("--index", type=Path)
    one.set_defaults(run=mine)
    one = commands.add_parser("measure")
    one.add_argument("pairs", type=Path)
    one.add_argument("--encoder", default="static")
    one.add_argument("--seed", type=int, default=0)
    one.set_defaults(run=measure)
    one = commands.add_parser("train")
    one.add_argument("pairs", type=Path)
    one.add_argument("--out", type=Path, required=True)
    one.add_argument("--encoder", type=Path, help="folder of a static encoder (default: the bundled one)")
    one.add_argument("--epochs", type=int, default=5)
    one.add_argument("--learning-rate", type=float, default=0.0005)
    one.add_argument("--seed", type=int, default=0)
    one.set_defaults(run=train)
    one = commands.add_parser("compact")
    one.add_argument("table", type=Path)
    one.add_argument("--index", type=Path, required=True)
    one.add_argument("--out", type=Path, required=True)
    one.add_argument("--dim", type=int, default=256)
    one.add_argument("--seed", type=int, default=0)
    one.set_defaults(run=compact)
    args = parser.parse_args()
    try:
        args.run(args)
    except BerylError as error:
        print(f"train_encoder: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
