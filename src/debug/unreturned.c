/* SPDX-License-Identifier: Apache-2.0 */
/* Cores that have ended before their main() returned. */
#include "debug/symbols.h"
#include "farm/chip/chip.h"

/* Has a core ended in this state, by a program that has this symbol? */
static bool ended_as(const struct tf_chip *chip, const struct tf_symbols *symbols, const struct tf_waiting *wait,
                     enum tf_core_state state, const char *symbol)
{
    uint32_t address, bytes;
    const int number = tf_symbols_tile(tf_chip_arch(chip), wait->node);
    const struct tf_tile *tile = number < 0 ? NULL : tf_symbols_tile_of(chip, (unsigned)number);
    return tile != NULL && !wait->stuck && !wait->thread && tile->hart[wait->core].state == state &&
           tf_symbols_named(symbols, (unsigned)number, wait->core, symbol, &address, &bytes);
}

bool tf_waiting_trapped(const struct tf_chip *chip, const struct tf_symbols *symbols, const struct tf_waiting *wait)
{
    return ended_as(chip, symbols, wait, TF_CORE_PAUSED, "main");
}

bool tf_waiting_endless(const struct tf_chip *chip, const struct tf_symbols *symbols, const struct tf_waiting *wait)
{
    /* The start file has this symbol. After main() it leaves a mark, which sets `returned`. */
    return !wait->returned && ended_as(chip, symbols, wait, TF_CORE_PARKED, "__local_begun");
}
