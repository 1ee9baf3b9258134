# SPDX-License-Identifier: Apache-2.0
# test_look.sh COMMAND CC KERNELS [MATMUL RING]: options of `tilefarm run` that look at a run. They change no result.
# Their files do not depend on the number of threads, and bad values are refused. MATMUL and RING: shorter workloads in
# place of these two.
set -u
invocation=("$1")
. "$(dirname "$0")/../cli/expect.sh"

matmul=${4:-matmul} ring=${5:-ring}

hash_of() { grep state_hash json; }

# same_on_threads OPTION FILE WORKLOAD: the option changes no state hash, and the file does not depend on threads.
same_on_threads() {
  expect 0 run "$3" --scale 1 --quiet --json json; hash=$(hash_of)
  expect 0 run "$3" --scale 1 --quiet --threads 1 "$1" "$2" --json json
  [ "$hash" = "$(hash_of)" ] || fail "$1 changes the state hash of $3"
  [ -s "$2" ] || fail "$1 wrote nothing"
  mv "$2" "first.$2"
  expect 0 run "$3" --scale 1 --quiet --threads 3 "$1" "$2" --json json
  [ "$hash" = "$(hash_of)" ] || fail "$1 changes the state hash of $3 on three threads"
  cmp "first.$2" "$2" || fail "$1: the file depends on the number of threads"
}

same_on_threads --noc-trace noc.json atomics
grep -qF '"type":"SEMAPHORE_INC"' noc.json || fail "no atomic in the trace of requests"
one_line "--noc-trace cannot be combined with --relaxed" run ring --noc-trace noc.json --relaxed

# A profile of a program with known calls.
cc=$2
device=$3
# program NAME: make a program from standard input
program() {
  cat >"$1.c"
  "$cc" -march=rv32ima_zicsr_zba_zbb -mabi=ilp32 -O1 -g -fno-inline -ffreestanding -nostdlib -static \
    -Wl,--build-id=none -Wl,-z,max-page-size=1024 -Wl,--no-warn-rwx-segments -DTF_CORE=0 -I"$device/include" \
    -I"$device/include/blackhole" -Wl,--defsym=TF_TEXT=0x40000 -Wl,--defsym=TF_LOCAL_BYTES=4096 \
    -T "$device/tile.ld" "$device/crt0.S" "$device/memory.c" "$1.c" -o "$1.elf" || fail "cannot build $1"
}

program calls <<'C'
static volatile unsigned sink;
static unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void work(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += fib(5);
}
static void never(void)
{
    sink = 1;
}
int main(void)
{
    work(10);
    if (sink == 1)
        never();
    while (*(volatile unsigned *)0x30000 == 0)
        ;
    return 0;
}
C
for form in prof.txt prof.folded prof.svg prof.pb prof.pb.gz; do
  expect 3 run --load B=calls.elf@0-1 --load NC=calls.elf@4 --quiet --profile "$form"
  [ -s "$form" ] || fail "--profile $form wrote nothing"
done
gunzip -c prof.pb.gz | cmp - prof.pb || fail "the compressed profile differs"
says prof.txt "calls.c:2 (fib)"; says prof.txt "calls.c:15 (main)"; says prof.txt " jalr"
for depth in 1 2 3 4; do
  grep -q "^B;_start;main;work$(printf ';fib%.0s' $(seq "$depth")) [0-9]*$" prof.folded || fail "no fib at depth $depth"
done
grep -q '^B;_start;main;work;fib;fib;fib;fib;fib;' prof.folded && fail "fib(5) is too deep"
grep -q '^B;_start;main;\[waiting\] [0-9]*$' prof.folded || fail "main() does not wait"
grep -q 'never' prof.folded && fail "never() was called"
grep -q '<svg .*' prof.svg || fail "no picture"
grep -q '>[a-z]*: .* cycles of waiting; the width of a frame is its cycles<' prof.svg || fail "the picture has no title"
cores=$(grep -o 'data-d="1" data-n="[A-Z0-9]*"' prof.svg | sed 's/.*n="//; s/"//')
[ "$cores" = "$(sort <<<"$cores")" ] || fail "the cores of the picture are out of order: $cores"
expect 3 run --load B=calls.elf@0-1 --quiet --profile prof.folded@1/B
one=$(awk '/fib/ { sum += $2 } END { print sum }' prof.folded)
three=$(awk '/ fib \(/ { print $1; exit }' prof.txt)
[ "$((3 * one))" -eq "$three" ] || fail "fib() has $one instructions on one core and $three on three"

