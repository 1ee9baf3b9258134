#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `tilefarm explore` makes programs with planted bugs fail, but not their corrected twins. Its schedules replay.
# Usage: test_explore.sh TILEFARM PROGRAMS_TXT FOLDER SEEDS TWIN_SEEDS REPLAYS NAME...
tilefarm=$1
list=$2
folder=$3
seeds=$4
twin_seeds=$5
replays=$6
shift 6
. "$(dirname "$0")/programs.sh"

every=(1 2 8)
number=0
for name in "$@"; do
  # With one replay, programs take numbers of threads in turn.
  threads_tried=("${every[@]}")
  [ "$replays" -gt 1 ] || threads_tried=("${every[number++ % 3]}")
  read -r _ loads word _ < <(grep "^$name " "$list")
  loads_of "$loads" "$name" bug
  "$tilefarm" explore "${args[@]}" --expect "$word" --seeds "$seeds" --out "$out/schedule" --quiet 2>"$out/err"
  code=$?
  [ $code = 1 ] || { fail "$name: no failure in $seeds seeds: $code $(cat "$out/err")"; continue; }
  decisions=$(grep -c '^[a-z]* [0-9]* [0-9]* [0-9]* [0-9]*' "$out/schedule")
  [ "$decisions" -le 5 ] || fail "$name: $decisions decisions"
  for threads in "${threads_tried[@]}"; do
    for ((i = 0; i < replays; i++)); do
      "$tilefarm" run "${args[@]}" --schedule "$out/schedule" --quiet --threads $threads \
        --dump "${word%=*}:4=$out/word" \
        2>"$out/err"
      contents_of "$out/err"
      [[ $contents != *"state hash"* ]] || fail "$name: on $threads threads: $contents"
      word_of "$out/word"
      [ "$got" != "${word#*=}" ] || [ -s "$out/err" ] ||
        fail "$name: on $threads threads it does not fail"
    done
  done
  loads_of "$loads" "$name" fixed
  "$tilefarm" explore "${args[@]}" --expect "$word" --seeds "$twin_seeds" --out "$out/twin" --quiet 2>"$out/err" ||
    fail "$name: the corrected twin fails: $(cat "$out/err" "$out/twin")"
  "$tilefarm" run "${args[@]}" --schedule "$out/schedule" --quiet 2>"$out/err" &&
    fail "$name: the schedule of another program is accepted"
  grep -q 'another program' "$out/err" || fail "$name: the schedule is refused with '$(cat "$out/err")'"
done

# With --check, each seed is checked: the bug is found in the usual order, and no order of the twin has a race.
loads_of B@0-1 write_barrier bug
"$tilefarm" explore "${args[@]}" --check --out "$out/schedule" >"$out/text" 2>&1
[ $? = 1 ] && grep -q 'race: send, take' "$out/text" || fail "explore --check: $(cat "$out/text")"
echo "send take" >"$out/known"
"$tilefarm" explore "${args[@]}" --check --suppress "$out/known" --seeds 3 --quiet 2>"$out/err" ||
  fail "explore --check --suppress: $(cat "$out/err")"
for name in flag_first peterson mop_config; do
  read -r _ loads _ < <(grep -h "^$name " "$list" "$(dirname "$0")/loose.txt")
  loads_of "$loads" $name fixed
  "$tilefarm" explore "${args[@]}" --check --seeds 30 --out "$out/schedule" --quiet 2>"$out/err" ||
    fail "explore --check of $name.fixed: $(cat "$out/err" "$out/schedule")"
done

