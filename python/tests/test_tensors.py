# SPDX-License-Identifier: Apache-2.0
"""Tensors: their layouts by definition, by the kernels' dataflow API, and by unpackers and packers of the chip."""
import functools
import os
from pathlib import Path
from typing import Any, Callable, Iterator

import numpy as np
import pytest

import tilefarm
from tilefarm import formats

FORMATS = formats.names()
A, OUT, PARAMS, MAGIC = 0, 0x40000000, 0x14000, 0x7F4B5031  # tilefarm_tensor.h, tilefarm_layout.h


@pytest.fixture(params=["blackhole", "wormhole"])
def arch(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def chip(arch: str) -> Iterator[tilefarm.Chip]:
    with tilefarm.Chip(arch, threads=1) as made:
        yield made


def numbers_of(rng: np.random.Generator, shape: tuple[int, ...], *chosen: str) -> np.ndarray:
    """Random numbers that all of the formats hold, in blocks of sixteen as well."""
    numbers = rng.uniform(-100, 100, shape)
    if "uint16" in chosen:
        numbers = np.abs(numbers)
    for format in chosen:
        numbers = formats.decode(formats.encode(numbers.reshape(-1, 1024), format), format).reshape(shape)
    return numbers


# Each element by the definition of its layout: (bank, bytes from the address of the tensor). 70 by 90 numbers of bf16.
def in_tile(row: int, column: int) -> int:
    return 2 * ((row % 32 // 16 * 2 + column % 32 // 16) * 256 + row % 16 * 16 + column % 16)


def interleaved_tiles(banks: int, row: int, column: int) -> tuple[int, int]:
    page = row // 32 * 3 + column // 32
    return page % banks, page // banks * 2048 + in_tile(row, column)


def interleaved_rows(banks: int, row: int, column: int) -> tuple[int, int]:
    return row % banks, row // banks * 192 + 2 * column  # 180 bytes, up to a multiple of 64


def block_sharded(banks: int, row: int, column: int) -> tuple[int, int]:
    return row // 64 * 2 + column // 64, (row % 64 // 32 * 2 + column % 64 // 32) * 2048 + in_tile(row, column)


def height_sharded(banks: int, row: int, column: int) -> tuple[int, int]:
    return row // 32, column // 32 * 2048 + in_tile(row, column)


def width_sharded(banks: int, row: int, column: int) -> tuple[int, int]:
    return column // 32, row // 32 * 2048 + in_tile(row, column)


def sharded_rows_by_columns(banks: int, row: int, column: int) -> tuple[int, int]:
    shard = column // 40 * 4 + row // 20  # three columns of four shards, each 20 rows of 80 bytes
    return shard % 5, shard // 5 * 20 * 80 + row % 20 * 80 + column % 40 * 2


LAYOUTS: list[tuple[Callable[..., tuple[int, int]], dict[str, Any]]] = [
    (interleaved_tiles, {}),
    (interleaved_tiles, {"where": "l1", "banks": [3, 1, 7, 9]}),
    (interleaved_rows, {"layout": "rows"}),
    (block_sharded, {"where": "l1", "shard": (64, 64), "banks": [(1, 2), (2, 2), (1, 3), (2, 3), (3, 3), (4, 3)]}),
    (height_sharded, {"where": "l1", "shard": (32, 96)}),
    (width_sharded, {"shard": (96, 32)}),
    (sharded_rows_by_columns, {"where": "l1", "shard": (20, 40), "layout": "rows", "shard_order": "columns",
                               "banks": range(5)}),
]


@pytest.mark.parametrize("place, options", LAYOUTS, ids=[f"{row[0].__name__}-{len(row[1])}" for row in LAYOUTS])
def test_each_number_lies_where_the_layout_says(place: Callable[..., tuple[int, int]], options: dict[str, Any],
                                                tilefarm_rng: np.random.Generator) -> None:
    with tilefarm.Chip(threads=1) as chip:
        tensor = chip.tensor((70, 90), "bf16", address=0x30000, **options)
        numbers = numbers_of(tilefarm_rng, (64, 96), "bf16").reshape(-1)[:6144]
        numbers = np.resize(numbers, (70, 90))
        tensor.write(numbers)
        for row, column in [(0, 0), (5, 17), (31, 31), (32, 0), (40, 70), (63, 64), (64, 89), (69, 89), (69, 39)]:
            bank, at = place(len(tensor.banks), row, column)
            assert tensor.banks[bank].read_numbers(0x30000 + at, 1, "bf16")[0] == numbers[row, column], (row, column)
        assert np.array_equal(tensor.read(), numbers)


@pytest.mark.parametrize("format", FORMATS)
def test_all_formats_come_back(format: str, chip: tilefarm.Chip, tilefarm_rng: np.random.Generator) -> None:
    numbers = numbers_of(tilefarm_rng, (2, 3, 64, 32), format)
    for options in ({}, {"where": "l1"}, {"shard": (64, 32)}, {"layout": "rows"}):
        if options == {"layout": "rows"} and format.startswith("bfp"):
            with pytest.raises(tilefarm.InvalidArgumentError, match="whole tiles alone"):
                chip.tensor(numbers.shape, format, address=0x30000, **options)
            continue
        tensor = chip.tensor(numbers.shape, format, address=0x30000, **options)
        tensor.write(numbers)
        assert np.array_equal(tensor.read(), numbers), options


def test_matrices_follow_each_other_in_whole_tiles(chip: tilefarm.Chip) -> None:
    tensor = chip.tensor((2, 1, 5), "int32", address=0)
    tensor.write(np.arange(10).reshape(2, 1, 5))
    assert tensor.pages == 2 and tensor.read().tolist() == [[[0, 1, 2, 3, 4]], [[5, 6, 7, 8, 9]]]
    memory, address = tensor.place(1)
    assert memory is chip.dram[1] and memory.read_numbers(address, 6, "int32").tolist() == [5, 6, 7, 8, 9, 0]
    flat = chip.tensor(7, "fp32", address=tensor.bank_bytes, layout="rows")
    flat.write(range(7))
    assert flat.pages == 1 and flat.read().tolist() == list(range(7))
    assert tensor.read()[1, 0].tolist() == [5, 6, 7, 8, 9]
    assert repr(flat).startswith("<tilefarm tensor: 7 fp32, 1 pages of ")


READER = """
#include "tilefarm_dataflow.h"

void kernel_main() {
    constexpr auto args = TensorAccessorArgs<1>();
    const auto tensor = TensorAccessor(args, get_arg_val(0), get_compile_time_arg_val(0));
    for (uint32_t i = 0; i < get_arg_val(1); i++)
        noc_async_read_page(i, tensor, 0x80000 + i * get_compile_time_arg_val(0));
    noc_async_read_barrier();
}
"""


@pytest.mark.parametrize("where", ["dram", "l1"])
def test_a_kernel_finds_the_pages(where: str, chip: tilefarm.Chip, arch: str, tmp_path: Path,
                                  tilefarm_rng: np.random.Generator) -> None:
    file = tmp_path / "reader.cc"
    file.write_text(READER)
    tensor = chip.tensor((200, 90), "bf16", address=0x30000, where=where, layout="rows")
    numbers = numbers_of(tilefarm_rng, (256, 1024), "bf16")[:200, :90]
    tensor.write(numbers)
    flags = f"-DKERNEL_COMPILE_TIME_ARGS={tensor.page_bytes},{2 if where == 'dram' else 0}"
    tile = chip.tiles[20]
    tile.set_arguments("B", [0x30000, tensor.pages])
    tile.core("B").load(tilefarm.compile_program(file, "B", tmp_path / "reader.elf", flags, arch=arch))
    chip.run()
    read = tile.read_array(0x80000, (200, tensor.page_bytes // 2), np.uint16)[:, :90]
    assert np.array_equal(formats.decode(np.ascontiguousarray(read), "bf16").reshape(200, 90), numbers)


# The workload `convert` with kinds of our own: unpacker, Dst, packer, and the same format in L1 on both sides. The
# matrix unit brings int8 to Dst by arithmetic alone, so `eltwise` subtracts a tensor of zeros.
KINDS = {
    "fp32": "{TF_FP32, TF_FP32, 1, 1, 0, 0, TF_HOW_TO_DST, 0}",
    "tf32": "{TF_FP32, TF_FP32, 1, 1, 0, TF_TF32, TF_HOW_DEFAULT, 0}",  # in memory TF32 is FP32
    "int32": "{TF_INT32, TF_INT32, 1, 1, 0, 0, TF_HOW_TO_DST, 0}",
    **{name: f"TF_KIND(TF_{name.upper()}, TF_{name.upper()}, 0, 1, 0)"
       for name in ("bf16", "fp16", "fp8", "fp8_e4m3", "bfp8", "bfp4", "bfp2", "uint16")},
    "tilize": "{TF_BF16, TF_BF16, 0, 1, 0, 0, TF_HOW_TILIZE, 0}",
    "untilize": "{TF_BF16, TF_BF16, 0, 1, 0, 0, TF_HOW_UNTILIZE, 0}",
}


Programs = Callable[[str], "dict[str, Path]"]


@pytest.fixture(scope="module", params=["blackhole", pytest.param("wormhole", marks=pytest.mark.slow)])
def workloads(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Programs]:
    arch, folder = str(request.param), tmp_path_factory.mktemp(str(request.param))

    @functools.cache
    def compile(name: str) -> dict[str, Path]:
        kinds = {"convert": ", ".join(KINDS.values()), "eltwise": "TF_KIND(TF_INT8, TF_INT8, 1, 1, TF_ELTWISE_SUB)"}
        macro, source = f"TF_{name.upper()}_KINDS", folder / f"my_{name}.c"
        source.write_text('#include "tilefarm_kernel.h"\n#include "tilefarm_workloads.h"\n'
                          f'#undef {macro}\n#define {macro} {{ {kinds[name]} }}\n#include "{name}.c"\n')
        kernels = os.environ["TILEFARM_KERNELS"]
        flags = f"-I{kernels}", f"-I{kernels}/include"
        return {core: tilefarm.compile_program(source, core, folder / f"{name}.{core}.elf", *flags, arch=arch)
                for core in tilefarm.CORES}

    return arch, compile


def convert(chip: tilefarm.Chip, programs: Programs, kind: str) -> None:
    """Let tile i convert tile i of a tensor."""
    number = list(KINDS).index(kind) if kind in KINDS else 0
    for tile in chip.tiles[:6]:
        tile.write_array(PARAMS, [MAGIC, 1, 1, number], "uint32")
    for core, program in programs("convert" if kind in KINDS else "eltwise").items():
        chip.load(program, core, tiles=range(6))
    chip.run()


@pytest.mark.parametrize("format", FORMATS)
def test_unpackers_and_packers_agree(format: str, workloads: tuple[str, Programs],
                                     tilefarm_rng: np.random.Generator) -> None:
    arch, programs = workloads
    numbers = numbers_of(tilefarm_rng, (64, 96), format)
    with tilefarm.Chip(arch, threads=1) as chip:
        source, result = (chip.tensor((64, 96), format, address=address) for address in (A, OUT))
        source.write(numbers)
        convert(chip, programs, format)
        assert np.array_equal(result.read(), numbers)


def test_the_chip_tilizes_and_untilizes(workloads: tuple[str, Programs],
                                        tilefarm_rng: np.random.Generator) -> None:
    """The unpacker makes tiles of strips, which are shards of rows; the packer makes squares of rows of tiles."""
    arch, programs = workloads
    numbers = numbers_of(tilefarm_rng, (96, 64), "bf16")
    for kind, from_, to in [("tilize", {"layout": "rows", "shard": (32, 64)}, {}),
                            ("untilize", {}, {"layout": "rows", "shard": (32, 32)})]:
        with tilefarm.Chip(arch, threads=1) as chip:
            source = chip.tensor((96, 64), "bf16", address=A, **from_)  # type: ignore[arg-type]
            result = chip.tensor((96, 64), "bf16", address=OUT, **to)  # type: ignore[arg-type]
            source.write(numbers)
            convert(chip, programs, kind)
            assert np.array_equal(result.read(), numbers), kind


@pytest.mark.parametrize("options, error, message", [
    ({"address": 8}, ValueError, "address is 0x8, not a multiple of 64"),
    ({"address": 0, "where": "sram"}, ValueError, "where is 'sram', not 'dram' or 'l1'"),
    ({"address": 0, "shard": (32, 40)}, ValueError, "shard is 32 by 40, not a multiple of 32"),
    ({"address": 0, "shard": (32, 0)}, ValueError, "shard is 32 by 0"),
    ({"address": 0, "banks": [8]}, ValueError, "banks: a channel is 8, not 0 to 7"),
    ({"address": 0, "where": "l1", "banks": [140]}, LookupError, "no tile 140"),
    ({"address": 0x17FFC0, "where": "l1"}, IndexError, r"the tensor ends at 0x1807c0, and tile 0 .* at 0x180000"),
    ({"address": 0, "shape": (2, 0)}, ValueError, "shape is"),
    ({"address": 0, "format": "bf15"}, ValueError, "no format 'bf15'"),
    ({"address": 0, "banks": []}, ValueError, "banks is empty"),
])
def test_wrong_parameters(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with tilefarm.Chip(threads=1) as chip, pytest.raises(error, match=message):
        chip.tensor(**{"shape": (64, 64), "format": "bf16", **options})


def test_wrong_numbers(chip: tilefarm.Chip) -> None:
    tensor = chip.tensor((32, 32), "int8", address=0)
    with pytest.raises(tilefarm.InvalidArgumentError, match=r"shape \(1, 32\), and the tensor has \(32, 32\)"):
        tensor.write(np.zeros((1, 32)))
    with pytest.raises(tilefarm.AddressRangeError, match="int8 cannot hold"):
        tensor.write(np.full((32, 32), 200))
    with pytest.raises(tilefarm.InvalidArgumentError, match="page is 1, not 0 to 0"):
        tensor.place(1)
