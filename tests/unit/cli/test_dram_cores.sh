#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cores of Blackhole's DRAM tiles, and of Ethernet tiles: `cc`, `--load`, stacks, profile, report, timeline, JSON, GDB.
# Usage: test_dram_cores.sh TILEFARM RISCV_GCC
set -u
tilefarm=$1
cc=$2
invocation=("$tilefarm")
. "$(dirname "$(readlink -f "$0")")/expect.sh"

# The core waits at the end, if it is told so.
cat >work.c <<'C'
#include "tilefarm_device.h"
#include "tilefarm_print.h"
static __attribute__((noinline)) uint32_t sum(uint32_t n)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += i ^ TF_WORD(0x10000);
    return total;
}
static __attribute__((noinline)) void await(void)
{
    while (TF_WORD(0x10008) == 0)
        ;
}
int main(void)
{
    TF_WORD(0x10004) = sum(100);
    tf_printf("sum %lu\n", TF_WORD(0x10004));
#ifdef WAITS
    await();
#endif
    return 0;
}
C
expect 0 cc -c DRISC work.c; [ -s work.drisc.elf ] || fail "no work.drisc.elf: $(ls)"
expect 0 cc -c drisc -DWAITS work.c -o wait.elf
one_line "DRAM tiles of Wormhole have no cores" cc --arch wormhole -c DRISC work.c

# Tiles are named by numbers, in the order of rows, and by coordinates. Other tiles do not run.
expect 0 run --load DRISC=work.drisc.elf@1-2+0,11 --dump 0,1:0x2000010004:4=sum --dump 9,1:0x2000010004:4=none
[ "$(od -An -tu4 sum | tr -d ' ')" = 4950 ] || fail "the sum is $(od -An -tu4 sum)"
[ "$(od -An -tu4 none | tr -d ' ')" = 0 ] || fail "a tile that was not named has run"
says out "load: done"
for name in "4 (9,0)" "0 (0,1)" "0 (0,11)"; do says out "[DRAM $name DRISC] sum 4950"; done
[ "$(grep -c 'sum 4950' out)" -eq 3 ] || fail "other tiles ran: $(cat out)"
[ -s err ] && fail "a warning: $(cat err)"
expect 0 run --load DRISC=work.drisc.elf@all --threads 2
[ "$(grep -c 'sum 4950' out)" -eq 24 ] || fail "not all tiles ran: $(cat out)"

one_line "'24' names no DRAM tiles; give a number from 0 to 23, x,y," run --load DRISC=work.drisc.elf@24
for bad in 1,2 3- 2-1 1+ x 0,12 99999999999999999999; do
  one_line "'$bad' names no DRAM tiles" run --load "DRISC=work.drisc.elf@$bad"
done
expect 2 run --load DRISC=work.drisc.elf@21 --board p100; says err "cannot be loaded to DRAM tile 21: no such tile"
expect 0 run --load DRISC=work.drisc.elf@20 --board p100; says out "[DRAM"
one_line "DRAM tiles of Wormhole have no cores" run --arch wormhole --load DRISC=work.drisc.elf
one_line "compile it by 'tilefarm cc -c DRISC work.c'" run --load DRISC=work.c
one_line "both programs are for core DRISC of DRAM tile 3" run --load DRISC=work.drisc.elf@3 --load DRISC=wait.elf@0-4
for way in --relaxed --timing --check; do
  one_line "a DRAM tile's core runs in the usual order only" run --load DRISC=work.drisc.elf $way
done
expect 0 run --load B=work.drisc.elf
says err "work.drisc.elf: the program was compiled for core DRISC, and is loaded for B"

# A hang has the stack; so has JSON.
expect 3 run --load DRISC=wait.elf@4 --json json --quiet
says err "waits: DRAM 1 (0,2) core DRISC at 0x"; says err "(await+"; says err "polls the word at 0x10008 of L1"
says err "  #1 0x"; says err "main+"
grep -q '"core": "DRISC"' json && grep -q '"function": "main"' json && grep -q '"dram_tiles": ' json ||
  fail "JSON: $(cat json)"
expect 3 run --load DRISC=wait.elf@0+1 --quiet
says err "waits: DRAM 0 (0,0) and others (2) core DRISC"

# A fault names the core and the function.
cat >fault.c <<'C'
static __attribute__((noinline)) int look(void) { return *(volatile int *)0xF0000000; }
int main(void) { return look() + 1; }
C
expect 0 cc -c DRISC fault.c -o fault.elf
expect 1 run --load DRISC=fault.elf@1
says err "DRAM 4 (9,0) core DRISC"; says err "look+"; says err "  #1 0x"

