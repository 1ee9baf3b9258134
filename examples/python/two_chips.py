#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Doubles numbers on the other chip of a board: they travel by a link between two Ethernet tiles, there and back."""
import tempfile
from pathlib import Path

import numpy as np

import tilefarm

NUMBERS, SIGNAL, COUNT = 0x20000, 0x30000, 1024
LAST = NUMBERS + 4 * COUNT - 4
SEND = f"tf_link_write(0, {NUMBERS}, {NUMBERS}, {4 * COUNT}); tf_link_signal(0, {SIGNAL}, {SIGNAL} + 0x100, 1);"
WAIT = f"tf_link_wait({SIGNAL}, 1);"
DOUBLE = f"for (unsigned at = {NUMBERS}; at <= {LAST}; at += 4) TF_WORD(at) *= 2; tf_settle({LAST});"

numbers = np.random.default_rng(1).integers(0, 1 << 30, COUNT, dtype=np.uint32)

with tilefarm.System("n300") as system, tempfile.TemporaryDirectory() as folder:
    ends = system.links[0].sender, system.links[0].receiver
    ports = [system.chips[end.chip].ports[end.port] for end in ends]
    for port, name, steps in zip(ports, ("near", "far"), (SEND + WAIT, WAIT + DOUBLE + SEND)):
        source = Path(folder) / f"{name}.c"
        source.write_text(f"#include <tilefarm_link.h>\nint main(void) {{ {steps} return 0; }}\n")
        port.core("E0").load(tilefarm.compile_program(source, "E0", source.with_suffix(".elf"), arch="wormhole"))
    ports[0].write_array(NUMBERS, numbers)
    result = system.run()
    doubled = ports[0].read_array(NUMBERS, COUNT)
    sent = sum(link.bytes for link in system.links)

print(f"{result.cycles} cycles; {sent} bytes have crossed the link between {ends[0]} and {ends[1]}")
assert (doubled == 2 * numbers).all()
