"""The benchmark's corpora: Debian source packages, brought from the mirror this machine is set up with.

    corpus_*.json -> SourcePackage -> PrivateApt (URI, tarball) -> unpack -> <out>/<corpus>/<package>/<path>

The machine's own apt configuration is read, never changed: lists, caches and source entries of
PrivateApt live in a temporary folder.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from beryl.errors import BerylError, InputError

MARKER = ".complete"
DOWNLOADS = ".downloads"
APT_FOLDER = Path("/etc/apt")
APT_HELPER = "/usr/lib/apt/apt-helper"
C_SUFFIXES = frozenset({".c", ".h", ".cc", ".cpp", ".hpp"})
JAVA_SUFFIXES = frozenset({".java"})
_EVERYTHING = "(all)"  # how the Java list says "no include filter"

Step = Callable[[str], None]


@dataclass(frozen=True)
class Corpus:
    """A named list of packages, and how the paths in its list and labels are written."""

    name: str
    list_file: str
    suffixes: frozenset[str]
    strips_top_folder: bool


CORPORA = {
    corpus.name: corpus
    for corpus in (
        Corpus("debian-java", "corpus_java.json", JAVA_SUFFIXES, strips_top_folder=False),
        Corpus("debian-c", "corpus_c.json", C_SUFFIXES, strips_top_folder=True),
        Corpus("debian-libc", "corpus_libc.json", C_SUFFIXES, strips_top_folder=True),
        Corpus("debian-algo", "corpus_algo.json", C_SUFFIXES, strips_top_folder=True),
    )
}
SELECTIONS: dict[str, tuple[str, ...]] = {
    **{name: (name,) for name in CORPORA},
    "mixed": ("debian-java", "debian-c"),
    "all": tuple(CORPORA),
}


@dataclass(frozen=True)
class SourcePackage:
    """One Debian source package and the part of its upstream tarball that is in scope."""

    corpus: Corpus
    name: str
    version: str
    tarball: str
    sha256: str
    include: tuple[str, ...] = ()
    exclude: str = ""
    excluded_folders: frozenset[str] = frozenset()
    core: bool = False

    def holds(self, path: str) -> bool:
        """Whether a path, written as in the labels, is in scope."""
        pure = PurePosixPath(path)
        if pure.suffix not in self.corpus.suffixes or self.excluded_folders.intersection(pure.parts[:-1]):
            return False
        if self.exclude and re.search(self.exclude, path):
            return False
        return not self.include or any(re.match(pattern, path) for pattern in self.include)

    def scope(self) -> str:
        """A digest of everything that decides which files are unpacked."""
        parts = (self.include, self.exclude, sorted(self.excluded_folders), sorted(self.corpus.suffixes))
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def read_packages(corpus: Corpus, folder: Path) -> tuple[SourcePackage, ...]:
    """The packages of one corpus, from its list in a folder."""
    path = folder / corpus.list_file
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"the list of corpus {corpus.name} cannot be read from {path}: {error}") from error
    return tuple(_package(corpus, row) for row in rows)


def _package(corpus: Corpus, row: dict[str, Any]) -> SourcePackage:
    return SourcePackage(
        corpus=corpus,
        name=row["package"],
        version=row.get("debian_version", row["version"]),
        tarball=row["orig_tarball"],
        sha256=row["sha256"],
        include=tuple(pattern for pattern in row.get("include", ()) if pattern != _EVERYTHING),
        exclude=row.get("exclude", ""),
        excluded_folders=frozenset(row.get("exclude_dir_names", ())),
        core=row.get("core", False),
    )


def select(selection: str, folder: Path, names: Sequence[str] = (), core: bool = False) -> tuple[SourcePackage, ...]:
    """The packages of a selection, narrowed to the core and to some names."""
    if selection not in SELECTIONS:
        raise InputError(f"no corpus is called {selection!r}; there are: {', '.join(SELECTIONS)}")
    packages = [package for name in SELECTIONS[selection] for package in read_packages(CORPORA[name], folder)]
    unknown = sorted(set(names) - {package.name for package in packages})
    if unknown:
        known = ", ".join(package.name for package in packages)
        raise InputError(f"{selection} has no package {', '.join(unknown)}; it has: {known}")
    chosen = tuple(p for p in packages if (p.core or not core) and (not names or p.name in names))
    if not chosen:
        raise InputError(f"{selection} has no core package" + (" of that name" if names else ""))
    return chosen


@dataclass(frozen=True)
class AptSource:
    """Where apt finds packages: one entry of a sources list, in either notation."""

    uris: tuple[str, ...]
    suites: tuple[str, ...]
    components: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict)

    def as_deb_src(self) -> str:
        """The entry as a deb822 paragraph that offers source packages."""
        fields = {"Types": "deb-src", "URIs": " ".join(self.uris), "Suites": " ".join(self.suites)}
        if self.components:
            fields["Components"] = " ".join(self.components)
        return "".join(f"{name}: {value}\n" for name, value in {**fields, **self.options}.items())


_ONE_LINE = re.compile(
    r"^\s*deb(?:-src)?\s+(?:\[(?P<options>[^\]]*)\]\s*)?(?P<uri>\S+)\s+(?P<suite>\S+)(?P<components>.*)$"
)
_BINARY_ONLY = frozenset({"arch", "architectures", "lang", "languages", "target", "targets", "pdiffs", "by-hash"})


def parse_one_line(text: str) -> list[AptSource]:
    """The entries of a `.list` file: `deb [option=value] uri suite component ...`."""
    sources = []
    for line in text.splitlines():
        found = _ONE_LINE.match(line.split("#", 1)[0])
        if not found or found["uri"].startswith("cdrom:"):
            continue
        pairs = (option.partition("=") for option in (found["options"] or "").split())
        options = {name.title(): value for name, _, value in pairs if name.lower().rstrip("+-") not in _BINARY_ONLY}
        sources.append(AptSource((found["uri"],), (found["suite"],), tuple(found["components"].split()), options))
    return sources


def parse_deb822(text: str) -> list[AptSource]:
    """The enabled entries of a `.sources` file: paragraphs of `Field: value`."""
    sources = []
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for paragraph in re.split(r"\n\s*\n", lines):
        fields = _fields(paragraph)
        types, uris = fields.pop("types", "").split(), fields.pop("uris", "").split()
        suites, components = fields.pop("suites", "").split(), fields.pop("components", "").split()
        enabled = fields.pop("enabled", "yes").strip().lower() not in ("no", "false", "without", "off", "disable", "0")
        if enabled and uris and suites and {"deb", "deb-src"}.intersection(types):
            options = {name.title(): value for name, value in fields.items() if name not in _BINARY_ONLY}
            sources.append(AptSource(tuple(uris), tuple(suites), tuple(components), options))
    return sources


def _fields(paragraph: str) -> dict[str, str]:
    """Fields by lower-case name; a folded value (an inline key) keeps its line breaks."""
    fields: dict[str, str] = {}
    name = ""
    for line in paragraph.splitlines():
        if line[:1].isspace() and name:
            fields[name] += "\n" + line
        elif ":" in line:
            name, _, value = line.partition(":")
            name = name.strip().lower()
            fields[name] = value.strip()
    return fields


def machine_sources(apt_folder: Path = APT_FOLDER) -> list[AptSource]:
    """Every entry that this machine's apt is configured with."""
    files = [apt_folder / "sources.list", *sorted((apt_folder / "sources.list.d").glob("*"))]
    sources: list[AptSource] = []
    for path in files:
        if path.is_file() and path.suffix in (".list", ".sources"):
            parse = parse_deb822 if path.suffix == ".sources" else parse_one_line
            sources.extend(parse(path.read_text(encoding="utf-8")))
    if not sources:
        raise BerylError(f"apt has no package source under {apt_folder}; fetching needs a configured Debian mirror")
    return sources


