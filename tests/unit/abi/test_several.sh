#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# GDB and recordings with a client that drives several chips of one library: of n300 one has no PCIe, of p300 both have.
# Usage: test_several.sh TILEFARM CLIENT WORMHOLE_CLIENT
set -u
tilefarm=$1 client=$2 wormhole_client=$3
. "$(dirname "$(readlink -f "$0")")/../cli/gdb.sh"

cat >sum.c <<'C'
#include "tilefarm_device.h"
static void add(uint32_t number)
{
    TF_WORD(0x20004) += number;
}
int main(void)
{
    for (;;) {
        while (TF_WORD(0x20000) == 0)
            ;
        add(TF_WORD(0x20000));
        TF_WORD(0x20000) = 0;
    }
}
C
"$tilefarm" cc -c B sum.c -O1 -fno-inline -o p300.elf || fail "cannot build p300.elf"
"$tilefarm" cc --arch wormhole -c B sum.c -O1 -fno-inline -o n300.elf || fail "cannot build n300.elf"

# client_of SYSTEM: $run is its command, on that system; $port has a link
client_of() {
  case $1 in
  n300) run=("$wormhole_client" n300 n300.elf) port=0:8 ;;
  p300) run=("$client" p300 p300.elf) port=0:2 ;;
  esac
}

# ---- GDB: processes have numbers by chip ----

for system in n300 p300; do
  client_of $system
  listening env TILEFARM_GDB=0 "${run[@]}" <<G
attach 1
file $system.elf
add-inferior
inferior 2
attach 10001
file $system.elf
break add if number == 6
continue
print number
print *(unsigned *)0x20004
info inferiors
monitor waits
delete
watch *(unsigned *)0x20004
reverse-continue
reverse-continue
print *(unsigned *)0x20004
monitor save saved
delete
break add if number == 10
continue
continue
print *(unsigned *)0x20004
detach inferiors 1 2
quit
G
  [ "$code" -eq 0 ] || fail "the client of $system ended with $code: $(cat out err log)"
  says out "the sum of chip 0 is 15"
  says out "the sum of chip 1 is 30"
  says log "\$1 = 6"; says log "\$2 = 6"; says log "\$3 = 0"; says log "\$4 = 20"
  says log "process 10001"
  says log "chip 0:"; says log "waits: tile 0 (1,2) core B"
  # `monitor save` has kept all chips.
  "$tilefarm" run --restore saved --json json >out 2>&1
  grep -q '"chips"' json || fail "no chips in $(head -c 300 json)"
  says out "chip 0:"; says out "chip 1:"
done
client_of p300
TILEFARM_GDB=nowhere "${run[@]}" >out 2>err || fail "a client fails without GDB: $(cat out err)"
says err "TILEFARM_GDB: nowhere: not [HOST:]PORT"

# ---- Recordings ----

# replays CODE ARGS...: `tilefarm replay` must exit with this code.
replays() {
  local want=$1
  shift
  "$tilefarm" replay "$@" >out 2>err </dev/null
  code=$?
  [ $code -eq "$want" ] || fail "'replay $*' ended with $code, not $want: $(cat out err)"
}

for system in n300 p300; do
  client_of $system
  TILEFARM_LINK_LATENCY=3000 TILEFARM_LINK_FAULT="$port lose 5" TILEFARM_EPOCH=512 TILEFARM_RECORD=$system.rec \
    "${run[@]}" >out 2>&1 || fail "the client of $system fails when it is recorded: $(cat out)"
  grep -q tilefarm: out && fail "the library says $(cat out)"
  replays 0 $system.rec --threads 1 --json one
  grep -Eq 'replayed +[0-9]+ calls; ([1-9][0-9]*) of \1 reads' out || fail "no reads of $system: $(cat out)"
  replays 0 $system.rec --threads 2 --json two --quiet --dump 1:0:0x20004:4=sum --riscv-trace cores@0 --trace trace \
    --report page.html --timeline time --profile profile --noc-trace noc --svg chips.svg
  [ "$(od -An -tu4 sum)" -eq 30 ] || fail "chip 1 of $system has the sum $(od -An -tu4 sum)"
  grep -q state_hash one || fail "no hash of $system"
  diff <(grep state_hash one) <(grep state_hash two) || fail "threads or observers change the state of $system"
  for file in cores page.html time profile noc chips.svg; do
    [ -s "$file" ] || fail "$file of $system is empty"
  done
done

# A client that faults, and files that are damaged.
replays 2 p300.rec --dump 2:0:0x0:4=none
says err "there is no chip '2'"
head -c 3000 p300.rec >cut
replays 2 cut
says err "it ends without libttsim_exit()"
replays 0 cut --partial
head -c 300 p300.rec >cut
replays 2 cut --partial
says err "it is truncated"
for at in 20 250 900; do
  { head -c $at p300.rec; printf '\377'; tail -c +$((at + 2)) p300.rec; } >damaged
  replays 2 damaged
  says err "damaged"
done
"$tilefarm" bench --runs 1 --recording p300.rec recorded-calls >out 2>&1 && fail "bench plays calls of several chips"
says out "the recording is of several chips"

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "all as expected"
