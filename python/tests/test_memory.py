# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

import tilefarm


def test_bytes_and_arrays(chip, tilefarm_rng):
    tile = chip.tile(3)
    data = tilefarm_rng.integers(0, 256, 1000, dtype=np.uint8)
    tile.write(0x20000, data.tobytes())
    assert tile.read(0x20000, 1000) == data.tobytes()
    assert np.array_equal(tile[0x20000 : 0x20000 + 1000], data)
    tile[0x20010:0x20014] = b"\1\2\3\4"
    assert tile.read32(0x20010) == 0x04030201
    tile[0x20011] = 9
    assert tile[0x20011] == 9
    tile.write32(0x20020, -1)
    assert tile.read32(0x20020) == 0xFFFFFFFF
    matrix = tilefarm_rng.standard_normal((7, 5)).astype(np.float32)
    tile.l1.write_array(0x30001, matrix.T)  # neither aligned nor contiguous
    assert np.array_equal(tile.l1.read_array(0x30001, (5, 7), np.float32), matrix.T)
    assert len(tile) == chip.shape.l1_bytes == 1536 * 1024
    assert not chip.tile(4)[0x20000:0x20100].any()


def test_places(chip):
    assert chip.shape.tensix_tiles == len(chip.tiles) == 140
    assert chip.tile((1, 2)).index == 0 and chip.tile(139).x == 16
    assert chip.tile(chip.tile(5)) is chip.tiles[5]
    chip.node(1, 2).write32(0x100, 77)
    assert chip.tile(0).read32(0x100) == 77
    chip.dram[3].write_array(1 << 20, np.arange(10))
    assert np.array_equal(chip.dram[3].read_array(1 << 20, 10, np.int64), np.arange(10))
    assert len(chip.dram) == 8
    for bad in (140, -1, "zero", (8, 2), (300, 1), None):
        with pytest.raises(tilefarm.NoSuchPlaceError):
            chip.tile(bad)
    with pytest.raises(LookupError):
        chip.node(40, 40)
    with pytest.raises(tilefarm.NoSuchPlaceError, match="no core 'X'"):
        chip.tile(0).core("X")


def test_registers(chip):
    node_id = chip.tile(0).read32(0xFFB20044)
    assert (node_id & 63, node_id >> 6 & 63) == (1, 2)
    with pytest.raises(tilefarm.AccessRefusedError):
        chip.tile(0).read(0xFFB20044, 8)


@pytest.mark.parametrize(
    "address, bytes, error",
    [(0x17FFFF, 2, tilefarm.AddressRangeError), (1 << 40, 4, tilefarm.TilefarmError), (-4, 4, ValueError)],
)
def test_bad_ranges(chip, address, bytes, error):
    with pytest.raises(error):
        chip.tile(0).read(address, bytes)
    with pytest.raises(error):
        chip.tile(0).write(address, b"x" * bytes)


def test_bad_slices(chip):
    tile = chip.tile(0)
    with pytest.raises(tilefarm.InvalidArgumentError):
        tile[0:10:2]
    with pytest.raises(tilefarm.InvalidArgumentError):
        tile[10:0]
    with pytest.raises(tilefarm.InvalidArgumentError, match="3 bytes for a range of 4"):
        tile[0:4] = b"abc"
    with pytest.raises(tilefarm.InvalidArgumentError):
        tile.write_array(0, np.array([object()]))


@pytest.mark.tilefarm(arch="wormhole")
def test_wormhole(chip):
    assert chip.shape.name == "wormhole" and chip.shape.tensix_tiles < 140
    with pytest.raises(IndexError):
        chip.tile(0).read(chip.shape.l1_bytes, 1)


def test_a_memory_is_taken_by_ranges_alone(chip):
    """Else one byte after another would be read, of 1.5 MiB or 4 GiB."""
    for memory in chip.tiles[0], chip.dram[0]:
        with pytest.raises(tilefarm.ArgumentTypeError, match="range"):
            np.asarray(memory)
        with pytest.raises(TypeError, match="not iterable"):
            list(memory)
        with pytest.raises(TypeError, match="not"):
            1 in memory
    assert np.asarray(chip.tiles[0][0:16]).shape == (16,)
