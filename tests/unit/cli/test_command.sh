#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Output, files and exit codes of the command, for good and for bad command lines.
# Usage: test_command.sh TILEFARM RISCV_GCC
set -u
tilefarm=$1
cc=$2
invocation=("$tilefarm")
. "$(dirname "$(readlink -f "$0")")/expect.sh"
shopt -s globstar dotglob # ** is every file

# refused TEXT ARGS...: the command must exit with 2, print one line with the text on stderr alone, and leave no file.
refused() {
  local text=$1 before after
  shift
  before=(**)
  one_line "$text" "$@"
  after=(**)
  [ "${before[*]}" = "${after[*]}" ] || fail "'$*' left files: ${after[*]}"
  [ -s out ] && fail "'$*' wrote to standard output"
  [[ ${lines[0]:-} == 'tilefarm: '* ]] || fail "'$*': $(cat err)"
}

# program NAME ADDRESS: make an executable from assembly on standard input.
program() {
  cat >"$1.S"
  "$cc" -march=rv32ima_zicsr -mabi=ilp32 -nostdlib -static -Wl,--build-id=none -Wl,-N -Wl,--no-warn-rwx-segments \
    "-Wl,-Ttext=$2" -Wl,-e,_start -o "$1.elf" "$1.S" || fail "cannot build $1"
}

: >out; : >err; : >json; : >dump

program store 0x1000 <<'S'
.globl _start
_start: li t0, 0x20000
  li t1, 0x12345678
  sw t1, 0(t0)
1: j 1b
S
program zero 0x8000 <<'S'
.globl _start
_start: li a0, 0x600D0000
1: j 1b
S
program wait 0x1000 <<'S'
.globl _start
_start: li t0, 0x30000
1: lw t1, 0(t0)
  beqz t1, 1b
2: j 2b
S
program fault 0x1000 <<'S'
.globl _start
_start: li t0, 0xF0000000
  lw t1, 0(t0)
1: j 1b
S
program busy 0x1000 <<'S'
.globl _start
_start: addi t0, t0, 1
  j _start
S
program semwait 0x2000 <<'S'
.globl _start
_start: li t0, 0xFFE40000
  li t1, 0xA6FF8005 # SEMWAIT: everything, while semaphore 0 is 0
  sw t1, 0(t0)
  li t1, 0x60000000 # DMANOP
  sw t1, 0(t0)
1: j 1b
S
program atcas 0x3000 <<'S'
.globl _start
_start: li t0, 0xFFE40000
  li t1, 0x64014001 # ATCAS: until the word at 0 is 5
  sw t1, 0(t0)
1: j 1b
S
program mutex 0x4000 <<'S'
.globl _start
_start: li t0, 0xFFE40000
  li t1, 0xA0000002 # ATGETM
  sw t1, 0(t0)
1: j 1b
S
program mailbox 0x5000 <<'S'
.globl _start
_start: li t0, 0xFFEC1000
  lw t1, 0(t0)
1: j 1b
S
program phase 0x7000 <<'S'
.globl _start
_start: li t0, 0xFFE40000
  li t1, 0xB23B0005 # SETC16: stream selection 0 is stream 5
  sw t1, 0(t0)
  li t1, 0xA7FF8030 # STREAMWAIT: everything, until the phase is 3
  sw t1, 0(t0)
  li t1, 0xA4000004 # SEMPOST
  sw t1, 0(t0)
  li t0, 0xFFE80020
1: lw t1, 0(t0)
  beqz t1, 1b
  li t0, 0x20000
  sw t1, 0(t0)
2: j 2b
S
program far 0x1000 <<'S'
.globl _start
_start: li t0, 20000
1: addi t0, t0, -1
  bnez t0, 1b
  li t0, 0xFFB20000 # an inline write to the phase of stream 5 of (4,2)
  li t1, 0xFFB45074
  sw t1, 0(t0)
  sw zero, 4(t0)
  li t1, 0x84
  sw t1, 8(t0)
  li t1, 0xA
  sw t1, 0x1C(t0)
  li t1, 15
  sw t1, 0x20(t0)
  li t1, 3
  sw t1, 0x28(t0)
  li t1, 1
  sw t1, 0x40(t0)
2: j 2b
S
program push 0x6000 <<'S'
.globl _start
_start: li t0, 0xFFE60000
  li t1, 0x64014001
  sw t1, 0(t0)
1: j 1b
S
program overrun 0x17fff8 <<'S'
.globl _start
_start: nop
  nop
  nop
1: j 1b
S
# --- runtime arguments
program load_arguments 0x1000 <<'S'
.globl _start
_start: li t0, 0x14000
  lw t1, 0(t0)
  lw t2, 4(t0)
  lw t3, 0x500(t0)
  li t0, 0x20000
  sw t1, 0(t0)
  sw t2, 4(t0)
  sw t3, 8(t0)
1: j 1b
S
expect 0 run --load B=load_arguments.elf@1 --args B=7,-2 --args common=9 --dump 1:0x20000:12=words --quiet
[ "$(od -An -td4 words | tr -s ' ')" = " 7 -2 9" ] || fail "--args: $(od -An -td4 words)"
expect 0 run --load B=load_arguments.elf@0-2 --args B=5@2 --dump 2:0x20000:4=words --quiet
[ "$(od -An -td4 words | tr -s ' ')" = " 5" ] || fail "--args of a tile: $(od -An -td4 words)"
refused "--args: no program of --load is for T1; name the tiles, as in @0" run --load B=zero.elf --args T1=1
refused "--args: 'B=' is not CORE=N,N...[@TILES]" run --load B=zero.elf --args B=
refused "--args: 'B=4294967296' is not CORE=N,N" run --load B=zero.elf --args B=4294967296
refused "--args: '200' names no tiles of Blackhole" run --load B=zero.elf --args B=1@200
expect 0 run --system p300 --load B=load_arguments.elf@1 --args B=5@0:1 --args B=6,8@1:1 --args common=9 \
  --dump 0:1:0x20000:12=words --dump 1:1:0x20000:12=words_1 --quiet
[ "$(od -An -td4 words | tr -s ' ')" = " 5 0 9" ] || fail "--args of chip 0: $(od -An -td4 words)"
[ "$(od -An -td4 words_1 | tr -s ' ')" = " 6 8 9" ] || fail "--args of chip 1: $(od -An -td4 words_1)"
refused "--args: there is no chip '2' in p300; give a number from 0 to 1" \
  run --system p300 --load B=zero.elf --args B=1@2:0
