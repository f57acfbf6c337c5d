"""Draw the known items of `beryl find` anew: python scripts/draw_known_items.py INDEX."""

from __future__ import annotations

import sys
from pathlib import Path

from beryl import paths
from beryl.evaluate.known_items import ITEMS, draw, write_items
from beryl.index.store import open_index
from beryl.search.find_settings import read

if __name__ == "__main__":
    items = draw(open_index(Path(sys.argv[1])), read(paths.config("find.toml")))
    write_items(items, paths.data("benchmark", "find", ITEMS))
    print(f"{len(items)} items, {sum(item.split == 'test' for item in items)} of them for figures")
