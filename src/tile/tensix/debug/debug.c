/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals of the debug daisychain and reads of the debug array, with Blackhole's layouts: debug_bus_rd_data() and
 * riscv_debug_regs_rd32() of ttsim v1.10, ckernel_debug.h of tt_llk_blackhole.
 */
#include "tile/tensix/debug/debug.h"

#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/srcbanks.h"
#include "tile/tensix/state.h"

enum { DAISY_MATRIX = 3, DAISY_TDMA = 6 };
enum { SIGNAL_RWCS = 2, SIGNAL_RWCS_UPPER = 3, SIGNAL_FIDELITY = 4 };
enum { SIGNAL_ADCS = 6, SIGNAL_SRC = 9 }; /* six of address counters */

#define SIGNAL_WORDS 4u
#define BITS_WORDS (2 * SIGNAL_WORDS + 1)

/* Signal 3 goes on where signal 2 ends. */
static void put_rwcs(const struct tf_tensix *tensix, uint32_t *bits)
{
    for (unsigned thread = 0; thread < TF_TENSIX_THREADS; thread++) {
        const struct tf_rwc *rwc = &tensix->rwc[thread];
        tf_signal_put(bits, 16 * thread, rwc->srca);
        tf_signal_put(bits, 16 * thread + 8, rwc->srca_cr);
        tf_signal_put(bits, 16 * thread + 60, rwc->srcb);
        tf_signal_put(bits, 16 * thread + 68, rwc->srcb_cr);
        tf_signal_put(bits, 20 * thread + 120, rwc->dst);
        tf_signal_put(bits, 20 * thread + 130, rwc->dst_cr);
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

static void put_src(const struct tf_src_banks *banks, uint32_t *bits)
{
    const bool *a = banks->to_matrix[TF_SRC_A], *b = banks->to_matrix[TF_SRC_B];
    tf_signal_put(bits, 84, !a[banks->unpack_bank[TF_SRC_A]]);
    tf_signal_put(bits, 85, a[banks->matrix_bank[TF_SRC_A]]);
    tf_signal_put(bits, 90, a[1]);
    tf_signal_put(bits, 91, a[0]);
    tf_signal_put(bits, 92, banks->matrix_bank[TF_SRC_A]);
    tf_signal_put(bits, 93, banks->matrix_bank[TF_SRC_A]);
    tf_signal_put(bits, 94, banks->unpack_bank[TF_SRC_A]);
    tf_signal_put(bits, 100, banks->matrix_bank[TF_SRC_B]);
    tf_signal_put(bits, 101, banks->matrix_bank[TF_SRC_B]);
    tf_signal_put(bits, 102, banks->unpack_bank[TF_SRC_B]);
    tf_signal_put(bits, 105, b[0]);
    tf_signal_put(bits, 106, b[1]);
}

bool tf_tensix_signal(const struct tf_tile *tile, uint32_t daisy, uint32_t signal, unsigned word, uint32_t *value)
{
    const struct tf_tensix *tensix = tile->tensix;
    uint32_t bits[BITS_WORDS] = {0};
    if (daisy == DAISY_TDMA && signal < SIGNAL_ADCS) {
        put_adc(tensix, signal >> 1, signal & 1, bits);
    } else if (daisy == DAISY_TDMA && signal == SIGNAL_SRC) {
        put_src(tensix->src, bits);
    } else if (daisy == DAISY_MATRIX && signal == SIGNAL_FIDELITY) {
        for (unsigned thread = 0; thread < TF_TENSIX_THREADS; thread++)
            tf_signal_put(bits, 60 + 2 * thread, tensix->rwc[thread].fidelity);
    } else if (daisy == DAISY_MATRIX && (signal == SIGNAL_RWCS || signal == SIGNAL_RWCS_UPPER)) {
        put_rwcs(tensix, bits);
        word += signal == SIGNAL_RWCS_UPPER ? SIGNAL_WORDS : 0;
    } else if (!tf_signal_of_waits(tile, daisy, signal, word, bits)) {
        return false;
    }
    *value = bits[word];
    return true;
}

#define ARRAY_DST 2u /* array numbers are in the upper half of the command; SrcA and SrcB have some too */

bool tf_tensix_debug_array(struct tf_tile *tile, uint32_t command, uint32_t *value)
{
    uint32_t row = command & 0xFFF, pair = command >> 12 & 15;
    if (command >> 16 != ARRAY_DST || row >= TF_DST_ROWS || pair >= TF_DST_COLUMNS / 2)
        return false;
    tf_dst_settle(tile, tile->now);
    const struct tf_dst *dst = tile->tensix->dst;
    *value = dst == NULL ? 0 : dst->bits[row][2 * pair] | (uint32_t)dst->bits[row][2 * pair + 1] << 16;
    return true;
}
