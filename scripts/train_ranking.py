"""Train the fused ranking on the public labels; print out-of-fold MRR and the ablation; write models/ranking/.

python scripts/train_ranking.py --index data/indexes/debian-java data/indexes/debian-c
"""

from __future__ import annotations

import argparse
from pathlib import Path

import beryl
from beryl.evaluate import learn, ranking_data
from beryl.search.signals import FAMILIES


def figures(table: dict[str, float]) -> str:
    return ", ".join(f"{language} {value:.3f}" for language, value in table.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", required=True, type=Path, nargs="+", help="indexes of the public corpora")
    parser.add_argument("--out", type=Path, default=Path("models/ranking"))
    parser.add_argument(
        "--ablation", action="store_true", help="also leave out each family of signals, and take it alone"
    )
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    indexes = [beryl.open(path).index for path in args.index]
    for name, names in (("names", True), ("no_names", False)):
        groups = [group for index in indexes for group in ranking_data.groups(index, names)]
        signals = learn.signal_names(groups[0])
        unseen = figures(learn.by_language(groups, learn.out_of_fold(groups, signals)))
        apart = figures(learn.by_language(groups, learn.other_projects(groups, signals)))
        print(f"{name}: out-of-fold MRR of whole functions: {unseen}; unseen families in unseen projects: {apart}")
        if args.ablation:
            for family, (without, alone) in learn.ablations(groups, FAMILIES).items():
                print(f"  {family:<10} without it {without:.3f}   alone {alone:.3f}")
        about = {"made by": "scripts/train_ranking.py", "beryl": beryl.__version__, "queries": len(groups)}
        learn.save(learn.train(groups, signals), args.out / f"{name}.json", about | {"out-of-fold MRR": unseen})
        learn.save_folds(groups, args.out / "folds", name)


if __name__ == "__main__":
    main()
