# make demo: play it. make test: prove it. Both set up .venv first; nothing else is touched.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
PIP = .venv/bin/python -m pip install --disable-pip-version-check --timeout 30 --retries 3
INSTALL_SELF = $(PIP) --no-deps --no-build-isolation --editable .

WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 2)))  # some tests wait for clocks and processes

.PHONY: all demo test everything quick postgres coverage soak drill box shots bench lint types words lock clean

all: test

demo: .venv/.demo
	.venv/bin/bohnenpost demo

test everything quick: export PYTHONDONTWRITEBYTECODE =  # workers and the processes of tests compile a module once, not each for itself

test: lint types
	.venv/bin/python -m pytest -n $(WORKERS) --maxschedchunk 1 -m "not everything"

everything: postgres  # what `make test` leaves out: PostgreSQL, tests of the tests and of the surroundings, the same with more seeds
	.venv/bin/python -m pytest -n $(WORKERS) --maxschedchunk 1 -m everything --ignore=tests/store/test_postgres.py

quick: lint types  # for every commit: what a minute can say
	.venv/bin/python -m pytest -q -n $$(getconf _NPROCESSORS_ONLN) -m "not long and not everything" tests/rules tests/service tests/store tests/mail tests/web tests/test_layout.py

postgres: .venv/.test  # what stores, mails and waits for deadlines, on a PostgreSQL server of its own if one is installed
	.venv/bin/python -m tests.postgres -q -n $(WORKERS) -m "not long and not file" tests/store/test_*.py tests/mail tests/service/deadline tests/service/people tests/service/test_ticks.py tests/web/test_api.py tests/web/test_practice.py
	.venv/bin/python -m tests.postgres -q -n $(WORKERS) -m "not file" tests/crash/test_crowds.py tests/service/whole/test_duel.py::test_a_duel_takes_one_mail_a_turn_and_they_prove_every_round

coverage: .venv/.test  # how much of the code the quick tests run
	.venv/bin/python -m pytest -q -n $$(getconf _NPROCESSORS_ONLN) -m "not long and not everything" --cov=gm --cov=rounds --cov-report=term tests/rules tests/service tests/store tests/mail tests/web

soak: .venv/.test  # the long ones: a thousand crowds instead of fifty, 100,000 generated inputs instead of 10,000, 2,000 games of the duel, 2,500 of the classic game, 10,000 calls
	BOHNENPOST_SOAK=1 .venv/bin/python -m pytest tests/crash tests/bad_inputs/test_generated.py tests/rules/duel/test_always_holds.py tests/rules/classic

drill: .venv/.test  # a service in use is copied, lost and brought back
	.venv/bin/python -m tests.crash.drill $$(mktemp -d)

box: .venv/.test  # docs/hosting.md followed word for word on a fresh Debian tree; as root, with debootstrap
	.venv/bin/python -m tests.box $$(mktemp -d)/box

shots: .venv/.test  # pictures of every page and state, light and dark, on a phone and on a desk, to look at
	.venv/bin/python -m pytest -n auto tests/browser/test_every_state.py --shots shots
	.venv/bin/python -m tests.browser.pictures docs  # those of the README

bench: .venv/.test  # how fast the things are that people wait for; NAMES="page batch": some of them
	.venv/bin/python -m benchmarks $(NAMES)

lint: .venv/.test
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/lint-imports

types: .venv/.test
	.venv/bin/mypy

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later (with venv) is needed; name it: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.demo: .venv/bin/python requirements.lock pyproject.toml
	$(PIP) --require-hashes --requirement requirements.lock
	$(INSTALL_SELF)
	@touch $@

.venv/.test: .venv/bin/python requirements-test.lock pyproject.toml
	$(PIP) --require-hashes --requirement requirements-test.lock
	$(INSTALL_SELF)
	@touch $@ .venv/.demo

words: .venv/.test  # bring templates/de.po, and those of games of their own, up to date after a change of sentences
	.venv/bin/python -m tests.words

lock:  # after a change of dependencies; needs uv. Extras stay: of one that the lock does not name pip takes the newest version, and refuses it
	uv pip compile -q --universal --no-strip-extras --generate-hashes --python-version 3.11 --group build pyproject.toml -o requirements.lock
	uv pip compile -q --universal --no-strip-extras --generate-hashes --python-version 3.11 --group test pyproject.toml -o requirements-test.lock
	uv pip compile -q --universal --no-strip-extras --generate-hashes --python-version 3.11 --extra postgres --group build pyproject.toml -o requirements-postgres.lock

clean:
	rm -rf .venv dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
