#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test_needs.sh LIBRARY: a libttsim.so needs the C library alone, and has no symbols but those that it exports.
set -euo pipefail
others=$(readelf -d "$1" | awk '/NEEDED/ && !/\[(libc\.so|ld-linux)/')
symbols=$(readelf -S "$1" | awk '/ \.symtab/')
if [ -n "$others$symbols" ]; then
  printf '%s\n' "$others" "$symbols"
  exit 1
fi
