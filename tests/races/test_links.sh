#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `tilefarm run --system --check` names both places of a bug of two chips, and reports nothing for the corrected twins
# and for the workloads of links. It changes no state hash, and does not depend on the number of threads.
# Usage: [BOTH=1] test_links.sh TILEFARM
# BOTH: run each program on both families; else on one of them in turn.
tilefarm=$1
here=$(dirname "$0")
. "$here/programs.sh"

run() { # FAMILY PROGRAM TWIN OPTIONS...
  local family=$1 program=$2 twin=$3 ends=(0:2 1:9) nodes=(2,1 11,1) system=p300
  shift 3
  [ "$family" = blackhole ] || { ends=(0:8 1:0); nodes=(9,6 9,0); system=n300; }
  # shellcheck disable=SC2086
  "$tilefarm" ${command:-run} --system "$system" --load "E0=$out/$program.$twin.0.elf@${ends[0]}" \
    --load "E0=$out/$program.$twin.1.elf@${ends[1]}" --write "0:${nodes[0]}:0x24000=$out/zeros" \
    --write "1:${nodes[1]}:0x30000=$out/zeros" "$@" 2>"$out/err"
}

hash_of() { sed -n 's/ *state hash *//p'; }

compile() { # FAMILY PROGRAM
  local twin role
  for twin in BUG FIXED; do
    for role in 0 1; do
      "$tilefarm" cc -c E0 --arch "$1" "-D$twin" "-DROLE=$role" -o "$out/$2.$twin.$role.elf" "$here/links/$2.c" ||
        fail "$2 for $1 is not compiled"
    done
  done
}

head -c 64 /dev/zero >"$out/zeros"
turn=0
declare -A answers=([wormhole]=1:0 [blackhole]=1:9) # the port that receives, and answers
for family in wormhole blackhole; do
  # TX queue 1 works on both families. On Wormhole its RX queue must be opened, or nothing arrives.
  compile "$family" queue_one
  run "$family" queue_one FIXED --check --quiet || fail "queue 1 on $family: $(cat "$out/err")"
  [ -s "$out/err" ] && fail "queue 1 on $family: $(cat "$out/err")"
  [ "$family" = blackhole ] || run wormhole queue_one BUG --quiet --limit-cycles 200000
  [ "$family" = blackhole ] || [ $? != 0 ] || fail "queue 1 of Wormhole takes packets before it is opened"
  for row in reused_source:0 half_signal:1 early_credit:1 register_flag:1 event_loop:1; do
    name=${row%:*} chip="chip ${row#*:}"
    [ $((turn++ % 2)) = 0 ] || [ -n "${BOTH:-}" ] || continue
    compile "$family" "$name"
    run "$family" "$name" BUG --check --quiet --threads 1
    [ $? = 1 ] || fail "$name on $family: the bug is not found: $(cat "$out/err")"
    for text in "tilefarm: $chip:" "packet of the link" "$name.c:" "to fix it: "; do
      grep -q "$text" "$out/err" || fail "$name on $family: no '$text': $(cat "$out/err")"
    done
    grep -qE ' (load|store), by port ' "$out/err" || fail "$name on $family: no access of a core: $(cat "$out/err")"
    grep -q ' host' "$out/err" && fail "$name on $family: the host has done nothing: $(cat "$out/err")"
    cp "$out/err" "$out/one"
    run "$family" "$name" BUG --check --quiet --threads 2
    cmp -s "$out/err" "$out/one" || fail "$name on $family: the report depends on the number of threads"
    run "$family" "$name" FIXED --check >"$out/text" || fail "$name on $family, corrected: $(cat "$out/err")"
    [ -s "$out/err" ] && fail "$name on $family, corrected: $(cat "$out/err")"
    hash_of <"$out/text" >"$out/checked"
    run "$family" "$name" FIXED >"$out/text"
    hash_of <"$out/text" | cmp -s - "$out/checked" || fail "$name on $family: --check changes the state hash"
    # A lost answer is sent again, after a time-out, also if its chip received something in the same window.
    [ "$name" != early_credit ] || run "$family" "$name" FIXED --quiet --link-fault "${answers[$family]} lose 0" ||
      fail "$name on $family, with a lost answer: $(cat "$out/err")"
  done
done

