#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run --system --critical-path: the path goes over links, and its cycles add up to those of the run.
# Usage: test_critical_path_systems.sh TILEFARM
set -u
tilefarm=$1
invocation=("$tilefarm" run)
. "$(dirname "$(readlink -f "$0")")/expect.sh"

cat >check.py <<'S'
import json, sys
run = json.load(open(sys.argv[1]))
parts = run["critical_path"]
assert sum(part["cycles"] for part in parts) == run["cycles"], "parts do not add up to the run"
assert all("critical_path" not in chip["timing"] for chip in run["chips"])
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
def on(step):
    kinds = {}
    for part in step:
        kinds[part["kind"]] = kinds.get(part["kind"], 0) + part["cycles"]
    return kinds
actors = [(step[0]["actor"], step[0].get("chip")) for step in steps.values()]
links = [step for step in steps.values() if step[0]["actor"] == "link"]
S

# --- ping: the path goes there and back, over one of two equal links
for system in n300 p300; do
  ping=(--system $system eth-ping --scale 3 --timing)
  expect 0 "${ping[@]}" --critical-path path.txt --json run.json --threads 1
  says out "  critical path latency"
  cat check.py - >ping.py <<'S'
ways = [tuple(map(tuple, step[0]["ports"])) for step in links]
assert ways == 3 * [ways[0], ways[0][::-1]], ways
assert [chip for (chip, _), _ in ways] == 3 * [0, 1]
round_trip = [("core", 0), ("link", 0), ("core", 1), ("link", 1)]
assert [actor for actor in actors if actor[0] != "none"] == 3 * round_trip + [("core", 0)], actors
for step in links:
    kinds = on(step)
    # 1024 cycles of the link, and up to two ticks of 16 until the other end takes it
    assert 1024 <= kinds["latency"] <= 1024 + 32 and 0 < kinds["wire"] < 16, kinds
    assert step[0]["tx_queue"] == 0 and step[0]["line"].startswith("link.c:"), step
S
  python3 ping.py run.json || fail "ping on $system: $(head -40 path.txt)"
  grep -qE "link, chip 0 port [0-9]+ to chip 1 port [0-9]+ +latency +link.c" path.txt || fail "no link in the table"
  grep -qE "chip 1, port [0-9]+ .* E0? +issued" path.txt || fail "no core of chip 1 in the table"
  mv path.txt first.txt
  expect 0 "${ping[@]}" --critical-path path.txt --threads 2 --report page.html
  python3 - <<'S' || fail "the path in the report of $system"
import json, re
run, page = json.load(open("run.json")), open("page.html").read()
kinds = [json.loads(found) for found in re.findall(r"^pathByKind:(\[.*\]),$", page, re.M)]
assert kinds[0][0] == run["cycles"] and dict(kinds[0][1:])["latency"] > 6 * 1024, kinds
assert kinds[1:] == 2 * [[0]], "a chip has a path of its own"
S
  same path.txt first.txt
  expect 0 "${ping[@]}" --json plain.json
  python3 - <<'S' || fail "the record changes the run"
import json
a, b = json.load(open("run.json")), json.load(open("plain.json"))
assert a["state_hash"] == b["state_hash"] and a["cycles"] == b["cycles"] and "critical_path" not in b
S
done

# --- all chips, with cores, threads and NOCs
for system in n300 t3000; do
  for threads in 1 2; do
    expect 0 --system $system eth-matmul --scale 1 --timing --critical-path path.$threads --json run.json --quiet \
      --threads $threads
  done
  same path.1 path.2
  cat check.py - >all.py <<'S'
assert {"core", "thread", "packet", "link"} <= {actor for actor, _ in actors}, actors
assert len({chip for _, chip in actors if chip is not None}) == len(run["chips"]), actors
S
  python3 all.py run.json || fail "eth-matmul on $system: $(head -50 path.1)"
done

# --- who is late has the path; a packet that is lost, and one that waits for others
cat >late.c <<'C'
#include <tilefarm_link.h>
static __attribute__((noinline)) void work(unsigned n) { for (volatile unsigned i = 0; i < n; i++) {} }
int main(void)
{
    work(WORK);
    tf_link_signal(0, 0x30000, 0x30100, 1);
    tf_link_wait(0x30000, 1);
    return 0;
}
C
for work in 10 500; do
  "$tilefarm" cc -c E0 --arch wormhole -DWORK=$work late.c -o late$work.elf || fail "late.c does not compile"
done
late() {
  expect 0 --system n300 --load E0=late500.elf@"$1" --load E0=late10.elf@"$2" --timing --critical-path path.txt \
    --json run.json "${@:3}"
}
cat check.py - >late.py <<'S'
late = int(sys.argv[2])
assert actors[:3] == [("core", late), ("link", late), ("core", 1 - late)], actors
assert cycles("late.c:2") > 1000 and all(part["chip"] == late for part in parts if part["line"] == "late.c:2"), parts
again = on(links[0]).get("again", 0)
assert (5000 < again if len(sys.argv) > 3 else again == 0), again
S
late 0:8 1:0
python3 late.py run.json 0 || fail "the path is not that of the core that is late: $(head -60 path.txt)"
late 1:0 0:8
python3 late.py run.json 1 || fail "the path is not that of the core that is late: $(head -60 path.txt)"
late 1:0 0:8 --link-fault '1:0 lose 0'
python3 late.py run.json 1 lost || fail "the path of a packet that is sent again: $(head -60 path.txt)"
expect 0 --system p300 eth-stream --scale 1 --timing --critical-path path.txt --json run.json
cat check.py - >stream.py <<'S'
assert any(on(step).get("turn", 0) > 100 for step in links), "no packet waits for those before it"
S
python3 stream.py run.json || fail "the path of a stream: $(head -60 path.txt)"

one_line "--critical-path needs --timing" --system n300 eth-ping --critical-path path
one_line "--critical-path and --timing=coarse exclude each other" \
  --system n300 eth-ping --timing=coarse --critical-path path
[ "$failures" -eq 0 ] || exit 1
