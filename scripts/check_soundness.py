"""Run sampled encoded methods with a real JDK and compare with what their encodings predict."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from beryl.evaluate import soundness
from beryl.index.store import open_index


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", required=True, help="an index built with `beryl index --with io`")
    parser.add_argument("--methods", type=int, default=800, help="how many to sample; some do not compile alone")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--goal", type=float, default=0.995, help="share of methods that must agree")
    args = parser.parse_args()
    cases = list(soundness.sample(open_index(Path(args.index)), args.methods, args.seed))
    with tempfile.TemporaryDirectory() as folder:
        report = soundness.check(cases, Path(folder))
    for item in report.disagreements:
        print(soundness.describe(item))
    print(json.dumps(soundness.as_dict(report)))
    return 0 if report.agreement >= args.goal else 1


if __name__ == "__main__":
    raise SystemExit(main())
