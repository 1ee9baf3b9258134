#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Functions, lines and back traces of faults and waits, and the probable cause of a fault.
# Usage: test_symbols.sh TILEFARM RISCV_GCC DEVICE_FOLDER CLIENT LIBTTSIM
set -u
tilefarm=$1
cc=$2
device=$3
client=$4
library=$5
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
    -static -Wl,--build-id=none -Wl,-z,max-page-size=1024 -Wl,--no-warn-rwx-segments -DTF_CORE=0 -I"$device/include" \
      -I"$device/include/blackhole" \
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
static unsigned inner(unsigned x) __asm__("_ZN3app5innerEj"); static unsigned inner(unsigned x) /* as in C++ */
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
says err "app::inner(unsigned int)+"; says err "(bad.c:6)"
says err "  #0 0x"; says err "  #1 0x"; says err "middle+"; says err "(bad.c:12)"; says err "main+"
says err "(bad.c:16)"
says err "_start+"
"$tilefarm" run --load B=bad.elf@3 --json json --quiet 2>/dev/null
for part in '"function": "app::inner(unsigned int)"' '"line": 6' 'bad.c"' '"offset": '; do says json "$part"; done
program plain <bad.body
ends plain 1
says err "app::inner(unsigned int)+"; says err "main+"; grep -q "plain.c:" err && fail "lines without debug information"

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

# A function that goes on behind an early return has its frame again.
program early <<'C'
__asm__(".globl early\n.type early,@function\n"
        "early: addi sp,sp,-16\n sw ra,12(sp)\n beqz a0,1f\n lw ra,12(sp)\n addi sp,sp,16\n ret\n"
        "1: jal leaf\n lw ra,12(sp)\n addi sp,sp,16\n ret\n.size early,.-early\n");
extern int early(int);
void leaf(void)
{
    while (*(volatile unsigned *)0x30000 == 0)
        ;
}
int main(void)
{
    return early(0);
}
C
ends early 3
says err "  #0 0x"; says err "leaf+"; says err "early+"; says err "main+"; says err "_start+"

# Calls that the compiler has inlined: a stack has the place of the outermost one; JSON and profiles have all of them.
program inlined -g <<'C'
#define INLINED static inline __attribute__((always_inline))
INLINED unsigned look(volatile unsigned *word)
{
    return *word;
}
INLINED void await(volatile unsigned *word)
{
    while (look(word) == 0)
        ;
}
int main(void)
{
    await((unsigned *)0x30000);
    return 0;
}
C
ends inlined 3
says err "(main+"; says err " (inlined.c:13, in await at inlined.c:"; says err "  #1 0x"
"$tilefarm" run --load B=inlined.elf@3 --json json --quiet --profile calls.folded 2>/dev/null
python3 - <<'P' || fail "JSON of inlined calls: $(cat json)"
import json
wait = json.load(open("json"))["waits"][0]
assert (wait["function"], wait["line"]) in (("main", 4), ("main", 8)), wait
names = [(call["function"], call["line"]) for call in wait["inlined"]]
assert names[-1] == ("await", 13) and names[:-1] in ([("look", 8)], []), names
assert [frame["function"] for frame in wait["stack"]] == ["main", "_start"], wait["stack"]
assert wait["stack"][0]["inlined"] == wait["inlined"]
P
grep -q '^B;_start;main;await;\(look;\)\?\[waiting\] [0-9]*$' calls.folded || fail "calls.folded: $(cat calls.folded)"

# With --check, a wait names the last writer of the polled word, if there is one.
cat >post.c <<'C'
#include "tilefarm_device.h"
int main(void)
{
    if (tf_my_tile() == 1) {
        tf_sem_wait(0x30000, 3);
    } else {
        tf_sem_inc_remote(0, tf_tile_xy(0, 1), 0x30000, 1);
        tf_noc_wait(0);
    }
    return 0;
}
C
"$tilefarm" cc -c B post.c -O1 -o post.elf || fail "cannot build post"
"$tilefarm" run --load B=post.elf@0-2 --check --json json >out 2>err </dev/null
[ $? -eq 3 ] || fail "a lost post is no deadlock: $(cat err)"
writer="NOC atomic on NOC 0, transaction id 0, by tile [0-9]* ([0-9]*,2) core B, cycle [0-9]*, pc 0x.* (post.c:7, in "
grep -q "  written last by: $writer" err ||
  fail "the last writer is not named: $(cat err)"
