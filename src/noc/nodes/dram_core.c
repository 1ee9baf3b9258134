/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core of a DRAM tile of Blackhole, as the NOC and the host see it: its L1, and its registers until there is a tile
 * with the core. Sources: docs/dram-cores.md.
 */
#include "host/saved.h"
#include "host/zeroed.h"
#include "noc/nodes/dram.h"
#include "noc/nodes/dram_core.h"
#include "noc/noc.h"
#include "tile/arch.h"
#include "tile/mmio/dram.h"
#include "tile/mmio/mmio.h"

enum { SOFT_RESET_0 = 0x1B0, CONTROL = 0x2000 }; /* offsets from the first register */
#define IN_RESET 0x800u
#define RESET_BITS 0x00FFFFFFu
#define HAS_TILE 0x80000000u /* no bit of the register */

struct tf_dram_core {
    struct tf_dram *l1;
    uint8_t *l1_memory;  /* of a core that has a tile */
    uint32_t soft_reset; /* while there is no tile */
    struct tf_dram_words words;
    struct tf_dram_side side;
};

static const char *copy(void *user, uint64_t address, uint32_t l1, uint32_t bytes, bool in)
{
    struct tf_node *node = user;
    if (address >= node->dram_bytes || bytes > node->dram_bytes - address)
        return "the range of the DMA is not in GDDR";
    if (in)
        tf_channel_get(node->dram, address, node->core->l1_memory + l1, bytes, false);
    else if (!tf_channel_put(node->dram, address, node->core->l1_memory + l1, bytes, false))
        return TF_NOC_WHY_NO_PAGE;
    return NULL;
}

struct tf_dram_core *tf_dram_core_create(struct tf_node *node)
{
    struct tf_dram_core *core = tf_zeroed_take(sizeof *core);
    if (core == NULL)
        return NULL;
    core->soft_reset = IN_RESET;
    core->side = (struct tf_dram_side){.words = &core->words, .copy = copy, .node = node};
    core->l1 = tf_channel_create(TF_DRAM_BLOCK_BYTES);
    if (core->l1 != NULL)
        return core;
    tf_dram_core_destroy(core);
    return NULL;
}

void tf_dram_core_destroy(struct tf_dram_core *core)
{
    if (core == NULL)
        return;
    tf_channel_destroy(core->l1);
    tf_zeroed_give(core, sizeof *core);
}

struct tf_dram *tf_dram_core_l1(const struct tf_dram_core *core)
{
    return core->l1;
}

uint8_t *tf_dram_core_l1_memory(const struct tf_dram_core *core)
{
    return core->l1_memory;
}

uint8_t *tf_dram_core_take_l1(struct tf_node *node)
{
    struct tf_dram_core *core = node->core;
    bool zero;
    core->l1_memory = tf_channel_memory(core->l1, 0, node->space->core_l1_bytes, true, &zero);
    return core->l1_memory;
}

struct tf_dram_side *tf_dram_core_takes_tile(struct tf_node *node)
{
    node->core->soft_reset |= HAS_TILE;
    return &node->core->side;
}

bool tf_dram_core_has_tile(const struct tf_dram_core *core)
{
    return (core->soft_reset & HAS_TILE) != 0;
}

static uint32_t *register_at(struct tf_dram_core *core, uint32_t offset)
{
    uint32_t word = (offset - CONTROL) / 4;
    if (offset == SOFT_RESET_0)
        return &core->soft_reset;
    return offset >= CONTROL && tf_dram_control_exists(word) ? &core->words.control[word] : NULL;
}

/* Make the tile, which then has the registers. */
static const char *make_tile(struct tf_node *node)
{
    const struct tf_fabric *fabric = node->niu[0].fabric;
    if (fabric->cores == NULL)
        return "a DRAM tile's core runs no programs here";
    return fabric->cores->make(fabric->cores->user, node);
}

const char *tf_dram_core_load(struct tf_node *node, uint32_t offset, uint32_t *value)
{
    const uint32_t *word = register_at(node->core, offset);
    if (word == NULL)
        return make_tile(node);
    *value = *word;
    return NULL;
}

const char *tf_dram_core_store(struct tf_node *node, uint32_t offset, uint32_t value)
{
    uint32_t *word = register_at(node->core, offset);
    if (word == NULL || (offset == SOFT_RESET_0 && !(value & IN_RESET)))
        return make_tile(node);
    *word = offset == SOFT_RESET_0 ? value & RESET_BITS : value;
    return NULL;
}

void tf_dram_core_hash(const struct tf_dram_core *core, struct tf_hash *hash)
{
    tf_hash_u32(hash, core->soft_reset);
    tf_hash_bytes(hash, core->words.control, sizeof core->words.control);
    if (tf_dram_core_has_tile(core))
        tf_hash_bytes(hash, &core->words, sizeof core->words);
    tf_channel_hash(core->l1, hash);
}

void tf_dram_core_state(struct tf_saved *saved, struct tf_dram_core *core)
{
    TF_SAVED(saved, core->soft_reset);
    TF_SAVED(saved, core->words.control);
    if (tf_dram_core_has_tile(core))
        TF_SAVED_MEMORY(saved, core->words);
    tf_channel_state(saved, core->l1);
}
