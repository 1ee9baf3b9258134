#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# GDB executes in reverse through libttsim.so: over calls of the client, and over changes of the host's memory. The
# client notices nothing.
# Usage: test_gdb_client.sh TILEFARM RISCV_GCC DEVICE_FOLDER CLIENT LIBTTSIM
set -u
tilefarm=$1
cc=$2
device=$3
client=$4
library=$5
. "$(dirname "$0")/gdb.sh"

cat >sum.c <<'C'
#include "tilefarm_device.h"
static uint32_t host(void)
{
    tf_noc_read(0, tf_xy(0, 19, 24), 1ull << 60, 0x20040, 64);
    tf_noc_wait(0);
    return TF_WORD(0x20040);
}
static void add(uint32_t number)
{
    TF_WORD(0x20004) += number * host();
    tf_noc_write(0, tf_xy(0, 19, 24), 1ull << 60, 0x20000, 64);
    tf_noc_wait(0);
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
"$tilefarm" cc -c B sum.c -O1 -fno-inline -o sum.elf || fail "cannot build sum"

"$client" "$library" sum.elf >out || fail "the client fails without GDB: $(cat out)"
says out "the sum is 55, 5 reads and 5 writes"

listening env TILEFARM_GDB=0 "$client" "$library" sum.elf <<'G'
file sum.elf
attach 369
break add if number == 4
continue
print *(unsigned *)0x20004
delete
watch *(unsigned *)0x20004
reverse-continue
print *(unsigned *)0x20004
reverse-continue
print *(unsigned *)0x20004
delete
break host
reverse-continue
print *(unsigned *)0x20000
finish
continue
print *(unsigned *)0x20000
delete
continue
info args
stepi
stepi
reverse-stepi
reverse-stepi
print *(unsigned *)0x20004
reverse-stepi
continue
break add if number == 5
continue
print *(unsigned *)0x20004
detach
quit
G
[ "$code" -eq 0 ] || fail "the client ended with $code: $(cat out err log)"
says out "the sum is 55, 5 reads and 5 writes"
[ "$(grep -c . err)" -eq 1 ] || fail "the chip of the past prints messages: $(cat err)"
says log "\$1 = 14"; says log "\$2 = 5"; says log "\$3 = 1"; says log "\$4 = 2"
says log "Value returned is \$5 = 2"; says log "\$6 = 3"
at_the_beginning log; says log "number = 4"
says log "\$7 = 14"; says log "\$8 = 30"

# The host writes L1 and DRAM.
listening env TILEFARM_GDB=0 "$client" "$library" sum.elf <<'G'
file sum.elf
attach 369
break add if number == 2
continue
delete
watch *(unsigned *)0x20000 if *(unsigned *)0x20000 != 0
continue
print *(unsigned *)0x20000
delete
watch *(unsigned *)0x40003000
continue
print *(unsigned *)0x40003000
delete
break add if number == 5
continue
delete
watch *(unsigned *)0x40003000
reverse-continue
print *(unsigned *)0x40003000
delete
detach
quit
G
[ "$code" -eq 0 ] || fail "the client whose writes are watched ended with $code: $(cat out err log)"
says log "the host wrote 0x20000, 4 bytes"; says log "the host wrote DRAM channel 0, 0x3000, 4 bytes"
says log "\$1 = 3"; says log "\$2 = 4"; says log "\$3 = 4"

# Reverse execution undoes a write of the host, even if the core has executed nothing between two writes.
listening env TILEFARM_GDB=0 "$client" "$library" sum.elf <<'G'
attach 370
watch *(unsigned *)0x40003000
continue
continue
continue
print *(unsigned *)0x40003000
reverse-continue
print *(unsigned *)0x40003000
reverse-continue
print *(unsigned *)0x40003000
continue
print *(unsigned *)0x40003000
reverse-continue
reverse-continue
print *(unsigned *)0x40003000
monitor condition 0x40003000 value == 4 || value == -1 || writer != 0
continue
continue
print *(unsigned *)0x40003000
monitor condition 0x40003000 value / 2 == 1 && value % 2 == 0
reverse-continue
print *(unsigned *)0x40003000
monitor condition 0x40003000
reverse-continue
reverse-continue
detach
quit
G
[ "$code" -eq 0 ] || fail "the client of a core in reset ended with $code: $(cat out err log)"
says out "the sum is 55, 5 reads and 5 writes"; at_the_beginning log
says log "\$1 = 3"; says log "\$2 = 2"; says log "\$3 = 1"; says log "\$4 = 2"; says log "\$5 = 0"
says log "\$6 = 4"; says log "\$7 = 1"

# The client's calls leave checkpoints: a way back repeats a bounded number of instructions, near the stop and far
# back.
awk '{ print } /0x20004. .=/ { print "for (int i = 0; number < 4 && i < 250000; i++) __asm__ volatile(\"\");" }' \
  sum.c >long.c
"$tilefarm" cc -c B long.c -O1 -fno-inline -o long.elf || fail "cannot build long"
listening env TILEFARM_GDB=0 "$client" "$library" long.elf <<'G'
file long.elf
attach 369
break add if number == 4
continue
monitor checkpoints
delete
reverse-stepi
monitor checkpoints
break add if number == 2
reverse-continue
info args
reverse-stepi
monitor checkpoints
delete
continue
print *(unsigned *)0x20004
detach
quit
G
[ "$code" -eq 0 ] || fail "the client with checkpoints ended with $code: $(cat out err log)"
says out "the sum is 55, 5 reads and 5 writes"; says log "number = 2"; says log "\$1 = 14"
grep -q '^[1-9][0-9]* checkpoints' log || fail "no checkpoints: $(cat log)"
n=0
while read -r cost; do
  n=$((n + 1))
  [ "$cost" -le 1100000 ] || fail "way back $n has executed $cost instructions: $(cat log)"
done < <(sed -n 's/.*the last way back has executed \([0-9]*\) .*/\1/p' log)
[ "$n" = 3 ] || fail "$n costs, not 3: $(cat log)"

# GDB cannot write in the past, since the writes would be lost. It detaches there, and the client continues.
listening env TILEFARM_GDB=0 "$client" "$library" sum.elf <<'G'
file sum.elf
attach 369
break add if number == 4
continue
reverse-stepi
set var *(unsigned *)0x20004 = 77
G
[ "$code" -eq 0 ] || fail "after GDB detached in the past the client ended with $code: $(cat out err log)"
says log "Cannot access memory at address 0x20004"; says out "the sum is 55, 5 reads and 5 writes"

# The client is killed while GDB is in the past: all its processes end.
cat >script <<'G'
file sum.elf
attach 369
break add if number == 3
continue
reverse-stepi
print "back"
G
: >err
env TILEFARM_GDB=0 "$client" "$library" sum.elf >out 2>err </dev/null &
pid=$!
for _ in $(seq 100); do
  port=$(sed -n 's/.*waiting for GDB at port //p' err)
  [ -n "$port" ] && break
  sleep 0.1
done
cat >>script <<G
shell kill -9 $pid
G
timeout 60 gdb-multiarch -nx -batch -ex "set auto-connect-native-target off" -ex "set confirm off" \
  -ex "target extended-remote 127.0.0.1:$port" -x script >log 2>&1 </dev/null
says log '$1 = "back"'
kill -9 "$pid" 2>/dev/null # if GDB did not kill it
wait "$pid" 2>/dev/null
pid=
for _ in $(seq 100); do
  left=$(for p in /proc/[0-9]*; do
    [ "$p/cwd" -ef "$folder" ] && tr '\0' ' ' <"$p/cmdline" 2>/dev/null |
      grep "^$client " ; done)
  [ -z "$left" ] && break
  sleep 0.1
done
[ -z "$left" ] || fail "processes are left: $left"

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "all as expected"