# Coverage: fib(5) makes 15 calls. Two cores call it ten times each.
expect 3 run --load B=calls.elf@0-1 --quiet --coverage lines.info
for line in "FNDA:300,fib" "FNDA:2,work" "FNDA:0,never" "DA:2,300" "DA:6,20" "DA:10,0" "DA:14,2" "end_of_record"; do
  grep -qxF "$line" lines.info || fail "no '$line' in the coverage: $(grep -A30 'SF:.*calls.c' lines.info)"
done

same_on_threads --profile prof.folded cb
same_on_threads --profile prof.pb "$ring"
same_on_threads --profile prof.txt "$matmul"
# A timeline, with and without compression, together with all other files.
same_on_threads --timeline line.pftrace eltwise
same_on_threads --timeline line.pftrace.gz "$ring"
expect 0 run "$ring" --scale 1 --quiet --timeline line.pftrace --profile prof.folded --noc-trace noc.json \
  --trace trace \
  --riscv-trace rv@0/B --json json
hash=$(hash_of); mv trace trace.before; mv prof.folded prof.before; mv rv rv.before
expect 0 run "$ring" --scale 1 --quiet --json json
[ "$hash" = "$(hash_of)" ] || fail "all options together change the state hash"
grep -aq 'waits for .* of NOC 0' line.pftrace || fail "a wait for a register has no name"
expect 0 run cb --scale 1 --quiet --timeline cb.pftrace
grep -aq 'waits for circular buffer [0-9]* (a stream)' cb.pftrace || fail "a wait for a circular buffer has no name"
# A wait for a word of memory has the name of its variable, or its address.
program named <<'C'
volatile unsigned ready[2];
int main(void)
{
    while (*(volatile unsigned *)0x30000 == 0)
        ;
    while (ready[1] == 0)
        ;
    return 0;
}
C
printf '\001\000\000\000' >one
expect 3 run --load B=named.elf@0-1 --write 1:0x30000=one --quiet --timeline named.pftrace
for name in 'the word at 0x30000' 'ready+4'; do
  grep -aqF "waits for $name" named.pftrace || fail "no wait for $name"
done
gunzip -c line.pftrace.gz | cmp - line.pftrace || fail "the compressed timeline differs"
# Of a system, the file has all chips.
expect 0 run --system n300 eth-ring --scale 1 --quiet --json json; hash=$(hash_of)
expect 0 run --system n300 eth-ring --scale 1 --quiet --json json --timeline line.pftrace --threads 2
[ "$hash" = "$(hash_of)" ] || fail "a timeline changes the state hash of a system"
for text in "chip 0" "chip 1" "link to chip 1" "link from chip 0"; do
  grep -aq "$text" line.pftrace || fail "no '$text' in the timeline of a system"
done
# Ethernet tiles with programs are drawn by their figures.
expect 0 run --system n300 eth-ring --scale 1 --svg ring.svg --map
[ "$(grep -c '<title>port [0-9]* .*: [1-9][0-9,]* instructions<' ring.svg)" = 4 ] ||
  fail "the ports of the link have no instructions: $(grep port ring.svg)"
grep -q 'to 0 instructions' out && fail "the map of a system shows nothing: $(cat out)"
# Pictures, traces, ranges and --until name the chip.
expect 0 run --system n300 matmul --scale 1 --map --svg map.svg --trace trace --riscv-trace rv@0/B \
  --until 1:0:0x20000=0 --dump 1:3:0x0:16=dump
[ "$(grep -c "Chip [01]: instructions retired, by tile" out)" = 2 ] || fail "not a map of each chip"
[ "$(grep -o '>Chip [01]: [iN]' map.svg | sort -u | wc -l)" = 4 ] || fail "the picture lacks panels of a chip"
[ "$(stat -c %s dump)" = 16 ] || fail "--dump of a chip of a system wrote no 16 bytes"
expect 0 run --system n300 matmul --scale 1 --quiet --trace trace --riscv-trace rv@0/B
for chip in 0 1; do
  grep -qE "^ *[0-9]+ $chip:1,2 T[012] [0-9a-f]{8}  " trace || fail "no instructions of chip $chip in the trace"
done
grep -q "^core   0: 3 0x" rv && grep -q "^core 10000: 3 0x" rv || fail "the log lacks a core of a chip"
# Files show chosen tiles of chosen chips. CORES say whether numbers are those of tiles or of ports.
expect 0 run --system n300 matmul --scale 1 --quiet --trace trace@1:0 --riscv-trace rv@1:0-1/B \
  --profile prof.folded@0:1-2+5+1:0/B --coverage cover.info
