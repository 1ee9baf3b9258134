#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Workloads have right results under other orders, with each strategy.
# Usage: test_workloads.sh TILEFARM SEEDS NAME:SCALE[:FAMILY]...
set -u
tilefarm=$1
seeds=$2
shift 2
failures=0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

for one in "$@"; do
  IFS=: read -r name scale family <<<"$one"
  for strategy in random chaos pct delay-one; do
    "$tilefarm" explore --seeds "$seeds" --strategy $strategy --shrink-time 0 --out "$out/schedule" \
      "$name" --scale "$scale" --arch "${family:-blackhole}" >"$out/report" 2>&1 && continue
    echo "FAILED: $one, $strategy: $(head -20 "$out/report")"
    failures=$((failures + 1))
  done
done
exit $((failures != 0))
