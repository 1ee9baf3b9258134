#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Functions, lines and back traces in faults and waits, and what a fault most likely is.
# Usage: test_symbols.sh TILEFARM RISCV_GCC DEVICE_FOLDER
set -u
tilefarm=$1
cc=$2
device=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
says() { grep -qF -- "$2" "$1" || fail "no '$2' in $1: $(cat "$1")"; }

# program NAME [FLAG...]
program() {
  local name=$1
  shift
  cat >"$name.c"
  "$cc" -march=rv32ima_zicsr_zba_zbb -mabi=ilp32 -O1 -fno-inline -fno-optimize-sibling-calls -ffreestanding -nostdlib \
    -static -Wl,--build-id=none -Wl,-z,max-page-size=1024 -Wl,--no-warn-rwx-segments -DTF_CORE=0 -I"$device/include" -I"$device/include/blackhole" \
    -Wl,--defsym=TF_TEXT=0x40000 -Wl,--defsym=TF_LOCAL_BYTES=4096 -T "$device/tile.ld" "$@" \
    "$device/crt0.S" "$device/memory.c" "$name.c" -o "$name.elf" || fail "cannot build $name"
}

# ends NAME CODE
ends() {
  timeout 60 "$tilefarm" run --load "B=$1.elf@3" >out 2>err </dev/null
  local got=$?
  [ "$got" -eq "$2" ] || fail "$1 ended with $got, not $2: $(cat err)"
}

cat >bad.body <<'C'
volatile unsigned *volatile where = (unsigned *)0xF0000000;
static unsigned inner(unsigned x)
{
    volatile unsigned space[8];
    space[x & 7] = x;
    return *where + space[0];
}
static unsigned middle(unsigned x)
{
    if (x == 0)
        return 1;
    return inner(x) + 1;
}
int main(void)
{
    return (int)middle(3);
}
C
program bad -g <bad.body
ends bad 1
says err "inner+"; says err "(bad.c:6)"
says err "  #0 0x"; says err "  #1 0x"; says err "middle+"; says err "(bad.c:12)"; says err "main+"; says err "(bad.c:16)"
says err "_start+"
"$tilefarm" run --load B=bad.elf@3 --json json --quiet 2>/dev/null
for part in '"function": "inner"' '"line": 6' 'bad.c"' '"offset": '; do says json "$part"; done
program plain <bad.body
ends plain 1
says err "inner+"; says err "main+"; grep -q "plain.c:" err && fail "lines without debug information"

program wait -g <<'C'
static void await(volatile unsigned *word)
{
    while (*word == 0)
        ;
}
int main(void)
{
    await((unsigned *)0x30000);
    return 0;
}
C
ends wait 3
says err "(await+"; says err "(wait.c:3)"; says err "  #1 0x"; says err "main+"

program overflow -g <<'C'
static unsigned deep(unsigned n)
{
    volatile unsigned space[64];
    space[0] = n;
    return deep(n + 1) + space[0];
}
int main(void)
{
    return (int)deep(0);
}
C
ends overflow 1; says err "the stack has overflowed"; says err "deep+"
program jump -g <<'C'
unsigned data[4] = {0xFFFFFFFF, 1, 2, 3};
int main(void)
{
    ((void (*)(void))data)();
    return 0;
}
C
ends jump 1; says err "a jump into data"
program null -g <<'C'
volatile unsigned zero;
int main(void)
{
    ((void (*)(void))zero)();
    return 0;
}
C
ends null 1; says err "null pointer"

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "all as expected"
