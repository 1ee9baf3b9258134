#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# score.sh PROGRAM [all]: how many of fifteen planted faults does `PROGRAM stress` find in its default time? At least
# fourteen are asked for; the search ends there, unless `all` is given. PROGRAM has the faults of mutants.h. The build
# without a fault must find nothing.
set -uo pipefail
program=$1 wanted=14
[ "${2:-}" = all ] && wanted=15

# A fault in a line; then options of `stress`. The first eight break one invariant of docs/design.md each. The last one
# is seen only while the host runs two threads at the same nanosecond.
faults='
torn-increment
overtaking --atomics emu-spec
deferred-write
stale-answer
lost-wake
torn-stream
missing-count
premature-end
torn-copy
unfenced-write
single-test
late-bell
open-claim
torn-counter
unfenced-read'

export TILEFARM_PAUSES=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# spend: set `spent` to the processor time of all tries so far, in seconds
spend() {
  local children
  times >"$folder/times"
  { read -r children; read -r children; } <"$folder/times"
  [[ $children =~ ^([0-9]+)m([0-9]+).*\ ([0-9]+)m([0-9]+) ]]
  spent=$((60 * BASH_REMATCH[1] + BASH_REMATCH[2] + 60 * BASH_REMATCH[3] + BASH_REMATCH[4]))
}

# On an idle host one try lasts ten seconds. A loaded host gives the command little of its time: other tries follow,
# which last longer, until the command has had as much processor time.
find() {
  local fault=$1 result spent before seed seconds=10
  shift
  spend
  before=$spent
  for seed in 1 2 3 4 5 6; do
    result=0
    TILEFARM_MUTANT=$fault TILEFARM_MUTANT_WINDOW=500 timeout $((seconds + 50)) "$program" stress "$@" --quiet \
      --seconds $seconds --seed $seed >"$folder/report" 2>&1 </dev/null || result=$?
    seconds=40
    # 124: the command itself ran for ever. Others: it failed, or the fault has ended the process by a signal.
    [ $result -ne 0 ] && [ $result -ne 124 ] && return 0
    spend
    [ $((spent - before)) -lt 9 ] || return 1
  done
  return 1
}

timeout 60 "$program" stress --seconds 2 --quiet || { echo "a fault is found where none is"; exit 1; }
found=0 all=0
while read -r fault options; do
  [ -n "$fault" ] && [ "$found" -lt "$wanted" ] || continue
  all=$((all + 1)) began=$SECONDS verdict="not found"
  # shellcheck disable=SC2086 # options are several words
  find "$fault" $options && verdict=found && found=$((found + 1))
  echo "$fault: $verdict in $((SECONDS - began)) s: $(head -n 1 "$folder/report" | cut -c 1-200)"
done <<<"$faults"
echo "$found of $all faults found, in $SECONDS s"
[ "$found" -ge 14 ]
