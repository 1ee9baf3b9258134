#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Watchpoints of gdb-multiarch on DRAM, registers and L1, for each kind of writer, forwards and backwards. Monitor
# commands check for races and save chips. None of this changes a result.
# Usage: test_gdb_watch.sh TILEFARM RISCV_GCC DEVICE_FOLDER
set -u
tilefarm=$1
cc=$2
device=$3
. "$(dirname "$0")/gdb.sh"

same_end() { [ "$hash" = "$(grep state_hash json)" ] || fail "$1 changed the state: $(cat log)"; }

# Tile 5 writes to DRAM twice, and over the NOC to a register of tile 6. A read of DRAM fills a word of its L1. GDB's
# command `watch` takes an address in the window of a DRAM channel.
program dram 0 <<'C'
#include "tilefarm_device.h"
volatile uint32_t counter;
static void count(uint32_t by)
{
    counter += by;
}
int main(void)
{
    TF_WORD(0x20000) = 7;
    tf_noc_write(0, TF_K_DRAM_XY(0, 2), 0x2000, 0x20000, 64);
    tf_noc_wait(0);
    count(3);
    tf_noc_write(0, TF_K_DRAM_XY(0, 2), 0x1000, 0x20000, 64);
    tf_noc_wait(0);
    count(4);
    tf_noc_write_register(0, tf_tile_xy(0, 6), TF_STREAM_REG_ADDRESS(5, 10), 0x21);
    for (volatile int i = 0; i < 3000; i++)
        ;
    tf_noc_read(0, TF_K_DRAM_XY(0, 2), 0x1000, 0x30000, 64);
    tf_noc_wait(0);
    count(5);
    return 0;
}
C
program rest 0 <<'C'
int main(void)
{
    for (volatile int i = 0; i < 20000; i++)
        ;
    return 0;
}
C
loads=(--load B=dram.elf@5 --load B=rest.elf@6)
"$tilefarm" run "${loads[@]}" --quiet --json json || fail "the program fails without GDB: $(cat json)"
hash=$(grep state_hash json)
session "${loads[@]}" <<'G'
file dram.elf
attach 41
monitor dram
print *(unsigned *)0x6000103c
watch *(unsigned *)0x60001000
continue
print *(unsigned *)0x60001000
delete
rwatch *(unsigned *)0x60001010
continue
delete
monitor dram 2 0x1000
print *(unsigned *)0x60000000
monitor dram 99 0
detach
quit
G
[ "$code" -eq 0 ] || fail "the run with watched DRAM ended with $code: $(cat err log)"
same_end "watching DRAM"
says log "DRAM channel 2 from 0x0 on: GDB's addresses 0x60000000 to 0x6fffffff"
says log "\$1 = 0"; says log "\$2 = 7"; says log "\$3 = 7"
says log "NOC 0: write of tile 5 (6,2) core B, pc 0x"
says log "wrote DRAM channel 2, 0x1000, 64 bytes"
says log "read DRAM channel 2, 0x1000, 64 bytes"
says log "New value = 7"
says log "dram CHANNEL ADDRESS: move"
[ "$(grep -c 'wrote DRAM' log)" -eq 1 ] || fail "other writes stop, too: $(cat log)"

# A request writes a register, an answer fills a word of L1. Reverse execution passes both, up to a store of the core.
session "${loads[@]}" <<'G'
file rest.elf
attach 49
add-inferior -exec dram.elf
inferior 2
attach 41
set schedule-multiple on
inferior 1
watch *(unsigned *)0xFFB45028
continue
delete
inferior 2
watch *(unsigned *)0x30000
continue
delete
tbreak count
continue
watch counter
continue
print counter
reverse-continue
print counter
reverse-continue
print counter
backtrace
delete
watch *(unsigned *)0x60001000
reverse-continue
print *(unsigned *)0x60001000
delete
detach
inferior 1
detach
quit
G
[ "$code" -eq 0 ] || fail "the run with watched registers ended with $code: $(cat err log)"
same_end "going back over watchpoints"
says log "NOC 0: inline write of tile 5 (6,2) core B, pc 0x"
says log "wrote 0xffb45028, 4 bytes"
says log "New value = 33"
says log "NOC 0: the answer to a read of tile 5 (6,2) core B, pc 0x"
says log "\$1 = 12"; says log "\$2 = 7"; says log "\$3 = 3"; says log "\$4 = 0"
says log "count (by=by@entry=4)"

# Two tiles issue two requests each to one word in one epoch. GDB stops four times, forwards and in reverse, and names
# the writers. Two writes to a word of DRAM are two stops.
for number in 0 1 2; do
  program "ask$number" 0 <<C
