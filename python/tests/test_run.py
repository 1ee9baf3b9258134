# SPDX-License-Identifier: Apache-2.0
import copy
import os
import pickle
import signal
import threading
import warnings

import pytest

import tilefarm
from tilefarm import CoreState, End

WORK = "int main(void) { for (unsigned i = 0; i < 1000; i++) TF_WORD(0x20000) += i; return 0; }"
FOREVER = "int main(void) { for (volatile unsigned i = 0;;) i++; }"


def test_a_program(chip, build):
    chip.load(build(WORK), tiles="all")
    result = chip.run()
    assert result.end is End.QUIET and not result.faults
    assert all(tile.read32(0x20000) == 499500 for tile in chip.tiles)
    assert result.stats.instructions > 140 * 3000 and result.stats.cycles > 0
    (done,) = result.waits
    assert (done.stuck, done.returned, done.status, len(done.tiles)) == (False, True, 0, 140)


def test_state_is_equal_on_any_number_of_threads(make_chip, build):
    program = build("int main(void) { tf_noc_fetch_inc(0, tf_tile_xy(0, 0), 0x20000, 3); return 0; }").read_bytes()
    hashes = set()
    for threads in (1, 2, 3):
        chip = make_chip(threads=threads)
        chip.load(program, tiles="all")
        chip.run()
        assert chip.tile(0).read32(0x20000) == 420
        hashes.add(chip.state_hash)
    assert len(hashes) == 1


def test_a_program_that_is_loaded_again_runs_again(make_chip, build):
    program = build("int main(void) { TF_WORD(0x20000) = TF_WORD(0x20000) + 7; return 0; }")
    chip = make_chip()
    for count in (1, 2, 3):
        chip.load(program, tiles=[0, 4])
        chip.run()
        assert [chip.tile(tile).read32(0x20000) for tile in (0, 4)] == [7 * count] * 2


def test_what_each_tile_did(make_chip, build):
    chip = make_chip()
    chip.load(build("int main(void) { tf_noc_write(0, tf_tile_xy(0, 1), 0x20000, 0x30000, 4096);\n"
                    "tf_noc_wait(0); return 0; }"), tiles=[3])
    chip.run()
    stats = [tile.stats for tile in chip.tiles]
    assert stats[3].instructions == chip.stats.instructions > 0 == stats[1].instructions
    assert stats[3].noc_requests == chip.stats.noc_requests == 1 and stats[3].noc_atomics == 0
    assert stats[3].noc_bytes == stats[1].noc_bytes_in == 4096 and stats[3].noc_bytes_in == stats[2].noc_bytes_in == 0


def test_times(make_chip, build):
    chip = make_chip(timing=True)
    chip.load(build("int main(void) { tf_noc_read(0, tf_tile_xy(0, 1), 0x20000, 0x30000, 4096);\n"
                    "tf_noc_wait(0); return 0; }"))
    chip.run()
    core, tile = chip.tile(0).core("B").times, chip.tile(0).times
    assert core.cycles == sum(core[1:-2]) and core.issued > 20 and core.uncertain < core.cycles
    assert core.cycles + core.ended <= chip.stats.cycles and core.other == 0 < core.ended
    assert 60 < core.noc < 500
    assert tile.noc_in[0] >= 65 and tile.noc_out[0] >= 1 and chip.tile(1).times.noc_out[0] >= 65
    assert tile.matrix == tile.mvmul == 0 and not any(chip.dram_times)
    with pytest.raises(tilefarm.InvalidArgumentError, match="timing"):
        make_chip().tile(0).times


def test_coarse_times(make_chip, build):
    """One core counts in L1, another one adds up what it sees: other counts in coarse mode, in as many cycles."""
    counts = build("int main(void) { for (unsigned i = 0; i < 1000; i++) TF_WORD(0x20000) = i; return 0; }")
    adds = build("int main(void) { unsigned sum = 0; for (unsigned i = 0; i < 1000; i++) sum += TF_WORD(0x20000);\n"
                 "TF_WORD(0x20004) = sum; return 0; }", "T0")
    sums, cycles = [], []
    for timing in True, "coarse":
        chip = make_chip(timing=timing)
        chip.load(counts)
        chip.load(adds, core="T0")
        chip.run()
        sums.append(chip.tile(0).read32(0x20004))
        cycles.append(chip.tile(0).core("T0").times.cycles)
    assert 0 != sums[0] != sums[1] != 0
    assert abs(cycles[1] - cycles[0]) < cycles[0] // 5
    with pytest.raises(tilefarm.InvalidArgumentError, match="timing is 'fine', not 'coarse'"):
        make_chip(timing="fine")


