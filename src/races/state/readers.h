/* SPDX-License-Identifier: Apache-2.0 */
/* Which words of a family's backend configuration each unit reads. */
#ifndef RACES_STATE_READERS_H
#define RACES_STATE_READERS_H

#include <stdint.h>

#define CONTEXTS 8u /* of an unpacker */

/* Readers, as bits: of each unpacker what serves all its contexts, and each context; packers; matrix and vector unit;
   mover; RDCFG, which reads any word, and is in no table. */
enum { PACKS = 2 * (1 + CONTEXTS), COMPUTES, MOVES, RDCFGS, CONFIG_READERS };

#define UNPACKS(side) ((side) * (1 + CONTEXTS))
#define BIT(reader) (1u << (reader))
#define ALL_READERS ((1u << RDCFGS) - 1)
#define ALL_CONTEXTS(side) (((1u << (1 + CONTEXTS)) - 1) << UNPACKS(side))

struct tf_config_arch;

/* Readers of a word of a bank, in which some bits change. */
uint32_t config_readers(const struct tf_config_arch *arch, unsigned word, uint32_t changed);

#endif
