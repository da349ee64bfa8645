#!/bin/sh
# Runs all checks in a virtual environment of their own (.venv-test). Arguments go to pytest.
set -eu
cd "$(dirname "$0")/.."
. scripts/environment.sh

make_environment .venv-test
# JAX judges what jaxlint says about JAX. Where there is none for this machine, those tests are skipped.
install .venv-test --editable '.[test,dynamic]' || {
    echo "JAX cannot be installed here: the tests that ask it are skipped."
    install .venv-test --editable '.[test]'
}

failed=
.venv-test/bin/python -m ruff check . --output-format concise || failed="$failed ruff"
.venv-test/bin/python -m mypy || failed="$failed mypy"
.venv-test/bin/jaxlint check jaxlint tests docs benchmarks scripts || failed="$failed jaxlint"
JAX_PLATFORMS=cpu .venv-test/bin/python -m pytest -n auto "$@" || failed="$failed pytest"
if [ -n "$failed" ]; then
    echo "Failed:$failed" >&2
    exit 1
fi
