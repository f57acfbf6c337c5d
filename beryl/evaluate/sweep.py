"""All settings, encoders, models and ablations of a configuration, one after the other; what is done is not done again.

configs/eval/*.toml -> Sweep -> indexes (built where missing) -> one folder per table -> report.md
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from beryl import engine, paths
from beryl.engine import Engine
from beryl.errors import BerylError, InputError
from beryl.evaluate import benchmark, report, results, session
from beryl.evaluate.benchmark import Bench, Setting
from beryl.evaluate.results import Result
from beryl.index.store import BuildOptions, exists
from beryl.types import Progress, silent

REPORT_FILE = "report.md"
SETTINGS = MULTI_PROJECT, ONE_PROJECT = ("multi-project", "one-project")
DEFAULT_ENCODER, DEFAULT_MODEL = BuildOptions().encoder, BuildOptions().model

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Sweep:
    """What to run; every combination of the lists is one table or one column of it."""

    benches: tuple[str, ...] = ("demo",)
    settings: tuple[str, ...] = ("multi-project",)
    names: tuple[bool, ...] = (True, False)
    rankings: tuple[str, ...] = ("fused", "paper")
    features: tuple[str, ...] = ("full",)
    encoders: tuple[str, ...] = (DEFAULT_ENCODER,)
    models: tuple[str, ...] = (DEFAULT_MODEL,)
    """Names of shipped models, folders that `beryl train-gae` wrote, or none."""
    unseen: bool = False
    """Also search only the projects that the graph model was not trained on."""
    core: bool = False
    form: str = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the report: a bench over one index in one setting."""

    bench: Bench
    encoder: str
    model: str
    plain: Setting

    @property
    def index_name(self) -> str:
        """The folder of its index; parts that are as usual are left out."""
        core = "core" if self.plain.subset == "core" else ""
        encoder = self.encoder if self.encoder != DEFAULT_ENCODER else ""
        model = Path(self.model).name if self.model != DEFAULT_MODEL else ""
        return "-".join(filter(None, (self.bench.index, core, encoder, model)))

    @property
    def folder(self) -> str:
        """The folder of its runs."""
        setting = "one" if self.plain.one_project else "multi"
        names = "" if self.plain.names else "no-names"
        form = self.plain.form if self.plain.form != "text" else ""
        bench = self.bench.name if self.bench.elsewhere else ""
        unseen = self.plain.subset if self.plain.subset == "unseen" else ""
        return "-".join(filter(None, (bench, self.index_name, unseen, setting, names, form)))


def tables(sweep: Sweep) -> Iterator[Table]:
    """Every table of a sweep, those over one index together."""
    unknown = [name for name in sweep.settings if name not in SETTINGS]
    if unknown:
        raise InputError(f"unknown setting {unknown[0]!r}; known: {', '.join(SETTINGS)}")
    for name, encoder, model in product(sweep.benches, sweep.encoders, sweep.models):
        chosen = benchmark.bench(name)
        core = chosen.core() if sweep.core and name != "demo" else ()
        plain = Setting(form=sweep.form, projects=core, subset="core" if core else "")
        for setting, names in product(sweep.settings, sweep.names):
            one_project = setting == ONE_PROJECT
            yield Table(chosen, encoder, model, replace(plain, names=names, one_project=one_project))


def run(sweep: Sweep, indexes: Path, out: Path, say: Say, progress: Progress = silent) -> Path:
    """Run all that is not done yet, then write the report; a table that cannot be made is reported as such."""
    done: list[Sequence[Result]] = []
    failed: list[str] = []
    opened: tuple[str, Engine] | None = None
    for table in tables(sweep):
        say(f"{table.folder}")
        try:
            if opened is None or opened[0] != table.index_name:
                opened = (table.index_name, open_index(table, sweep, indexes, say, progress))
            for part in parts(opened[1], table, sweep):
                found, missing = run_table(opened[1], part, sweep, out / part.folder, progress)
                failed += missing
                if found:
                    report.write(found, out / part.folder)
                    done.append(found)
        except BerylError as error:
            failed.append(f"{table.folder}: {error}")
    text = document(done, failed)
    out.mkdir(parents=True, exist_ok=True)
    (out / REPORT_FILE).write_text(text, encoding="utf-8")
    return out / REPORT_FILE


def parts(opened: Engine, table: Table, sweep: Sweep) -> Iterator[Table]:
    """The table, and the same over unseen projects where it is wanted and there are any."""
    yield table
    if sweep.unseen and session.unseen_projects(opened) and not table.bench.elsewhere:
        yield replace(table, plain=session.unseen(opened, table.plain))


def run_table(
    opened: Engine, table: Table, sweep: Sweep, folder: Path, progress: Progress
) -> tuple[list[Result], list[str]]:
    """The columns of one table, and what could not be run and why."""
    found, missing = [], []
    todo = session.indexed_tasks(opened, table.bench, table.plain)
    for setting in session.columns(table.plain, sweep.rankings, sweep.features):
        before = finished(folder / setting.folder, setting, opened)
        if before is not None:
            found.append(before)
            continue
        try:
            found.append(session.run_one(opened, table.bench, todo, setting, folder, progress))
        except BerylError as error:
            missing.append(f"{table.folder}, {setting.column}: {error}")
    return found, missing


def finished(folder: Path, setting: Setting, opened: Engine) -> Result | None:
    """The saved result of this setting over this index, where there is one."""
    if not (folder / results.RESULT_FILE).is_file():
        return None
    try:
        found = results.read(folder)
    except InputError:
        return None
    same = found.setting == setting and found.about.get("index") == opened.index.manifest.content
    return found if same else None


def open_index(table: Table, sweep: Sweep, indexes: Path, say: Say, progress: Progress) -> Engine:
    """The index of a table, built where it is missing."""
    directory = indexes / table.index_name
    if exists(directory):
        return engine.open(directory)
    folders = [paths.data(*corpus.split("/")) for corpus in table.bench.corpora]
    absent = [folder for folder in folders if not folder.is_dir()]
    if absent:
        raise InputError(f"there is no corpus in {absent[0]}; fetch it with `python scripts/fetch_corpus.py`")
    projects = [path for folder in folders for path in sorted(folder.iterdir()) if path.is_dir()]
    if table.plain.projects:
        projects = [path for path in projects if path.name in table.plain.projects]
    say(f"building the index {directory}")
    wanted = session.tables(sweep.rankings, sweep.features)
    options = BuildOptions(encoder=table.encoder, model=table.model, tables=wanted)
    return engine.build(projects, directory, options, progress=progress)


def document(done: Sequence[Sequence[Result]], failed: Sequence[str]) -> str:
    """The report: an overview of MRR, then every table."""
    parts = ["# Results", f"{session.machine()}; commit {session.commit()}. Generated, not written.", overview(done)]
    if failed:
        parts += ["Not run:", "\n".join(f"- {line}" for line in failed)]
    return "\n\n".join([*parts, *(report.document(found) for found in done)]).rstrip() + "\n"


def overview(done: Sequence[Sequence[Result]]) -> str:
    """Strict MRR of every column in every table."""
    columns = list(dict.fromkeys(item.setting.column for found in done for item in found))
    rows = []
    for found in done:
        values = {item.setting.column: f"{item.figure('MRR').value:.3f}" for item in found}
        seconds = sum(item.seconds for item in found)
        rows.append([report.title(found), *(values.get(column, "") for column in columns), f"{seconds:,.0f}"])
    return report.table(["MRR, strict", *columns, "seconds"], rows)
