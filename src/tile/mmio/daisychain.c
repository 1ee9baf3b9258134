/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The debug daisychain: groups of 128 bits of a tile's inner state. Software reads them word by word, or has them
 * written to L1. Source: WormholeB0/TensixTile/DebugDaisychain.md; numbers of Ethernet cores: tt-exalens,
 * hardware/blackhole/eth_block.py.
 */
#include "tile/mmio/daisychain.h"

#include "host/extremes.h"
#include "tile/state.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/hart/access_fault.h"
#include "tile/riscv/control/view.h"
#include "tile/tensix/debug/debug.h"

/* DBG_BUS_CNTL_REG */
#define SIGNAL(control) ((control)&0xFFFF)
#define DAISY(control) ((control) >> 16 & 0xFF)
#define WORD(control) ((control) >> 25 & 3)
#define ENABLED (1u << 29)

#define DAISY_CORES 7u
#define GROUP_WORDS 4u

/* DBG_L1_MEM_REG2 */
#define WRITE_MODE(control) ((control)&15)
#define WRITE_TRIGGER (1u << 12)
enum {
    WRITE_SAME = 0,
    WRITE_NEXT = 1,
    WRITE_SERIES = 4,
    WRITE_PREPARE = 15,
};
#define WRITE_BYTES_MAX 0x100000u

/* A core's execution state. In this model only a blocked access takes time. */
static uint32_t core_word(const struct tf_core_view *view, bool stores, bool group_b, unsigned word)
{
    uint32_t runs = view->state != TF_CORE_RESET;
    bool waits = view->state == TF_CORE_BLOCKED;
    uint32_t pc = view->pc & 0x3FFFFFFF;
    if (group_b)
        return word == 1 ? pc | runs << 31 : word == 3 ? runs << 7 : 0;
    switch (word) {
    case 0: /* pc of the next instruction to retire */ return (view->pc & 0x7FFFFFFF) | runs << 31;
    case 1: /* the memory request about to be sent */
        return waits ? (view->wait_address & 0x3FFFFFFF) | 1u << (stores ? 31 : 30) : 0;
    case 2: /* pc of the next fetch */ return pc;
    default: /* the fetched instruction: there is none now */ return 0;
    }
}

/* Returns false if there is no such signal. */
/* clang-format off */
static bool read_core_signal(struct tf_tile *tile, uint32_t signal, unsigned word, uint32_t *value)
{
    static const uint8_t group_a[TF_TILE_KINDS_ALL][TF_TILE_CORES] = {
        [TF_TILE_TENSIX] = { [TF_CORE_B] = 10, [TF_CORE_NC] = 24, [TF_CORE_T0] = 12, [TF_CORE_T1] = 14,
                             [TF_CORE_T2] = 16 },
        [TF_TILE_ETH] = { 18, 20 },
        [TF_TILE_DRAM] = { 18 },
    };
    /* clang-format on */
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        if (signal >> 1 != group_a[tile->arch->kind][core] >> 1)
            continue;
        struct tf_core_view view;
        tf_hart_look(tile, &tile->hart[core], &view);
        *value = core_word(&view, tile->hart[core].wait_store, signal % 2 == 1, word);
        return true;
    }
    return false;
}

/* A word of the selected group. */
static enum tf_access read_signal(struct tf_tile *tile, unsigned from, uint32_t address, unsigned word, uint32_t *value)
{
    uint32_t control = tile->mmio.debug.word[TF_DEBUG_BUS_CTRL / 4];
    *value = 0;
    if (!(control & ENABLED))
        return TF_ACCESS_OK;
    if (DAISY(control) == DAISY_CORES && read_core_signal(tile, SIGNAL(control), word, value))
        return TF_ACCESS_OK;
    if (tile->tensix != NULL && tf_tensix_signal(tile, DAISY(control), SIGNAL(control), word, value))
        return TF_ACCESS_OK;
    *value = UINT32_MAX;
    if (DAISY(control) == DAISY_CORES)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address,
                             "of the signals of a core, only the state of execution is implemented in the debug "
                             "daisychain");
    return tf_mmio_fault(tile, from, TF_FAULT_UNPREDICTABLE, address,
                         "no page describes this signal of the debug daisychain");
}

enum tf_access tf_daisychain_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value)
{
    return read_signal(tile, from, address, WORD(tile->mmio.debug.word[TF_DEBUG_BUS_CTRL / 4]), value);
}

/* Write the present group to L1, or ones for an unknown signal, because software that polls for the group must not
   hang. */
static enum tf_access write_group(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t at, uint32_t count)
{
    uint32_t group[GROUP_WORDS];
    enum tf_access access = TF_ACCESS_OK;
    for (unsigned word = 0; word < GROUP_WORDS && access == TF_ACCESS_OK; word++)
        access = read_signal(tile, from, address, word, &group[word]);
    uint32_t *to = (uint32_t *)(void *)(tile->l1 + at);
    for (uint32_t i = 0; i < count * GROUP_WORDS; i++)
        __atomic_store_n(&to[i], access == TF_ACCESS_OK ? group[i % GROUP_WORDS] : UINT32_MAX, __ATOMIC_RELAXED);
    tf_tile_l1_written(tile, at, count * sizeof group);
    return access;
}

/* A rising trigger writes the group. All samples of a series are taken in the same cycle, and are equal. */
enum tf_access tf_daisychain_store_l1(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    struct tf_debug *debug = &tile->mmio.debug;
    uint32_t old = debug->word[TF_DEBUG_BUS_L1_CTRL / 4];
    uint32_t last = debug->word[TF_DEBUG_BUS_L1_LAST / 4], count = 1;
    uint32_t bytes = tf_min(tile->arch->l1_bytes, WRITE_BYTES_MAX);
    debug->word[TF_DEBUG_BUS_L1_CTRL / 4] = value;
    if (WRITE_MODE(old) == WRITE_PREPARE && WRITE_MODE(value) != WRITE_PREPARE)
        debug->bus_write_at = debug->word[TF_DEBUG_BUS_L1_FIRST / 4];
    if (!(value & ~old & WRITE_TRIGGER) || WRITE_MODE(value) == WRITE_PREPARE)
        return TF_ACCESS_OK;
    if (WRITE_MODE(value) == WRITE_SERIES)
        count = last > debug->bus_write_at ? last - debug->bus_write_at : 0;
    else if (WRITE_MODE(value) != WRITE_SAME && WRITE_MODE(value) != WRITE_NEXT)
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, "no such mode of writing to L1");
    if (debug->bus_write_at > bytes / 16 || count > bytes / 16 - debug->bus_write_at)
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address,
                             "the debug daisychain writes only to the first MiB of L1");
    uint32_t at = debug->bus_write_at * 16;
    if (WRITE_MODE(value) != WRITE_SAME)
        debug->bus_write_at += count;
    return write_group(tile, from, address, at, count);
}
