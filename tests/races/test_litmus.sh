#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All litmus tests pass, and their table equals that of docs/litmus.md.
# Usage: test_litmus.sh TILEFARM DOCS
set -u
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$1" litmus --markdown --seeds 300 >"$out/table" || { echo "FAILED: $(grep FAILS "$out/table")"; exit 1; }
awk -v head="$(head -n 1 "$out/table")" '$0 == head { on = 1 } !/^\|/ { on = 0 } on' "$2/litmus.md" |
  diff - "$out/table" || { echo "FAILED: docs/litmus.md has another table"; exit 1; }
