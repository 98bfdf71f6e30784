# One vocabulary of tasks: make demo | test | repro | ui | params | lint
# Set-up is part of each: it runs when requirements.lock or pyproject.toml changed, else it is free.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV ?= .venv
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export MLFLOW_DISABLE_TELEMETRY := true
# torch stands apart from the lock: plain PyPI serves a CUDA build of gigabytes on Linux, and this
# index the CPU build. GPU: `make setup TORCH_INDEX=https://download.pytorch.org/whl/cu130`.
TORCH ?= torch==2.13.0
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
PIP := $(VENV)/bin/python -m pip install --quiet --no-deps --no-compile --disable-pip-version-check
READY := $(VENV)/.ready

.PHONY: help setup demo test repro ui params lint record clean

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /make \1\t/' | expand -t 14

setup: $(READY) ## install everything into .venv (part of every other task)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo 'error: $(PYTHON) is older than 3.11; run make with PYTHON=/path/to/python3.11' >&2; exit 1; }
	@rm -f $(READY)
	@echo 'setting up $(VENV): 1 of 4, the packages of requirements.lock' >&2
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) -r requirements.lock
	@echo 'setting up $(VENV): 2 of 4, $(TORCH)' >&2
	@$(PIP) --quiet '$(TORCH)' --extra-index-url $(TORCH_INDEX)
	@echo 'setting up $(VENV): 3 of 4, cuad-audit itself' >&2
	@$(PIP) --no-build-isolation --editable .
	@echo 'setting up $(VENV): 4 of 4, byte code' >&2
	@# On all cores, once: where PYTHONDONTWRITEBYTECODE is set, every process would compile what it imports.
	@# Packages carry a few templates that are no Python; what cannot be compiled is left as it is.
	@$(VENV)/bin/python -m compileall -qq -j 0 $(VENV)/lib pipeline || true
	@touch $(READY)

demo: $(READY) ## the whole pipeline on the embedded sample corpus, without touching the results in git
	@cuad-audit demo

test: $(READY) ## every test
	@pytest --numprocesses auto --dist loadfile

repro: $(READY) ## the whole pipeline on CUAD (official archive, or CUAD_ARCHIVE=PATH)
	@dvc repro
	@# A stage whose result is in git does not run again: the run of that result is written here.
	@python -m pipeline.tracking

ui: $(READY) ## MLflow on http://127.0.0.1:5000
	@python -m pipeline.tracking ui

params: $(READY) ## compose params.yaml from conf/
	@python -m pipeline.compose

lint: $(READY) ## ruff and the floors
	@ruff check .
	@ruff format --check .
	@lint-imports --no-logo 2>/dev/null || lint-imports

record: $(READY) ## live calls of auditor and judge into a cassette (needs ANTHROPIC_API_KEY)
	@cuad-audit record

clean: ## remove caches and derived files, keep the results in git
	@rm -rf .cache data/raw data/slice data/chunks data/index data/calibration data/retrieval data/verdicts data/judge data/contrast data/review data/report data/verify
