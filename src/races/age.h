/* SPDX-License-Identifier: Apache-2.0 */
/* The checker forgets accesses before its times would wrap. */
#ifndef RACES_AGE_H
#define RACES_AGE_H

#include <stdint.h>

struct tf_races;

/* An epoch begins at this cycle. The checker's times have 32 bits. After each 2^31 cycles it forgets all accesses, and
   counts them as ordered. */
void tf_races_epoch(struct tf_races *races, uint64_t cycle);

#endif
