"""Known items: the first sentence of a function's doc comment must find the function, whose comment is hidden.

Queries that nobody wrote for this purpose. Half of the projects serve to tune configs/find.toml, figures are reported
on the other half. data/benchmark/find holds the items, and ten change tasks judged by reading.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from beryl import paths
from beryl.errors import InputError
from beryl.evaluate.metrics import bootstrap, mean, paired_p_value
from beryl.evaluate.report import table
from beryl.index import words
from beryl.index.lexing import Matrix
from beryl.index.store import Index, open_index
from beryl.index.terms import SUBDOCUMENT_FIELDS, Postings, Terms
from beryl.search import keyword
from beryl.search.find_settings import Prepared, Settings, prepared, read, support_files
from beryl.search.question import Question, parse
from beryl.types import Filters, FunctionFlag, KeywordQuery

ITEMS = "known_items.jsonl"
TASKS = "change_tasks.jsonl"
TUNE, TEST = "tune", "test"
PER_PROJECT = 10
# A sentence of fewer words names too little, a longer one is a paragraph.
FEWEST_WORDS, MOST_WORDS = 4, 20
FEWEST_LINES = 4
TASK_RESULTS = 5
TASK_RANKINGS = {"default": "default", "paper": "plain sum", "bm25": "BM25"}
# The paper's Table 2: precision of the top 5 of the IDE's own search and of the paper's.
PAPER_IDE, PAPER_OWN = 0.37, 0.64

_MARKS = re.compile(r"^[ \t]*(?:/\*+!?|\*+/|\*+|//+[/!]?)?[ \t]?|\*+/[ \t]*$", re.MULTILINE)
_INLINE = re.compile(r"\{@\w+\s+([^}]*)\}|</?\w+[^>]*>|&\w+;")
_SENTENCE = re.compile(r"(.+?)(?:[.!?:;](?=\s|$)|\n[ \t]*\n|\n[ \t]*[@\\]\w|\Z)", re.DOTALL)
_UNFIT = re.compile(r"copyright|licen[cs]e|inheritdoc|todo|fixme|xxx|[@\\]\w", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence, and the function that it must find."""

    project: str
    path: str
    function: str
    line: int
    query: str
    split: str


def first_sentence(comment: str) -> str:
    """The first sentence of a doc comment, on one line, without signs of comment, tag and mark-up."""
    text = _INLINE.sub(lambda found: found[1] or " ", _MARKS.sub("", comment)).strip(" \n\t-=*/")
    found = _SENTENCE.match(text)
    return " ".join(found[1].split()) if found else ""


def split_of(project: str) -> str:
    """Whether a project serves for tuning or for figures; by its name alone."""
    return TEST if hashlib.blake2b(project.encode(), digest_size=2).digest()[0] % 2 else TUNE


def draw(index: Index, settings: Settings, per_project: int = PER_PROJECT) -> list[Item]:
    """Items of every project, drawn by hash; sentences that two functions share are left out."""
    found: dict[str, list[tuple[str, Item]]] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    candidates = []
    for item in _candidates(index, settings):
        key = tuple(words.stems(words.prose_words(item.query)))
        seen[key] += 1
        candidates.append((key, item))
    for key, item in candidates:
        if seen[key] == 1:
            place = f"{item.project}/{item.path}:{item.line}"
            drawn = hashlib.blake2b(place.encode(), digest_size=8).hexdigest()
            found.setdefault(item.project, []).append((drawn, item))
    chosen = [item for project in found.values() for _, item in sorted(project, key=lambda one: one[0])[:per_project]]
    return sorted(chosen, key=lambda item: (item.project, item.path, item.line))


def _candidates(index: Index, settings: Settings) -> Iterator[Item]:
    table_, files = index.functions, index.files
    support = support_files(files.path, settings.support)
    unfit = FunctionFlag.LAMBDA | FunctionFlag.INITIALISER | FunctionFlag.CONSTRUCTOR
    long = table_.end_line - table_.start_line + 1 >= FEWEST_LINES
    documented = table_.comment_end - table_.comment_start > 20
    fit = documented & long & (table_.flags & unfit == 0) & ~support[table_.file] & ~_nested(index)
    for file in np.unique(table_.file[fit]).tolist():
        data = index.source(file).encode("utf-8", "surrogatepass")
        first, last = files.first_function[file], files.first_function[file + 1]
        project, path = index.projects[int(files.project[file])], files.path[file]
        for function in (first + np.flatnonzero(fit[first:last])).tolist():
            comment = data[int(table_.comment_start[function]) : int(table_.comment_end[function])]
            sentence = first_sentence(comment.decode("utf-8", "replace"))
            name = table_.name[function]
            size = len(words.prose_words(sentence))
            if FEWEST_WORDS <= size <= MOST_WORDS and not _UNFIT.search(sentence) and name not in sentence:
                line = int(table_.start_line[function])
                yield Item(project, path, table_.qualified[function], line, sentence, split_of(project))


