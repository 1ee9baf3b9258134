/* SPDX-License-Identifier: Apache-2.0 */
/* The interrupt controller that programs set up. Addresses lie in its window, and are 4-aligned. */
#ifndef TILE_MMIO_PIC_H
#define TILE_MMIO_PIC_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_hash;
struct tf_mmio;
struct tf_tile;

enum tf_access tf_pic_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_pic_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
bool tf_pic_load_acts(const struct tf_tile *tile, uint32_t address);
void tf_pic_hash(const struct tf_mmio *mmio, struct tf_hash *hash);

/*
 * Pending, enabled interrupt for B or NC (PIC.md): its handler's address in *pc and its number, or -1. No side effects.
 * The caller checks whether the core already runs a handler.
 */
int tf_mmio_interrupt(struct tf_tile *tile, unsigned core, uint32_t *pc);

/* Will time alone raise an interrupt that is enabled for the core? */
bool tf_mmio_interrupt_to_come(const struct tf_tile *tile, unsigned core);

/* The core enters the handler of that interrupt: BRISC_INT_NO or NCRISC_INT_NO shows it, and the round robin moves
   on. */
void tf_mmio_interrupt_taken(struct tf_tile *tile, unsigned core, unsigned number);

#endif
