/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/mmio/pic.h"
#include "tile/riscv/waits/waits.h"

#include "tile/riscv/waits/interrupt.h"
#include "tile/riscv/hart/look.h"
#include "tile/riscv/waits/unchanged.h"

/* Is no interrupt pending for the hart, and will time alone raise none? */
static bool undisturbed(struct tf_tile *tile, const struct tf_hart *hart)
{
    uint32_t handler_pc;
    if (!tf_hart_interruptible(tile, hart))
        return true;
    return tf_hart_pending_interrupt(tile, hart, &handler_pc) < 0 && !tf_mmio_interrupt_to_come(tile, hart->core);
}

bool tf_hart_waiting(struct tf_tile *tile, const struct tf_hart *hart)
{
    enum tf_park_look look;
    switch (hart->state) {
    case TF_CORE_RUNNING: return false;
    case TF_CORE_BLOCKED: return undisturbed(tile, hart) && tf_hart_would_block(tile, hart);
    case TF_CORE_PARKED:
        tile->cycle = hart->cycle;
        if (tf_hart_interruptible(tile, hart) && !undisturbed(tile, hart))
            return false;
        look = tf_park_look(tile, hart);
        return look == TF_PARK_UNKNOWN ? tf_park_unchanged(tile, hart) : look == TF_PARK_SAME;
    default: return true;
    }
}

bool tf_hart_will_wake(struct tf_tile *tile, const struct tf_hart *hart)
{
    uint64_t cycle = tile->cycle;
    bool wakes = hart->state == TF_CORE_PARKED && hart->cycle < tile->slice.deadline && !tf_hart_waiting(tile, hart);
    tile->cycle = cycle;
    return wakes;
}
