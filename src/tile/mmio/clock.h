/* SPDX-License-Identifier: Apache-2.0 */
/* The wall clock, the timestamper and the watchdog; offset is that of one of their registers. */
#ifndef TILE_MMIO_CLOCK_H
#define TILE_MMIO_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_debug;
struct tf_tile;

void tf_clock_init(struct tf_debug *debug);
bool tf_clock_passes(const struct tf_tile *tile, uint32_t offset); /* time alone changes the word */
bool tf_clock_load_acts(const struct tf_tile *tile, uint32_t offset);
uint32_t tf_clock_load(struct tf_tile *tile, uint32_t offset);
enum tf_access tf_clock_store(struct tf_tile *tile, unsigned from, uint32_t offset, uint32_t value);
bool tf_watchdog_line(const struct tf_tile *tile);    /* it raises hardware IRQ 3 */
bool tf_watchdog_to_come(const struct tf_tile *tile); /* it will raise it by time alone */

#endif