# Bad schedules, and options that contradict each other.
refused() {
  local want=$1
  shift
  "$tilefarm" "$@" --quiet 2>"$out/err"
  code=$?
  contents_of "$out/err"
  [ $code = 2 ] && [[ $contents == *"$want"* && $contents != *$'\n'?* ]] || fail "$* gives '$contents'"
}
read -r name loads _ < <(grep '^[a-z]' "$list")
loads_of "$loads" "$name" bug
schedule="$out/made"
"$tilefarm" explore "${args[@]}" --expect 0:0x19000=1 --out "$schedule" --quiet 2>"$out/err"
run=(run "${args[@]}" --schedule)
echo nonsense >"$out/bad"
refused 'not a schedule' "${run[@]}" "$out/bad"
sed 's/^tilefarm-schedule 1/tilefarm-schedule 2/' "$schedule" >"$out/bad"
refused 'another version' "${run[@]}" "$out/bad"
(cat "$schedule" && echo 'store 0 0 1') >"$out/bad"
refused 'the form FREEDOM' "${run[@]}" "$out/bad"
(cat "$schedule" && echo 'hope 0 0 1 1') >"$out/bad"
refused 'no such freedom' "${run[@]}" "$out/bad"
(cat "$schedule" && echo 'store 0 0 1 1' && echo 'store 0 0 1 2') >"$out/bad"
refused 'an earlier line' "${run[@]}" "$out/bad"
head -c 9 /dev/zero >"$out/bad"
refused 'not a text file' "${run[@]}" "$out/bad"
refused 'cannot be combined with --relaxed' "${run[@]}" "$schedule" --relaxed
refused 'cannot be combined with --gdb' explore "${args[@]}" --gdb 0
refused 'is not' explore "${args[@]}" --expect 0x19000
refused 'no tile' explore "${args[@]}" --show 999:0x19000
refused 'cannot be combined with --threads' explore "${args[@]}" --threads 2
refused 'strategy' explore "${args[@]}" --strategy luck
refused 'cannot be combined with --relaxed' explore "${args[@]}" --relaxed
refused 'cannot be combined with --relaxed' run "${args[@]}" --relaxed --check
refused 'No such file' explore "${args[@]}" --out "$out/no/such"
refused "no workload 'nope'" explore nope
refused '--depth needs --strategy pct' explore "${args[@]}" --depth 3
refused 'runs past the end of its memory' explore "${args[@]}" --expect 0:0xFFFFFFFF000=4
refused 'runs past the end of its memory' explore "${args[@]}" --expect-hash 0:0x17FFFC:8
refused 'is not a number' explore "${args[@]}" --strategy pct --depth 0
refused 'ends before cycle' explore "${args[@]}" --from 100000000
for other in '--undefined silicon' --inline-l1-faults '--late 3' '--niu-requests 3' '--atomics emu-spec' \
  '--board p100a'; do
  refused 'another program or other options' "${run[@]}" "$schedule" $other
done
sed 's/^hash .*/hash 0123456789abcdef/' "$schedule" >"$out/bad"
"$tilefarm" "${run[@]}" "$out/bad" --quiet 2>"$out/err" && fail "a wrong hash is accepted"

# On a full disk an earlier file stays.
echo earlier >"$out/kept"
(trap '' XFSZ; ulimit -f 0; "$tilefarm" explore "${args[@]}" --expect 0:0x19000=1 --out "$out/kept" --quiet) 2>/dev/null
[ $? = 1 ] && [ "$(cat "$out/kept")" = earlier ] || fail "on a full disk an earlier schedule is lost"

# The result does not depend on the number of jobs. With --from, no decision comes before that cycle.
loads_of B@0-1 half_packet bug
search=(explore "${args[@]}" --expect 1:0x19000=15105 --seeds 60 --all --out "$out/search")
for jobs in 1 3; do
  "$tilefarm" "${search[@]}" --jobs $jobs | grep -v ' a second' >"$out/jobs.$jobs"
done
cmp -s "$out/jobs.1" "$out/jobs.3" || fail "three jobs find $(cat "$out/jobs.3"), one $(cat "$out/jobs.1")"
"$tilefarm" "${search[@]}" --jobs 1 --afresh | grep -v ' a second' >"$out/afresh"
cmp -s "$out/jobs.1" "$out/afresh" || fail "a process for each seed finds $(cat "$out/afresh")"

