/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals of the debug daisychain and reads of the debug array. Blackhole's layouts: debug_bus_rd_data() and
 * riscv_debug_regs_rd32() of ttsim v1.10, ckernel_debug.h of tt_llk_blackhole. Wormhole's: DebugDaisychain.md of
 * WormholeB0, and ttsim for the array.
 */
#include "tile/tensix/debug/debug.h"
#include "tile/tensix/debug/waits.h"

#include "tile/arch.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/macro.h"

enum { DAISY_FRONTEND = 1, DAISY_MATRIX = 3, DAISY_TDMA = 6, DAISY_CORES = 7, DAISY_L1 = 8 };
enum { SIGNAL_RWCS = 2, SIGNAL_RWCS_UPPER = 3, SIGNAL_FIDELITY = 4, SIGNAL_SELF_TEST = 255 };
enum { SIGNAL_ADCS = 6, SIGNAL_SRC = 9 }; /* the six values of address counters */

#define SIGNAL_WORDS 4u
#define BITS_WORDS (2 * SIGNAL_WORDS + 1)

/* The first bit of each counter of thread 0, and the distance in bits to the next thread's counter in Dst. */
struct rwc_places {
    uint8_t srcb, dst, dst_cr, dst_stride, fidelity;
};

static const struct rwc_places rwc_places[2] = {{60, 120, 130, 20, 60}, {48, 96, 112, 32, 58}};

static const struct rwc_places *places_of(const struct tf_tile *tile)
{
    return &rwc_places[tile->arch->signals_of_page];
}

/* Signal 3 continues where signal 2 ends. */
static void put_rwcs(const struct tf_tensix *tensix, const struct rwc_places *at, uint32_t *bits)
{
    for (unsigned thread = 0; thread < TF_TENSIX_THREADS; thread++) {
        const struct tf_rwc *rwc = &tensix->rwc[thread];
        tf_signal_put(bits, 16 * thread, rwc->srca);
        tf_signal_put(bits, 16 * thread + 8, rwc->srca_cr);
        tf_signal_put(bits, 16u * thread + at->srcb, rwc->srcb);
        tf_signal_put(bits, 16u * thread + at->srcb + 8u, rwc->srcb_cr);
        tf_signal_put(bits, at->dst_stride * thread + at->dst, rwc->dst);
        tf_signal_put(bits, at->dst_stride * thread + at->dst_cr, rwc->dst_cr);
    }
}

/* The signals show the unpackers' counters of thread 0 and the packers' counters of thread 2. */
static void put_adc(const struct tf_tensix *tensix, unsigned user, unsigned channel, uint32_t *bits)
{
    static const uint8_t value_at[TF_ADC_DIMENSIONS] = {0, 64, 96, 112}, cr_at[TF_ADC_DIMENSIONS] = {18, 80, 104, 120};
    const struct tf_adc_channel *from = &tensix->adcs->of[user == TF_ADC_PACKERS ? 2 : 0][user].channel[channel];
    for (unsigned dimension = 0; dimension < TF_ADC_DIMENSIONS; dimension++) {
        tf_signal_put(bits, value_at[dimension], from->value[dimension]);
        tf_signal_put(bits, cr_at[dimension], from->cr[dimension]);
    }
}