#include "tilefarm_device.h"
int main(void)
{
    for (uint32_t i = 0; $number != 0 && i < 2; i++) {
        tf_sem_inc_remote(i, tf_tile_xy(i, 0), 0x20000, $number * (9 * i + 1));
        TF_WORD(0x20000 + 16 * i) = 5 + i;
        tf_settle(0x20000 + 16 * i);
        if ($number == 1)
            tf_noc_write(0, TF_K_DRAM_XY(0, 2), 0x1000, 0x20000 + 16 * i, 4);
    }
    for (volatile int i = 0; i < 3000; i++)
        ;
    return 0;
}
C
done
loads=(--load B=ask0.elf@0 --load B=ask1.elf@1 --load B=ask2.elf@2)
"$tilefarm" run "${loads[@]}" --quiet --json json || fail "ask fails without GDB"
hash=$(grep state_hash json)
session "${loads[@]}" <<'G'
file ask0.elf
attach 1
watch *(unsigned *)0x20000
continue
continue
continue
continue
reverse-continue
reverse-continue
reverse-continue
reverse-continue
reverse-stepi
continue
delete
watch *(unsigned *)0x60001000
continue
continue
reverse-continue
reverse-continue
print *(unsigned *)0x60001000
delete
detach
quit
G
[ "$code" -eq 0 ] || fail "the run with two writers ended with $code: $(cat err log)"
same_end "going back over two writers"
sed -n 's/^Old value = //p' log | tr '\n' ' ' >olds
case "$(cat olds)" in
  "0 1 11 13 33 13 11 1 0 0 5 6 5 ") ;;
  "0 1 3 23 33 23 3 1 0 0 5 6 5 ") ;; # the hostile build has shorter epochs
  *) fail "wrong places of writes: $(cat olds log)" ;;
esac
[ "$(grep -c '^NOC 0: atomic of tile 1 (2,2) core B, pc 0x.* wrote 0x20000' log)" -eq 3 ] ||
  fail "the first writer: $(cat log)"
[ "$(grep -c '^NOC 1: atomic of tile 2 (3,2) core B, pc 0x.* wrote 0x20000' log)" -eq 2 ] ||
  fail "the last writer: $(cat log)"
[ "$(grep -c '^NOC 0: write of tile 1 (2,2) core B, pc 0x.* wrote DRAM' log)" -eq 4 ] ||
  fail "writes to DRAM: $(cat log)"
says log "\$1 = 0"

# The packer writes L1, and the coprocessor writes its GPRs. No core writes either.
tutorial=$device/../examples/tutorial
for core in B T0 T1 T2; do
  "$tilefarm" cc -c "$core" "$tutorial/4-add.c" -o "add.$core.elf" || fail "cannot build 4-add.c for $core"
done
loads=(--load B=add.B.elf@0 --load T0=add.T0.elf@0 --load T1=add.T1.elf@0 --load T2=add.T2.elf@0)
"$tilefarm" run "${loads[@]}" --quiet --json json || fail "4-add fails without GDB"
hash=$(grep state_hash json)
session "${loads[@]}" <<'G'
file add.T2.elf
attach 5
watch *(unsigned *)0x60000
continue
delete
continue
print /x *(unsigned *)0x60000
watch *(unsigned *)0x60000
reverse-continue
print /x *(unsigned *)0x60000
delete
detach
quit
G
[ "$code" -eq 0 ] || fail "the run with a watched packer ended with $code: $(cat err log)"
same_end "watching a packer"
says log "a packer of tile 0 (1,2) wrote 0x60000"
says log "\$1 = 0x40604060"; says log "\$2 = 0x0"

# The mover and the scalar unit write L1. Instructions change a GPR and the configuration. The core runs ahead of the
# coprocessor, and is then in its last loop. One stop reports both registers; with short slices there are two stops.
cat >units.c <<'C'
#include "tilefarm_device.h"
#include "tilefarm_tensix.h"
enum { BASE = 4, OFFSET = 5, LINE = 8, OTHER = 20 };
int main(void)
{
    TF_WORD(0x30000) = 0x11;
    TF_TT_CFG(0, 88) = 0x30000 / 16;
    TF_TT_CFG(0, 89) = 0x30100 / 16;
    TF_TT_CFG(0, 90) = 1u | 3u << 30;
    TF_TT_GPR(BASE) = 0x30200 / 16;
    TF_TT_GPR(OFFSET) = 0;
    for (unsigned i = 0; i < 4; i++)
        TF_TT_GPR(LINE + i) = 0x22;
    (void)TF_TT_GPR(LINE);
    tf_settle(0x30000);
    TF_TT(XMOV(0, 0));
    TF_TT(STOREIND(1, 0, 0, OFFSET * 2, 0, LINE, BASE));
    tf_tt_push(TT_SET_GPR_LOW(OTHER, 0x33));
    tf_tt_push(TT_OP_WRCFG(OTHER, 0, 91));
    return 0;
}
C
"$tilefarm" cc -c T0 units.c -o units.elf || fail "cannot build units"
"$tilefarm" run --load T0=units.elf@0 --quiet --json json || fail "units fails without GDB: $(cat json)"
hash=$(grep state_hash json)
xmov=$(grep -n XMOV units.c | cut -d: -f1)
session --load T0=units.elf@0 <<G
file units.elf
attach 3
tbreak units.c:$xmov
continue
set var \$before = \$pc
stepi
print \$pc - \$before
detach
quit
G
says log "\$1 = 4" # GDB itself would decode an instruction of the coprocessor as a compressed one
session --load T0=units.elf@0 <<'G'
file units.elf
attach 3
watch *(unsigned *)0x30100
continue
delete
watch *(unsigned *)0x30200
continue
delete
watch *(unsigned *)0xFFE00050
watch *(unsigned *)0xFFEF016C
continue
continue
delete
detach
quit
G
[ "$code" -eq 0 ] || fail "the run with watched units ended with $code: $(cat err log)"
same_end "watching units"
says log "the mover of tile 0 (1,2) wrote 0x30100, 16 bytes"
says log "the scalar unit of tile 0 (1,2) wrote 0x30200, 16 bytes"
[ "$(grep -c '^New value' log)" -ge 3 ] || fail "GDB does not stop at each write: $(cat log)"
says log "changed 0xffe00050 from 0x0 to 0x33"; says log "changed 0xffef016c from 0x0 to 0x33"

