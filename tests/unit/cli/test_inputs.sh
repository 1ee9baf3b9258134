#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Files from outside that would destroy the user's, never end, or deceive who reads the terminal.
# Usage: test_inputs.sh TILEFARM RISCV_GCC
set -u
tilefarm=$1 cc=$2
invocation=(timeout 60 "$tilefarm")
export TILEFARM_RISCV_CC=$cc
. "$(dirname "$(readlink -f "$0")")/expect.sh"

# kept FILE TEXT ARGS...: the command is refused with the text, and the file stays as it was.
kept() {
  local file=$1 text=$2
  shift 2
  cp "$file" before
  one_line "$text" "$@"
  cmp -s "$file" before || fail "'$*' has changed $file"
  ls .tilefarm.* 2>/dev/null && fail "'$*' leaves a temporary file"
}

# --- outputs that are inputs
echo 'int main(void) { return 0; }' >q.c
ln -s q.c link.c
ln q.c hard.c
kept q.c "-o: q.c would overwrite an input, that of cc" cc -c B q.c -o q.c
kept q.c "-o: link.c would overwrite an input" cc -c B q.c -o link.c
kept q.c "-o: ./q.c would overwrite an input" cc -c B hard.c -o./q.c
kept q.c "-MF: q.c would overwrite an input" cc -c B q.c -MD -MF q.c -o q.elf
kept q.c "-o: q.c would overwrite an input" cc -c B q.c -S -o q.c
for word in -Wl,-Map=q.c -Wl,-Map,q.c -Wl,--dependency-file=q.c -Wl,-o,q.c -Wl,-oq.c -Wl,--output=q.c \
  -Wl,--out-implib=q.c -Wa,-adhln=q.c -Wp,-MD,q.c -Wp,-MF,./q.c; do
  kept q.c "q.c would overwrite an input" cc -c B q.c "$word" -o q.elf
done
kept q.c "-Xlinker: q.c would overwrite an input" cc -c B q.c -Xlinker -Map=q.c
kept q.c "-aux-info: q.c would overwrite an input" cc -c B q.c -aux-info q.c
echo '#define ZERO 0' >hdr.h
printf '#include "hdr.h"\nint main(void) { return ZERO; }\n' >with.c
kept hdr.h "-o: hdr.h is there, and no program" cc -c B with.c -o hdr.h
kept hdr.h "-o: hdr.h would overwrite an input" cc -c B with.c -S -o hdr.h
kept hdr.h "-o: hdr.h would overwrite an input" cc -c B with.c -E -o hdr.h
kept hdr.h "-MF: hdr.h would overwrite an input" cc -c B with.c -MD -MF hdr.h -o with.elf
kept hdr.h "-MF: hdr.h would overwrite an input" cc -c B with.c -S -MMD -MFhdr.h -o with.s
kept hdr.h "-o: hdr.h would overwrite an input" cc -c B with.c -M -o hdr.h
printf '#include "with.d"\nint main(void) { return ZERO; }\n' >with.b.c
cp hdr.h with.d
kept with.d "-MF: with.d would overwrite an input" cc -c B with.b.c -MD -o with.elf
printf '%s\n' "q.c \"with 'q'.c\"  spaced\\ name.c" >words
echo 'int f(void) { return 0; }' >"with 'q'.c"
echo 'int g(void) { return 0; }' >'spaced name.c'
kept q.c "-o: q.c would overwrite an input" cc -c B @words -o q.c
kept 'spaced name.c' "-o: spaced name.c would overwrite an input" cc -c B @words -o 'spaced name.c'
echo '-o q.c @words -c B' >nested
kept q.c "-o: q.c would overwrite an input" cc @nested
expect 0 cc -c B @words -o words.elf
kept words "-o: words would overwrite an input" cc -c B @words -S -o words
echo '@loop' >loop
one_line "more than 16 files name each other" cc -c B @loop
expect 0 cc -c B with.c -S -o with.s
expect 0 cc -c B with.c -S -o with.s # an older output is no input
expect 0 cc -c B with.c -MD -MF with.dep -o with.elf
expect 0 cc -c B with.c -MD -MF with.dep -o with.elf
expect 0 cc -c B q.c -Wl,-Map=q.map -Wl,-Map,q.map -o q.elf
expect 0 cc -c B q.c -o q.elf
head -c 64 /dev/urandom >data
for option in --json --svg --trace --riscv-trace --noc-trace --profile --coverage --timeline --report \
  --critical-path; do # which needs --timing
  kept q.elf "$option: q.elf would overwrite an input, that of --load" run --timing --load B=q.elf "$option" q.elf
done
ln -s q.elf link.elf
kept q.elf "--json: link.elf would overwrite an input" run --load B=q.elf --json link.elf
kept q.elf "--dump: q.elf would overwrite an input" run --load B=q.elf --dump 0:0:64=q.elf
kept q.elf "--save-at: q.elf would overwrite an input" run --load B=q.elf --save-at 10=q.elf
kept data "--dump: data would overwrite an input, that of --write" run --load B=q.elf --write 0:0x20000=data \
  --dump 0:0:64=data