static void put_src(const struct tf_src_banks *banks, bool by_page, uint32_t *bits)
{
    const bool *a = banks->to_matrix[TF_SRC_A], *b = banks->to_matrix[TF_SRC_B];
    tf_signal_put(bits, 84, !a[banks->unpack_bank[TF_SRC_A]]);
    tf_signal_put(bits, 85, a[banks->matrix_bank[TF_SRC_A]]);
    tf_signal_put(bits, 90, a[1]);
    tf_signal_put(bits, 91, a[0]);
    tf_signal_put(bits, 92, banks->matrix_bank[TF_SRC_A]);
    tf_signal_put(bits, 93, banks->matrix_bank[TF_SRC_A]);
    tf_signal_put(bits, 94, banks->unpack_bank[TF_SRC_A]);
    if (by_page) {
        tf_signal_put(bits, 100, !b[banks->unpack_bank[TF_SRC_B]]);
        tf_signal_put(bits, 101, b[banks->matrix_bank[TF_SRC_B]]);
        tf_signal_put(bits, 106, b[1]);
        tf_signal_put(bits, 107, b[0]);
        tf_signal_put(bits, 108, banks->matrix_bank[TF_SRC_B]);
        tf_signal_put(bits, 110, banks->unpack_bank[TF_SRC_B]);
        return;
    }
    tf_signal_put(bits, 100, banks->matrix_bank[TF_SRC_B]);
    tf_signal_put(bits, 101, banks->matrix_bank[TF_SRC_B]);
    tf_signal_put(bits, 102, banks->unpack_bank[TF_SRC_B]);
    tf_signal_put(bits, 105, b[0]);
    tf_signal_put(bits, 106, b[1]);
}

/* Signals of the page's group "Self-test", and of ports of L1. No request arrives there while a register is read. */
static bool put_of_page(uint32_t daisy, uint32_t signal, uint32_t *bits)
{
    static const uint16_t valid = 1u << DAISY_FRONTEND | 1u << DAISY_MATRIX | 1u << DAISY_TDMA | 1u << DAISY_CORES |
                                  1u << DAISY_L1;
    if (daisy == DAISY_L1 && (signal == 2 || signal == 3 || signal == 5))
        return true;
    if (signal != SIGNAL_SELF_TEST || daisy >= 16 || (valid >> daisy & 1) == 0)
        return false;
    bits[0] = daisy;
    bits[1] = bits[3] = 0xA5A5A5A5;
    bits[2] = 0x5A5A5A5A;
    return true;
}

bool tf_tensix_signal(const struct tf_tile *tile, uint32_t daisy, uint32_t signal, unsigned word, uint32_t *value)
{
    const struct tf_tensix *tensix = tile->tensix;
    uint32_t bits[BITS_WORDS] = {0};
    if (daisy == DAISY_TDMA && signal < SIGNAL_ADCS) {
        put_adc(tensix, signal >> 1, signal & 1, bits);
    } else if (daisy == DAISY_TDMA && signal == SIGNAL_SRC) {
        put_src(tensix->src, tile->arch->signals_of_page, bits);
    } else if (daisy == DAISY_MATRIX && signal == SIGNAL_FIDELITY) {
        for (unsigned thread = 0; thread < TF_TENSIX_THREADS; thread++)
            tf_signal_put(bits, places_of(tile)->fidelity + 2 * thread, tensix->rwc[thread].fidelity);
    } else if (daisy == DAISY_MATRIX && (signal == SIGNAL_RWCS || signal == SIGNAL_RWCS_UPPER)) {
        put_rwcs(tensix, places_of(tile), bits);
        word += signal == SIGNAL_RWCS_UPPER ? SIGNAL_WORDS : 0;
    } else if (!tf_signal_of_waits(tile, daisy, signal, word, bits) &&
               !(tile->arch->signals_of_page && put_of_page(daisy, signal, bits))) {
        return false;
    }
    *value = bits[word];
    return true;
}

#define ARRAY_DST 2u /* the upper half of the command has the array number; SrcA and SrcB have several */

bool tf_tensix_debug_array(struct tf_tile *tile, uint32_t command, uint32_t *value)
{
    uint32_t row = command & 0xFFF, pair = command >> 12 & 15;
    if (command >> 16 != ARRAY_DST || row >= TF_DST_ROWS || pair >= TF_DST_COLUMNS / 2)
        return false;
    tf_dst_settle(tile, tile->cycle);
    const struct tf_dst *dst = tile->tensix->dst;
    bool zero = dst == NULL || (tile->arch->signals_of_page && tf_dst_is_undefined(dst, row));
    *value = zero ? 0 : dst->bits[row][2 * pair] | (uint32_t)dst->bits[row][2 * pair + 1] << 16;
    return true;
}
