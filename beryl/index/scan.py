"""Source trees -> the files to index, in index order, and the ledger of what is left out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from beryl.errors import InputError
from beryl.index.ledger import Entry, Reason
from beryl.types import Language

# Beyond this a source file is data or an amalgamation; tree-sitter would need seconds and much memory for it.
MAX_FILE_BYTES = 4 * 1024 * 1024
IGNORE_FILES = (".gitignore", ".berylignore")
# A header of this name is C or C++; only its text tells.
_C_OR_CPP = ".h"
_NEVER_SOURCE = frozenset({".git", ".hg", ".svn", "CVS", ".beryl"})

_LINK_DETAIL = "links are not followed; what they lead to is indexed where it is"

LanguageOf = Callable[[str, bytes], Language | None]


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """What to index; kept in the manifest so that an update looks at the same things."""

    roots: tuple[str, ...]
    """Absolute folders."""
    each: bool = False
    """Every sub-folder of a root is a project of its own."""
    languages: tuple[Language, ...] = ()
    """Empty means all."""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_bytes: int = MAX_FILE_BYTES


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file to index."""

    project: str
    path: str
    """Relative to the project's folder, with `/`."""
    file: str
    """Where it is now."""
    language: Language
    size: int


@dataclass(frozen=True, slots=True)
class Scan:
    """What was found: files in index order and the ledger so far."""

    candidates: tuple[Candidate, ...]
    ledger: tuple[Entry, ...]


def scan(options: ScanOptions, out: Path, language_of: LanguageOf) -> Scan:
    """Walk every project; `out` is the index directory, which is never source."""
    candidates: list[Candidate] = []
    ledger: list[Entry] = []
    for name, folder in projects(options, ledger, language_of):
        walk = _Walk(name, folder, out.resolve(), options, language_of)
        for found in walk.files():
            if isinstance(found, Candidate):
                candidates.append(found)
            else:
                ledger.append(found)
    candidates.sort(key=lambda found: (found.project, found.path))
    return Scan(tuple(candidates), tuple(ledger))


def projects(options: ScanOptions, ledger: list[Entry], language_of: LanguageOf) -> list[tuple[str, Path]]:
    """Name and folder of every project, sorted by name; equal names are told apart by their parent folder."""
    folders: list[Path] = []
    for root in dict.fromkeys(options.roots):
        folder = Path(root)
        if not folder.exists():
            raise InputError(f"there is no folder {folder}; name the folder of a project")
        if not folder.is_dir():
            raise InputError(f"{folder} is a file; name the folder of the project it belongs to")
        folders += _each(folder, ledger, language_of) if options.each else [folder]
    names = [folder.name or "root" for folder in folders]
    taken = {name for name in names if names.count(name) > 1}
    named = [
        (f"{folder.parent.name}/{folder.name}" if name in taken else name, folder)
        for name, folder in zip(names, folders, strict=True)
    ]
    twice = [name for name, _ in named if [other for other, _ in named].count(name) > 1]
    if twice:
        raise InputError(f"two projects would be named {twice[0]!r}; index them into two directories")
    return sorted(named)


def _each(root: Path, ledger: list[Entry], language_of: LanguageOf) -> list[Path]:
    found = []
    for entry in sorted(_listing(root), key=lambda item: item.name):
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in _NEVER_SOURCE:
                found.append(Path(entry.path))
        elif language_of(entry.name, b"") is not None:
            ledger.append(Entry("", entry.name, Reason.NO_PROJECT, "with --each only sub-folders are projects"))
    return found


