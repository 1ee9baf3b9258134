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

# client_of SYSTEM: $run is its command, on that system
client_of() {
  case $1 in
  n300) run=("$wormhole_client" n300 n300.elf) ;;
  p300) run=("$client" p300 p300.elf) ;;
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

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "all as expected"
