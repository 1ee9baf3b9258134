/* SPDX-License-Identifier: Apache-2.0 */
/* Words of L1 that an actor has written. */
#ifndef RACES_STATE_WRITTEN_H
#define RACES_STATE_WRITTEN_H

#include "races/state/state.h"

/* Begin to record which words of L1 are written, once all sites have their tiles. Returns false if the host has no
   memory. */
bool written_begin(struct tf_races *races);
void written_free(struct tf_races *races);

/* With --fill: no word is written yet. */
void written_forget(struct tf_races *races);

/* Mark the words of a range as written. */
void note_written(struct site *site, uint64_t address, uint64_t bytes);

/* An access reads a range. Report its first unwritten word. */
void read_written(struct site *site, const struct who *who, uint64_t address, uint64_t bytes);

/* An actor changes or polls a word. With --fill something must have written it before. */
void read_first(struct site *site, const struct who *who, uint64_t address);

/* Has an actor written the word of L1 at an address? */
static inline bool word_written(const struct site *site, uint32_t address)
{
    return site->written != NULL &&
           (site->written[address / TF_SHADOW_BLOCK_BYTES] >> tf_shadow_word(address) & 1) != 0;
}

/* Has any word of a range been written? Here a value shows it, too. */
bool is_written(const struct site *site, uint64_t address, uint64_t bytes);

#endif
