"""Sweeps run what is missing, and only that."""

from __future__ import annotations

import pytest

from beryl import config, engine, paths
from beryl.errors import InputError
from beryl.evaluate import session, sweep
from beryl.evaluate.sweep import Sweep
from beryl.index.store import BuildOptions


@pytest.fixture(scope="module")
def indexes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("indexes")
    projects = sorted(path for path in paths.data("demo").iterdir() if path.is_dir())
    engine.build(projects, folder / "demo", BuildOptions(tables=("terms",), jobs=1))
    return folder


def test_a_sweep_resumes_and_reports_what_could_not_be_run(indexes, tmp_path, monkeypatch):
    wanted = Sweep(rankings=("no-such-ranking",), names=(True,))
    report = sweep.run(wanted, indexes, tmp_path, lambda text: None)
    first = report.read_text()
    assert "unknown ranking 'no-such-ranking'" in first
    assert "| demo, multiple projects, with names |" in first
    monkeypatch.setattr(session.benchmark, "run", lambda *_: pytest.fail("was run again"))
    sweep.run(Sweep(rankings=(), names=(True,)), indexes, tmp_path, lambda text: None)
    assert "no-such-ranking" not in report.read_text()


def test_every_combination_is_a_table_of_its_own():
    settings, encoders = ("multi-project", "one-project"), ("static", "granite")
    wanted = Sweep(benches=("demo", "debian-c"), settings=settings, encoders=encoders, core=True)
    folders = [table.folder for table in sweep.tables(wanted)]
    assert len(folders) == len(set(folders)) == 2 * 2 * 2 * 2
    assert folders[0] == "demo-multi"
    assert folders[-1] == "debian-c-core-granite-one-no-names"


def test_an_unknown_setting_is_refused():
    with pytest.raises(InputError, match="unknown setting 'all'"):
        list(sweep.tables(Sweep(settings=("all",))))


@pytest.mark.parametrize("path", sorted(paths.config("eval").glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_configurations_name_tables(path):
    assert list(sweep.tables(config.read(Sweep, path)))
