/* SPDX-License-Identifier: Apache-2.0 */
/* The instances of the interpreter. */
#ifndef TILE_RISCV_INTERP_INSTANCES_H
#define TILE_RISCV_INTERP_INSTANCES_H

struct tf_code_instances;

/* Addresses of the handlers, by enum tf_handler; those of the instances for counted chips, for checked ones, for both,
   for those that explore, and for those with ordered memory. */
const void *const *tf_interp_handlers(void);
const void *const *tf_interp_counted_handlers(void);
const void *const *tf_interp_checked_handlers(void);
const void *const *tf_interp_both_handlers(void);
const void *const *tf_interp_explored_handlers(void);
const void *const *tf_interp_ordered_handlers(void);

/* All of them, for tf_code_cache_create(). */
extern const struct tf_code_instances tf_interp_instances;

#endif
