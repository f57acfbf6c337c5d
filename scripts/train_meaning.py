#!/usr/bin/env python3
"""Train the network behind the feature-classes Meaning and Body Meaning on the functions of some projects.

python scripts/train_meaning.py PROJECT ... --apart data/indexes/similar --out models/meaning
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from beryl.encode import naming
from beryl.encode.files import write_weights
from beryl.evaluate import naming_data
from beryl.index.store import open_index


def main() -> None:
    """Parse arguments, call beryl, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("projects", nargs="+", type=Path, help="folders of C, C++ and Java, one per project")
    parser.add_argument("--apart", type=Path, required=True, help="index with the sets, of which nothing is learned")
    parser.add_argument("--most", type=int, default=2_500, help="functions of a project at most")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    found = naming_data.examples(args.projects, args.most, lambda *_: None)
    usable = naming_data.unlike(found, *naming_data.of_sets(open_index(args.apart)))
    say(f"{len(usable)} functions, {int((~usable).sum())} left out as copies of the sets or by name")
    sizes = {group: len(tokens) for group, tokens in found.vocabulary.items()}
    data = naming.Data(found.offsets, found.ids, sizes, found.projects, usable)
    learned = naming.train(data, args.minutes * 60, say)
    args.out.mkdir(parents=True, exist_ok=True)
    write_weights(args.out / "model.safetensors", naming.packed(learned, found.vocabulary))


if __name__ == "__main__":
    main()
