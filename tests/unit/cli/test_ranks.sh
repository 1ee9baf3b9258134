#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Systems over several processes: reports, exit codes and saves are those of one process, on any number of ranks and
# threads, with random delays of messages. A rank that is killed, hangs or differs ends the others, which name it.
# Usage: test_ranks.sh TILEFARM MPI MPIRUN all|few|wide LIBTTSIM LED-CLIENT TEST-ABI-SEVERAL RISCV-CC LED-LIBRARY
# few: only those cases that depend on the MPI. wide: only a longer one.
set -u
tilefarm=$1 mpi=$2 mpirun=$3 cases=$4 libttsim=$5 led_client=$6 several=$7
export RISCV_CC=${8:-}
led_library=${9:-}
case $mpi in
# In containers root is the usual user, there are few slots, one process may not read the memory of another one, and
# there may be no network.
openmpi) start=("$mpirun" --allow-run-as-root --oversubscribe --mca btl ^tcp
  --mca btl_vader_single_copy_mechanism none) ;;
mpich) start=("$mpirun" -disable-auto-cleanup) ;; # else it kills all ranks before they can say which one has died
esac
unset TILEFARM_TEST_DELAY_US
here=$(readlink -f "$0")
. "$(dirname "$here")/expect.sh"
export TMPDIR=$folder # of Open MPI's sessions

alone() { invocation=("$tilefarm"); expect "$@"; }
# spread RANKS CODE ARGS...
spread() {
  invocation=(timeout 60 "${start[@]}" -n "$1" "$tilefarm")
  shift
  expect "$@"
}

# What a report says of the chips: not of the host, nor the command line.
facts() { sed '/^  "command": \[/,/^  \]/d' "$1" | grep -vE '"(workers|threads|wall_s|cpu_s)":'; }
same_facts() { diff <(facts "$1") <(facts "$2") >differs || fail "$3: $(head -5 differs)"; }

# No two programs with ":" between them: mpirun of Open MPI 5.0.7 (Debian 13) crashes then.
cat >as_ranks <<'S'
#!/bin/sh
command=$1
shift
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != 0 ] || set -- run --system n300 eth-ring
exec "$command" "$@"
S
cat >led <<'S'
#!/bin/sh
command=$1
shift
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] || exec "$command" join
exec "$@" >counted 2>said
S
chmod +x as_ranks led
export TILEFARM_RANKS
TILEFARM_RANKS=$(dirname "$libttsim")/ranks

if [ "$cases" = wide ]; then # a test of one process, with a rank more
  invocation=(timeout 100 "${start[@]}" -n 2 ./led "$tilefarm" "$several")
  TILEFARM_SPREAD=1 expect 0
  exit $failures
fi

# ---- One hash ----
# Each pair of ranks and threads also does something that only ranks do.
alone 0 run --system 2xn300 eth-ring --scale 1 --threads 1 --json one --quiet
# ring RANKS THREADS OPTIONS...
ring() {
  local ranks=$1 threads=$2
  shift 2
  spread "$ranks" 0 run --system 2xn300 eth-ring --scale 1 --threads "$threads" --json spread --quiet "$@"
  same_facts one spread "$ranks ranks of $threads threads, $*"
  rm -f spread
}
export TILEFARM_TEST_DELAY_US=100
ring 1 1
ring 1 2
ring 2 1 --ranks-by board
ring 4 1 --save-at 20k=saved
ring 2 2 --restore saved
unset TILEFARM_TEST_DELAY_US
ring 4 2
alone 0 run --system 2xn300 eth-ring --scale 1 --restore saved --json spread --quiet
same_facts one spread "restored by one process"

# ---- What does not depend on the MPI ----
of_any_mpi() {
  alone 0 run --system quietbox2 router --scale 1 --json one --quiet
  spread 3 0 run --system quietbox2 router --scale 1 --json spread --quiet
  same_facts one spread "packets of routers, over an uneven number of ranks"
  alone 0 run --system n300 fifo --scale 1 --json one --quiet
  spread 2 0 run --system n300 fifo --scale 1 --json spread --quiet
  same_facts one spread "a workload of one chip"
  alone 0 run --system n300 eth-ping --scale 3
  text out >one
  spread 2 0 run --system n300 eth-ping --scale 3
  diff <(text out) one >differs || fail "the report of two ranks: $(cat differs)"
  alone 4 run --system n300 eth-ring --limit-cycles 30000 --json one --quiet
  spread 2 4 run --system n300 eth-ring --limit-cycles 30000 --json spread --quiet
  same_facts one spread "a limit"
  deadlock
  seen
  awaited
  checked
  spread 3 2 run --system 2xn300 eth-ring --ranks-by board
  says err "tilefarm: 3 ranks are more than 2xn300 has boards, 2: start fewer, or give --ranks-by chip"
  spread 3 2 run --system n300 eth-ring
  says err "tilefarm: 3 ranks are more than n300 has chips, 2: start fewer"
  spread 2 2 run --system n300 eth-ring --restore saved
  says err "it is that of another system"
  differ "its workload, options or programs" run --system n300 eth-ring --seed 3
  differ "its command ('tilefarm join' is for ranks that a client leads)" join
  invocation=("$tilefarm")
  one_line "join needs a client as rank 0" join
}

