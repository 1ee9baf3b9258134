/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/vector/place.h"
#include "tile/tensix/vector/single.h"

#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/report.h"
#include "tile/tensix/data/rwc.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/flags.h"
#include "tile/tensix/vector/rows.h"
#include "tile/tensix/vector/schedule.h"

unsigned tf_sfpu_format(struct tf_tile *tile, unsigned thread, unsigned mod0)
{
    if (mod0 != TF_FMT_SRCB)
        return mod0;
    const struct tf_backend_config *config = tile->tensix->config;
    unsigned bank = tf_config_bank(config, thread);
    if (TF_CFG(config, bank, ALU_ACC_CTRL_SFPU_Fp32_enabled))
        return TF_FMT_FP32;
    const struct tf_format_info *format = &tf_format_info[tf_config_src_format(config, bank, true)];
    return format->bits != 0 && !format->fp16_family ? TF_FMT_BF16 : TF_FMT_FP16;
}

unsigned tf_sfpu_offset(const struct tf_backend_config *config, unsigned thread, unsigned pointer)
{
    const uint32_t *common = config->bank[tf_config_bank(config, thread)];
    return tf_config_dst_base(config->thread[thread], common) +
           ((pointer + tf_cfg_cut(common[TF_CFG_WORD(DEST_SP_BASE_Base)], TF_CFG_DEST_SP_BASE_Base)) & 3);
}

struct tf_sfpu_place tf_sfpu_place(struct tf_tile *tile, unsigned thread, uint32_t word, bool load)
{
    struct tf_tensix *tensix = tile->tensix;
    const struct tf_backend_config *config = tensix->config;
    unsigned bank = tf_config_bank(config, thread);
    unsigned mod0 = tf_sfpu_format(tile, thread, word >> 16 & 15);
    unsigned address = word & 0x3FF, counter = tensix->rwc[thread].dst;
    uint16_t *pointer = &tensix->vector->stack_pointer[thread];
    if (mod0 != TF_FMT_INT32_ALL) {
        address += tf_sfpu_offset(config, thread, *pointer) + counter;
    } else {
        unsigned step = TF_THREAD_CFG(config, thread, SFPU_STACK_Incr);
        if (load && *pointer != 0)
            *pointer = (*pointer - step) & 0x3FF;
        address += TF_THREAD_CFG(config, thread, DEST_TARGET_REG_CFG_MATH_Offset) +
                   ((*pointer + TF_CFG(config, bank, DEST_SP_BASE_Base)) & 0x3FF) +
                   ((counter + TF_CFG(config, bank, DEST_REGW_BASE_Base)) & 3);
        if (!load)
            *pointer = (*pointer + step) & 0x3FF;
    }
    return (struct tf_sfpu_place){address & 0x3FF, mod0};
}

/* Report four rows to a race checker. */
static void tell(const struct tf_tile *tile, unsigned thread, const struct tf_dst_rows *rows, enum tf_check_use use)
{
    unsigned physical = (unsigned)((rows->high - tile->tensix->dst->bits[0]) / TF_DST_COLUMNS);
    if (rows->lanes != 0)
        tf_report_rows(tile, thread, TF_CHECK_DST, physical, 4, use);
}

/* Rows that ZEROACC has marked read as zero, as in ttsim. */
void tf_sfpu_load_undefined(struct tf_vector *vector, struct tf_sfpu_place place, unsigned vd, struct tf_dst_rows *rows,
                            unsigned undefined)
{
    _Alignas(64) uint16_t high[4][TF_DST_COLUMNS], low[4][TF_DST_COLUMNS];
    for (unsigned row = 0; row < 4; row++) {
        for (unsigned column = 0; column < TF_DST_COLUMNS; column++) {
            unsigned at = row * TF_DST_COLUMNS + column;
            high[row][column] = undefined >> row & 1 ? 0 : rows->high[at];
            low[row][column] = undefined >> row & 1 ? 0 : rows->low[at];
        }
    }
    rows->high = high[0];
    rows->low = low[0];
    vector->kernels->load(vector, place.mod0, vd, rows);
}

void tf_sfpu_load(struct tf_tile *tile, unsigned thread, struct tf_vector *vector, struct tf_sfpu_place place,
                  unsigned vd)
{
    struct tf_dst_rows rows;
    unsigned undefined = tf_sfpu_rows_to_load(tile->tensix->dst, tf_dst_map(tile), vector, place,
                                              tf_lanes_enabled(vector), &rows);
    tell(tile, thread, &rows, TF_CHECK_READS);
    if (undefined != 0)
        tf_sfpu_load_undefined(vector, place, vd, &rows, undefined);
    else
        vector->kernels->load(vector, place.mod0, vd, &rows);
}

void tf_sfpu_store(struct tf_tile *tile, unsigned thread, struct tf_vector *vector, struct tf_sfpu_place place,
                   unsigned vd)
{
    struct tf_dst_rows rows;
    unsigned physical = tf_sfpu_rows_to_store(tile->tensix->dst, tf_dst_map(tile), vector, place,
                                              tf_lanes_enabled(vector), &rows);
    vector->kernels->store(vector, place.mod0, vd, &rows);
    tell(tile, thread, &rows, TF_CHECK_WRITES);
    tf_sfpu_define_rows(tile->tensix->dst, physical, rows.lanes);
}

