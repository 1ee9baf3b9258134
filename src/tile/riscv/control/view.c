/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/control/view.h"

#include <string.h>

#include "tile/hash.h"
#include "tile/riscv/hart/csr.h"
#include "tile/riscv/hart/settle.h"
#include "tile/riscv/hart/wake.h"
#include "tile/riscv/isa/v.h"
#include "tile/riscv/timed/timed.h"
#include "tile/state.h"

/* Compute in *copy the state of a parked hart at the end of the slice, as if it had been executed. */
static const struct tf_hart *exact(const struct tf_tile *tile, const struct tf_hart *hart, struct tf_hart *copy)
{
    bool behind = !hart->park.words_only && hart->cycle < tile->slice.deadline;
    if (hart->state != TF_CORE_PARKED ||
        (!behind && (!hart->park.held || (hart->park.position == 0 && !hart->park.beats))))
        return hart;
    *copy = *hart;
    if (behind && TF_HOOK(tile->timing) != NULL)
        tf_timed_rest(tile, copy, tile->slice.deadline);
    else if (behind)
        tf_park_advance(copy, tile->slice.deadline);
    tf_park_wake(tile, copy);
    return copy;
}

void tf_hart_look(struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_view *view)
{
    struct tf_hart copy;
    tf_hart_settle(tile, &tile->hart[hart->core]);
    const struct tf_hart *seen = exact(tile, hart, &copy);
    memset(view, 0, sizeof *view);
    view->state = hart->state;
    view->pc = seen->pc;
    memcpy(view->x, seen->x, sizeof view->x);
    view->cycle = seen->cycle;
    view->instret = seen->instret;
    if (hart->state == TF_CORE_BLOCKED)
        view->wait_address = hart->wait_address;
    else if (hart->state == TF_CORE_PARKED && hart->park.inputs != 0)
        view->wait_address = hart->park.input[0].address;
}

void tf_hart_hash(struct tf_tile *tile, const struct tf_hart *hart, struct tf_hash *hash)
{
    struct tf_hart copy;
    const struct tf_hart *seen = exact(tile, hart, &copy);
    tf_hash_bytes(hash, seen->x, 32 * sizeof seen->x[0]);
    tf_hash_bytes(hash, seen->f, sizeof seen->f);
    tf_hash_u32(hash, seen->pc);
    tf_hash_u32(hash, hart->state == TF_CORE_PARKED ? TF_CORE_RUNNING : hart->state);
    tf_hash_u64(hash, seen->cycle);
    tf_hash_u64(hash, seen->instret);
    tf_csr_hash(&seen->csr, hash);
    if (hart->v_written)
        tf_hash_bytes(hash, hart->v, TF_V_FILE_BYTES);
}
