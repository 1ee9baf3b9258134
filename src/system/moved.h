/* SPDX-License-Identifier: Apache-2.0 */
/* Chips that move between ranks: their state, and what is under way to them, in pieces. */
#ifndef SYSTEM_MOVED_H
#define SYSTEM_MOVED_H

struct tf_system;

/* Let rank 0 have the state of all chips and links (gather), or give the others the state that rank 0 has (scatter).
   All ranks call it between runs. TF_OK, TF_EIO (a rank has failed), TF_ENOMEM. */
int tf_ranks_gather(struct tf_system *system);
int tf_ranks_scatter(struct tf_system *system);

#endif
