#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# TILEFARM_RECORD and `tilefarm replay`: the chip of a recording ends in the state of the client's chip.
# Usage: test_replay.sh TILEFARM CLIENT HOST_CLIENT ALTER WORMHOLE_CLIENT
# CLIENT and HOST_CLIENT use libttsim.so. The second one gives it memory of the host. ALTER changes a recording.
set -u
tilefarm=$1 client=$2 host_client=$3 alter=$4 wormhole_client=$5
invocation=("$tilefarm")
. "$(dirname "$(readlink -f "$0")")/expect.sh"

TILEFARM_RECORD=calls "$client" >log 2>&1 || fail "the client fails when it is recorded: $(tail -3 log)"
[ -s calls ] || fail "nothing was recorded"
[ -e calls.part ] && fail "calls.part was left"

expect 0 replay calls --threads 1 --json one
grep -Eq 'replayed +[0-9]+ calls; ([0-9]+) of \1 reads' out || fail "the report has no line about reads: $(cat out)"
grep -q ' 0 of 0 reads' out && fail "no read was compared"
expect 0 replay calls --threads 3 --json three --quiet
diff <(grep state_hash one) <(grep state_hash three) >&2 || fail "threads change the state"
expect 0 replay calls --trace trace --riscv-trace riscv@0 --noc-trace noc --profile profile --timeline time \
  --json traced \
  --report page.html --quiet
diff <(grep state_hash one) <(grep state_hash traced) >&2 || fail "traces change the state"
for file in riscv noc profile time page.html; do
  [ -s "$file" ] || fail "$file is empty"
done
grep -q '^core ' riscv || fail "no core was traced"

# The chip reads and writes memory of the host. The process has several chips.
TILEFARM_RECORD=host "$host_client" >log 2>&1 || fail "the second client fails: $(tail -3 log)"
for file in host host.*; do
  expect 0 replay "$file" --threads 2
done

# A recording of a Wormhole, by libttsim_wh.so.
TILEFARM_RECORD=wormhole "$wormhole_client" >log 2>&1 || fail "the client of a Wormhole fails: $(tail -3 log)"
for threads in 1 2; do
  expect 0 replay wormhole --threads $threads --json wormhole.$threads --quiet
done
diff <(grep state_hash wormhole.1) <(grep state_hash wormhole.2) >&2 || fail "threads change the state of a Wormhole"

# bench measures the calls of a recording. A peer has no memory of this client's host, and says so.
expect 0 bench --runs 1 --arch wormhole --recording wormhole --peer "$(dirname "$tilefarm")/libttsim_wh.so"
grep -Eq '^recorded-calls +1 +[0-9]' out || fail "no figure of a recording: $(cat out)"
grep -Eq '^recorded-calls +peer .*no host memory' out || fail "no word of the peer: $(cat out)"
expect 1 bench --runs 1 --recording wormhole
says err "another chip"
one_line "needs --recording FILE" bench recorded-calls

expect 0 replay wormhole --riscv-trace riscv@0
grep -Eq 'replayed +[0-9]+ calls; ([1-9][0-9]*) of \1 reads' out || fail "no reads of a Wormhole: $(cat out)"

# With --schedule the state does not depend on the number of threads. A decision changes it, and reads may differ then.
printf 'tilefarm-schedule 1\nprogram 0123456789abcdef\n' >order
one_line "this schedule belongs to another program" replay calls --schedule order
program=$("$tilefarm" replay calls --schedule order 2>&1 | sed "s/.*'program \(.*\)'.*/\1/")
printf 'tilefarm-schedule 1\nprogram %s\n' "$program" >order
cp order slow
for tile in $(seq 0 139); do
  for place in 0 1 2 3; do echo "core $tile 0 $place 2"; done
done >>slow
for threads in 1 3; do
  "$tilefarm" replay calls --schedule order --threads $threads --json order.$threads --quiet 2>>log
  "$tilefarm" replay calls --schedule slow --threads $threads --json slow.$threads --quiet 2>>log
done
hash_of() { grep -o '"state_hash": "[0-9a-f]*"' "$1"; }
[ -n "$(hash_of order.1)" ] && [ "$(hash_of order.1)" = "$(hash_of order.3)" ] || fail "a schedule depends on threads"
[ "$(hash_of slow.1)" = "$(hash_of slow.3)" ] || fail "decisions depend on threads"
[ "$(hash_of slow.1)" != "$(hash_of order.1)" ] || fail "decisions change nothing"

# An altered recording gives other data, and replay reports that.
cp calls altered
"$alter" altered || fail "the recording was not altered"
expect 1 replay altered
says err "the data differ from the recorded data"

