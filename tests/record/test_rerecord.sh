#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test_rerecord.sh RECORD LIBRARY CONFORMANCE FOLDER: do tables recorded from the library equal the committed ones?
set -euo pipefail
record=$1 library=$2 conformance=$3 folder=$4 failed=0
mkdir -p "$folder"
"$record" "$library" "$folder"
for table in "$folder"/*.inc; do
  committed=$(find "$conformance" -name "$(basename "$table")")
  if ! difference=$(diff "$committed" "$table" | head -4); then
    printf '%s differs; < is recorded, > is what the library gives:\n%s\n' "$(basename "$table")" "$difference"
    failed=1
  fi
done
exit $failed
