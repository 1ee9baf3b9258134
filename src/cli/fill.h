/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What L1, local RAM and registers of the coprocessor hold when a chip starts. On silicon it is undefined, and a
 * program that needs zeros works by chance.
 */
#ifndef CLI_FILL_H
#define CLI_FILL_H

#include <stdbool.h>
#include <stdint.h>

struct tf_chip;

/* NONE: zeros that nobody asked for. */
enum tf_fill_kind { TF_FILL_NONE, TF_FILL_ZERO, TF_FILL_ONES, TF_FILL_RANDOM };

struct tf_fill {
    enum tf_fill_kind kind;
    uint64_t seed; /* of TF_FILL_RANDOM */
};

/* Read zero, ones, or random:SEED. Returns false for other texts. */
bool tf_fill_read(const char *text, struct tf_fill *fill);

/* Fill all Tensix tiles of a chip that has not run. A race checker then takes no zero for granted. Returns TF_OK, or an
   error of tf_write(). */
int tf_fill_chip(const struct tf_fill *fill, struct tf_chip *chip);

#endif
