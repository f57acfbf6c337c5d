# `make` alone lists what can be done.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help setup demo test check lint types pytest clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(READY) ## create .venv and install the pinned set

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

demo: $(READY) ## run the main job on what the repository ships
	bash scripts/demo.sh $(BIN)/beryl

test: check ## set up, then ruff, mypy and pytest

check: lint types pytest ## the same as test

lint: $(READY) ## ruff
	$(BIN)/ruff check .

types: $(READY) ## mypy --strict
	$(BIN)/mypy

pytest: $(READY) ## the test suite, on both cores
	$(BIN)/python -m pytest -n 2 --dist loadfile

clean: ## remove what was built
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache
