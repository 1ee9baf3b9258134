/* SPDX-License-Identifier: Apache-2.0 */
/* Backend configuration (BlackholeA0/TensixTile/TensixCoprocessor/BackendConfiguration.md). */
#ifndef TILE_TENSIX_CONFIG_CONFIG_H
#define TILE_TENSIX_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_tile;

#define TF_CFG_WORDS 224u       /* words of a bank of Config: CFG_STATE_SIZE * 4 */
#define TF_CFG_THCON 64u        /* THCON_CFGREG_BASE_ADDR32 */
#define TF_CFG_GLOBAL 180u      /* GLOBAL_CFGREG_BASE_ADDR32: from here on both banks have the same value */
#define TF_THREAD_CFG_WORDS 68u /* of a bank of ThreadConfig: THD_STATE_SIZE */

struct tf_backend_config {
    uint32_t bank[2][TF_CFG_WORDS];
    uint16_t thread[3][TF_THREAD_CFG_WORDS];
    uint8_t unpack_context[3][2]; /* configuration context counters of the unpackers, by thread and unpacker */
};

/* The fields by name: word << 16 | first bit << 8 | width. */
enum tf_cfg_field {
#define CFG(name, word, first, width) TF_CFG_##name = (word) << 16 | (first) << 8 | (width),
#define THREAD_CFG(name, word, first, width) TF_THREAD_CFG_##name = (word) << 16 | (first) << 8 | (width),
#include "tile/tensix/config/config.def"
#undef CFG
#undef THREAD_CFG
};

/* Index of the word that holds a field of Config, or of ThreadConfig; words from one field's to another's. */
#define TF_CFG_WORD(name) ((unsigned)TF_CFG_##name >> 16)
#define TF_THREAD_CFG_WORD(name) ((unsigned)TF_THREAD_CFG_##name >> 16)
#define TF_CFG_SPAN(first, last) (TF_CFG_WORD(last) - TF_CFG_WORD(first) + 1)

static inline uint32_t tf_cfg_cut(uint32_t word, uint32_t field)
{
    uint32_t width = field & 0xFF;
    return word >> (field >> 8 & 0xFF) & (width == 32 ? 0xFFFFFFFFu : (1u << width) - 1);
}

/* A field of Config: TF_CFG(config, bank, THCON_SEC0_REG6_Buffer_size). */
#define TF_CFG(config, bank_, name) tf_cfg_cut((config)->bank[bank_][TF_CFG_##name >> 16], TF_CFG_##name)

/* A field of ThreadConfig, `sections` words further on: sections of an array follow each other. */
static inline uint32_t tf_thread_cfg_bits(const struct tf_backend_config *config, unsigned thread, uint32_t field,
                                          unsigned sections)
{
    return tf_cfg_cut(config->thread[thread][(field >> 16) + sections], field);
}

/* A field of ThreadConfig: TF_THREAD_CFG(config, thread, CFG_STATE_ID_StateID). */
#define TF_THREAD_CFG(config, thread_, name) tf_thread_cfg_bits((config), (thread_), TF_THREAD_CFG_##name, 0)

/* The bank that a thread's instructions use. */
static inline unsigned tf_config_bank(const struct tf_backend_config *config, unsigned thread)
{
    return TF_THREAD_CFG(config, thread, CFG_STATE_ID_StateID);
}

/* Writes a word of Config, with the side effects of the page's "Special cases". index < TF_CFG_WORDS. */
void tf_config_write(struct tf_tile *tile, unsigned bank, unsigned index, uint32_t value);

void tf_exec_SETC16(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_WRCFG(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_RDCFG(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_RMWCIB0(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_RMWCIB1(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_RMWCIB2(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_RMWCIB3(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_CFGSHIFTMASK(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_STREAMWRCFG(struct tf_tile *tile, unsigned thread, uint32_t word);

/* TF_CFG_BASE for B and T0..T2: both banks, the bank that writes to both, ThreadConfig (read only). */
enum tf_access tf_config_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_config_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);

/* The word that RISCV_DEBUG_REG_CFGREG_RD_CNTL selects: index into the window above. */
uint32_t tf_config_debug_read(const struct tf_tile *tile, uint32_t index);

/* THCON configuration soft reset (SoftReset.md): zeroed when it begins; writes are lost while it lasts. */
void tf_config_reset_thcon(struct tf_tile *tile);

/* Words of ThreadConfig that the frontend reads. */
enum {
    TF_THREAD_CFG_STATE_ID = TF_THREAD_CFG_WORD(CFG_STATE_ID_StateID),
    TF_THREAD_CFG_TRISC_SYNC = TF_THREAD_CFG_WORD(TENSIX_TRISC_SYNC_TrackGlobalCfg),
    TF_THREAD_CFG_STREAMWAIT_PHASE_HI = TF_THREAD_CFG_WORD(STREAMWAIT_PHASE_HI_Val),
    TF_THREAD_CFG_STREAMWAIT_NUM_MSGS_HI = TF_THREAD_CFG_WORD(STREAMWAIT_NUM_MSGS_HI_Val),
    TF_THREAD_CFG_STREAM_ID_SYNC = TF_THREAD_CFG_WORD(STREAM_ID_SYNC_SEC0_BankSel), /* four of them */
};

/* Bits of TENSIX_TRISC_SYNC. */
enum {
    TF_TRISC_SYNC_TRACK_GLOBAL_CFG = 1 << 0,
    TF_TRISC_SYNC_SUBDIVIDED_CFG = 1 << 1,
    TF_TRISC_SYNC_TRACK_GPR = 1 << 2,
    TF_TRISC_SYNC_TRACK_TDMA = 1 << 3,
    TF_TRISC_SYNC_TRACK_INSTRUCTIONS = 1 << 4,
};

#endif
