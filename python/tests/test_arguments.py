# SPDX-License-Identifier: Apache-2.0
"""Arguments of wrong types and out of range: none is cut, and the exception names the argument."""
import os
import threading
from typing import get_args

import numpy as np
import pytest

import tilefarm
from tilefarm import formats

MEMORY = tilefarm.Memory(None, "none", 0, None)  # type: ignore[arg-type]
WRONG = (tilefarm.ArgumentTypeError, "type")
RANGE = (tilefarm.InvalidArgumentError, "range")


def check(kind, name, call):
    with pytest.raises(kind[0]) as caught:
        call()
    assert name in str(caught.value), caught.value
    assert isinstance(caught.value, tilefarm.TilefarmError) and isinstance(caught.value, ValueError)
    assert isinstance(caught.value, TypeError) == (kind is WRONG)


@pytest.mark.parametrize(
    "kind, name, options",
    [
        (WRONG, "arch", {"arch": None}),
        (RANGE, "arch", {"arch": "blackhole\0x"}),
        (WRONG, "board", {"board": 5}),
        (RANGE, "board", {"board": "p150\0"}),
        (WRONG, "threads", {"threads": "2"}),
        (WRONG, "threads", {"threads": 1.5}),
        (RANGE, "threads", {"threads": (1 << 32) + 1}),
        (WRONG, "relaxed", {"relaxed": "no"}),
        (WRONG, "parking", {"parking": None}),
        (RANGE, "pin", {"pin": 2}),
        (RANGE, "late_cycles", {"late_cycles": 1 << 32}),
        (RANGE, "slice_cycles", {"slice_cycles": (1 << 32) + 1024}),
        (RANGE, "epoch_cycles", {"epoch_cycles": (1, 2, 3)}),
        (WRONG, "epoch_cycles", {"epoch_cycles": "ab"}),
        (WRONG, "epoch_cycles", {"epoch_cycles": 1.5}),
        (RANGE, "niu_requests", {"niu_requests": -1}),
        (WRONG, "on_print", {"on_print": 3}),
        (WRONG, "on_noc", {"on_noc": "f"}),
        (WRONG, "on_riscv", {"on_riscv": 3}),
        (WRONG, "on_tensix", {"on_tensix": 3}),
        (WRONG, "on_progress", {"on_progress": 3}),
        (WRONG, "riscv_cores", {"on_riscv": print, "riscv_cores": 3}),
        (WRONG, "tiles", {"on_riscv": print, "riscv_tiles": 1.5}),
        (WRONG, "order", {"order": 7}),
        (WRONG, "saved", {"saved": 7}),
        (RANGE, "report", {"report": "a\0b"}),
        (WRONG, "timeline", {"timeline": 1.5}),
        (WRONG, "check", {"check": "yes"}),
        (RANGE, "atomics", {"atomics": ["isa"]}),
    ],
)
def test_options(kind, name, options):
    check(kind, name, lambda: tilefarm.Chip(**options))


@pytest.mark.parametrize("text, call", [
    ("slice_cycles is -1, not 16 to 65536", lambda: tilefarm.Chip(slice_cycles=-1)),
    ("niu_requests is 0, not 1 to 65536", lambda: tilefarm.Chip(niu_requests=0)),
    ("niu_requests_max is 2000000, not 1 to 65536", lambda: tilefarm.Chip(niu_requests_max=2000000)),
    ("threads is 0, not 1 to 256", lambda: tilefarm.Chip(threads=0)),
    ("threads is 300, not 1 to 256", lambda: tilefarm.Chip(threads=300)),
    ("late_cycles is -1, not 0 to 65536", lambda: tilefarm.Chip(late_cycles=-1)),
    ("epoch_cycles is 5, not 16 to 1048576", lambda: tilefarm.Chip(epoch_cycles=5)),
    ("epoch_cycles is 1073741824, not 16 to 16777216", lambda: tilefarm.Chip(epoch_cycles=(1024, 1 << 30))),
    ("bytes is -1, not 0 to 2^48 - 1", lambda: MEMORY.read(0, -1)),
    ("address is -1, not 0 to 2^64 - 1", lambda: MEMORY.read32(-1)),
    ("value is 4294967296, not -2^31 to 2^32 - 1", lambda: MEMORY.write32(0, 1 << 32)),
    ("array: 300 does not fit in uint8, with or without sign: -128 to 255",
     lambda: MEMORY.write_array(0, [5, 300], "uint8")),
    ("int8 cannot hold one of the numbers, -1.0 to 200.0", lambda: formats.encode([-1, 200], "int8")),
])
def test_limits_in_messages(text, call):
    with pytest.raises((tilefarm.InvalidArgumentError, tilefarm.AddressRangeError)) as caught:
        call()
    assert str(caught.value) == text