# The register changes after the last instruction before the limit of cycles. The limit still ends the run.
cat >limit.c <<'C'
#include "tilefarm_device.h"
#include "tilefarm_tensix.h"
int main(void)
{
    for (volatile int i = 0; i < 450; i++)
        ;
    tf_tt_push(TT_SET_GPR_LOW(20, 0x33));
    for (volatile int i = 0; i < 3000; i++)
        ;
    return 0;
}
C
"$tilefarm" cc -c T0 limit.c -o limit.elf || fail "cannot build limit"
"$tilefarm" run --load T0=limit.elf@0 --limit-cycles 2000 --quiet --json ended
limit=2000
if [ "$(sed -n 's/.*"cycles": \([0-9]*\).*/\1/p' ended | head -n 1)" -lt 2290 ]; then # the hostile build
  limit=2300
  "$tilefarm" run --load T0=limit.elf@0 --limit-cycles $limit --quiet --json ended
fi
hash=$(grep state_hash ended)
session --load T0=limit.elf@0 --limit-cycles $limit <<'G'
file limit.elf
attach 3
watch *(unsigned *)0xFFE00050
continue
continue
detach
quit
G
[ "$code" -eq 4 ] || fail "a limit under GDB ended with $code: $(cat err log)"
same_end "a register that changes at the limit"
says log "changed 0xffe00050 from 0x0 to 0x33"
says log "The run has ended in cycle $(sed -n 's/.*"cycles": \([0-9]*\).*/\1/p' ended | head -n 1): the limit of cycles"

# Monitor commands list the races so far, and save the chip in the middle. Another run restores it.
program race 0 <<'C'
#include "tilefarm_device.h"
int main(void)
{
    TF_WORD(0x20000) = 1;
    (void)TF_WORD(0x20000); /* the request reads what has arrived in L1 */
    tf_noc_write(0, tf_tile_xy(0, 1), 0x20000, 0x20000, 4);
    for (volatile int i = 0; i < 9000; i++)
        ;
    return TF_WORD(0x20000) != 1;
}
C
program take 0 <<'C'
#include "tilefarm_device.h"
static void take(void)
{
    TF_WORD(0x20010) = TF_WORD(0x20000);
}
int main(void)
{
    for (volatile int i = 0; i < 3000; i++)
        ;
    take();
    for (volatile int i = 0; i < 9000; i++)
        ;
    return 0;
}
C
loads=(--load B=race.elf@0 --load B=take.elf@1)
"$tilefarm" run "${loads[@]}" --quiet --json json || fail "the programs with a race fail without GDB"
hash=$(grep state_hash json)
session "${loads[@]}" --check <<'G'
file take.elf
attach 9
monitor races
monitor until 40000
continue
monitor races
monitor save chip.saved
monitor save
monitor save chip.saved
detach
quit
G
[ "$code" -eq 1 ] || fail "a run with races under GDB ended with $code: $(cat err log)"
same_end "looking for races under GDB"
says log "0 races so far"; says log "race: tile 1 (2,2) 0x20000"; says log "take.c:4"; says log "1 races so far"
says log "save FILE: then continue"
"$tilefarm" run --restore chip.saved --quiet --json json || fail "the saved chip does not continue: $(cat err)"
same_end "the saved chip"
session "${loads[@]}" <<'G'
attach 9
monitor races
monitor save /nowhere/chip.saved
monitor until 30000
continue
detach
quit
G
says log "Races are not checked"; says log "save: /nowhere/chip.saved"
says log "the chip is saved to /nowhere/chip.saved"
says log "the next 'continue' stops at cycle 30000"
[ "$code" -eq 0 ] || fail "a run that cannot be saved ended with $code: $(cat err log)"

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "all as expected"
