/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of the configuration room: backend configuration (BlackholeA0 BackendConfiguration.md), address counters
 * (ADCs.md), row counters (RWCs.md), all of TensixCoprocessor.
 */
#ifndef TILE_TENSIX_CONFIG_STATE_H
#define TILE_TENSIX_CONFIG_STATE_H

#include <stdbool.h>
#include <stdint.h>

#define TF_CFG_WORDS 224u       /* words of a bank of Config: CFG_STATE_SIZE * 4 */
#define TF_CFG_THCON 64u        /* THCON_CFGREG_BASE_ADDR32 */
#define TF_CFG_GLOBAL 180u      /* GLOBAL_CFGREG_BASE_ADDR32: from here on both banks have the same value */
#define TF_THREAD_CFG_WORDS 68u /* of a bank of ThreadConfig: THD_STATE_SIZE */

struct tf_backend_config {
    uint32_t bank[2][TF_CFG_WORDS];
    uint16_t thread[3][TF_THREAD_CFG_WORDS];
    uint8_t unpack_context[3][2]; /* configuration context counters of the unpackers, by thread and unpacker */
    uint64_t writes; /* of words of Config, so that what is made of them can be kept; not part of the state */
};

/* The fields by name: word << 16 | first bit << 8 | width. */
enum tf_cfg_field {
#define CFG(name, word, first, width) TF_CFG_##name = (word) << 16 | (first) << 8 | (width),
#define THREAD_CFG(name, word, first, width) TF_THREAD_CFG_##name = (word) << 16 | (first) << 8 | (width),
#include "tile/tensix/config/config.def"
#undef CFG
#undef THREAD_CFG
};

/* Index of the word that holds a field of Config, or of ThreadConfig; number of words between two fields. */
#define TF_CFG_WORD(name) ((unsigned)TF_CFG_##name >> 16)
#define TF_THREAD_CFG_WORD(name) ((unsigned)TF_THREAD_CFG_##name >> 16)
#define TF_CFG_SPAN(first, last) (TF_CFG_WORD(last) - TF_CFG_WORD(first) + 1)

static inline uint32_t tf_cfg_cut(uint32_t word, uint32_t field)
{
    uint32_t width = field & 0xFF;
    return word >> (field >> 8 & 0xFF) & (width == 32 ? 0xFFFFFFFFu : (1u << width) - 1);
}

/* A word with another value of a field. */
static inline uint32_t tf_cfg_put(uint32_t word, uint32_t field, uint32_t value)
{
    uint32_t width = field & 0xFF, at = field >> 8 & 0xFF;
    uint32_t bits = width == 32 ? UINT32_MAX : (1u << width) - 1;
    return (word & ~(bits << at)) | (value & bits) << at;
}

/* A field of Config: TF_CFG(config, bank, THCON_SEC0_REG6_Buffer_size). */
#define TF_CFG(config, bank_, name) tf_cfg_cut((config)->bank[bank_][TF_CFG_##name >> 16], TF_CFG_##name)

/* A field of ThreadConfig, `sections` words further on, for arrays of sections. */
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

/* The data format that is configured for SrcA, or SrcB. */
static inline unsigned tf_config_src_format(const struct tf_backend_config *config, unsigned bank, bool srcb)
{
    if (srcb)
        return TF_CFG(config, bank, ALU_FORMAT_SPEC_REG_SrcB_override)
                   ? TF_CFG(config, bank, ALU_FORMAT_SPEC_REG_SrcB_val)
                   : TF_CFG(config, bank, ALU_FORMAT_SPEC_REG1_SrcB);
    return TF_CFG(config, bank, ALU_FORMAT_SPEC_REG_SrcA_override) ? TF_CFG(config, bank, ALU_FORMAT_SPEC_REG_SrcA_val)
                                                                   : TF_CFG(config, bank, ALU_FORMAT_SPEC_REG0_SrcA);
}

/*
 * Row 0 of Dst as a thread's instructions name it, without the counter of rows. `own` and `common`: the thread's words
 * of ThreadConfig, and of Config in the bank that it uses.
 */
static inline unsigned tf_config_dst_base(const uint16_t *own, const uint32_t *common)
{
    return tf_cfg_cut(own[TF_THREAD_CFG_WORD(DEST_TARGET_REG_CFG_MATH_Offset)],
                      TF_THREAD_CFG_DEST_TARGET_REG_CFG_MATH_Offset) +
           tf_cfg_cut(common[TF_CFG_WORD(DEST_REGW_BASE_Base)], TF_CFG_DEST_REGW_BASE_Base);
}

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

/* Dimensions of a channel, and how many bits each counter has. */
enum { TF_ADC_X, TF_ADC_Y, TF_ADC_Z, TF_ADC_W, TF_ADC_DIMENSIONS };

/* The units that use a set of counters. */
enum { TF_ADC_UNPACKER_0, TF_ADC_UNPACKER_1, TF_ADC_PACKERS, TF_ADC_USERS };

struct tf_adc_channel {
    uint32_t value[TF_ADC_DIMENSIONS];
    uint32_t cr[TF_ADC_DIMENSIONS]; /* carriage return */
};

struct tf_adc {
    struct tf_adc_channel channel[2];
};

struct tf_adcs {
    struct tf_adc of[3][TF_ADC_USERS]; /* by thread */
};

/* Row counters of the matrix and vector units, of a thread. */
struct tf_rwc {
    uint16_t dst, dst_cr;  /* 10 bits */
    uint8_t srca, srca_cr; /* 6 bits */
    uint8_t srcb, srcb_cr; /* 6 bits */
    uint8_t fidelity;      /* 2 bits */
    uint8_t extra;         /* ExtraAddrModBit */
};

#endif
