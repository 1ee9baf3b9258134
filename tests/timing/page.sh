#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: page.sh TIMING_RISCV TIMING_NOC TIMING_TENSIX PAGE [--check]
# Write the tables of PAGE, docs/timing.md, from the figures in recorded/. With --check, say whether they are as
# written.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
made=$(mktemp)
trap 'rm -f "$made"' EXIT
{
  sed '/^<!-- tables -->$/q' "$4"
  for family in blackhole wormhole; do
    for what in riscv tensix noc dram bounds; do
      case $what in
        riscv) title="RV32 cores" program=$1 ;;
        tensix) title=Coprocessor program=$3 ;;
        noc) title="NOCs" program=$2 ;;
        dram) title="DRAM" program=$2 ;;
        bounds) title="Bounds of tt-metal" program=$2 ;;
      esac
      printf '\n### %s, %s\n\n' "${family^}" "$title"
      "$program" "$family" "$folder/recorded/${what}_$family.csv" || true # a limit that is passed shows in the table
      "$program" "$family" "$folder/recorded/${what}_$family.csv" coarse || true
    done
  done
} > "$made"
if [ "${5:-}" = --check ]; then
  diff "$4" "$made" || { echo "page.sh: $4 is not as the figures say; run tests/timing/page.sh $1 $2 $3 $4"; exit 1; }
else
  cp "$made" "$4"
fi
