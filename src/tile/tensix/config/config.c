/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/config/config.h"

#include <string.h>

#include "tile/tensix/config/state.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/isa.h"
#include "tile/tensix/scalar/state.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/vector.h"

/* The window in words: bank 0, bank 1, the bank that stands for both, three threads. */
#define DUAL_WORD (2 * TF_CFG_WORDS)
#define THREAD_WORD (3 * TF_CFG_WORDS)
#define WINDOW_WORDS (THREAD_WORD + 3 * TF_THREAD_CFG_WORDS)

/* SOFT_RESET_0: THCON configuration (SoftReset.md). */
#define RESET_THCON_CONFIG (1u << 9)

/* Bits without a field read as zero. */
static const uint32_t unused[TF_CFG_WORDS] = {
#define CFG_UNUSED(word, mask) [word] = mask,
#include "tile/address.h"
#include "tile/tensix/config/config.def"
#undef CFG_UNUSED
};

static unsigned word_of(enum tf_cfg_field field)
{
    return (unsigned)field >> 16;
}

/* RISCV_IC_INVALIDATE has no effect: instruction caches are not modelled. */
static void put(struct tf_tile *tile, unsigned bank, unsigned index, uint32_t value)
{
    struct tf_tensix *tensix = tile->tensix;
    if (index >= TF_CFG_THCON && index < TF_CFG_GLOBAL && (tensix->units_held & RESET_THCON_CONFIG) != 0)
        return;
    value &= ~unused[index];
    tensix->config->bank[bank][index] = value;
    if (index == word_of(TF_CFG_PRNG_SEED_Seed_Val))
        tf_rounding_seed(tensix->rounding, tf_sfpu_seed(tile, value));
    if (index >= TF_CFG_GLOBAL)
        tensix->config->bank[bank ^ 1][index] = value;
}

void tf_config_write(struct tf_tile *tile, unsigned bank, unsigned index, uint32_t value)
{
    put(tile, bank, index, value);
    if (index == word_of(TF_CFG_STATE_RESET_EN))
        memset(tile->tensix->config->bank[bank], 0, TF_CFG_GLOBAL * sizeof(uint32_t));
}

void tf_config_reset_thcon(struct tf_tile *tile)
{
    for (unsigned bank = 0; bank < 2; bank++)
        memset(&tile->tensix->config->bank[bank][TF_CFG_THCON], 0, (TF_CFG_GLOBAL - TF_CFG_THCON) * sizeof(uint32_t));
}

static bool exists(struct tf_tile *tile, unsigned thread, unsigned index)
{
    if (index < TF_CFG_WORDS)
        return true;
    tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "configuration has no word %u", index);
    return false;
}

/* "Special cases": any write there sets the thread's context counters of both unpackers to zero. */
static void reset_contexts(struct tf_backend_config *config, unsigned thread, unsigned index)
{
    if (index == word_of(TF_THREAD_CFG_UNPACK_MISC_CFG_CfgContextCntReset_0))
        config->unpack_context[thread][0] = config->unpack_context[thread][1] = 0;
}

void tf_exec_SETC16(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_backend_config *config = tile->tensix->config;
    unsigned index = TF_FIELD(word, SETC16, setc16_reg);
    if (index >= TF_THREAD_CFG_WORDS) {
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "thread configuration has no word %u", index);
        return;
    }
    config->thread[thread][index] = (uint16_t)TF_FIELD(word, SETC16, setc16_value);
    reset_contexts(config, thread, index);
}

void tf_exec_WRCFG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    unsigned index = TF_FIELD(word, WRCFG, cfg_reg);
    if (!exists(tile, thread, index))
        return;
    const uint32_t *gpr = tile->tensix->thcon->gpr[thread];
    unsigned bank = tf_config_bank(tile->tensix->config, thread);
    unsigned input = TF_FIELD(word, WRCFG, gpr_address);
    if (!TF_FIELD(word, WRCFG, wr128b)) {
        tf_config_write(tile, bank, index, gpr[input]);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        tf_config_write(tile, bank, (index & ~3u) + i, gpr[(input & ~3u) + i]);
}

void tf_exec_RDCFG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    unsigned index = TF_FIELD(word, RDCFG, cfg_reg);
    if (!exists(tile, thread, index))
        return;
    const struct tf_backend_config *config = tile->tensix->config;
    tile->tensix->thcon->gpr[thread][TF_FIELD(word, RDCFG, gpr_address)] =
        config->bank[tf_config_bank(config, thread)][index];
}

/* RMWCIB alone does not set off STATE_RESET_EN. */
static void modify_byte(struct tf_tile *tile, unsigned thread, uint32_t word, unsigned byte)
{
    unsigned index = TF_FIELD(word, RMWCIB0, cfg_reg_addr);
    if (!exists(tile, thread, index))
        return;
    unsigned bank = tf_config_bank(tile->tensix->config, thread);
    uint32_t mask = TF_FIELD(word, RMWCIB0, mask) << byte * 8;
    uint32_t value = TF_FIELD(word, RMWCIB0, data) << byte * 8;
    put(tile, bank, index, (tile->tensix->config->bank[bank][index] & ~mask) | (value & mask));
}