text() { sed -E '/^  (time|system) /d' "$1"; }
waits() { grep -E '^tilefarm: (chip|waits|load)' "$1"; }
deadlock() {
  cat >pong.c <<'C'
#include <tilefarm_link.h>
#include <tilefarm_print.h>
int main(void)
{
    tf_printf("it waits\n");
    tf_link_wait(0x30000, 1);
    return 0;
}
C
  alone 0 cc -c E0 --arch wormhole pong.c
  alone 3 run --system n300 --load E0=pong.e0.elf@0:8 --load E0=pong.e0.elf@1:0 --json one
  waits err >waits
  text out >one_text
  spread 2 3 run --system n300 --load E0=pong.e0.elf@0:8 --load E0=pong.e0.elf@1:0 --json spread
  diff <(waits err) waits >differs || fail "a deadlock over ranks: $(cat differs)"
  diff <(text out) one_text >differs || fail "texts of programs: $(cat differs)"
  same_facts one spread "a deadlock"
}

# seen: files of what is seen while chips run have the bytes of one process.
seen_files="line.pftrace requests spent lines tensix cores"
see() { # COMMAND OF EXPECT...
  "$@" run --system 2xn300 eth-matmul --scale 1 --timeline line.pftrace --report page.html --noc-trace requests \
    --profile spent --coverage lines --trace tensix@0-1+3:all --riscv-trace cores@1-2:0 --quiet
}
# What a page does not say of the run, but of the host.
page() { grep -vE '^(about|host|command):' page.html; }
seen() {
  local file
  see alone 0
  page >one.page
  for file in $seen_files; do
    [ -s "$file" ] || fail "$file is empty"
    mv "$file" "one.$file"
  done
  TILEFARM_TEST_DELAY_US=100 see spread 3 0
  page | cmp - one.page || fail "a report over ranks differs"
  for file in $seen_files; do
    cmp "$file" "one.$file" || fail "$file over ranks differs"
  done
  rm -f one.* page.html $seen_files
}

# awaited: a run ends when a word of some chip has a value, on any ranks in the same cycle.
awaited() {
  cat >count.c <<'C'
#include <tilefarm_device.h>
int main(void)
{
    for (uint32_t i = 1; i < 100000; i++)
        TF_WORD(0x20000) = i < 500 ? i : 500;
    return 0;
}
C
  alone 0 cc -c B --arch wormhole count.c
  local options=(run --system 2xn300 --load B=count.b.elf@0 --args B=1@3:0 --dump 3:0:0x20000:4=word --quiet)
  for chip in 0 3; do
    alone 0 "${options[@]}" --until $chip:0:0x20000=500 --json one
    cp word one_word
    spread 4 0 "${options[@]}" --until $chip:0:0x20000=500 --json spread
    same_facts one spread "the word of chip $chip"
    same word one_word
  done
}

# checked: races across links, and none where there are none.
checked() {
  local role ends sources
  sources=$(dirname "$here")/../../races/links
  for role in 0 1; do
    alone 0 cc -c E0 --arch blackhole -DBUG "-DROLE=$role" -o "role$role.elf" "$sources/early_credit.c"
  done
  ends=(--load E0=role0.elf@0:2 --load E0=role1.elf@1:9)
  alone 1 run --system p300 "${ends[@]}" --check --json one --report page.html --quiet
  says err "packet of the link"
  grep '^tilefarm:' err >one_err
  page >one_page
  spread 2 1 run --system p300 "${ends[@]}" --check --json spread --report page.html --quiet
  same_facts one spread "races"
  page | cmp - one_page || fail "races in the report"
  diff <(grep '^tilefarm:' err) one_err >differs || fail "races over ranks: $(cat differs)"
  # The sender may change its source when the receiver has answered: it knows that by the clock of the answer.
  for role in 0 1; do
    alone 0 cc -c E0 --arch blackhole -DFIXED "-DROLE=$role" -o "role$role.elf" "$sources/early_credit.c"
  done
  spread 2 0 run --system p300 "${ends[@]}" --check --quiet
  [ -s err ] && fail "races that are none: $(cat err)"
}

# differ TEXT ARGS-OF-RANK-1...
differ() {
  local text=$1
  shift
  invocation=(timeout 60 "${start[@]}" -n 2 ./as_ranks "$tilefarm")
  expect 2 "$@"
  says err "tilefarm: rank 0: rank 1 differs from rank 0 in $text"
  says err "tilefarm: rank 1: rank 1 differs from rank 0 in $text"
}
differ "its system, by name or descriptor" run --system p300 eth-ring
# ---- A client's program leads ----
TILEFARM_SYSTEM=p300 "$led_client" "$libttsim" 3 >counts 2>&1 || fail "$(cat counts)"
invocation=(timeout 60 "${start[@]}" -n 2 ./led "$tilefarm" "$led_client")
TILEFARM_SYSTEM=p300 TILEFARM_SPREAD=1 expect 0 "$libttsim" 3
same counted counts
[ -s said ] && fail "a client says $(cat said)"