def test_critical_path(make_chip, build):
    chip = make_chip(timing=True)
    with pytest.raises(tilefarm.InvalidArgumentError, match="record_path"):
        chip.critical_path
    chip.load(build("int main(void) { tf_noc_read(0, tf_tile_xy(0, 1), 0x20000, 0x30000, 4096);\n"
                    "tf_noc_wait(0); return 0; }"))
    chip.record_path()
    result = chip.run()
    path = chip.critical_path
    assert sum(part.cycles for part in path) == result.cycles
    assert [part.begin for part in path] == sorted(part.begin for part in path) and path[-1].end == result.cycles
    packets = [part for part in path if part.actor == "packet"]
    assert {(part.at, part.to) for part in packets} == {((1, 2), (2, 2)), ((2, 2), (1, 2))}
    assert sum(part.cycles for part in packets if part.kind == "way") > 64
    assert any("main" in part.place for part in path if part.actor == "core")
    for broken in chip, make_chip():  # twice, and without timing
        with pytest.raises(tilefarm.InvalidArgumentError, match="critical path"):
            broken.record_path()


def test_fault(chip, build):
    chip.load(build("static int __attribute__((noinline, noclone)) poke(unsigned at) { TF_WORD(at) = 1; return 1; }\n"
                    "int main(void) { return poke(0xF0000000) + 1; }"), tiles=2)
    with pytest.raises(tilefarm.FaultError, match="poke") as caught:
        chip.run()
    (fault,) = caught.value.faults
    assert (fault.index, fault.core, fault.address) == (2, "B", 0xF0000000)
    assert "program0.c:2" in fault.place and len(fault.stack) == 3 and "main" in fault.stack[1]
    assert caught.value.result.end is End.FAULT
    core = chip.tile(2).core("B")
    assert core.view.state is CoreState.FAULTED and core.view.pc == fault.pc and core.stack == fault.stack
    assert chip.faults == caught.value.faults


def test_deadlock(chip, build):
    chip.load(build("int main(void) { tf_sem_wait(0x20000, 5); return 0; }", "T1"), core="T1", tiles=[(1, 2), 4])
    with pytest.raises(tilefarm.DeadlockError, match=r"main\+8") as caught:
        chip.run()
    (wait,) = caught.value.waits
    assert (wait.core, wait.tiles, wait.address) == ("T1", [0, 4], 0x20000) and wait.stack
    chip.tile(0).write32(0x20000, 5)
    chip.tile(4).write32(0x20000, 5)
    assert chip.run().end is End.QUIET


@pytest.mark.parametrize("status", [3, 0x10000, -5, -(1 << 31)])
def test_main_that_fails(chip, build, status):
    chip.load(build(f"int main(void) {{ return {status}; }}"))
    with pytest.raises(tilefarm.ProgramError, match=f"returned {status}$"):
        chip.run()
    assert chip.run(check=False).waits[0].status == status


def test_main_that_traps(chip, build):
    chip.load(build("int main(void) { TF_WORD(0x20000) = 1; __builtin_trap(); }"))
    with pytest.raises(tilefarm.ProgramError, match=r"core B at .*\(main\+.*has paused"):
        chip.run()
    assert chip.run(check=False).waits[0].trapped


def test_main_in_an_empty_loop(chip, build):
    chip.load(build("int main(void) { for (;;) ; }"))
    with pytest.raises(tilefarm.ProgramError, match=r"core B at .*\(main\+.*has ended, and main\(\) has not returned$"):
        chip.run()
    assert chip.run(check=False).waits[0].endless


def test_a_program_for_another_core(chip, build):
    program = build("int main(void) { return 0; }", "T0")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chip.load(program, core="T0", tiles="all")
    with pytest.warns(UserWarning, match="was compiled for core T0, and is loaded for T1") as caught:
        chip.load(program, core="T1", tiles=[1, 2])
    assert len(caught) == 1 and caught[0].filename == __file__
    with pytest.warns(UserWarning, match="is loaded for B") as caught:
        chip.tile(3).core("B").load(program)
    assert caught[0].filename == __file__


def test_limits(chip, build):
    chip.load(build(FOREVER))
    assert chip.run(cycles=5000).end is End.CYCLES
    assert 5000 <= chip.stats.cycles < 10000
    with pytest.raises(tilefarm.NotReachedError, match="CYCLES"):
        chip.run(cycles=5000, until=(0, 0x20000, 1))
    chip.tile(0).write32(0x20000, 1)
    assert chip.run(until=(0, 0x20000, 1)).end is End.VALUE
    for bad in (0, -1, 1.5):
        with pytest.raises(tilefarm.InvalidArgumentError):
            chip.run(cycles=bad)
    with pytest.raises(tilefarm.InvalidArgumentError, match="until"):
        chip.run(until=(0, 0x20002, 1))