def _nested(index: Index) -> NDArray[np.bool_]:
    """Functions inside others, whose comment is also a comment of the one around them."""
    inside = np.zeros(len(index.functions.file), dtype=np.bool_)
    starts, ends, files = index.functions.start_byte, index.functions.end_byte, index.functions.file
    latest = 0
    for function in range(1, len(inside)):
        latest = ends[function - 1] if files[function - 1] != files[function] else max(latest, int(ends[function - 1]))
        inside[function] = files[function - 1] == files[function] and starts[function] < latest
    return inside


def read_items(path: Path) -> list[Item]:
    """The items of a JSON-lines file."""
    try:
        return [Item(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line]
    except FileNotFoundError:
        raise InputError(f"there are no known items at {path}") from None
    except (ValueError, TypeError) as error:
        raise InputError(f"{path} does not hold known items: {error}") from None


def write_items(items: Sequence[Item], path: Path) -> None:
    """Write items, one JSON object a line."""
    lines = [json.dumps(asdict(item), ensure_ascii=False) for item in items]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def locate(index: Index, items: Sequence[Item]) -> dict[Item, int]:
    """The function of each item that the index holds."""
    projects = {name: number for number, name in enumerate(index.projects)}
    places = zip(index.files.project.tolist(), index.files.path, strict=True)
    files = {place: file for file, place in enumerate(places)}
    found = {}
    for item in items:
        file = files.get((projects.get(item.project, -1), item.path), -1)
        if file < 0:
            continue
        first, last = index.files.first_function[file], index.files.first_function[file + 1]
        for function in np.flatnonzero(index.functions.start_line[first:last] == item.line) + first:
            if index.functions.qualified[int(function)] == item.function:
                found[item] = int(function)
                break
    return found


def without_comments(index: Index, terms: Terms, functions: Sequence[int]) -> Terms:
    """The table as if these functions had no leading comment: postings, lengths, file vectors and norms."""
    from scipy.sparse import csc_matrix

    def matrix(held: Postings, rows: int) -> Matrix:
        shape = (rows, len(terms.vocabulary))
        return csc_matrix((held.counts.astype(np.int32), held.documents, held.offsets), shape=shape)

    hidden = np.zeros(terms.documents, dtype=np.int32)
    hidden[np.array(functions, dtype=np.int64)] = 1
    fields = {name: matrix(terms.fields[name], terms.documents) for name in SUBDOCUMENT_FIELDS}
    leading = fields.pop("comment_leading")
    taken = leading.multiply(hidden[:, None]).tocsc()
    rest = (leading - taken).tocsc()
    owner = np.arange(terms.documents)
    member = csc_matrix((np.ones(terms.documents, np.int32), (index.functions.file, owner)),
                        shape=(len(index.files.lines), terms.documents))  # fmt: skip
    files = (matrix(terms.files, len(index.files.lines)) - member @ taken).tocsc()
    for one in (rest, files):
        one.eliminate_zeros()
        one.sort_indices()
    whole = sum(fields.values(), start=rest)
    return replace(
        terms,
        fields={**terms.fields, "comment_leading": _postings(rest)},
        lengths={**terms.lengths, "comment_leading": np.asarray(rest.sum(axis=1), dtype=np.int32).ravel()},
        files=_postings(files),
        file_norm=_norm(files, terms.file_idf),
        function_norm=_norm(whole, terms.file_idf),
    )


def _postings(matrix: Matrix) -> Postings:
    return Postings(matrix.indptr.astype(np.int64), matrix.indices, matrix.data.astype(np.uint16))


def _norm(matrix: Matrix, idf: NDArray[np.float32]) -> NDArray[np.float32]:
    scaled = matrix.multiply(idf[None, :]).tocsr()
    return np.asarray(np.sqrt(scaled.multiply(scaled).sum(axis=1)), dtype=np.float32).ravel()


System = Callable[[Question], NDArray[np.float32]]


def rankings(ready: Prepared) -> dict[str, System]:
    """The systems that are compared, by name."""

    def of(name: str, pagerank: float | None = None) -> System:
        def scores(question: Question) -> NDArray[np.float32]:
            signals = keyword.RANKINGS[name](ready, question)
            if pagerank is not None:
                signals = replace(signals, weights=(*signals.weights[:2], pagerank))
            total: NDArray[np.float32] = np.where(signals.found, signals.total * ready.support, np.float32(0))
            return total

        return scores

    return {
        "BM25": of("bm25"),
        "plain sum (paper)": of("paper"),
        "plain sum, no PageRank": of("paper", 0.0),
        "default": of("default"),
        "default, no PageRank": of("default", 0.0),
    }


def rank_of(scores: NDArray[np.float32], function: int) -> int:
    """The rank of a function, ties in index order; 0 where it is not found."""
    own = scores[function]
    if own <= 0:
        return 0
    return 1 + int(np.count_nonzero(scores > own)) + int(np.count_nonzero(scores[:function] == own))


@dataclass(frozen=True, slots=True)
class Figures:
    """Reciprocal rank and success in the first five, by item."""

    reciprocal: list[float]
    success: list[float]


def measure(ready: Prepared, places: Mapping[Item, int], systems: Mapping[str, System]) -> dict[str, Figures]:
    """Every system on every item."""
    figures = {name: Figures([], []) for name in systems}
    for item, function in places.items():
        question = parse([item.query.replace('"', " ").replace(":", " ").replace("-", " ")])
        for name, system in systems.items():
            rank = rank_of(system(question), function)
            figures[name].reciprocal.append(1.0 / rank if rank else 0.0)
            figures[name].success.append(1.0 if 0 < rank <= 5 else 0.0)
    return figures


def report(figures: Mapping[str, Figures], split: str) -> str:
    """MRR, Success@5 and P@5 of each system, and whether the default differs from it."""
    best = figures["default"].reciprocal
    rows = []
    for name, one in figures.items():
        low, high = bootstrap(one.reciprocal)
        p_value = "" if name == "default" else f"{paired_p_value(best, one.reciprocal):.4f}"
        success = mean(one.success)
        interval = f"{mean(one.reciprocal):.3f} [{low:.3f}, {high:.3f}]"
        rows.append([name, interval, f"{success:.3f}", f"{success / 5:.3f}", p_value])
    head = [f"known items, {split}: {len(best)}", "MRR", "Success@5", "P@5", "p of MRR against default"]
    return table(head, rows)


def tasks_report(index: Index, path: Path) -> str:
    """The change tasks one by one: how many of the first five results were judged relevant, by ranking."""
    tasks = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    precision: dict[str, list[float]] = {ranking: [] for ranking in TASK_RANKINGS}
    rows = []
    for number, task in enumerate(tasks, 1):
        row = [str(number), f"{task['query']} ({task['project']})"]
        for ranking in TASK_RANKINGS:
            relevant, unjudged = _judged(index, task, ranking)
            precision[ranking].append(relevant / TASK_RESULTS)
            row.append(f"{relevant} of {TASK_RESULTS}" + (f", {unjudged} unjudged" if unjudged else ""))
        rows.append(row)
    rows.append(["", "precision of the top 5", *(f"{mean(values):.2f}" for values in precision.values())])
    rows.append(["", f"(the paper: {PAPER_OWN}, the IDE's own search {PAPER_IDE})", *("" for _ in precision)])
    return table(["No.", "Change task", *TASK_RANKINGS.values()], rows, names=2)


def _judged(index: Index, task: Mapping[str, Any], ranking: str) -> tuple[int, int]:
    """How many of the first results of a task are relevant, and how many nobody has judged."""
    asked = tuple(task["query"].split())
    wanted = Filters(projects=(task["project"],))
    query = KeywordQuery(asked, TASK_RESULTS, wanted, ranking, callers=0, callees=0)
    places = [f"{f.path}:{f.start} {f.functions[0]}" for f in keyword.search(index, query).results]
    return sum(task["judged"].get(place, 0) for place in places), sum(place not in task["judged"] for place in places)


def evaluate(index: Index, split: str = TEST) -> dict[str, Figures]:
    """All systems on the items of one half of the projects, with the comments of all items hidden."""
    settings = read(paths.config("find.toml"))
    places = locate(index, read_items(paths.data("benchmark", "find", ITEMS)))
    if not places:
        raise InputError("the index holds none of the known items; index the corpora debian-c and debian-java")
    hidden = without_comments(index, Terms.open(index), list(places.values()))
    ready = prepared(index, hidden, settings)
    chosen = {item: function for item, function in places.items() if item.split == split}
    return measure(ready, chosen, rankings(ready))


def run(args: argparse.Namespace) -> int:
    """`beryl eval find`: the held-out items, then the change tasks."""
    index = open_index(Path(args.index) if args.index else paths.data("indexes", "mixed"))
    figures = evaluate(index)
    if args.json:
        plain = {name: asdict(one) for name, one in figures.items()}
        sys.stdout.write(json.dumps(plain, indent=1) + "\n")
        return 0
    sys.stdout.write(report(figures, "projects not used for tuning") + "\n")
    tasks = paths.data("benchmark", "find", TASKS)
    if tasks.is_file():
        sys.stdout.write("\n" + tasks_report(index, tasks) + "\n")
    return 0
