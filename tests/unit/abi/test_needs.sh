#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test_needs.sh LIBRARY HEADER...: a libttsim.so needs only the C library. It exports the functions of its headers and
# has no other symbols.
set -euo pipefail
others=$(readelf -d "$1" | awk '/NEEDED/ && !/\[(libc\.so|ld-linux)/')
symbols=$(readelf -S "$1" | awk '/ \.symtab/')
if [ -n "$others$symbols" ]; then
  printf '%s\n' "$others" "$symbols"
  exit 1
fi
library=$1
shift
exported=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sort)
declared=$(grep -hv '^typedef' "$@" | grep -oE '^[a-z].*\<libttsim_[a-z0-9_]+\(' | grep -oE 'libttsim_[a-z0-9_]+' |
  sort -u)
diff <(echo "$exported") <(echo "$declared")
