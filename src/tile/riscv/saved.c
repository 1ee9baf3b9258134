/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of a hart (host/saved.h). */
#include "tile/riscv/hart.h"
#include "tile/riscv/park/skip.h"
#include "tile/riscv/isa/v.h"
#include "host/saved.h"
#include "tile/state.h"

TF_SAVED_WHOLE(struct tf_csrs, 168);
TF_SAVED_WHOLE(struct tf_hart, 1536);

/* Save all fields but those that creation sets (`core`, `local`, `local_bytes`, `v`), and `touched`, which only
   caches. */
void tf_hart_state(struct tf_saved *saved, struct tf_tile *tile, struct tf_hart *hart)
{
    TF_SAVED_SPAN(saved, hart, x, core);
    TF_SAVED_SPAN(saved, hart, state, local_bytes);
    TF_SAVED_SPAN(saved, hart, cycle, local);
    TF_SAVED_SPAN(saved, hart, wait_address, touched);
    TF_SAVED(saved, hart->csr);
    TF_SAVED(saved, hart->v_written);
    if (saved->reads && hart->v_written && hart->v == NULL)
        tf_saved_fail(saved, "it is damaged: a core without vector registers has some");
    else if (hart->v_written)
        tf_saved_bytes(saved, hart->v, TF_V_FILE_BYTES);
    tf_saved_memory(saved, hart->local, hart->local_bytes);
    tf_park_state(saved, tile, hart);
}
