/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The adder beside L1: sixteen bytes plus sixteen bytes, in the formats of ACC atomics. Packers use it too.
 *
 * Formats, wrapping, saturation and flushing of denormals: BlackholeA0/NoC/Atomics.md, "Parallel addition". The page
 * leaves NaN, infinity, rounding and overflow open. There it follows ttsim's packers, which use the same unit:
 *   fp32  to nearest even; every NaN becomes 0x7FC00000.
 *   bf16 to nearest even; opposite infinities give 0x7FC0. A NaN pattern in L1 is larger than all but infinity. In the
 *   data it is the number that its bits mean with one more exponent. fp16 has neither NaN nor infinity
 *   (FloatBitPatterns.md); to nearest even; overflow gives the largest magnitude.
 * ttsim turns an fp16 underflow into the largest magnitude. Atomics give zero, as the page says. No page describes
 * packers, which follow ttsim: TF_ACCUMULATE_PACKED_FP16.
 */
#ifndef TILE_ACCUMULATE_H
#define TILE_ACCUMULATE_H

#include <stdbool.h>
#include <stdint.h>

/* Numbered by Fmt of ACC; those from 16 on are for packers alone. */
enum {
    TF_ACCUMULATE_FP32 = 0,
    TF_ACCUMULATE_BF16 = 2,
    TF_ACCUMULATE_U32 = 4,
    TF_ACCUMULATE_PACKED_FP16 = 16,
    TF_ACCUMULATE_PACKED_INT32 = 17, /* sign and magnitude, saturated (WormholeB0/TensixTile/L1.md) */
    TF_ACCUMULATE_FORMATS,
};

/* line += data, as little-endian words. Formats below 16 are in the page's table; undefined ones leave line. */
void tf_accumulate(unsigned format, uint32_t line[4], const uint32_t data[4]);

#endif
