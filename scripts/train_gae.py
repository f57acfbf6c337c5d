"""Train the graph autoencoder: the same as `beryl train-gae`."""

from __future__ import annotations

import sys

from beryl.cli.main import main

if __name__ == "__main__":
    sys.exit(main(["train-gae", *sys.argv[1:]]))
