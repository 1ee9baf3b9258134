/* SPDX-License-Identifier: Apache-2.0 */
/* Backend configuration (BlackholeA0/TensixTile/TensixCoprocessor/BackendConfiguration.md). */
#ifndef TILE_TENSIX_CONFIGURE_CONFIG_H
#define TILE_TENSIX_CONFIGURE_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_tensix;
struct tf_tile;

/* Words as software reads them, in the layout of the tile's family. */
uint32_t tf_config_word(const struct tf_tensix *tensix, unsigned bank, unsigned index);
uint32_t tf_config_thread_word(const struct tf_tensix *tensix, unsigned thread, unsigned index);

/* Writes a word of Config, with the side effects of the page's "Special cases". index < TF_CFG_WORDS. */
void tf_config_write(struct tf_tile *tile, unsigned bank, unsigned index, uint32_t value);

/* Writes the word of an index into the window at TF_CFG_BASE. Returns false, without an effect, if the word is not of
   Config. */
bool tf_config_write_at(struct tf_tile *tile, uint32_t index, uint32_t value);

/* The window at TF_CFG_BASE for B and T0..T2: both banks, the bank that writes to both, ThreadConfig (read only). */
enum tf_access tf_config_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_config_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);

/* Words of the window at TF_CFG_BASE. */
uint32_t tf_config_window_words(const struct tf_tile *tile);

/* For families whose configuration holds the reset addresses of cores. Returns true if this core has one; *pc becomes
   that address. */
bool tf_config_reset_pc(const struct tf_tile *tile, unsigned core, uint32_t *pc);

/* THCON configuration soft reset (SoftReset.md): the words become zero when the reset begins; writes are lost while it
   lasts. */
void tf_config_reset_thcon(struct tf_tile *tile);

#endif
