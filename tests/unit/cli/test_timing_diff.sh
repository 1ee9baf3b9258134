#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `tilefarm timing diff`: what changed between two reports, as text and as JSON, and bad reports.
# Usage: test_timing_diff.sh TILEFARM
set -u
tilefarm=$1
invocation=("$tilefarm" timing)
. "$(dirname "$(readlink -f "$0")")/expect.sh"

report() { # ARCH CYCLES FIFO MATRIX DRAM MORE-TILES
  cat <<S
{"arch": "$1", "cycles": $2, "timing": {"tiles": [{"index": 2,
  "cores": {"T0": {"cycles": 900, "ended": $5, "uncertain": 7, "issued": 100, "fifo": $3}},
  "units": {"matrix": $4}, "mvmul": 3, "noc_out": [5, 0], "noc_in": [0, 6]}$6], "dram": [10, $5]}}
S
}
report blackhole 1000 800 300 20 "" >a.json
report blackhole 700 500 310 50 ', {"index": 3, "cores": {"B": {"cycles": 40, "issued": 40}}, "units": {},
  "noc_out": [0, 0], "noc_in": [0, 0]}' >b.json

# --- the largest changes first; what did not change is not among them
expect 0 diff a.json b.json
tr -s ' ' <out >words
says words "the run 1000 700 -300 -30.0 %"
says words "all cores, issued 100 140 +40 +40.0 %"
says words "all cores, fifo 800 500 -300 -37.5 %"
sed -n '/^ tile/,$p' words >changes
[ "$(sed -n 2p changes)" = " 2 T0 fifo 800 500 -300 -37.5 %" ] || fail "the first change: $(sed -n 2p changes)"
[ "$(sed -n 3p changes)" = " 3 B issued 0 40 +40" ] || fail "the second change: $(sed -n 3p changes)"
[ "$(sed -n 4p changes)" = " - DRAM 1 busy 20 50 +30 +150.0 %" ] || fail "the third change: $(sed -n 4p changes)"
[ "$(sed -n 5p changes)" = " 2 matrix busy 300 310 +10 +3.3 %" ] || fail "the fourth change: $(sed -n 5p changes)"
[ "$(wc -l <changes)" -eq 5 ] || fail "more than four changes: $(cat changes)"
expect 0 diff a.json b.json --most 1
[ "$(sed -n '/^ *tile/,$p' out | wc -l)" -eq 2 ] || fail "--most 1 prints $(cat out)"
expect 0 diff a.json a.json; says out "nothing changed"
grep -q '^ *tile' out && fail "the head of an empty table: $(cat out)"

# --- JSON
expect 0 diff a.json b.json --json -
python3 - <<'S' || fail "the JSON: $(cat out)"
import json
found = json.load(open("out"))
assert (found["schema"], found["a"], found["b"]) == (1, 1000, 700)
assert found["cores"] == [{"what": "issued", "a": 100, "b": 140}, {"what": "fifo", "a": 800, "b": 500}]
assert found["changes"][0] == {"what": "fifo", "a": 800, "b": 500, "tile": 2, "of": "T0"}
assert found["changes"][2] == {"what": "busy", "a": 20, "b": 50, "tile": None, "of": "DRAM 1"}
assert len(found["changes"]) == 4
S

# --- by line, if both runs have their critical path
python3 - <<'S'
import json
for name, work, wait in (("a", 700, 300), ("b", 300, 400)):
    run = json.load(open(f"{name}.json"))
    run["timing"]["critical_path"] = [{"line": "k.c:7", "kind": "issued", "cycles": work - 100},
                                      {"line": "k.c:9", "kind": "noc", "cycles": wait},
                                      {"line": "k.c:7", "kind": "issued", "cycles": 100}, {"line": 3}, 4]
    json.dump(run, open(f"path-{name}.json", "w"))
