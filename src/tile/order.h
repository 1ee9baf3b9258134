/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a tile. Cores and coprocessor act in the order of their cycles; within a cycle B, NC, T0, T1, T2 and
 * then the coprocessor. A core runs ahead of the others until it touches a register that they can see or change. There
 * it stops at its own cycle until all others have reached that cycle. The coprocessor then runs all its threads up to
 * it. So no outcome depends on where slices end.
 *
 * Not ordered by cycle: L1 (plain loads and stores, AMOs), local RAM and NIU registers. There a core sees all that the
 * cores before it in that list have done in the slice.
 */
#ifndef TILE_ORDER_H
#define TILE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"
#include "tile/fast.h"

struct tf_tile;
struct tf_hart;

/*
 * A blocked core tries its access again in cycles that are multiples of this number. So the coprocessor runs at least
 * that many cycles at once (bench rows `thcon`, `matmul`), and consumes no more than an open FIFO holds.
 */
#define TF_ORDER_RETRY_CYCLES 32u

/*
 * A core is about to access a register outside NIUs, in cycle hart->cycle. OK: it is the earliest of the tile, and the
 * coprocessor has done all cycles before. EARLY: others are behind; the core must stop before this access, and
 * hart->early says so.
 */
enum tf_access tf_order_claim_register(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, bool store);

/* The same for any register. Fast words belong to NIUs, which are not ordered: bench row `atomic-inc-spread` pays for
   the test here. */
static inline enum tf_access tf_order_claim(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, bool store)
{
    return tf_fast_reaches(address) ? TF_ACCESS_OK : tf_order_claim_register(tile, hart, address, store);
}

/* The same for an access at any address that only the coprocessor can affect. */
enum tf_access tf_order_claim_coprocessor(struct tf_tile *tile, struct tf_hart *hart);

/* Run the cores that stopped before `deadline` because of the order, earliest first, until none is left. */
void tf_order_run(struct tf_tile *tile, uint64_t deadline);

/* The first cycle at or after `cycle` in which blocked cores try their accesses again. */
static inline uint64_t tf_order_retry(uint64_t cycle)
{
    return (cycle + TF_ORDER_RETRY_CYCLES - 1) / TF_ORDER_RETRY_CYCLES * TF_ORDER_RETRY_CYCLES;
}

#endif
