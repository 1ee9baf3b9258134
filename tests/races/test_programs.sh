#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# In the usual run the corrected programs have right results.
# Usage: test_programs.sh TILEFARM FOLDER PROGRAMS_TXT...
tilefarm=$1
folder=$2
shift 2
. "$(dirname "$0")/programs.sh"

while read -r name loads word _; do
  loads_of "$loads" "$name" fixed
  if ! "$tilefarm" run "${args[@]}" --quiet --threads 1 --dump "${word%=*}:4=$out/word" 2>"$out/err" >&2; then
    fail "$name: $(cat "$out/err")"
    continue
  fi
  word_of "$out/word"
  [ "$got" = "${word#*=}" ] || fail "$name: $got, not ${word#*=}"
done < <(grep -hv '^#' "$@")
exit $((failures != 0))
