/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UNPACR as WormholeB0's UNPACR_Regular.md has it, step by step and with its fractional addresses. On Blackhole the
 * model follows ttsim v1.10 in rows of 32 data of 16 and 32 bits. It does so in rows of SrcA that wrap and in counters
 * of context 0, too.
 */
#ifndef TESTS_UNIT_TENSIX_UNPACK_MODEL_H
#define TESTS_UNIT_TENSIX_UNPACK_MODEL_H

#include "tile/tensix/config/state.h"
#include "tile/tensix/srcbanks.h"
#include "unit/tensix/units.h"

/* The state that an unpacker changes. */
struct unpack_model {
    uint32_t src[2][2][64][16];
    uint16_t dst[1024][16]; /* with no remapping */
    struct tf_adcs adcs;
    struct tf_src_banks banks;
    uint8_t unpack_row[2][3];
    uint8_t context[3][2];
};

void unpack_model_take(const struct bare *bare, struct unpack_model *model);

/* False: undefined. Then the model is not to be used any further. */
bool unpack_model_run(const struct bare *bare, unsigned thread, uint32_t word, struct unpack_model *model);

#endif
