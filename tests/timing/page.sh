#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: page.sh TIMING_RISCV PAGE [--check]
# Write the tables of PAGE, docs/timing.md, from the figures in recorded/. With --check, say whether they are as
# written.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
made=$(mktemp)
trap 'rm -f "$made"' EXIT
{
  sed '/^<!-- tables -->$/q' "$2"
  for family in blackhole wormhole; do
    printf '\n### %s\n\n' "${family^}"
    "$1" "$family" "$folder/recorded/riscv_$family.csv" || true # a limit that is passed shows in the table
  done
} > "$made"
if [ "${3:-}" = --check ]; then
  diff "$2" "$made" || { echo "page.sh: $2 is not as the figures say; run tests/timing/page.sh $1 $2"; exit 1; }
else
  cp "$made" "$2"
fi
