/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the coprocessor and packers that are slow. */
#include <stdlib.h>
#include <string.h>

#include "tile/explore/explore.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"

static struct tf_decide_where at_gate(const struct tf_tile *tile, unsigned thread)
{
    const struct tf_tensix_thread *at = &tile->tensix->thread[thread];
    return (struct tf_decide_where){.pc = at->gate.pc, .cycle = at->cycle};
}

uint64_t tf_explored_thread(struct tf_tile *tile, unsigned thread)
{
    struct tf_explorer *explorer = tile->explore;
    uint8_t bit = (uint8_t)(1u << thread);
    explorer->thread_asked ^= bit;
    if ((explorer->thread_asked & bit) == 0)
        return 0;
    uint64_t cycles = (uint64_t)tf_decide(&explorer->decider, TF_FREE_THREAD, thread, at_gate(tile, thread)) *
                      explorer->slice_cycles;
    if (cycles == 0)
        explorer->thread_asked ^= bit;
    return cycles;
}

uint64_t tf_explored_pack(struct tf_tile *tile, unsigned thread)
{
    struct tf_explorer *explorer = tile->explore;
    uint32_t slices = tf_decide(&explorer->decider, TF_FREE_PACK, thread, at_gate(tile, thread));
    explorer->pack_due = slices == 0 ? 0 : tile->slice + slices;
    explorer->pack_pc = tile->tensix->thread[thread].gate.pc;
    explorer->pack_core = (uint8_t)(TF_CORE_T0 + thread);
    /* Slices are up to an eighth longer than others, and the lines come at the begin of one. */
    uint64_t until = slices == 0 ? 0 : tile->now + (uint64_t)(slices + 1) * explorer->slice_cycles * 5 / 4;
    if (until > explorer->pack_until)
        explorer->pack_until = until; /* later lines come behind these */
    return explorer->pack_until;
}

bool tf_explored_lines(struct tf_tile *tile, uint32_t address, const uint8_t *bytes, unsigned count)
{
    struct tf_explorer *explorer = tile->explore;
    if (explorer->pack_due == 0 && explorer->packed == NULL)
        return false;
    struct tf_late_lines *late = malloc(sizeof *late + count);
    if (late == NULL) {
        explorer->decider.lost = true;
        return false;
    }
    *late = (struct tf_late_lines){.due = explorer->pack_due,
                                   .address = address,
                                   .bytes = count,
                                   .pc = explorer->pack_pc,
                                   .core = explorer->pack_core};
    memcpy(late->data, bytes, count);
    *explorer->packed_end = late;
    explorer->packed_end = &late->next;
    return true;
}
