# SPDX-License-Identifier: Apache-2.0
"""Kernels in C++, with the names of the vendor's dataflow API (tilefarm_dataflow.h), and parameters of kernels."""
from pathlib import Path
from typing import Callable

import numpy as np
import pytest

import tilefarm

PAGE_BYTES = 2048
PAGES = 29  # no multiple of the channels of either family

Compile = Callable[..., Path]


@pytest.fixture(params=["blackhole", pytest.param("wormhole", marks=pytest.mark.slow)])
def arch(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def compile_cxx(tmp_path: Path, arch: str) -> Compile:
    def compile(source: str, core: str, *flags: str) -> Path:
        file = tmp_path / "kernel.cc"
        file.write_text(source)
        return tilefarm.compile_program(file, core, tmp_path / f"{core}.elf", "-Wall", "-Wextra", "-Werror", *flags,
                                        arch=arch)

    return compile


COPY = """
#include "tilefarm_dataflow.h"

void kernel_main() {
    const uint32_t address = get_arg_val<uint32_t>(0);
    const uint32_t first = get_arg_val<uint32_t>(1), pages = get_common_arg_val<uint32_t>(0);
    constexpr uint32_t cb = get_compile_time_arg_val(0);
#ifdef WITH_ACCESSOR
    constexpr auto args = TensorAccessorArgs<1>();
    const auto tensor = TensorAccessor(args, address, get_tile_size(cb));
#else
    const InterleavedAddrGenFast<true> tensor = {
        .bank_base_address = address, .page_size = get_tile_size(cb), .data_format = get_dataformat(cb)};
#endif
    for (uint32_t i = first; i < first + pages; i++) {
#ifdef READER
        cb_reserve_back(cb, 1);
        noc_async_read_tile(i, tensor, get_write_ptr(cb));
        noc_async_read_barrier();
        cb_push_back(cb, 1);
#else
        cb_wait_front(cb, 1);
        noc_async_write_tile(i, tensor, get_read_ptr(cb));
        noc_async_writes_flushed();
        cb_pop_front(cb, 1);
#endif
    }
    noc_async_write_barrier();
}
"""


def page_of(chip: tilefarm.Chip, base: int, page: int) -> bytes:
    channels = len(chip.dram)
    return chip.dram[page % channels].read(base + page // channels * PAGE_BYTES, PAGE_BYTES)


@pytest.mark.parametrize("accessor", [False, True])
def test_pages_pass_through_a_buffer(arch: str, compile_cxx: Compile, accessor: bool) -> None:
    flags = ["-DTF_HOST_BUFFERS", "-DKERNEL_COMPILE_TIME_ARGS=3,2", *(["-DWITH_ACCESSOR"] if accessor else [])]
    reader, writer = compile_cxx(COPY, "B", "-DREADER", *flags), compile_cxx(COPY, "NC", *flags)
    generator = np.random.default_rng(7)
    with tilefarm.Chip(arch, check=True, threads=1) as chip:
        channels = len(chip.dram)
        data = [generator.integers(0, 256, PAGE_BYTES, dtype=np.uint8).tobytes() for _ in range(PAGES)]
        for page, content in enumerate(data):
            chip.dram[page % channels].write(0x1000 + page // channels * PAGE_BYTES, content)
        tile = chip.tiles[9]
        tile.set_buffer(3, 0x40000, PAGE_BYTES, 3)
        tile.set_arguments("B", [0x1000, 2])
        tile.set_arguments("NC", [0x100000, 5])
        tile.set_arguments(None, [PAGES - 2])
        tile.core("B").load(reader)
        tile.core("NC").load(writer)
        assert chip.run().end is tilefarm.End.QUIET
        assert not chip.faults
        assert not chip.races()
        for page in range(PAGES - 2):
            assert page_of(chip, 0x100000, page + 5) == data[page + 2]
        assert page_of(chip, 0x100000, 4) == bytes(PAGE_BYTES)


SPREAD = """
#include "tilefarm_dataflow.h"

static_assert(sizeof get_noc_addr(1, 2, 0x100) == 8, "coordinates may be of type int");

void kernel_main() {
    const uint32_t x0 = get_arg_val(0), y0 = get_arg_val(1), x1 = get_arg_val(2), y1 = get_arg_val(3);
    const uint32_t others = get_arg_val(4), buffer = 0x40000;
    const uint32_t ready = get_semaphore(0), arrived = get_semaphore(1);
    volatile tt_l1_ptr uint32_t *data = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(buffer);
    if (my_x[0] == x0 && my_y[0] == y0) {
        noc_semaphore_wait(reinterpret_cast<volatile uint32_t *>(ready), others);
        for (uint32_t i = 0; i < 256; i++)
            data[i] = i * i + 1;
        noc_async_write_multicast(buffer, get_noc_multicast_addr(x0, y0, x1, y1, buffer), 1024, others);
        noc_semaphore_set(reinterpret_cast<volatile uint32_t *>(arrived), VALID);
        noc_semaphore_set_multicast(arrived, get_noc_multicast_addr(x0, y0, x1, y1, arrived), others);
        noc_async_write_barrier();
    } else {
        noc_semaphore_set(reinterpret_cast<volatile uint32_t *>(arrived), INVALID); // it arrives first
        noc_semaphore_inc(get_noc_addr(x0, y0, ready), 1);
        noc_semaphore_wait(reinterpret_cast<volatile uint32_t *>(arrived), VALID);
        uint32_t sum = 0;
        for (uint32_t i = 0; i < 256; i++)
            sum += data[i];
        data[256] = sum;
        noc_async_atomic_barrier();
        DPRINT << "sum " << sum << " " << HEX() << sum << DEC() << ENDL();
    }
}
"""


def test_a_block_is_spread_by_multicast_and_semaphores(arch: str, compile_cxx: Compile) -> None:
    program = compile_cxx(SPREAD, "B")
    with tilefarm.Chip(arch, check=True, threads=1) as chip:
        tiles = [chip.tile((x, y)) for y in (2, 3) for x in (1, 2, 3)]
        for tile in tiles:
            tile.set_arguments("B", [1, 2, 3, 3, len(tiles) - 1])
            tile.set_semaphore(0, 0)
            tile.set_semaphore(1, 0)
            tile.core("B").load(program)
        assert chip.run().end is tilefarm.End.QUIET
        assert not chip.faults
        assert not chip.races()
        expected = sum(i * i + 1 for i in range(256))
        for tile in tiles[1:]:
            assert tile.read32(0x40000 + 1024) == expected


# In the way of the vendor's first example: a sum of two words in DRAM, with its includes.
SUM = """
#ifndef INCLUDED
#include "api/dataflow/dataflow_api.h"
#include "api/debug/dprint.h"
#include "dataflow_api.h"
#include "debug/dprint.h"
#endif
#include <cstddef>
#include <cstdint>

void kernel_main() {
    constexpr uint32_t buffer = tt::CBIndex::c_3;
    const std::uint32_t to = get_arg_val<uint32_t>(2);
    const InterleavedAddrGen<true> left = {.bank_base_address = get_arg_val<uint32_t>(0), .page_size = 64};
    const uint64_t right = get_noc_addr_from_bank_id<true>(1, get_arg_val<uint32_t>(1));
    uint32_t *numbers = (uint32_t *)get_write_ptr(buffer);
    noc_async_read(get_noc_addr(9, left), (uint32_t)numbers, sizeof(std::size_t));
    noc_async_read(right, (uint32_t)(numbers + 16), 4);
    noc_async_read_barrier();
    DPRINT << get_absolute_logical_x() << "," << get_absolute_logical_y() << ": " << numbers[0] << ENDL();
    numbers[0] += numbers[16];
    noc_async_write((uint32_t)numbers, get_noc_addr(0, InterleavedAddrGen<true>{to, 64}), 4);
    noc_async_write_barrier();
}
"""


def test_a_kernel_of_the_vendors_examples_needs_no_change(arch: str, compile_cxx: Compile) -> None:
    included = arch == "wormhole"  # by the command line
    program = compile_cxx(SUM, "B", *(["-DINCLUDED", "-include", "tilefarm_dataflow.h"] if included else []))
    printed: list[str] = []
    with tilefarm.Chip(arch, check=True, threads=1, on_print=lambda event: printed.append(event.text)) as chip:
        channels = len(chip.dram)
        chip.dram[9 % channels].write32(0x1000 + 9 // channels * 64, 14)
        chip.dram[1].write32(0x2000, 7)
        row = sum(one.y == chip.tiles[0].y for one in chip.tiles)
        tile = chip.tiles[2 * row + 3]
        tile.set_arguments("B", [0x1000, 0x2000, 0x3000])
        tile.core("B").load(program)
        assert chip.run().end is tilefarm.End.QUIET
        assert not chip.races()
        assert chip.dram[0].read32(0x3000) == 21
    assert "".join(printed) == "3,2: 14\n"


# Requests in parts, named arguments, what is constant, and all that DPRINT takes.
FORMS = """
#include <cstring>
#include "api/debug/assert.h"
#include "api/debug/waypoint.h"
#include "hostdevcommon/common_values.hpp"
#include "tt-metalium/constants.hpp"

void kernel_main() {
    constexpr uint32_t cb = tt::CB::c_in1, bytes = get_tile_size(cb);
    static_assert(get_dataformat(cb) == DataFormat::Float16_b && bytes == tt::constants::TILE_HW * 2);
    constexpr uint32_t parts = get_named_compile_time_arg_val("parts"), part = bytes / parts;
    static_assert(parts == 4 && kernel_compile_time_args[1] == 9 && uint8_t(tt::CB::c_intermed7) == 31);
    const uint32_t to = get_write_ptr(cb), copy = to + bytes;
    noc_async_read_one_packet_set_state(get_noc_addr_from_bank_id<true>(1, 0x1000), part);
    for (uint32_t i = 0; i < parts; i++)
        noc_async_read_one_packet_with_state(0x1000 + i * part, to + i * part);
    noc_async_read_barrier();
    noc_async_read_set_state(get_noc_addr_from_bank_id<true>(1, 0));
    noc_async_read_with_state(0x1000, copy, part);
    noc_async_read_set_trid(1);
    noc_async_read_one_packet_with_state_with_trid(0x1000, part, copy + part, 1);
    noc_async_read_barrier_with_trid(1);
    invalidate_l1_cache();
    WAYPOINT("READ");
    DPRINT << U32((uint16_t)7) << " " << F32(1.5f) << " " << BF16(0x4040) << ENDL();
    DPRINT << TileSlice(cb, 0, SliceRange::hw0_32_16(), TSLICE_INPUT_CB, TSLICE_WR_PTR);
    DPRINT << TileSlice(cb, 0, SliceRange{.h0 = 1, .h1 = 2, .hs = 1, .w0 = 0, .w1 = 3, .ws = 1}, true, false);
    std::memmove((void *)(copy + 2), (void *)copy, part);
    noc_async_write_one_packet_set_state(get_noc_addr_from_bank_id<true>(2, 0), part);
    noc_async_write_one_packet_with_state(copy, 0x2000);
    noc_async_write_one_packet_with_trid(to, get_noc_addr_from_bank_id<true>(3, 0x3000), bytes, 1);
    noc_async_write_flushed_with_trid(1);
    noc_async_write_barrier_with_trid(1);
    DeviceTimestampedData("written", bytes);
    ASSERT(get_arg_val<uint32_t>(0) == VALID);
}
"""


def test_forms_of_requests_and_of_text(arch: str, compile_cxx: Compile) -> None:
    program = compile_cxx(FORMS, "B", "-include", "tilefarm_dataflow.h", "-DKERNEL_COMPILE_TIME_ARGS=3,9",
                          '-DKERNEL_COMPILE_TIME_ARG_MAP={"part",1},{"parts",4}')
    matrix = np.arange(1024, dtype=np.float32).reshape(32, 32) % 251  # exact in bf16
    faces = matrix.reshape(2, 16, 2, 16).transpose(0, 2, 1, 3)
    data = (np.ascontiguousarray(faces).view(np.uint32) >> 16).astype("<u2").tobytes()
    printed: list[str] = []
    with tilefarm.Chip(arch, check=True, threads=1, on_print=lambda event: printed.append(event.text)) as chip:
        chip.dram[1].write(0x1000, data)
        tile = chip.tiles[3]
        tile.set_arguments("B", [1])
        tile.core("B").load(program)
        assert chip.run().end is tilefarm.End.QUIET
        assert not chip.races()
        assert chip.dram[2].read(0x2000, 512) == data[:2] + data[:510]
        assert chip.dram[3].read(0x3000, 2048) == data
        lines = "".join(printed).splitlines()
        assert lines[0] == "7 1.5 3"
        assert [line.split() for line in lines[1:3]] == [["0", "16"], ["10", "26"]]
        assert [float(word) for word in lines[3].split()] == list(faces.reshape(-1)[32:35])
        tile.set_arguments("B", [0])
        tile.core("B").load(program)
        with pytest.raises(tilefarm.FaultError, match="kernel_main"):
            chip.run()


# The objects of the vendor's experimental headers: B reads pages of a tensor into a buffer, NC sends them to another
# tile, which copies them to a bank and tells the tiles of a rectangle.
OBJECTS = """
#include "api/dataflow/dataflow_api.h"
#include "experimental/circular_buffer.h"
#include "experimental/core_local_mem.h"
#include "experimental/endpoints.h"
#include "experimental/lock.h"
#include "experimental/noc.h"
#include "experimental/noc_semaphore.h"
#include "experimental/tensor.h"

using namespace experimental;
using Memory = CoreLocalMem<volatile uint32_t>;

constexpr uint32_t PAGES = 5, BYTES = 2048, DATA = 0x40000, COPY = 0x60000;

[[maybe_unused]] void read(Noc &noc, CircularBuffer &buffer) {
    const auto tensor = TensorAccessor(TensorAccessorArgs<0>(), 0x1000, BYTES);
    for (uint32_t i = 0; i < PAGES; i++) {
        buffer.reserve_back(1);
        [[maybe_unused]] auto lock = buffer.scoped_lock();
        noc.async_read(tensor, buffer, BYTES / 2, {.page_id = i}, {});
        noc.async_read<Noc::TxnIdMode::ENABLED, NOC_MAX_BURST_SIZE>(
            tensor, use<CircularBuffer::AddrSelector::WRITE_PTR>(buffer), BYTES / 2,
            {.page_id = i, .offset_bytes = BYTES / 2}, {.offset_bytes = BYTES / 2}, NOC_UNICAST_WRITE_VC, 3);
        noc.async_read_barrier<Noc::BarrierMode::TXN_ID>(3);
        buffer.push_back(1);
    }
}

[[maybe_unused]] void send(Noc &noc, CircularBuffer &buffer, Semaphore<> &sent, uint32_t x, uint32_t y) {
    for (uint32_t i = 0; i < PAGES; i++) {
        buffer.wait_front(1);
        noc.async_write(buffer, UnicastEndpoint(), BYTES, {}, {.noc_x = x, .noc_y = y, .addr = DATA + i * BYTES});
        noc.async_writes_flushed();
        buffer.pop_front(1);
    }
    noc.async_write_barrier();
    sent.up(noc, x, y, 2);
    noc.async_atomic_barrier();
}

[[maybe_unused]] void spread(Noc &noc, Semaphore<> &sent, Semaphore<> &told, Semaphore<> &added) {
    const uint32_t x0 = get_arg_val(2), y0 = get_arg_val(3), x1 = get_arg_val(4), y1 = get_arg_val(5);
    AllocatorBank<AllocatorBankType::DRAM> bank;
    sent.down(2);
    noc.set_async_write_state(bank, BYTES, {.bank_id = 3, .addr = 0});
    for (Memory page(DATA); page != Memory(DATA) + PAGES * BYTES / 4; page += BYTES / 4)
        noc.async_write_with_state(page, bank, BYTES, {}, {.bank_id = 3, .addr = page.get_address()});
    noc.set_async_read_state(UnicastEndpoint(), 32, {.noc_x = my_x[0], .noc_y = my_y[0], .addr = DATA});
    noc.async_read_with_state(UnicastEndpoint(), Memory(COPY), 32, {.addr = DATA + BYTES}, {.offset_bytes = 64});
    noc.async_full_barrier();
    noc.async_write_multicast<Noc::McastMode::INCLUDE_SRC>(
        UnicastEndpoint(), MulticastEndpoint(), 64, 4, {.addr = DATA},
        {.noc_x_start = x0, .noc_y_start = y0, .noc_x_end = x1, .noc_y_end = y1, .addr = COPY});
    told.set(VALID);
    told.set_multicast(noc, x0, y0, x1, y1, 3);
    added.inc_multicast(noc, x0, y0, x1, y1, 7, 4);
    noc.async_write_barrier();
}

void kernel_main() {
    const uint32_t x = get_arg_val(0), y = get_arg_val(1);
    Noc noc(0);
    CircularBuffer buffer(6);
    Semaphore sent(0), told(1), added(2);
#if defined READ
    (void)x, (void)y, read(noc, buffer);
#elif defined SEND
    send(noc, buffer, sent, x, y);
#else
    if (noc.is_local_bank(x, y))
        return spread(noc, sent, told, added);
    told.wait(VALID);
    added.wait_min(7);
    Memory copy(COPY), words = copy;
    words += 32;
    *words++ = copy[15];
    words[0] = words - copy;
#endif
}
"""


def test_objects_of_the_vendors_second_api(arch: str, compile_cxx: Compile) -> None:
    flags = ["-DTF_HOST_BUFFERS", "-DKERNEL_COMPILE_TIME_ARGS=2"]
    read, send = compile_cxx(OBJECTS, "B", "-DREAD", *flags), compile_cxx(OBJECTS, "NC", "-DSEND", *flags)
    told = compile_cxx(OBJECTS, "T0", *flags)
    words = np.random.default_rng(51).integers(0, 1 << 32, (5, 512), dtype=np.uint32)
    with tilefarm.Chip(arch, check=True, threads=1) as chip:
        for page, content in enumerate(words):
            chip.dram[page % len(chip.dram)].write_array(0x1000, content)
        source, tiles = chip.tile((1, 2)), [chip.tile((x, y)) for y in (3, 4) for x in (2, 3)]
        source.set_buffer(6, 0x40000, 2048, 2)
        for tile in [source, *tiles]:
            for number in range(3):
                tile.set_semaphore(number, 0)
        for core, program in (("B", read), ("NC", send)):
            source.set_arguments(core, [3, 3])
            source.core(core).load(program)
        for tile in tiles:
            tile.set_arguments("T0", [3, 3, 2, 3, 3, 4])
            tile.core("T0").load(told)
        assert chip.run().end is tilefarm.End.QUIET
        assert not chip.races()
        assert np.array_equal(chip.dram[3].read_array(0x40000, words.shape, "uint32"), words)
        for tile in tiles:
            assert np.array_equal(tile.read_array(0x60000, 16, "uint32"), words[0, :16])
        for tile in [tiles[0], *tiles[2:]]:
            assert [tile.read32(0x60080), tile.read32(0x60084)] == [words[0, 15], 33]
        assert np.array_equal(chip.tile((3, 3)).read_array(0x60040, 8, "uint32"), words[1, :8])


RUNTIME = """
#include "tilefarm_device.h"

struct Shape {
    virtual uint32_t area() const = 0;
    virtual ~Shape() { TF_WORD(0x30018) = TF_WORD(0x30018) + 1; }
};
struct Square : Shape {
    uint32_t side;
    explicit Square(uint32_t s) : side(s) {}
    ~Square() override { side = 0; }
    uint32_t area() const override { return side * side; }
};
static Square first(TF_WORD(0x30000)), second(3);

static uint32_t count() {
    static Square kept(TF_WORD(0x30004));
    return kept.area();
}

int main() {
    const Shape *volatile shape = &first;
    TF_WORD(0x30010) = shape->area();
    shape = &second;
    TF_WORD(0x30014) = shape->area() + count();
    {
        Square local(2);
        TF_WORD(0x3001c) = local.area();
    }
    return 0;
}
"""


def test_constructors_and_destructors(arch: str, compile_cxx: Compile) -> None:
    program = compile_cxx(RUNTIME, "T1")
    with tilefarm.Chip(arch, threads=1) as chip:
        tile = chip.tiles[0]
        tile.write_array(0x30000, [7, 5], "uint32")
        tile.core("T1").load(program)
        assert chip.run().end is tilefarm.End.QUIET
        assert not chip.faults
        assert tile.read32(0x30010) == 49
        assert tile.read32(0x30014) == 9 + 25
        assert [tile.read32(0x30018), tile.read32(0x3001c)] == [1, 4]


def test_parameters_that_do_not_fit_are_refused(arch: str) -> None:
    with tilefarm.Chip(arch, threads=1) as chip:
        tile = chip.tiles[0]
        with pytest.raises(tilefarm.InvalidArgumentError):
            tile.set_arguments("B", [0] * 65)
        with pytest.raises(tilefarm.InvalidArgumentError):
            tile.set_arguments("B", [1 << 32])
        with pytest.raises(tilefarm.NoSuchPlaceError):
            tile.set_arguments("X", [0])
        with pytest.raises(tilefarm.InvalidArgumentError):
            tile.set_buffer(32, 0x40000, 2048, 2)
        with pytest.raises(tilefarm.InvalidArgumentError):
            tile.set_buffer(0, 0x40008, 2048, 2)
        with pytest.raises(tilefarm.AddressRangeError):
            tile.set_buffer(0, 0x40000, 2048, 65535)
        with pytest.raises(tilefarm.InvalidArgumentError):
            tile.set_semaphore(16, 0)


def test_a_c_program_is_told_to_be_cxx(arch: str, tmp_path: Path) -> None:
    file = tmp_path / "kernel.c"
    file.write_text('#include "tilefarm_dataflow.h"\n')
    with pytest.raises(tilefarm.CompileError, match=r"FILE\.cc"):
        tilefarm.compile_program(file, "B", tmp_path / "a.elf", arch=arch)
