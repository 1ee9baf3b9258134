/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core of a DRAM tile of Blackhole, as seen over the NOC: its L1, and the registers that it starts by. It stays in
 * reset. Sources: docs/dram-cores.md.
 */
#include "host/saved.h"
#include "host/zeroed.h"
#include "noc/endpoints.h"
#include "noc/parts.h"

enum { SOFT_RESET_0 = 0x1B0, CONTROL = 0x2000 }; /* offsets from the first register */
enum { CONTROL_WORDS = 0x80 / 4 };
#define IN_RESET 0x800u

struct tf_dram_core {
    struct tf_dram *l1;
    uint32_t soft_reset;
    uint32_t control[CONTROL_WORDS];
};

/* RESET_PC_0, END_PC_0; SCRATCH; CLK_GATING, ECC_SCRUBBER; INTERRUPT_MODE and INTERRUPT_VECTOR, seven of each. */
#define CONTROL_EXISTS (3u | 0xFu << 4 | 3u << 8 | 0x7Fu << 16 | 0x7Fu << 24)

struct tf_dram_core *tf_dram_core_create(void)
{
    struct tf_dram_core *core = tf_zeroed_take(sizeof *core);
    if (core == NULL)
        return NULL;
    core->soft_reset = IN_RESET;
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

static uint32_t *register_at(struct tf_dram_core *core, uint32_t offset)
{
    uint32_t word = (offset - CONTROL) / 4;
    if (offset == SOFT_RESET_0)
        return &core->soft_reset;
    return offset >= CONTROL && word < CONTROL_WORDS && CONTROL_EXISTS >> word & 1 ? &core->control[word] : NULL;
}

static const char *const unknown =
    "of a DRAM tile's core, tilefarm has only L1, SOFT_RESET_0 and the registers of 0xFFB14000";

const char *tf_dram_core_load(struct tf_dram_core *core, uint32_t offset, uint32_t *value)
{
    const uint32_t *word = register_at(core, offset);
    if (word == NULL)
        return unknown;
    *value = *word;
    return NULL;
}

const char *tf_dram_core_store(struct tf_dram_core *core, uint32_t offset, uint32_t value)
{
    uint32_t *word = register_at(core, offset);
    if (word == NULL)
        return unknown;
    if (offset == SOFT_RESET_0 && !(value & IN_RESET))
        return "a DRAM tile's core runs no programs here: bit 11 of SOFT_RESET_0 must stay set";
    *word = value;
    return NULL;
}

void tf_dram_core_hash(const struct tf_dram_core *core, struct tf_hash *hash)
{
    tf_hash_u32(hash, core->soft_reset);
    tf_hash_bytes(hash, core->control, sizeof core->control);
    tf_channel_hash(core->l1, hash);
}

void tf_dram_core_state(struct tf_saved *saved, struct tf_dram_core *core)
{
    TF_SAVED(saved, core->soft_reset);
    TF_SAVED(saved, core->control);
    tf_channel_state(saved, core->l1);
}
