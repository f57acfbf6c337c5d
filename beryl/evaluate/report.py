"""Results -> tables in Markdown, aligned so that they read well on a terminal too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from beryl.evaluate.baselines import ABSENT, CORPORA_DIFFER, PUBLISHED, REFERENCE
from beryl.evaluate.benchmark import BENCHES
from beryl.evaluate.metrics import BEYOND, MEASURES, mean, paired_p_value
from beryl.evaluate.results import GRADES, Figure, Result, show_rank

TABLE_FILE = "table.md"
SIGNIFICANT = 0.05

Row = Sequence[str]


def table(head: Row, rows: Sequence[Row], names: int = 1) -> str:
    """A Markdown table with columns padded to one width; all but the first `names` columns stand to the right."""
    widths = [max(3, *(len(row[i]) for row in (head, *rows))) for i in range(len(head))]
    rule = [f":{'-' * (width - 1)}" if i < names else f"{'-' * (width - 1)}:" for i, width in enumerate(widths)]
    padded = [
        [row[i].ljust(width) if i < names else row[i].rjust(width) for i, width in enumerate(widths)]
        for row in (head, *rows)
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in (padded[0], rule, *padded[1:]))


def f_rank_table(results: Sequence[Result], grade: str = "strict") -> str:
    """The paper's table: F-rank per query, MRR in the last row."""
    queries = sorted({query for item in results for query in item.f_rank[grade]})
    rows = [
        [str(number), query, *(show_rank(item.f_rank[grade].get(query, BEYOND)) for item in results)]
        for number, query in enumerate(queries, 1)
    ]
    rows.append(["", "MRR", *(f"{item.figure('MRR', grade).value:.3f}" for item in results)])
    return table(["No.", "Query", *headings(results)], rows, names=2)


def measure_table(results: Sequence[Result], grade: str = "strict") -> str:
    """MRR, Success and MAP with intervals, how well fragments are cut, and time."""
    names = {"RR": "RR, mean over projects", "AP": "MAP"}
    one_project = any(item.setting.one_project for item in results)
    wanted = ["MRR", *(name for name in MEASURES if name != "RR" or one_project)]
    rows = [[names.get(name, name), *(interval(item.figure(name, grade)) for item in results)] for name in wanted]
    p_values = [_against_reference(item, results, grade) for item in results]
    if all("precision" in item.about for item in results):
        figures = [Figure(**item.about["precision"][grade]) for item in results]
        rows.append([f"P@{BENCHES[results[0].bench].depth}", *(interval(figure) for figure in figures)])
    if any("unjudged" in item.about for item in results):
        rows.append(["results nobody judged", *(str(item.about.get("unjudged", "")) for item in results)])
    rows.append([f"p of MRR against {_reference(results)}", *p_values])
    if grade == "strict":
        rows.append(["line-IoU of first hits", *(interval(item.cut.figure) for item in results)])
        rows.append(["  marked labels hit", *(f"{item.cut.hit} of {item.cut.marked}" for item in results)])
        rows.append(["seconds per search", *(f"{item.seconds / max(1, _searches(item)):.3f}" for item in results)])
    return table([grade, *headings(results)], rows)


def interval(figure: Figure) -> str:
    """A mean and its interval."""
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"


def _searches(item: Result) -> int:
    return int(item.about.get("searches", len(item.f_rank["lenient"])))


def headings(results: Sequence[Result]) -> list[str]:
    """One per column; a baseline that sees names among rankings that do not says so."""
    seen = " (names seen)" if not _names(results) else ""
    return [item.setting.column + (seen if item.setting.names else "") for item in results]


def _names(results: Sequence[Result]) -> bool:
    return all(item.setting.names for item in results)


def _reference(results: Sequence[Result]) -> str:
    return REFERENCE[_names(results)]


def _against_reference(item: Result, results: Sequence[Result], grade: str) -> str:
    reference = next((other for other in results if other.setting.column == _reference(results)), None)
    if reference is None or item is reference:
        return "-"
    return f"{compare(item, reference, 'MRR', grade).p_value:.4f}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A measure of two runs over the queries that both have."""

    measure: str
    first: float
    second: float
    better: int
    worse: int
    queries: int
    p_value: float


