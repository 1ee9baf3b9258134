#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The programs end with their results in the usual run, with the bug and without.
# Usage: [TWINS=fixed] test_programs.sh TILEFARM FOLDER PROGRAMS_TXT...
# TWINS: which of them. The hostile build has other orders in its usual run, which show some of the bugs.
tilefarm=$1
folder=$2
shift 2
. "$(dirname "$0")/programs.sh"

while read -r name loads word _; do
  for twin in ${TWINS:-bug fixed}; do
    loads_of "$loads" "$name" "$twin"
    if ! timeout 60 "$tilefarm" run "${args[@]}" --quiet --threads 1 --dump "${word%=*}:4=$out/word" 2>"$out/err" \
      >&2; then
      fail "$name.$twin: $(cat "$out/err")"
      continue
    fi
    got=$(od -An -tu4 "$out/word" | tr -d ' ')
    [ "$got" = "${word#*=}" ] || fail "$name.$twin: $got, not ${word#*=}"
  done
done < <(grep -hv '^#' "$@")
exit $((failures != 0))
