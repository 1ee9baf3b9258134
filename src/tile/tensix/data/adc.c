/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/data/adc.h"

#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/state.h"

static uint32_t cut(unsigned dimension, uint32_t value)
{
    static const uint32_t mask[TF_ADC_DIMENSIONS] = {0x3FFFF, 0x1FFF, 0xFF, 0xFF};
    return value & mask[dimension];
}

void tf_adc_set_value(struct tf_adc_channel *channel, unsigned dimension, uint32_t value)
{
    channel->value[dimension] = cut(dimension, value);
}

void tf_adc_set_cr(struct tf_adc_channel *channel, unsigned dimension, uint32_t value)
{
    channel->cr[dimension] = cut(dimension, value);
}

void tf_adc_set(struct tf_adc_channel *channel, unsigned dimension, uint32_t value)
{
    tf_adc_set_value(channel, dimension, value);
    tf_adc_set_cr(channel, dimension, value);
}

void tf_adc_add(struct tf_adc_channel *channel, unsigned dimension, uint32_t increment)
{
    tf_adc_set_value(channel, dimension, channel->value[dimension] + increment);
}

void tf_adc_add_cr(struct tf_adc_channel *channel, unsigned dimension, uint32_t increment)
{
    tf_adc_set(channel, dimension, channel->cr[dimension] + increment);
}

/* Common part of the instructions on pairs of dimensions: XY and ZW differ only in names. */
struct pairs {
    uint32_t value[4];  /* channel 0 first and second dimension, channel 1 first and second */
    uint32_t which;     /* a bit for each of the four values */
    uint32_t users;     /* cnt_set_mask */
    uint32_t override;  /* 0 for the issuing thread, otherwise 1 + thread */
    unsigned dimension; /* the first of the pair */
};

typedef void change(struct tf_adc_channel *channel, unsigned dimension, uint32_t value);

#define PAIRS(word, op, a, b, first, bits)                                                                           \
    (struct pairs)                                                                                                   \
    {                                                                                                                \
        .value = {TF_FIELD(word, op, ch0_##a), TF_FIELD(word, op, ch0_##b), TF_FIELD(word, op, ch1_##a),             \
                  TF_FIELD(word, op, ch1_##b)},                                                                      \
        .which = (bits), .users = TF_FIELD(word, op, cnt_set_mask), .override = TF_FIELD(word, op, thread_override), \
        .dimension = (first),                                                                                        \
    }

static struct tf_adc *adcs_of(struct tf_tile *tile, unsigned thread, uint32_t override)
{
    return tile->tensix->adcs->of[override == 0 ? thread : override - 1];
}

static void apply(struct tf_tile *tile, unsigned thread, const struct pairs *pairs, change *how)
{
    struct tf_adc *adc = adcs_of(tile, thread, pairs->override);
    for (unsigned user = 0; user < TF_ADC_USERS; user++) {
        if ((pairs->users >> user & 1) == 0)
            continue;
        for (unsigned i = 0; i < 4; i++)
            if (pairs->which >> i & 1)
                how(&adc[user].channel[i / 2], pairs->dimension + i % 2, pairs->value[i]);
    }
}

void tf_exec_SETADC(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t value = TF_FIELD(word, SETADC, value);
    /* The two bits above a 16-bit value override the thread. They are also bits 17:16 of an 18-bit X. */
    struct tf_adc *adc = adcs_of(tile, thread, value >> 16);
    for (unsigned user = 0; user < TF_ADC_USERS; user++)
        if (TF_FIELD(word, SETADC, cnt_set_mask) >> user & 1)
            tf_adc_set(&adc[user].channel[TF_FIELD(word, SETADC, channel_index)],
                       TF_FIELD(word, SETADC, dimension_index), value);
}

void tf_exec_SETADCXX(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_adc *adc = tile->tensix->adcs->of[thread];
    for (unsigned user = 0; user < TF_ADC_USERS; user++) {
        if ((TF_FIELD(word, SETADCXX, cnt_set_mask) >> user & 1) == 0)
            continue;
        tf_adc_set(&adc[user].channel[0], TF_ADC_X, TF_FIELD(word, SETADCXX, x_start));
        tf_adc_set(&adc[user].channel[1], TF_ADC_X, TF_FIELD(word, SETADCXX, x_end2));
    }
}

void tf_exec_SETADCXY(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct pairs pairs = PAIRS(word, SETADCXY, x, y, TF_ADC_X, TF_FIELD(word, SETADCXY, bit_mask));
    apply(tile, thread, &pairs, tf_adc_set);
}

void tf_exec_SETADCZW(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct pairs pairs = PAIRS(word, SETADCZW, z, w, TF_ADC_Z, TF_FIELD(word, SETADCZW, bit_mask));
    apply(tile, thread, &pairs, tf_adc_set);
}

void tf_exec_INCADCXY(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct pairs pairs = PAIRS(word, INCADCXY, x, y, TF_ADC_X, 15);
    apply(tile, thread, &pairs, tf_adc_add);
}

void tf_exec_INCADCZW(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct pairs pairs = PAIRS(word, INCADCZW, z, w, TF_ADC_Z, 15);
    apply(tile, thread, &pairs, tf_adc_add);
}

void tf_exec_ADDRCRXY(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct pairs pairs = PAIRS(word, ADDRCRXY, x, y, TF_ADC_X, TF_FIELD(word, ADDRCRXY, bit_mask));
    apply(tile, thread, &pairs, tf_adc_add_cr);
}

void tf_exec_ADDRCRZW(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct pairs pairs = PAIRS(word, ADDRCRZW, z, w, TF_ADC_Z, TF_FIELD(word, ADDRCRZW, bit_mask));
    apply(tile, thread, &pairs, tf_adc_add_cr);
}