def compare(first: Result, second: Result, measure: str, grade: str = "strict") -> Comparison:
    """Paired randomisation test between two runs."""
    ours, theirs = first.values(measure, grade), second.values(measure, grade)
    shared = sorted(set(ours) & set(theirs))
    a, b = [ours[query] for query in shared], [theirs[query] for query in shared]
    better, worse = (sum(sign * (x - y) > 0 for x, y in zip(a, b, strict=True)) for sign in (1, -1))
    p_value = paired_p_value(a, b) if shared else 1.0
    return Comparison(measure, mean(a), mean(b), better, worse, len(shared), p_value)


def comparison_json(name: str, first: Result, second: Result) -> dict[str, object]:
    """All measures of two runs as plain values."""
    grades = {
        grade: [asdict(compare(first, second, measure, grade)) for measure in ("MRR", *MEASURES)] for grade in GRADES
    }
    return {"run": name, **grades}


def comparison_table(first: Result, second: Result, grade: str) -> str:
    """All measures of two runs side by side, with the p-value of the difference."""
    rows = []
    for measure in ("MRR", *(name for name in MEASURES if name != "RR")):
        item = compare(first, second, measure, grade)
        mark = " *" if item.p_value < SIGNIFICANT else ""
        difference = f"{item.first - item.second:+.3f}"
        counts = f"{item.better} / {item.worse} of {item.queries}"
        means = (f"{item.first:.3f}", f"{item.second:.3f}")
        rows.append([measure, *means, difference, counts, f"{item.p_value:.4f}{mark}"])
    return table([grade, "A", "B", "A - B", "A better / worse", "p"], rows)


def published_table(bench: str) -> str:
    """The paper's own MRR; empty for a bench that the paper has no counterpart of."""
    figures = PUBLISHED.get(bench)
    if figures is None:
        return ""
    settings = {
        "one project": figures.one_project,
        "multiple projects": figures.multi_project,
        "GitHub projects": figures.github,
    }
    systems = list(figures.one_project)
    rows = [[name, *(f"{values[system]:.3f}" for system in systems)] for name, values in settings.items()]
    return table(["MRR in the paper", *systems], rows)


def document(results: Sequence[Result]) -> str:
    """One setting of one bench: headings, tables and what a reader must know."""
    first = results[0]
    parts = [
        f"## {title(results)}",
        f"F-rank per query (grade 2 counts), one column per ranking; {_beyond(first)}.",
        f_rank_table(results),
        "Means over queries with 95% bootstrap intervals; an unanswered query counts as zero.",
        measure_table(results, "strict"),
        measure_table(results, "lenient"),
        provenance(first),
    ]
    published = published_table(first.bench)
    if published:
        parts += [published, CORPORA_DIFFER]
    parts.append(" ".join(f"{name} is absent: {why}." for name, why in ABSENT.items()))
    return "\n\n".join(parts) + "\n"


def _beyond(item: Result) -> str:
    if BENCHES[item.bench].elsewhere:
        return f"`>100`: nothing in the first {BENCHES[item.bench].depth}, which are all that was judged"
    return "`>100`: nothing in the first hundred"


def title(results: Sequence[Result]) -> str:
    """What distinguishes this setting from others of one report."""
    item, setting = results[0], results[0].setting
    parts = [
        item.bench + (f" ({setting.subset})" if setting.subset else ""),
        "one project" if setting.one_project else "multiple projects",
        "with names" if _names(results) else "names hidden",
    ]
    if setting.form != "text":
        parts.append("queries as p-code")
    return ", ".join(parts)


def provenance(item: Result) -> str:
    """Which index, encoder and model; where and when; and what the model was trained on."""
    about = item.about
    index = (
        f"Index: {about.get('projects', 0):,} projects, {about.get('lines', 0):,} lines, "
        f"{about.get('functions', 0):,} functions, {about.get('nodes', 0):,} nodes; "
        f"encoder {about.get('encoder', '?')}, model {about.get('model', '?')}."
    )
    made = f"{about.get('date', '?')}, commit {about.get('commit', '?')}, {about.get('machine', '?')}."
    return "\n".join(filter(None, (index, str(about.get("hygiene", "")), made)))


def write(results: Sequence[Result], folder: Path) -> None:
    """The table as Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / TABLE_FILE).write_text(document(results), encoding="utf-8")
