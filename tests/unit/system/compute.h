/* SPDX-License-Identifier: Apache-2.0 */
/* Chips of a system that compute for long before they run `halo`. */
#ifndef TESTS_SYSTEM_COMPUTE_H
#define TESTS_SYSTEM_COMPUTE_H

struct tf_system;

/* After the set-up of `halo`: chips compute for so long that windows grow, and then send. Chip 0 computes longer, also
   at a tile that `halo` does not use: so it is ahead of the others, which wait. */
void compute_first(struct tf_system *system);

#endif
