/* SPDX-License-Identifier: Apache-2.0 */
/* The interrupt controller that programs poll. Addresses lie in its window, and are 4-aligned. */
#ifndef TILE_MMIO_POLLED_PIC_H
#define TILE_MMIO_POLLED_PIC_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_tile;

enum tf_access tf_polled_pic_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_polled_pic_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_polled_pic_load_acts(const struct tf_tile *tile, uint32_t address);
void tf_polled_pic_raise(struct tf_tile *tile, unsigned irq); /* if it is enabled; not of another family's PIC */
void tf_polled_pic_phase(struct tf_tile *tile, unsigned i, uint32_t event); /* of stream i of those with IRQs */

#endif
