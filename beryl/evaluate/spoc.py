"""SPoC: the words that people wrote for a contest program must find the program, among all programs of its split.

A second source beside the algorithms, from other hands. Two questions: which program is this, where wording helps; and
which other program solves the same problem, where only the algorithm does. Each with the names of the code as they are
and replaced. Nothing is trained here; a split is a set of problems, and no problem is in two.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from beryl import engine, paths
from beryl.errors import BerylError, InputError
from beryl.evaluate.metrics import CUT, bootstrap, mean, paired_p_value, reciprocal_rank, success
from beryl.evaluate.renaming import renamed
from beryl.evaluate.report import table
from beryl.evaluate.session import RANKING_TABLES
from beryl.index.store import BuildOptions
from beryl.lang.pseudo import frontend
from beryl.search.fragments import searchable
from beryl.types import Fragment, Progress, PseudocodeQuery, silent

SPLITS = ("spoc-train-eval", "spoc-train-test")
PER_PROBLEM = 2
"""Programs of each problem that are asked for: no problem counts more than another."""
SEED = 20190701
BASELINES = ("bm25", "bm25-body", "random")
"""Not `name`: the words of a program have no header."""
REFERENCE = "bm25"
OWN, OTHER = "its own program", "another program of the problem"
_INDENT = "    "
_NOTHING = "skip"
_HEADER = re.compile(r"(?:if|else|elseif|otherwise|for|while|loop|repeat|do)\b", re.IGNORECASE)
_BARE_HEADER = re.compile(r"(?:\}\s*)?(?:(?:else\s+)?if\s*\(.*\)|else|do|(?:for|while)\s*\(.*\))$")


@dataclass(frozen=True, slots=True)
class Program:
    """A submission: its code, and its lines in words."""

    problem: str
    submission: str
    words: str
    code: str

    @property
    def file(self) -> str:
        """Where it is written; says nothing about it."""
        return f"{self.submission}.cpp"


@dataclass(frozen=True, slots=True)
class Figures:
    """Reciprocal rank by query, and whether the first, and the first ten, hold a right program."""

    reciprocal: tuple[float, ...]
    first: tuple[float, ...]
    ten: tuple[float, ...]


def read(path: Path) -> list[Program]:
    """The programs of a split; of a submission that two people put into words the first is taken."""
    if not path.is_file():
        raise InputError(f"there is no SPoC split at {path}; it comes with the source, not with the wheel")
    lines: dict[tuple[str, str], list[dict[str, str]]] = {}
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            lines.setdefault((row["subid"], row["workerid"]), []).append(row)
    programs: dict[str, Program] = {}
    for (submission, _), rows in lines.items():
        words = pseudocode([(depth, row["text"]) for depth, row in zip(depths(rows), rows, strict=True)])
        code = "".join(f"{_INDENT * int(row['indent'])}{row['code']}\n" for row in rows)
        programs.setdefault(submission, Program(rows[0]["probid"], submission, words, code))
    return list(programs.values())


def depths(rows: Sequence[Mapping[str, str]]) -> list[int]:
    """The depth of each line; SPoC counts braces only, so a statement alone below its `for` or `if` is put deeper."""
    found: list[int] = []
    extra = 0
    for row in rows:
        found.append(int(row["indent"]) + extra)
        extra = extra + 1 if _BARE_HEADER.match(row["code"].strip()) else 0
    return found


def pseudocode(lines: Iterable[tuple[int, str]]) -> str:
    """The lines that have words; where those below a header have none, or stand on its own line, something must."""
    said = [(depth, text.strip()) for depth, text in lines if text.strip()]
    found = []
    for position, (depth, text) in enumerate(said):
        found.append(f"{_INDENT * depth}{text}\n")
        below = said[position + 1][0] if position + 1 < len(said) else 0
        if _HEADER.match(text) and below <= depth:
            found.append(f"{_INDENT * (depth + 1)}{_NOTHING}\n")
    return "".join(found)


def readable(words: str) -> bool:
    """Whether the pseudocode can be read and says anything."""
    try:
        return bool(searchable(frontend.read(words, "").icfg.nodes))
    except BerylError:
        return False


def sample(programs: Iterable[Program], per_problem: int = PER_PROBLEM, seed: int = SEED) -> list[Program]:
    """Some programs of every problem, drawn with a fixed seed, of those whose words can be read."""
    by_problem: dict[str, list[Program]] = {}
    for program in programs:
        if readable(program.words):
            by_problem.setdefault(program.problem, []).append(program)
    drawn = random.Random(seed)
    return [
        program
        for problem in sorted(by_problem)
        for program in drawn.sample(by_problem[problem], min(per_problem, len(by_problem[problem])))
    ]


def gains(results: Iterable[Fragment], query: Program, problems: Mapping[str, str], other: bool) -> tuple[int, ...]:
    """The ranked programs, each counted where it first appears: 1 for a right one. `problems`: file -> problem."""
    files = dict.fromkeys(fragment.path for fragment in results)
    if not other:
        return tuple(int(file == query.file) for file in files)
    return tuple(int(problems[file] == query.problem) for file in files if file != query.file)


def measure(
    opened: engine.Engine,
    programs: Sequence[Program],
    queries: Sequence[Program],
    rankings: Sequence[str],
    progress: Progress = silent,
) -> dict[str, dict[str, Figures]]:
    """Question -> ranking -> figures. A problem with one program has no other to be found."""
    problems = {program.file: program.problem for program in programs}
    counts = {name: list(problems.values()).count(name) for name in set(problems.values())}
    found: dict[str, dict[str, list[tuple[int, ...]]]] = {OWN: {}, OTHER: {}}
    for ranking in rankings:
        for question in found.values():
            question[ranking] = []
        for done, query in enumerate(queries):
            progress(ranking, done, len(queries))
            results = opened.search(PseudocodeQuery(query.words, k=CUT, ranking=ranking)).results
            found[OWN][ranking].append(gains(results, query, problems, other=False))
            if counts[query.problem] > 1:
                found[OTHER][ranking].append(gains(results, query, problems, other=True))
        progress(ranking, len(queries), len(queries))
    return {
        question: {ranking: figures(lists) for ranking, lists in by_ranking.items()}
        for question, by_ranking in found.items()
    }


def figures(lists: Iterable[tuple[int, ...]]) -> Figures:
    """The figures of judged lists."""
    rows = [(reciprocal_rank(one, 1), success(one, 1, 1), success(one, 1, 10)) for one in lists]
    reciprocal, first, ten = zip(*rows, strict=True) if rows else ((), (), ())
    return Figures(reciprocal, first, ten)


def corpus(programs: Iterable[Program], folder: Path, change: Callable[[str], str]) -> None:
    """Write the programs as one project, a file each."""
    folder.mkdir(parents=True)
    for program in programs:
        (folder / program.file).write_text(change(program.code), encoding="utf-8")


def evaluate(
    programs: Sequence[Program], rankings: Sequence[str], change: Callable[[str], str], progress: Progress = silent
) -> dict[str, dict[str, Figures]]:
    """Index the programs, ask for a sample of them, count."""
    with tempfile.TemporaryDirectory(prefix="beryl-spoc-") as folder:
        corpus(programs, Path(folder) / "programs", change)
        options = BuildOptions(tables=RANKING_TABLES)
        opened = engine.build([Path(folder) / "programs"], Path(folder) / "index", options, progress=progress)
        return measure(opened, programs, sample(programs), rankings, progress)


def report(found: Mapping[str, Figures], head: str) -> str:
    """One table: MRR with its interval, Success@1 and @10, and whether the ranking differs from BM25."""
    rows = []
    for ranking, one in found.items():
        low, high = bootstrap(one.reciprocal)
        reference = found[REFERENCE].reciprocal if REFERENCE in found else ()
        tested = ranking != REFERENCE and reference
        p_value = f"{paired_p_value(one.reciprocal, reference):.4f}" if tested else ""
        interval = f"{mean(one.reciprocal):.3f} [{low:.3f}, {high:.3f}]"
        rows.append([ranking, interval, f"{mean(one.first):.3f}", f"{mean(one.ten):.3f}", p_value])
    count = len(next(iter(found.values())).reciprocal)
    return table([f"{head}: {count} queries", "MRR", "Success@1", "Success@10", f"p against {REFERENCE}"], rows)


def run(args: argparse.Namespace) -> int:
    """`beryl eval spoc`: both splits, with names as they are and replaced."""
    progress: Progress = getattr(args, "progress", silent)
    wanted = [name.strip() for name in args.ranking.split(",") if name.strip()]
    rankings = [*wanted, *(name for name in BASELINES if name not in wanted)]
    everything: dict[str, dict[str, dict[str, Figures]]] = {}
    for split in SPLITS:
        programs = read(paths.data("spoc", f"{split}.tsv"))
        problems = len({program.problem for program in programs})
        for names, change in (("as they are", str), ("renamed", renamed)):
            found = evaluate(programs, rankings, change, progress)
            title = f"{split}, {len(programs):,} programs, {problems} problems, identifiers {names}"
            everything[title] = found
            if not args.json:
                tables = [report(by_ranking, question) for question, by_ranking in found.items()]
                sys.stdout.write("\n\n".join([title, *tables]) + "\n\n")
                sys.stdout.flush()
    if args.json:
        sys.stdout.write(json.dumps(plain(everything), indent=1) + "\n")
    return 0


def plain(found: Mapping[str, Mapping[str, Mapping[str, Figures]]]) -> dict[str, object]:
    """The means as JSON."""
    return {
        title: {
            question: {
                ranking: {"MRR": mean(one.reciprocal), "Success@1": mean(one.first), "Success@10": mean(one.ten)}
                for ranking, one in by_ranking.items()
            }
            for question, by_ranking in questions.items()
        }
        for title, questions in found.items()
    }
