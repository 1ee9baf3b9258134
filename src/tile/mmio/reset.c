/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/mmio/reset.h"

#include "tile/mmio/dram.h"
#include "tile/mmio/eth_tile.h"
#include "tile/state.h"
#include "tile/tensix/configure/config.h"

static const struct {
    struct tf_core_reset core[TF_TILE_CORES];
} resets[TF_TILE_KINDS_ALL] = {
    [TF_TILE_TENSIX] = {{TF_TENSIX_RESETS}},
    [TF_TILE_ETH] = {{{.bit = 11, .keep_ram_bit = 6}, {.bit = 12, .keep_ram_bit = 8}}},
    [TF_TILE_DRAM] = {{{.bit = 11, .keep_ram_bit = 6}}},
};

const struct tf_core_reset *tf_debug_reset(const struct tf_tile *tile, unsigned core)
{
    return &resets[tile->arch->kind].core[core];
}

uint32_t tf_debug_reset_bit(const struct tf_tile *tile, unsigned core)
{
    return 1u << tf_debug_reset(tile, core)->bit;
}

static bool disable_reset(const struct tf_tile *tile, unsigned bit)
{
    return tile->mmio.debug.word[TF_DEBUG_DISABLE_RESET / 4] >> bit & 1;
}

bool tf_debug_keeps_ram(const struct tf_tile *tile, unsigned core)
{
    return disable_reset(tile, tf_debug_reset(tile, core)->keep_ram_bit);
}

bool tf_debug_keeps_registers(const struct tf_tile *tile, unsigned core)
{
    return disable_reset(tile, tf_debug_reset(tile, core)->keep_ram_bit + 1u);
}

bool tf_debug_holds_firmware(const struct tf_tile *tile)
{
    return (tile->mmio.debug.soft_reset & TF_DEBUG_HELD) != 0;
}

uint32_t tf_mmio_reset_pc(const struct tf_tile *tile, unsigned core)
{
    const uint32_t *word = tile->mmio.debug.word;
    unsigned kind = tile->arch->kind;
    if (kind == TF_TILE_ETH)
        return tile->mmio.eth_calls->reset_pc(tile, core);
    if (kind == TF_TILE_DRAM)
        return tile->mmio.dram->words->control[TF_DRAM_RESET_PC];
    uint32_t pc;
    if (tile->arch->config != NULL && tf_config_reset_pc(tile, core, &pc))
        return pc;
    const struct tf_core_reset *reset = tf_debug_reset(tile, core);
    if (tile->arch->config != NULL || reset->pc == 0)
        return reset->fixed_pc;
    bool programmed = word[reset->override / 4] >> reset->override_bit & 1;
    return programmed ? word[reset->pc / 4] : reset->fixed_pc;
}
