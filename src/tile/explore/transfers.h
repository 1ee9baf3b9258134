/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers of the mover, requests of the scalar unit, and commands to NIUs that come late. */
#ifndef TILE_EXPLORE_TRANSFERS_H
#define TILE_EXPLORE_TRANSFERS_H

#include <stdbool.h>
#include <stdint.h>

struct tf_mover_job;
struct tf_scalar_request;
struct tf_tile;

/* The mover begins a transfer; the scalar unit sends a request. As tf_explored_unit(). */
uint64_t tf_explored_move(struct tf_tile *tile, unsigned core, uint32_t pc);
uint64_t tf_explored_request(struct tf_tile *tile, unsigned thread, uint32_t pc);

/* A core commands a transfer by TDMA-RISC; one that is under way is finished now. As tf_explored_unit(). */
uint64_t tf_explored_command(struct tf_tile *tile, unsigned core);

/* The mover, which is not in reset, has a transfer to make: now, or as late as was decided. */
void tf_explored_moves(struct tf_tile *tile, const struct tf_mover_job *job);

/* Has the mover a transfer whose data it has not moved? */
bool tf_explored_moving(const struct tf_tile *tile);

/* Moves these data, if there are any. */
void tf_explored_finish_move(struct tf_tile *tile);

/* The scalar unit has sent a request. Returns true if it acts later. */
bool tf_explored_sends(struct tf_tile *tile, const struct tf_scalar_request *request);

/* Are requests of a thread under way? At TF_TENSIX_THREADS, are requests of any thread under way? */
bool tf_explored_requesting(const struct tf_tile *tile, unsigned thread);

/* Transfers and requests that are due. */
void tf_explored_transfers_due(struct tf_tile *tile);

/* A core has stored a command to a NIU with room for it. Returns true if the NIU issues none for a while. */
bool tf_explored_holds_command(struct tf_tile *tile, unsigned noc, unsigned core, uint32_t pc);

/* Does the NIU hold commands back in this slice, too? */
bool tf_explored_niu_held(const struct tf_tile *tile, unsigned noc);

#endif