kept data "that of --flat" run --flat B=data:0 --json data
echo '- foo' >suppress
kept suppress "that of --suppress" run --load B=q.elf --check --suppress suppress --json suppress
expect 0 run --load B=q.elf --save-at 10=saved
kept saved "that of --restore" run --restore saved --json saved
kept saved "--save-at: saved would overwrite an input" run --restore saved --save-at 2000=saved
echo 'tilefarm-schedule 1' >schedule
kept schedule "that of --schedule" run --load B=q.elf --schedule schedule --json schedule
kept q.elf "--out: q.elf would overwrite an input" explore --load B=q.elf -o q.elf
kept q.elf "--json: q.elf would overwrite an input" explore --load B=q.elf --json q.elf
kept q.elf "--json: q.elf would overwrite an input" compare q.elf q.elf --json q.elf -- fifo
kept q.elf "--json: q.elf would overwrite an input" bench alu --peer q.elf --json q.elf
expect 0 describe --system n300 --cluster sys.yaml
kept sys.yaml "--json: sys.yaml would overwrite an input, that of --system" run --system ./sys.yaml \
  allreduce --json sys.yaml
for option in --json --junit; do
  kept sys.yaml "$option: sys.yaml would overwrite an input, that of --system" stress --seconds 1 --system ./sys.yaml \
    "$option" sys.yaml
done
expect 0 run cb --scale 1 --timing --json a.json --quiet
expect 0 run cb --scale 2 --timing --json b.json --quiet
kept a.json "--json: ./a.json would overwrite an input, that of diff" timing diff a.json b.json --json ./a.json
kept b.json "--json: b.json would overwrite an input, that of diff" timing diff a.json b.json --json b.json
kept q.elf "--json: q.elf would overwrite an input, that of --symbols" run cb --symbols q.elf --json q.elf
one_line "two outputs have this name" stress --seconds 1 --json one --junit ./one
kept q.elf "--json: q.elf would overwrite an input, that of --recording" bench --recording q.elf --json q.elf
# The files of the chips belong to the save of a system.
for chip in ss.1.chip0 ./ss.1.chip1 ss.20.chip3; do
  one_line "two outputs have this name" run --system n300 eth-ring --scale 1 --save-at 1000=ss --json $chip
done
expect 0 run --system n300 eth-ring --scale 1 --save-at 1000=ss --json ss.chip0 --quiet
kept ss.1.chip0 "--json: ss.1.chip0 would overwrite an input, that of --restore" run --system n300 --restore ss \
  --json ss.1.chip0
ln -s ss.1.chip1 link.chip
kept ss.1.chip1 "--timeline: link.chip would overwrite an input" run --system n300 --restore ss --timeline link.chip
# Two outputs of one name are found before the run, also where a save is one of them.
one_line "./o3: cannot be written: two outputs have this name" run cb --save-at 1000=./o3 --json o3
one_line "two outputs have this name" run cb --save-at 1000=o3 --svg ../"${PWD##*/}"/o3
one_line "two outputs have this name" run --load B=q.elf --dump 0:0:64=o3 --dump 0:0:32=./o3
[ -e o3 ] && fail "a refused command has written a file"
expect 0 run cb --scale 1 --save-at 1000=o3 --save-at 2000=o3 --quiet
# Two options may read a file, and a device may be both.
expect 0 run --load B=q.elf@0 --load B=q.elf@1 --json /dev/null --dump 0:0:64=/dev/null

# --- devices without an end are refused at once
zero="/dev/zero: neither a file nor a pipe"
one_line "$zero" run --load B=/dev/zero
one_line "$zero" run --flat B=/dev/zero:0
one_line "$zero" run --load B=q.elf --write 0:0x20000=/dev/zero
one_line "$zero" run --load B=q.elf --check --suppress /dev/zero
one_line "$zero" run --load B=q.elf --schedule /dev/zero
one_line "$zero" disasm /dev/zero
one_line "$zero" disasm --base 0 /dev/zero
one_line "Is a directory" disasm .
one_line "longer than 256 MiB" disasm --base 0 <(exec yes)
truncate -s 2G sparse
one_line "longer than 1024 MiB" disasm --base 0 sparse
expect 0 run --load B=<(cat q.elf)
expect 0 run --load B=q.elf --check --suppress /dev/null # an empty file, as everywhere

# --- a signal while outputs are opened leaves no file
mkfifo nobody_reads
env --default-signal=INT "$tilefarm" run cb --json o4 --svg nobody_reads >out 2>err &
pid=$!
for _ in $(seq 600); do # a signal that comes before the command begins would be ignored
  [ -n "$(ls .tilefarm.* 2>/dev/null)" ] && break
  sleep 0.05