void tf_exec_RMWCIB0(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    modify_byte(tile, thread, word, 0);
}

void tf_exec_RMWCIB1(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    modify_byte(tile, thread, word, 1);
}

void tf_exec_RMWCIB2(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    modify_byte(tile, thread, word, 2);
}

void tf_exec_RMWCIB3(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    modify_byte(tile, thread, word, 3);
}

static uint32_t rotate_right(uint32_t value, unsigned amount)
{
    return value >> amount | value << (-amount & 31);
}

static uint32_t combine(uint32_t value, uint32_t with, unsigned mode)
{
    switch (mode) {
    case 0: return value | with;
    case 1: return value & with;
    case 2: return value ^ with;
    case 3: return value + with;
    case 4: return value | ~with;
    case 5: return value & ~with;
    case 6: return value ^ ~with;
    default: return value - with;
    }
}

void tf_exec_CFGSHIFTMASK(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    const struct tf_backend_config *config = tile->tensix->config;
    unsigned index = TF_FIELD(word, CFGSHIFTMASK, cfg_reg);
    if (!exists(tile, thread, index))
        return;
    unsigned scratch = TF_FIELD(word, CFGSHIFTMASK, scratch_sel);
    unsigned rotation = TF_FIELD(word, CFGSHIFTMASK, right_cshift_amt);
    uint32_t mask = (2u << TF_FIELD(word, CFGSHIFTMASK, mask_width)) - 1;
    uint32_t with = config->bank[0][word_of(TF_CFG_SCRATCH_SEC0_val) + (scratch < 3 ? scratch : thread)] & mask;
    unsigned bank = tf_config_bank(config, thread);
    uint32_t value = config->bank[bank][index];
    if (!TF_FIELD(word, CFGSHIFTMASK, disable_mask_on_old_val))
        value &= ~rotate_right(mask, rotation);
    value = combine(value, rotate_right(with, rotation), TF_FIELD(word, CFGSHIFTMASK, operation));
    tf_config_write(tile, bank, index, value);
}

void tf_exec_STREAMWRCFG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    const struct tf_backend_config *config = tile->tensix->config;
    unsigned index = TF_FIELD(word, STREAMWRCFG, cfg_reg);
    if (!exists(tile, thread, index))
        return;
    uint32_t stream = config->thread[thread][TF_THREAD_CFG_STREAM_ID_SYNC + TF_FIELD(word, STREAMWRCFG, stream_id_sel)];
    uint32_t address = TF_STREAM_BASE + (stream & 63) * TF_STREAM_BYTES +
                       TF_FIELD(word, STREAMWRCFG, stream_reg_addr) * 4;
    uint32_t value;
    bool pure;
    if (tf_mmio_load(tile, TF_FROM_NOC, address, 4, &value, &pure) != TF_ACCESS_OK) {
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, address, "0x%08x: %s", address, tf_mmio_why(tile));
        return;
    }
    tf_config_write(tile, tf_config_bank(config, thread), index, value);
}

static enum tf_access refuse(struct tf_tile *tile, unsigned from, uint32_t address, const char *why)
{
    tf_tile_fault(tile, from, TF_FAULT_UNDEFINED, 0, address, "backend configuration at 0x%08x: %s", address, why);
    return TF_ACCESS_FAULT;
}

static uint32_t read_window(const struct tf_backend_config *config, uint32_t index)
{
    if (index < DUAL_WORD)
        return config->bank[index / TF_CFG_WORDS][index % TF_CFG_WORDS];
    if (index < THREAD_WORD)
        return config->bank[0][index - DUAL_WORD];
    index -= THREAD_WORD;
    return config->thread[index / TF_THREAD_CFG_WORDS][index % TF_THREAD_CFG_WORDS];
}

enum tf_access tf_config_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    uint32_t index = (address - TF_CFG_BASE) / 4;
    if (index >= WINDOW_WORDS)
        return refuse(tile, from, address, "there is no such word");
    *value = read_window(tile->tensix->config, index);
    *pure = true;
    return TF_ACCESS_OK;
}

enum tf_access tf_config_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    uint32_t index = (address - TF_CFG_BASE) / 4;
    if (index >= WINDOW_WORDS)
        return refuse(tile, from, address, "there is no such word");
    if (index >= THREAD_WORD)
        return refuse(tile, from, address, "thread configuration is written by SETC16 alone");
    if (index < DUAL_WORD) {
        tf_config_write(tile, index / TF_CFG_WORDS, index % TF_CFG_WORDS, value);
        return TF_ACCESS_OK;
    }
    tf_config_write(tile, 0, index - DUAL_WORD, value);
    tf_config_write(tile, 1, index - DUAL_WORD, value);
    return TF_ACCESS_OK;
}

uint32_t tf_config_debug_read(const struct tf_tile *tile, uint32_t index)
{
    index &= 0x7FF;
    return tile->tensix != NULL && index < WINDOW_WORDS ? read_window(tile->tensix->config, index) : 0;
}