# each: seeds 1 to 3 are the first one of three strategies, seeds 4 to 6 the second one.
outcomes() { # SEED STRATEGY
  "$tilefarm" "${search[@]}" --first-seed "$1" --seeds 1 --jobs 1 --strategy "$2" --shrink-time 0 --explain-time 0 |
    sed -n '/ runs  first seed/,/^Seed/{/Seed/d;s/ *[0-9]*  *'"$1"'  / /;p}'
}
turns=(random chaos pct)
for seed in 1 2 3 7 8 9; do
  own=$(((seed - 1) / 3 + 1)) strategy=${turns[(seed - 1) % 3]}
  of_each=$(outcomes $seed each) of_turn=$(outcomes $own "$strategy")
  [ -n "$of_each" ] && [ "$of_each" = "$of_turn" ] || fail "seed $seed of each: $of_each, $own of $strategy: $of_turn"
done

child_of() {
  grep -l "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status 2>/dev/null | cut -d/ -f3 | head -1
}

# A process that ends within a seed is the outcome of that seed; the others run. Of 20 kills some hit a seed.
"$tilefarm" explore "${args[@]}" --seeds 100000 --all --jobs 1 --out "$out/search" --shrink-time 0 --explain-time 0 \
  >"$out/text" 2>&1 &
search_of=$!
for ((killed = 0, i = 0; killed < 20 && i < 2000; i++)); do
  job=$(child_of "$search_of")
  runs=${job:+$(child_of "$job")}
  [ -n "$runs" ] && kill -KILL "$runs" 2>/dev/null && killed=$((killed + 1))
  sleep 0.01
done
kill -INT "$search_of"
wait "$search_of"
grep -q "the simulator's process ended" "$out/text" || fail "a process that was killed: $(cat "$out/text")"
"$tilefarm" "${search[@]}" --from 64 | grep -o 'cycle [0-9]*' | while read -r _ cycle; do
  [ "$cycle" -ge 64 ] || echo "$cycle"
done | grep . && fail "a decision before --from"
"$tilefarm" "${search[@]}" --from 128 --quiet || fail "--from a cycle after the race still fails"

# Without --from, seeds start where orders begin to matter: after a loop of one core, before its first store.
cat >"$out/alone.c" <<'END'
#include "tilefarm_device.h"

int main(void)
{
    for (volatile unsigned i = 0; i < 400; i++)
        ;
    TF_WORD(0x20000) = 7;
    tf_fence();
    tf_noc_write(0, tf_tile_xy(0, 1), 0x20000, 0x20000, 4);
    tf_noc_wait(0);
    return 0;
}
END
"$tilefarm" cc --core B "$out/alone.c" -o "$out/alone.elf" || fail "alone.c"
alone=(explore --load "B=$out/alone.elf@0" --expect 1:0x20000=7 --seeds 300 --out "$out/alone")
"$tilefarm" "${alone[@]}" >"$out/report"
from=$(sed -n 's/.*from cycle 1,\([0-9]*\) on: before it.*/1\1/p' "$out/report")
[ -n "$from" ] && grep -q 'Seed 76 fails' "$out/report" || fail "the start of the seeds: $(cat "$out/report")"
"$tilefarm" "${alone[@]}" --from 0 | grep -q 'Seed 76 fails' || fail "--from 0"
"$tilefarm" "${alone[@]}" --from $((from + 128)) --quiet || fail "--from a later cycle still fails"
refused 'not a cycle number' "${alone[@]}" --from 1x

# If a single core acts, no order matters.
cat >"$out/single.c" <<'END'
#include "tilefarm_device.h"

int main(void)
{
    for (unsigned i = 0; i < 1000; i++)
        TF_WORD(0x20000) += i;
    return 0;
}
END
"$tilefarm" cc --core B "$out/single.c" -o "$out/single.elf" || fail "single.c"
"$tilefarm" explore "${few_columns[@]}" --load "B=$out/single.elf@0" --expect 0x20000=499500 --seeds 50 \
  --out "$out/single" >"$out/report"
grep -q 'its end: no other order can matter' "$out/report" && grep -q ' 50  *1  0x20000=499500' "$out/report" ||
  fail "a single core: $(cat "$out/report")"

