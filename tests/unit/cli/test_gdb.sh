#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Debian's gdb-multiarch, unchanged, on cores of two tiles: breakpoints, conditions, steps, monitor commands, and
# watchpoints that a NOC request of another tile triggers. GDB does not change the state hash.
# Usage: test_gdb.sh TILEFARM RISCV_GCC DEVICE_FOLDER CLIENT LIBTTSIM
set -u
tilefarm=$1
cc=$2
device=$3
client=$4
library=$5
. "$(dirname "$0")/gdb.sh"

# Tile 0 sends numbers to tile 1, which adds them up.
program send 0 <<'C'
#include "tilefarm_device.h"
static void send(uint32_t value)
{
    tf_sem_inc_remote(0, tf_tile_xy(0, 1), 0x20000, value);
}
int main(void)
{
    for (uint32_t i = 1; i <= 5; i++)
        send(i);
    tf_noc_wait(0);
    return 0;
}
C
program add 0 <<'C'
#include "tilefarm_device.h"
volatile uint32_t seen;
static uint32_t square(uint32_t x)
{
    return x * x;
}
static uint32_t sum(uint32_t n)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += square(i);
    return total;
}
int main(void)
{
    tf_sem_wait_min(0x20000, 15);
    seen = sum(15);
    return seen != 1015;
}
C

loads=(--load B=send.elf@0 --load B=add.elf@1)
"$tilefarm" run "${loads[@]}" --quiet --json json || fail "the programs fail without GDB"
hash=$(grep state_hash json)

session "${loads[@]}" <<'G'
info os processes
file add.elf
attach 9
add-inferior -exec send.elf
inferior 2
attach 1
info inferiors
set schedule-multiple on
break send
continue
backtrace
print value
maintenance packet D;662
maintenance packet T1
info registers pc sp mcycle
stepi
next
delete
break send if value == 4
continue
print value
delete
inferior 1
watch *(unsigned *) 0x20000
monitor condition 0x20000 value > 3 + 7 && writer == 1 && (*0x20000 & 0xF) == 15 && $x1 != ~0
monitor condition 0x20000 value > 3 + 7 && writer == 1 && (*0x20000 & 0xF) == 15 && $sp != ~0
continue
monitor tiles
monitor waits
delete
break square if x == 7
continue
backtrace
finish
monitor niu
monitor config ALU_FORMAT
monitor help
detach
inferior 2
detach
quit
G
[ "$code" -eq 0 ] || fail "the run under GDB ended with $code: $(cat err log)"
[ "$hash" = "$(grep state_hash json)" ] || fail "GDB changed the state: $hash, $(grep state_hash json)"
says log "tile 0 (1,2)"
says log "hit Breakpoint 1, send (value=value@entry=1)"
says log "in main () at send.c:"
grep -A1 '^sending: T1' log | grep -q '"OK"' || fail "detaching an unknown process detaches another: $(cat log)"
says log "\$2 = 4"
grep -q "^NOC 0: atomic of tile 0 (1,2) core B, pc 0x[0-9a-f]* [a-z_]*+[0-9]* (.*\.[ch]:[0-9]*), cycle" log ||
  fail "the line of the writer is missing: $(cat log)"
says log "wrote 0x20000, 4 bytes"
says log "New value = 15"; says log "condition ADDRESS [EXPRESSION]: syntax error at 'x1 != ~0'"
[ "$(grep -c '^New value' log)" -eq 1 ] || fail "the condition of a watchpoint is ignored: $(cat log)"
says log "square (x=x@entry=7)"
says log "in sum (n=n@entry=15)"
says log "Value returned is \$"
says log "monitor until CYCLE: "; says log "monitor waits: show what"

# Reverse execution: by instructions, to breakpoints, beyond earlier stops, and to the beginning. The run still ends in
# the state of a run without GDB.
session "${loads[@]}" <<'G'
file add.elf
attach 9
break square if x == 7
continue
set var $total_before = $instret
stepi
stepi
stepi
print $instret - $total_before
set var $here = $pc
reverse-stepi
print $instret - $total_before
stepi
print $pc == $here
delete
break square
reverse-continue
info args
reverse-continue
info args
reverse-continue
info args
delete
reverse-continue
print $instret
break square if x == 9
continue
info args
detach
quit
G
[ "$code" -eq 0 ] || fail "a run with reverse execution ended with $code: $(cat err log)"
[ "$hash" = "$(grep state_hash json)" ] || fail "reverse execution changed the state: $hash, $(grep state_hash json)"
says log "\$1 = 3"; says log "\$2 = 2"; says log "\$3 = 1"
for x in 7 6 5 9; do says log "x = $x"; done
at_the_beginning log; says log "\$4 = 0"

