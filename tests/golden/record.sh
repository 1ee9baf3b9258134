#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Record the state hashes of all workloads in hashes.def again, after a change that must alter them.
# Usage: record.sh BUILD-FOLDER
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
build=$(readlink -f "${1:?usage: record.sh BUILD-FOLDER}")
compiler=$(sed -n 's/^TILEFARM_RISCV_CC:[A-Z]*=//p' "$build/CMakeCache.txt")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export GOLDEN_RECORD=$folder/rows
ctest --test-dir "$build" --label-regex golden --tests-regex '^golden_' --label-exclude nightly --parallel "$(nproc)" \
  --quiet
{
  sed '/^COMPILER/,$d' "$here/hashes.def"
  echo "COMPILER(\"$("$compiler" -dumpfullversion)\")"
  LC_ALL=C sort "$GOLDEN_RECORD"
} >"$folder/new"
mv "$folder/new" "$here/hashes.def"
git -C "$here" --no-pager diff --stat -- hashes.def 2>/dev/null || true
echo "build again: the rows are compiled into the tests"
