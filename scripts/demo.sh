#!/usr/bin/env bash
# The main job on what the repository ships: index data/demo, then ask it with pseudocode whose answer can be checked.
set -euo pipefail
beryl=${1:-beryl}
cd "$(dirname "$0")/.."
run() { echo "\$ beryl $*"; "$beryl" "$@"; echo; }
run index data/demo --each --out .beryl
run query data/queries/gcd.txt -k 2 --explain
run find cheapest wiring -k 1
