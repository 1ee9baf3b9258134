/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dst: 1024 rows of 16 columns of 16 bits, or 512 rows of 32 bits, in the bit layouts of BlackholeA0
 * TensixCoprocessor/Dst.md. Instructions reach it through tf_dst() (vector/settled.h).
 */
#ifndef TILE_TENSIX_DATA_DST_H
#define TILE_TENSIX_DATA_DST_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/hash.h"
#include "tile/tensix/config/state.h"

#define TF_DST_ROWS 1024u
#define TF_DST_COLUMNS 16u
#define TF_DST_LOW_ROWS 8u /* from the row of a datum's high 16 bits to the row of its low 16 bits */

struct tf_tile;

struct tf_dst {
    _Alignas(64) uint16_t bits[TF_DST_ROWS][TF_DST_COLUMNS]; /* DstBits: indexed by physical row */
    uint64_t undefined[TF_DST_ROWS / 64]; /* rows that ZEROACC has marked; they read as the operation's identity */
};

/* The mapping from the rows of a view to storage. Bit-fields, since compilers pass three bytes by way of memory. */
struct tf_dst_map {
    bool remap_addrs : 1, swizzle_32b : 1;
    bool high_halves : 1; /* bit 11 of RISCV_DEBUG_REG_DBG_FEATURE_DISABLE: Dst16b is the high half of Dst32b */
};

/* Dst without waiting for late stores: for the vector unit. */
struct tf_dst *tf_dst_get(struct tf_tile *tile);

struct tf_dst_map tf_dst_map(const struct tf_tile *tile);

/* The bits of configuration that set fields of a map. */
enum {
    TF_DST_DEBUG_FEATURE_DISABLE = 0x068, /* offset of RISCV_DEBUG_REG_DBG_FEATURE_DISABLE */
    TF_DST_DEBUG_HIGH_HALVES = 1 << 11,
    TF_DST_CONFIG_MAPS = 3, /* DEST_ACCESS_CFG_swizzle_32b, DEST_ACCESS_CFG_remap_addrs */
};

static inline unsigned tf_dst_adj16(struct tf_dst_map map, unsigned row)
{
    row &= TF_DST_ROWS - 1;
    return map.remap_addrs ? (row & 0x3C7) ^ (row & 0x030) >> 1 ^ (row & 0x008) << 2 : row;
}

/* Physical row of the high halves of a row of Dst32b; the low halves are TF_DST_LOW_ROWS further. */
static inline unsigned tf_dst_row32(struct tf_dst_map map, unsigned row)
{
    row = tf_dst_adj16(map, row);
    if (map.swizzle_32b)
        row = (row & 0x3F3) ^ (row & 0x018) >> 1 ^ (row & 0x004) << 1;
    return (row & 0x1F8) << 1 | (row & 0x207);
}

/* Physical row of a row of Dst16b. Aligned groups of four rows stay together in either view. */
static inline unsigned tf_dst_row16(struct tf_dst_map map, unsigned row)
{
    return map.high_halves ? tf_dst_row32(map, row) : tf_dst_adj16(map, row);
}

/* Physical row of a row of Dst32b (`wide`) or Dst16b. */
static inline unsigned tf_dst_row(struct tf_dst_map map, unsigned row, bool wide)
{
    return wide ? tf_dst_row32(map, row) : tf_dst_row16(map, row);
}

/* Marks belong to physical rows. A row of Dst32b has the mark of its high halves. */
static inline bool tf_dst_is_undefined(const struct tf_dst *dst, unsigned physical)
{
    return dst->undefined[physical / 64] >> physical % 64 & 1;
}

static inline void tf_dst_define(struct tf_dst *dst, unsigned physical)
{
    dst->undefined[physical / 64] &= ~(1ull << physical % 64);
}

static inline void tf_dst_undefine(struct tf_dst *dst, unsigned physical)
{
    dst->undefined[physical / 64] |= 1ull << physical % 64;
}

/* One datum of a defined row, as it is stored. */
static inline uint32_t tf_dst_read32(const struct tf_dst *dst, unsigned physical, unsigned column)
{
    return (uint32_t)dst->bits[physical][column] << 16 | dst->bits[physical + TF_DST_LOW_ROWS][column];
}

static inline void tf_dst_write32(struct tf_dst *dst, unsigned physical, unsigned column, uint32_t value)
{
    dst->bits[physical][column] = (uint16_t)(value >> 16);
    dst->bits[physical + TF_DST_LOW_ROWS][column] = (uint16_t)value;
}

/*
 * Layouts in Dst, of integers and of vectors of them. FP32 and Integer "32" lie in Dst32b as sign, high mantissa,
 * exponent, low mantissa; BF16 is the high half. TF_DST_UNSHUFFLE: the high half begins at `bit`, which is 16, or 0 if
 * there is no low half. FP16, and Integer "8" in its place: sign, mantissa, exponent.
 */
#define TF_DST_SHUFFLE32(x) (((x)&0x8000FFFFu) | ((x)&0x7F800000u) >> 7 | ((x)&0x007F0000u) << 8)
#define TF_DST_UNSHUFFLE(x, bit) \
    (((x) & (0x8000u << (bit) | ((1u << (bit)) - 1))) | ((x)&0x7F00u << (bit)) >> 8 | ((x)&0xFFu << (bit)) << 7)
#define TF_DST_UNSHUFFLE_FP16(x) (((x)&0x8000u) | ((x) >> 5 & 0x3FF) | ((x)&0x1F) << 10)

static inline uint32_t tf_dst_shuffle32(uint32_t value)
{
    return TF_DST_SHUFFLE32(value);
}

static inline uint32_t tf_dst_unshuffle32(uint32_t value)
{
    return TF_DST_UNSHUFFLE(value, 16);
}

static inline uint16_t tf_dst_shuffle_bf16(uint16_t value)
{
    return (uint16_t)(tf_dst_shuffle32((uint32_t)value << 16) >> 16);
}

static inline uint16_t tf_dst_unshuffle_bf16(uint16_t value)
{
    return (uint16_t)TF_DST_UNSHUFFLE(value, 0);
}

static inline uint16_t tf_dst_shuffle_fp16(uint16_t value)
{
    return (uint16_t)((value & 0x8000u) | (value & 0x7C00u) >> 10 | (value & 0x03FFu) << 5);
}

static inline uint16_t tf_dst_unshuffle_fp16(uint16_t value)
{
    return (uint16_t)TF_DST_UNSHUFFLE_FP16(value);
}

/* Resets Dst as the bits of SOFT_RESET_0 that have become set demand (SoftReset.md). */
void tf_dst_reset(struct tf_tile *tile, uint32_t entering);

void tf_dst_hash(const struct tf_tile *tile, struct tf_hash *hash);

struct tf_saved;

/* The saved state (host/saved.h). */
void tf_dst_state(struct tf_saved *saved, struct tf_tile *tile);

#endif