# A core that another one takes out of reset sees the earlier stores of that one to L1.
cat >"$out/starts.c" <<'END'
#include "tilefarm_device.h"

int main(void)
{
#if TF_CORE == 0
    TF_WORD(0x20000) = 7;
    TF_WORD(0xFFB12238u) = 0x4000;
    TF_WORD(0xFFB1223Cu) = 1;
    TF_WORD(0xFFB121B0u) |= 0x40000;
    TF_WORD(0x20000) = 8;
    TF_WORD(0xFFB121B0u) &= ~0x40000u;
#else
    if (TF_WORD(0x20000) == 8)
        TF_WORD(0x20004) = 1;
#endif
    return 0;
}
END
for core in B NC; do
  "$tilefarm" cc --core $core "$out/starts.c" -DTF_CORE=$([ $core = B ]; echo $?) -o "$out/starts.$core.elf" ||
    fail "starts.c"
done
"$tilefarm" explore "${few_columns[@]}" --load "B=$out/starts.B.elf@0" --load "NC=$out/starts.NC.elf@0" \
  --expect 0x20004=1 --seeds 500 --out "$out/starts" --quiet 2>"$out/err" ||
  fail "a started core misses a store: $(cat "$out/err" "$out/starts")"

# Orders matter from the first read of a clock on, or of a register to which another core stores later.
cat >"$out/looks.c" <<'END'
#include "tilefarm_device.h"

#define STREAM 0xFFB40024u

int main(void)
{
#if TF_CORE == 1
    for (volatile unsigned i = 0; i < 100; i++)
        ;
    TF_WORD(STREAM) = 7;
#elif defined(CSR)
    uint32_t began, ended;
    __asm__ volatile("csrr %0, mcycle" : "=r"(began));
    for (volatile unsigned i = 0; i < 40; i++)
        ;
    __asm__ volatile("csrr %0, mcycle" : "=r"(ended));
    TF_WORD(0x20000) = ended - began < 300;
#elif defined(CLOCK)
    uint32_t began = TF_WORD(0xFFB121F0u);
    for (volatile unsigned i = 0; i < 40; i++)
        ;
    TF_WORD(0x20000) = TF_WORD(0xFFB121F0u) - began < 300;
#else
    TF_WORD(0x20000) = TF_WORD(STREAM) == 0;
#endif
    return 0;
}
END
"$tilefarm" cc --core NC "$out/looks.c" -DTF_CORE=1 -o "$out/stores.elf" || fail "looks.c"
for looks in CSR CLOCK REGISTER; do
  "$tilefarm" cc --core B "$out/looks.c" -DTF_CORE=0 -D$looks -o "$out/looks.elf" || fail "looks.c"
  "$tilefarm" explore "${few_columns[@]}" --load "B=$out/looks.elf@0" --load "NC=$out/stores.elf@0" \
    --expect 0x20000=1 --seeds 1000 --out "$out/looks" --quiet 2>"$out/err" &&
    fail "explore finds no failure when a core reads: $looks"
done

# The report of a failure has the race, the accesses of both orders to the word, and the first difference of L1.
"$tilefarm" "${search[@]}" --json "$out/json" --quiet
"$tilefarm" "${search[@]}" >"$out/report"
for line in 'race: tile 1 (2,2), 0x20000' '    NOC write, tile 0 (1,2) B, cycle 1[0-9][0-9]' '    to fix it: ' \
  '    here: ' \
  '1[0-9][0-9] NOC write 0 B .*: 0x3e8 *|  *1[0-9][0-9] load 1 B .*: 0x0$' 'L1 is equal up to cycle' \
    'L1 differs in 1 word at the end'; do
  grep -q "$line" "$out/report" || fail "the report lacks '$line': $(cat "$out/report")"
