/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/data/rwc.h"

#include "tile/tensix/config/state.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/state.h"

#define SRC_MASK 0x3Fu
#define DST_MASK 0x3FFu

static void modify_src(uint8_t *value, uint8_t *cr, uint32_t increment, bool carriage, bool clear)
{
    if (clear) {
        *value = *cr = 0;
    } else if (carriage) {
        *cr = (*cr + increment) & SRC_MASK;
        *value = *cr;
    } else {
        *value = (*value + increment) & SRC_MASK;
    }
}

static void modify_dst(struct tf_rwc *rwc, uint32_t word, bool update_fidelity)
{
    uint32_t increment = tf_cfg_cut(word, TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr);
    if (tf_cfg_cut(word, TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestClear)) {
        rwc->dst = rwc->dst_cr = 0;
    } else if (tf_cfg_cut(word, TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestCToCR)) {
        rwc->dst = (rwc->dst + increment) & DST_MASK;
        rwc->dst_cr = rwc->dst;
    } else if (tf_cfg_cut(word, TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestCR)) {
        rwc->dst_cr = (rwc->dst_cr + increment) & DST_MASK;
        rwc->dst = rwc->dst_cr;
    } else {
        rwc->dst = (rwc->dst + increment) & DST_MASK;
    }
    if (!update_fidelity)
        return;
    if (tf_cfg_cut(word, TF_THREAD_CFG_ADDR_MOD_DST_SEC0_FidelityClear))
        rwc->fidelity = 0;
    else
        rwc->fidelity = (rwc->fidelity + tf_cfg_cut(word, TF_THREAD_CFG_ADDR_MOD_DST_SEC0_FidelityIncr)) & 3;
}

void tf_rwc_modify_counters(struct tf_rwc *rwc, struct tf_rwc_sections by, bool update_fidelity)
{
    if (by.ab != 0) {
        modify_src(&rwc->srca, &rwc->srca_cr, tf_cfg_cut(by.ab, TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr),
                   tf_cfg_cut(by.ab, TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcACR),
                   tf_cfg_cut(by.ab, TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAClear));
        modify_src(&rwc->srcb, &rwc->srcb_cr, tf_cfg_cut(by.ab, TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcBIncr),
                   tf_cfg_cut(by.ab, TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcBCR),
                   tf_cfg_cut(by.ab, TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcBClear));
    }
    if (by.dst != 0)
        modify_dst(rwc, by.dst, update_fidelity);
    if (by.bias == 0)
        return;
    if (tf_cfg_cut(by.bias, TF_THREAD_CFG_ADDR_MOD_BIAS_SEC0_BiasClear))
        rwc->extra = 0;
    else if (tf_cfg_cut(by.bias, TF_THREAD_CFG_ADDR_MOD_BIAS_SEC0_BiasIncr) & 3)
        rwc->extra ^= 1;
}

void tf_rwc_modify(struct tf_tile *tile, unsigned thread, unsigned modifier, bool update_fidelity)
{
    tf_rwc_modify_by(&tile->tensix->rwc[thread], tile->tensix->config->thread[thread], modifier, update_fidelity);
}

static uint32_t set_from(uint32_t value, uint32_t base, bool relative, uint32_t mask)
{
    return (value + (relative ? base : 0)) & mask;
}

void tf_exec_SETRWC(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_rwc *rwc = &tile->tensix->rwc[thread];
    uint32_t which = TF_FIELD(word, SETRWC, bit_mask);
    uint32_t cr = TF_FIELD(word, SETRWC, rwc_cr);
    if (which & 1)
        rwc->srca = rwc->srca_cr = (uint8_t)set_from(TF_FIELD(word, SETRWC, rwc_a), rwc->srca_cr, cr & 1, SRC_MASK);
    if (which & 2)
        rwc->srcb = rwc->srcb_cr = (uint8_t)set_from(TF_FIELD(word, SETRWC, rwc_b), rwc->srcb_cr, cr & 2, SRC_MASK);
    bool to_cr = cr & 8;
    if ((which & 4) || to_cr)
        rwc->dst = rwc->dst_cr = (uint16_t)set_from(TF_FIELD(word, SETRWC, rwc_d), to_cr ? rwc->dst : rwc->dst_cr,
                                                    to_cr || (cr & 4), DST_MASK);
    if (which & 8)
        rwc->fidelity = 0;
    const struct tf_backend_config *config = tile->tensix->config;
    uint32_t flip = TF_FIELD(word, SETRWC, clear_ab_vld);
    if (flip & 1)
        tf_src_release(tile, thread, TF_SRC_A, !TF_THREAD_CFG(config, thread, CLR_DVALID_SrcA_Disable), true);
    if (flip & 2)
        tf_src_release(tile, thread, TF_SRC_B, !TF_THREAD_CFG(config, thread, CLR_DVALID_SrcB_Disable), true);
}

static void increment_src(uint8_t *value, uint8_t *cr, uint32_t increment, bool carriage)
{
    modify_src(value, cr, increment, carriage, false);
}

void tf_exec_INCRWC(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_rwc *rwc = &tile->tensix->rwc[thread];
    uint32_t cr = TF_FIELD(word, INCRWC, rwc_cr);
    increment_src(&rwc->srca, &rwc->srca_cr, TF_FIELD(word, INCRWC, rwc_a), cr & 1);
    increment_src(&rwc->srcb, &rwc->srcb_cr, TF_FIELD(word, INCRWC, rwc_b), cr & 2);
    uint32_t increment = TF_FIELD(word, INCRWC, rwc_d);
    if (cr & 4) {
        rwc->dst_cr = (rwc->dst_cr + increment) & DST_MASK;
        rwc->dst = rwc->dst_cr;
    } else {
        rwc->dst = (rwc->dst + increment) & DST_MASK;
    }
}
