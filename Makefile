# make run: the dashboard on http://localhost:8501 (PORT=... overrides). make test: every check and test.
PORT ?= 8501
API_PORT ?= 8000
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CREDIT_ATLAS_STORE ?= .store
KEYS ?= $(CREDIT_ATLAS_STORE)/keys.json
export CREDIT_ATLAS_STORE
export STREAMLIT_BROWSER_GATHER_USAGE_STATS = false

# What is installed is what the locks name, to the byte; what is built is built by what they name.
INSTALL := -m pip install --quiet --disable-pip-version-check --require-hashes
OURS := -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation
TEAM_LOCK := services/shelf/deploy/requirements.txt
TOOLS := build/tools
LONG = ATLAS_TIER=long $(BIN)/python -m pytest -n auto --dist loadfile --timeout 3600

.PHONY: run serve test test-long test-team test-tools quick check bench mutate demo lock sbom licences holes clean help

help:  ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /: /'

run: $(STAMP)  ## install, fill the store on first start, serve the dashboard
	@$(BIN)/creditatlas demo --if-empty
	@$(BIN)/creditatlas up --port $(PORT)

serve: $(STAMP)  ## the store as the API on http://127.0.0.1:8000 (API_PORT=...); makes a first key
	@$(BIN)/creditatlas demo --if-empty
	@test -f $(KEYS) || echo "First key, shown once: $$($(BIN)/creditatlas keys add --tier complete --environment production --keys $(KEYS))"
	@$(BIN)/creditatlas serve --port $(API_PORT) --keys $(KEYS)

test: $(STAMP)-dev check  ## install, lint, types, architecture, all tests
	@$(BIN)/python -m pytest -n auto --dist loadfile --maxfail 10 -m "not browser and not team and not tools and not long"
	@$(BIN)/python -m tests.alone -n auto --dist loadfile -m "browser and not team and not long" tests/browser tests/platform

test-long: $(STAMP)-dev  ## all kills, damages and walks, new examples, every page and width, what stays open
	@$(LONG) -W error -m "not browser and not team and not tools"
	@$(LONG) -m "browser and long and not team"
	@$(LONG) -m "team and (long or hypothesis)"

test-team: $(STAMP)-dev  ## the tests of a team's installation, against real servers
	@$(BIN)/python -m tests.alone -n 3 --dist loadfile -m "team and not long" tests/team

test-tools: $(STAMP)-dev  ## the tests of the benchmark, of mutation, and of the demonstration's generator
	@$(BIN)/python -m pytest -n auto --dist loadfile -m tools tests/bench tests/mutate tests/importers tests/tables

# No browser, no pages, no servers: what a change is tried on before it is committed.
QUICK := tests/golden tests/contract tests/client tests/components tests/names tests/rates \
  tests/signals tests/importers tests/test_architecture.py tests/test_cache.py tests/test_one_place.py

quick: check  ## lint, types, architecture, and the tests that need neither browser nor server
	@$(BIN)/python -m pytest -q -n auto --dist loadfile -m "not tools" $(QUICK)

check: $(STAMP)-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check -q .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache > $(VENV)/imports.log || (cat $(VENV)/imports.log; exit 1)

bench: $(STAMP)-dev  ## timings at 5,000 and 1,000,000 loans
	@$(BIN)/python -m tests.bench.visits
	@$(BIN)/python -m tests.bench.run

mutate: $(STAMP)-dev  ## changes the product site by site, says what no test notices (MUTATE="--limit 50")
	@$(BIN)/python -m tests.mutate $(MUTATE)

demo: $(STAMP)  ## rebuild the demonstration store
	@$(BIN)/creditatlas demo

# Versions in a lock stay where they are; UPGRADE=--upgrade, or "--upgrade-package NAME", moves them.
COMPILE = $(TOOLS)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --only-binary :all: --emit-build-options --no-header --annotation-style line $(UPGRADE)

lock: $(TOOLS)/.installed  ## write the locks for pyproject.toml (UPGRADE=--upgrade)
	@$(COMPILE) --group build pyproject.toml -o requirements.txt > /dev/null
	@$(COMPILE) --group build pyproject.toml -c requirements.txt --extra team -o $(TEAM_LOCK) > /dev/null
	@$(COMPILE) --group build pyproject.toml -c $(TEAM_LOCK) --extra team --extra dev \
	  -o tests/requirements.txt > /dev/null
	@$(COMPILE) --group pyproject.toml:supply -o tests/supply/requirements.txt > /dev/null

sbom: $(TOOLS)/.installed $(STAMP)-dev  ## what a team's installation is made of, as CycloneDX: dist/creditatlas.cdx.json
	@rm -rf build/runtime && $(PYTHON) -m venv --without-pip build/runtime && mkdir -p dist
	@$(TOOLS)/bin/python -m pip --python build/runtime/bin/python $(subst -m pip,,$(INSTALL)) -r $(TEAM_LOCK)
	@$(TOOLS)/bin/cyclonedx-py environment build/runtime/bin/python --pyproject pyproject.toml \
	  --output-reproducible --validate -o dist/creditatlas.cdx.json
	@$(BIN)/python -m tests.supply.licences dist/creditatlas.cdx.json

licences: $(STAMP)-dev  ## the licence of every package that a team's installation runs on
	@$(BIN)/python -m tests.supply.licences

holes: $(STAMP)  ## known holes of these packages, by a file that was carried here: VULNERABILITIES=osv.zip
	@$(BIN)/python -m tests.supply.holes $(VULNERABILITIES)

$(TOOLS)/.installed: tests/supply/requirements.txt
	@$(PYTHON) -m venv $(TOOLS)
	@$(TOOLS)/bin/python $(INSTALL) -r $<
	@touch $@

clean:  ## remove what was installed and built
	rm -rf $(VENV) .store build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Credit Atlas needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) -V 2>&1 || echo missing). Name another one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "This Python has no ensurepip, so it cannot make .venv; install it (on Debian: apt install python3-venv) and try again."; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(STAMP): $(BIN)/python pyproject.toml requirements.txt
	@echo "Installing into $(VENV), once"
	@$(BIN)/python $(INSTALL) -r requirements.txt && $(BIN)/python $(OURS) -e . \
	  || { echo "The packages could not be installed; see the lines above."; exit 1; }
	@touch $@

$(STAMP)-dev: $(STAMP) tests/requirements.txt
	@$(BIN)/python $(INSTALL) -r tests/requirements.txt \
	  || { echo "The development packages could not be installed; see the lines above."; exit 1; }
	@touch $@
