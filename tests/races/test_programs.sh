#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The programs end with their results in the usual run, with the bug and without.
# Usage: test_programs.sh TILEFARM PROGRAMS_TXT FOLDER
set -u
tilefarm=$1
list=$2
folder=$3
failures=0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

while read -r name loads word _; do
  for twin in bug fixed; do
    args=()
    for load in ${loads//+/ }; do
      core=${load%@*}
      args+=(--load "$core=$folder/$name.${core,,}.$twin.elf@${load#*@}")
    done
    at=${word%=*}
    if ! timeout 60 "$tilefarm" run "${args[@]}" --quiet --threads 1 --dump "$at:4=$out/word" 2>"$out/err" >&2; then
      echo "FAILED: $name.$twin: $(cat "$out/err")"
      failures=$((failures + 1))
      continue
    fi
    got=$(od -An -tu4 "$out/word" | tr -d ' ')
    [ "$got" = "${word#*=}" ] || { echo "FAILED: $name.$twin: $got, not ${word#*=}"; failures=$((failures + 1)); }
  done
done < <(grep -v '^#' "$list")
exit $((failures != 0))
