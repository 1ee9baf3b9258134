/* SPDX-License-Identifier: Apache-2.0 */
#include "debug/depth.h"

#include <string.h>

#include "debug/symbols.h"
#include "farm/chip/chip.h"
#include "tilefarm_address.h"

/* The range of local RAM, by offset, in which the stack may grow. */
static bool find_range(const struct tf_symbols *symbols, const struct tf_hart *hart, unsigned tile, unsigned core,
                       uint32_t *first, uint32_t *end)
{
    uint32_t bytes;
    if (!tf_symbols_named(symbols, tile, core, "__local_end", first, &bytes) ||
        !tf_symbols_named(symbols, tile, core, "__stack_top", end, &bytes))
        return false;
    *first -= TF_LOCAL_BASE;
    *end -= TF_LOCAL_BASE;
    return *first % 4 == 0 && *first < *end && *end <= hart->local_bytes;
}

bool tf_stack_depth(struct tf_chip *chip, const struct tf_symbols *symbols, unsigned tile, unsigned core,
                    struct tf_depth *depth)
{
    uint32_t first, end, word = 0;
    tf_forks_settle_all(&chip->forks, chip->fabric);
    if (tile >= chip->tiles.tensix || core >= chip->tiles.tile[tile].arch->cores)
        return false;
    const struct tf_hart *hart = &chip->tiles.tile[tile].hart[core];
    if (hart->local_zero || !find_range(symbols, hart, tile, core, &first, &end)) /* local_zero: it has not run */
        return false;
    depth->room = end - first;
    while (first < end && word == 0) {
        memcpy(&word, hart->local + first, sizeof word);
        first += word == 0 ? 4 : 0;
    }
    depth->used = end - first;
    return true;
}

bool tf_stack_deepest(struct tf_chip *chip, const struct tf_symbols *symbols, unsigned core, struct tf_deepest *deepest)
{
    struct tf_depth depth;
    bool found = false;
    for (unsigned tile = 0; symbols != NULL && tile < chip->tiles.tensix; tile++) {
        if (!tf_stack_depth(chip, symbols, tile, core, &depth))
            continue;
        if (!found || depth.room - depth.used < deepest->depth.room - deepest->depth.used)
            *deepest = (struct tf_deepest){tile, depth};
        found = true;
    }
    return found;
}
