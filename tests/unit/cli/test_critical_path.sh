#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run --critical-path: the path goes to whoever ended each wait, and its cycles add up to those of the run.
# Usage: test_critical_path.sh TILEFARM
set -u
tilefarm=$1
invocation=("$tilefarm" run)
. "$(dirname "$(readlink -f "$0")")/expect.sh"

# Tile 0 works, and writes a word to tile 1, which polls it and works on. Then tile 1 reads DRAM.
cat >far.c <<'S'
#include "tilefarm_device.h"
#include "tilefarm_compute.h"
#define WORD 0x20040u
static __attribute__((noinline)) void work(uint32_t n) { for (volatile uint32_t i = 0; i < n; i++) {} }
static __attribute__((noinline)) void short_work(void)
{
    for (volatile uint32_t i = 0; i < 5; i++) {}
}
static __attribute__((noinline)) void last_work(void)
{
    for (volatile uint32_t i = 0; i < 100; i++) {}
}
int main(void)
{
    if (tf_my_tile() == 0) {
        TF_WORD(0x20000) = 7;
        work(300);
        tf_settle(0x20000);
        tf_noc_write(0, tf_tile_xy(0, 1), WORD, 0x20000, 4);
        return 0;
    }
    short_work();
    tf_sem_wait(WORD, 7);
    tf_tensor_fetch(0, 0, 1024, 0x21000);
    tf_noc_wait(TF_NOC);
    last_work();
    return 0;
}
S
# B works, and wakes T1 by a mailbox. T1 pushes instructions faster than the coprocessor takes them, and waits for them.
cat >near.c <<'S'
#include "tilefarm_compute.h"
int main(void)
{
#if TF_CORE == 0
    for (volatile uint32_t i = 0; i < 200; i++) {}
    tf_mailbox_push(2, 5);
#elif TF_CORE == 3
    for (volatile uint32_t i = 0; i < 20; i++) {}
    tf_mailbox_pop(0);
    for (uint32_t i = 0; i < 30; i++) {
        TF_TTINSN(TT_OP_ADDDMAREG(0, 0, 0, 0));
        TF_TTINSN(TT_OP_ADDDMAREG(0, 0, 0, 0));
        TF_TTINSN(TT_OP_ADDDMAREG(0, 0, 0, 0));
        TF_TTINSN(TT_OP_ADDDMAREG(0, 0, 0, 0));
    }
    tf_tt_wait_idle();
#endif
    return 0;
}
S
"$tilefarm" cc -c B far.c -o far.elf && "$tilefarm" cc -c B near.c -o near.b.elf &&
  "$tilefarm" cc -c T1 near.c -o near.t1.elf || fail "programs do not compile"

cat >check.py <<'S'
import json, sys
run = json.load(open(sys.argv[1]))
parts = run["timing"]["critical_path"]
assert sum(part["cycles"] for part in parts) == run["cycles"], "parts do not add up to the run"
steps = {}
for part in parts:
    steps.setdefault(part["step"], []).append(part)
at = 0
for number, step in enumerate(steps.values()):
    assert step[0]["step"] == number and {part["begin"] for part in step} == {at}, f"step {number} begins elsewhere"
    at = step[0]["end"]
    assert sum(part["cycles"] for part in step) == at - step[0]["begin"], f"step {number} does not add up"
assert at == run["cycles"]
def cycles(line):
    return sum(part["cycles"] for part in parts if part["line"] == line)
actors = [(step[0]["actor"], *step[0].get("at", ())) for step in steps.values()]
kinds = {part["kind"] for part in parts}
S

far=(--load B=far.elf@0+1 --timing --critical-path path.txt)
expect 0 "${far[@]}" --threads 1 --json far.json
says out "  critical path issued"
cat check.py - >far.py <<'S'
# Tile 0 is at (1,2), tile 1 at (2,2), DRAM 0 at (0,0).
assert actors == [("core", 1, 2), ("packet", 1, 2), ("core", 2, 2), ("packet", 2, 2), ("packet", *actors[4][1:]),
                  ("core", 2, 2), ("none",)], actors
