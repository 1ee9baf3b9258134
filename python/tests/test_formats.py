# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

import tilefarm
from tilefarm import formats

# Largest error of a number of magnitude 1 to 2. All numbers that share an exponent have such a magnitude here.
ERROR = {"fp32": 2**-24, "tf32": 2**-11, "bf16": 2**-8, "fp16": 2**-11, "fp8": 2**-3, "fp8_e4m3": 2**-4,
         "bfp8": 2**-6, "bfp4": 2**-2, "bfp2": 1}


def test_names():
    assert set(formats.names()) == {*ERROR, "int32", "uint16", "int8"}
    assert formats.number_of("bf16") == 5 and formats.number_of("fp8_e4m3") == 26
    with pytest.raises(tilefarm.InvalidArgumentError, match="no format 'bf15': fp32, tf32"):
        formats.encode([1.0], "bf15")


@pytest.mark.parametrize("format", ERROR)
def test_encode_and_decode(format, tilefarm_rng):
    numbers = tilefarm_rng.uniform(1, 2, 2048) * tilefarm_rng.choice([-1, 1], 2048)
    data = formats.encode(numbers, format)
    assert data.nbytes == formats.size_of(format, 2048)
    decoded = formats.decode(data, format)
    assert decoded.shape == (2048,) and np.abs(decoded - numbers).max() <= ERROR[format]
    assert np.array_equal(formats.encode(decoded, format), data)


def test_known_bits():
    assert formats.encode([1.0, -2.5], "bf16").tobytes().hex() == "803f20c0"
    assert formats.encode([1.0], "tf32").tobytes().hex() == "0000803f"
    assert formats.encode([-5], "int8")[0] == 0x85
    assert formats.encode([np.inf], "bf16").tobytes().hex() == "807f"
    numbers = np.zeros(1024)
    numbers[0], numbers[1] = 1.0, -0.5
    data = formats.encode(numbers, "bfp8")
    assert (data.size, data[0], data[64], data[65]) == (1088, 127, 64, 0x80 | 32)
    assert formats.decode(b"\x01\x00\x00\x80", "int32")[0] == -1


def test_numpy_agrees(tilefarm_rng):
    numbers = tilefarm_rng.standard_normal(1000).astype(np.float32)
    numbers = numbers[np.abs(numbers) >= 2**-14]  # fp16 has only zero and denormals below
    assert formats.encode(numbers, "fp32").tobytes() == numbers.tobytes()
    assert formats.encode(numbers, "fp16").tobytes() == numbers.astype(np.float16).tobytes()


def test_tiles():
    matrix = np.arange(64 * 96).reshape(64, 96)
    tiles = formats.tilize(matrix)
    assert tiles.shape == (6, 1024)
    for row, column in ((0, 0), (5, 17), (40, 70), (63, 95)):
        tile = row // 32 * 3 + column // 32
        face = row % 32 // 16 * 2 + column % 32 // 16
        assert tiles[tile, face * 256 + row % 16 * 16 + column % 16] == matrix[row, column]
    assert np.array_equal(formats.untilize(tiles, (64, 96)), matrix)
    with pytest.raises(tilefarm.InvalidArgumentError, match="not made of tiles"):
        formats.tilize(np.zeros((31, 32)))
    with pytest.raises(tilefarm.InvalidArgumentError):
        formats.untilize(tiles, (32, 96))


def test_in_memory(chip, tilefarm_rng):
    matrix = tilefarm_rng.uniform(-4, 4, (64, 64))
    tile = chip.tile(7)
    assert tile.write_tiles(0x20000, matrix, "bfp8") == 4 * 1088
    assert np.abs(tile.read_tiles(0x20000, (64, 64), "bfp8") - matrix).max() <= 4 * 2**-6
    assert chip.dram[1].write_numbers(64, [1, 2, 3], "bf16") == 6
    assert chip.dram[1].read_numbers(64, 3, "bf16").tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "numbers, format", [([np.nan], "fp16"), ([200], "int8"), ([-1], "uint16"), ([np.nan] * 1024, "bfp4")]
)
def test_numbers_that_a_format_lacks(numbers, format):
    with pytest.raises(tilefarm.AddressRangeError, match=f"{format} cannot hold"):
        formats.encode(numbers, format)


def test_wrong_sizes():
    with pytest.raises(tilefarm.InvalidArgumentError, match="not whole tiles"):
        formats.encode(np.zeros(1000), "bfp8")
    with pytest.raises(tilefarm.InvalidArgumentError):
        formats.decode(b"123", "fp32")
    with pytest.raises(tilefarm.InvalidArgumentError, match="take 4 bytes, not 6"):
        formats.decode(b"123456", "bf16", 2)
