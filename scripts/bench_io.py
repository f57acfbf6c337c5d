"""Figures of `beryl io`: relevance and time over the tasks of the benchmark, share of methods encoded, rate."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from beryl.evaluate import examples
from beryl.index.store import open_index


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", required=True, help="the public Java corpus, built with `beryl index --with io`")
    parser.add_argument("--ranking", nargs="*", default=["satsy-rr", "satsy", "fused"])
    parser.add_argument("--rate", action="store_true", help="also encode the whole corpus again and time it")
    parser.add_argument("--unjudged", action="store_true", help="list results that have no judgement yet")
    args = parser.parse_args()
    index = open_index(Path(args.index))
    print(json.dumps({"paths": index.manifest.tables["paths"]}))
    if args.rate:
        print(json.dumps({"rate": examples.encoding_rate(index, jobs=2)}))
    tasks, judgements = examples.read_tasks(), examples.read_judgements()
    for ranking in args.ranking:
        runs = examples.run(index, tasks, judgements, ranking)
        paper, own = [run for run in runs if run.task.table3], [run for run in runs if not run.task.table3]
        print(json.dumps({"ranking": ranking, "tasks": "table 3", **examples.figures(paper)}))
        print(json.dumps({"ranking": ranking, "tasks": "own", **examples.figures(own)}))
        print(json.dumps({"ranking": ranking, "by number of examples": examples.by_examples(paper)}))
        for run in runs:
            gains = "".join(map(str, run.gains))
            print(f"  {run.task.id:<22} {len(run.examples)} examples  {gains:<10} {run.seconds:.2f} s")
            if args.unjudged and run.result:
                for fragment, value in zip(run.result.results, run.relevance, strict=True):
                    if value is None:
                        print(f"    unjudged {examples.place_of(run.task, fragment)}\n{fragment.code}")


if __name__ == "__main__":
    main()