class TarballStore(Protocol):
    """Anything that can bring a package's upstream tarball."""

    def bring(self, package: SourcePackage, destination: Path) -> None:
        """Write the tarball to the destination, or raise BerylError."""


class PrivateApt:
    """apt with its own source entries, lists and caches, all under one folder."""

    def __init__(self, folder: Path, sources: Sequence[AptSource]) -> None:
        self._configuration = folder / "apt.conf"
        for name in ("lists/partial", "cache/archives/partial", "parts"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)  # apt downloads as an unprivileged user when root starts it
        entries = folder / "entries.sources"
        paragraphs = dict.fromkeys(source.as_deb_src() for source in sources)
        entries.write_text("\n".join(paragraphs), encoding="utf-8")
        # A machine's update hooks tidy the system's own caches: none of our business.
        hooks = ("Pre-Invoke", "Post-Invoke", "Post-Invoke-Success")
        settings = {
            "Dir::Etc::SourceList": entries,
            "Dir::Etc::SourceParts": folder / "parts",
            "Dir::State::Lists": folder / "lists",
            "Dir::Cache": folder / "cache",
        }
        lines = [f"#clear APT::Update::{hook};" for hook in hooks]
        lines += [f'{name} "{value}";' for name, value in settings.items()]
        self._configuration.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def update(self) -> None:
        """Read the source indexes; an entry without sources is no reason to stop."""
        done = self._run("apt-get", "update")
        if not any((self._configuration.parent / "lists").glob("*Sources*")):
            raise BerylError(f"apt found no source index on this machine's mirror: {_first_error(done.stderr)}")

    def uris(self, package: SourcePackage) -> list[str]:
        """Where the tarball may be, best first: the listed version, any version, the same pool folder."""
        listed = self._print_uris(f"{package.name}={package.version}")
        current = self._print_uris(package.name)
        found = [offers[package.tarball] for offers in (listed, current) if package.tarball in offers]
        pools = [uri.rpartition("/")[0] for name, uri in current.items() if name.endswith(".dsc")]
        found += [f"{pool}/{package.tarball}" for pool in pools]
        return list(dict.fromkeys(found))

    def bring(self, package: SourcePackage, destination: Path) -> None:
        """Download the tarball from the first place that has it."""
        reason = "the mirror does not list it"
        for uri in self.uris(package):
            done = self._run(APT_HELPER, "download-file", uri, str(destination), f"SHA256:{package.sha256}")
            if done.returncode == 0 and destination.is_file():
                return
            reason = _first_error(done.stderr)
        raise BerylError(f"{package.tarball} (version {package.version}) could not be got: {reason}")

    def _print_uris(self, request: str) -> dict[str, str]:
        """File name to URI, for what `apt-get source` would download."""
        done = self._run("apt-get", "--print-uris", "--only-source", "--download-only", "source", request)
        return {name: uri for uri, name in re.findall(r"^'([^']+)' (\S+) ", done.stdout, re.MULTILINE)}

    def _run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [program, "-c", str(self._configuration), *arguments]
        try:
            return subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError as error:
            raise BerylError(f"{program} is not installed; fetching corpora needs apt (Debian, Ubuntu)") from error