done
kill -INT $pid
wait $pid
[ $? -eq 130 ] || fail "a signal while a pipe waits for its reader does not end the command: $(cat err)"
ls .tilefarm.* o4 2>/dev/null && fail "a signal while outputs are opened leaves a file"

# The same while a command that forks opens them, and at any moment before its run.
env --default-signal=INT "$tilefarm" run cb --gdb 0 --json o5 --svg nobody_reads >out 2>err &
pid=$!
for _ in $(seq 600); do # a signal that comes before the command begins would be ignored
  [ -n "$(ls .tilefarm.* 2>/dev/null)" ] && break
  sleep 0.05
done
kill -INT $pid
wait $pid
[ $? -eq 130 ] || fail "a signal while outputs of run --gdb are opened does not end the command: $(cat err)"
ls .tilefarm.* o5 2>/dev/null && fail "a signal while outputs of run --gdb are opened leaves a file"
for delay in 0.002 0.004 0.006 0.01 0.015 0.02 0.03 0.05; do
  for words in "bench idle" "run cb --gdb 0" "compare $tilefarm $tilefarm"; do
    set -- $words
    command=$1
    shift
    [ "$command" = compare ] && after=(-- cb) || after=()
    # Not by kill: a shell that forks may run its own trap for a signal that comes before the command begins.
    timeout --foreground --preserve-status -k 60 -s TERM $delay "$tilefarm" "$command" --json early "$@" "${after[@]}" \
      >out 2>err
    code=$?
    [ $code -eq 143 ] || [ "$command" = compare ] || fail "a signal after $delay s of '$words' gives $code: $(cat err)"
    ls .tilefarm.* 2>/dev/null && fail "a signal after $delay s of '$words' leaves a file"
    rm -f early
  done
done

# --- long names
long=$(printf 'n%.0s' $(seq 250))
expect 0 run --load B=q.elf --save-at 10="$long" --json "${long}json"
[ -s "$long" ] || fail "a chip cannot be saved to a name of 250 characters"
[ -s "${long}json" ] || fail "a report cannot be written to a name of 254 characters"
expect 0 cc -c B q.c -o "$long.elf"
# So can a system: a hash shortens the names of its chips' files, also where the number of the save gets a digit more.
for name in "$long" "${long:0:246}"; do
  expect 0 run --system n300 eth-ring --scale 1 --save-every 40k="$name" --save-at 2000="x$name" --quiet
  expect 0 run --system n300 --restore "$name" --quiet
  expect 0 run --system n300 --restore "x$name" --quiet
done
ls .tilefarm.* 2>/dev/null && fail "temporary files are left"

# --- a long schedule takes a time that grows as its length
{
  printf 'tilefarm-schedule 1\nprogram 0123456789abcdef\n'
  seq 400000 | sed 's/.*/store 0 0 & 1/'
} >schedule
one_line "this schedule belongs to another program" run --load B=q.elf --schedule schedule
echo 'store 0 0 77 1' >>schedule
one_line "schedule:400003: an earlier line has a decision for the same place" run --load B=q.elf --schedule schedule

# --- the region of a program lies in L1
one_line "--region: 0x200000 bytes from 0x0 on reach beyond L1" cc -c B --region 2Mi q.c
one_line "reach beyond L1" cc -c B --text 0x17fc00 --region 2048 q.c
expect 0 cc -c B --text 0x17f000 q.c -o high.elf

# --- names of a program are printed without control characters
objcopy=${cc%gcc*}objcopy
cat >evil.c <<'C'
int evil(void);
__attribute__((noinline)) int evil(void) { return *(volatile int *)0xF0000000; }
__attribute__((section(".text.strange"))) int strange(void) { return 0; }
int main(void) { return evil() + strange(); }
C
expect 0 cc -c B -Wno-array-bounds evil.c -o evil.elf
name=$(printf 'a\033[2J\x9bb')
"$objcopy" --redefine-sym "evil=$name" evil.elf || fail "objcopy"
expect 1 run --load B=evil.elf
says err 'a\x1b[2J\x9bb+'
LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177-\377]')" err &&
  fail "an error line has control characters: $(cat -v err)"
expect 0 disasm evil.elf
says out '<a\x1b[2J\x9bb>:'
LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177-\377]')" out && fail "disasm prints control characters"
expect 2 run --load "B=$(printf 'no\033[2Jne')"
says err 'no\x1b[2Jne'

# --- what programs print
cat >print.c <<'C'
#include "tilefarm_print.h"
int main(void)
{
    tf_print("red \033[31m\ttab gr\303\274n\n");
    return 0;
}
C
expect 0 cc -c B print.c -o print.elf
expect 0 run --load B=print.elf
says out "$(printf 'red \\x1b[31m\ttab gr\303\274n')"

if [ "$failures" -gt 0 ]; then
  echo "$failures failures"
  exit 1
fi
echo "inputs are checked"
