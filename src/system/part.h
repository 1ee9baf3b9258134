/* SPDX-License-Identifier: Apache-2.0 */
/* A chip of a system, with the lanes that lead to it and from it. One thread at a time works on a part. */
#ifndef SYSTEM_PART_H
#define SYSTEM_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "system/lane.h"
#include "tilefarm/tilefarm_chip.h"

#define TF_PORTS_MAX 16u

/* Aligned against false sharing. */
struct tf_system_part {
    _Alignas(128) struct tf_chip *chip;
    struct tf_lane *in[TF_PORTS_MAX], *out[TF_PORTS_MAX]; /* by port; NULL: no link */
    uint64_t due;                                         /* tick of the next arrival; UINT64_MAX: none */
    const struct tf_run_options *options;                 /* with the word that this chip's run waits for; or NULL */
    enum tf_end end;                                      /* of its last window */
    bool ran;                                             /* it takes part in the present window */
    bool changed;                                         /* it ran, or something was sent to it: `due` may be old */
    bool elsewhere;                                       /* another rank runs it (ranks.h) */
};

/* The tick at which something happens next on the chip. UINT64_MAX: never. */
uint64_t tf_system_part_next(const struct tf_system_part *part);

/* The same for a chip that this process runs, unless it has stopped for the rest of the run. */
uint64_t tf_system_part_goes_on(const struct tf_system_part *part);

/* Has the chip stopped for the rest of the run? */
bool tf_system_part_stopped(const struct tf_system_part *part);

/* Run a part up to a tick: packets arrive, and epochs run. hold: tf_part_hold(). */
void tf_system_part_run(struct tf_system_part *part, uint64_t tick, uint64_t hold);

/* Take what the chip has sent, when all parts have run. part: all parts, by chip; those that get something change. */
void tf_system_part_gather(struct tf_system_part *part, unsigned chip, const struct tf_lane_listener *listener);

/* Find part->due anew, when all parts have gathered. It stays unless the part has changed. */
void tf_system_part_look(struct tf_system_part *part);

#endif
