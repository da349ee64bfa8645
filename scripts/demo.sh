#!/bin/sh
# Installs jaxlint into a virtual environment of its own (.venv) and runs it on the examples.
set -eu
cd "$(dirname "$0")/.."
. scripts/environment.sh

make_environment .venv
install .venv .

status=0
.venv/bin/jaxlint check examples "$@" || status=$?
if [ "$status" -ne 1 ]; then
    echo "Expected findings (exit code 1), got exit code $status." >&2
    exit 1
fi
echo "Exit code 1 means findings; examples/README.md says why each of them is right."
echo "Now your own code: .venv/bin/jaxlint check PATH"