says json '"written_last_by": "NOC atomic'
"$tilefarm" run --load B=post.elf@1 --check >out 2>err </dev/null
grep -q "written last" err && fail "a writer is named, and there is none: $(cat err)"

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
ends overflow 1; says err "stack overflow: sp is"; says err "deep+"
says err "  #2 to #15: the same call repeated"; says err "  #16 0x"
[ "$(grep -c 'deep+' err)" -le 3 ] || fail "repeated calls are not grouped: $(cat err)"
program array -g <<'C'
int main(void)
{
    volatile char large[20000];
    for (unsigned i = 0; i < sizeof large; i++)
        large[i] = 1;
    return 0;
}
C
ends array 1; says err "stack overflow: sp is 0xffaf"
program jump -g <<'C'
unsigned data[4] = {0xFFFFFFFF, 1, 2, 3};
int main(void)
{
    ((void (*)(void))data)();
    return 0;
}
C
ends jump 1; says err "which is not code of its program"
program null -g <<'C'
volatile unsigned zero;
int main(void)
{
    ((void (*)(void))zero)();
    return 0;
}
C
ends null 1; says err "null pointer"; says err "main+"; says err "(null.c:4)"

# `tilefarm cc` places the program of B at address 0. There a null pointer leads to the start of that program.
for core in B T0; do "$tilefarm" cc -c $core null.c -o "null.$core.elf" || fail "cannot build null for $core"; done
echo 'int main(void) { return 0; }' >fine.c
"$tilefarm" cc -c B fine.c -o fine.elf || fail "cannot build fine"
ends fine 0
ends null.B 1; says err "null pointer"; says err "main+"; says err "(null.c:4)"

# An assertion is a fault of an instruction that no core has. The report says what it was.
printf '#include "tilefarm_dataflow.h"\nvoid kernel_main() { ASSERT(noc_index == 9); }\n' >assert.cc
"$tilefarm" cc -c B assert.cc -o assert.elf || fail "cannot build assert"
ends assert 1; says err "an ASSERT() has failed"; says err "(assert.cc:2)"

# A small address of a NOC request is no null pointer, but one of a load is. The node of the request has the coordinates
# that the program gives, and those that the command takes.
cat >low.c <<'C'
#include "tilefarm_device.h"
int main(void)
{
    tf_noc_read(0, 17 | 12 << 6, 0x10, 0x20004, 64);
    return 0;
}
C
"$tilefarm" cc -c B low.c -o low.elf || fail "cannot build low"
ends low 1; says err "NOC 0 read to (17,12), which is (0,0), 0x10: source and target address must be equal"
grep -q "null pointer" err && fail "a low address of DRAM: $(cat err)"
program lowest -g <<'C'
volatile unsigned *zero;
int main(void)
{
    return *(volatile int *)((char *)zero + 0x12);
}
C
ends lowest 1; says err "probably a null pointer: the address is 0x12"

# A program for another core is run, with one warning for all tiles. Each kind of core names itself.
expect_warning() {
  local file=$1 core=$2 text=$3
  timeout 60 "$tilefarm" run --load "$core=$file@0-3" >out 2>err </dev/null || fail "$file on $core: $(cat err)"
  [ "$(cat err)" = "$text" ] || fail "$file on $core says '$(cat err)', not '$text'"
}
expect_warning fine.elf B ""
expect_warning fine.elf T1 "tilefarm: warning: fine.elf: the program was compiled for core B, and is loaded for T1"
for core in NC T0 T1 T2; do
  "$tilefarm" cc -c $core fine.c -o fine.$core.elf || fail "cannot build fine for $core"
  expect_warning fine.$core.elf $core ""
  expect_warning fine.$core.elf B \
    "tilefarm: warning: fine.$core.elf: the program was compiled for core $core, and is loaded for B"
done
riscv64-unknown-elf-objcopy --remove-section .tilefarm.core fine.elf unmarked.elf 2>/dev/null &&
  expect_warning unmarked.elf T1 ""

# The file has the dependencies of all sources, not only of the last one.
echo 'int other(void);' >other.h
echo '#include "other.h"
int other(void) { return 0; }' >other.c
"$tilefarm" cc -c B fine.c other.c -MMD -MF fine.d -o fine.elf || fail "cannot build with -MMD"
grep -q "^fine.elf: fine.c" fine.d && grep -q "^fine.elf: other.c other.h" fine.d || fail "fine.d: $(cat fine.d)"
timeout 60 "$tilefarm" run --load B=fine.elf@3 --load T0=null.T0.elf@3 >out 2>err </dev/null
[ $? -eq 1 ] || fail "T0 runs the program of B: $(cat err)"
says err "core T0"; says err "null pointer"; says err "main+"