done
python3 - "$out/json" <<'END' || fail "the JSON of a failure is wrong"
import json, sys
report = json.load(open(sys.argv[1]))
assert report["races"][0]["tile"] == 1 and len(report["races"][0]["sides"]) == 2
accesses = [word for word in report["accesses"] if word["address"] == 0x20000][0]
assert "NOC write" in accesses["usual"][0] and "load" in accesses["failing"][0], accesses
difference = report["first_difference"]
assert difference["equal_until"] < difference["cycle"] and difference["tile"] == 1, difference
END

# pct takes the places of conflicting accesses, and reports the probability of a choice.
"$tilefarm" "${search[@]}" --strategy pct --depth 2 >"$out/report"
grep -q 'pct: 2 actors, 10 places whose accesses conflict (of 40), depth 2; .* 0.05' "$out/report" &&
  grep -q 'Seed .* fails' "$out/report" || fail "pct: $(cat "$out/report")"

# Under the usual order of explore a workload with requests of all kinds has right results.
"$tilefarm" explore atomics --scale 1 --seeds 1 --strategy delay-one --out "$out/atomics" >"$out/report"
grep -q 'fails without a decision' "$out/report" && fail "atomics: $(cat "$out/report")"

# Without time to shrink, all decisions stay.
"$tilefarm" "${search[@]}" --shrink-time 0 | grep -q ' left when --shrink-time was over' || fail "--shrink-time 0"

# The interpreter of chips that explore has the effects of single steps, which traces and profiles use.
for option in --riscv-trace --profile; do
  "$tilefarm" run "${args[@]}" --schedule "$out/search" $option "$out/each" --quiet 2>"$out/err"
  [ -s "$out/each" ] && ! grep -q 'state hash' "$out/err" || fail "$option of another order: $(cat "$out/err")"
done

# --check works with a schedule: it names the bug, and the hash equals that of the file.
"$tilefarm" "${search[@]}" --quiet
"$tilefarm" run "${args[@]}" --schedule "$out/search" --check --quiet 2>"$out/err"
[ $? = 1 ] && grep -q 'race:.*nothing orders' "$out/err" && ! grep -q 'state hash' "$out/err" ||
  fail "--schedule --check: $(cat "$out/err")"
loads_of B@0-1 half_packet fixed
program=$("$tilefarm" run "${args[@]}" --schedule "$out/search" --quiet 2>&1 | grep -c 'another program')
[ "$program" = 1 ] || fail "the schedule of another program is accepted"
"$tilefarm" explore "${args[@]}" --expect 1:0x19000=1 --quiet --out "$out/fixed"
sed '/^hash/d' "$out/fixed" >"$out/orders"
grep '^[a-z]* [0-9]* [0-9]* [0-9]* [0-9]*' "$out/search" >>"$out/orders"
"$tilefarm" run "${args[@]}" --schedule "$out/orders" --check --quiet 2>"$out/err" ||
  fail "the corrected program has a race under another order: $(cat "$out/err")"

# A mover in reset drops a command, even after late commands.
"$tilefarm" cc -c B -o "$out/held.elf" "$(dirname "$0")/programs/mover_held.c" || fail "mover_held is not compiled"
"$tilefarm" explore "${few_columns[@]}" --load "B=$out/held.elf@0" --expect 0:0x19000=0 --seeds 60 --out "$out/held" \
  --quiet ||
  fail "a mover in reset moves"

# A core pauses between any two instructions: two cores lose an update, also if no store can be late unseen.
cat >"$out/lost.c" <<'END'
#include "tilefarm_device.h"

int main(void)
{
#ifdef ATOMIC
    tf_amoadd(0x20000, 1);
#else
    TF_WORD(0x20000) += 1;
    tf_settle(0x20000);
#endif
    return 0;
}
END
for twin in LOST ATOMIC; do
  args=("${few_columns[@]}")
  for core in B T0; do
    "$tilefarm" cc --core $core "$out/lost.c" -g -D$twin -o "$out/lost.$core.elf" || fail "lost.c"
    args+=(--load "$core=$out/lost.$core.elf@0")
  done
  for strategy in chaos pct nops; do
    "$tilefarm" explore "${args[@]}" --expect 0x20000=2 --strategy $strategy --seeds 120 --out "$out/lost" >"$out/told"
    [ $? = $([ $twin = LOST ] && echo 1 || echo 0) ] || fail "$strategy of an update, $twin: $(cat "$out/told")"
    [ $twin = ATOMIC ] || grep -q 'lost.c:8): it pauses before this access' "$out/told" ||
      fail "$strategy does not explain a lost update: $(cat "$out/told")"
  done
