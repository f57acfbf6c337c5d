"""Corpora are fetched whole, checked, resumed, and never written outside their folder; no network here."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from beryl import paths
from beryl.errors import BerylError, InputError
from beryl.evaluate import corpus
from beryl.evaluate.corpus import CORPORA, AptSource, SourcePackage

C, JAVA = CORPORA["debian-c"], CORPORA["debian-java"]
FILES = {"thing-1.0/src/sort.c": b"int a;\nint b;\n", "thing-1.0/src/zlib/z.c": b"\n", "thing-1.0/README": b"hello\n"}


def package(**changes) -> SourcePackage:
    plain = SourcePackage(C, "thing", "1.0-1", "thing_1.0.orig.tar.gz", "0" * 64, include=("^src/(?!zlib/)",))
    return replace(plain, **changes)


def write_tarball(path: Path, files: dict[str, bytes], links: dict[str, str] | None = None) -> str:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        for name, target in (links or {}).items():
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, target
            archive.addfile(member)
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Shelf:
    """A store that copies one tarball and counts how often it was asked."""

    def __init__(self, tarball: Path) -> None:
        self.tarball, self.asked = tarball, 0

    def bring(self, package: SourcePackage, destination: Path) -> None:
        self.asked += 1
        if package.name == "gone":
            raise BerylError("the mirror does not list it")
        shutil.copy(self.tarball, destination)


@pytest.fixture
def shelf(tmp_path):
    return Shelf(tmp_path / "thing.tar.gz")


# Scope


def test_include_patterns_see_c_paths_without_the_top_folder():
    scope = package()
    assert scope.holds(corpus.label_path("thing-1.0/src/sort.c", C))
    assert not scope.holds(corpus.label_path("thing-1.0/src/zlib/z.c", C))
    assert not scope.holds(corpus.label_path("thing-1.0/lib/sort.c", C))


def test_java_paths_keep_the_top_folder():
    scope = package(corpus=JAVA, include=("thing-1.0/core/",))
    assert scope.holds(corpus.label_path("thing-1.0/core/Sort.java", JAVA))
    assert not scope.holds(corpus.label_path("thing-1.0/other/Sort.java", JAVA))


def test_exclude_pattern_and_excluded_folders_win_over_include():
    assert not package(exclude=r"(^|/)tests?/").holds("src/test/sort.c")
    scope = package(corpus=JAVA, include=(), excluded_folders=frozenset({"test"}))
    assert not scope.holds("a/test/Sort.java")
    assert scope.holds("a/testing/Sort.java")
    assert scope.holds("a/test.java")


@pytest.mark.parametrize("name", ["a.c", "a.h", "a.cc", "a.cpp", "a.hpp"])
def test_every_c_suffix_is_in_scope(name):
    assert package(include=()).holds(name)


@pytest.mark.parametrize("name", ["a.py", "a.java", "Makefile", "a.c.orig", "c"])
def test_other_files_are_out_of_scope(name):
    assert not package(include=()).holds(name)


def test_every_label_is_in_the_scope_of_its_package():
    for name, labels in (("debian-c", "labels_c.jsonl"), ("debian-java", "labels_java.jsonl")):
        packages = {p.name: p for p in corpus.read_packages(CORPORA[name], paths.data("benchmark"))}
        for line in paths.data("benchmark", labels).read_text(encoding="utf-8").splitlines():
            label = json.loads(line)
            assert packages[label["package"]].holds(label["path"]), label["path"]


# Selection


def test_core_is_a_part_of_mixed_in_both_languages():
    folder = paths.data("benchmark")
    core, mixed = corpus.select("mixed", folder, core=True), corpus.select("mixed", folder)
    assert set(core) < set(mixed)
    assert {p.corpus.name for p in core} == {"debian-c", "debian-java"}


def test_unknown_names_are_refused_with_what_is_known():
    with pytest.raises(InputError, match=r"no-such.*glpk"):
        corpus.select("debian-c", paths.data("benchmark"), ["no-such"])
    with pytest.raises(InputError, match="debian-java"):
        corpus.select("debian-rust", paths.data("benchmark"))
    with pytest.raises(InputError, match="no core package"):
        corpus.select("debian-libc", paths.data("benchmark"), core=True)


# Fetching


def test_a_fetched_package_has_only_the_files_in_scope_and_leaves_no_tarball(tmp_path, shelf):
    thing = package(sha256=write_tarball(shelf.tarball, FILES))
    assert corpus.fetch_package(thing, shelf, tmp_path / "out") == corpus.Size(files=1, lines=2)
    found = {str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").rglob("*") if p.is_file()}
    assert found == {"debian-c/thing/src/sort.c", "debian-c/thing/.complete"}


def test_a_tarball_with_another_sha256_is_refused(tmp_path, shelf):
    write_tarball(shelf.tarball, FILES)
    with pytest.raises(BerylError, match=r"sha256 .* the list says 0000"):
        corpus.fetch_package(package(), shelf, tmp_path / "out")
    assert not list((tmp_path / "out").rglob("*.c"))
    assert not list((tmp_path / "out").rglob("*.tar.gz"))


def test_complete_packages_are_not_fetched_again(tmp_path, shelf, monkeypatch):
    thing = package(sha256=write_tarball(shelf.tarball, FILES))
    corpus.fetch_package(thing, shelf, tmp_path)
    monkeypatch.setattr(corpus, "PrivateApt", None)
    [outcome] = corpus.fetch([thing], tmp_path)
    assert (outcome.size, outcome.fresh) == (corpus.Size(1, 2), False)


def test_a_new_version_or_scope_is_fetched_again(tmp_path, shelf):
    thing = package(sha256=write_tarball(shelf.tarball, FILES))
    corpus.fetch_package(thing, shelf, tmp_path)
    assert corpus.completed(tmp_path, thing)
    assert not corpus.completed(tmp_path, replace(thing, sha256="1" * 64))
    assert not corpus.completed(tmp_path, replace(thing, include=()))


def test_a_package_without_its_marker_is_incomplete(tmp_path, shelf):
    thing = package(sha256=write_tarball(shelf.tarball, FILES))
    corpus.fetch_package(thing, shelf, tmp_path)
    (tmp_path / "debian-c" / "thing" / corpus.MARKER).unlink()
    (tmp_path / "debian-c" / "thing" / "stale.c").touch()
    assert corpus.completed(tmp_path, thing) is None
    corpus.fetch_package(thing, shelf, tmp_path)
    assert not (tmp_path / "debian-c" / "thing" / "stale.c").exists()


def test_one_missing_package_does_not_stop_the_others(tmp_path, shelf):
    thing = package(sha256=write_tarball(shelf.tarball, FILES))
    lost, found = corpus.fetch_from(shelf, [replace(thing, name="gone"), thing], tmp_path)
    assert (lost.size, lost.reason) == (None, "the mirror does not list it")
    assert found.size == corpus.Size(1, 2)


# Unsafe members


@pytest.mark.parametrize("name", ["/etc/evil.c", "thing-1.0/../../evil.c", "../evil.c"])
def test_paths_that_leave_the_folder_are_refused(tmp_path, shelf, name):
    thing = package(include=(), sha256=write_tarball(shelf.tarball, {**FILES, name: b"evil\n"}))
    with pytest.raises(BerylError, match="unsafe path"):
        corpus.fetch_package(thing, shelf, tmp_path / "out")
    assert not list(tmp_path.rglob("evil.c"))
    assert not (tmp_path / "out" / "debian-c" / "thing").exists()


def test_links_are_never_made(tmp_path, shelf):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    digest = write_tarball(shelf.tarball, FILES, links={"thing-1.0/src/link.c": str(secret)})
    corpus.fetch_package(package(sha256=digest), shelf, tmp_path / "out")
    assert not list((tmp_path / "out").rglob("link.c"))


def test_a_broken_tarball_is_one_clear_error(tmp_path):
    (tmp_path / "broken.tar.gz").write_bytes(b"not a tarball")
    with pytest.raises(BerylError, match=r"broken\.tar\.gz cannot be unpacked"):
        corpus.unpack(tmp_path / "broken.tar.gz", package(), tmp_path / "out")


# apt's source lists

ONE_LINE = """
# a comment
deb http://mirror.example/debian stable main contrib  # trailing
deb [arch=amd64 signed-by=/keys/a.gpg] https://mirror.example/security stable-security main
deb-src http://mirror.example/flat ./
deb cdrom:[Debian]/ stable main
#deb http://mirror.example/disabled stable main
"""

DEB822 = """# head
Types: deb
# between the fields
URIs: http://one.example/debian http://two.example/debian
Suites: stable stable-updates
Components: main
Architectures: amd64
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc

