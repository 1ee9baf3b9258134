#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# In the usual run the programs have right results, with the bug and without it.
# Usage: [TWINS=fixed] test_programs.sh TILEFARM FOLDER PROGRAMS_TXT...
# TWINS: the twins to run. The usual run of the hostile build has another order, under which some bugs fail.
tilefarm=$1
folder=$2
shift 2
. "$(dirname "$0")/programs.sh"

while read -r name loads word _; do
  for twin in ${TWINS:-bug fixed}; do
    loads_of "$loads" "$name" "$twin"
    if ! timeout 60 "$tilefarm" run "${args[@]}" --quiet --threads 1 --dump "${word%=*}:4=$out/word" 2>"$out/err" \
      >&2; then
      # These are wrong, whatever the result.
      [ "$name.$twin" = linked_open.bug ] && grep -q 'NOC 0 of .* still has a linked transaction open' "$out/err" &&
        continue
      [ "$name.$twin" = stack_data.bug ] && grep -q 'stack of core B of .* has grown to' "$out/err" && continue
      fail "$name.$twin: $(cat "$out/err")"
      continue
    fi
    got=$(od -An -tu4 "$out/word" | tr -d ' ')
    [ "$got" = "${word#*=}" ] || fail "$name.$twin: $got, not ${word#*=}"
  done
done < <(grep -hv '^#' "$@")
exit $((failures != 0))