# A stop at a cycle, and an interrupt of an endless run.
program busy 0 <<'C'
volatile unsigned rounds;
int main(void)
{
    for (;;)
        rounds++;
}
C
session --load B=busy.elf@1 --limit-cycles 2000000 <<'G'
file busy.elf
attach 9
monitor until 500
continue
print $mcycle >= 500 && $mcycle < 505
shell (sleep 1; kill -INT $PPID) &
continue
print rounds > 100
set var rounds = 0
print rounds
detach
quit
G
says log "\$1 = 1"
says log "Program received signal SIGINT"
says log "\$2 = 1"
says log "\$3 = 0"
[ "$code" -eq 4 ] || fail "a run after an interrupt and a detach ended with $code"

# A fault stops GDB at the core that caused it. A client without processes gets the first one.
program fault 0 <<'C'
int main(void)
{
    *(volatile unsigned *)0xF0000000 = 1;
    return 0;
}
C
session --load B=fault.elf@1 <<'G'
file fault.elf
attach 9
continue
backtrace
detach
quit
G
says log "The run has ended"; says log "fault: tile 1 (2,2) core B"; says log "SIGSEGV"; says log "main () at fault.c:3"
[ "$code" -eq 1 ] || fail "a fault under GDB ended with $code"
# A store of T2's vector unit triggers a watchpoint on a word in the middle of the written memory.
cat >vector.S <<'S'
.globl _start
_start:
    li a0, 0x20000
    vsetivli zero, 4, e32, m1, ta, ma
    vmv.v.i v1, 5
    vse32.v v1, (a0)
behind:
    addi a0, a0, 16
    vse32.v v1, (a0)
    nop
    ebreak
S
"$cc" -march=rv32im_zve32x -mabi=ilp32 -g -nostdlib -static -Wl,--build-id=none -Wl,-Ttext=0x8000 vector.S \
  -o vector.elf ||
  fail "cannot build vector"
session --load T2=vector.elf@0 <<'G'
file vector.elf
attach 5
watch *(unsigned *)0x20018
continue
print *(unsigned *)0x2000c
print $v1.w
print $v2.b[3]
set var $v2.w[1] = 0x1020304
print /x $v2.b[5]
print (int)$pc - (int)&behind <= 12
detach
quit
G
says log "Old value = 0"
says log "New value = 5"
says log "\$1 = 5"
says log "\$2 = {5, 5, 5, 5}"
says log "\$3 = 0"
says log "\$4 = 0x3"
says log "\$5 = 1"

# Monitor commands show the coprocessor's data as numbers: the program adds two constants, and uses circular buffers.
tutorial=$device/../examples/tutorial
for core in B T0 T1 T2; do
  "$tilefarm" cc -c "$core" "$tutorial/4-add.c" -o "add.$core.elf" || fail "cannot build 4-add.c for $core"
done
session --load B=add.B.elf@0 --load T0=add.T0.elf@0 --load T1=add.T1.elf@0 --load T2=add.T2.elf@0 <<'G'
file add.T1.elf
attach 4
monitor dst
monitor until 20000000
continue
monitor dst
monitor dst 16 bits
monitor dst 0 fp32
monitor dst nonsense
monitor srca
monitor srcb 60 bits
monitor lregs
monitor cbs
monitor niu
detach
quit
G
says log "Nothing has been written to Dst."
grep -qE '^Dst  15 bf16:( +3\.5){16}$' log || fail "Dst is not shown as bf16: $(grep Dst log)"
grep -qE '^Dst  16 bits:( 6080){16}$' log || fail "Dst is not shown as bits: $(grep Dst log)"
grep -qE '^SrcA  3 [a-z0-9]+:( +1\.5){16}$' log || fail "SrcA is not shown: $(grep SrcA log)"
grep -qE '^SrcB 63 bits:( 00080){16}$' log || fail "SrcB is not shown: $(grep SrcB log)"
says log "Give a row, and a format: bits, bf16"; says log "The vector unit has done nothing yet."

