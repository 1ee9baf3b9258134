#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test_systems.sh PROGRAM LIBRARY SYSTEM TABLE: do the workloads of a system leave in the library what is recorded?
set -euo pipefail
program=$1 library=$2 system=$3 table=$4
if ! difference=$(diff "$table" <("$program" "$library" "$system" 2>&1) | head -4); then
  printf '%s: < is recorded, > is what the library gives:\n%s\n' "$system" "$difference"
  exit 1
fi
