"""Train the math-or-prose classifier of pseudocode lines, or print its accuracy by style (--test)."""

from __future__ import annotations

import argparse

from beryl import paths
from beryl.lang.pseudo import evaluate, train
from beryl.lang.pseudo.lines import MODEL


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--test", action="store_true", help="only print the accuracy of the shipped classifier")
    parser.add_argument("--errors", action="store_true", help="list the lines that are classified wrongly")
    parser.add_argument("--set", default="test", choices=("test", "dev"), help="which labelled lines (default: test)")
    args = parser.parse_args()
    labelled = {name: evaluate.test_lines(paths.data("lines", f"{name}.tsv")) for name in ("dev", "test")}
    if args.test:
        report(evaluate.accuracy(labelled[args.set]), args.errors)
        return
    sources = sorted(path for path in paths.data("demo").rglob("*") if path.suffix in (".c", ".h", ".java"))
    pseudocode = [paths.data("lines", "more.txt"), *sorted(paths.data("queries").glob("*.txt"))]
    lines = train.collect(sources, pseudocode, [line.text for group in labelled.values() for line in group])
    counts = {"math": len(lines.math), "prose": len(lines.prose), "pseudocode": len(lines.pseudocode)}
    print(
        f"{counts['math']} code lines, {counts['prose']} comments, {counts['pseudocode']} unlabelled pseudocode lines"
    )
    trained = {method: train.fit(lines, method)[1] for method in train.METHODS}
    measured = {method: evaluate.accuracy(labelled["dev"], trained[method]) for method in train.METHODS}
    for method, result in measured.items():
        print(f"{method}: {result.right} of {result.total} development lines right")
    best = max(train.METHODS, key=lambda method: measured[method].right)
    train.save(trained[best], paths.model(MODEL), {"method": best, **counts})
    print(f"kept {best}")
    for method in train.METHODS:
        print(f"\n{method}, {args.set} lines")
        report(evaluate.accuracy(labelled[args.set], trained[method]), args.errors)


def report(result: evaluate.Accuracy, errors: bool) -> None:
    for style, (right, total) in sorted(result.by_style.items()):
        print(f"{style:<20} {right:>4} of {total:<4} {100 * right / total:6.1f}%")
    print(f"{'all':<20} {result.right:>4} of {result.total:<4} {100 * result.right / result.total:6.2f}%")
    if errors:
        for line, given in result.wrong:
            print(f"  {line.style}: {line.label} taken for {given}: {line.text.strip()}")


if __name__ == "__main__":
    main()
