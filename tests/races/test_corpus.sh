#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `tilefarm explore` says which pairs of accesses came in both orders, keeps schedules in a folder, and delays
# instructions by their code place.
# Usage: test_corpus.sh TILEFARM PROGRAMS_TXT FOLDER
tilefarm=$1
list=$2
folder=$3
. "$(dirname "$0")/programs.sh"

explore() { # NAME TWIN OPTIONS...: the report goes to $out/report; sets code
  local loads word
  read -r _ loads word _ < <(grep "^$1 " "$list")
  loads_of "$loads" "$1" "$2"
  shift 2
  "$tilefarm" explore "${args[@]}" --expect "$word" --out "$out/schedule" "$@" >"$out/report" 2>&1
  code=$?
}

says() { # CODE TEXT WHAT
  [ $code = "$1" ] && grep -q -- "$2" "$out/report" || fail "$3: $code: $(cat "$out/report")"
}

# The search keeps what failed. The next run replays it, and no seed.
explore write_barrier bug --corpus "$out/corpus"
says 1 '1 pair of accesses that nothing orders, 1 of them in both orders' 'orders'
grep -q 'NOC write, send.*, then load, take.*: first in the usual order; the other order in seed [0-9]' "$out/report" ||
  fail "the pair: $(cat "$out/report")"
[ "$(ls "$out/corpus" | sed 's/-.*//')" = fails ] || fail "the corpus has $(ls "$out/corpus")"
explore write_barrier bug --corpus "$out/corpus" --json "$out/json"
says 1 'fails-[0-9a-f]*.schedule fails. Of its 1 decision, 1 matters' 'the schedule fails again'
grep -q '"seeds": 0,' "$out/json" && grep -q '"corpus_kept": 0' "$out/json" || fail "JSON: $(cat "$out/json")"
explore write_barrier bug --corpus "$out/corpus" --all --seeds 3
says 1 'explore: 3 seeds' 'with --all the seeds follow'
explore write_barrier fixed --corpus "$out/corpus" --seeds 3
says 0 'corpus: 1 schedule of .*, 0 of them fail' 'the corrected program'
[ "$(ls "$out/corpus" | wc -l)" = 1 ] || fail "the corrected program adds to $(ls "$out/corpus")"

# Without a failure, a seed with a new order is kept once.
for kept in 1 0; do
  loads_of B@0-1 write_barrier bug
  "$tilefarm" explore "${args[@]}" --seeds 30 --corpus "$out/orders" --out "$out/schedule" >"$out/report" 2>&1
  code=$?
  [ $code = 0 ] && [ "$(grep -c 'corpus: 1 new schedule' "$out/report")" = $kept ] ||
    fail "a new order: $(cat "$out/report")"
done

# Pairs do not depend on the number of jobs. Pauses alone do not change the order of this one.
for jobs in 1 3; do
  explore half_packet bug --all --seeds 40 --orders --jobs $jobs
  grep -A9 'orders:' "$out/report" >"$out/jobs.$jobs"
done
cmp -s "$out/jobs.1" "$out/jobs.3" && grep -q 'both orders' "$out/jobs.1" ||
  fail "jobs: $(cat "$out/jobs.1" "$out/jobs.3")"
explore write_barrier bug --all --seeds 10 --orders --strategy nops
says 0 'no run had the other order' 'pauses'

# Each instruction of a thread waits in turn, seven times as long as there are instructions.
explore movd2b_bank bug --strategy nop-sites
says 1 'decision.* matters' 'nop-sites'
explore movd2b_bank fixed --strategy nop-sites
says 0 'explore: [0-9]* seeds' 'nop-sites of the corrected program'
[ $(($(sed -n 's/explore: \([0-9]*\) seeds.*/\1/p' "$out/report") % 7)) = 0 ] || fail "seeds: $(cat "$out/report")"
explore write_barrier fixed --strategy nop-sites
says 0 'explore: 1 seed ' 'nop-sites without an instruction'

echo nonsense >"$out/corpus/bad.schedule"
explore write_barrier bug --corpus "$out/corpus"
says 2 'bad.schedule:1: it is not a schedule' 'a bad schedule'
explore write_barrier bug --corpus "$out/schedule"
says 2 'Not a directory' 'a file'
exit $((failures != 0))