assert 1200 < cycles("far.c:4") and cycles("far.c:7") == 0, "the path did not go to the tile that worked for longer"
assert 400 < cycles("far.c:11")
assert {"niu", "way", "serve", "dram", "memory", "noc", "end"} <= kinds, kinds
S
python3 far.py far.json || fail "the path over tiles: $(cat path.txt)"

# --- no path without the option; cycles, state and path do not depend on it, or on threads
mv path.txt first.txt
expect 0 "${far[@]}" --threads 2 --report page.html
cmp -s first.txt path.txt || fail "the path differs with two threads"
expect 0 --load B=far.elf@0+1 --timing --json plain.json --report plain.html
python3 - <<'S' || fail "the record changes the run"
import json
a, b = json.load(open("far.json")), json.load(open("plain.json"))
assert a["state_hash"] == b["state_hash"] and a["cycles"] == b["cycles"] and "critical_path" not in b["timing"]
S

# --- the table: its sums are those of the run
cycles=$(python3 -c 'import json; print(json.load(open("far.json"))["cycles"])')
[ "$(awk -v cycles="$cycles" '$1 == cycles && /100.0 %  the run$/' first.txt | wc -l)" -eq 2 ] ||
  fail "the sums by kind and by line are not $cycles: $(tail -3 first.txt)"

# --- the report: [sum, [name, cycles], ...]; without the option there is no path, but the cycles of the cores are there
cat >page.py <<'S'
import json, re, sys
run, page = json.load(open("far.json")), open(sys.argv[1]).read()
def shares(name):
    return json.loads(re.search(r"^%s:(\[.*\]),$" % name, page, re.M).group(1))
kinds, lines, spent = (shares(name) for name in ("pathByKind", "pathByLine", "spent"))
core = {"cycles": 0, "issued": 0}
for tile in run["timing"]["tiles"]:
    for of in tile["cores"].values():
        core = {what: core[what] + of[what] for what in core}
assert spent[0] == core["cycles"] and ["issued", core["issued"]] in spent, spent
assert '["DRAM channels",0.0' in page and '["matrix",0.0000,0.0000]' in page
if sys.argv[1] == "plain.html":
    assert kinds == lines == [0], kinds
else:
    assert kinds[0] == lines[0] == run["cycles"], (kinds, lines)
    assert sum(cycles for _, cycles in kinds[1:]) <= kinds[0] and dict(kinds[1:])["issued"] > 1000, kinds
    assert lines[1][0] == "far.c:4" and lines[1][1] > 1200, lines
    # A request belongs to the line that calls the device library, not to the header that has the function.
    assert dict(lines[1:])["far.c:24"] > 400 and "tilefarm_" not in str(lines), lines
S
for page in page.html plain.html; do python3 page.py "$page" || fail "the report $page"; done

# --- cores of a tile, and the coprocessor
expect 0 --load B=near.b.elf@0 --load T1=near.t1.elf@0 --timing --critical-path path.txt --json near.json
cat check.py - >near.py <<'S'
assert actors[0] == ("core", 1, 2) and parts[0]["core"] == "B", actors
assert 1000 < cycles("near.c:5"), "the path did not go to the core that sent the value"
assert cycles("near.c:8") == 0
on = {kind: sum(part["cycles"] for part in parts if part["actor"] == "thread" and part["kind"] == kind)
      for kind in ("unit", "passed")}
assert 110 <= on["passed"] <= 120, f"one cycle for each of 120 instructions: {on}"
assert 220 <= on["unit"] <= 240, f"ADDDMAREG occupies its unit for two more: {on}"
S
python3 near.py near.json || fail "the path in a tile: $(cat path.txt)"

# --- bad input
one_line "--critical-path needs --timing" --load B=far.elf@0 --critical-path path.txt
one_line "--critical-path and --timing=coarse exclude each other: cores see stores late" --load B=far.elf@0 \
  --timing=coarse --critical-path path.txt
[ $failures -eq 0 ]