def test_types_have_the_names_of_the_library():
    """Literal types list what the library takes, and a name beside them is refused."""
    assert list(get_args(tilefarm.Format)) == formats.names()
    assert get_args(tilefarm.CoreName) == tilefarm.CORES
    with tilefarm.Chip(threads=1) as chip:
        assert get_args(tilefarm.EthCoreName) == tuple(core.name for core in chip.ports[0].cores)
    for name, option in (("arch", tilefarm.Arch), ("atomics", tilefarm.Atomics), ("undefined", tilefarm.Undefined)):
        for value in get_args(option):
            tilefarm.Chip(**{name: value}).close()
        with pytest.raises(tilefarm.InvalidArgumentError, match=name if name != "arch" else "family"):
            tilefarm.Chip(**{name: "other"})
    for value in get_args(tilefarm.Strategy):
        assert not tilefarm.explore(lambda chip: 0, seeds=0, strategy=value).failed
    with pytest.raises(tilefarm.InvalidArgumentError, match=" or ".join(map(repr, get_args(tilefarm.Vectors)))):
        tilefarm.Chip(vectors="other")


def test_limits_of_a_pc(chip):
    with pytest.raises(tilefarm.InvalidArgumentError, match="not a multiple of 4 from 0 to 0x17fffc"):
        chip.tile(0).core("B").start(0x180000)


def test_numpy_options():
    epoch = (np.uint32(1024), np.int16(2048))
    with tilefarm.Chip(threads=np.int64(1), pin=np.bool_(False), epoch_cycles=epoch) as chip:
        chip.tile(np.int32(3)).write32(np.uint64(0x20000), np.uint32(7))
        assert chip.tile((np.int8(4), np.int8(2))).read32(0x20000) == 7


def test_cores(chip):
    core = chip.tile(0).core("B")
    check(RANGE, "pc", lambda: core.start((1 << 32) + 4))
    check(RANGE, "pc", lambda: core.start(-4))
    check(WRONG, "pc", lambda: core.start("main"))
    check(WRONG, "pc", lambda: core.start(4.0))
    for bad in (1.0, None, True, 1 << 32, ["B"]):
        with pytest.raises(tilefarm.NoSuchPlaceError):
            chip.tile(0).core(bad)


def test_places(chip):
    for bad in (1.5, 1 << 32, (1, 1 << 32), (257, 258), (1 << 70, 2)):
        with pytest.raises(tilefarm.NoSuchPlaceError):
            chip.tile(bad)
    check(RANGE, "tile", lambda: chip.tile((1, 2, 3)))
    check(WRONG, "x", lambda: chip.tile(("a", 2)))
    check(WRONG, "y", lambda: chip.node(1, None))
    with pytest.raises(tilefarm.NoSuchPlaceError):
        chip.node(257, 2)
    with tilefarm.Chip("wormhole", threads=1) as small, pytest.raises(tilefarm.NoSuchPlaceError):
        small.tile(chip.tile(139))


def test_programs(chip, tmp_path):
    check(WRONG, "program", lambda: chip.load(5))
    check(RANGE, "program", lambda: chip.load("a\0b"))
    check(WRONG, "start", lambda: chip.load(b"", start="no"))
    check(WRONG, "tiles", lambda: chip.load(b"", tiles=None))
    check(WRONG, "program", lambda: chip.add_symbols(None))
    check(WRONG, "path", lambda: chip.save(None))
    check(RANGE, "path", lambda: chip.restore("\0"))
    for path in ("/dev/zero", tmp_path):
        with pytest.raises(tilefarm.FileError):
            chip.load(path)
    with pytest.raises(tilefarm.FileFormatError):
        chip.load(bytearray(b"no program"))
    odd = tmp_path / os.fsdecode(b"\xff.elf")
    odd.write_bytes(b"no program")
    with pytest.raises(tilefarm.FileFormatError):
        chip.load(odd)


