# SPDX-License-Identifier: Apache-2.0
import pytest

import tilefarm
from tilefarm import Trace

PROGRAM = "int main(void) { for (unsigned i = 0; i < 4; i++) TF_WORD(0x20000) = i; return 0; }"


def test_riscv(make_chip, build):
    trace = Trace()
    chip = make_chip(on_riscv=trace, riscv_tiles=[3, 4], riscv_cores=["B"])
    program = build(PROGRAM)
    chip.load(program, tiles=[2, 3])
    result = chip.run()
    assert {event.tile for event in trace} == {(chip.tile(3).x, chip.tile(3).y)}
    stores = [event for event in trace if event.stores and event.address == 0x20000]
    assert [event.stored for event in stores] == [0, 1, 2, 3] and stores[0].text.startswith("sw ")
    retired = len(trace) + sum(event.skipped for event in trace)
    assert 0 < retired <= chip.tile(3).core("B").view.instret
    quiet = make_chip()
    quiet.load(program, tiles=[2, 3])
    assert quiet.run().stats.cycles == result.stats.cycles and quiet.state_hash == chip.state_hash


def test_text_is_of_the_family(make_chip, tmp_path):
    trace = Trace()
    chip = make_chip(arch="wormhole", on_riscv=trace)
    (tmp_path / "program.c").write_text("int main(void) { return 0; }")
    chip.load(tilefarm.compile_program(tmp_path / "program.c", "B", arch="wormhole"))
    chip.run()
    assert {event.family for event in trace} == {"wormhole"}
    event = next(iter(trace))._replace(instruction=0x64000002)
    assert event.text == ".word 0x99000000 # Wormhole has no SFPARECIP"
    assert event._replace(family="blackhole").text.startswith("SFPARECIP")


def test_tensix(make_chip, build):
    trace = Trace(most=5)
    chip = make_chip(on_tensix=trace, tensix_tiles=(1, 2))
    program = build('#include "tilefarm_tensix.h"\n'
                    "int main(void) { for (int i = 0; i < 9; i++) TF_TT(SEMPOST(1)); return 0; }", "T2")
    chip.load(program, core="T2", tiles=[0, 1])
    chip.run()
    assert len(trace) == 5
    assert {(event.tile, event.thread, event.text.split()[0]) for event in trace} == {((1, 2), 2, "SEMPOST")}
    assert all("T2" in line and "SEMPOST" in line for line in trace.lines())


def test_print(make_chip, build):
    trace = Trace()
    chip = make_chip(on_print=trace)
    chip.load(build('#include "tilefarm_print.h"\n'
                    'int main(void) { tf_mark("go"); return tf_printf("%d apples\\n", 3), 0; }'), tiles=[4])
    chip.run()
    place = (chip.tile(4).x, chip.tile(4).y)
    assert [event[:2] + event[4:] for event in trace] == [(place, "B", "go", True), (place, "B", "3 apples\n", False)]
    assert trace.lines()[1].endswith("3 apples\n")


def test_events(make_chip, build):
    trace = Trace()
    chip = make_chip(on_riscv=trace)
    chip.load(build("int main(void) { for (unsigned i = 0; i < 20000; i++) TF_WORD(0x20000) = i; return 2; }"))
    values, cycles = [], []
    with pytest.raises(tilefarm.ProgramError):
        for event in chip.events(trace):
            if event.stores and event.address == 0x20000:
                values.append(event.stored)
                cycles.append(chip.stats.cycles)
    assert values == list(range(20000)) and cycles[0] < cycles[-1]


def test_errors_of_callbacks(make_chip, build):
    calls = []

    def fail(event):
        calls.append(event)
        raise ZeroDivisionError("mine")

    chip = make_chip(on_riscv=fail)
    chip.load(build(PROGRAM))
    with pytest.raises(ZeroDivisionError, match="mine"):
        chip.run()
    assert len(calls) == 1
