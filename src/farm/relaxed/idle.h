/* SPDX-License-Identifier: Apache-2.0 */
/* Workers that have found no work (R9). */
#ifndef FARM_RELAXED_IDLE_H
#define FARM_RELAXED_IDLE_H

#include "farm/chip/chip.h"

/* Call when a worker has found no work: end the run if no site has work (R9), else sleep until a site is woken. */
void tf_relaxed_idle(struct tf_relaxed *relaxed, unsigned number);

#endif