def test_runs(chip):
    check(RANGE, "cycles", lambda: chip.run(1 << 64))
    check(WRONG, "cycles", lambda: chip.run("100"))
    check(RANGE, "pause", lambda: chip.run(pause=0))
    check(WRONG, "check", lambda: chip.run(check="no"))
    check(RANGE, "until", lambda: chip.run(until=(0, 0)))
    check(WRONG, "until", lambda: chip.run(until=5))
    check(RANGE, "value", lambda: chip.run(until=(0, 0x20000, 1 << 32)))
    check(WRONG, "value", lambda: chip.run(until=(0, 0x20000, "1")))
    check(RANGE, "address", lambda: chip.run(until=(0, 1 << 64, 1)))
    check(WRONG, "trace", lambda: next(chip.events(print)))
    check(RANGE, "step", lambda: next(chip.events(tilefarm.Trace(), step=0)))
    check(WRONG, "most", lambda: tilefarm.Trace("all"))
    check(RANGE, "most", lambda: tilefarm.Trace(-1))


def test_memory(chip):
    tile = chip.tile(0)
    check(RANGE, "address", lambda: tile.read(1 << 64, 4))
    check(WRONG, "address", lambda: tile.read(1.5, 4))
    check(WRONG, "address", lambda: tile["a"])
    check(WRONG, "address", lambda: tile["a":"b"])
    check(RANGE, "bytes", lambda: tile.read(0, -1))
    check(WRONG, "bytes", lambda: tile.read(0, "4"))
    check(RANGE, "shape", lambda: tile.read_array(0, (1 << 40, 1 << 40)))
    check(RANGE, "dtype", lambda: tile.read_array(0, 4, object))
    check(WRONG, "dtype", lambda: tile.read_array(0, 4, "no type"))
    check(RANGE, "value", lambda: tile.write32(0, 1 << 32))
    check(RANGE, "value", lambda: tile.write32(0, -(1 << 31) - 1))
    check(WRONG, "value", lambda: tile.write32(0, 1.5))
    check(RANGE, "byte", lambda: tile.__setitem__(0, 256))
    check(WRONG, "byte", lambda: tile.__setitem__(0, "x"))
    check(WRONG, "data", lambda: tile.write(0, 5))
    check(WRONG, "data", lambda: tile.write(0, "text"))
    check(WRONG, "data", lambda: tile.__setitem__(slice(0, 4), "text"))
    check(RANGE, "array", lambda: tile.write_array(0, [1 << 32], np.uint32))
    check(RANGE, "array", lambda: tile.write_array(0, [300], np.uint8))
    check(RANGE, "array", lambda: tile.write_array(0, [float("nan")], np.int32))
    check(RANGE, "array", lambda: tile.write_array(0, ["x"], np.uint8))
    check(RANGE, "dtype", lambda: tile.write_array(0, [1], object))
    tile.write_array(0, [-1, 0xFFFFFFFF, 5], np.uint32)
    assert list(tile.read_array(0, 3)) == [0xFFFFFFFF, 0xFFFFFFFF, 5]


def test_formats(chip):
    tile = chip.tile(0)
    check(WRONG, "format", lambda: formats.number_of(5))
    check(RANGE, "format", lambda: formats.number_of("bf16\0x"))
    check(RANGE, "count", lambda: formats.size_of("bf16", (1 << 64) + 4))
    check(RANGE, "count", lambda: formats.size_of("bf16", -1))
    check(WRONG, "count", lambda: formats.size_of("bf16", 1.5))
    check(RANGE, "numbers", lambda: formats.encode(["x"], "bf16"))
    check(WRONG, "data", lambda: formats.decode(5, "bf16"))
    check(WRONG, "count", lambda: tile.read_numbers(0, "4", "bf16"))
    check(RANGE, "shape", lambda: tile.read_tiles(0, (32,), "bf16"))
    check(WRONG, "shape", lambda: tile.read_tiles(0, 32, "bf16"))
    check(WRONG, "shape", lambda: formats.untilize(np.zeros(1024), ("a", 32)))


