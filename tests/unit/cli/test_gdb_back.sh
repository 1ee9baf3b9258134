#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What it costs to go back. The run leaves checkpoints while it goes forward, so a way back repeats a bounded number of
# instructions, near the stop and far back.
# Usage: test_gdb_back.sh TILEFARM RISCV_GCC DEVICE_FOLDER
set -u
tilefarm=$1
cc=$2
device=$3
. "$(dirname "$0")/gdb.sh"

program work 0 <<'C'
#include "tilefarm_device.h"
volatile uint32_t sum, passed;
static void pass(uint32_t number)
{
    passed = number;
}
int main(void)
{
    for (uint32_t i = 1; i <= 10; i++) {
        for (uint32_t j = 0; j < 100000; j++)
            sum += j;
        pass(i);
    }
    return 0;
}
C
"$tilefarm" run --load B=work.elf@0 --quiet --json json || fail "the program fails without GDB"
hash=$(grep state_hash json)

# To the end, then back by single steps there; back to the last passes, and by single steps there; and far back.
session --load B=work.elf@0 <<'G'
file work.elf
attach 1
break pass if number == 10
continue
print passed
print $instret
monitor checkpoints
delete
reverse-stepi
monitor checkpoints
reverse-stepi
monitor checkpoints
stepi
stepi
stepi
print $instret
break pass
reverse-continue
info args
reverse-continue
info args
reverse-stepi
monitor checkpoints
delete
break pass if number == 2
reverse-continue
info args
reverse-stepi
reverse-stepi
monitor checkpoints
delete
reverse-continue
print passed
break pass if number == 10
continue
print passed
print $instret
detach
quit
G
[ "$code" -eq 0 ] || fail "the run ended with $code: $(cat err log)"
[ "$hash" = "$(grep state_hash json)" ] || fail "going back changed the state: $hash, $(grep state_hash json)"
says log "number = 9"; says log "number = 2"
at_the_beginning log
# A checkpoint after each million instructions or more, thinned out at a distance.
bound=1100000
n=0
while read -r cost; do
  n=$((n + 1))
  [ "$cost" -le $bound ] || fail "way back $n has executed $cost instructions, more than $bound: $(cat log)"
done < <(sed -n 's/.*the last way back has executed \([0-9]*\) .*/\1/p' log)
[ "$n" = 5 ] || fail "$n costs, not 5: $(cat log)"
grep -qE '^([3-9]|[12][0-9]) checkpoints' log || fail "too few checkpoints: $(cat log)"
# Before and after all that, the same place.
mapfile -t at < <(sed -n 's/^\$[0-9]* = \([0-9]\{7,\}\)$/\1/p' log)
[ "${#at[@]}" = 3 ] && [ "${at[0]}" = "${at[2]}" ] && [ "${at[1]}" = $((at[0] + 1)) ] || fail "other places: ${at[*]}"

# A system leaves checkpoints, too, whichever of its chips works.
loads=(--system p300 --load B=work.elf@1:0)
"$tilefarm" run "${loads[@]}" --quiet --json json || fail "the program fails in a system without GDB"
hash=$(grep state_hash json)
session "${loads[@]}" <<'G'
file work.elf
attach 10001
break pass if number == 5
continue
monitor checkpoints
delete
reverse-stepi
monitor checkpoints
break pass if number == 2
reverse-continue
info args
reverse-stepi
monitor checkpoints
delete
detach
quit
G
[ "$code" -eq 0 ] || fail "the run of a system ended with $code: $(cat err log)"
[ "$hash" = "$(grep state_hash json)" ] ||
  fail "going back changed the state of a system: $hash, $(grep state_hash json)"
says log "number = 2"
grep -q '^2 checkpoints' log || fail "not 2 checkpoints of a system: $(cat log)"
n=0
while read -r cost; do
  n=$((n + 1))
  [ "$cost" -le $bound ] || fail "way back $n of a system has executed $cost instructions, more than $bound: $(cat log)"
done < <(sed -n 's/.*the last way back has executed \([0-9]*\) .*/\1/p' log)
[ "$n" = 3 ] || fail "$n costs of a system, not 3: $(cat log)"

# Where all tiles work, a step back executes one of them: the way before has left a checkpoint at the begin of the
# epoch, and the tile of the place runs before the others. Other cores are then where that epoch began.
"$tilefarm" run --load B=work.elf@all --quiet --json json || fail "the program fails on all tiles without GDB"
hash=$(grep state_hash json)
session --load B=work.elf@all <<'G'
file work.elf
attach 801
break pass if number == 2
continue
print $instret
reverse-stepi
monitor checkpoints
reverse-stepi
monitor checkpoints
reverse-stepi
monitor checkpoints
stepi
stepi
stepi
print $instret
break pass if number == 1
reverse-continue
info args
detach
quit
G
[ "$code" -eq 0 ] || fail "the run of all tiles ended with $code: $(cat err log)"
[ "$hash" = "$(grep state_hash json)" ] || fail "going back changed the state: $hash, $(grep state_hash json)"
says log "number = 1"
mapfile -t at < <(sed -n 's/^\$[0-9]* = \([0-9]\{6,\}\)$/\1/p' log)
[ "${#at[@]}" = 2 ] && [ "${at[0]}" = "${at[1]}" ] || fail "other places on all tiles: ${at[*]}"
mapfile -t costs < <(sed -n 's/.*the last way back has executed \([0-9]*\) .*/\1/p' log)
[ "${#costs[@]}" = 3 ] && [ "${costs[1]}" -le 20000 ] && [ "${costs[2]}" -le 20000 ] ||
  fail "steps back have executed ${costs[*]} instructions: $(cat log)"

# GDB evaluates the condition of `watch ... if` itself, and going back over hits that it refuses comes to an end.
program count 0 <<'C'
#include "tilefarm_device.h"
volatile uint32_t count, passed;
static void pass(uint32_t number)
{
    passed = number;
}
int main(void)
{
    for (uint32_t i = 0; i < 15; i++)
        count += 2;
    pass(1);
    return 0;
}
C
session --load B=count.elf@0 <<'G'
file count.elf
attach 1
break pass
continue
delete
watch count if count == 6
reverse-continue
print count
delete
detach
quit
G
[ "$code" -eq 0 ] || fail "the run ended with $code: $(cat err log)"
says log "Old value = 8"; says log "New value = 6"; says log "\$1 = 6"

[ "$failures" -eq 0 ] || exit 1
