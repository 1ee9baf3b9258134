/* SPDX-License-Identifier: Apache-2.0 */
/* Time of a chip between runs. Calling thread only. */
#ifndef FARM_EPOCH_TIME_H
#define FARM_EPOCH_TIME_H

#include <stdint.h>

struct tf_epochs;
struct tf_schedule;

/* Let at least this number of cycles pass, on a chip without an active site. */
void tf_pass_time(struct tf_epochs *epochs, struct tf_schedule *schedule, uint64_t cycles);

/* The first tick that begins at or past a cycle. */
uint64_t tf_tick_from(const struct tf_schedule *schedule, uint64_t cycle);

/* The tick before which a run must end. cycle: the chip's time; cycles: length of the run; 0: no limit. Returns
   UINT64_MAX for no limit. */
uint64_t tf_limit_tick(const struct tf_schedule *schedule, uint64_t cycle, uint64_t cycles);

#endif