# Profile, coverage, timeline and report have the core. The state is that of a run without them.
expect 0 run --load DRISC=work.drisc.elf@1; hash=$(grep hash out)
expect 0 run --load DRISC=work.drisc.elf@1 --profile prof.folded --coverage cover.info --timeline line.pftrace \
  --report report.html
[ "$(grep hash out)" = "$hash" ] || fail "observers change the state: $(cat out)"
grep -qE '^DRISC;_start;main;sum[^;]* [0-9]+$' prof.folded || fail "no DRISC in the profile: $(cat prof.folded)"
grep -q 'SF:.*work.c' cover.info || fail "no coverage of DRISC"
grep -aq DRISC line.pftrace && grep -aq sum line.pftrace || fail "the timeline has no DRISC"
grep -q '"DRISC"' report.html || fail "the report has no DRISC"
"$tilefarm" run --load B=work.drisc.elf@1 --report other.html --quiet >out 2>err
grep -q '<title>DRISC' other.html && fail "the report has a core that nobody used"

# A saved run goes on.
expect 3 run --load DRISC=wait.elf@4 --save-at 300=saved
hash=$(grep hash out)
expect 3 run --restore saved
[ "$(grep hash out)" = "$hash" ] || fail "a restored run differs: $(cat out)"

# The monitor selects the core.
cat >script <<'M'
core 2 DRISC
core 9,0 DRISC
break await
continue
where
registers a0
tiles
quit
M
"$tilefarm" run --load DRISC=wait.elf@1 --monitor --quiet <script >out 2>&1
says out "core TILE CORE: a tile by its index or as x,y"; says out "DRAM 4 (9,0) core DRISC, cycle 0: _start+0"
says out "Breakpoint"; says out "await+0"; says out "  #1 0x"; says out "DRAM 4 (9,0) r, processes from 1241"
printf 'core 0,1 DRISC\nquit\n' | "$tilefarm" run --load DRISC=wait.elf@1 --monitor --quiet >out 2>&1
says out "Nobody has used this core yet."

# A core that a Tensix core releases over the NOC is observed from its first instruction on.
cat >boss.c <<'C'
#include "tilefarm_device.h"
int main(void)
{
    TF_WORD(0x201B0) = 0;
    tf_noc_write(0, 0 | 1 << 6, 0xFFB121B0, 0x201B0, 4);
    tf_noc_wait(0);
    return 0;
}
C
expect 0 cc -c B boss.c -o boss.elf
"$("$cc" -print-prog-name=objcopy)" -O binary -j .text wait.elf wait.bin || fail "cannot copy the code"
expect 3 run --load B=boss.elf --write 0,1:0x2000000000=wait.bin --profile late.folded --quiet
says err "waits: DRAM 0 (0,1) core DRISC at 0x"
grep -qE '^DRISC;' late.folded || fail "the profile lacks a core that was released late: $(cat late.folded)"
# GDB lists the core, and stops it.
if command -v gdb-multiarch >/dev/null; then
  : >err
  "$tilefarm" run --load DRISC=wait.elf@1 --load B=boss.elf --write 0,1:0x2000000000=wait.bin --gdb 0 --quiet \
    >out 2>err </dev/null &
  pid=$!
  for _ in $(seq 100); do
    port=$(sed -n 's/.*waiting for GDB at port //p' err); [ -n "$port" ] && break; sleep 0.1
  done
  cat >script <<G
info os processes
file wait.elf
attach 1241
break await
continue
bt
detach
G
  timeout 60 gdb-multiarch -nx -batch -ex "set auto-connect-native-target off" -ex "set confirm off" \
    -ex "target extended-remote 127.0.0.1:$port" -x script >log 2>&1 </dev/null
  wait $pid
  [ $? -eq 3 ] || fail "the run under GDB: $(cat err)"
  grep -q "1241 .*DRAM 4 (9,0).*DRISC runs" log || fail "GDB lists no DRISC: $(cat log)"
  says log "Breakpoint 1, await"; says log "#1  "; says log "main ()"
  says err "DRAM 4 (9,0) and others (2) core DRISC"
fi

# Cores of Ethernet tiles have their own stacks, whatever their ports.
for family in blackhole wormhole; do
  expect 0 cc --arch $family -c E0 -DWAITS work.c -o eth.$family.elf
  expect 3 run --arch $family --load E0=eth.$family.elf@1+6 --quiet --json json
  says err "ports 1,6 (2) core E"; says err "(await+"; says err "  #1 0x"; says err "main+"
  grep -q '"function": "await"' json || fail "JSON lacks the function of an Ethernet core: $(cat json)"
done

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
