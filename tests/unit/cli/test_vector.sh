#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiled vector code runs on T2 in each mode. On another core it is a fault.
# Usage: test_vector.sh TILEFARM RISCV_GCC SOURCE
set -u
tilefarm=$1
cc=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

"$cc" -march=rv32ima_zicsr_zve32x -mabi=ilp32 -O2 -ffreestanding -nostdlib -static -Wl,--build-id=none -Wl,-N \
  -Wl,--no-warn-rwx-segments -Wl,-Ttext=0x8000 -Wl,-e,_start -o "$folder/vector.elf" "$3" || exit 1

hash=
for options in "" "--no-parking" "--serial-delivery --threads 1" "--slice 64" "--relaxed"; do
  # shellcheck disable=SC2086
  "$tilefarm" run --load "T2=$folder/vector.elf@76-77" --until 77:0x20000=1 $options >"$folder/out" 2>"$folder/err" ||
    fail "'$options': $(cat "$folder/out" "$folder/err")"
  now=$(grep "state hash" "$folder/out")
  case $options in
    *slice* | *relaxed*) ;;
    *)
      [ "${hash:-$now}" = "$now" ] || fail "'$options': $now, not $hash"
      hash=$now
      ;;
  esac
done
[ -n "$hash" ] || fail "there is no state hash"

# The trace has vector instructions, without the memory accesses of their elements. It changes no state.
"$tilefarm" run --load "T2=$folder/vector.elf@76-77" --until 77:0x20000=1 --riscv-trace "$folder/trace@77/T2" \
  >"$folder/out" 2>"$folder/err" || fail "traced: $(cat "$folder/out" "$folder/err")"
[ "$hash" = "$(grep "state hash" "$folder/out")" ] || fail "a trace changes the state"
"$tilefarm" disasm "$folder/vector.elf" >"$folder/listing"
for name in vsetvli vse32.v; do # their registers are the compiler's choice
  word=$(awk -v name=$name '$3 == name { print $2; exit }' "$folder/listing")
  grep -q " (0x${word:-none})" "$folder/trace" || fail "no $name in the trace: $(head -n 3 "$folder/trace")"
done
grep -q "(0x$word).*mem" "$folder/trace" && fail "a vector store has one address in the trace"

"$tilefarm" run --load "T1=$folder/vector.elf@0" >"$folder/out" 2>&1 && fail "T1 has vector instructions"
grep -q "the core has no vector instructions" "$folder/out" || fail "T1: $(cat "$folder/out")"
grep -q "vmacc.vx v[0-9]*,.*,v[0-9]" "$folder/listing" || fail "disassembly"
[ "$failures" -eq 0 ]
