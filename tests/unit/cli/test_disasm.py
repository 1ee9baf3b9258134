#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Does `tilefarm disasm` print code of other RISC-V cores as GNU objdump does? All compressed instructions, random words
of each row of other.def, and programs that the compiler makes for several cores. `tilefarm run` refuses these files.

Usage: test_disasm.py COMMAND RISC-V-COMPILER FOLDER-OF-OTHER.DEF
"""
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """
struct node { struct node *next; long long value; int small; double real; float part; };
long long sum(const struct node *at, double *total, float *parts)
{
    long long value = 0;
    for (; at != 0; at = at->next) {
        value += at->value * at->small / 3 % 1000;
        *total += at->real * 3.5 - (double)at->small;
        *parts = *parts / at->part + (float)*total;
    }
    return value;
}
int take(volatile int *lock, unsigned char *bytes, int count)
{
    int big[700];
    while (__sync_lock_test_and_set(lock, 1)) { }
    for (int i = 0; i < count; i++)
        big[i % 700] = bytes[i] << (i & 7) ^ (count >> 3);
    __sync_lock_release(lock);
    __sync_val_compare_and_swap(lock, 3, 4);
    return big[count % 700];
}
int _start(void)
{
    static struct node nodes[3];
    double total = 0;
    float parts = 1;
    static volatile int lock;
    switch ((int)sum(nodes, &total, &parts)) {
    case 0: return take(&lock, (unsigned char *)nodes, 40);
    case 3: return (int)total;
    default: return (int)parts;
    }
}
"""

CORES = ["rv32imac -mabi=ilp32", "rv32imafdc -mabi=ilp32d", "rv64ima -mabi=lp64", "rv64imac -mabi=lp64",
         "rv64gc -mabi=lp64d", "rv64gc_zba_zbb -mabi=lp64d"]

command, compiler, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
objdump = re.sub("gcc([^/]*)$", "objdump", compiler)


def run(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def rows(text: str) -> dict[int, str]:
    """The instructions of a listing, by address."""
    found = {}
    for line in text.splitlines():
        match = re.match(r" *([0-9a-f]+):\s+(?:[0-9a-f]{4}|[0-9a-f]{8})\s+(\S.*)", line)
        if match:
            found[int(match[1], 16)] = " ".join(match[2].split())
    return found


def as_objdump(text: str) -> str:
    """Without comments, symbols, and the 0x of targets. Binutils 2.44 says .insn where it does not know a halfword."""
    text = re.sub(r"\.insn 2, 0x0*(?=[0-9a-f])", ".2byte 0x", text)
    return re.sub(r"(^|[ ,])0x([0-9a-f]+)$", r"\1\2", re.sub(r" *(<|#).*", "", text))


def same(path: str, what: str) -> None:
    ours = rows(run(command, "disasm", path))
    theirs = rows(run(objdump, "-d", "-z", "-M", "no-aliases", path))
    assert len(theirs) > 20, f"{what}: objdump prints {len(theirs)} instructions"
    assert ours.keys() == theirs.keys(), f"{what}: not the same addresses"
    for at, text in theirs.items():
        assert as_objdump(ours[at]) == as_objdump(text), f"{what}, 0x{at:x}: {ours[at]!r}, not {text!r}"


def compile_to(path: str, core: str, source: str, *flags: str) -> None:
    run(compiler, *f"-march={core}".split(), "-O2", "-ffreestanding", "-nostdlib", *flags, "-o", path, source)


def refused(path: str, words: str) -> None:
    ended = subprocess.run([command, "run", "--load", f"B={path}"], capture_output=True, text=True, check=False)
    assert ended.returncode == 2 and ended.stdout == "", f"{path}: {ended}"
    assert words in ended.stderr and ended.stderr.count("\n") == 1, f"{path}: {ended.stderr}"


def test_programs() -> None:
    Path("program.c").write_text(PROGRAM, encoding="utf-8")
    for core in CORES:
        # The C library's functions for numbers stay unresolved.
        compile_to("program.elf", core, "program.c", "-Wl,--no-relax,--unresolved-symbols=ignore-all")
        same("program.elf", core)
        refused("program.elf", "64-bit cores" if "rv64" in core else "without c")
        compile_to("program.o", core, "program.c", "-c")
        assert "<take>:" in run(command, "disasm", "program.o"), core
    compile_to("high.elf", CORES[-1], "program.c", "-mcmodel=medany", "-Wl,-Ttext=0x4000000000")
    same("high.elf", "high addresses")


def test_compressed() -> None:
    """All 49152 halfwords that are instructions."""
    lines = [f".insn 2, 0x{half:x}" for half in range(0x10000) if half & 3 != 3]
    Path("halves.s").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for core in "rv32imafdc -mabi=ilp32d", "rv64gc -mabi=lp64d":
        compile_to("halves.o", core, "halves.s", "-c")
        same("halves.o", f"halfwords of {core}")


def test_words(draw: random.Random) -> None:
    text = (folder / "other.def").read_text(encoding="utf-8")
    table = re.findall(r'^OTHER\("(\S+)", *(0x\w+), (0x\w+), +\w+, +(\w+), +(\w+)\)', text, re.M)
    assert len(table) > 80
    for width, core in (32, "rv32imafdc_zifencei -mabi=ilp32d"), (64, "rv64gc_zba_zbb -mabi=lp64d"):
        words = []
        for _, mask, match, flags, cores in table:
            for _ in range(4 if cores in ("ANY", str(width)) else 0):
                word = draw.getrandbits(32) & ~int(mask, 16) | int(match, 16)
                if int(mask, 16) & 0x7000 == 0 and int(match, 16) & 0x7f in (0x43, 0x47, 0x4b, 0x4f, 0x53):
                    word = word & ~0x7000 | (draw.choice([0, 1, 2, 3, 4, 7]) << 12 if flags == "ROUND" else 0)
                words.append(f".insn 4, 0x{word:x}")
        Path("words.s").write_text("\n".join(words) + "\n", encoding="utf-8")
        compile_to("words.o", core, "words.s", "-c")
        same("words.o", f"words of {core}")


def test_others() -> None:
    """A file that is not for RISC-V gets one sentence that says so."""
    image = bytearray(Path("program.elf").read_bytes())
    image[18:20] = (62).to_bytes(2, "little")
    Path("pc.elf").write_bytes(image)
    ended = subprocess.run([command, "disasm", "pc.elf"], capture_output=True, text=True, check=False)
    assert ended.returncode == 2 and "for x86-64, not for RISC-V" in ended.stderr, ended
    assert ended.stdout == "" and ended.stderr.count("\n") == 1, ended


def main() -> None:
    seed = int(os.environ.get("TF_SEED", random.randrange(1 << 32)))
    print(f"TF_SEED={seed}")
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        test_programs()
        test_compressed()
        test_words(random.Random(seed))
        test_others()


main()
