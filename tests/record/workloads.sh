#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the rows of src/cli/workloads/recorded_FAMILY.def with the hashes of a library that has the libttsim interface.
# Usage: workloads.sh TILEFARM LIBRARY [FAMILY]
set -eu
tilefarm=$1
library=$2
family=${3:-blackhole}
list=$(dirname "$0")/../../src/cli/workloads/recorded_$family.def
sed -n 's/^TF_RECORDED(\(.*\), "\(.*\)", \(.*\), \(.*\), .*)$/\1 \2 \3 \4/p' "$list" |
  while read -r workload variant scale seed; do
    hash=$("$tilefarm" compare "$library" -- "$workload" --variant "$variant" --scale "$scale" --seed "$seed" \
      --arch "$family" </dev/null 2>/dev/null | sed -n 's/^.*, hash //p')
    echo "TF_RECORDED($workload, \"$variant\", $scale, $seed, ${hash:?no result of $workload $variant})"
  done
