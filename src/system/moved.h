/* SPDX-License-Identifier: Apache-2.0 */
/* Chips that move between ranks: their state, and what is under way to them, in pieces. */
#ifndef SYSTEM_MOVED_H
#define SYSTEM_MOVED_H

#include <stdbool.h>
#include <stdint.h>

struct tf_saved;
struct tf_system;

/* Let rank 0 have the state of some chips, as bits, and of links to them (gather), or give their ranks the state that
   rank 0 has. Rank 0 and the ranks of these chips call it between runs. TF_OK, TF_EIO (a rank has failed),
   TF_ENOMEM. */
int tf_ranks_move(struct tf_system *system, uint32_t chips, bool gather);

/* The same of all chips. All ranks call it. */
int tf_ranks_gather(struct tf_system *system);
int tf_ranks_scatter(struct tf_system *system);

/* Let rank 0 have something else of all ranks, one after another. state: called at such a rank, to write what it has,
   and at rank 0 with that rank, to read it (host/saved.h). Both move the same fields. Returns false if a rank has
   failed. */
bool tf_ranks_collect(struct tf_system *system, void (*state)(struct tf_saved *saved, void *user, unsigned rank),
                      void *user);

#endif
