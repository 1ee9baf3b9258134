#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Workloads give their results under other orders, with every strategy.
# Usage: test_workloads.sh TILEFARM SEEDS NAME:SCALE...
set -u
tilefarm=$1
seeds=$2
shift 2
failures=0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

for name in "$@"; do
  for strategy in random chaos pct delay-one; do
    "$tilefarm" explore "${name%:*}" --scale "${name#*:}" --seeds "$seeds" --strategy $strategy --shrink-time 0 --out "$out/schedule" \
      >"$out/told" 2>&1 && continue
    echo "FAILED: $name, $strategy: $(head -20 "$out/told")"
    failures=$((failures + 1))
  done
done
exit $((failures != 0))
