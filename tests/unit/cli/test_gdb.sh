#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Debian's gdb-multiarch, unchanged, on cores of two tiles: breakpoints, conditions, steps, watchpoints that a NOC request
# of another tile sets off, monitor commands; and a run that was watched has the state hash of one that was not.
# Usage: test_gdb.sh TILEFARM RISCV_GCC DEVICE_FOLDER
set -u
tilefarm=$1
cc=$2
device=$3
folder=$(mktemp -d)
pid=
trap '[ -n "$pid" ] && kill "$pid" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
says() { grep -qF -- "$2" "$1" || fail "no '$2' in $1: $(cat "$1")"; }

program() {
  cat >"$1.c"
  "$cc" -march=rv32ima_zicsr_zba_zbb -mabi=ilp32 -O1 -g -fno-inline -ffreestanding -nostdlib -static -Wl,--build-id=none \
    -Wl,-z,max-page-size=1024 -Wl,--no-warn-rwx-segments -DTF_CORE="$2" -I"$device/include" -I"$device/include/blackhole" \
    -Wl,--defsym=TF_TEXT=$((0x40000 + $2 * 0x4000)) -Wl,--defsym=TF_LOCAL_BYTES=4096 -T "$device/tile.ld" \
    "$device/crt0.S" "$device/memory.c" "$1.c" -o "$1.elf" || fail "cannot build $1"
}

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
"$tilefarm" run "${loads[@]}" --quiet --json json || fail "the programs do not work"
hash=$(grep state_hash json)

# session ARGS...: tilefarm under GDB's commands on standard input; output in ./log, tilefarm's in ./err.
session() {
  cat >script
  "$tilefarm" run "$@" --gdb 0 --quiet --json json >out 2>err </dev/null &
  pid=$!
  for _ in $(seq 100); do
    port=$(sed -n 's/.*waiting for GDB at port //p' err)
    [ -n "$port" ] && break
    sleep 0.1
  done
  if [ -z "$port" ]; then
    fail "nothing listens: $(cat err)"
    return
  fi
  timeout 120 gdb-multiarch -nx -batch -ex "set auto-connect-native-target off" -ex "set confirm off" -ex "set pagination off" \
    -ex "target extended-remote 127.0.0.1:$port" -x script >log 2>&1 </dev/null
  for _ in $(seq 100); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  kill "$pid" 2>/dev/null && fail "tilefarm did not end when GDB left: $(cat log)"
  wait "$pid"
  code=$?
  pid=
}

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
[ "$hash" = "$(grep state_hash json)" ] || fail "being watched changed the state: $hash, $(grep state_hash json)"
says log "tile 0 (1,2)"
says log "hit Breakpoint 1, send (value=value@entry=1)"
says log "in main () at send.c:"
says log "\$2 = 4"
says log "NOC 0: atomic of (1,2) core B, pc 0x"
says log "wrote 0x20000, 4 bytes"
says log "New value = "
says log "square (x=x@entry=7)"
says log "in sum (n=n@entry=15)"
says log "Value returned is \$"
says log "monitor until CYCLE"

# Back: by instructions, to breakpoints, beyond where GDB stopped before, and to the beginning; the end is the same.
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
[ "$code" -eq 0 ] || fail "a run that went back ended with $code: $(cat err log)"
[ "$hash" = "$(grep state_hash json)" ] || fail "going back changed the state: $hash, $(grep state_hash json)"
says log "\$1 = 3"; says log "\$2 = 2"; says log "\$3 = 1"
for x in 7 6 5 9; do says log "x = $x"; done
says log "No more reverse-execution history."; says log "\$4 = 0"

# A stop at a cycle, and an interrupt of a run that would not end.
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
[ "$code" -eq 4 ] || fail "a run that was interrupted and let go ended with $code"

# A fault stops at the core that made it; a client that knows no processes gets the first one.
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
says log "The run has ended"; says log "fault: (2,2) core B"; says log "SIGSEGV"; says log "main () at fault.c:3"
[ "$code" -eq 1 ] || fail "a fault under GDB ended with $code"
"$tilefarm" run fifo --gdb nowhere 2>err && fail "a bad port is taken"
says err "not [HOST:]PORT"
"$tilefarm" run fifo --relaxed --gdb 0 2>err && fail "relaxed mode is taken"
says err "not with --relaxed"

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "all as expected"