# `explore` makes the bugs fail, in an order that few decisions make, and not the corrected twins. Its schedules name
# chips and links, and replay on any number of threads.
explored() { # FAMILY PROGRAM FIRST_SEED DECISION OPTIONS...
  local family=$1 name=$2 seed=$3 decision=$4 node=1:11,1 threads
  shift 4
  [ "$family" = blackhole ] || node=1:9,0
  command="explore --first-seed $seed --seeds 1 --jobs 1 ${explain:---explain-time 0}" \
    run "$family" "$name" BUG --expect "$node:0x34000=2080" --out "$out/schedule" "$@" >"$out/text"
  [ $? = 1 ] || fail "explore of $name on $family finds nothing: $(cat "$out/text" "$out/err")"
  grep -qE "^$decision" "$out/schedule" || fail "explore of $name on $family: $(cat "$out/schedule")"
  [ "$(grep -cE '^[a-z]+ [0-9]+:' "$out/schedule")" = 1 ] || fail "$name on $family is not shrunk"
  cp "$out/schedule" "$out/waits"
  for threads in 1 2; do
    run "$family" "$name" BUG --schedule "$out/schedule" --quiet --threads $threads --dump "$node:0x34000:4=$out/word"
    grep -q 'state hash' "$out/err" && fail "$name on $family, on $threads threads: $(cat "$out/err")"
    word_of "$out/word"
    [ "$got" != 2080 ] || fail "$name on $family: its schedule does not fail"
  done
  command="explore --first-seed $seed --seeds 1 --jobs 1" \
    run "$family" "$name" FIXED --expect "$node:0x34000=2080" --out "$out/twin" --quiet ||
    fail "explore of $name on $family, corrected: $(cat "$out/err" "$out/twin")"
  run "$family" "$name" FIXED --schedule "$out/schedule" --quiet
  [ $? = 2 ] && grep -q 'another program' "$out/err" || fail "$name on $family: another schedule: $(cat "$out/err")"
}

# A race fails a run of --check alone. A corpus keeps a schedule, and replays it. --orders knows pairs of chips.
corpus() { # OPTIONS...
  command="explore --seeds 1 --jobs 1 --explain-time 0" \
    run blackhole half_signal BUG --expect 1:11,1:0x34000=2080 --out "$out/schedule" "$@" >"$out/text"
  [ $? = 1 ] || fail "explore of half_signal with $*: $(cat "$out/text" "$out/err")"
}

corpus --first-seed 20 --corpus "$out/corpus" --orders
grep -qE '^explore: 1 seed in [0-9]+\.[0-9]{2} s, .* 1 job$' "$out/text" || fail "one seed: $(cat "$out/text")"
grep -q 'orders: 1 pair of accesses' "$out/text" || fail "--orders of two chips: $(cat "$out/text" "$out/err")"
ls "$out"/corpus/fails-*.schedule >/dev/null || fail "the corpus has no schedule of two chips"
corpus --first-seed 1 --corpus "$out/corpus"
grep -q 'corpus: 1 schedule of .*, 1 of them fail' "$out/text" || fail "a corpus of two chips: $(cat "$out/text")"
corpus --first-seed 1 --check
grep -q 'the usual order fails: .*race: ' "$out/text" || fail "explore --check of two chips: $(cat "$out/text")"

compile blackhole reused_source
compile blackhole late_packet
compile wormhole missed_value
explored blackhole late_packet 42 'link 0:[0-9]+ 0 0 '
explored blackhole half_signal 20 'stream 1:[0-9]+ 1 0 '
explain="--explain-time 60" explored blackhole reused_source 25 'loss 0:[0-9]+ 0 0 1'
grep -q 'chip 0, port 2 (2,1), packet 0 of the link, cycle .*reused_source.c:8.*: it is lost, and sent again' \
  "$out/text" || fail "a lost packet is named: $(cat "$out/text")"
grep -q 'store, port 2 (2,1) E0, .*reused_source.c:13' "$out/text" || fail "the race is explained: $(cat "$out/text")"
explored wormhole missed_value 4 'stream 1:[0-9]+ 0 0 '
grep -q 'deadlock' "$out/text" || fail "a deadlock of two chips: $(cat "$out/text")"
run wormhole missed_value BUG --schedule "$out/waits" --quiet
[ "$(grep -c 'waits: port' "$out/err")" = 2 ] || fail "who waits on which chip: $(cat "$out/err")"

for system in n300 p300 2xn300; do
  for workload in $("$tilefarm" list | sed -n '/^With --system/,$s/^\(eth-[a-z]*\|router\) .*/\1/p'); do
    # shellcheck disable=SC2086
  "$tilefarm" ${command:-run} --system "$system" "$workload" --scale 2 --check --quiet 2>"$out/err" ||
      fail "$workload on $system: $(cat "$out/err")"
    [ -s "$out/err" ] && fail "$workload on $system: $(cat "$out/err")"
  done
done
exit $((failures != 0))
