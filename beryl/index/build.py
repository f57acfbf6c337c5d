"""Source trees -> an index on disk: scan, analyse what is new, assemble, add derived tables, commit."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import metadata
from pathlib import Path

from beryl import registry
from beryl.errors import IndexError_, IndexNewer, InputError, NoSource
from beryl.index import bundle, ledger, lock, pool, reading, write
from beryl.index.assemble import Base, Placed, assemble
from beryl.index.bundle import Bundle
from beryl.index.joining import join_calls
from beryl.index.ledger import Entry, Reason
from beryl.index.scan import Candidate, Scan, ScanOptions, scan
from beryl.index.store import (
    BASE,
    SOURCES,
    BuildOptions,
    Index,
    Manifest,
    exists,
    files_of,
    load,
    open_index,
    read_manifest,
)
from beryl.types import Language, Progress, silent

_GRAMMARS = ("tree-sitter", "tree-sitter-c", "tree-sitter-cpp", "tree-sitter-java")


@dataclass(frozen=True, slots=True)
class _Task:
    """Where to build, how, and whom to tell."""

    out: Path
    options: BuildOptions
    progress: Progress


@dataclass(frozen=True, slots=True)
class _Plan:
    """What goes into the new index: bundles, where each file is in them, and the ledger."""

    bundles: list[Bundle]
    placed: list[Placed]
    ledger: list[Entry]


def build_index(
    paths: Sequence[Path], out: Path, options: BuildOptions, update: bool = False, progress: Progress = silent
) -> Index:
    """Build the index of some projects, or bring it up to date; without paths, those it was built from."""
    if out.exists() and not out.is_dir():
        raise IndexError_(f"{out} is a file; name a directory for the index with --out")
    wanted = _scan_options(paths, out, options, update)
    from beryl.lang.treesitter import language_of

    found = scan(wanted, out, language_of)
    if not found.candidates:
        raise _nothing(wanted, found.ledger)
    new = not out.exists()
    with lock.writing(out, options.wait, progress):
        try:
            task = _Task(out, options, progress)
            return _write_index(task, found, _blank(wanted, options), _previous(out, update))
        except NoSource:
            write.clean_drafts(out, work=True)
            if new:
                _remove_empty(out)
            raise
        except OSError as error:
            raise write.refusal(out, error) from None
        finally:
            write.clean_drafts(out)


def _write_index(task: _Task, found: Scan, blank: Manifest, previous: Index | None) -> Index:
    out, options, progress = task.out, task.options, task.progress
    builders = {name: registry.load(registry.DERIVED_TABLES, name, "table") for name in options.tables}
    usable = previous if previous and previous.manifest.analyser == blank.analyser else None
    plan = _plan(task, found, usable)
    if not plan.placed:
        raise _nothing(None, plan.ledger)
    with write.draft(out) as folder:
        manifest = _write_base(plan, blank, folder, usable, progress)
        index = load(out, manifest, folder)
        for name, build_table in builders.items():
            (folder / name).mkdir()
            build_table(index, previous, folder / name, options, progress)
            checks, info = write.table_files(folder, name)
            manifest = replace(manifest, files=manifest.files | checks, tables=manifest.tables | {name: info})
            index = replace(index, manifest=manifest)
        if previous is not None and previous.manifest.content == manifest.content:
            index = previous
        else:
            manifest = write.commit(out, folder, manifest)
            index = replace(index, manifest=manifest, data=out / manifest.generation)
    write.clean(out, index.manifest.generation)
    return index


def _write_base(plan: _Plan, blank: Manifest, folder: Path, previous: Index | None, progress: Progress) -> Manifest:
    """Write base columns and ledger; an index whose files are all as before keeps its columns."""
    if previous is not None and _same_files(plan, previous):
        checks = {name: previous.manifest.files[name] for name in (BASE, SOURCES)}
        write.link_files(previous.data, list(checks), folder)
        counts = previous.manifest.counts
    else:
        base = join_calls(assemble(plan.placed, plan.bundles), previous, progress)
        checks = write.write_columns(folder, files_of(base.projects, base.tables))
        counts = _counts(base)
    return replace(blank, counts=counts, files=checks | write.write_ledger(folder, plan.ledger))


def _plan(task: _Task, found: Scan, previous: Index | None) -> _Plan:
    """Take what is known by content from the old index and from an interrupted build; analyse the rest."""
    work = task.out / write.WORK / analyser()
    work.mkdir(parents=True, exist_ok=True)
    bundles = [bundle.of_index(previous)] if previous else []
    bundles += _spooled(work)
    known = _known(bundles)
    refused = {(e.path, e.digest): e for e in previous.ledger() if e.reason in ledger.OF_CONTENT} if previous else {}
    entries = list(found.ledger)
    places: dict[Candidate, tuple[int, int]] = {}
    todo: list[Candidate] = []
    codes = {language: language.code for language in Language}
    for number, candidate in enumerate(found.candidates):
        digest = _digest(candidate) if bundles else b""
        place = known.get((codes[candidate.language], digest))
        if place is not None:
            places[candidate] = place
        elif (candidate.path, digest.hex()) in refused:
            entries.append(replace(refused[candidate.path, digest.hex()], project=candidate.project))
        else:
            todo.append(candidate)
        if bundles and number % 100 == 0:
            task.progress("comparing files", number, len(found.candidates))
    jobs = task.options.jobs or _processors()
    outcome = pool.analyse(todo, pool.Job(work, jobs, task.options.file_seconds, task.progress))
    names = sorted({name for name, _ in outcome.found.values()})
    numbers = {name: len(bundles) + i for i, name in enumerate(names)}
    bundles += [bundle.read(work / name) for name in names]
    places |= {candidate: (numbers[name], row) for candidate, (name, row) in outcome.found.items()}
    placed = [Placed(c.project, c.path, *places[c]) for c in found.candidates if c in places]
    return _Plan(bundles, placed, [*entries, *outcome.ledger, *_damaged(placed, bundles)])


def _processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _spooled(work: Path) -> list[Bundle]:
    """Bundles of a build that was interrupted; a broken one is as if it were not there."""
    found = []
    for path in sorted(work.glob(f"*{bundle.SUFFIX}")):
        try:
            found.append(bundle.read(path))
        except ValueError:
            path.unlink(missing_ok=True)
    return found


def _known(bundles: Sequence[Bundle]) -> dict[tuple[int, bytes], tuple[int, int]]:
    """Where the columns of a file are, by language and content hash."""
    known: dict[tuple[int, bytes], tuple[int, int]] = {}
    for number, one in enumerate(bundles):
        digests = one["digest"].tobytes()
        for row, language in enumerate(one["language"].tolist()):
            known.setdefault((language, digests[16 * row : 16 * row + 16]), (number, row))
    return known


def _digest(candidate: Candidate) -> bytes:
    try:
        with open(candidate.file, "rb") as stream:
            return reading.digest(stream.read())
    except OSError:
        return b""  # the worker that tries again says why


def _damaged(placed: Iterable[Placed], bundles: Sequence[Bundle]) -> Iterable[Entry]:
    errors = [one["parse_errors"].tolist() for one in bundles]
    for file in placed:
        count = errors[file.bundle][file.row]
        if count:
            yield Entry(file.project, file.path, Reason.DAMAGED, f"{count} place{'s' if count > 1 else ''}")


def _same_files(plan: _Plan, previous: Index) -> bool:
    """Whether the index to be has exactly the files of the old one, each in its place."""
    if len(plan.placed) != len(previous.files.lines):
        return False
    names = list(previous.projects)
    owners = [names[number] for number in previous.files.project.tolist()]
    old = zip(owners, previous.files.path, strict=True)
    same_content = all(
        plan.bundles[0]["digest"][row].tobytes() == plan.bundles[file.bundle]["digest"][file.row].tobytes()
        and plan.bundles[0]["language"][row] == plan.bundles[file.bundle]["language"][file.row]
        for row, file in enumerate(plan.placed)
        if (file.bundle, file.row) != (0, row)
    )
    return same_content and all((f.project, f.path) == o for f, o in zip(plan.placed, old, strict=True))


def _counts(base: Base) -> dict[str, int]:
    return {
        "projects": len(base.projects),
        "files": len(base.files.lines),
        "lines": int(base.files.lines.sum()),
        "functions": len(base.functions.file),
        "nodes": len(base.nodes.kind),
        "edges": len(base.edges.target),
        "calls": len(base.calls.node),
        "texts": len(base.texts.digest),
    }


def _scan_options(paths: Sequence[Path], out: Path, options: BuildOptions, update: bool) -> ScanOptions:
    if paths:
        roots = tuple(str(path.resolve()) for path in paths)
        return ScanOptions(roots, options.each, options.languages, options.include, options.exclude)
    if not update:
        raise InputError("name at least one folder to index")
    known = read_manifest(out)
    languages = options.languages or tuple(Language(name) for name in known.languages)
    include, exclude = options.include or known.include, options.exclude or known.exclude
    return ScanOptions(known.roots, options.each or known.each, languages, include, exclude)


def _blank(wanted: ScanOptions, options: BuildOptions) -> Manifest:
    names = tuple(language.value for language in wanted.languages)
    described = (wanted.roots, wanted.each, names, wanted.include, wanted.exclude, options.encoder, options.model)
    return Manifest(analyser(), *described)


def _previous(out: Path, update: bool) -> Index | None:
    """The index to take over from; one that cannot be read is built again from the sources."""
    if not update or not exists(out):
        return None
    try:
        return open_index(out)
    except IndexNewer:
        raise
    except IndexError_:
        return None


def _nothing(wanted: ScanOptions | None, entries: Sequence[Entry]) -> NoSource:
    where = f" in {', '.join(wanted.roots)}" if wanted else ""
    reasons = ", ".join(f"{count} {reason}" for reason, count in ledger.counts(entries).items())
    return NoSource(f"there is no C, C++ or Java source to index{where}" + (f" ({reasons})" if reasons else ""))


def _remove_empty(out: Path) -> None:
    (out / lock.FILE_NAME).unlink(missing_ok=True)
    try:
        out.rmdir()
    except OSError:
        return  # not empty: not ours to remove


@cache
def analyser() -> str:
    """Hash of the code and grammars that turn a file into columns."""
    found = hashlib.blake2b(digest_size=8)
    package = Path(__file__).resolve().parent.parent
    for room in ("lang", "icfg"):
        for path in sorted((package / room).glob("*.py")):
            found.update(path.read_bytes())
    for name in ("index/bundle.py", "index/joining.py", "index/reading.py", "types.py"):
        found.update((package / name).read_bytes())
    for name in _GRAMMARS:
        found.update(metadata.version(name).encode())
    return found.hexdigest()
