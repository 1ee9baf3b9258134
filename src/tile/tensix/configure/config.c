/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/why.h"
#include "tile/tensix/configure/config.h"

#include <string.h>

#include "tile/riscv/hart/stop.h"
#include "tile/tensix/config/family.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/ttsync.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/soft_reset.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/vector.h"
#include "tile/state.h"

/* The window, in words: bank 0; bank 1; the bank that stands for both, if the family has it; three threads. */
struct window {
    const struct tf_config_arch *arch;
    uint32_t thread_word, words;
};

static struct window window_of(const struct tf_tile *tile)
{
    const struct tf_config_arch *arch = tf_config_arch(tile);
    uint32_t banks = arch->place == NULL ? 3 : 2, thread_word = banks * arch->words;
    return (struct window){arch, thread_word, thread_word + 3u * arch->thread_words * arch->thread_stride};
}

/* Bits without a field read as zero. */
static const uint32_t unused[TF_CFG_WORDS] = {
#define CFG_UNUSED(word, mask) [word] = mask,
#include "tilefarm_address.h"
#include "tile/tensix/config/config.def"
#undef CFG_UNUSED
};

static unsigned word_of(enum tf_cfg_field field)
{
    return (unsigned)field >> 16;
}

/* Write one of the words that units read, which are Blackhole's. */
static void put_word(struct tf_tile *tile, unsigned bank, unsigned index, uint32_t value)
{
    struct tf_tensix *tensix = tile->tensix;
    value &= ~unused[index];
    tensix->config->writes++;
    uint32_t old = tensix->config->bank[bank][index];
    tensix->config->bank[bank][index] = value;
    if (index >= TF_SEARCH_FIRST && index < TF_SEARCH_FIRST + TF_SEARCH_WORDS)
        tf_search_configured(tile, tensix->config->bank[bank], index, old, value);
    if (index == word_of(TF_CFG_PRNG_SEED_Seed_Val))
        tf_rounding_seed(tensix->rounding, tf_sfpu_seed(tile, value));
    if (index >= TF_CFG_GLOBAL)
        tensix->config->bank[bank ^ 1][index] = value;
}

/* Set the fields that units read, after a word of the family's own has been written. */
static void spread(struct tf_tile *tile, const struct tf_config_arch *arch, unsigned bank, unsigned index,
                   uint32_t value)
{
    const struct tf_cfg_place *place = tf_cfg_places_of(arch->place, arch->ends, index);
    const struct tf_cfg_place *end = arch->place + arch->places;
    while (place < end && place->word == index) {
        struct tf_cfg_bits bits;
        place = tf_cfg_gather(place, end, value, &bits);
        put_word(tile, bank, bits.word, (tile->tensix->config->bank[bank][bits.word] & ~bits.mask) | bits.value);
    }
}

/* RISCV_IC_INVALIDATE has no effect: instruction caches are not modelled. */
static void put(struct tf_tile *tile, unsigned bank, unsigned index, uint32_t value)
{
    struct tf_tensix *tensix = tile->tensix;
    const struct tf_config_arch *arch = tf_config_arch(tile);
    if (index >= arch->thcon && index < arch->global && (tensix->units_held & TF_RESET_SCALAR) != 0)
        return;
    if (tensix->own_config == NULL) {
        put_word(tile, bank, index, value);
        return;
    }
    tensix->config->writes++;
    value &= ~arch->unused[index];
    for (unsigned i = 0; i < 2; i++)
        if (i == bank || index >= arch->global) {
            tensix->own_config->bank[i][index] = value;
            spread(tile, arch, i, index, value);
        }
}

/* Zero the words first .. end - 1 of a bank, and the words unit_first .. unit_end - 1 that units read. */
static void zero(struct tf_tile *tile, unsigned bank, unsigned first, unsigned end, unsigned unit_first,
                 unsigned unit_end)
{
    struct tf_tensix *tensix = tile->tensix;
    tensix->config->writes++;
    memset(&tensix->config->bank[bank][unit_first], 0, (unit_end - unit_first) * sizeof(uint32_t));
    if (tensix->own_config != NULL) {
        tensix->config->writes++;
        memset(&tensix->own_config->bank[bank][first], 0, (end - first) * sizeof(uint32_t));
    }
    tf_config_fix(tile);
}

void tf_config_write(struct tf_tile *tile, unsigned bank, unsigned index, uint32_t value)
{
    const struct tf_config_arch *arch = tf_config_arch(tile);
    put(tile, bank, index, value);
    if (index == arch->state_reset)
        zero(tile, bank, 0, arch->global, 0, TF_CFG_GLOBAL);
}

bool tf_config_write_at(struct tf_tile *tile, uint32_t index, uint32_t value)
{
    struct window window = window_of(tile);
    uint32_t words = window.arch->words;
    if (index >= window.thread_word)
        return false;
    if (index < 2 * words) {
        tf_config_write(tile, index / words, index % words, value);
        return true;
    }
    tf_config_write(tile, 0, index - 2 * words, value);
    tf_config_write(tile, 1, index - 2 * words, value);
    return true;
}

uint32_t tf_config_word(const struct tf_tensix *tensix, unsigned bank, unsigned index)
{
    return tensix->own_config != NULL ? tensix->own_config->bank[bank][index] : tensix->config->bank[bank][index];
}