def test_orders(chip, tmp_path):
    decision = tilefarm.Decision("store", 0, 0, 0, 1)
    check(WRONG, "decisions", lambda: tilefarm.Order(5))
    check(WRONG, "not a Decision", lambda: tilefarm.Order([("store", 0, 0, 0, 1)]))
    check(RANGE, "tile", lambda: tilefarm.Order([decision._replace(tile=1 << 16)]))
    check(RANGE, "actor", lambda: tilefarm.Order([decision._replace(actor=1 << 16)]))
    check(RANGE, "ordinal", lambda: tilefarm.Order([decision._replace(ordinal=1 << 32)]))
    check(WRONG, "value", lambda: tilefarm.Order([decision._replace(value="1")]))
    check(WRONG, "seed", lambda: tilefarm.Order.of_seed("7"))
    check(RANGE, "seed", lambda: tilefarm.Order.of_seed(1 << 64))
    check(WRONG, "path", lambda: tilefarm.Order.read(5))
    check(WRONG, "trial", lambda: tilefarm.explore(5))
    check(RANGE, "jobs", lambda: tilefarm.explore(print, jobs=0))
    check(WRONG, "seeds", lambda: tilefarm.explore(print, seeds="all"))
    check(WRONG, "depth", lambda: tilefarm.explore(print, depth=None))
    check(RANGE, "strategy", lambda: tilefarm.explore(print, strategy=["pct"]))
    with pytest.raises(tilefarm.FileError):
        tilefarm.Order.read("/dev/zero")
    with pytest.raises(tilefarm.FileError):
        tilefarm.Order().write(tmp_path / "none" / "file")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(tilefarm.FileFormatError):
        tilefarm.Order.read(tmp_path / "bytes")


def test_events():
    event = tilefarm.TensixEvent((1, 2), 0, 0, 0, 1 << 32, "sync")
    check(RANGE, "instruction", lambda: event.text)
    check(WRONG, "family", lambda: event._replace(instruction=0, family=None).text)


def test_compiler():
    check(WRONG, "core", lambda: tilefarm.compile_program("a.c", 0))
    check(RANGE, "flags", lambda: tilefarm.compile_program("a.c", "B", "a.elf", "-D\0"))
    check(WRONG, "source", lambda: tilefarm.compile_program(5, "B"))


def test_pipes(chip, tmp_path):
    """A pipe may be read, up to its end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(b"no program"))
    writer.start()
    with pytest.raises(tilefarm.FileFormatError):
        chip.load(pipe)
    writer.join()


@pytest.mark.parametrize("kind, values, dtype", [
    (RANGE, [1.9], np.int32),
    (RANGE, [1, 2.5], "uint8"),
    (WRONG, [1 + 2j], np.int32),
    (WRONG, [1 + 2j], np.float32),
    (RANGE, ["5"], np.int32),
    (RANGE, ["1.5"], np.float32),
    (WRONG, np.array(["2020-01-01"], dtype="datetime64[D]"), np.int64),
    (RANGE, np.array([1.5], dtype=object), np.int32),
])
def test_nothing_is_cut(kind, values, dtype):
    check(kind, "array", lambda: MEMORY.write_array(0, values, dtype))


def test_fractions_of_integer_formats():
    check(RANGE, "numbers", lambda: MEMORY.write_numbers(0, [1.5], "int32"))
    check(WRONG, "numbers", lambda: formats.encode([1j], "bf16"))
    assert formats.decode(formats.encode([-3.0], "int32"), "int32", 1)[0] == -3


def test_places_that_are_none(chip):
    pair = np.array([1, 2])
    for call in (lambda: chip.tile(pair), lambda: chip.dram[99], lambda: chip.ports[99], lambda: chip.tiles[2**70],
                 lambda: chip.tiles[0].cores[9], lambda: chip.tiles[0].core(pair),
                 lambda: chip.run(10, until=(pair, 0, 1))):
        with pytest.raises(tilefarm.NoSuchPlaceError):
            call()
    check(WRONG, "DRAM channel", lambda: chip.dram["a"])
    check(WRONG, "arguments", lambda: chip.tiles[0].set_arguments("B", None))
    check(WRONG, "dtype", lambda: chip.tiles[0].read_array(0, 1, "i" + "5" * 5000))
    check(WRONG, "dtype", lambda: chip.tiles[0].read_array(0, 1, "(" + "5" * 5000 + ")f4"))
    assert chip.tiles[0].read_numbers(0, True, "bf16").shape == (1,)
    assert chip.dram[-1] is chip.dram[len(chip.dram) - 1] and len(chip.dram[:2]) == 2


def test_chips_that_are_none():
    with tilefarm.System("n300") as system:
        check(WRONG, "chip", lambda: system[None])
        with pytest.raises(tilefarm.NoSuchPlaceError):
            system[4]


def test_outputs_that_are_inputs(chip, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chip.save("saved")
    before = (tmp_path / "saved").read_bytes()
    (tmp_path / "link").symlink_to("saved")
    for name in ("report", "timeline", "profile", "coverage", "noc_trace"):
        check(RANGE, name, lambda name=name: tilefarm.Chip(saved="saved", **{name: "link"}))
    assert (tmp_path / "saved").read_bytes() == before