refused "--args: no program of --load is for T1" run --system p300 --load B=zero.elf --args T1=1
# --- first commands of a new user
expect 0 --version; says out "tilefarm "; says out ", commit "
expect 2 ring; says err "no command 'ring': it is a workload; run it by 'tilefarm run ring'"
expect 2 alreduce; says err "(did you mean 'run allreduce'?)"; expect 2 rum; says err "(did you mean 'run'?)"
expect 2 -v run ring; says err "options follow the command, as in 'tilefarm run -v'"
for list in "--help" "isa --timing" "describe" "litmus --list" "bench --list"; do
  COLUMNS=80 expect 0 $list; grep -E '^.{81}| $' out && fail "$list in 80 columns"
done
refused "'x.txt' would hold HTML" run ring --report x.txt; refused "'x.html' would hold SVG" run ring --svg x.html
expect 0 run --help; says out "Traces and debugger:"; says out "Time and order:"
COLUMNS=72 expect 0 run --help; sed '1,/^Chip:/d' out | grep -E '^.{73}' && fail "help of 72 columns"
for command in run stress compare ''; do
  COLUMNS='' expect 0 help $command; grep -E '^.{81}| $' out && fail "help $command in a pipe has more than 80 columns"
done
COLUMNS=bad expect 0 run --help
for command in cc isa explore describe compare demo topo; do
  COLUMNS=60 expect 0 "$command" --help; grep -E '^.{61}' out && fail "help of $command in 60 columns"
