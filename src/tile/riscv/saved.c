/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of a hart (host/saved.h). */
#include "tile/riscv/saved.h"
#include "tile/riscv/hart.h"
#include "tile/riscv/park/skip.h"
#include "tile/riscv/isa/v.h"
#include "host/saved.h"
#include "tile/state.h"
#include "tile/riscv/park/saved.h"

TF_SAVED_WHOLE(struct tf_csrs, 184);
TF_SAVED_WHOLE(struct tf_hart, 1536);

/* Are the flags valid, and the number of the state? The file may be damaged. */
static bool fits(const struct tf_hart *hart)
{
    const bool *const flags[] = {&hart->watched,    &hart->yielded,    &hart->searches,   &hart->overtaken,
                                 &hart->local_zero, &hart->wait_store, &hart->wait_tried, &hart->v_written};
    bool fits = hart->state <= TF_CORE_FAULTED;
    for (unsigned i = 0; i < sizeof flags / sizeof flags[0]; i++)
        fits = fits && tf_saved_is_flag(flags[i]);
    return fits;
}

/* Save all fields but those that creation sets (`core`, `local`, `local_bytes`, `v`), and `touched`, which only
   caches. */
void tf_hart_state(struct tf_saved *saved, struct tf_tile *tile, struct tf_hart *hart)
{
    TF_SAVED_SPAN(saved, hart, x, core);
    TF_SAVED_SPAN(saved, hart, state, local_bytes);
    TF_SAVED_SPAN(saved, hart, cycle, local);
    TF_SAVED_SPAN(saved, hart, wait_address, touched);
    TF_SAVED(saved, hart->csr);
    tf_saved_demand(saved, fits(hart), "it is damaged: the state of a core is invalid");
    if (saved->reads && saved->why != NULL)
        return;
    if (saved->reads && hart->v_written && hart->v == NULL)
        tf_saved_fail(saved, "it is damaged: a core without vector registers has some");
    else if (hart->v_written)
        tf_saved_bytes(saved, hart->v, TF_V_FILE_BYTES);
    tf_saved_memory(saved, hart->local, hart->local_bytes);
    tf_park_state(saved, tile, hart);
}