# After a fault the report has the stacks of the other cores. Equal stacks are listed once.
"$tilefarm" run --load B=bad.elf@3 --load NC=wait.elf@5-8 >out 2>err </dev/null
[ $? -eq 1 ] || fail "a fault beside cores that wait: $(cat err)"
says err "stack: tiles 5-8 (4) core NC at 0x"; says err "(wait.c:3)): polls "
[ "$(grep -c 'stack: ' err)" -eq 1 ] || fail "stacks are not grouped: $(cat err)"

# The report and the JSON of an interrupted run have the stacks of its cores, and the waits.
cat >spin.c <<'C'
static void spin(void)
{
    for (unsigned x = 0;; x++)
        *(volatile unsigned *)0x30000 = x;
}
int main(void)
{
    spin();
    return 0;
}
C
"$tilefarm" cc -c B spin.c -O1 -fno-inline -o spin.elf || fail "cannot build spin"
env --default-signal=INT "$tilefarm" run --load B=spin.elf@3-4 --load NC=wait.elf@5 --save-at 1=begun \
  --json json >out 2>err </dev/null &
pid=$!
for _ in $(seq 300); do [ -e begun ] && break; sleep 0.1; done
kill -INT $pid
wait $pid
[ $? -eq 130 ] || fail "an interrupted run: $(cat err)"
says err "stack: tiles 3-4 (2) core B at 0x"; says err "(spin.c:4)"; says err "main+"; says out "interrupted"
says err "(wait.c:3)): polls the word at 0x"; says json '"text": "polls the word at 0x'

# libttsim.so finds the program in a folder, by its code. The other program there has other code at these addresses.
mkdir -p programs/deeper
for number in 1 3; do
  cat >"by$number.c" <<C
#include "tilefarm_device.h"
static uint32_t serve_$number(uint32_t number)
{
    return number == $number ? *(volatile uint32_t *)0xF0000000 : number;
}
int main(void)
{
    for (;;) {
        while (TF_WORD(0x20000) == 0)
            ;
        TF_WORD(0x20004) += serve_$number(TF_WORD(0x20000));
        TF_WORD(0x20000) = 0;
    }
}
C
  "$tilefarm" cc -c B "by$number.c" -O1 -fno-inline -o "programs/deeper/by$number.elf" || fail "cannot build by$number"
done
echo "no program" >programs/readme
TILEFARM_SYMBOLS=$folder/programs "$client" "$library" programs/deeper/by3.elf >out 2>err
says err "pc=0x"; says err "serve_3+"; says err "by3.c:4"; says err "#1 0x"; says err "main+"
grep -q serve_1 err && fail "a program that is not loaded is named: $(cat err)"
# The client may load a program at another address than that of its file.
mkdir moved
for number in 1 3; do
  "$tilefarm" cc -c B "by$number.c" \
    -O1 -fno-inline -Wl,--no-relax,--emit-relocs --text=0x40000 -o "moved/by$number.elf" &&
    "$tilefarm" cc -c B "by$number.c" -O1 -fno-inline -Wl,--no-relax -o "by$number.here.elf" ||
    fail "cannot build by$number"
done
TILEFARM_SYMBOLS=$folder/moved "$client" "$library" by3.here.elf >out 2>err
says err "serve_3+"; says err "by3.c:4"; says err "#1 0x"; says err "main+"; says err "_start+"
grep -q serve_1 err && fail "a program that is not loaded is named: $(cat err)"
grep -q "pc=0x0004" err && fail "the program was not moved: $(cat err)"
mkdir empty
TILEFARM_SYMBOLS=$folder/empty "$client" "$library" programs/deeper/by3.elf >out 2>err
says err "this folder has no program"

# A deadlock in libttsim.so has back traces, too.
cat >hang.c <<'C'
#include "tilefarm_device.h"
static void never(void)
{
    while (TF_WORD(0x30000) == 0)
        ;
}
int main(void)
{
    never();
    return 0;
}
C
"$tilefarm" cc -c B hang.c -O1 -fno-inline -o programs/hang.elf || fail "cannot build hang"
TILEFARM_HANG=cycles:100000 TILEFARM_SYMBOLS=$folder/programs "$client" "$library" programs/hang.elf >out 2>err
says err "waits: tile 46 (5,5) core B at 0x"; says err "#0 0x"; says err "never+"; says err "#1 0x"; says err "main+"

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "all as expected"
