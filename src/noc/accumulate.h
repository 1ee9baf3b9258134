/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The adder beside L1 that ACC atomics use: sixteen bytes plus broadcast data, in eleven formats.
 *
 * Formats, wrapping, saturation and flushing of denormals: BlackholeA0/NoC/Atomics.md, "Parallel addition". What the
 * page leaves open (NaN, infinity, rounding, overflow) is as ttsim computes the same unit's work for packers:
 *   fp32  to nearest even; every NaN becomes 0x7FC00000.
 *   bf16  to nearest even; opposite infinities give 0x7FC0; a NaN pattern in L1 counts as larger than everything
 *         but infinity, one in the data as the number that its bits would be with one more exponent.
 *   fp16  has neither NaN nor infinity (FloatBitPatterns.md); to nearest even; overflow gives the largest magnitude.
 * Where ttsim's packer turns an fp16 underflow into the largest magnitude, the page's zero wins.
 */
#ifndef NOC_ACCUMULATE_H
#define NOC_ACCUMULATE_H

#include <stdbool.h>
#include <stdint.h>

/* True for the formats that the page's table has. */
bool tf_noc_accumulate_has(unsigned format);

/* line += data, both little-endian words; format is one that tf_noc_accumulate_has(). */
void tf_noc_accumulate(unsigned format, uint32_t line[4], uint32_t data);

#endif
