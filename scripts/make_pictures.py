"""Make the pictures in docs/ from the demo corpus: `python scripts/make_pictures.py`. Needs a Chromium."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import beryl
from beryl import paths
from beryl.cli import page
from beryl.icfg.svg import to_svg
from beryl.index.store import BuildOptions
from beryl.lang.pseudo import frontend
from beryl.types import PseudocodeQuery

SHORT, LONG = "shell-sort", "red-black-tree"
"""A short algorithm and one of more than fifty lines."""
PICTURES = {
    "page-light": (SHORT, "#s1-r1-q10", (1200, 900), "light"),
    "page-dark": (LONG, "#s1-r1-q24", (1200, 900), "dark"),
    "page-narrow": (SHORT, "", (500, 900), "light"),
}
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars"),
)
SCHEMES = {"dark": "0", "light": "1"}
"""Blink's numbers of the colour schemes."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs"), help="folder of the pictures (default: docs)")
    parser.add_argument("--ranking", default="fused", help="ranking of the results shown (default: fused)")
    args = parser.parse_args()
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        print("no Chromium found; install one, for example with `apt-get install chromium`", file=sys.stderr)
        return 2
    args.out.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        pages = write_pages(Path(folder), args.ranking)
        for name, (query, anchor, size, scheme) in PICTURES.items():
            take(browser, pages[query].as_uri() + anchor, args.out / f"{name}.png", size, scheme)
            print(args.out / f"{name}.png")
    (args.out / "icfg.svg").write_text(to_svg(frontend.read(query_text(SHORT), SHORT).icfg), encoding="utf-8")
    print(args.out / "icfg.svg")
    return 0


def query_text(name: str) -> str:
    return paths.data("queries", f"{name}.txt").read_text(encoding="utf-8")


def write_pages(folder: Path, ranking: str) -> dict[str, Path]:
    options = BuildOptions(tables=("terms", "shapes", "vectors"), each=True)
    engine = beryl.build([paths.data("demo")], folder / "demo.beryl", options)
    pages = {}
    for name in (SHORT, LONG):
        result = engine.search(PseudocodeQuery(query_text(name), name, k=5, ranking=ranking))
        pages[name] = folder / f"{name}.html"
        pages[name].write_text(page.document([engine.detailed(result)]), encoding="utf-8")
    return pages


def take(browser: str, address: str, picture: Path, size: tuple[int, int], scheme: str) -> None:
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, *FLAGS, f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}"]
        command += ["--run-all-compositor-stages-before-draw", "--virtual-time-budget=2000"]
        command += [f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}", f"--screenshot={picture.resolve()}"]
        subprocess.run([*command, address], check=True, capture_output=True, timeout=300)


if __name__ == "__main__":
    sys.exit(main())
