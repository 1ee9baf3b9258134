# SPDX-License-Identifier: Apache-2.0
"""`tilefarm run --monitor`: steps, breakpoints, watchpoints, registers, memory, waits and Ctrl-C, as a user sees them.

Usage: test_monitor.py TILEFARM RISCV_GCC
"""
import os
import re
import signal
import subprocess
import sys
import tempfile

TILEFARM, COMPILER = sys.argv[1:]
ENVIRONMENT = {**os.environ, "TILEFARM_RISCV_CC": COMPILER}

PROGRAMS = {
    "send": """#include "tilefarm_device.h"
int main(void)
{
    for (uint32_t i = 1; i <= 5; i++)
        tf_sem_inc_remote(0, tf_tile_xy(0, 1), 0x20000, i);
    tf_noc_wait(0);
    return 0;
}
""",
    "add": """#include "tilefarm_device.h"
volatile uint32_t table[3] = {17, 18, 19};
__attribute__((noinline)) static uint32_t square(uint32_t x)
{
    return x * x + table[0];
}
int main(void)
{
    tf_sem_wait_min(0x20000, 15);
    return square(table[1]) == 18 * 18 + 17 ? 0 : 1;
}
""",
    "lock": """#include "tilefarm_device.h"
#include "tilefarm_tensix.h"
int main(void)
{
    TF_TT(ATGETM(0));
    while (TF_WORD(0x20000) == 0)
        ;
    return 0;
}
""",
    "lone": """int main(void)
{
    return 0;
}
""",
    "loop": """#include "tilefarm_device.h"
#include "tilefarm_print.h"
int main(void)
{
    for (;;) {
        tf_printf("on\\n");
        for (volatile int i = 0; i < 20000; i++)
            ;
    }
}
""",
}


def check(condition, text):
    """Fail with what was printed."""
    if not condition:
        sys.exit(f"FAILED; the output was:\n{text}")


def run(commands, *arguments):
    """Run with these commands. Returns the exit code, and what both streams got."""
    done = subprocess.run([TILEFARM, "run", "--monitor", *arguments], input="\n".join(commands) + "\n", text=True,
                          capture_output=True, env=ENVIRONMENT, timeout=100, check=False)
    return done.returncode, done.stdout + done.stderr


def has(text, *patterns):
    """These lines come in this order."""
    at = 0
    for pattern in patterns:
        found = re.compile(pattern, re.MULTILINE).search(text, at)
        check(found, f"{text}\nwithout: {pattern}")
        at = found.end()


def two_tiles():
    """Tile 0 sends numbers to tile 1, which waits for them. The monitor changes no result."""
    loads = ["--load", "B=send.elf@0", "--load", "B=add.elf@1"]
    plain = subprocess.run([TILEFARM, "run", *loads], capture_output=True, text=True, check=True).stdout
    code, text = run(["core 1 B", "break square", "continue", "registers a0 pc x0 mcycle", "where", "memory table",
                      "memory table+4 1", "step 2", "disassemble square 2", "delete", "break add.c:9", "tiles",
                      "leave"], *loads)
    check(code == 0, text)
    has(text, r"^tile 0 \(1,2\) core B, cycle 0: _start\+0", r"^tile 1 \(2,2\) core B, cycle 0",
        r"^1: breakpoint, tile 1",
        r"^Breakpoint$", r"^tile 1 \(2,2\) core B, cycle \d+: square\+0 \(add.c:\d+\)$", r"^=> ",
        r"^a0 +0x00000012  18$", r"^pc +0x", r"^x0 +0x00000000", r"^mcycle +0x", r"#0 .* square.*add.c",
        r"#1 .* main", r": +00000011  00000012  00000013$", r": +00000012$", r"square\+8", r"^square:$",
        r"^There is none.$", r"^2: breakpoint, tile 1 \(2,2\) core B, 0x[0-9a-f]+ main", r"^tile 1 \(2,2\) [rp]",
        r"^load: done$")
    state = re.compile(r"state hash +(\w+)")
    check(state.search(plain).group(1) == state.search(text).group(1), plain + text)


