/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels of tt-metal print, and how they mark places for its profiler and its watcher: DPRINT, DeviceZoneScopedN,
 * WAYPOINT, ASSERT. tilefarm_dataflow.h includes this file. Names are those of the public documentation of tt-metal
 * ("Kernel Debug Print"); code is our own.
 */
#ifndef TILEFARM_DPRINT_H
#define TILEFARM_DPRINT_H

#ifndef __cplusplus
#error "tilefarm_dprint.h is C++: name the kernel FILE.cc, or use tilefarm_device.h"
#endif

#include "tilefarm_cb.h"
#include "tilefarm_print.h"

struct ENDL {
};
struct HEX {
};
struct DEC {
};
/* A number of a type, whatever the type of the expression. */
struct U32 {
    uint32_t value;
    explicit U32(uint32_t number) : value(number)
    {
    }
};
struct F32 {
    float value;
    explicit F32(float number) : value(number)
    {
    }
};
/* The bits of a number in bf16. */
struct BF16 {
    uint16_t bits;
    explicit BF16(uint16_t number) : bits(number)
    {
    }
};

FORCE_INLINE float tf_float_of_bits(uint32_t bits)
{
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rows h0, h0 + hs, ... before h1 of a tile, and its columns alike. */
struct SliceRange {
    uint8_t h0, h1, hs, w0, w1, ws;

    static constexpr SliceRange h0_w0_32()
    {
        return {0, 1, 1, 0, 32, 1};
    }
    static constexpr SliceRange h0_32_w0()
    {
        return {0, 32, 1, 0, 1, 1};
    }
    static constexpr SliceRange hw0_32_8()
    {
        return {0, 32, 8, 0, 32, 8};
    }
    static constexpr SliceRange hw0_32_16()
    {
        return {0, 32, 16, 0, 32, 16};
    }
};

enum dprint_tslice_cb_t { TSLICE_INPUT_CB, TSLICE_OUTPUT_CB };
enum dprint_tslice_ptr_t { TSLICE_RD_PTR, TSLICE_WR_PTR };

/* Elements of a tile in a circular buffer, from the page that is read or written. untilize: the tile has faces of
   16 x 16, and rows and columns are those of the matrix; else elements lie row by row. */
struct TileSlice {
    uint32_t buffer, page;
    SliceRange range;
    bool written, new_lines, untilize;

    TileSlice(uint32_t from_buffer, uint32_t from_page, const SliceRange &slice, dprint_tslice_cb_t = TSLICE_INPUT_CB,
              dprint_tslice_ptr_t from = TSLICE_RD_PTR, bool endl_rows = true, bool print_untilized = true)
        : buffer(from_buffer), page(from_page), range(slice), written(from == TSLICE_WR_PTR), new_lines(endl_rows),
          untilize(print_untilized)
    {
    }
    TileSlice(uint32_t from_buffer, uint32_t from_page, const SliceRange &slice, bool endl_rows,
              bool print_untilized = true)
        : TileSlice(from_buffer, from_page, slice, TSLICE_INPUT_CB, TSLICE_RD_PTR, endl_rows, print_untilized)
    {
    }
    uint32_t place_of(uint32_t row, uint32_t column) const
    {
        if (!untilize)
            return row * 32 + column;
        return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
    }
};

/* DPRINT << "page " << page << ENDL(); */
struct tf_text {
    bool hex = false;
    tf_text &operator<<(const char *text)
    {
        tf_print(text);
        return *this;
    }
    tf_text &operator<<(char letter)
    {
        tf_printf("%c", letter);
        return *this;
    }
    tf_text &operator<<(uint32_t number)
    {
        tf_printf(hex ? "%lx" : "%lu", number);
        return *this;
    }
    tf_text &operator<<(int32_t number)
    {
        tf_printf(hex ? "%lx" : "%ld", number);
        return *this;
    }
    tf_text &operator<<(unsigned number)
    {
        return *this << (uint32_t)number;
    }
    tf_text &operator<<(int number)
    {
        return *this << (int32_t)number;
    }
    tf_text &operator<<(uint64_t number)
    {
        tf_printf(hex ? "%llx" : "%llu", number);
        return *this;
    }
    tf_text &operator<<(float number)
    {
        tf_printf("%g", (double)number);
        return *this;
    }
    tf_text &operator<<(U32 number)
    {
        return *this << number.value;
    }
    tf_text &operator<<(F32 number)
    {
        return *this << number.value;
    }
    tf_text &operator<<(BF16 number)
    {
        return *this << tf_float_of_bits((uint32_t)number.bits << 16);
    }
    /* Print an element of a tile. Returns false for a format that has a common exponent, or is none of these. */
    bool print_element(DataFormat format, uint32_t tile, uint32_t place)
    {
        const volatile uint16_t *half = (const volatile uint16_t *)(uintptr_t)tile;
        const volatile uint32_t *word = (const volatile uint32_t *)(uintptr_t)tile;
        switch (format) {
        case DataFormat::Float16_b: return *this << BF16(half[place]), true;
        case DataFormat::UInt16: return *this << U32(half[place]), true;
        case DataFormat::Float32: return *this << tf_float_of_bits(word[place]), true;
        case DataFormat::Int32: return *this << (int32_t)word[place], true;
        case DataFormat::UInt32: return *this << U32(word[place]), true;
        default: return false;
        }
    }
    tf_text &operator<<(const TileSlice &slice)
    {
        const uint32_t first = slice.written ? get_write_ptr(slice.buffer) : get_read_ptr(slice.buffer);
        const uint32_t tile = first + slice.page * get_tile_size(slice.buffer);
        for (uint32_t row = slice.range.h0; row < slice.range.h1; row += slice.range.hs) {
            for (uint32_t column = slice.range.w0; column < slice.range.w1; column += slice.range.ws) {
                if (!print_element(get_dataformat(slice.buffer), tile, slice.place_of(row, column)))
                    tf_print("?");
                tf_print(" ");
            }
            if (slice.new_lines)
                tf_print("\n");
        }
        return *this;
    }
    tf_text &operator<<(HEX)
    {
        hex = true;
        return *this;
    }
    tf_text &operator<<(DEC)
    {
        hex = false;
        return *this;
    }
    tf_text &operator<<(ENDL)
    {
        tf_print("\n");
        return *this;
    }
};
static tf_text tf_text_out;
#define DPRINT tf_text_out
#define DPRINT_OF_NOC(noc, x)   \
    do {                        \
        if (noc_index == (noc)) \
            x;                  \
    } while (0)
#define DPRINT_DATA0(x) DPRINT_OF_NOC(0, x)
#define DPRINT_DATA1(x) DPRINT_OF_NOC(1, x)
#define DeviceZoneScopedN(name) tf_mark(name)
#define DeviceTimestampedData(name, data) (tf_mark(name), (void)(data))
#define DeviceRecordEvent(id) (tf_mark("event"), (void)(id))
#define WAYPOINT(name)
/* A condition that does not hold is printed, and is a fault at its line: an instruction that no core has, which the
   host knows (src/debug/stack.c). */
#define ASSERT(condition)                                      \
    do {                                                       \
        if (!(condition)) {                                    \
            tf_print("ASSERT(" #condition ") fails\n");        \
            __asm__ volatile(".insn i 0x7B, 7, x31, x31, -1"); \
        }                                                      \
    } while (0)

#endif