done
COLUMNS=60 expect 0 describe --help
says out "Usage: tilefarm describe [--system NAME|FILE] [--arch NAME]"
says out "           [--soc FILE] [--cluster FILE]"
COLUMNS=72 expect 0 stress --help; sed 1d out | grep -E '^.{73}| $' && fail "a text of 72 columns"
COLUMNS=70 expect 0 isa; grep -E '^.{71}| $' out && fail "isa in 70 columns"
tr -s ' \n' ' ' <out >narrow; COLUMNS=0 expect 0 isa; tr -s ' \n' ' ' <out >wide; same narrow wide
grep -qE '^.{200}' out || fail "isa without a limit of columns"
COLUMNS=60 expect 0 list; sed '/^With/,$d' out | grep -E '^.{61}| $' && fail "list in 60 columns"
expect 0 run -v --load B=zero.elf --limit-cycles 2000 --json -
says err "made a Blackhole chip: board p150, 140 Tensix tiles"
grep -q "loads zero.elf.*, on 1 tile$" err || fail "tiles of -v: $(cat err)"
says err "the run has ended"; says err "writes -"
expect 0 run --log error --load B=zero.elf; [ -s out ] && fail "--log error prints a report"
expect 0 --help; says out "Commands:"
for command in $("$tilefarm" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  expect 0 "$command" --help
  says out "Usage: tilefarm $command"
done
expect 0 help; says out "Commands:"
expect 0 help help; says out "Commands:"
expect 0 help run; says out "Usage: tilefarm run"; says out "(default: auto)"; says out "(default: 64)"
expect 0 list; says out mixed; says out barrier; says out "t3000        8 Wormhole chips, 4 with PCIe, 20 links"
expect 0 topo --threads 2; says out "0-69"; says out "70-139"
expect 0 topo --arch wormhole --threads 2; says out "40-79"
export HWLOC_SYNTHETIC="pack:2 [numa(memory=64GB)] l3:2 core:2 pu:2"
expect 0 topo --threads 3; says out "16 allowed, on 8 cores in 2 NUMA nodes"; says out "package 1"; says out "60 GiB"
says out "L3 cache, 16 MiB"; says out "core 7  CPU 14  CPU 15"; says out "describes another machine"
export HWLOC_SYNTHETIC=package:0
expect 1 topo; says err "HWLOC_SYNTHETIC='package:0' describes no machine that hwloc can read"
unset HWLOC_SYNTHETIC
echo "no machine" >machine.xml
for file in machine.xml missing.xml; do
  export HWLOC_XMLFILE=$file
  expect 1 topo; says err "HWLOC_XMLFILE='$file' describes no machine that hwloc can read"
  expect 1 run eth-ping --system n300 --threads 2; says err "HWLOC_XMLFILE='$file' describes no machine"
done
expect 0 topo --threads 1
unset HWLOC_XMLFILE
expect 0 run fifo --arch wormhole --scale 1; says out verified
expect 0 isa --arch wormhole --unit vector; says out implemented; says out absent
expect 0 isa --arch wormhole --unit mover; says out implemented
expect 0 disasm store.elf; says out "<_start>:"; says out "lui"

# Programs with data for local RAM: disasm takes them and objects, run loads the data on request.
cat >local.c <<'C'
int table[3] = {1, 42, 3};
void _start(void)
{
    *(volatile int *)0x20000 = table[1];
    __asm__ volatile("ebreak");
}
C
"$cc" -march=rv32im -mabi=ilp32 -O2 -ffreestanding -c local.c -o local.o || fail "local.o"
"$cc" -march=rv32im -mabi=ilp32 -nostdlib -static -Wl,--no-relax,--build-id=none,--no-warn-rwx-segments \
  -Wl,-Ttext=0x4000 -Wl,-Tdata=0xffb00000 local.o -o local.elf || fail "local.elf"
expect 0 disasm local.o; says out "00000000 <_start>:"; says out "ebreak"
expect 0 disasm local.elf; says out "00004000 <_start>:"; says out "ebreak"
refused "or use --load-local" run --load B=local.elf@0
expect 0 run --load B=local.elf@0 --load-local --dump 0:0x20000:4=local.word --quiet
[ "$(od -An -tu4 local.word | tr -d ' ')" = 42 ] || fail "data for local RAM: $(od -An -tu4 local.word)"
head -c 200 local.elf >cut.elf
refused "cut.elf" disasm cut.elf

# --- a workload and its report
expect 0 run fifo --scale 1 --threads 2; says out "fifo"; says out verified; says out "state hash"
expect 0 run fifo --scale 1 --threads 2 --quiet; [ -s out ] && fail "--quiet printed something"
expect 0 run fifo --scale 1 --threads 2 --json -
for key in workload arch mode threads workers epochs cycles instructions instructions_executed noc_requests noc_bytes \
    noc_atomics wall_s cpu_s mips state_hash verified faults; do
  says out "\"$key\":"
done
says out '"verified": true'
hash=$(grep state_hash out)
expect 0 run fifo --scale 1 --threads 1 --json json --quiet
[ "$hash" = "$(grep state_hash json)" ] || fail "the state hash depends on threads: $hash"
expect 0 run eltwise --scale 1 --json json --quiet
hash=$(grep state_hash json)
expect 0 run eltwise --scale 1 --vectors portable --undefined silicon --json json --quiet
says json '"vectors": "portable"'
[ "$hash" = "$(grep state_hash json)" ] || fail "the state hash depends on vectors: $hash"
epoch=$(COLUMNS=120 "$tilefarm" run --help | tr "\n" " " | sed 's/.*--epoch.*default: \([0-9:]*\)).*--slice.*/\1/')
expect 0 run fifo --scale 1 --epoch "$epoch" --json json --quiet
expect 0 run fifo --scale 1 --json json2 --quiet
[ "$(grep state_hash json)" = "$(grep state_hash json2)" ] || fail "--epoch $epoch is not the default"
expect 2 run eltwise --vectors sse; says err "'auto', 'portable', 'avx2' or 'avx512'"
expect 2 run eltwise --undefined ok; says err "'fault' or 'silicon'"
expect 0 run --load B=store.elf --dump 0:0x20000:4=-; [ "$(od -An -tx4 out)" = " 12345678" ] || fail "more than a dump"
expect 0 run fifo --scale 1 --map --svg -; grep -qv '^ *<' out && fail "more than a picture: $(grep -v '^ *<' out)"
expect 0 run fifo --scale 1 --map --svg chip.svg
says out ", by tile at"; says chip.svg "</svg>"; says chip.svg "prefers-color-scheme:dark"
grep -q $'\033' out && fail "colours without a terminal"

# --- programs of users
expect 0 run --load B=store.elf@0-3 --dump 3:0x20000:4=dump; says out "load: done"
[ "$(od -An -tx4 dump | tr -d ' ')" = 12345678 ] || fail "the dump holds $(od -An -tx4 dump)"
expect 0 run --load NC=store.elf@all --until 16,11:0x20000=0x12345678
expect 0 run --load T2=store.elf@1,2 --until 0x20000=0x12345678 --json -; says out '"verified": null'
expect 1 run --load B=store.elf --until 0x20000=5; says err "never became 0x5"
printf '%08d' 12345678 >local
# DRAM by raw coordinates, and by those that programs use
printf 'dram' >dram
expect 0 run --load B=store.elf --write 17,12:0x100000=dram --dump 0,0:0x100000:4=raw --dump 17,12:0x100000:4=named
cmp -s raw dram && cmp -s named dram || fail "17,12 is not DRAM channel 0"
expect 2 run --load B=store.elf --arch wormhole --dump 17,12:0:4=dump2; says err "no tile '17,12' on Wormhole"
expect 0 run --load T1=store.elf --write 0:0xFFB14010=local --dump 0:0xFFB14010:8=dump
cmp -s local dump || fail "local RAM holds $(od -An -tx4 dump)"
expect 2 run --load T1=store.elf --dump 0:0xFFB14000:6=dump2; says err "--dump: tile 0 (1,2) 0xffb14000, 0x6 bytes"
printf '\xb7\x02\x02\x00\x13\x03\x10\x00\x23\xa0\x62\x00\x6f\x00\x00\x00' >flat
expect 0 disasm flat --base 0x4000; says out "    4000:  000202b7  lui t0,0x20"
printf '\x00\x00\x00\x08' >ttinsn
expect 0 disasm ttinsn --base 0; says out NOP
printf '\x00\x00\x02\x98\x02\x00\x00\x64' >ttinsn
expect 0 disasm ttinsn --base 0; says out "MVMUL dst=0 addr_mode=2"
expect 0 disasm ttinsn --base 0 --arch wormhole; says out "MVMUL dst=0 addr_mode=1"
says out ".word 0x99000000 # Wormhole has no SFPARECIP"
printf '\x05\x0e\x00\x04\x05\x01\x00\x08\x04\x00\x00\x40' >ttinsn
expect 0 disasm ttinsn --base 0; says out "read_intf_sel=3"; says out "srcb_bcast=0"
expect 0 disasm ttinsn --base 0 --arch wormhole
says out "PACR last=1 flush=0 concat=0 ovrd_thread_id=1 pack_sel=3 zero_write=0 addr_mode=0"; says out "ZEROACC dst=1"
printf '\x1d\x00\x00\x0e\x00\x00\x04\xcc\x14\x00\x00\x06\x65\x00\x00\x0c' >names
expect 0 disasm names --base 0 --arch wormhole; says out "UNPACR_NOP no_op=7 unpack_block_selection=1"
says out "GMPOOL dst=0 max_pool_index_en=0 addr_mode=2"; says out "MOP zmask_lo16=5 loop_count=0 mop_type=1"
says out "UNPACR_NOP no_op=0x19 unpack_block_selection=0"
grep -q srcb_bcast out && fail "a field that Wormhole lacks: $(cat out)"
expect 2 disasm ttinsn --base 0 --arch grayskull; says err grayskull
expect 0 run --flat T1=flat:0x4000@7 --until 7:0x20000=1
printf '\x01\x00\x00\x00' >one
expect 0 run --load B=wait.elf@5 --write 5:0x30000=one; [ -s err ] && fail "a core waits: $(cat err)"
# The report of a deadlock has the waiting cores and coprocessor threads, and their waits. Threads alone may wait, too.
expect 3 run --load B=wait.elf@5; says out "load: DEADLOCK"; says err "waits: tile 5 (6,2) core B at 0x0000100"
says err "polls the word at 0x30000 of L1, which is 0x0"
expect 3 run --load T1=semwait.elf@3
says err "waits: tile 3 (4,2) Tensix thread T1: DMANOP waits for the semaphores of mask 0x01"
says err "semaphore 0 is 0 of 0, and nobody has posted it"
expect 3 run --load B=push.elf@3; says err "Tensix thread T2: ATCAS"
expect 3 run --load T1=phase.elf@3; says err "waits for the phase of stream selection 0 to reach 3"
expect 0 run --load T1=phase.elf@3 --load B=far.elf@2 --until 3:0x20000=1
expect 0 run --load T1=phase.elf@3 --load B=far.elf@2 --until 3:0x20000=1 --relaxed
expect 0 run --load T0=mutex.elf@3; [ -s err ] && fail "nothing waits: $(cat err)"
expect 3 run --load B=mailbox.elf@3 --load T0=mutex.elf@3 --load T1=mutex.elf@3 --load T2=atcas.elf@3 --json json
says out "ended         quiet"
says err \
  "waits: tile 3 (4,2) core B at 0x00005004 (_start+4): is blocked and needs a value in its empty mailbox from T0:"
says err "T0, which has ended, must write one"
says err "waits: tile 3 (4,2) Tensix thread T1: ATGETM mutex_index=2 waits for mutex 2, held by T0"
says err "waits: tile 3 (4,2) Tensix thread T2: ATCAS addr_reg_index=1 data_reg_index=0 sel_32b=0 cmp_val=5 swap_val=0"
says err "waits for the word at 0x00000 to become 5; it is 0x0"
says json '"verdict": "DEADLOCK"'; says json '"state": "waits"'; says json '"state": "done"'
says json '"address": "0xffec1000"'
head -1 err | grep -q "^tilefarm: waits" || fail "stuck cores do not come first: $(head -1 err)"
expect 3 run --load B=mailbox.elf@3-5+9; says err "waits: tiles 3-5,9 (4) core B at 0x00005004"
[ "$(grep -c waits: err)" -eq 1 ] || fail "equal waits are not one line: $(cat err)"
expect 3 run --load B=mailbox.elf@3 --relaxed; says err "waits: tile 3"
expect 1 run --load B=fault.elf@1 --json json; says err "fault: tile 1 (2,2) core B"; says json '"end": "fault"'
expect 1 run --load B=fault.elf@1 --until 0x20000=1; says out "load: FAULTS"
expect 1 run --load B=fault.elf@0-1 --keep-going --json json; says json '"fault_count": 2'
expect 4 run --load B=busy.elf --limit-cycles 100000; says out "cycle limit"; says out "load: LIMIT"
expect 4 run --load B=busy.elf --limit-cycles 5000 --quiet
says err "load: it did not end before the limit of --limit-cycles"
says err "stack: tile 0 (1,2) core B at"; says err ": runs"
expect 4 run mixed --limit-cycles 5000; says out "mixed (all): LIMIT"; says err "it did not end before the limit"
expect 3 run --load B=wait.elf --until 0x20000=1; says err "never became 0x1"; says err "waits: tile 0"

# --- traces
expect 0 run --load T1=phase.elf@3 --load B=far.elf@2 --until 3:0x20000=1 --trace trace; says out "load: done"
[ "$(sed 's/^ *[0-9]* 4,2 T1 //' trace)" = \
  "0000700c  SETC16 setc16_value=5 setc16_reg=0x3b # STREAM_ID_SYNC_SEC0_BankSel=0x5
00007018  STREAMWAIT wait_stream_sel=0 target_sel=0 target_value=3 stall_res=0x1ff
00007024  SEMPOST sem_sel=1" ] || fail "the trace is $(cat trace)"
expect 0 run --load T1=phase.elf@3-4 --load B=far.elf@2 --until 3:0x20000=1 --trace -@3+5; same trace out
expect 0 run --load T1=phase.elf@3 --load B=far.elf@2 --until 3:0x20000=1 --relaxed --trace trace@4 --json json
[ -s trace ] && fail "a tile was traced that was not selected"
expect 1 run --load T1=phase.elf@3 --load B=far.elf@2 --trace /dev/full; says err "/dev/full: cannot be written"
expect 0 run pipeline --scale 1 --quiet --trace trace --threads 1 --json json; hash=$(grep state_hash json)
expect 0 run pipeline --scale 1 --quiet --trace trace2 --threads 3; same trace trace2
expect 0 run pipeline --scale 1 --quiet --json json
[ "$hash" = "$(grep state_hash json)" ] || fail "the state hash depends on tracing: $hash"
rm trace trace2
expect 0 run eltwise --scale 1 --quiet --trace rv@0
grep -q "UNPACR .*unpack_block_selection=1$" rv || fail "UNPACR is cut: $(grep -m1 UNPACR rv)"
# RISC-V, in Spike's format. The trace does not depend on the number of threads, and changes no state.
expect 0 run --load B=store.elf@0-3 --load NC=zero.elf@2 --riscv-trace rv@2/B --json json
[ "$(head -4 rv)" = "core  16: 3 0x00001000 (0x000202b7) x5  0x00020000
core  16: 3 0x00001004 (0x12345337) x6  0x12345000
core  16: 3 0x00001008 (0x67830313) x6  0x12345678
core  16: 3 0x0000100c (0x0062a023) mem 0x00020000 0x12345678" ] || fail "the trace is $(head -4 rv)"
expect 0 run fifo --scale 1 --quiet --json json; hash=$(grep state_hash json)
expect 0 run fifo --scale 1 --quiet --threads 1 --riscv-trace rv@0-3/B+T0 --json json
[ "$hash" = "$(grep state_hash json)" ] || fail "the state hash depends on the trace of cores: $hash"
expect 0 run fifo --scale 1 --quiet --threads 3 --riscv-trace rv2@0-3/B+T0; same rv rv2
expect 0 run fifo --scale 1 --quiet --no-parking --riscv-trace rv2@0/B --json json
[ "$hash" = "$(grep state_hash json)" ] || fail "the state hash depends on the trace of executed loops: $hash"
[ "$(grep -c '^core' rv2)" -gt "$(grep -c '^core   0' rv)" ] || fail "polling loops are not executed"
rm rv rv2

# --- misuse
refused "a command is missing"
refused "name a workload (see 'tilefarm list'), or a program with --load CORE=FILE" run
refused "name a workload (see 'tilefarm list'), or a program with --load CORE=FILE" explore
refused "-c, --core: no core 'one.c'; name one of B, NC, T0, T1, T2, E0, E1, DRISC, as in 'tilefarm cc -c B FILE.c'" \
  cc -c one.c
refused "no command 'frob'" frob
refused "no command 'strses' (did you mean 'stress'?)" strses
refused "no command 'frob'" help frob
refused "unknown option '--frob'; see" run mixed --frob
refused "unknown option '--scael=3' (did you mean '--scale'?)" run mixed --scael=3
refused \
  "is ambiguous: --system, --symbols, --save-at, --save-every, --schedule, --scale, --seed, --slice, --serial-del" \
  run mixed --s 3
refused "no workload 'mixd' (did you mean 'mixed'?)" run mixd
refused "no variant 'writ' (did you mean 'write'?)" run ring --variant writ
refused "no row 'starttup' of Blackhole (did you mean 'startup'?)" bench starttup
refused "no row 'mix-5x140' of Wormhole" bench --arch wormhole mix-5x140
refused "Blackhole has no board \"n150\" (arch wormhole has it); its boards: p150," run ring --board n150
refused "Wormhole has no board \"p100\" (arch blackhole has it); its boards: n150-full," describe --arch wormhole \
  --board p100
refused "Wormhole board n300: a row that is fused off has no Tensix tiles" stress --arch wormhole --board n300 \
  --rows-off 6
refused "this Blackhole (p150) has 3 by 10" run ring --columns-off 1,2,3,4,5,6,7,10,11,12,13
refused "this family fuses off rows of Tensix tiles, not columns" run ring --arch wormhole --columns-off 1
refused "fused-off columns: \"99\" is neither 'none' nor numbers from 0 to 31" run ring --columns-off 99
refused "none/soc: cannot be written" describe --soc none/soc
# timeout(1) sends its signal twice. The run ends with a report.
for signal in INT TERM; do
  timeout -s $signal 1 "$tilefarm" run mixed --threads 1 --scale 100000 >out 2>err
  says out "mixed (all): interrupted" "state hash"; says err "mixed: interrupted by SIG$signal"
done
timeout -s TERM 1 "$tilefarm" run --system n300 mixed --threads 1 --scale 100000 >out 2>err
says out "mixed on n300: interrupted"; says err "mixed: interrupted by SIGTERM"
# Systems: workloads of links, and those of a chip on each chip.
expect 0 run --system n300 eth-ping --scale 3; says out "eth-ping on n300: verified" "2 Wormhole chips, 2 links" \
  "links are set to 1024 cycles, 1024 ns"
expect 0 run --system p300 eth-stream --scale 3 --link-gbps 100; says out "links are set to 100 Gb/s"
expect 0 run --system t3000 eth-ring --scale 1 --quiet --json json
says json '"verified": true' '"system": "t3000"' '"chip": 7'
one=$(grep state_hash json); expect 0 run --system t3000 eth-ring --scale 1 --threads 1 --quiet --json json
[ "$one" = "$(grep state_hash json)" ] || fail "the threads of a system change its hash"
cat >chain.yaml <<'Y'
arch: {0: wormhole_b0, 1: wormhole_b0, 2: wormhole_b0}
chips: {0: [0,0,0,0], 1: [1,0,0,0], 2: [2,0,0,0]}
chips_with_mmio: [0: 0, 1: 1, 2: 2]
ethernet_connections: [[{chip: 0, chan: 0}, {chip: 1, chan: 0}], [{chip: 1, chan: 1}, {chip: 2, chan: 1}]]
Y
expect 0 run --system n300 fifo --scale 1; says out "fifo on n300: verified"
expect 4 run --system n300 halo --limit-cycles 9000; says err "tile 0 (1,2) core B at" "halo.c:" "link.c:"
expect 4 run --system n300 eth-ping --limit-cycles 5000; says err "chip 1:" "polls the word at 0x1c000"
# Programs of the user's own on Ethernet tiles of two chips: the example of docs/systems.md.
cat >ping.c <<'C'
#include <tilefarm_link.h>
#include <tilefarm_print.h>

int main(void)
{
    uint32_t began = tf_cycle();
    tf_link_signal(0, 0x30000, 0x30100, 1);
    tf_link_wait(0x30000, 1);
    tf_printf("there and back in %lu cycles\n", tf_cycle() - began);
    return 0;
}
C
cat >pong.c <<'C'
#include <tilefarm_link.h>

int main(void)
{
    tf_link_wait(0x30000, 1);
    tf_link_signal(0, 0x30000, 0x30100, 1);
    return 0;
}
C
for family in wormhole blackhole; do
  expect 0 cc -c E0 --arch $family ping.c -o ping.$family.elf
  expect 0 cc -c E0 --arch $family pong.c -o pong.$family.elf
done
expect 0 run --system n300 --load E0=ping.wormhole.elf@0:8 --load E0=pong.wormhole.elf@1:0
says out "there and back in 2" "[chip 0 port 8 (9,6) E]" "load on n300: done"
expect 0 run --system p300 --load E0=ping.blackhole.elf@0:2 --load E0=pong.blackhole.elf@1:9
says out "there and back in 2" "[chip 0 port 2 (2,1) E0]"
expect 3 run --system p300 --load E0=ping.blackhole.elf@0:2 --load E0=pong.blackhole.elf@1:7
says out "load on p300: DEADLOCK"; says err "chip 1:" "core E0" "polls the word at 0x30000"
says err "link: port 2 to port 9 of chip 1: up; no core waits there"
says err "link: port 7 has no link"
refused "'22' names no ports; give a number from 0 to 13" run --system p300 --load E0=ping.blackhole.elf@0:22
refused "--load: there is no chip '2' in p300; give a number from 0 to 1" \
  run --system p300 --load E0=ping.blackhole.elf@2:0
refused "'0:' names a chip, so it needs --system before it" run --load E0=ping.blackhole.elf@0:0
refused "both programs are for core E0 of port 2" \
  run --system p300 --load E0=ping.blackhole.elf@0:2 --load E0=pong.blackhole.elf@2
rm ping.* pong.*
# A saved system goes on as one that was not saved.
expect 0 run --system n300 eth-ring --scale 2 --quiet --json json; one=$(grep state_hash json)
expect 0 run --system n300 eth-ring --scale 2 --quiet --save-at 100k=ring.tfs --json json
[ "$one" = "$(grep state_hash json)" ] || fail "a save changes the hash of a system"
expect 0 run --system n300 eth-ring --scale 2 --restore ring.tfs --threads 1 --quiet --json json
[ "$one" = "$(grep state_hash json)" ] || fail "a restored system ends with another hash"
refused "ring.tfs: it is that of another system" run --system 2xn300 eth-ring --restore ring.tfs
expect 0 run --restore ring.tfs --threads 1 --quiet --json json
[ "$one" = "$(grep state_hash json)" ] || fail "a system restored by its file alone ends with another hash"
refused "ring.tfs: the saved system has link_latency 1024, and this one has 2000" \
  run --system n300 eth-ring --restore ring.tfs --link-latency 2000
refused "ring.tfs: the saved chip has epoch_cycles_max 16384, and this one has 1024" \
  run --system n300 eth-ring --restore ring.tfs --epoch 1024
rm ring.tfs*
refused "ring.tfs: cannot be read: No such file" run --system n300 eth-ring --restore ring.tfs
# mpirun would start equal runs, which write the same files.
OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 \
  refused "a chip without --system runs in one process, and mpirun has started 2" run barrier --dump 0:0:4=x
OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 expect 2 run barrier
PMI_SIZE=3 PMI_RANK=0 refused "explore is one process, and mpirun has started 3" explore --system n300 eth-ping
refused "unknown option '--cluster' (did you mean '--system ./FILE'?)" run --cluster t3000.yaml eth-ping
refused "eth-ping needs several chips: name them with --system" run eth-ping
refused "eth-ping: it needs chips that are joined by links" run --system n150 eth-ping
expect 0 run --system ./chain.yaml router --scale 2; says out "router on ./chain.yaml: verified"
refused "--scale: workload router accepts 1 to 16" run --system p300 router --scale 17
refused "router: it needs chips that are all joined by links" run --system p150 router
refused "no ring of links leads through all 3 chips" run --system ./chain.yaml eth-ring
expect 0 run --system ./chain.yaml mesh-reduce --scale 2 --quiet
refused "--system cannot be combined with --board" run --system p300 --board p150 ring
refused "--link-latency, --link-gbps and --link-fault need --system" run ring --link-gbps 3
# Packets that are lost are sent again. Over a link that stays down nothing arrives.
expect 0 run --system n300 eth-stream --scale 3 --link-fault '0:8 lose 3 17, 0:9 slow 4'; says out "24.0 to 9"
expect 3 run --system n300 eth-ping --scale 3 --link-fault '1:0 down'; says err "port 8 (9,6)" "port 0 (9,0)"
says err "link: port 8 to port 0 of chip 1: down, 2 packets unacknowledged; core E there polls the word at 0x1c000"
refused "--link-fault: " run --system n300 eth-ping --link-fault '0:3 down'
refused 'lose RATE% [SEED] or slow N, not "melt"; commas separate' run --system n300 eth-ping --link-fault '0:8 melt'
refused 'not "down;"; commas separate' run --system n300 eth-ping --link-fault '0:8 down; 0:9 down'
refused 'not "5;"; commas separate faults' run --system n300 eth-ping --link-fault '0:8 cut 5; 0:9 down'
refused "the latency of links is 5 cycles: it must be between 1024 and 65536" \
  run --system n300 eth-ping --link-latency 5
refused "no workload 'eth-pong' (did you mean 'eth-ping'?)" run --system n300 eth-pong
# A system that is described is the same system. Its file takes the place of the name.
expect 0 describe --system t3000; says out "8 Wormhole chips, 4 with PCIe, 20 links"
says out "location 1, unique id 0x36190302b, x 0, y 0, rack 0, shelf 0"
says out "chips 0 and 4, ports  8 to 0  9 to 1"
cp out t3000
expect 0 describe --system t3000 --cluster t3000.yaml --soc t3000-soc.yaml
says t3000-soc.yaml "arch_name: WORMHOLE_B0"
says t3000.yaml "  - [{chip: 0, chan: 6}, {chip: 2, chan: 6}]"
expect 0 describe --system t3000.yaml; same out t3000
expect 0 describe --system ./t3000.yaml --cluster -; same out t3000.yaml
refused "--system: there is no system 'n30' (did you mean 'n300'?); see 'tilefarm list', or name a file as './n30'" \
  describe --system n30
refused "./t300: No such file or directory" describe --system ./t300
refused "--cluster: ./t3000.yaml would overwrite an input, that of --system" \
  describe --system t3000.yaml --cluster ./t3000.yaml
refused "--system has chips and boards of its own" describe --system n300 --board n300
sed -i 's/chip: 2, chan: 7/chip: 2, chan: 6/' t3000.yaml
refused "t3000.yaml: line 30: port 6 of chip 2 has two links" describe --system t3000.yaml; rm t3000*
refused "--peer needs a chip without fused-off nodes; board n150 has some" bench --arch wormhole --board n150 \
  --peer x mix
expect 0 topo --arch wormhole --board n300 --threads 1; says out "64    0-63"
expect 0 stress --board p100 --seconds 1 -v; says out "all histories are linearizable"
says err "stress: atomics emu-spec, all on a Blackhole chip, workers: " "atomics checked"
expect 0 stress --system n300 --seconds 1 --log error; [ -s out ] && fail "stress --log error prints a report"
expect 0 stress --system n300 --seconds 1 --json -; says out '"right": true'
refused "--system cannot be combined with --op" stress --system n300 --op all
refused "there is no system 'n301'" stress --system n301
refused "--timeline cannot be combined with --relaxed, which has no epochs" run --system n300 --relaxed \
  --timeline t eth-ping
refused "--link-fault cannot be combined with --relaxed, where links take no time" run --system n300 --relaxed \
  --link-fault "0:8 down" eth-ping
refused "--save-every cannot be combined with --relaxed" run --system n300 --relaxed --save-every 1M=s eth-ping
expect 0 run --system n300 --relaxed eth-ping; says out "links take no time"
expect 0 bench --board p100 --runs 1 --scale 1 atomic-inc-spread -v; says out "480 cores"
says err "bench: atomic-inc-spread, threads 1, sample 1 of 1: "
expect 0 bench --runs 1 --scale 1 alu-1x1 --log error; [ -s out ] && fail "bench --log error prints a table"
refused "--gdb: 65536: not [HOST:]PORT" run --load B=store.elf --gdb 65536
refused "--gdb: x..y:4321: Name or service not known" run --load B=store.elf --gdb x..y:4321
expect 0 run --load B=store.elf --timeline late --timeline-cycles 1M:2M --quiet
says err "--timeline-cycles: the run ended before them, at cycle"
[ -s late ] && fail "a late timeline has events"; rm late
refused "--timeline-cycles needs --timeline" run --load B=store.elf --timeline-cycles 1:3
refused "--scale: this option applies to workloads only" run --load B=store.elf --scale 2
refused "--seed: this option applies to workloads only" run --load B=store.elf --seed 2
refused "--variant: this option applies to workloads only" run --load B=store.elf --variant x
refused "store.elf and busy.elf: both programs are for core B of tile 3" \
  run --load B=store.elf@0-3 --load B=busy.elf@3-5 --limit-cycles 5000
refused "store.elf and busy.elf: both write to address 0x1000 of tile 3" \
  run --load B=store.elf@0-3 --load NC=busy.elf@3 --limit-cycles 5000
refused "store.elf and flat: both write to address 0x1008 of tile 0" run --load B=store.elf --flat NC=flat:0x1008
expect 4 run --load B=store.elf@0-3 --load NC=busy.elf@4-7 --limit-cycles 5000
refused "no workload 'frob'" run frob
refused "no variant 'frob'" run ring --variant frob
refused "no variant 'al' (did you mean 'all'?)" run fifo --variant al # it has no list of variants
refused "none.elf: No such file" run --load B=none.elf
refused "not for RISC-V" run --load "B=$tilefarm"
refused "overruns L1" run --load B=overrun.elf
refused "one: offset 0x0: not an ELF file" run --load B=one
refused "no core 'T3'" run --load T3=store.elf
refused "'140' names no tiles of Blackhole; give an index from 0 to 139, x,y" run --load B=store.elf@140
echo 'int main(void) { return 0; }' >source.cc
refused "--load: source.cc is source text; compile it by 'tilefarm cc -c T1 source.cc'" run --load T1=source.cc
refused "store.elf: tile 139:" run --load B=store.elf@139 --columns-off 1,2
# Tile 125 would be the number of an Ethernet tile.
refused "store.elf: tile 125:" run --load B=store.elf@125 --columns-off 1,2
refused "store.elf: tile 130:" run --load B=store.elf@130 --arch wormhole
refused "'8,5' names no tiles" run --load B=store.elf@8,5
refused "'0' is neither" run mixed --threads 0
refused "'257' is neither" run mixed --threads 257
refused "--scale" run mixed --scale 0
refused "--epoch" run mixed --epoch 0
refused "no tile '17,0' on Blackhole" run --load B=store.elf --dump 17,0:0:4=dump2
refused "'0-3' on Blackhole; give one tile, an index from 0 to 139" run --load B=store.elf --dump 0-3:0x20000:4=one
refused "'0-140' on Blackhole; give tiles, an index from 0 to 139" run --load B=store.elf --write 0-140:0x20000=one
expect 0 run --load B=wait.elf@0+5-7 --write 5-7+0:0x30000=one; [ -s err ] && fail "a core waits: $(cat err)"
refused "--write: 5: No such file or directory; give a file with the bytes" run --load B=store.elf --write 0:0x20000=5
refused "--dump: tile 0 (1,2) 0x17fffe, 0x4 bytes" run --load B=store.elf --dump 0:0x17FFFE:4=dump2
refused "none/json: cannot be written" run mixed --json none/json
refused ".: cannot be written" run mixed --svg .
refused "same: cannot be written: two outputs have this name" run mixed --json same --svg same
refused "--svg: 'x.png' would hold SVG" run fifo --svg x.png; [ -e x.png ] && fail "x.png is written"
refused "--svg: 'x.y.PDF' would hold SVG" run fifo --svg x.y.PDF
refused "--trace: '140' names no tiles" run mixed --trace trace@140
refused "--trace: '@3' is not FILE[@TILES]" run mixed --trace @3
refused "--riscv-trace: no core 'T3'" run mixed --riscv-trace trace@0/T3
refused "--riscv-trace: '140' names no tiles" run mixed --riscv-trace trace@140
refused "none/trace: cannot be written" run mixed --trace none/trace
refused "two outputs go to standard output" run mixed --trace - --json -
refused "not an ELF file" run --load B=one --trace trace
refused "not a chip family" run ring --arch grayskull
refused "Wormhole has no Zaamo requests" run atomics --arch wormhole --variant sums
refused "that Wormhole lacks" run ring --arch wormhole --atomics emu-spec
refused "not an ELF file" disasm one
refused "to run the program, use --load CORE=one" run one
refused "--base: '3'" disasm one --base 3
refused "--fill: 'nope' is not zero, ones or random:SEED" run ring --fill nope
refused "--fill: 'random:x' is not zero, ones or random:SEED" run ring --fill random:x
expect 0 run ring --board p100 --scale 1 --fill ones --quiet --dump 0:0x170000:4=filled
[ "$(od -An -tx4 filled | tr -d ' ')" = ffffffff ] || fail "--fill ones: $(od -An -tx4 filled)"
refused "--suppress: zero.elf: it is not a text file of patterns" run ring --check --suppress zero.elf
refused ".: Is a directory" run ring --check --suppress .
: >empty
refused "zero.elf: it is not a text file" run ring --schedule zero.elf
refused "--write: empty: the file is empty" run --load B=store.elf --write 0:0x20000=empty
refused "--flat: empty: the file is empty" run --flat B=empty:0x1000
refused "none/json: cannot be written" bench --json none/json startup
refused "none/schedule: cannot be written" explore -o none/schedule fifo
refused "'--stratgey' (did you mean '--strategy'?)" explore fifo --stratgey pct
refused "--critical-path needs an argument, and '--report' is an option" run ring --critical-path --report ring.html
refused "--seeds needs an argument, and '--time=2' is an option" explore fifo --seeds --time=2
refused "option '--see' is ambiguous: --seeds, --seed" explore fifo --see 3
refused "not 'random', 'chaos', 'pct', 'delay-one', 'nops', 'nop-sites' or 'each'" explore fifo --strat luck
expect 0 explore fifo --help; says out "Usage: tilefarm explore"
expect 1 explore --load B=wait.elf -o order; says out "the usual order fails: deadlock"
says out "No other order was run, and order has no decisions."; rm order
mkdir tilefarm.schedule; expect 2 explore fifo; rmdir tilefarm.schedule
says err "explore: -o, --out names another file"
expect 1 run fifo --scale 1 --json /dev/full; says err "JSON report cannot be written: No space left on device"
# A run that writes a file while it runs ends when the disk is full. Else these runs would take minutes.
for file in timeline riscv-trace; do
  expect 1 run mixed --scale 900 --$file /dev/full; says err "/dev/full: cannot be written"
  says out "interrupted, after "
done
# An earlier program or trace stays when the disk is full, here at files of 18 KiB.
printf 'char large[9000] = {1};\nint main(void) { return 0; }\n' >large1.c
printf 'char large2[9000] = {1};\n' >large2.c
echo 'int main(void) { return 0; }' >family.c
expect 0 cc --arch wormhole -c B family.c -o wormhole.elf; expect 0 cc -c B family.c -o blackhole.elf
refused "compiled for Wormhole, and this chip is Blackhole" run --load B=wormhole.elf
for chip in "--arch wormhole" "--arch wormhole --board n150" "--system n300"; do
  refused "compiled for Blackhole, and this chip is Wormhole" run $chip --load B=blackhole.elf
done
expect 0 run --arch wormhole --load B=wormhole.elf
expect 0 cc -c B --region 64Ki -MD large1.c large2.c -o large.elf
says large.d "large.elf: large1.c"; cp large.elf earlier.elf; cp large.elf earlier
(failures=0; trap '' XFSZ; ulimit -f 18
 expect 1 cc -c B --region 64Ki large1.c large2.c -o earlier.elf; exit "$failures") ||
  fail "a program larger than the disk"
(failures=0; trap '' XFSZ; ulimit -f 18; expect 1 run fifo --scale 1 --trace earlier
says err "tilefarm: earlier: cannot be written: File too large"; exit "$failures") ||
  fail "a trace larger than the disk"
same large.elf earlier.elf; same large.elf earlier; ls .*.tmp 2>/dev/null && fail "temporary files are left"
"$tilefarm" list >/dev/full 2>err && fail "no error for a full disk"
# When the reader of stdout has gone, the command completes its files and ends without a message. The test needs a
# parent that does not ignore SIGPIPE.
(sleep 0.1; exec yes 2>err) | true
[ "${PIPESTATUS[0]}" -eq 141 ] && for command in "run fifo --scale 1 --map" "run fifo --scale 1 --riscv-trace -" \
  "stress --seconds 1" "litmus SB --seeds 9" "bench alu-1x1 --runs 1 --scale 1" list; do
  other=; [ "$command" = list ] || other="--json whole"
  # shellcheck disable=SC2086
  (sleep 0.2; exec "$tilefarm" $command $other 2>err) | true
  code=${PIPESTATUS[0]}
  [ "$code" -eq 141 ] || fail "'$command' ends with $code when its reader has gone: $(cat err)"
  [ -s err ] && fail "'$command' prints a message about its reader: $(cat err)"
  [ -z "$other" ] || python3 -m json.tool whole >/dev/null 2>&1 || fail "'$command' leaves no JSON"
  ls .*.tmp 2>/dev/null && fail "'$command' leaves temporary files"
  rm -f whole
done
for report in "fifo --scale 1 --json -" "fifo --scale 1" "--help"; do
  # shellcheck disable=SC2086
  "$tilefarm" run $report >/dev/full 2>err && fail "no error for a report on a full disk"
  says err "standard output: No space left"; [ "$(wc -l <err)" -eq 1 ] || fail "more than one line: $(cat err)"
done

# --- JUnit: one test case, and the reason of a failure
junit() { # junit XPATH TEXT: the text or the attribute at a place of the file
  local got
  got=$(python3 - "$1" <<'P'
import sys, xml.etree.ElementTree as tree
path, _, name = sys.argv[1].partition("@")
found = tree.parse("junit").getroot().find(path or ".")
print("none" if found is None else found.get(name) if name else found.text)
P
)
  [[ $got == *"$2"* ]] || fail "junit: $1 is '$got', not '$2'"
}
expect 0 run fifo --scale 1 --junit junit; says out "fifo"
junit "testsuite@failures" 0; junit "testsuite/testcase@name" "fifo all"; junit "testsuite/testcase/failure" none
expect 0 run --system n300 eth-ring --quiet --junit junit; junit "testsuite/testcase@name" "eth-ring n300"
junit "testsuite@failures" 0
expect 3 run --system n300 --load B=wait.elf@1:0 --quiet --junit junit; junit "testsuite/testcase/failure@type" DEADLOCK
junit "testsuite/testcase/failure" "chip 1: DEADLOCK"; junit "testsuite/testcase/failure" "polls the word at 0x30000"
expect 0 stress --seconds 1 --op incr-get --atomics isa --quiet --junit junit
junit "testsuite/testcase@name" "incr-get isa"; junit "testsuite@name" "tilefarm stress"; junit "testsuite@failures" 0
one_line "stress: two outputs go to standard output (-)" stress --json - --junit -
expect 0 run ring --scale 1 --save-at 1=seed.chip; expect 1 run ring --scale 1 --seed 2 --restore seed.chip
says err "ring: tile 0 (1,2): word of the packet"
refused "--fill cannot be combined with --restore" run ring --restore seed.chip --fill zero; rm seed.chip
expect 4 run --load B=busy.elf --limit-cycles 20000 --junit junit
junit "testsuite@failures" 1; junit "testsuite/testcase/failure@type" LIMIT
junit "testsuite/testcase/failure@message" "did not end before the limit of --limit-cycles"
junit "testsuite/testcase/failure" "stack: tile 0 (1,2) core B"; junit "testsuite/testcase@name" "load busy.elf"
expect 1 run --load B=fault.elf --junit - --quiet; cp out junit
junit "testsuite/testcase/failure@type" FAULTS; junit "testsuite/testcase/failure" "fault: tile 0 (1,2) core B"

# --- a limit of time: the report has the stacks of what runs
expect 4 run --load B=busy.elf --limit-seconds 0.4 --json json3
says out "load: LIMIT"; says out "time limit"; says err "did not end before the limit of --limit-seconds"
says err "tile 0 (1,2) core B"; says json3 '"end": "time"'; says json3 '"verdict": "LIMIT"'
expect 4 run --load B=busy.elf --relaxed --limit-seconds 0.4; says out "load: LIMIT"
expect 4 run --load B=busy.elf --limit-seconds 1 --save-at 1000=kept --save-at 900M=never
says err "never is not written"; [ -s kept ] || fail "the save before the limit of time is missing"
expect 0 run fifo --scale 1 --limit-seconds 600
for bad in 0 0.0 -1 nan 1.2.3; do refused "is not a time of more than 0" run ring --limit-seconds $bad; done
expect 1 explore --load B=busy.elf --time 0.3; says out "the usual order fails: no end within --time"
refused "cannot be combined with --gdb" run --load B=busy.elf --limit-seconds 1 --gdb 0
refused "explore cannot be combined with --limit-seconds" explore --load B=busy.elf --limit-seconds 1

# --- interrupts: the first signal ends the run, which then reports; the second one ends the process
"$tilefarm" run --load B=busy.elf --json json2 >out 2>err &
sleep 1
kill -TERM $!
wait $!
[ $? -eq 143 ] || fail "a terminated run did not end with 143"
says out interrupted
says json2 '"end": "stopped"' '"message": "interrupted by SIGTERM"' '"verified": null'
"$tilefarm" demo --out demo >out 2>err &
sleep 1
kill -TERM $!
wait $!
[ $? -eq 143 ] || fail "a terminated demo did not end with 143"
says err "demo: interrupted"
[ -z "$(ls -A demo)" ] || fail "an interrupted demo leaves $(ls -A demo)"
timeout --foreground -k 30 -s TERM 1 "$tilefarm" litmus --seeds 1000000 --json json >out 2>err
[ $? -eq 124 ] || fail "litmus does not end after a signal"
says out "litmus: interrupted"; grep -q passed out && fail "interrupted tests have passed"
says json '"interrupted": true'; grep -q '"passed"' json && fail "interrupted tests are reported"
# commands that fork: all processes end, and none leaves a file
forking_is_interrupted "bench ring --runs 20 --busy 1 --json bench.json"
forking_is_interrupted "run --load B=../busy.elf --gdb 0"

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "all as expected"