TILEFARM_SYSTEM=p300 TILEFARM_SPREAD=1 TILEFARM_GDB=0 expect 0 "$libttsim" 3
same counted counts
says said "TILEFARM_GDB: a debugger needs all chips in this process"

# Without a client, all ranks end.
spread 2 2 join
says err "tilefarm: join needs a client as rank 0"
says err "tilefarm: rank 1: rank 1 differs from rank 0 in its command"

# So does a client of libtilefarm.so.
"$led_library" alone one.tfs 3 >counts || fail "$(cat counts)"
invocation=(timeout 60 "${start[@]}" -n 3 ./led "$tilefarm" "$led_library")
expect 0 lead two.tfs 3
same counted counts
[ -s said ] && fail "a client of the library says $(cat said)"
"$led_library" lead one.tfs 3 >counts && fail "a client leads nobody"
says counts "mpirun has not started several processes: mpirun -n 1 program : -n 3 tilefarm join"
timeout 60 "${start[@]}" -n 2 "$led_library" lead two.tfs 3 >counts 2>&1 && fail "two clients lead"
says counts "rank 1 is a client, too"
invocation=(timeout 60 "${start[@]}" -n 5 ./led "$tilefarm" "$led_library")
expect 1 lead two.tfs 3
says counted "5 ranks are more than the system has chips, 4"

[ "$cases" = few ] || of_any_mpi

# ---- Lost ----
# process RANK: print the process of a rank of the run in this folder.
process() {
  local each rank
  for each in /proc/[0-9]*; do
    [ "$each/cwd" -ef . ] && [ "$each/exe" -ef "$tilefarm" ] || continue # starts no process
    rank=$(tr '\0' '\n' <"$each/environ" 2>/dev/null | sed -nE 's/^(OMPI_COMM_WORLD_RANK|PMI_RANK)=//p' | head -1)
    [ "$rank" = "$1" ] && echo "${each#/proc/}"
  done
}
# lose SIGNAL TEXT: a rank gets a signal when the run has saved once.
lose() {
  local run rank began
  rm -f every*
  timeout 60 "${start[@]}" -n 4 "$tilefarm" run --system 2xn300 eth-ring --scale 2000 --save-every 100k=every \
    >out 2>err </dev/null &
  run=$!
  for _ in $(seq 300); do
    [ -e every ] && break
    sleep 0.1
  done
  rank=$(process 2)
  began=$SECONDS
  kill "-$1" "$rank" || fail "no rank 2"
  wait $run && fail "the run goes on without a rank"
  [ $((SECONDS - began)) -le 10 ] || fail "others ended after $((SECONDS - began)) s"
  # MPICH's mpirun may drop what the others say when it notices a death before they end.
  [ "$mpi$1" = mpichKILL ] && [ ! -s err ] || says err "rank 2 ($(uname -n), process $rank) $2"
  [ -z "$(process 0)$(process 1)$(process 3)" ] || fail "ranks go on"
  kill -KILL "$rank" 2>/dev/null
  alone 4 run --system 2xn300 eth-ring --scale 2000 --limit-cycles 100 --restore every
}
lose KILL "was killed"
lose_follower() {
  local run rank
  rm -f counted said
  TILEFARM_SYSTEM=p300 TILEFARM_SPREAD=1 timeout 60 "${start[@]}" -n 2 ./led "$tilefarm" "$led_client" "$libttsim" \
    1000000 >out 2>err </dev/null &
  run=$!
  for _ in $(seq 300); do
    [ -s counted ] && break
    sleep 0.1
  done
  rank=$(process 1)
  began=$SECONDS
  kill -KILL "$rank" || fail "no rank that follows"
  wait $run && fail "a client goes on without a rank"
  while [ ! -s said ] && [ $((SECONDS - began)) -lt 10 ]; do sleep 0.1; done # mpirun may end before the client
  says said "rank 1 ($(uname -n), process $rank) was killed"
}
# The same of a client of the library.
lose_follower_of_library() {
  rm -f counted said
  timeout 60 "${start[@]}" -n 2 ./led "$tilefarm" "$led_library" lead two.tfs 1000000 >out 2>err </dev/null &
  run=$!
  for _ in $(seq 300); do
    [ -s counted ] && break
    sleep 0.1
  done
  rank=$(process 1)
  kill -KILL "$rank" || fail "no rank that follows the library"
  wait $run && fail "a client of the library goes on without a rank"
  says counted "rank 1 ($(uname -n), process $rank) was killed"
}
if [ "$mpi" != mpich ]; then
  spread 2 2 run --system n300 eth-ring --gdb 1
  says err "tilefarm: --gdb needs one process: start the run without mpirun"
  spread 2 2 run --system n300 eth-ring --timing --critical-path path
  says err "tilefarm: --critical-path needs one process: start the run without mpirun"
fi
if [ "$mpi" != mpich ]; then # MPICH's mpirun kills the client before it can say anything
  lose_follower
  lose_follower_of_library
fi
[ "$cases" = few ] || lose STOP "has been silent for"
[ $failures -eq 0 ]
