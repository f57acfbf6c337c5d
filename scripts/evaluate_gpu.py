"""Run every setting, encoder and ablation of a configuration and write one report; resumes where it was stopped.

    python scripts/evaluate_gpu.py configs/eval/full.toml --report docs/results.md
    python scripts/evaluate_gpu.py configs/eval/core.toml      # two cores, no GPU

Encoders that use torch take a GPU where there is one. Indexes that are missing are built from data/corpora
(`python scripts/fetch_corpus.py mixed`).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from beryl import config, paths
from beryl.cli import options
from beryl.errors import BerylError
from beryl.evaluate import sweep


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path, help="a file of configs/eval")
    parser.add_argument("--out", type=Path, help="folder of runs and report (default: runs/NAME)")
    parser.add_argument("--indexes", type=Path, default=paths.data("indexes"), help="folder of indexes")
    parser.add_argument("--report", type=Path, help="where to put a copy of the report")
    args = parser.parse_args()
    try:
        wanted = config.read(sweep.Sweep, args.config)
        out = args.out or Path("runs") / args.config.stem
        with options.progress() as bar:
            report = sweep.run(wanted, args.indexes, out, lambda text: print(text, file=sys.stderr), bar)
        if args.report:
            args.report.write_bytes(report.read_bytes())
    except BerylError as error:
        print(f"evaluate_gpu: {error}", file=sys.stderr)
        return 2
    print(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
