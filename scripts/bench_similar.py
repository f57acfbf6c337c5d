"""Time `beryl similar` on many functions: an index's own, replicated with changes until there are enough.

python scripts/bench_similar.py --index DIR --functions 500000
"""

from __future__ import annotations

import argparse
from pathlib import Path

from beryl.evaluate import similar_speed


def main() -> None:
    """Parse arguments, call beryl, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", required=True, help="index with the observations table")
    parser.add_argument("--functions", type=int, default=500_000)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("-k", type=int, default=10)
    parser.add_argument("--check", type=int, default=5, help="how many answers to compare with comparing everything")
    args = parser.parse_args()
    print(similar_speed.report(similar_speed.run(Path(args.index), args.functions, args.queries, args.k, args.check)))


if __name__ == "__main__":
    main()
