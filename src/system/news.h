/* SPDX-License-Identifier: Apache-2.0 */
/* What all chips decide together: which window comes next, and when the run ends. */
#ifndef SYSTEM_NEWS_H
#define SYSTEM_NEWS_H

#include <stdint.h>

#include "tilefarm/tilefarm_chip.h"

#define TF_ENDS (TF_END_TIME + 1)

struct tf_news {
    uint64_t ended[TF_ENDS]; /* by reason: the first window that is not run because of it. UINT64_MAX: none */
    uint64_t next;           /* tick at which something happens next on a chip that has not stopped */
    uint64_t next_of_all;    /* the same, with chips that have stopped */
    uint64_t latest;         /* tick that a chip has reached */
    uint64_t cycles;         /* the system's time */
    uint64_t stirred;        /* tick up to which a chip has sent requests, or a tile with a link has been active */
    uint64_t epoch_ticks;    /* the shortest next epoch of an active chip. UINT64_MAX: none is active */
    uint64_t due;            /* tick of the next arrival; UINT64_MAX: none */
};

#endif