[ "$(awk '{ print $2 }' trace | sort -u)" = 1:1,2 ] || fail "--trace @1:0 shows $(awk '{ print $2 }' trace | sort -u)"
[ "$(awk '/^core/ { print $2 }' rv | sort -u | tr '\n' ' ')" = "10000: 10008: " ] ||
  fail "--riscv-trace @1:0-1/B shows other cores"
[ "$(cut -d';' -f1-2 prof.folded | sort -u | tr '\n' ' ')" = "chip 0;B chip 1;B " ] || fail "not core B of each chip"
on() { sed -n "s/^$1;.* //p" "$2" | awk '{ sum += $1 } END { print sum }'; }
three=$(on 'chip 0' prof.folded)
expect 0 run --system n300 matmul --scale 1 --quiet --profile prof.folded@0:1/B; one=$(on 'chip 0' prof.folded)
grep -q "^chip 1" prof.folded && fail "--profile @0:1 shows chip 1"
expect 0 run --system n300 matmul --scale 1 --quiet --profile prof.folded@0:2+5/B
[ $((one + $(on 'chip 0' prof.folded))) = "$three" ] || fail "tiles of a chip do not add up"
expect 0 run --system n300 eth-ring --scale 1 --quiet --profile prof.folded@1:all --timeline line.pftrace@0:8/E0
[ "$(cut -d';' -f1-2 prof.folded | sort -u)" = "chip 1;E" ] || fail "--profile @1:all is not chip 1"
grep -aq "link to chip 1, port 0" line.pftrace && grep -aq "port 8 (" line.pftrace || fail "port 8 is not shown"
[ "$(grep -aoE "link (to|from) chip|port [0-9]+ [(]" line.pftrace | sort -u | wc -l)" = 4 ] ||
  fail "more than port 8 is shown: $(grep -aoE "(link|port) .{12}" line.pftrace)"
expect 0 run --system n300 eth-ring --scale 1 --quiet --timeline first.pftrace
expect 0 run eth-ring --scale 1 --quiet --timeline line.pftrace@all --system n300; same line.pftrace first.pftrace
for threads in 1 2; do
  expect 0 run --system n300 matmul --scale 1 --quiet --timeline line.$threads@1:0-3+0:all --threads $threads
done
same line.1 line.2
one_line "--timeline: there is no chip '2' in n300; give a number from 0 to 1, first-last, or all" \
  run --system n300 matmul --timeline line@2:all
one_line "--trace: '64' names no tiles of chip 1 of n300; give an index from 0 to 63" \
  run --system n300 matmul --trace trace@1:0+64
one_line "--profile: '16' names no ports of chip 0 of n300; give a number from 0 to 15" \
  run --system n300 matmul --profile prof@0:16/E0
one_line "--profile: '0-3' could be tiles or ports; give cores of one kind of tile, or all in place of '0-3'" \
  run --system n300 matmul --profile prof@0:0-3/B+E0
one_line "--riscv-trace: no core 'E0' (B, NC, T0, T1, T2)" run --system n300 matmul --riscv-trace rv@0:0/E0
one_line "--trace: '' names no tiles of chip 0 of n300" run --system n300 matmul --trace trace@0:
one_line "--timeline: '0:' names a chip, so it needs --system before it" run matmul --timeline line@0:all
head -c 64 /dev/urandom >words
expect 0 run --system n300 eth-ring --scale 1 --quiet --write 1:3:0x40000=words --dump 1:3:0x40000:64=same \
  --dump 0:3:0x40000:64=other
cmp -s words same && ! cmp -s words other || fail "--write and --dump do not tell chips apart"
word=$(od -An -tu4 -N4 words | tr -d ' ')
for chip in 0 1; do
  expect 0 run --system n300 eth-ring --scale 1 --json json --quiet --write 1:3:0x40000=words \
    --until $chip:3:0x40000="$word"
  [ "$(grep -c '"end": "quiet"' json)" = $((1 - chip)) ] || fail "--until looks at another chip than $chip"
done
one_line "--dump: there is no chip '2' in n300; give a number from 0 to 1" run --system n300 eth-ring --dump 2:0:0:4=x
one_line "--dump: no tile '99' on chip 1 of n300" run --system n300 eth-ring --dump 1:99:0:4=x
one_line "--until: '1:' names a chip, so it needs --system" run ring --until 1:0:0=1
# system_files SYSTEM THREADS: write all files that show a system.
system_files() {
  expect 0 run --system "$1" eth-ring --scale 1 --threads "$2" --json json --quiet --report page.html \
    --profile prof.folded --coverage cover.info --noc-trace noc.json --timeline line.pftrace
}
same_but_host() { sed -E 's/^(host|command|about):.*//' "$1"; }
for system in n300 p300; do
  expect 0 run --system "$system" eth-ring --scale 1 --quiet --json json; hash=$(hash_of)
  system_files "$system" 1
  [ "$hash" = "$(hash_of)" ] || fail "files change the state hash of $system"
  same_but_host page.html >page.first
  for file in prof.folded cover.info noc.json line.pftrace; do mv "$file" "first.$file"; done
  system_files "$system" 2
  same_but_host page.html | cmp - page.first || fail "the report of $system depends on the number of threads"
  for file in prof.folded cover.info noc.json line.pftrace; do
    cmp "$file" "first.$file" || fail "$file of $system depends on the number of threads"
  done
  for chip in 0 1; do
    grep -qE "^chip $chip;E0?;_start;main;ring_out;.*;tf_link_signalled(;\[waiting\])? [0-9]+$" prof.folded ||
      fail "the profile of $system lacks the Ethernet tiles of chip $chip"
    grep -q "\"proc\":\"ERISC\", \"src_device_id\":$chip, " noc.json || fail "no requests of chip $chip of $system"
  done
  grep -q 'link\.c$' cover.info || fail "the coverage of $system lacks the program of its Ethernet tiles"
  grep -aq 'ring_out' line.pftrace || fail "the timeline of $system lacks cores of Ethernet tiles"
done
python3 - <<'PY' || fail "links of the report differ from those of --json"
import json, re
links = re.search(r"links:(\[.*?\])}", open("page.html").read(), re.S).group(1).replace(",]", "]")
all_links = json.load(open("json"))["links"]
told = {(tuple(link["from"]), tuple(link["to"])): (link["packets"], link["bytes"]) for link in all_links}
links = json.loads(links)
found = {((f, p), (t, q)): (n, size) for f, p, _, t, q, _, n, size, busy, _, _, _ in links if busy or not n}
assert all(sum(spans) == busy for *_, busy, _, _, spans in links), links
assert told == found and sum(n for n, _ in found.values()) > 20, (told, found)
PY
if [ -n "$(command -v chromium-headless-shell)" ]; then
  timeout 60 chromium-headless-shell --headless --no-sandbox --disable-gpu --virtual-time-budget=3000 --dump-dom \
    "file://$PWD/page.html" >dom 2>/dev/null || fail "the report of a system does not open"
  [ "$(grep -o '<rect data-chip="[01]"' dom | wc -l)" -eq 2 ] || fail "the map of the system does not have 2 chips"
  [ "$(grep -o '<path data-link="[0-9]' dom | wc -l)" -eq 4 ] || fail "the map of the system does not have 4 directions"
  grep -q '<h2>Chip 0</h2>' dom || fail "the report of a system shows no chip"
  [ "$(grep -o '<title>cycles [0-9,]* to [0-9,]*: busy [0-9.]* %' dom | wc -l)" -gt 100 ] ||
    fail "the report of a system does not show links over time"
  grep -q '<h2>Critical path' dom && fail "the report shows a path that nobody has recorded"
fi
expect 0 run "$ring" --scale 1 --quiet --trace trace; same trace trace.before
# With a profile the run skips fewer rounds of polling loops. So a trace has more of them.
expect 0 run "$ring" --scale 1 --quiet --profile prof.folded --riscv-trace rv@0/B
same prof.folded prof.before; same rv rv.before
expect 0 run "$ring" --scale 1 --quiet --timeline line.pftrace@5/B --timeline-cycles 10k:20k
[ "$(wc -c <line.pftrace)" -lt 100000 ] || fail "the timeline of a window of a core is long"
one_line "--timeline cannot be combined with --relaxed" run ring --timeline line.pftrace --relaxed
one_line "--timeline-cycles: '5' is not FROM:TO" run ring --timeline line.pftrace --timeline-cycles 5
one_line "--timeline-cycles: '5:5' is not FROM:TO" run ring --timeline line.pftrace --timeline-cycles 5:5

# The report is one page that loads no other file. If there is a browser, the script of the page draws the map.
expect 0 run "$matmul" --scale 1 --quiet --threads 1 --report page.html --json json; hash=$(hash_of)
same_but_host page.html >page.first
expect 0 run "$matmul" --scale 1 --quiet --threads 3 --report page.html
same_but_host page.html | cmp - page.first || fail "the report depends on the number of threads"
expect 0 run "$matmul" --scale 1 --quiet --json json
[ "$hash" = "$(hash_of)" ] || fail "--report changes the state hash"
grep -q 'verdict:"verified"' page.html || fail "the report has no verdict"
grep -qE 'about:.*"family","Blackhole".*"board","p150".*"tilefarm","[0-9.]+.*"date","20' page.html ||
  fail "the report does not say what has run"
grep -qF "command:\"tilefarm run $matmul --scale 1 --quiet --threads 3 --report page.html\"," page.html ||
  fail "the report has no command"
grep -oE '(src|href)=..' page.html | grep -qv '^href="#' && fail "the report loads another file"
expect 3 run --load B=calls.elf@0-1 --quiet --report stuck.html
grep -q 'stuck:\["tiles 0-1 (2) core B at 0x[0-9a-f]* (main+[0-9]* (calls.c:[0-9]*))' stuck.html ||
  fail "the report does not name the stuck cores"
for line in "header {" "'use strict';" "const C=[{title:\"$matmul\",verdict:\"verified\",message:\"\",good:true,"; do
  grep -qxF "$line" page.html || fail "no '$line' in the report"
done
browser=$(command -v chromium-headless-shell || command -v chromium)
if [ -n "$browser" ]; then
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=3000 --dump-dom \
    "file://$PWD/page.html" >dom 2>/dev/null || fail "$browser does not open the report"
  [ "$(grep -o '<rect data-i="[0-9]' dom | wc -l)" -eq 204 ] || fail "the map of the report does not have 204 nodes"
  grep -qE '<p class="scale soft">0 <svg.*</svg> [0-9]+.*executed instructions of a node' dom ||
    fail "the map has no legend"
  grep -q 'Run with --timing to see for which share' dom || fail "the report does not say how to see units"
  grep -q '<b>tile 0 (1,2)</b>' dom || fail "no tile of the report is shown"
  grep -qE '<td class="">(room for instructions|a PCBuf)</td>' dom || fail "the browser shows no waits"
  [ "$(sed 's/<div class="w6 stack">/\n&/g' dom | grep 'class="w6 stack"' | grep -o '<h2>[A-Z]' | tr -d '\n')" = \
    "<h2>W<h2>F<h2>F<h2>R<h2>M" ] || fail "the order of the two columns of the report is wrong"
  # Columns beside each other end at most 400 pixels apart, and no section is wider than its place.
  sed 's/^show(0);/&\
    const over = [...document.querySelectorAll("section")].filter((s) => s.scrollWidth > s.clientWidth);\
    const ends = [...document.querySelectorAll(".stack")].map(bottom);\
    const apart = (some) => Math.max(...some) - Math.min(...some);\
    const empty = apart(ends.slice(0, 3)) > 400 || apart(ends.slice(3)) > 400;\
    const wide = document.documentElement.scrollWidth;\
    document.body.title = `${over.length} over, ${wide} of ${innerWidth}, ${empty ? "empty" : "full"}`;/' \
    page.html >layout.html
  for width in 1400 400; do
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=$width,1000 \
      --virtual-time-budget=3000 --dump-dom "file://$PWD/layout.html" >dom 2>/dev/null
    grep -qF "title=\"0 over, $width of $width, full\"" dom ||
      fail "the layout of the report at $width: $(grep -o 'title="[0-9]* over[^"]*"' dom)"
  done
  sed 's/^  choose(first.*/  choose(D.nodes.findIndex((n) => n.k === 3));/' page.html >dram.html
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=3000 --dump-dom \
    "file://$PWD/dram.html" >dom 2>/dev/null
  grep -q '<b>DRAM 0 ' dom || fail "no DRAM channel can be chosen in the report"
  grep -q '<b>Is asked by</b>' dom || fail "the report names no initiator of requests to DRAM"
fi
one_line "--report cannot be combined with --relaxed" run ring --report page.html --relaxed

one_line "--profile: no core 'T3'" run ring --profile prof.txt@0/T3
one_line "--profile: '140' names no tiles" run ring --profile prof.txt@140
expect 0 run "$ring" --scale 1 --quiet --relaxed --profile prof.txt; says prof.txt "cycles of waiting"

[ "$failures" -eq 0 ] || exit 1
