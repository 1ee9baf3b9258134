#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# states.sh TESTS FOLDER: record the hashes of states, which the libttsim interface does not show, from tilefarm itself.
# TESTS is the folder of the built tests, build/tests/conformance/tensix. Prints the tables that differ from the
# committed ones.
set -euo pipefail
[ $# -eq 2 ] || { echo "usage: states.sh TESTS FOLDER" >&2; exit 2; }
tests=$1 folder=$2 failed=0
committed=$(dirname "$(readlink -f "$0")")/../conformance/tensix
mkdir -p "$folder"
for unit in fpu sfpu sfpu_state unpack pack counter zeroacc; do
  TF_RECORD=$folder "$tests/tensix_${unit}_vectors" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
done
for table in "$folder"/*.inc; do
  cmp -s "$committed/$(basename "$table")" "$table" || { echo "$(basename "$table") differs"; failed=1; }
done
exit $failed
