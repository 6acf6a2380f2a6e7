# Each target sets up all it needs in .venv; nothing global is touched.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: demo app test pythons lint docs pictures notebooks bench clean

demo: $(VENV)/demo  ## The champions of the five games against the papers' agents on one screen, their replays, the speed.
	$(BIN)/python examples/demo.py

app: $(VENV)/app  ## The app in the browser; Ctrl-C ends it.
	$(BIN)/spinney app --open

test: lint  ## All checks, as CI runs them.
	$(BIN)/python -m pytest -q -n auto --dist loadfile

pythons:  ## All checks with every Python that is installed, each in an environment of its own.
	for version in 3.11 3.12 3.13 3.14; do \
		if python$$version -c '' 2> /dev/null; then \
			$(MAKE) test PYTHON=python$$version VENV=.venv-$$version || exit; \
		fi; \
	done

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

docs: $(VENV)/docs
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html

pictures: $(VENV)/dev  ## The pictures of the README and the documentation, except that of the terminal, which has times.
	$(BIN)/python -m docs.pictures

notebooks: $(VENV)/dev  ## Run the notebooks of the documentation and store their outputs.
	$(BIN)/python -m docs.notebooks

bench: $(VENV)/peers
	$(BIN)/python bench/cpp_twin.py
	$(BIN)/python bench/open_spiel.py
	$(BIN)/python bench/python_peers.py

clean:
	rm -rf .venv .venv-* docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/python:
	$(PYTHON) -c 'import sys; sys.exit("Spinney needs Python 3.11 to 3.14; name one, as in make PYTHON=python3.12" if not (3, 11) <= sys.version_info < (3, 15) else 0)'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/demo: $(VENV)/python pyproject.toml
	$(PIP) install -e .
	touch $@

$(VENV)/app: $(VENV)/python pyproject.toml
	$(PIP) install -e '.[app]'
	touch $@

$(VENV)/docs: $(VENV)/python pyproject.toml
	$(PIP) install -e '.[docs]'
	touch $@

$(VENV)/dev: $(VENV)/python pyproject.toml
	$(PIP) install -e '.[dev]'
	touch $@

$(VENV)/peers: $(VENV)/python pyproject.toml
	$(PIP) install -e '.[peers]'
	touch $@
