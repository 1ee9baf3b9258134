#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --save-at and --restore: a run that is saved, and runs from its files, end as an uninterrupted run does.
# Usage: test_saved.sh TILEFARM
set -u
tilefarm=$1
invocation=("$tilefarm")
. "$(dirname "$(readlink -f "$0")")/expect.sh"

# state FILE: the hash and the cycles of a report.
state() { grep -E '"(state_hash|cycles)":' "$1"; }

same() { [ "$(state "$1")" = "$(state whole)" ] || fail "$1: $(state "$1"), not $(state whole)"; }

expect 0 run cb --scale 2 --json whole --quiet
expect 0 run cb --scale 2 --threads 2 --save-at 9k=late --save-at 2000=early --json saving --quiet
same saving
expect 0 run cb --scale 2 --threads 1 --restore early --json workload --quiet
same workload
expect 0 run --threads 3 --restore late --json alone --quiet
same alone
expect 0 run --restore early --save-at 9k=resaved --serial-delivery --json second --quiet
same second
expect 0 run --restore resaved --json third --quiet
same third
# A restored run with an observer decodes its code again.
for look in --profile --timeline; do
  expect 0 run --restore early --threads 1 "$look" looked --json looking --quiet
  same looking
  [ -s looked ] || fail "$look of a restored run is empty"
done
expect 4 run --restore early --limit-cycles 3000 --save-at 2500=before --quiet
[ -s before ] || fail "nothing was saved before the limit"

# Files that a restored run saves later are equal, too. They have more state than the hash covers.
# The hostile build's own epochs end these runs before those cycles.
slices=(--slice 1024 --epoch 1024:16384)
for workload in 'cb --scale 1' 'fifo --scale 1' 'locks --scale 1' 'mixed --scale 1'; do
  # shellcheck disable=SC2086
  expect 0 run $workload "${slices[@]}" --threads 1 --save-at 2000=a --save-at 4000=b --save-at 6000=c --quiet
  # shellcheck disable=SC2086
  expect 0 run $workload "${slices[@]}" --threads 2 --save-at 4000=b3 --quiet
  cmp b b3 || fail "$workload: the file of cycle 4000 depends on the number of threads"
  expect 0 run --restore a --threads 1 --save-at 4000=b2 --save-at 6000=c2 --quiet
  cmp b b2 || fail "$workload: the files of cycle 4000 differ"
  cmp c c2 || fail "$workload: the files of cycle 6000 differ"
done

# The chip has the configuration of the file. An option that contradicts it is refused.
expect 0 run cb --scale 2 --slice 256 --epoch 512:4096 --niu-requests 7 --save-at 2000=short --json whole --quiet
expect 0 run --restore short --json other --quiet
same other
for option in '--epoch 1024:4096' '--slice 128' '--niu-requests 8' '--late 3' '--arch wormhole' '--board p100a'; do
  # shellcheck disable=SC2086
  one_line '--restore: short: ' run --restore short $option
done

# A restored chip has code without names. --symbols gives the names of programs that are found in its memory.
cat >wait.c <<'C'
static int wait_here(volatile unsigned *word)
{
    while (*word == 0) {
    }
    return 0;
}

int main(void)
{
    for (volatile int i = 0; i < 1000; i++) {
    }
    return wait_here((volatile unsigned *)0x20000);
}
C
expect 0 cc -c B wait.c -o wait.elf
expect 3 run --load B=wait.elf@0-2 --save-at 2000=waits
expect 3 run --restore waits
grep -q "wait_here" err && fail "a restored chip knows names of functions"
expect 3 run --restore waits --symbols wait.elf
says err "tiles 0-2 (3) core B"
says err "in wait_here at wait.c:3"
one_line "--symbols: wait.c: no ELF file" run --restore waits --symbols wait.c
one_line "No such file" run --restore waits --symbols missing
expect 0 cc --arch wormhole -c B wait.c -o wait.wh.elf
printf '\1\0\0\0' >one
expect 3 run --system n300 --load B=wait.wh.elf@1:all --write 1:0-2:0x20000=one --save-at 2000=both
says err "tiles 3-63 (61) core B"
expect 3 run --system n300 --restore both --symbols wait.wh.elf
says err "in wait_here at wait.c:3"

# A saved system brings its chips and links.
links=(--link-latency 2000 --link-gbps 50 --link-fault "0:8 lose 2% 7" --slice 512 --epoch 512)
expect 0 run --system n300 eth-ring "${links[@]}" --save-at 6000=ring
whole=$(grep hash out)
for system in "" "--system n300"; do
  # shellcheck disable=SC2086
  expect 0 run $system --restore ring eth-ring
  [ "$(grep hash out)" = "$whole" ] || fail "a restored system ends otherwise"
done
expect 0 run --restore ring --system n300 eth-ring --threads 2
[ "$(grep hash out)" = "$whole" ] || fail "a restored system ends otherwise on two threads"
one_line "the saved system has link_latency 2000, and this one has 1024" run --restore ring --link-latency 1024
one_line "the saved system has link_gbps 50, and this one has 100" run --link-gbps 100 --restore ring
one_line "the saved system has other link faults" run --restore ring --link-fault "0:9 down"
one_line "the saved chip has slice_cycles 512, and this one has 64" run --restore ring --slice 64
one_line "a saved system cannot be combined with --arch" run --arch blackhole --restore ring
one_line "a saved chip: leave --system out" run --restore early --system p300
one_line "it is a saved chip, not a system" run --system p300 --restore early
head -c -8 ring >ring.cut
one_line "it is truncated" run --restore ring.cut

one_line "cannot be combined with --relaxed" run cb --relaxed --save-at 1000=x
one_line "cannot be combined with --relaxed" run --restore early --relaxed
one_line "cannot be combined with --load" run --restore early --load B=early
one_line "cannot be combined with --gdb" run cb --save-at 1000=x --gdb 0
one_line "it is not a saved chip" run --restore whole
one_line "No such file" run --restore missing
head -c 5000 early >cut
one_line "it is truncated" run --restore cut
one_line "CYCLE=FILE" run cb --save-at 1000
one_line "CYCLE=FILE" run cb --save-at 0=x
one_line "CYCLE=FILE" run cb --save-at =x
one_line "No such file" run cb --save-at 1000=no/such/folder
one_line "applies to workloads" run --restore early --scale 3
[ -e x ] && fail "a refused command left a file"

# A file that cannot be written, or that is not due before the end, makes the command fail after the run.
expect 1 run cb --scale 2 --save-at 2000=/dev/full --quiet
says err "No space left on device"
expect 1 run cb --scale 2 --save-at 900M=never --quiet
says err "never is not written: the run ended before, at cycle"
[ -e never ] && fail "a file that was never due is there"

# The run is reported, and its verdict decides the exit code.
expect 1 run cb --scale 2 --save-at 900M=never --json kept
says out "cb (all): verified"
says kept '"state_hash"'
expect 4 run cb --scale 2 --save-at 900M=never --limit-cycles 2000
says out "cb (all): LIMIT"
says err "never is not written"
if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "all as expected"