/* Instructions */

/*
 * Does the instruction write one of LReg[4] to LReg[7] in a way that fails while these follow LReg[0] to LReg[3]?
 * SFPCONFIG.md, ENABLE_DEST_INDEX: erratum TEN-2932. ttsim treats loads, SFPSWAP and SFPTRANSP as safe.
 */
static bool fails_with_indices(uint32_t word, unsigned vd)
{
    const bool is_safe = (tf_sfpu_op(word)->traits & TF_SFPU_INDEXED) != 0;
    return vd >= 4 && vd < 8 && !is_safe && (tf_sfpu_uses(word, vd, vd, vd).may_write >> vd & 1) != 0;
}

#define LOADI_MODES (1u << 0 | 1u << 1 | 1u << 2 | 1u << 4 | 1u << 8 | 1u << 10)

const char *tf_sfpu_objection(const struct tf_vector *vector, uint32_t word, unsigned vd)
{
    unsigned mod1 = word & 15;
    if (vector->acting == 0)
        return NULL;
    if ((vector->mask.dest_index & vector->acting) != 0 && fails_with_indices(word, vd))
        return "while ENABLE_DEST_INDEX is set, only SFPLOAD, SFPLOADI, SFPSWAP and SFPTRANSP write LReg[4] to LReg[7]";
    if ((tf_sfpu_op(word)->traits & TF_SFPU_REFUSABLE) == 0)
        return NULL;
    switch (word >> 24) {
    case TF_OP_SFPLOADI:
        return vd < 8 && (LOADI_MODES >> (word >> 16 & 15) & 1) == 0 ? "a Mod0 that SFPLOADI does not have" : NULL;
    case TF_OP_SFPPUSHC:
        if (mod1 == 0)
            return tf_flags_any_full(vector) ? "a push onto a full flag stack" : NULL;
        return tf_flags_any_empty(vector) ? "a change to the top of an empty flag stack" : NULL;
    case TF_OP_SFPPOPC: return mod1 == 0 && tf_flags_any_empty(vector) ? "a pop from an empty flag stack" : NULL;
    case TF_OP_SFPSHFT2: return mod1 > 6 ? "a Mod1 that SFPSHFT2 does not have" : NULL;
    default: return NULL;
    }
}

void tf_sfpu_move_rows(struct tf_tile *tile, unsigned thread, struct tf_vector *vector, uint32_t word)
{
    unsigned opcode = word >> 24, vd = word >> 20 & 15;
    tf_dst_get(tile);
    if (opcode == TF_OP_SFPLOADMACRO)
        vd = tf_sfpu_macro_vd(word);
    struct tf_sfpu_place place = tf_sfpu_place(tile, thread, word, opcode != TF_OP_SFPSTORE);
    if (opcode == TF_OP_SFPSTORE)
        tf_sfpu_store(tile, thread, vector, place, vd);
    else if (vd < 8)
        tf_sfpu_load(tile, thread, vector, place, vd);
    if (opcode == TF_OP_SFPLOADMACRO)
        tf_macro_schedule(tile, thread, vector, word, place);
    tf_rwc_modify(tile, thread, word >> 13 & 7, false);
}

bool tf_sfpu_refuses(struct tf_tile *tile, unsigned thread, const struct tf_vector *vector, uint32_t word, unsigned vd)
{
    const char *objection = tf_sfpu_objection(vector, word, vd);
    if (objection != NULL)
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "%s", objection);
    return objection != NULL;
}

static void execute_lanes(struct tf_tile *tile, unsigned thread, struct tf_vector *vector, uint32_t word)
{
    const struct tf_sfpu_op *op = tf_sfpu_op(word);
    if (op->kernel == TF_SFPU_KERNEL_COUNT)
        tf_sfpu_move_rows(tile, thread, vector, word);
    else
        vector->kernels->kernel[op->kernel](vector, word, tf_sfpu_vd(op->registers, word),
                                            tf_sfpu_vb(op->registers, word), tf_sfpu_vc(op->registers, word));
}

void tf_sfpu_execute(struct tf_tile *tile, unsigned thread, struct tf_vector *vector, uint32_t word)
{
    unsigned vd = tf_sfpu_vd(tf_sfpu_op(word)->registers, word);
    bool backdoor = tf_sfpu_is_backdoor(word, vd);
    uint32_t acting = backdoor ? vector->mask.no_backdoor : TF_ALL_LANES;
    vector->acting = acting;
    bool refused = tf_sfpu_refuses(tile, thread, vector, word, vd);
    vector->acting = TF_ALL_LANES;
    if (refused)
        return;
    if (backdoor)
        tf_sfpu_backdoor(vector, vd - TF_SFPU_BACKDOOR, word);
    if (acting == 0)
        return;
    vector->acting = acting;
    execute_lanes(tile, thread, vector, word);
    vector->acting = TF_ALL_LANES;
}
