#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# failing_commands.sh TILEFARM LIBRARY PROGRAM TIMES: commands whose n-th allocation fails. LIBRARY is refuse_memory.c.
# About TIMES values of n are tried for each command; 0: all. A command then says what is wrong and fails, or ends as it
# does with memory. No signal ends it, no file is left over, and a file that is there is kept.
set -uo pipefail
tilefarm=$1 library=$2 program=$3 times=$4
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failures=0
fail() { echo "$*"; failures=$((failures + 1)); }

# refuse N WORD...: run a command with its N-th allocation refused. Sets `code`; the folder `out` has what it says.
refuse() {
  local n=$1
  shift
  rm -rf "$out/files" && mkdir "$out/files" && echo old >"$out/files/kept"
  code=0
  REFUSE_AT=$n REFUSE_COUNT="$out/count" LD_PRELOAD="$library" timeout 60 "$@" >"$out/stdout" 2>"$out/err" </dev/null ||
    code=$?
}

# try FILES WORD...: FILES is how many files the command makes beside the one that is there
try() {
  local made=$1 count wanted step n
  shift
  refuse 0 "$@"
  wanted=$code
  [ "$wanted" -le 4 ] || { fail "$*: exit $wanted, $(cat "$out/err")"; return; }
  count=$(od -An -tu4 "$out/count" | tr -d ' ')
  [ "$count" -gt 20 ] || fail "$*: only $count allocations"
  step=$((times == 0 || count <= times ? 1 : count / times))
  # A quiet search says by its schedule alone that a run has failed.
  for ((n = 1; n <= count; n += step)); do
    refuse "$n" "$@"
    if [ $code -ge 5 ]; then
      fail "$*: allocation $n of $count: exit $code, $(head -c 300 "$out/err")"
    elif [ $code -ne "$wanted" ] && [ ! -s "$out/err" ] && [ "$(head -c 3 "$out/files/kept" | tr -d '\0')" = old ]; then
      fail "$*: allocation $n of $count: exit $code without a word"
    fi
    [ "$(find "$out/files" -type f | wc -l)" -le $((made + 1)) ] || fail "$*: allocation $n leaves $(ls "$out/files")"
    # Other codes than 2 come with a report of a run that went wrong.
    [ -s "$out/files/kept" ] && { [ $code -ne 2 ] || [ "$(head -c 3 "$out/files/kept" | tr -d '\0')" = old ]; } ||
      fail "$*: allocation $n: exit $code, and the file is lost"
  done
  echo "$count allocations, each $step: $*"
}

try 0 "$tilefarm" explore --load "B=$program@0-1" --seeds 3 --all --jobs 1 --quiet --out "$out/files/kept"
try 0 "$tilefarm" run --load "B=$program@0-1" --limit-cycles 5000 --threads 1 --json "$out/files/kept"
try 0 "$tilefarm" run --load "B=$program@0-1" --limit-cycles 5000 --threads 1 --save-at "2000=$out/files/kept"
try 1 "$tilefarm" run --load "B=$program@0-1" --limit-cycles 5000 --threads 1 --check --timeline "$out/files/new"
[ $failures -eq 0 ]