uint32_t tf_config_thread_word(const struct tf_tensix *tensix, unsigned thread, unsigned index)
{
    return tensix->own_config != NULL ? tensix->own_config->thread[thread][index]
                                      : tensix->config->thread[thread][index];
}

void tf_config_reset_thcon(struct tf_tile *tile)
{
    const struct tf_config_arch *arch = tf_config_arch(tile);
    for (unsigned bank = 0; bank < 2; bank++)
        zero(tile, bank, arch->thcon, arch->global, TF_CFG_THCON, TF_CFG_GLOBAL);
}

static bool exists(struct tf_tile *tile, unsigned thread, unsigned index)
{
    if (index < tf_config_arch(tile)->words)
        return true;
    tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "configuration of %s has no word %u", tile->arch->family,
                    index);
    return false;
}

/* "Special cases": any write there sets the thread's context counters of both unpackers to zero. */
static void reset_contexts(struct tf_backend_config *config, unsigned thread)
{
    config->unpack_context[thread][0] = config->unpack_context[thread][1] = 0;
}

void tf_exec_SETC16(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_backend_config *config = tile->tensix->config;
    unsigned index = TF_FIELD(word, SETC16, setc16_reg);
    uint16_t value = (uint16_t)TF_FIELD(word, SETC16, setc16_value);
    if (index >= tf_config_arch(tile)->thread_words) {
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "thread configuration of %s has no word %u",
                        tile->arch->family, index);
        return;
    }
    if (tile->tensix->own_config != NULL) {
        tf_config_spread_thread(tile, thread, index, value);
        if (index == tf_config_arch(tile)->context_reset)
            reset_contexts(config, thread);
        return;
    }
    config->thread[thread][index] = value;
    if (index == word_of(TF_THREAD_CFG_UNPACK_MISC_CFG_CfgContextCntReset_0))
        reset_contexts(config, thread);
    if (index == TF_THREAD_CFG_TRISC_SYNC)
        tf_ttsync_configured(tile->tensix, thread, tile->cycle);
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
        tf_config_word(tile->tensix, tf_config_bank(config, thread), index);
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
    put(tile, bank, index, (tf_config_word(tile->tensix, bank, index) & ~mask) | (value & mask));
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
    if (tile->mmio.bus->load(tile, TF_FROM_NOC, address, 4, &value, &pure) != TF_ACCESS_OK) {
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, address, "0x%08x: %s", address, tf_mmio_why(tile));
        return;
    }
    tf_config_write(tile, tf_config_bank(config, thread), index, value);
}

static enum tf_access config_fault(struct tf_tile *tile, unsigned from, uint32_t address, const char *why)
{
    tf_tile_fault(tile, from, TF_FAULT_UNDEFINED, 0, address, "backend configuration at 0x%08x: %s", address, why);
    return TF_ACCESS_FAULT;
}

static uint32_t read_window(const struct tf_tensix *tensix, const struct window *window, uint32_t index)
{
    const struct tf_config_arch *arch = window->arch;
    if (index < 2u * arch->words)
        return tf_config_word(tensix, index / arch->words, index % arch->words);
    if (index < window->thread_word)
        return tf_config_word(tensix, 0, index - 2u * arch->words);
    index -= window->thread_word;
    if (index % arch->thread_stride != 0)
        return 0;
    index /= arch->thread_stride;
    unsigned thread = index / arch->thread_words, word = index % arch->thread_words;
    return tf_config_thread_word(tensix, thread, word);
}

enum tf_access tf_config_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    struct window window = window_of(tile);
    uint32_t index = (address - TF_CFG_BASE) / 4;
    if (index >= window.words)
        return config_fault(tile, from, address, "there is no such word");
    *value = read_window(tile->tensix, &window, index);
    *pure = true;
    return TF_ACCESS_OK;
}

enum tf_access tf_config_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    uint32_t index = (address - TF_CFG_BASE) / 4;
    if (index >= window_of(tile).words)
        return config_fault(tile, from, address, "there is no such word");
    if (!tf_config_write_at(tile, index, value))
        return config_fault(tile, from, address, "only SETC16 writes thread configuration");
    return TF_ACCESS_OK;
}

uint32_t tf_config_window_words(const struct tf_tile *tile)
{
    return window_of(tile).words;
}

bool tf_config_reset_pc(const struct tf_tile *tile, unsigned core, uint32_t *pc)
{
    const struct tf_config_arch *arch = tf_config_arch(tile);
    const struct tf_own_config *own = tile->tensix != NULL ? tile->tensix->own_config : NULL;
    bool trisc = core >= TF_CORE_T0;
    if (own == NULL || arch->trisc_reset_pc == 0 || core == TF_CORE_B)
        return false;
    if (!(own->bank[0][trisc ? arch->trisc_reset_pc + 3 : arch->ncrisc_reset_pc + 1] >>
              (trisc ? core - TF_CORE_T0 : 0) &
          1))
        return false;
    *pc = own->bank[0][trisc ? arch->trisc_reset_pc + (core - TF_CORE_T0) : arch->ncrisc_reset_pc];
    return true;
}
