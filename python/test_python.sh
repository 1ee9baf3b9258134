#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the wheel in a new virtual environment, and runs the tests and the examples there. NumPy and pytest are those
# of the system.
# Usage: test_python.sh PYTHON WHEEL-FOLDER TESTS EXAMPLES TILEFARM
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=$folder/env/bin/python
# Debian keeps pip in a wheel, which runs without installation. Installing pip takes several times as long.
pip=$(find /usr/share/python-wheels -name 'pip-*.whl' 2>/dev/null | tail -n 1)
"$1" -m venv --system-site-packages ${pip:+--without-pip} "$folder/env"
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH PIP_FIND_LINKS TILEFARM_LIBRARY
PYTHONPATH=$pip "$python" -m pip install --quiet --no-deps "$2"/tilefarm-*.whl
cp -r "$3" "$folder/tests"
cd "$folder"
"$python" -c "import tilefarm, sys; sys.exit(0 if tilefarm.__file__.startswith(sys.prefix) else 'not the wheel')"
export TILEFARM=$5 TILEFARM_KERNELS=$4/../../kernels
tests=(-m "not slow")
[ -z "${TF_SLOW:-}" ] || tests=()
"$python" -m pytest -q "${tests[@]}" -p no:cacheprovider --tilefarm-seed "${TF_SEED:-1}" tests
for example in "$4"/*.py; do
  echo "== ${example##*/}"
  "$python" "$example"
done
for notebook in "$4"/*.ipynb; do
  "$python" tests/run_notebook.py "$notebook"
done