def watched():
    """A watchpoint names the writer. `continue CYCLE` stops there; `until` is that of GDB's monitor."""
    loads = ["--load", "B=send.elf@0", "--load", "B=add.elf@1", "--quiet"]
    code, text = run(["core 2,2 B", "watch 0x20000", "c", "c", "delete 1", "nonsense", "memory nowhere", "continue 1",
                      "c 700", "waits", "q"], *loads)
    has(text, r"^1: watchpoint, tile 1 \(2,2\) core B, 0x20000$", r"^NOC 0: .*tile 0 \(1,2\) core B",
        r"^Watchpoint: the word at 0x20000 is 0x1\.$", r"is 0x3\.$", r"^No command 'nonsense'; see 'help'",
        r"^'nowhere' is no place", r"^It is cycle \d+ now", r"^tile 1 \(2,2\) core B, cycle 7\d\d")
    code, text = run(["until 300", "c", "q"], "--load", "B=loop.elf@1", "--quiet")
    has(text, r"^the next 'continue' stops at cycle 300$", r"^tile 1 \(2,2\) core B, cycle 300")
    check(code == 130, text)
    code, text = run(["break _start", "step", "watch 0xfffffffe 9", "q"], "--load", "B=add.elf@1", "--quiet")
    has(text, r"^1: breakpoint", r"cycle 1: _start\+4", r"^There are not so many bytes behind 0xfffffffe")
    code, text = run(["c", "waits", "q"], "--load", "B=add.elf@1", "--quiet")
    has(text, r"^The run has ended in cycle \d+: all cores have ended or wait", r"polls the word at 0x20000")
    check(code == 3, text)


def mutexes():
    """`semaphores` shows the holders of all mutexes, the first one too. A tile without a coprocessor has none."""
    code, text = run(["core 1 T0", "c", "semaphores", "q"], "--load", "T0=lock.elf@1", "--quiet")
    has(text, r"^mutex 0: held by T0$")
    check(code == 3, text)


def two_chips():
    """A system: cores are named by chip."""
    code, text = run(["core 1:5 B", "break _start", "c", "core 2:1 B", "delete", "waits", "leave"], "--system", "n300",
                     "--load", "B=lone.elf@1:5", "--quiet")
    check(code == 0, text)
    has(text, r"^chip 1 tile 5 \(7,2\) core B, cycle 0", r"core TILE CORE: .* CHIP:TILE$", "^chip 0:$", "^chip 1:$")


def interrupted():
    """Ctrl-C stops the run at the prompt, each time."""
    with subprocess.Popen([TILEFARM, "run", "--monitor", "--load", "B=loop.elf"], text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        seen = ""
        for _ in range(2):
            process.stdin.write("continue\n")
            process.stdin.flush()
            for awaited in (r"\] on$", r"^In cycle \d+: interrupted"):
                line = "\n"
                while line and not re.search(awaited, line):
                    line = process.stdout.readline()
                    seen += line
                check(line, seen)
                if awaited.startswith(r"\]"):
                    process.send_signal(signal.SIGINT)
        seen += process.communicate("quit\n", timeout=100)[0]
        check(process.returncode == 130, seen)


def main():
    """All of it."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in PROGRAMS.items():
            with open(f"{name}.c", "w", encoding="ascii") as source:
                source.write(text)
            core = "T0" if name == "lock" else "B"
            family = "wormhole" if name == "lone" else "blackhole"
            subprocess.run([TILEFARM, "cc", "-c", core, "--arch", family, f"{name}.c", "-O1", "-o", f"{name}.elf"],
                           env=ENVIRONMENT, check=True)
        two_tiles()
        two_chips()
        mutexes()
        watched()
        interrupted()
        code, text = run([], "--gdb", "0", "ring")
        check(code == 2 and "--gdb cannot be combined with --monitor" in text, text)


main()