def _first_error(text: str) -> str:
    """What apt complained about first; later lines only say that it gave up."""
    errors = [line.removeprefix("E: ") for line in text.splitlines() if line.startswith("E:")]
    return errors[0] if errors else "no reason given"


def check_sha256(path: Path, expected: str) -> None:
    """Raise BerylError unless the file is the listed one."""
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != expected:
        raise BerylError(f"{path.name} has sha256 {found}, the list says {expected}; it is not used")


def label_path(member: str, corpus: Corpus) -> str:
    """A tar member's path as the labels write it; empty when nothing is left of it."""
    pure = PurePosixPath(member)
    if pure.is_absolute() or ".." in pure.parts:
        raise BerylError(f"the tarball holds the unsafe path {member!r}; nothing of it is used")
    return "/".join(pure.parts[1:] if corpus.strips_top_folder else pure.parts)


@dataclass(frozen=True)
class Size:
    """How much of a package is in scope."""

    files: int
    lines: int


def unpack(tarball: Path, package: SourcePackage, destination: Path) -> Size:
    """Write the files in scope under the destination; links and devices are never followed nor made."""
    files = lines = 0
    try:
        with tarfile.open(tarball, "r|*") as archive:
            for member in archive:
                path = label_path(member.name, package.corpus)
                stream = archive.extractfile(member) if member.isreg() and package.holds(path) else None
                if stream is None:
                    continue
                target = destination / path
                target.parent.mkdir(parents=True, exist_ok=True)
                content = stream.read()
                target.write_bytes(content)
                files, lines = files + 1, lines + content.count(b"\n")
    except (tarfile.TarError, EOFError, OSError) as error:
        raise BerylError(f"{tarball.name} cannot be unpacked: {error}") from error
    if not files:
        raise BerylError(f"{tarball.name} holds no file in the scope of {package.name}; check its include patterns")
    return Size(files, lines)


