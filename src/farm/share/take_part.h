/* SPDX-License-Identifier: Apache-2.0 */
/* A worker takes part in an epoch. */
#ifndef FARM_SHARE_TAKE_PART_H
#define FARM_SHARE_TAKE_PART_H

struct tf_worker;

/* Reset a worker's findings and arenas, if this is its first site of the epoch. By the worker. */
void tf_take_part(struct tf_worker *worker);

#endif
