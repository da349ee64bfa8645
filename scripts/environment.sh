# Sourced by the scripts beside it: choosing a Python and making a virtual environment.

# Prints the first Python of a version that jaxlint is tested on; $PYTHON, if set, is taken as it is.
find_python() {
    if [ -n "${PYTHON:-}" ]; then
        printf '%s\n' "$PYTHON"
        return
    fi
    for candidate in python3.13 python3.12 python3.11 python3.10 python3 python; do
        if "$candidate" -c 'import ensurepip, sys, venv; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))' \
            >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    echo "No Python 3.10 to 3.13 with the venv module found; name one with PYTHON=…" >&2
    return 1
}

# make_environment FOLDER: a virtual environment there, unless there is one that works.
make_environment() {
    if ! "$1/bin/python" -m pip --version >/dev/null 2>&1; then
        chosen=$(find_python)
        rm -rf "$1"
        "$chosen" -m venv "$1"
    fi
    echo "Environment: $1, $("$1/bin/python" --version)"
}

# install FOLDER REQUIREMENT…: with pip, silent but for errors.
install() {
    folder=$1
    shift
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
}