def package_folder(out: Path, package: SourcePackage) -> Path:
    """Where a package's files are: label paths start here."""
    return out / package.corpus.name / package.name


def completed(out: Path, package: SourcePackage) -> Size | None:
    """The size of a package that is already there, whole and in its present scope."""
    try:
        marker = json.loads((package_folder(out, package) / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if (marker.get("sha256"), marker.get("scope")) != (package.sha256, package.scope()):
        return None
    return Size(marker["files"], marker["lines"])


def fetch_package(package: SourcePackage, store: TarballStore, out: Path, step: Step = lambda _: None) -> Size:
    """Bring, check and unpack one package; killed half-way, it leaves no folder that looks complete."""
    folder, downloads = package_folder(out, package), out / DOWNLOADS
    partial = folder.with_name(f".{package.name}.partial")
    downloads.mkdir(parents=True, exist_ok=True)
    tarball = downloads / package.tarball
    try:
        step(f"{package.name}: downloading")
        store.bring(package, tarball)
        check_sha256(tarball, package.sha256)
        step(f"{package.name}: unpacking")
        shutil.rmtree(partial, ignore_errors=True)
        size = unpack(tarball, package, partial)
        marker = {"sha256": package.sha256, "scope": package.scope(), "files": size.files, "lines": size.lines}
        (partial / MARKER).write_text(json.dumps(marker) + "\n", encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    finally:
        tarball.unlink(missing_ok=True)
        shutil.rmtree(partial, ignore_errors=True)
    return size


@dataclass(frozen=True)
class Outcome:
    """What became of one package: a size, or the reason why it is missing."""

    package: SourcePackage
    size: Size | None = None
    fresh: bool = False
    reason: str = ""


def fetch(packages: Sequence[SourcePackage], out: Path, step: Step = lambda _: None) -> Iterator[Outcome]:
    """Bring every package that is not yet complete, one outcome for each."""
    present = {package: size for package in packages if (size := completed(out, package))}
    yield from (Outcome(package, size) for package, size in present.items())
    wanted = [package for package in packages if package not in present]
    if not wanted:
        return
    with tempfile.TemporaryDirectory(prefix="beryl-apt-") as folder:
        apt = PrivateApt(Path(folder), machine_sources())
        step("reading the mirror's source index")
        apt.update()
        yield from fetch_from(apt, wanted, out, step)
    if not any((out / DOWNLOADS).iterdir()):
        (out / DOWNLOADS).rmdir()


def fetch_from(
    store: TarballStore, packages: Sequence[SourcePackage], out: Path, step: Step = lambda _: None
) -> Iterator[Outcome]:
    """Bring packages from a store; one that fails does not stop the others."""
    for package in packages:
        try:
            yield Outcome(package, fetch_package(package, store, out, step), fresh=True)
        except BerylError as error:
            yield Outcome(package, reason=str(error))
