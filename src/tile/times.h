/* SPDX-License-Identifier: Apache-2.0 */
/* Durations of a family, from times.def. Timing mode reads them by enum tf_time. */
#ifndef TILE_TIMES_H
#define TILE_TIMES_H

#include <stdint.h>

#define TF_CENTS 100u /* rows of unit CENTS are in hundredths of a cycle */

enum tf_time {
#define TIME(id, unit, what, blackhole, wormhole) TF_TIME_##id,
#include "tile/times.def"
    TF_TIMES
};

/* Where a duration comes from; times.def says what the words mean. */
enum tf_time_word {
    TF_TIME_ISA,
    TF_TIME_VENDOR,
    TF_TIME_MEASURED,
    TF_TIME_DERIVED,
    TF_TIME_FITTED,
    TF_TIME_UNKNOWN,
    TF_TIME_WORDS
};

struct tf_time_source {
    uint8_t word; /* enum tf_time_word */
    const char *text;
};

struct tf_times {
    uint16_t value[TF_TIMES];
    struct tf_time_source source[TF_TIMES];
};

extern const struct tf_times tf_times_blackhole, tf_times_wormhole;

/* "isa", "measured", ... */
const char *tf_time_word_name(enum tf_time_word word);

#endif
