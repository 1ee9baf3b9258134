/* SPDX-License-Identifier: Apache-2.0 */
/* Address counters of unpackers and packers (TensixCoprocessor/ADCs.md). */
#ifndef TILE_TENSIX_DATA_ADC_H
#define TILE_TENSIX_DATA_ADC_H

#include <stdint.h>

struct tf_adc_channel;

/* set: counter and carriage return; set_value, set_cr: one of the two. Values are cut to the counter's width. */
void tf_adc_set(struct tf_adc_channel *channel, unsigned dimension, uint32_t value);
void tf_adc_set_value(struct tf_adc_channel *channel, unsigned dimension, uint32_t value);
void tf_adc_set_cr(struct tf_adc_channel *channel, unsigned dimension, uint32_t value);
void tf_adc_add(struct tf_adc_channel *channel, unsigned dimension, uint32_t increment);
void tf_adc_add_cr(struct tf_adc_channel *channel, unsigned dimension, uint32_t increment);

#endif
