#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Device programs with the header library, start file and linker script, but without the layout of the workloads.
# Usage: test_device.sh TILEFARM RISCV_GCC DEVICE_FOLDER GENERATED_FOLDER
set -u
tilefarm=$1
cc=$2
device=$3
generated=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

expect() {
  local want=$1 got
  shift
  timeout 60 "$tilefarm" "$@" >out 2>err </dev/null
  got=$?
  [ "$got" -eq "$want" ] || fail "'$*' ended with $got, not $want: $(head -3 err)"
}

says() { grep -qF -- "$2" "$1" || fail "no '$2' in $1: $(head -5 "$1")"; }

# program NAME CORE [FLAG...]: make a program from C on standard input. The include path has no header of the workloads.
mkdir include
cp "$device"/include/tilefarm_{address,device,tensix,tensor,compute,sfpu}.h \
  "$device"/include/blackhole/tilefarm_family.h \
  "$generated"/tilefarm_tensix_ops.h include
program() {
  local name=$1 core=$2
  shift 2
  cat >"$name.c"
  "$cc" -march=rv32ima_zicsr_zba_zbb -mabi=ilp32 -O2 -ffreestanding -nostdlib -static -Wall -Wextra -Werror \
    -Wl,--build-id=none -Wl,-z,max-page-size=1024 -Wl,--no-warn-rwx-segments -DTF_CORE="$core" -Iinclude \
    -Wl,--defsym=TF_TEXT=$((0x40000 + core * 0x4000)) -Wl,--defsym=TF_LOCAL_BYTES=4096 -T "$device/tile.ld" "$@" \
    "$device/crt0.S" "$device/memory.c" "$name.c" -o "$name.elf" || fail "cannot build $name"
}

program seven 0 <<'C'
int main(void) { return 7; }
C
program wide 0 <<'C'
int main(void) { return 0x10000; }
C
program negative 0 <<'C'
int main(void) { return -5; }
C
program zero 1 <<'C'
int main(void) { return 0; }
C
cat >include/all.h <<'C'
#include "tilefarm_device.h"
#define COUNT 0x20000u
#define LOCK 0x20010u
#define SEM 0x20020u
C
# Four tiles increment a counter on tile 0, take a lock there in turn, and wait for each other.
cat >count.body <<'C'
#include "all.h"
int main(void)
{
    uint32_t home = tf_tile_xy(0, 0), me = tf_my_tile();
    for (unsigned i = 0; i < 10; i++)
        tf_noc_fetch_inc(0, home, COUNT, 3);
    while (!tf_noc_cas(0, home, LOCK, 0, me + 1))
        ;
    if (!tf_noc_cas(0, home, LOCK, me + 1, 0))
        return 2;
    tf_sem_inc_remote(0, home, SEM, 1);
    if (me == 0) {
        tf_sem_wait(SEM, 4);
        for (uint32_t tile = 1; tile < 4; tile++)
            tf_sem_set_remote(0, tf_tile_xy(0, tile), SEM + 0x10, 5);
        tf_noc_wait(0);
    } else {
        tf_sem_wait(SEM + 0x10, 5);
    }
    return me == 0 && TF_WORD(COUNT) != 120;
}
C
program count 0 <count.body
program count_emu 0 -DTF_EMU_SPEC <count.body
program unfinished 0 <<'C'
#include "tilefarm_device.h"
int main(void)
{
    while (tf_niu_count(0, TF_NIU_MST_WR_ACK_RECEIVED) == 0)
        ;
    return 0;
}
C
program compute 2 <<'C'
#include "tilefarm_compute.h"
#include "tilefarm_sfpu.h"
int main(void)
{
    tf_round_stochastically(3, TF_ROUND_FPU);
    return 0;
}
C

expect 1 run --load B=seven.elf@3; says out "load: WRONG"; says err "main() of core B of tile 3 (4,2) returned 7"
expect 1 run --load B=wide.elf@3; says out "load: WRONG"; says err "main() of core B of tile 3 (4,2) returned 65536"
expect 1 run --load B=negative.elf --json -; says out '"status": -5'; says err "core B of tile 0 (1,2) returned -5"
expect 1 run --load B=wide.elf --report page.html --quiet; grep -q '"good": *false\|WRONG' page.html || fail "the page"
expect 1 run --load B=seven.elf@3 --load NC=zero.elf@2-4 --json -
says out '"status": 7'; says out '"status": 0'; says out '"message": "main() of core B'
expect 0 run --load NC=zero.elf@all; says out "load: done"; [ -s err ] && fail "$(cat err)"
for way in "" "--relaxed" "--no-parking"; do
  # shellcheck disable=SC2086
  expect 0 run --load B=count.elf@0-3 $way --dump 0:0x20000:4=dump; says out "load: done"
  [ "$(od -An -td4 dump | tr -d ' ')" = 120 ] || fail "counted to $(od -An -td4 dump), not 120"
done
expect 0 run --load B=count_emu.elf@0-3 --atomics emu-spec; says out "load: done"
expect 3 run --load B=unfinished.elf@5
says err "polls NIU 0: NIU_MST_WR_ACK_RECEIVED is 0; all 0 requests that were sent are answered"
expect 0 run --load T0=compute.elf
grep -l "tilefarm_layout\|TF_K_PARAMS" include/*.h && fail "the header library knows the layout of the workloads"

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "all as expected"