# Monitor commands show the configuration of Wormhole, by its own words and names. They show requests in flight, whose
# answers land after the first epoch.
cat >config.c <<'C'
#include "tilefarm_device.h"
#include "tilefarm_tensix.h"
__attribute__((noinline)) void here(void)
{
    __asm__ volatile("");
}
int main(void)
{
    TF_TT_CFG(0, 24) = 7u << 24;
    (void)TF_TT_CFG(0, 24);
    tf_noc_read(0, tf_tile_xy(0, 1), 0x20000, 0x20000, 64);
    tf_noc_read(0, tf_tile_xy(0, 1), 0x20000, 0x20040, 64);
    here();
    tf_noc_wait(0);
    return 0;
}
C
"$tilefarm" cc -c B --arch wormhole config.c -o config.elf || fail "cannot build config.c"
session --arch wormhole --load B=config.elf@0 --epoch 4096 --slice 16 <<'G'
file config.elf
attach 1
break here
continue
monitor config plane_offset
monitor config NO_SUCH_FIELD
monitor requests
detach
quit
G
says log "PACK_COUNTERS_SEC0_pack_per_xy_plane_offset: 0x7, bank 1 0x0"
says log "No field has 'NO_SUCH_FIELD' in its name."
says log "tile 0 (1,1) NIU 0, transaction id 0: 2 requests without an answer"

# Monitor commands show the vector unit, circular buffers and counters of a workload.
session softmax --scale 1 <<'G'
attach 4
monitor until 100000000
continue
monitor lregs
monitor lregs 1 bits
monitor cbs
monitor niu
detach
quit
G
grep -qE '^L7  lanes 24-31:( +[-0-9.e+a-z]+){8}$' log || fail "no registers of the vector unit: $(cat log)"
grep -qE '^L1  lanes  0- 7:( [0-9a-f]{8}){8}$' log || fail "no bits of a register of the vector unit: $(cat log)"
says log "circular buffer of stream "; says log "NIU 0: MST_RD_REQ_SENT is "

# Four cores of two tiles are four processes. All stop, and one executes in reverse. GDB does not change the state.
cat >four.body <<'C'
#include "tilefarm_device.h"
volatile uint32_t calls;
static uint32_t step(uint32_t n)
{
    calls++;
    return n * 3 + TF_CORE;
}
int main(void)
{
    uint32_t sum = 0;
    for (uint32_t n = 0; n < 50; n++)
        sum = step(sum ^ n);
    TF_WORD(0x20000 + 4 * TF_CORE) = sum;
    return 0;
}
C
program four 0 <four.body
program four_nc 1 <four.body
loads=(--load B=four.elf@0-1 --load NC=four_nc.elf@0-1)
"$tilefarm" run "${loads[@]}" --quiet --json json || fail "the programs of four cores fail"
hash=$(grep state_hash json)
session "${loads[@]}" <<'G'
file four.elf
attach 1
add-inferior -exec four.elf
inferior 2
attach 9
add-inferior -exec four_nc.elf
inferior 3
attach 2
add-inferior -exec four_nc.elf
inferior 4
attach 10
set schedule-multiple on
break step if calls == 7
continue
continue
continue
continue
backtrace
delete
stepi
stepi
set var $here = $instret
reverse-stepi
print $here - $instret
detach
inferior 2
detach
inferior 3
detach
inferior 1
detach
quit
G
[ "$code" -eq 0 ] || fail "the run of four cores ended with $code: $(cat err log)"
[ "$hash" = "$(grep state_hash json)" ] || fail "GDB on four cores changed the state"
for number in 1 2 3 4; do
  grep -q "Thread $number.1 .*hit Breakpoint 1" log || fail "process $number did not stop: $(cat log)"
done
says log "in main () at four_nc.c:"; says log "\$1 = 1"

# A client of libttsim.so with TILEFARM_GDB: its init() waits for GDB, and its core stops at a breakpoint.
listening env TILEFARM_GDB=0 "$client" "$library" <<'G'
attach 369
break *0xc
continue
print $t0
print /x $pc
delete
watch *(unsigned *) 0x108
continue
monitor tiles
detach
quit
G
[ "$code" -eq 0 ] || fail "the client ended with $code: $(cat out err log)"
says log "Breakpoint 1, 0x0000000c"; says log "\$1 = 42"; says log "\$2 = 0xc"; says log "New value = 42"
says log "tile 46 (5,5) r"; says out "the sum is 42"