done

# By default, too, a core loses the update of another one that comes 8,000 cycles later.
for twin in bug fixed; do
  loads_of B@0+NC@0+T0@0 lost_update $twin
  "$tilefarm" explore "${args[@]}" --expect 0:0x19000=7 --seeds 800 --shrink-time 1 --explain-time 1 --out "$out/lost" \
    --quiet
  [ $? = $([ $twin = bug ] && echo 1 || echo 0) ] || fail "lost_update.$twin by default"
done

# One of the two comes 6,000 cycles later: no pause of usual length lets them meet.
cat >"$out/far.c" <<'END'
#include "tilefarm_device.h"

int main(void)
{
    if (TF_CORE != 0)
        for (uint32_t i = 0; i < 2000; i++)
            __asm__ volatile("nop");
    TF_WORD(0x20000) += 1;
    tf_settle(0x20000);
    return 0;
}
END
args=("${few_columns[@]}")
for core in B T0; do
  "$tilefarm" cc --core $core "$out/far.c" -o "$out/far.$core.elf" || fail "far.c"
  args+=(--load "$core=$out/far.$core.elf@0")
done
"$tilefarm" explore "${args[@]}" --expect 0x20000=2 --strategy pct --first-seed 801 --seeds 100 --out "$out/far" --quiet
[ $? = 1 ] || fail "pct does not bring cores together that are far apart"

# Pauses alone let no part of a write overtake another.
loads_of B@0-1 half_packet bug
"$tilefarm" explore "${args[@]}" --expect 1:0x19000=15105 --seeds 60 --strategy nops --out "$out/nops" --quiet ||
  fail "with pauses alone, parts of a packet overtake"

# Without requests, delay-one has one seed.
loads_of T0@0 gpr_overtaken fixed
timeout 120 "$tilefarm" explore "${args[@]}" --strategy delay-one --seeds 4 2>&1 | grep -q '^explore: 1 seed ' ||
  fail "delay-one without requests"

# check explains a race on Wormhole. There fences order nothing, and loads are compared with stores by first bytes.
for_wormhole() { # PROGRAM TWIN CORE@TILES...
  local name=$1 twin=$2 load
  shift 2
  args=()
  for load in "$@"; do
    "$tilefarm" cc -c "${load%@*}" --arch wormhole "-D$twin" -fno-optimize-sibling-calls \
      -o "$out/wormhole.${load%@*}.elf" "$(dirname "$0")/programs/$name.c" || fail "$name for Wormhole is not compiled"
    args+=(--load "${load%@*}=$out/wormhole.${load%@*}.elf@${load#*@}")
  done
}
for_wormhole write_barrier BUG B@0-1
"$tilefarm" explore --arch wormhole "${args[@]}" --expect 1:0x19000=16120 --out "$out/found" |
  grep -q 'race: tile 1 (2,1), .*nothing orders' || fail "explore does not explain the race on Wormhole"
for name in load_beside few_stores; do
  for twin in BUG FIXED; do
    for_wormhole $name $twin B@0 T0@0
    "$tilefarm" explore --arch wormhole "${args[@]}" --expect 0:0x19000=16120 --seeds 300 --out "$out/found" --quiet
    [ $? = $([ $twin = BUG ] && echo 1 || echo 0) ] || fail "explore of $name, $twin, on Wormhole"
  done
done
# The first Ctrl-C ends explore at each of its steps.
python3 "$(dirname "$0")/interrupts.py" "$tilefarm" "$out" || fail "Ctrl-C does not end explore as it must"
exit $((failures != 0))