def test_cores(chip, build):
    core = chip.tile(9).core("nc")
    assert core.view.state is CoreState.RESET
    core.load(build("int main(void) { return 0; }", "NC"), start=False)
    chip.run()
    assert core.view.instret == 0
    core.start()
    chip.run()
    view = core.view
    assert view.state is CoreState.PARKED and view.registers[10] == 0 and view.instret > 0
    core.stop()
    assert core.view.state is CoreState.RESET


def test_bad_programs(chip, build, tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        open(tmp_path / "none")
    with pytest.raises(tilefarm.FileError) as refused:
        chip.load(tmp_path / "none")
    assert refused.value.errno == caught.value.errno
    with pytest.raises(tilefarm.FileFormatError):
        chip.load(b"no program")
    with pytest.raises(tilefarm.NoSuchPlaceError):
        chip.load(build(WORK), core="T3")
    with pytest.raises(tilefarm.NoSuchPlaceError):
        chip.load(build(WORK), tiles="some")


@pytest.mark.parametrize("options", [
    {"arch": "grayskull"}, {"threads": 0}, {"threads": 1000}, {"atomics": "other"}, {"vectors": "sse"},
    {"slice_cycles": 1}, {"epoch_cycles": (4096, 1024)}, {"niu_requests": 0}, {"board": "p9"}, {"undefined": "x"},
    {"late_cycles": -1}, {"epoch_cycles": 100, "slice_cycles": 1000}, {"niu_requests_max": 0},
    {"niu_requests_max": 65537}, {"niu_requests_max": 1 << 32}, {"serial_delivery": True, "niu_requests_max": -1},
])
def test_bad_configurations(make_chip, options):
    with pytest.raises(tilefarm.InvalidArgumentError):
        make_chip(**options)


def test_options_by_field():
    with tilefarm.Chip(niu_requests_max=1):
        pass
    for name in ("no_such_field", "arch_", "struct_bytes", "on_epoch"):
        with pytest.raises(TypeError):
            tilefarm.Chip(**{name: 1})


@pytest.mark.parametrize("call", [copy.copy, copy.deepcopy, pickle.dumps])
def test_chips_are_not_copied(chip, call):
    """Two objects would free one chip."""
    with pytest.raises(TypeError, match=r"fork\(\)"):
        call(chip)
    with pytest.raises(TypeError, match=r"fork\(\)"):
        call([chip.tile(0)]) if call is not copy.copy else call(chip)
    assert chip.run().end is End.QUIET


def test_a_chip_that_was_not_made():
    made = []

    class Noted(tilefarm.Chip):
        def __init__(self, **options):
            made.append(self)
            super().__init__(**options)

    for options in ({"arch": "none"}, {"threads": 0}, {"board": "none"}, {"report": "/none/x"}, {"saved": "none"}):
        with pytest.raises(tilefarm.TilefarmError):
            Noted(**options)
    assert [repr(chip) for chip in made] == ["<tilefarm chip: not made>"] * 5
    assert repr(tilefarm.Chip.__new__(tilefarm.Chip)) == "<tilefarm chip: not made>"


def test_a_result_is_a_line(chip, build):
    chip.load(build("int main(void) { return 0; }"), tiles="all")
    chip.load(build("int main(void) { tf_sem_wait(0x20000, 5); return 0; }", "T1"), core="T1", tiles=[0, 1])
    result = chip.run(check=False)
    assert str(result) == repr(result) == (f"<tilefarm result: QUIET, cycle {chip.stats.cycles}, 2 cores wait, "
                                           "140 cores are done>")
    with tilefarm.Chip(threads=1) as other:
        other.load(build("int main(void) { return 0; }"))
        assert repr(other.run()).endswith(", 1 core is done>")
    assert result.cycles == chip.stats.cycles and result.instructions == chip.stats.instructions
    assert result.seconds == chip.stats.wall_s > 0
    assert [len(wait.tiles) for wait in result.stuck] == [2] and [len(wait.tiles) for wait in result.done] == [140]


def test_closed():
    with tilefarm.Chip() as chip:
        tile = chip.tile(0)
    chip.close()
    with pytest.raises(tilefarm.ClosedError):
        tile.read32(0)
    with pytest.raises(tilefarm.ClosedError):
        chip.run()


def test_interrupt(make_chip, build):
    """Ctrl-C interrupts a run, and a later call continues it."""
    runs = threading.Event()
    chip = make_chip(threads=1, on_progress=lambda cycles, instructions: runs.set())
    chip.load(build(FOREVER))

    def interrupt():
        runs.wait()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        chip.run()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    cycles = chip.stats.cycles
    chip.run(cycles=1000)
    assert chip.stats.cycles > cycles > 0


class Alarm(Exception):
    """What the handler of a signal raises."""


@pytest.fixture
def alarm():
    """A function that sets an alarm, whose handler raises Alarm."""
    def handler(number, frame):
        raise Alarm

    before = signal.signal(signal.SIGALRM, handler)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("options", [
    {}, {"relaxed": True}, {"threads": 1, "on_progress": lambda *figures: None},
    {"threads": 1, "on_riscv": lambda event: None, "parking": False},
])
def test_handlers_that_raise(make_chip, build, alarm, options):
    """A handler ends the run wherever it is called, also at the first instruction of a callback. The run goes on."""
    chip = make_chip(**options)
    chip.load(build(FOREVER))
    for time in range(8):
        cycles = chip.stats.cycles
        with pytest.raises(Alarm):
            alarm(0.01 + 0.0017 * time)
            chip.run()
        chip.run(cycles=2000)
        assert chip.stats.cycles > cycles


def test_parts_equal_a_whole(make_chip, build, monkeypatch):
    """A run returns to Python now and then. That changes no result, and no limit of cycles."""
    program = build("int main(void) { for (unsigned i = 0; i < 200; i++) tf_noc_fetch_inc(0, tf_tile_xy(0, i % 140), "
                    "0x20000, i); return 0; }").read_bytes()
    ways = []
    for part_s in (60, 1e-9):
        monkeypatch.setattr(tilefarm.runs, "PART_S", part_s)
        chip = make_chip(threads=2, check=True)
        chip.load(program, tiles="all")
        for cycles in (5000, 10001, None):
            chip.run(cycles)
            ways.append((chip.stats.cycles, chip.stats.epochs, chip.state_hash, len(chip.races())))
    assert ways[:3] == ways[3:] and ways[0][0] < ways[1][0] < ways[2][0]


def test_limit_of_seconds(make_chip, build):
    chip = make_chip(limit_seconds=0.3)
    chip.load(build(FOREVER), tiles=[0, 1])
    for call in (chip.run, lambda: chip.run(seconds=0.2), lambda: chip.run(until=(0, 0x20000, 1)),
                 lambda: list(chip.events(tilefarm.Trace(), step=1 << 40))):
        with pytest.raises(tilefarm.TimeLimitError, match=r"has not ended after 0.[23] seconds\n.*tiles 0-1 \(2\) core "
                                                          r"B .*main") as caught:
            call()
        assert caught.value.result.end is End.TIME and isinstance(caught.value, TimeoutError)
    assert chip.run(check=False).end is End.TIME and any("main" in line for line in chip.stacks())
    assert chip.run(cycles=1000).end is End.CYCLES
    for bad in (0, -1, float("nan"), float("inf"), "1", True):
        with pytest.raises(tilefarm.InvalidArgumentError, match="seconds"):
            chip.run(seconds=bad)
        with pytest.raises(tilefarm.InvalidArgumentError, match="limit_seconds"):
            make_chip(limit_seconds=bad)


def test_stop_and_other_threads(make_chip, build):
    """During a run another thread of Python runs, too. Its calls are refused, except stop(), which ends the run."""
    runs = threading.Event()
    chip = make_chip(on_progress=lambda cycles, instructions: runs.set())
    chip.load(build(FOREVER))
    refused = []

    def other():
        runs.wait()
        for call in (lambda: chip.tile(0).read32(0), chip.run, chip.close):
            try:
                call()
            except tilefarm.BusyError:
                refused.append(True)
        chip.stop()

    thread = threading.Thread(target=other)
    thread.start()
    assert chip.run().end is End.STOPPED
    thread.join()
    assert refused == [True] * 3


def test_two_chips_side_by_side(make_chip, build):
    program = build(WORK).read_bytes()
    chips = [make_chip(threads=1) for _ in range(2)]
    for chip in chips:
        chip.load(program, tiles="all")
    threads = [threading.Thread(target=chip.run) for chip in chips]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert chips[0].state_hash == chips[1].state_hash


def test_progress_and_its_errors(make_chip, build):
    seen = []

    def progress(cycles, instructions):
        seen.append(cycles)
        if len(seen) == 2:
            raise RuntimeError("enough")

    chip = make_chip(on_progress=progress)
    chip.load(build(FOREVER))
    with pytest.raises(RuntimeError, match="enough"):
        chip.run()
    assert len(seen) == 2 and seen[0] < seen[1]


def test_compiling(build, tmp_path, monkeypatch):
    with pytest.raises(tilefarm.CompileError, match="'none' undeclared"):
        build("int main(void) { return none; }")
    with pytest.raises(tilefarm.CompileError, match="no core 'X'"):
        build(WORK, "X")
    monkeypatch.chdir(tmp_path)
    assert tilefarm.compile_program(build(WORK).with_suffix(".c"), "T2").name == "program2.t2.elf"
    monkeypatch.setenv("TILEFARM", str(tmp_path / "none"))
    with pytest.raises(tilefarm.CompileError, match="cannot be run"):
        build(WORK)
