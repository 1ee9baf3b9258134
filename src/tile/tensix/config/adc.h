/* SPDX-License-Identifier: Apache-2.0 */
/* Address counters of unpackers and packers (TensixCoprocessor/ADCs.md). */
#ifndef TILE_TENSIX_CONFIG_ADC_H
#define TILE_TENSIX_CONFIG_ADC_H

#include <stdint.h>

struct tf_tile;

/* Dimensions of a channel, and how many bits each counter has. */
enum { TF_ADC_X, TF_ADC_Y, TF_ADC_Z, TF_ADC_W, TF_ADC_DIMENSIONS };

/* The units that use a set of counters. */
enum { TF_ADC_UNPACKER_0, TF_ADC_UNPACKER_1, TF_ADC_PACKERS, TF_ADC_USERS };

struct tf_adc_channel {
    uint32_t value[TF_ADC_DIMENSIONS];
    uint32_t cr[TF_ADC_DIMENSIONS]; /* carriage return */
};

struct tf_adc {
    struct tf_adc_channel channel[2];
};

struct tf_adcs {
    struct tf_adc of[3][TF_ADC_USERS]; /* by thread */
};

/* set: counter and carriage return; set_value, set_cr: one of the two. Values are cut to the counter's width. */
void tf_adc_set(struct tf_adc_channel *channel, unsigned dimension, uint32_t value);
void tf_adc_set_value(struct tf_adc_channel *channel, unsigned dimension, uint32_t value);
void tf_adc_set_cr(struct tf_adc_channel *channel, unsigned dimension, uint32_t value);
void tf_adc_add(struct tf_adc_channel *channel, unsigned dimension, uint32_t increment);
void tf_adc_add_cr(struct tf_adc_channel *channel, unsigned dimension, uint32_t increment);

void tf_exec_SETADC(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_SETADCXX(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_SETADCXY(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_SETADCZW(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_INCADCXY(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_INCADCZW(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_ADDRCRXY(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_ADDRCRZW(struct tf_tile *tile, unsigned thread, uint32_t word);

#endif
