#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `tilefarm compare`: our own library with itself, with fake libraries that differ or exit, and with no library.
# Usage: test_compare.sh TILEFARM RISCV_GCC LIBTTSIM FOLDER_OF_FAKE_LIBRARIES
set -u
tilefarm=$1
cc=$2
library=$3
fakes=$4
invocation=("$tilefarm" compare)
. "$(dirname "$(readlink -f "$0")")/expect.sh"

cat >store.S <<'S'
.globl _start
_start: li t0, 0x20000
  li t1, 0x12345678
  sw t1, 0(t0)
1: j 1b
S
"$cc" -march=rv32ima_zicsr -mabi=ilp32 -nostdlib -static -Wl,--build-id=none -Wl,-N -Wl,--no-warn-rwx-segments \
  -Wl,-Ttext=0x1000 -Wl,-e,_start -o store.elf store.S || fail "cannot build store.elf"
load=(--load B=store.elf@0-1 --until 0x20000=0x12345678)

# --- workloads and programs on our own library twice
expect 0 "$library" "$library" -- eltwise --scale 1
says out "results right, hash 0x7c89f3d018629acc"; says out "no difference in"
expect 0 "$library" -- eltwise --scale 1 --variant mul; says out "results right, hash 0x"
expect 0 "$library" "$fakes/fake_true.so" -- "${load[@]}"; says out "no difference in 3072 KiB"
expect 0 --quiet "$library" "$library" -- "${load[@]}"; [ -s out ] && fail "--quiet prints: $(cat out)"
expect 0 --log error "$library" "$library" -- "${load[@]}"; [ -s out ] && fail "--log error prints: $(cat out)"
expect 0 -v "$library" "$library" -- "${load[@]}"
says err "runs load on $library" "$library has ended after " "3072 KiB"

# --- differences: the first one with tile, address and bits
expect 1 "$library" "$fakes/fake_true.so" "$fakes/fake_flip.so" -- "${load[@]}"
says out "tile 1 (2,2) 0x00030004: 0x00000000 in $library, 0x00004000 in $fakes/fake_flip.so: bits 0x00004000, 1 of"
says out "1 of them; 1 word differs in all"
[ "$(grep -c differ out)" -eq 1 ] || fail "more than one difference: $(cat out)"
expect 1 --json - "$library" "$fakes/fake_flip.so" -- "${load[@]}"
says out '"bits": "0x00004000"'; says out '"count": 1'
expect 1 --json report "$library" "$fakes/fake_flip.so" -- "${load[@]}"; says report '"address": "0x00030004"'

# --- libraries that exit, files that are not libraries, and runs that do not end
expect 1 "$library" "$fakes/fake_exit.so" -- "${load[@]}"
says err "fake_exit.so: its process exited with code 3 after 0 cycles"
expect 2 "$library" store.elf -- "${load[@]}"; says err "store.elf: "
expect 1 "$library" "$library" -- "${load[@]}" --until 0x20000=5 --limit-cycles 20000
says err "the word of --until is 0x12345678 after 20000 cycles"
expect 1 "$fakes/fake_true.so" -- eltwise --scale 1 --limit-cycles 3000
says err "not done after 3000 cycles: tile 0 (1,2), B NC T0 T1 T2"


# --- after a fault, with different ends, or without a cycle, "no difference" is not printed
program() {
  "$cc" -march=rv32ima_zicsr -mabi=ilp32 -nostdlib -static -Wl,--build-id=none -Wl,-N -Wl,--no-warn-rwx-segments \
    "-Wl,-Ttext=$2" -Wl,-e,_start -o "$1.elf" "$1.S" || fail "cannot build $1.elf"
}
printf '.globl _start\n_start: li t0, 0xF0000000\n  lw t1, 0(t0)\n1: j 1b\n' >fault.S
program fault 0x1000
expect 1 "$library" "$library" -- --load B=fault.elf --limit-cycles 20000
says err "its process exited with code 1"; grep -q "no difference" out && fail "no difference after a fault"
says err "_start+"
expect 1 "$library" "$fakes/fake_true.so" -- --load B=fault.elf --until 0x20000=0x12345678 --limit-cycles 20000
grep -q "no difference" out && fail "no difference with different ends"
expect 1 "$library" "$library" -- --load B=store.elf --until 0x20000=0
says err "nothing ran"; grep -q "no difference" out && fail "no difference after a run of no cycles"

# --- bad command lines
one_line "an argument is missing" -- cb
one_line "name a workload or programs after '--'" "$library"
one_line "none.so: cannot be read" none.so -- cb
one_line "no workload 'nosuch'" "$library" -- nosuch
one_line "name two libraries or more" "$library" -- "${load[@]}"
one_line "needs --until or --limit-cycles" "$library" -- --load B=store.elf
one_line "no variant 'x'" "$library" -- eltwise --variant x
one_line "none/json: cannot be written" --json none/json "$library" -- cb
one_line "--json has no effect after '--'" "$library" -- cb --json report
one_line "--dump has no effect after '--'" "$library" -- cb --dump 0:0:4=report
one_line "--check has no effect after '--'" "$library" -- cb --check
one_line "its chip is not a Wormhole; --arch after '--' names the family" "$library" -- cb --scale 1 --arch wormhole

forking_is_interrupted "compare $library $library -- matmul --scale 64"

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "all as expected"
