#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `tilefarm run --system --check` names both places of a bug of two chips, and reports nothing for the corrected twins
# and for the workloads of links. It changes no state hash, and does not depend on the number of threads.
# Usage: test_links.sh TILEFARM
tilefarm=$1
here=$(dirname "$0")
. "$here/programs.sh"

run() { # FAMILY PROGRAM TWIN OPTIONS...
  local family=$1 program=$2 twin=$3 ends=(0:2 1:9) system=p300
  shift 3
  [ "$family" = blackhole ] || { ends=(0:8 1:0); system=n300; }
  timeout 120 "$tilefarm" run --system "$system" --load "E0=$out/$program.$twin.0.elf@${ends[0]}" \
    --load "E0=$out/$program.$twin.1.elf@${ends[1]}" "$@" 2>"$out/err"
}

hash_of() { sed -n 's/ *state hash *//p'; }

for family in wormhole blackhole; do
  for row in reused_source:0 half_signal:1 early_credit:1 register_flag:1; do
    name=${row%:*} chip="chip ${row#*:}"
    for twin in BUG FIXED; do
      for role in 0 1; do
        "$tilefarm" cc -c E0 --arch "$family" "-D$twin" "-DROLE=$role" -o "$out/$name.$twin.$role.elf" \
          "$here/links/$name.c" || fail "$name for $family is not compiled"
      done
    done
    run "$family" "$name" BUG --check --quiet --threads 1
    [ $? = 1 ] || fail "$name on $family: the bug is not found: $(cat "$out/err")"
    for text in "tilefarm: $chip:" "packet of the link" "$name.c:" "to fix it: "; do
      grep -q "$text" "$out/err" || fail "$name on $family: no '$text': $(cat "$out/err")"
    done
    grep -qE ' (load|store), by port ' "$out/err" || fail "$name on $family: no access of a core: $(cat "$out/err")"
    grep -q ' host' "$out/err" && fail "$name on $family: the host has done nothing: $(cat "$out/err")"
    cp "$out/err" "$out/one"
    run "$family" "$name" BUG --check --quiet --threads 2
    cmp -s "$out/err" "$out/one" || fail "$name on $family: the report depends on the number of threads"
    run "$family" "$name" FIXED --check >"$out/text" || fail "$name on $family, corrected: $(cat "$out/err")"
    [ -s "$out/err" ] && fail "$name on $family, corrected: $(cat "$out/err")"
    hash_of <"$out/text" >"$out/checked"
    run "$family" "$name" FIXED >"$out/text"
    hash_of <"$out/text" | cmp -s - "$out/checked" || fail "$name on $family: --check changes the state hash"
  done
done

for system in n300 p300 2xn300; do
  for workload in $("$tilefarm" list | sed -n '/^With --system/,$s/^\(eth-[a-z]*\) .*/\1/p'); do
    timeout 120 "$tilefarm" run --system "$system" "$workload" --scale 2 --check --quiet 2>"$out/err" ||
      fail "$workload on $system: $(cat "$out/err")"
    [ -s "$out/err" ] && fail "$workload on $system: $(cat "$out/err")"
  done
done
exit $((failures != 0))
