/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/control/control.h"

#include <string.h>

#include "host/extremes.h"
#include "tile/check.h"
#include "tile/explore/state.h"
#include "tile/riscv/hart/csr.h"
#include "tile/riscv/hart/settle.h"
#include "tile/riscv/hart/wake.h"
#include "tile/riscv/isa/v.h"
#include "tile/riscv/timed/timed.h"
#include "tile/state.h"

void tf_hart_reset(struct tf_tile *tile, struct tf_hart *hart)
{
    tf_hart_unsettle(tile, hart);
    memset(hart->x, 0, sizeof hart->x);
    memset(hart->f, 0, sizeof hart->f);
    if (hart->v_written)
        memset(hart->v, 0, TF_V_FILE_BYTES);
    hart->v_written = false;
    hart->pc = 0;
    hart->state = TF_CORE_RESET;
    hart->wait_address = 0;
    hart->wait_store = false;
    tf_csr_reset(&hart->csr, hart->cycle, hart->instret);
    tf_park_reset(hart);
}

void tf_hart_release(struct tf_tile *tile, struct tf_hart *hart, uint32_t pc, uint64_t cycle)
{
    tf_hart_unsettle(tile, hart);
    hart->cycle = cycle;
    tf_hart_reset(tile, hart);
    hart->pc = pc;
    hart->state = TF_CORE_RUNNING;
    tile->slice.horizon = 0;
    if (TF_HOOK(tile->explore) != NULL)
        hart->cycle += tile->explore->leaves_reset(tile, hart->core);
    if (TF_HOOK(tile->check) != NULL)
        tile->check->started(tile->check, hart->core);
}

void tf_hart_pause(struct tf_tile *tile, struct tf_hart *hart)
{
    if (hart->state == TF_CORE_PARKED)
        tf_park_wake(tile, hart);
    if (hart->state == TF_CORE_RUNNING || hart->state == TF_CORE_BLOCKED)
        hart->state = TF_CORE_PAUSED;
}

void tf_hart_resume(struct tf_tile *tile, struct tf_hart *hart)
{
    if (hart->state != TF_CORE_PAUSED)
        return;
    tf_hart_unsettle(tile, hart);
    hart->state = TF_CORE_RUNNING;
    tile->slice.horizon = 0;
    tf_park_reset(hart);
}

void tf_hart_watch(struct tf_hart *hart, bool watched)
{
    if (watched && hart->state == TF_CORE_PARKED)
        tf_park_wake(NULL, hart);
    hart->watched = watched;
}

void tf_hart_search(struct tf_tile *tile, struct tf_hart *hart, bool searches)
{
    if (hart->searches == searches)
        return;
    if (hart->state == TF_CORE_PARKED)
        tf_park_wake(tile, hart);
    hart->searches = searches;
    tile->code_generation++; /* a new generation makes the interpreter read `searches` again */
}

void tf_hart_wake_poller(struct tf_tile *tile, struct tf_hart *hart, uint64_t cycle)
{
    uint64_t start = tf_park_last_start(hart, cycle);
    if (TF_HOOK(tile->timing) != NULL)
        tf_timed_rest(tile, hart, cycle);
    else if (tile->mode.parking)
        tf_park_advance_before(hart, cycle);
    tf_park_wake(tile, hart);
    hart->park.probe_at = start + TF_PARK_INTERVAL_MIN; /* an executed hart may be earlier, and probes no earlier */
    tile->slice.horizon = 0;
}

void tf_hart_delay_probe(struct tf_hart *hart, uint64_t cycle)
{
    hart->park.probe_at = tf_max(hart->park.probe_at, cycle);
}