"$tilefarm" run fifo --gdb nowhere 2>err && fail "a bad port is accepted"
says err "not [HOST:]PORT"
"$tilefarm" run fifo --relaxed --gdb 0 2>err && fail "relaxed mode is accepted"
says err "cannot be combined with --relaxed"

# GDB calls functions of the program, also while it has two processes. Leaving both lets the run go on.
program calls 0 <<'C'
#include "tilefarm_device.h"
volatile uint32_t seen;
uint32_t square(uint32_t x)
{
    return x * x;
}
int main(void)
{
    for (seen = square(3); seen != 0; seen++)
        ;
    return 0;
}
C
session --load B=calls.elf@0-1 --limit-cycles 100000 <<'G'
file calls.elf
attach 1
add-inferior -exec calls.elf
inferior 2
attach 9
inferior 1
break main
continue
print square(7)
print square(square(3)) + seen
shell bash -c 'exec 3<>/dev/tcp/127.0.0.1/$(sed -n "s/.*waiting for GDB at port //p" err)' 2>&1 | grep -o refused
detach inferiors 1 2
G
says log "\$1 = 49"; says log "\$2 = 81"; says log "[Inferior 2 (process 9) detached]"
says log refused # a second client, while the first is served
[ "$code" = 4 ] || fail "after detach the run ends with $code: $(cat log err)"

# kill ends the run, and so does monitor quit.
for end in kill "monitor quit"; do
  session --load B=calls.elf@0-1 --limit-cycles 1000000000 <<G
file calls.elf
attach 1
break main
continue
watch seen
$end
continue
G
  [ "$code" = 130 ] || fail "after $end the run ends with $code: $(cat log err)"
  grep -q 'New value' log && fail "after $end a watchpoint stops the run: $(cat log)"
done

# A system: a process of each chip, breakpoints on both, and back over a link.
cat >ping.c <<'C'
#include <tilefarm_link.h>
volatile unsigned seen;
__attribute__((noinline)) static void answer(unsigned round)
{
    seen = round;
}
int main(void)
{
    for (unsigned round = 1; round <= 3; round++) {
        tf_link_signal(0, 0x30000, 0x30100, round);
        tf_link_wait(0x30000, round);
        answer(round);
    }
    return 0;
}
C
cat >pong.c <<'C'
#include <tilefarm_link.h>
__attribute__((noinline)) static void hear(unsigned round)
{
    tf_link_signal(0, 0x30000, 0x30100, round);
}
int main(void)
{
    for (unsigned round = 1; round <= 3; round++) {
        tf_link_wait(0x30000, round);
        hear(round);
    }
    return 0;
}
C
for name in ping pong; do
  TILEFARM_RISCV_CC=$cc "$tilefarm" cc -c E0 --arch wormhole "$name.c" -o "$name.elf" || fail "cannot build $name"
done
loads=(--system n300 --load E0=ping.elf@0:8 --load E0=pong.elf@1:0)
"$tilefarm" run "${loads[@]}" --quiet --json json || fail "the programs of two chips fail without GDB"
hash=$(grep state_hash json)
session "${loads[@]}" <<'G'
info os processes
file ping.elf
attach 633
add-inferior -exec pong.elf
inferior 2
attach 10569
set schedule-multiple on
break hear
continue
continue
print round
reverse-continue
print round
delete
inferior 1
break answer if round == 3
continue
print round
monitor waits
watch seen
continue
monitor save saved
detach
inferior 2
detach
G
[ "$code" -eq 0 ] || fail "the run of a system under GDB ended with $code: $(cat err log)"
[ "$hash" = "$(grep state_hash json)" ] || fail "GDB changed the state of a system: $hash, $(grep state_hash json)"
says log "chip 0 port 8 (9,6)"; says log "chip 1 port 0 (9,0)"
says log "\$1 = 2"; says log "\$2 = 1"; says log "\$3 = 3"; says log "New value = 3"
grep -A1 "^chip 1:" log | grep -q "port 0 (9,0) core E .* has ended" || fail "monitor waits does not show chip 1"
[ -s saved ] && [ -s saved.1.chip1 ] || fail "monitor save does not save a system"
"$tilefarm" run --system n300 --restore saved --no-parking --quiet --json json ||
  fail "a system that was saved under GDB ends badly"
[ "$hash" = "$(grep state_hash json)" ] || fail "a system that was saved under GDB ends with $(grep state_hash json)"

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "all as expected"
