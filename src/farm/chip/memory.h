/* SPDX-License-Identifier: Apache-2.0 */
/* The host's memory for L1: one slot of 2 MiB for each tile, so that a huge page fits. */
#ifndef FARM_MEMORY_H
#define FARM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct tf_chip;

#define TF_SLOT_BYTES (2u << 20)

/* Reserve zeroed slots, which take no memory until they are touched. *bytes: for tf_slots_release(). NULL: the host has
   no address space. */
uint8_t *tf_slots_reserve(unsigned slots, size_t *bytes);
void tf_slots_release(uint8_t *memory, size_t bytes);

/* Ask the host for a huge page where a Tensix tile has touched three quarters of its L1. Bench row: the matmul rows. */
void tf_slots_promote(struct tf_chip *chip);

#endif
