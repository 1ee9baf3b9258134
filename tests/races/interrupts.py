#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The first Ctrl-C ends `tilefarm explore` at each of its steps. Usage: interrupts.py TILEFARM FOLDER

The command runs on a terminal, and its progress line names the step. A step that ignored the signal would take minutes,
or end with another report.
"""
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

PROGRAM = """
#include "tilefarm_device.h"

int main(void)
{
    TF_WORD(0x20000) = 7;
    tf_noc_write(0, tf_tile_xy(0, 1), 0x20000, 0x20000, 4);
    tf_noc_wait(0);
    for (volatile unsigned i = 0; i < LOOPS; i++)
        ;
    return 0;
}
"""
tilefarm, folder = sys.argv[1:]


def interrupted(when, loops, number, *options):
    """Send a signal when the progress line matches `when`. Return the output of the command, and its JSON."""
    with open(f"{folder}/long.c", "w") as file:
        file.write(PROGRAM)
    elf, report = f"{folder}/long.{loops}.elf", f"{folder}/long.json"
    subprocess.run([tilefarm, "cc", "--core", "B", f"-DLOOPS={loops}", f"{folder}/long.c", "-o", elf], check=True)
    for old in (report, f"{folder}/long"):
        if os.path.exists(old):
            os.remove(old)
    terminal, side = pty.openpty()
    command = [tilefarm, "explore", "--load", f"B={elf}@0", "--expect", "1:0x20000=7", "--out", f"{folder}/long",
               "--json", report, *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=side, text=True)
    os.close(side)
    seen, sent, until = b"", False, time.monotonic() + 100
    while process.poll() is None:
        if time.monotonic() >= until:
            process.kill()
            sys.exit(f"it does not end after {when}: {seen[-300:]}")
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                seen += os.read(terminal, 4096)
            except OSError:
                break
        if not sent and re.search(when, seen):
            process.send_signal(number)
            sent = True
    printed = process.communicate()[0]
    os.close(terminal)
    assert sent and process.returncode == 128 + number, (when, process.returncode, printed, seen[-300:])
    with open(report) as file:
        report = json.load(file)
    assert report["interrupted"], report
    return printed, report


printed, report = interrupted(rb"the usual order: \d+ s, cycle [1-9]", "0xFFFFFFFF", signal.SIGINT)
assert "interrupted in the usual order, before the first seed" in printed and report["seeds"] == 0, printed
printed, report = interrupted(rb"\d+ seeds", "200000", signal.SIGTERM, "--all", "--seeds", "100000")
assert "jobs, interrupted" in printed, printed
printed, report = interrupted(rb"shrinking", "10000000", signal.SIGINT, "--first-seed", "76")
assert " left when the search was interrupted" in printed, printed
assert "without an explanation: interrupted in shrinking" in printed, printed
with open(f"{folder}/long") as file:
    schedule = file.read()
assert not re.search("^hash", schedule, re.M) and re.search(r"^store 0 0 \d+ \d+$", schedule, re.M), schedule
assert not report["shrunk"] and "state_hash" not in report, report
printed, report = interrupted(rb"the explanation: \d+ s, cycle [1-9]", "10000000", signal.SIGTERM, "--first-seed", "76",
                           "--shrink-time", "0")
assert printed.index("They are in ") < printed.index("interrupted in the explanation"), printed
assert os.path.exists(f"{folder}/long") and report["state_hash"] in printed, report

# An explanation that takes long is cut. The decisions are printed and written before it begins.
command = [tilefarm, "explore", "--load", f"B={folder}/long.10000000.elf@0", "--expect", "1:0x20000=7", "--out",
           f"{folder}/long", "--first-seed", "76", "--shrink-time", "0", "--explain-time", "1"]
process = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=100)
assert process.returncode == 1 and "the explanation is cut after 1 s" in process.stdout, process