def _listing(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError as error:
        raise InputError(f"cannot list {folder}: {error.strerror}") from None


def _is_linked_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink() and entry.is_dir()
    except OSError:
        return False  # links in a circle lead to no folder


@dataclass(frozen=True, slots=True)
class _Ignore:
    """The ignore files of one folder, for paths below it."""

    prefix: str
    patterns: GitIgnoreSpec

    def verdict(self, path: str) -> bool | None:
        """True ignored, False taken back by `!`, None not mentioned."""
        return self.patterns.check_file(path[len(self.prefix) :]).include


class _Walk:
    """One project's tree, folder by folder."""

    def __init__(self, project: str, root: Path, out: Path, options: ScanOptions, language_of: LanguageOf) -> None:
        self.project, self.root, self.out = project, root, str(out)
        self.options, self.language_of = options, language_of
        self.include = GitIgnoreSpec.from_lines(options.include) if options.include else None
        self.exclude = GitIgnoreSpec.from_lines(options.exclude)

    def files(self) -> Iterator[Candidate | Entry]:
        """Every candidate and every ledger entry below the root."""
        waiting: list[tuple[str, tuple[_Ignore, ...]]] = [("", ())]
        while waiting:
            prefix, ignores = waiting.pop()
            try:
                with os.scandir(f"{self.root}/{prefix}") as listing:
                    entries = list(listing)
            except OSError as error:
                yield Entry(self.project, prefix or "./", Reason.UNREADABLE, error.strerror or "")
                continue
            ignores = (*ignores, *self._ignore_files(prefix, entries))
            for entry in entries:
                path = prefix + entry.name
                if _is_linked_folder(entry):
                    yield Entry(self.project, f"{path}/", Reason.LINK, _LINK_DETAIL)
                elif not entry.is_dir(follow_symlinks=False):
                    yield from self._file(entry, path, ignores)
                elif entry.name not in _NEVER_SOURCE and entry.path != self.out:
                    left_out = self._left_out(f"{path}/", ignores)
                    if left_out:
                        yield left_out
                    else:
                        waiting.append((f"{path}/", ignores))

    def _ignore_files(self, prefix: str, entries: Sequence[os.DirEntry[str]]) -> Iterator[_Ignore]:
        present = {entry.name: entry.path for entry in entries}
        lines: list[str] = []
        for name in IGNORE_FILES:
            if name in present:
                try:
                    lines += Path(present[name]).read_text(encoding="utf-8", errors="replace").splitlines()
                except OSError:
                    continue  # an unreadable ignore file ignores nothing
        if lines:
            yield _Ignore(prefix, GitIgnoreSpec.from_lines(lines))

    def _left_out(self, path: str, ignores: Sequence[_Ignore]) -> Entry | None:
        if self.exclude.match_file(path):
            return Entry(self.project, path, Reason.EXCLUDED, "by --exclude")
        for ignore in reversed(ignores):
            verdict = ignore.verdict(path)
            if verdict is not None:
                detail = f"by an ignore file in {ignore.prefix or './'}"
                return Entry(self.project, path, Reason.IGNORED, detail) if verdict else None
        return None

    def _file(self, entry: os.DirEntry[str], path: str, ignores: Sequence[_Ignore]) -> Iterator[Candidate | Entry]:
        language = self.language_of(path, b"")
        header = path.lower().endswith(_C_OR_CPP)
        if language is None or not (header or self._wanted(language)):
            return
        left_out = self._left_out(path, ignores)
        if left_out:
            yield left_out
        elif self.include is not None and not self.include.match_file(path):
            yield Entry(self.project, path, Reason.EXCLUDED, "not in --include")
        elif entry.is_symlink():
            yield Entry(self.project, path, Reason.LINK, _LINK_DETAIL)
        elif entry.is_file():
            try:
                size = entry.stat().st_size
                if header and size <= self.options.max_bytes:
                    language = self.language_of(path, Path(entry.path).read_bytes()) or language
            except FileNotFoundError:
                yield Entry(self.project, path, Reason.VANISHED, "it was there when the folder was listed")
                return
            except OSError as error:
                yield Entry(self.project, path, Reason.UNREADABLE, error.strerror or "")
                return
            if size > self.options.max_bytes:
                detail = f"{size:,} bytes, the cap is {self.options.max_bytes:,}"
                yield Entry(self.project, path, Reason.TOO_LARGE, detail)
            elif self._wanted(language):
                yield Candidate(self.project, path, entry.path, language, size)
        else:
            yield Entry(self.project, path, Reason.UNREADABLE, "not a regular file but a pipe, a socket or a device")

    def _wanted(self, language: Language) -> bool:
        return not self.options.languages or language in self.options.languages