S
expect 0 diff path-a.json path-b.json
tr -s ' ' <out | sed -n '/^line of the critical path/,$p' >lines
[ "$(sed -n 2p lines)" = "k.c:7 issued 700 300 -400 -57.1 %" ] || fail "the first line: $(cat lines)"
[ "$(sed -n 3p lines)" = "k.c:9 noc 300 400 +100 +33.3 %" ] || fail "the second line: $(cat lines)"
[ "$(wc -l <lines)" -eq 3 ] || fail "more than two lines: $(cat lines)"
expect 0 diff a.json path-b.json
grep -q "critical path" out && fail "lines of one run alone: $(cat out)"

# --- systems: chips have counts of their own, and there is one path
python3 - <<'S'
import json
for name, second in (("a", "b"), ("b", "a")):
    first, other = (json.load(open(f"{file}.json")) for file in (name, second))
    run = {"arch": "blackhole", "cycles": first["cycles"], "chips": [{"timing": first["timing"]},
                                                                     {"timing": other["timing"]}],
           "critical_path": [{"line": "k.c:7", "kind": "wire", "cycles": first["cycles"]}]}
    json.dump(run, open(f"chips-{name}.json", "w"))
    del run["chips"][1]["timing"]
    json.dump(run, open("half.json", "w"))
S
expect 0 diff chips-a.json chips-b.json
tr -s ' ' <out >words
says words " 0:2 T0 fifo 800 500 -300 -37.5 %"
says words " 1:2 T0 fifo 500 800 +300 +60.0 %"
says words " 0:- DRAM 1 busy 20 50 +30 +150.0 %"
says words "k.c:7 wire 1000 700 -300 -30.0 %"
grep -q "^all cores, fifo 1300 1300 +0" words || fail "the sums of both chips: $(cat words)"
expect 0 diff chips-a.json chips-b.json --json -
python3 - <<'S' || fail "the JSON of systems: $(cat out)"
import json
found = json.load(open("out"))
assert found["changes"][1] == {"what": "fifo", "a": 500, "b": 800, "chip": 1, "tile": 2, "of": "T0"}
S
one_line "half.json: it has no cycles of timing mode" diff half.json chips-b.json

# --- real reports
printf 'int main(void) { return 0; }\n' >one.c
printf 'int main(void) { for (volatile int i = 0; i < 50; i++) {} return 0; }\n' >two.c
for name in one two; do
  "$tilefarm" cc -c B $name.c -o $name.elf &&
    "$tilefarm" run --load B=$name.elf@1 --timing --critical-path $name.path --json $name.json >out ||
    fail "a run in timing mode"
done
expect 0 diff one.json two.json; says out "all cores, issued"
grep -qE '^ +1 B +issued ' out || fail "no core B: $(cat out)"
expect 0 diff one.json two.json --json -
python3 - <<'S' || fail "lines do not add up to the change of the run: $(cat out)"
import json
found = json.load(open("out"))
assert sum(line["b"] - line["a"] for line in found["lines"]) == found["b"] - found["a"] > 0
assert any(line["line"] == "two.c:1" and line["what"] == "issued" for line in found["lines"])
S

# --- bad input
"$tilefarm" run --load B=one.elf@1 --json usual.json >out || fail "a usual run"
one_line "usual.json: it has no cycles of timing mode; 'tilefarm run --timing --json FILE' writes them" \
  diff usual.json b.json
report wormhole 1 1 1 1 "" >w.json
one_line "of different families" diff a.json w.json
echo '{"timing": ' >broken.json
one_line "broken.json: " diff broken.json a.json
one_line "tilefarm: none.json: No such file" diff a.json none.json
one_line "there is no 'same'; it is 'timing diff A B'" same a.json b.json
for report in '[]' '{"cycles": 1, "timing": {"tiles": 3}}' '{"cycles": 1, "timing": {"tiles": [3, {"cores": [1]}]}}'; do
  echo "$report" >odd.json
  "$tilefarm" timing diff odd.json odd.json >out 2>err
  [ $? -le 2 ] || fail "a report '$report' ends with a signal"
done
[ $failures -eq 0 ]
