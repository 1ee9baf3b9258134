/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/vector/vector.h"

#include <string.h>

#include "tile/tensix/data/rwc.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/prng.h"
#include "tile/tensix/data/report.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/isa.h"
#include "host/saved.h"
#include "tile/tensix/soft_reset.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/flags.h"
#include "tile/tensix/vector/issue.h"
#include "tile/tensix/vector/rows.h"

const struct tf_sfpu_kernels *tf_sfpu_kernels_of(unsigned edition, enum tf_vectors level)
{
    static const struct tf_sfpu_kernels *const kernels[TF_EDITIONS][TF_VECTOR_LEVELS] = {
        [TF_EDITION_BLACKHOLE] = TF_VECTORS_TABLE(tf_sfpu),
        [TF_EDITION_WORMHOLE] = TF_VECTORS_TABLE(tf_sfpu_wormhole),
    };
    return kernels[edition][tf_vectors_resolve(level)];
}

struct tf_vector *tf_sfpu_get(struct tf_tile *tile)
{
    struct tf_vector *vector = tile->tensix->vector;
    if (vector != NULL)
        return vector;
    tile->tensix->vector = vector = tile->tensix->vector_memory;
    vector->kernels = tf_sfpu_kernels_of(tile->arch->units.edition, tile->tensix->vectors);
    tf_vector_reset(vector);
    return vector;
}

bool tf_sfpu_choose(struct tf_tile *tile, enum tf_vectors level)
{
    const struct tf_sfpu_kernels *kernels = tf_sfpu_kernels_of(tile->arch->units.edition, level);
    struct tf_vector *vector = tf_sfpu_get(tile);
    if (kernels == NULL)
        return false;
    vector->kernels = kernels;
    return true;
}

void tf_sfpu_destroy(struct tf_tile *tile)
{
    if (tile->tensix->vector == NULL)
        return;
    tf_macro_destroy(tile->tensix->vector);
    tile->tensix->vector = NULL;
}

void tf_sfpu_reset(struct tf_tile *tile, uint32_t entering, uint32_t leaving)
{
    struct tf_vector *vector = tile->tensix->vector;
    if (vector == NULL)
        return;
    if (entering & TF_RESET_MATRIX)
        tf_macro_forget(vector);
    if (leaving & TF_RESET_MATRIX)
        tf_vector_reset(vector);
}

TF_SAVED_WHOLE(struct tf_vector, 2816);

/* A unit that no instruction has used is in the state after reset, and has no memory yet. */
void tf_sfpu_state(struct tf_saved *saved, struct tf_tile *tile)
{
    bool used = tf_saved_count(saved, tile->tensix->vector != NULL, 1);
    struct tf_vector *vector = used ? tf_sfpu_get(tile) : NULL;
    if (vector == NULL)
        return;
    TF_SAVED_SPAN(saved, vector, lreg, kernels);
    TF_SAVED(saved, vector->scheduled);
    bool fits = tf_saved_is_flag(&vector->scheduled) && tf_saved_is_flag(&vector->macros_differ);
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++)
        fits = fits && vector->lane.depth[column] <= TF_FLAG_STACK;
    tf_saved_demand(saved, fits, "it is damaged: a vector unit is invalid");
    tf_macro_state(saved, vector);
}

void tf_sfpu_hash(const struct tf_tile *tile, struct tf_hash *hash)
{
    struct tf_vector after_reset = {.kernels = NULL};
    const struct tf_vector *vector = tile->tensix->vector;
    if (vector == NULL) {
        tf_vector_reset(&after_reset);
        vector = &after_reset;
    }
    tf_hash_bytes(hash, vector->lreg, sizeof vector->lreg);
    tf_hash_bytes(hash, vector->prng, sizeof vector->prng);
    const struct tf_lane_flags *lane = &vector->lane;
    tf_hash_u32(hash, lane->flags);
    tf_hash_u32(hash, lane->use);
    tf_hash_bytes(hash, lane->depth, sizeof lane->depth);
    /* Popped entries are not part of the state. */
    for (unsigned level = 0; level < TF_FLAG_STACK; level++) {
        uint32_t live = 0;
        for (unsigned column = 0; column < TF_LANE_COLUMNS; column++)
            live |= lane->depth[column] > level ? TF_COLUMN_LANES << column : 0;
        tf_hash_u32(hash, lane->stack_flags[level] & live);
        tf_hash_u32(hash, lane->stack_use[level] & live);
    }
    tf_hash_bytes(hash, vector->lane_config, sizeof vector->lane_config);
    tf_hash_bytes(hash, vector->macro, sizeof vector->macro);
    tf_hash_bytes(hash, vector->stack_pointer, sizeof vector->stack_pointer);
    if (tile->arch->units.keeps_rotated_lanes)
        tf_hash_bytes(hash, vector->rotated, sizeof vector->rotated);
    tf_macro_hash(vector, hash);
}

/* The chain through the generators of all lanes follows ttsim; VectorUnit.md says only that they are seeded. */
uint32_t tf_sfpu_seed(struct tf_tile *tile, uint32_t seed)
{
    struct tf_vector *vector = tf_sfpu_get(tile);
    for (unsigned i = 0; i < TF_LANES; i++)
        seed = tf_prng_step(seed);
    return tf_prng_seed(vector->prng, TF_LANES, seed);
}

/* SFPLOAD, SFPSTORE */

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

static void load_or_store(struct tf_tile *tile, unsigned thread, struct tf_vector *vector, uint32_t word)
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
        load_or_store(tile, thread, vector, word);
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

/* The rare cases are four: the first instruction, VD from TF_SFPU_BACKDOOR on, instructions that may be refused, a
   schedule of SFPLOADMACRO. */
static __attribute__((noinline)) void execute_general(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_vector *vector = tf_sfpu_get(tile);
    if (vector->scheduled)
        tf_macro_issue(tile, thread, word);
    else
        tf_sfpu_execute(tile, thread, vector, word);
}

#define SFPU(name, unit, registers_, reads, may_read, may_write, traits)                                     \
    void tf_exec_##name(struct tf_tile *tile, unsigned thread, uint32_t word)                                \
    {                                                                                                        \
        const enum tf_sfpu_registers registers = TF_REGISTERS_##registers_;                                  \
        struct tf_vector *vector = tile->tensix->vector;                                                     \
        unsigned vd = tf_sfpu_vd(registers, word);                                                           \
        if (vector == NULL || vector->scheduled || vd >= TF_SFPU_BACKDOOR || vector->mask.dest_index != 0 || \
            (((traits)&TF_SFPU_REFUSABLE) != 0 && tf_sfpu_objection(vector, word, vd) != NULL))              \
            execute_general(tile, thread, word);                                                             \
        else                                                                                                 \
            vector->kernels->kernel[TF_KERNEL_##name](vector, word, vd, tf_sfpu_vb(registers, word),         \
                                                      tf_sfpu_vc(registers, word));                          \
    }
#define MOVE(name, unit, registers, reads, may_read, may_write, traits)
#include "tile/tensix/vector/sfpu.def"
#undef SFPU

static void exec_move(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_vector *vector = tile->tensix->vector;
    if (vector == NULL || vector->scheduled || (word >> 20 & 15) >= TF_SFPU_BACKDOOR)
        execute_general(tile, thread, word);
    else
        load_or_store(tile, thread, vector, word);
}

void tf_exec_SFPLOAD(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    exec_move(tile, thread, word);
}

void tf_exec_SFPSTORE(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    exec_move(tile, thread, word);
}

void tf_exec_SFPLOADMACRO(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    execute_general(tile, thread, word);
}
