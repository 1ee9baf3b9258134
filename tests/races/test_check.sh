#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `tilefarm run --check` names both places of each bug, reports nothing for the corrected programs, and changes no
# result: a usual run has the right one, also with the bug.
# Usage: [EVERY=N] [ALL=1] test_check.sh TILEFARM FOLDER PROGRAMS_TXT...
# EVERY: run one of N programs. ALL: compile all of a list of programs for Wormhole, not each second one.
tilefarm=$1
folder=$2
shift 2
here=${0%/*}
. "$here/programs.sh"

run() { # PROGRAM.TWIN LOADS OPTIONS...: run it; the report goes to $out/err
  local program=$1 loads=$2
  shift 2
  loads_of "$loads" "${program%.*}" "${program#*.}"
  "$tilefarm" run "${args[@]}" "$@" 2>"$out/err"
}

# As a usual run, one of the program with the bug has the right result. These are faults, whatever the result.
misuse=('still has a linked transaction open' ' has grown to the program')

finds() { # PROGRAM LOADS WORD PLACES: --check names the places for the program with the bug; its result is right
  local name=$1 loads=$2 want=$3 places=$4 exits=0 place code
  local options=(--quiet --threads 1 --dump "${3%=*}:4=$out/word")
  [ "$places" = - ] || { options+=(--check) exits=1; }
  run "$name.bug" "$loads" "${options[@]}" >&2
  code=$?
  contents_of "$out/err"
  for misused in "${misuse[@]}"; do
    [ "$places" = - ] && [ $code = 1 ] && [[ $contents == *"$misused"* ]] && return
  done
  [ $code = $exits ] || fail "$name.bug: exit code $code: $contents"
  word_of "$out/word"
  [ "$got" = "${want#*=}" ] || fail "$name.bug: $got, not ${want#*=}"
  [ "$places" != - ] || return
  for place in ${places//,/ }; do
    [[ $contents == *" $place"[.+]* ]] || fail "$name.bug: $place is not named: $contents"
  done
  [ $((found++ % 6)) = 0 ] || return # one in six: each costs a process, and the reports have one way
  reported=$contents
  run "$name.bug" "$loads" --check --quiet --threads 2
  contents_of "$out/err"
  [ "$contents" = "$reported" ] || fail "$name.bug: the report depends on the number of threads"
}

# hash_in TEXT: set hash to the state hash that a report has.
hash_in() {
  hash=none
  [[ $1 =~ state\ hash\ +([0-9a-f]{16}) ]] && hash=${BASH_REMATCH[1]}
}

found=0 twins=0 wormhole=0
while read -r name loads want places; do
  finds "$name" "$loads" "$want" "$places"
  run "$name.fixed" "$loads" --check --threads 1 --dump "${want%=*}:4=$out/word" >"$out/text" ||
    fail "$name.fixed: $(cat "$out/err")"
  word_of "$out/word"
  [ "$got" = "${want#*=}" ] || fail "$name.fixed: $got, not ${want#*=}"
  [ $((twins++ % 6)) = 0 ] || continue
  contents_of "$out/text"
  hash_in "$contents"
  checked=$hash
  run "$name.fixed" "$loads" --threads 1 >"$out/text"
  contents_of "$out/text"
  hash_in "$contents"
  [ "$checked" = "$hash" ] && [ "$hash" != none ] || fail "$name.fixed: --check changes the state hash"
done < <(grep -hv '^#' "$@" | awk -v every="${EVERY:-1}" 'NR % every == 0')

# The programs compiled for Wormhole, whose NIU has another layout.
while read -r name loads _ places; do
  [[ " write_barrier packer_no_wait gpr_overtaken cb_popped_past cb_pushed_past load_beside few_stores tid_wraps \
config_in_use config_overtaken mover_configures sem_post_full sem_get_empty config_fields \
" == *" $name "* ]] || continue
  [ $((wormhole++ % 2)) = 0 ] || [ -n "${ALL:-}" ] || continue
  for twin in bug fixed; do
    args=()
    for load in ${loads//+/ }; do
      elf=$out/$name.${load%@*}.$twin.elf
      "$tilefarm" cc -c "${load%@*}" --arch wormhole "-D${twin^^}" -fno-optimize-sibling-calls -o "$elf" \
        "$here/programs/$name.c" || fail "$name for Wormhole is not compiled"
      args+=(--load "${load%@*}=$elf@${load#*@}")
    done
    "$tilefarm" run "${args[@]}" --arch wormhole --check --quiet 2>"$out/err"
    [ $? = $([ $twin = bug ] && echo 1 || echo 0) ] || fail "$name.$twin on Wormhole: $(cat "$out/err")"
    for place in ${places//,/ }; do
      [ $twin = fixed ] || grep -q " $place[.+]" "$out/err" || fail "$name on Wormhole: $place: $(cat "$out/err")"
    done
  done
done < <(grep -hv '^#' "$@")

# Compilers that do not optimize, or that save space, call functions and keep variables on the stack.
while read -r name loads _; do
  [[ " held_store half_packet copied_padding remote_poll polled_tid works_meanwhile seen_tid many_flags \
count_tiles " == *" $name "* ]] || continue
  for build in bug:-O0 fixed:-O0 fixed:-Os; do
    twin=${build%:*} option=${build#*:}
    args=("${few_columns[@]}")
    for load in ${loads//+/ }; do
      elf=$out/$name.${load%@*}.$twin.elf
      "$tilefarm" cc -c "${load%@*}" "-D${twin^^}" $option -fno-optimize-sibling-calls -o "$elf" \
        "$here/programs/$name.c" || fail "$name is not compiled with $option"
      args+=(--load "${load%@*}=$elf@${load#*@}")
    done
    "$tilefarm" run "${args[@]}" --check --quiet 2>"$out/err"
    [ $? = $([ $twin = bug ] && echo 1 || echo 0) ] || fail "$name.$twin with $option: $(cat "$out/err")"
  done
done < <(grep -hv '^#' "$@")

# In timing mode a request acts many epochs after its issue. The checker knows it all the same.
while read -r name loads _ places; do
  [[ " write_barrier stale_poll write_read multicast_acks other_tid " == *" $name "* ]] || continue
  for twin in bug fixed; do
    run "$name.$twin" "$loads" --check --quiet --timing
    [ $? = $([ $twin = bug ] && echo 1 || echo 0) ] || fail "$name.$twin, timing: $(cat "$out/err")"
    for place in ${places//,/ }; do
      [ $twin = fixed ] || grep -q " $place[.+]" "$out/err" || fail "$name, timing: $place: $(cat "$out/err")"
    done
  done
done < <(grep -hv '^#' "$@")

# On Wormhole a load may overtake a store of its core to the word. `explore` and `check` both show that.
for twin in bug fixed; do
  elf=$out/middle_byte.$twin.elf
  "$tilefarm" cc -c B --arch wormhole "-D${twin^^}" -o "$elf" "$here/programs/middle_byte.c" ||
    fail "middle_byte.$twin is not compiled"
  run=(--load "B=$elf@0" --arch wormhole --quiet)
  "$tilefarm" run "${run[@]}" --check 2>"$out/err"
  checked=$?
  "$tilefarm" explore "${run[@]}" --expect 0:0x19000=3 --out "$out/schedule" 2>>"$out/err"
  explored=$?
  want=$([ $twin = bug ] && echo 1 || echo 0)
  [ $checked$explored = $want$want ] || fail "middle_byte.$twin: check $checked, explore $explored: $(cat "$out/err")"
  [ $twin = fixed ] || grep -q ' look[.+]' "$out/err" || fail "middle_byte: $(cat "$out/err")"
done

# Code in the instruction RAM of Wormhole's NC waits for a flag there, and reports name its place.
for twin in bug fixed; do
  args=()
  for core in B NC; do
    elf=$out/iram_poll.$core.$twin.elf
    "$tilefarm" cc -c "$core" --arch wormhole "-D${twin^^}" -o "$elf" "$here/programs/iram_poll.c" ||
      fail "iram_poll.$twin is not compiled"
    args+=(--load "$core=$elf@0")
  done
  "$tilefarm" run "${args[@]}" --arch wormhole --check --quiet --dump 0:0x19000:4="$out/word" 2>"$out/err"
  code=$?
  word_of "$out/word"
  [ $code$got = $([ $twin = bug ] && echo 1 || echo 0)16120 ] || fail "iram_poll.$twin: $(cat "$out/err")"
  [ $twin = fixed ] || grep -q 'load, by .* core NC, .* pc 0xffc000' "$out/err" || fail "iram_poll: $(cat "$out/err")"
done

# Two cores wait for more pages and room than their circular buffer has: each verdict names the other core.
for arch in blackhole wormhole; do
  for twin in bug fixed; do
    args=(--arch $arch)
    for core in B NC; do
      elf=$out/cb_too_small.$core.$twin.elf
      "$tilefarm" cc -c "$core" --arch $arch "-D${twin^^}" -o "$elf" "$here/programs/cb_too_small.c" ||
        fail "cb_too_small.$twin is not compiled"
      args+=(--load "$core=$elf@0")
    done
    "$tilefarm" run "${args[@]}" --quiet 2>"$out/err"
    [ $? = $([ $twin = bug ] && echo 3 || echo 0) ] || fail "cb_too_small.$twin on $arch: $(cat "$out/err")"
    [ $twin = fixed ] || { grep -q 'core B .*; NC polls it, too: if one .* than the buffer has$' "$out/err" &&
      grep -q 'core NC .*; B polls it, too: ' "$out/err"; } || fail "cb_too_small on $arch: $(cat "$out/err")"
  done
done

# Wormhole does not stall an instruction that reads a result of two cycles.
for twin in bug fixed; do
  elf=$out/sfp_distance.$twin.elf
  "$tilefarm" cc -c T1 --arch wormhole "-D${twin^^}" -o "$elf" "$here/programs/sfp_distance.c" ||
    fail "sfp_distance.$twin is not compiled"
  "$tilefarm" run --load "T1=$elf@0" --arch wormhole --check --quiet 2>"$out/err"
  [ $? = $([ $twin = bug ] && echo 1 || echo 0) ] || fail "sfp_distance.$twin: $(cat "$out/err")"
  [ $twin = fixed ] || grep -q ' multiply[.+]' "$out/err" || fail "sfp_distance: $(cat "$out/err")"
done

# Three instructions come between a write of the matrix unit and an SFPLOAD.
for arch in blackhole wormhole; do
  for twin in bug fixed; do
    elf=$out/sfpload_distance.$twin.elf
    "$tilefarm" cc -c T1 --arch $arch "-D${twin^^}" -o "$elf" "$here/programs/sfpload_distance.c" ||
      fail "sfpload_distance.$twin is not compiled"
    "$tilefarm" run --load "T1=$elf@0" --arch $arch --check --quiet 2>"$out/err"
    [ $? = $([ $twin = bug ] && echo 1 || echo 0) ] || fail "sfpload_distance.$twin: $(cat "$out/err")"
    [ $twin = fixed ] || { grep -q ' move[.+]' "$out/err" && grep -q ' load[.+]' "$out/err"; } ||
      fail "sfpload_distance: $(cat "$out/err")"
    [ $twin = fixed ] || [ "$(grep -c 'the vector unit does not allow' "$out/err")" -eq 1 ] ||
      fail "sfpload_distance is reported more than once: $(cat "$out/err")"
  done
done

# With --fill no word may begin as 0, whatever it holds.
for fill in zero random:3; do
  run words_unset.bug B@0 --check --quiet --fill $fill --limit-cycles 100000
  code=$?
  places=look ends=3
  [ $fill = zero ] && places="look count add" ends=1 # another value ends the program's wait only by chance
  for place in $places; do
    [ $code = $ends ] && grep -q "tilefarm:   .* $place[.+]" "$out/err" ||
      fail "words_unset.bug, $fill: $code, $place is not named: $(cat "$out/err")"
  done
  run words_unset.fixed B@0 --check --quiet --fill $fill || fail "words_unset.fixed, $fill: $(cat "$out/err")"
done

# --fill reaches local RAM where no reset clears it (Wormhole), GPRs, Dst, SrcA, SrcB and LRegs. Else all begin as 0.
filled() { # FAMILY CORE FILL WORD
  local few=()
  [ "$1" = wormhole ] || few=("${few_columns[@]}")
  "$tilefarm" run "${few[@]}" --load "$2=$out/filled.elf@0" --arch "$1" --quiet --fill "$3" \
    --dump 0:0x19000:4="$out/word" 2>"$out/err" || fail "filled.c: $(cat "$out/err")"
  word_of "$out/word"
  [ "$got" = "$4" ] || fail "--fill $3 on $1, core $2: $got, not $4"
}

while read -r family core ones zero; do
  "$tilefarm" cc -c "$core" --arch "$family" -o "$out/filled.elf" "$here/programs/filled.c" ||
    fail "filled.c is not compiled"
  filled "$family" "$core" ones "$ones"
  filled "$family" "$core" zero "$zero"
done <<'CORES'
blackhole T0 62 0
wormhole B 63 62
wormhole NC 63 62
wormhole T0 63 60
CORES

# Each side has the last wait of its core: the reader waited for the flag, the sender for nothing.
run write_barrier.bug "B@0-1" --check --quiet
[ "$(grep -c '    last waited for' "$out/err")" = 1 ] &&
  grep -q '    last waited for a word of memory at 0x18000, .* await_flag' "$out/err" || fail "waits: $(cat "$out/err")"

# The report says so if a tile has more requests than it remembers.
"$tilefarm" run atomics --variant sums --scale 20 --check 2>"$out/err" |
  grep -q 'forgot [1-9][0-9,]* old accesses of NOC requests' || fail "no access is forgotten: $(cat "$out/err")"

# A line of a file of patterns has one pattern, for either place, or one for each place.
loads="B@0-1"
echo "nobody" >"$out/supp"
run write_barrier.bug "$loads" --check --quiet --suppress "$out/supp" &&
  fail "a pattern of another place suppresses the race"
echo "take s*d # both" >"$out/supp"
run write_barrier.bug "$loads" --check --quiet --suppress "$out/supp" || fail "not suppressed: $(cat "$out/err")"
echo "# a comment of many words
one two three" >"$out/bad"
run write_barrier.bug "$loads" --check --quiet --suppress "$out/bad"
[ $? = 2 ] && grep -q 'line 2 has more than two patterns' "$out/err" || fail "three patterns: $(cat "$out/err")"

run write_barrier.fixed "$loads" --check --relaxed
code=$?
[ $code = 2 ] && [ "$(wc -l <"$out/err")" = 1 ] || fail "--check --relaxed: $code, $(cat "$out/err")"

# Other options that look at a run give the same files with --check, and the same races are found.
run write_barrier.bug "$loads" --check --junit "$out/junit" >"$out/text"
cp "$out/err" "$out/one"
grep -q '^load: RACES' "$out/text" || fail "the verdict of a run with races: $(cat "$out/text")"
for text in 'type="RACES"' 'race: tile 1 (2,2) 0x20000' '^  here: '; do
  grep -q "$text" "$out/junit" || fail "no '$text' in the test case of write_barrier: $(cat "$out/junit")"
done
# A deadlock stays one, with its exit code.
run write_barrier.bug B@1 --check --fill zero --quiet --junit "$out/junit"
code=$?
[ $code = 3 ] || fail "a deadlock with a race ended with $code, not 3: $(cat "$out/err")"
for text in 'type="DEADLOCK"' 'waits: tile 1 .*(await_flag+' '^  #1 .* main+' '^race: '; do
  grep -q "$text" "$out/junit" || fail "no '$text' in the test case of a deadlock: $(cat "$out/junit")"
done
for option in --profile --coverage --timeline; do
  run write_barrier.bug "$loads" --quiet "$option" "$out/unchecked"
  run write_barrier.bug "$loads" --check --quiet "$option" "$out/checked"
  cmp -s "$out/err" "$out/one" || fail "$option changes the races: $(cat "$out/err")"
  cmp -s "$out/unchecked" "$out/checked" || fail "--check changes the file of $option"
done
run write_barrier.bug "$loads" --check --quiet --report "$out/races.html"
for text in 'checked:true,racesAll:' '["tile 1 (2,2) 0x' ',"nothing orders","NOC write on NOC 0' 'write_barrier.c' \
  ',"last waited for a word of memory at 0x18000' 'verdict:"RACES"' 'good:false'; do
  grep -qF "$text" "$out/races.html" || fail "no '$text' in the report: $(grep racesAll "$out/races.html")"
done
# The lines of races, with those that they take part in, in report and JSON.
run write_barrier.bug "$loads" --check --quiet --report "$out/races.html" --json "$out/json"
python3 -c 'import json, re, sys
run = json.load(open(sys.argv[1]))
lines = {line["line"]: line for line in run["race_lines"]}
sides = [{side["line"] for side in race["sides"] if "line" in side} for race in run["races"]]
assert sides and set(lines) == set.union(*sides), (sides, lines)
for name, line in lines.items():
    assert line["races"] == [i for i, side in enumerate(sides) if name in side], line
    assert line["times"] == sum(run["races"][i]["times"] for i in line["races"]), line
    assert re.fullmatch(r"\w+\.[ch]:\d+", name), name
    assert "[\"%s\",%d,%d,[" % (name, len(line["races"]), line["times"]) in open(sys.argv[2]).read(), name
' "$out/json" "$out/races.html" || fail "lines of races: $(grep -A20 '"race_lines"' "$out/json")"
run write_barrier.fixed "$loads" --check --quiet --report "$out/races.html"
grep -q 'checked:true,racesAll:0,races:\[\]' "$out/races.html" || fail "races of a corrected program are in the report"
run write_barrier.fixed "$loads" --quiet --report "$out/races.html"
grep -q 'checked:false' "$out/races.html" || fail "the report says that races were checked"

# The advice names what is missing between these two lines, and the call that does it. A caller's line is that of its
# call, and registers have their names.
run read_barrier.bug B@0-1 --check --quiet
for text in 'here: .* at read_barrier.c:12, .*: call tf_noc_wait(0), or .*, between read_barrier.c:7 and .*:16' \
  'called by main+[0-9]* (read_barrier.c:24)' 'take+[0-9]* (read_barrier.c:16, in sum at races.h:' \
  'last waited for a counter of requests at 0xffb20254 (NIU_MST_REQS_OUTSTANDING_ID(5) of NOC 0)'; do
  grep -q "$text" "$out/err" || fail "no '$text' in the report of read_barrier: $(cat "$out/err")"
done
advises() { # PROGRAM LOADS TEXT
  run "$1.bug" "$2" --check --quiet
  grep -q "$3" "$out/err" || fail "no '$3' in the report of $1: $(cat "$out/err")"
}
advises stale_line B@0+T0@0 'here: call tf_fence(), or invalidate_l1_cache(), before stale_line.c:'
advises ends_unanswered B@0-1 'here: after ends_unanswered.c:.* call tf_noc_wait(0), .*, before the core ends'
advises dst_by_core T1@0 'here: call tf_tt_wait_idle() between dst_by_core.c:'
advises dst_by_core T1@0 'race: tile 0 (1,2) 0x0 (row 0 of Dst), '
advises mover_no_wait B@0 'here: between mover_no_wait.c:.* load the mover.s status'
advises mover_source B@0 'here: after mover_source.c:.* call tf_settle()'
run gpr_overtaken.bug T0@0 --check --quiet
grep -q '0xffe00040 (GPR 16 of T0)' "$out/err" || fail "a GPR has no name: $(cat "$out/err")"

run stack_data.fixed B@0 --json "$out/json" >/dev/null
python3 -c 'import json, sys; stack = json.load(open(sys.argv[1]))["stacks"]["B"]
sys.exit(not (stack["tile"] == 0 and 20 * 32 < stack["used"] < stack["room"] <= 8192 - 2048))' "$out/json" ||
  fail "stack_data.fixed: $(grep -A4 '"stacks"' "$out/json")"

run write_barrier.fixed "$loads" --suppress "$out/supp"
[ $? = 2 ] || fail "--suppress without --check is accepted"
exit $((failures != 0))