# A file that is not a complete recording is refused.
one_line "it is not a recording of libttsim calls" replay trace
: >empty
one_line "it is not a recording of libttsim calls" replay empty
one_line "No such file" replay missing
size=$(stat -c %s calls)
for bytes in 5 12 40 200 5000 $((size - 1)) $((size - 16)); do
  head -c "$bytes" calls >cut
  one_line "replay: cut: it " replay cut
done
one_line "it ends without libttsim_exit()" replay cut
expect 0 replay cut --partial
head -c 200000 calls >cut
expect 0 replay cut --partial
says out "the last one incomplete"
for at in 9 30 100 1000 $((size / 2)) $((size - 20)); do
  cp calls damaged
  printf '\xA5' | dd of=damaged bs=1 seek="$at" conv=notrunc status=none
  cmp -s calls damaged && printf '\x5A' | dd of=damaged bs=1 seek="$at" conv=notrunc status=none
  one_line "replay: damaged: " replay damaged
done
cp calls damaged
printf "\xA5" | dd of=damaged bs=1 seek=$((size - 8)) conv=notrunc status=none
one_line "the number of its calls is wrong" replay damaged
{ cat calls; echo; } >longer
one_line "it has extra bytes after its end" replay longer
"$tilefarm" run cb --scale 2 --save-at 2000=saved --quiet
one_line "it is not a recording of libttsim calls" replay saved

# Bad command lines.
one_line "name the recording first" replay --threads 1 calls
expect 2 replay
expect 2 replay calls calls
one_line "unknown option '--epoch'" replay calls --epoch 16
one_line "unknown option '--system'" replay calls --system n300
expect 0 replay --help
says out "--partial"
says out "--noc-trace"
grep -q -- --scale out && fail "--help offers options of workloads"

# What it reads is not overwritten.
"$tilefarm" describe --system n300 --cluster system.yaml >log
cp system.yaml kept.yaml

# If a file cannot be written, the client continues, and an earlier file stays.
cp calls earlier
(trap '' XFSZ; ulimit -f 8; TILEFARM_RECORD=earlier exec "$client") >log 2>&1
says log "TILEFARM_RECORD: earlier: File too large; calls are not recorded"
cmp -s calls earlier || fail "an earlier recording was lost"
[ -e earlier.part ] && fail "earlier.part was left"
# A program whose symbols are read is not overwritten, under any name.
ln -sf earlier program
for symbols in earlier program@B; do
  TILEFARM_SYMBOLS=$symbols TILEFARM_RECORD=program "$client" >log 2>&1
  says log "TILEFARM_RECORD: program is a program of TILEFARM_SYMBOLS; calls are not recorded"
  cmp -s calls earlier || fail "a recording has overwritten a program"
done
# Nor is a program in a folder of symbols, the file of suppressions, or a file that only looks like a part.
mkdir programs && cp calls programs/one
TILEFARM_SYMBOLS=programs TILEFARM_RECORD=programs/one "$client" >log 2>&1
says log "programs/one is a program of TILEFARM_SYMBOLS"
echo '- foo' >suppressions
TILEFARM_SUPPRESS=suppressions TILEFARM_RECORD=./suppressions "$client" >log 2>&1
says log "./suppressions is the file of TILEFARM_SUPPRESS"
TILEFARM_SYSTEM=./system.yaml TILEFARM_RECORD=system.yaml "$client" >log 2>&1
same system.yaml kept.yaml
echo mine >new.part
TILEFARM_RECORD=new "$client" >log 2>&1
says log "new.part is there, and no recording"
[ "$(cat new.part suppressions)" = "$(printf 'mine\n- foo')" ] || fail "a recording has overwritten a file"
head -c 5000 calls >new.part
TILEFARM_RECORD=new "$client" >log 2>&1 || fail "the client fails after one that was killed: $(tail -3 log)"
cmp -s calls new || fail "a recording after one that was killed differs"
# Names for which FILE.part has no room.
for bytes in 251 255; do
  name=$(printf 'n%.0s' $(seq $bytes))
  TILEFARM_RECORD=$name "$client" >log 2>&1 || fail "the client fails with a name of $bytes bytes: $(tail -3 log)"
  cmp -s calls "$name" || fail "a recording with a name of $bytes bytes differs: $(cat log)"
  ls n*.part 2>/dev/null && fail "a recording with a name of $bytes bytes leaves a part"
done
# A pipe or a device is written, not replaced.
mkfifo pipe
timeout 30 cat pipe >piped &
TILEFARM_RECORD=pipe "$client" >log 2>&1 || fail "the client fails when a pipe takes its calls: $(tail -3 log)"
wait
[ -p pipe ] || fail "a pipe was replaced"
cmp -s calls piped || fail "a pipe has other calls"
TILEFARM_RECORD=no/such/folder "$client" >log 2>&1
says log "TILEFARM_RECORD: no/such/folder: No such file"

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "replays equal the recorded runs"