Types: deb
URIs: http://off.example/debian
Suites: stable
Components: main
Enabled: no
"""


def test_one_line_entries():
    assert corpus.parse_one_line(ONE_LINE) == [
        AptSource(("http://mirror.example/debian",), ("stable",), ("main", "contrib")),
        AptSource(("https://mirror.example/security",), ("stable-security",), ("main",), {"Signed-By": "/keys/a.gpg"}),
        AptSource(("http://mirror.example/flat",), ("./",)),
    ]


def test_deb822_entries_become_deb_src_with_their_key():
    [source] = corpus.parse_deb822(DEB822)
    assert source.suites == ("stable", "stable-updates")
    assert source.as_deb_src() == (
        "Types: deb-src\n"
        "URIs: http://one.example/debian http://two.example/debian\n"
        "Suites: stable stable-updates\n"
        "Components: main\n"
        "Signed-By: \n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n abc\n"
    )


def test_the_machines_sources_are_read_from_both_notations(tmp_path):
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list").write_text("deb http://a.example stable main\n")
    (tmp_path / "sources.list.d" / "b.list").write_text("deb http://b.example stable main\n")
    (tmp_path / "sources.list.d" / "c.sources").write_text("Types: deb\nURIs: http://c.example\nSuites: stable\n")
    (tmp_path / "sources.list.d" / "d.list.disabled").write_text("deb http://d.example stable main\n")
    assert [source.uris[0][7] for source in corpus.machine_sources(tmp_path)] == ["a", "b", "c"]


def test_a_machine_without_sources_is_told_so(tmp_path):
    with pytest.raises(BerylError, match="no package source"):
        corpus.machine_sources(tmp_path)


# The private apt


def answering(monkeypatch, answers: dict[str, str]) -> list[list[str]]:
    """Replace programs by a table from the last argument to standard output; gives the commands that ran."""
    commands: list[list[str]] = []

    def run(command, **_):
        commands.append(command)
        return subprocess.CompletedProcess(command, 0, answers.get(command[-1], ""), "E: nothing\n")

    monkeypatch.setattr(corpus.subprocess, "run", run)
    return commands


def test_the_private_configuration_names_only_its_own_folder(tmp_path, monkeypatch):
    commands = answering(monkeypatch, {})
    source = AptSource(("http://a.example",), ("stable",), ("main",))
    apt = corpus.PrivateApt(tmp_path, [source, source])
    with pytest.raises(BerylError, match="no source index"):
        apt.update()
    assert commands == [["apt-get", "-c", str(tmp_path / "apt.conf"), "update"]]
    settings = [line for line in (tmp_path / "apt.conf").read_text().splitlines() if line.startswith("Dir::")]
    assert settings
    assert all(f'"{tmp_path}/' in line for line in settings)
    assert (tmp_path / "entries.sources").read_text() == source.as_deb_src()


def test_the_listed_version_comes_first_then_the_pool_folder(tmp_path, monkeypatch):
    old = "'http://a.example/pool/old/thing_1.0.orig.tar.gz' thing_1.0.orig.tar.gz 9 SHA256:00\n"
    new = "'http://a.example/pool/new/thing_2.0-1.dsc' thing_2.0-1.dsc 9 SHA256:00\n"
    answering(monkeypatch, {"thing=1.0-1": old, "thing": new})
    assert corpus.PrivateApt(tmp_path, []).uris(package()) == [
        "http://a.example/pool/old/thing_1.0.orig.tar.gz",
        "http://a.example/pool/new/thing_1.0.orig.tar.gz",
    ]


def test_a_package_the_mirror_does_not_have_is_named(tmp_path, monkeypatch):
    answering(monkeypatch, {})
    with pytest.raises(BerylError, match=r"thing_1\.0\.orig\.tar\.gz .*1\.0-1.* does not list it"):
        corpus.PrivateApt(tmp_path, []).bring(package(), tmp_path / "thing.tar.gz")


def test_a_machine_without_apt_is_told_so(tmp_path, monkeypatch):
    def run(command, **_):
        raise FileNotFoundError(command[0])

    monkeypatch.setattr(corpus.subprocess, "run", run)
    with pytest.raises(BerylError, match="apt-get is not installed"):
        corpus.PrivateApt(tmp_path, []).update()
