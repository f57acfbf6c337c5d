"""Compare the decisions of our graphs with those that lizard counts, over the functions of source trees."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from beryl.errors import BerylError
from beryl.evaluate.complexity import compare


def main() -> int:
    """Parse arguments, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="source trees, such as data/corpora/debian-c")
    parser.add_argument("--suffix", default=".c", help="files to read (.c, .cpp, .java)")
    parser.add_argument("--functions", type=int, default=12_000, help="stop after this many functions")
    parser.add_argument("--seed", type=int, default=0, help="order in which files are taken")
    parser.add_argument("--list", action="store_true", help="list the functions that differ")
    args = parser.parse_args()
    files = sorted(path for folder in args.folders for path in folder.rglob(f"*{args.suffix}") if path.is_file())
    random.Random(args.seed).shuffle(files)
    try:
        found = compare(iter(files), args.functions)
    except BerylError as error:
        print(error, file=sys.stderr)
        return 2
    if args.list:
        for each in found.different:
            mark = " (damaged)" if each.damaged else ""
            print(f"{each.path}:{each.line}: {each.name}: {each.ours} here, {each.lizards} by lizard{mark}")
    if not found.functions:
        print("no function found that both report", file=sys.stderr)
        return 1
    print(f"{found.functions} functions, {found.equal} equal: {found.equal / found.functions:.2%}")
    if found.undamaged:
        share = found.undamaged_equal / found.undamaged
        print(f"{found.undamaged} without parse error, {found.undamaged_equal} equal: {share:.2%}")
    print(f"{found.unmatched} not reported by lizard under the same name")
    return 0


if __name__ == "__main__":
    sys.exit(main())
