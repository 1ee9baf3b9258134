/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/pack/packers.h"

#include <string.h>

#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/pack/four.h"
#include "tile/tensix/pack/pack.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/soft_reset.h"
#include "tile/tensix/state.h"

static void clear_histograms(struct tf_packer *packers)
{
    for (unsigned i = 0; i < TF_PACKERS; i++) {
        memset(packers[i].histogram, 0, sizeof packers[i].histogram);
        packers[i].max_exponent = 0;
    }
}

void tf_exec_CLREXPHIST(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)thread, (void)word;
    clear_histograms(tile->tensix->packer);
}

void tf_packers_reset(struct tf_tile *tile, uint32_t entering, uint32_t leaving)
{
    struct tf_packer *packers = tile->tensix->packer;
    for (unsigned i = 0; i < TF_PACKERS; i++) {
        if (entering & (uint32_t)TF_RESET_PACKER_0 << i) {
            tf_packers_reset_sizes(packers, 1u << i);
            packers[i].last_tile_size = 0;
        }
        if (leaving & (uint32_t)TF_RESET_PACKER_0 << i)
            packers[i].l1_dest_offset = 0;
    }
    for (unsigned i = 0; i < tf_packs(tile->tensix); i++)
        if (entering & (uint32_t)TF_RESET_PACKER_0 << i)
            tf_pack_reset(&tile->tensix->pack[i]);
    if (entering & TF_RESET_DST)
        clear_histograms(packers);
}

/* Out_data_format and Disable_zero_compress of a packer. */
static uint32_t format_of(const struct tf_backend_config *config, unsigned bank, unsigned packer)
{
    switch (packer) {
    case 0: return TF_CFG(config, bank, THCON_SEC0_REG1_Out_data_format);
    case 1: return TF_CFG(config, bank, THCON_SEC0_REG8_Out_data_format);
    case 2: return TF_CFG(config, bank, THCON_SEC1_REG1_Out_data_format);
    default: return TF_CFG(config, bank, THCON_SEC1_REG8_Out_data_format);
    }
}

static uint32_t uncompressed(const struct tf_backend_config *config, unsigned bank, unsigned packer)
{
    /* Blackhole has the override's enable bit, but not its four bits of value. */
    switch (packer) {
    case 0: return TF_CFG(config, bank, THCON_SEC0_REG1_Disable_zero_compress);
    case 1: return TF_CFG(config, bank, THCON_SEC0_REG8_Disable_zero_compress);
    case 2: return TF_CFG(config, bank, THCON_SEC1_REG1_Disable_zero_compress);
    default: return TF_CFG(config, bank, THCON_SEC1_REG8_Disable_zero_compress);
    }
}

/* TileHeader: size; format and compression; flags. */
static void tile_header(struct tf_tile *tile, unsigned thread, unsigned i, uint32_t values[4])
{
    const struct tf_tensix *tensix = tile->tensix;
    const struct tf_packer *packer = &tensix->packer[i];
    unsigned bank = tf_config_bank(tensix->config, thread);
    values[0] = (uint16_t)(tf_packer_last_tile_size(packer, thread) + 1u);
    uint32_t bit = uncompressed(tensix->config, bank, i);
    if (tensix->four != NULL) {
        const uint32_t *view = tf_pack_view(tile, thread, i)->config;
        bit = tf_cfg_cut(view[TF_CFG_WORD(THCON_SEC0_REG1_Disable_zero_compress)],
                         TF_CFG_THCON_SEC0_REG1_Disable_zero_compress);
    }
    values[1] = format_of(tensix->config, bank, i) << 16 | bit << 20;
    values[2] = packer->all_zero_flags;
}

/* A source of 128 bits. Sources above 9 give zeros. */
static void read_source(struct tf_tile *tile, unsigned thread, unsigned source, unsigned which, uint32_t values[4])
{
    struct tf_tensix *tensix = tile->tensix;
    struct tf_packer *packers = tensix->packer;
    switch (source) {
    case 0:
        for (unsigned i = 0; i < TF_PACKERS; i++)
            values[i] = (uint32_t)packers[i].acc_tile_size[thread] << 16 |
                        tf_packer_last_tile_size(&packers[i], thread);
        break;
    case 1:
        for (unsigned i = 0; i < TF_PACKERS; i++)
            values[i] = packers[i].all_zero_flags;
        break;
    case 2:
    case 3:
    case 4:
    case 5: tile_header(tile, thread, source - 2, values); break;
    case 6:
    case 7: memcpy(values, &packers[which & 3].histogram[(source - 6) * 16], 16); break;
    case 8:
        for (unsigned i = 0; i < TF_PACKERS; i++)
            values[0] |= (packers[i].all_zero_flags & 1) << i;
        tf_packers_reset_sizes(packers, which);
        break;
    case 9: values[0] = packers[0].max_exponent; break;
    default: break;
    }
}

/* The mask of a tile header's fields in each of its words. */
static const uint32_t header_bits[4] = {0x0000FFFF, 0x00FF0000, 0xFFFFFFFF, 0};

void tf_exec_SETDMAREG_special(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t payload = TF_FIELD(word, SETDMAREG, payload_sig_sel);
    uint32_t half = TF_FIELD(word, SETDMAREG, reg_index_16b);
    uint32_t in = payload & 7;
    uint32_t values[4] = {0};
    read_source(tile, thread, payload >> 3 & 15, payload >> 7 & 15, values);
    uint32_t *gpr = &tile->tensix->thcon->gpr[thread][half >> 1];
    uint32_t *group = &tile->tensix->thcon->gpr[thread][half >> 1 & 0x3C];
    switch (TF_FIELD(word, SETDMAREG, payload_sig_sel_size)) {
    case 0: {
        uint32_t value = values[in >> 1] >> (in & 1) * 16 & 0xFFFF;
        *gpr = half & 1 ? (*gpr & 0xFFFF) | value << 16 : (*gpr & 0xFFFF0000u) | value;
        break;
    }
    case 1: *gpr = values[in >> 1]; break;
    case 2: memcpy(group, values, sizeof values); break;
    default:
        for (unsigned i = 0; i < 4; i++)
            group[i] = (group[i] & ~header_bits[i]) | (values[i] & header_bits[i]);
    }
}
