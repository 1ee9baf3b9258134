/* SPDX-License-Identifier: Apache-2.0 */
#include "record/float.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"

#define OPERANDS 0x100000u
#define RESULTS 0x140000u

enum { F_A = 10, F_D = 13, X_A = 10, X_D = 11 };

static uint32_t load(bool is_float, unsigned rd, unsigned base, uint32_t at)
{
    return at << 20 | base << 15 | 2u << 12 | rd << 7 | (is_float ? 0x07 : 0x03);
}

static uint32_t store(bool is_float, unsigned rs, unsigned base)
{
    return rs << 20 | base << 15 | 2u << 12 | (is_float ? 0x27 : 0x23);
}

static bool writes_integer(unsigned id)
{
    return id == TF_RV_FCVT_W_S || id == TF_RV_FCVT_WU_S || id == TF_RV_FMV_X_W || id == TF_RV_FCLASS_S ||
           id == TF_RV_FEQ_S || id == TF_RV_FLT_S || id == TF_RV_FLE_S;
}

/* The instruction: fa0, fa1, fa2 or a0 to fa3 or a1. */
static uint32_t word_of(unsigned id)
{
    const struct tf_rv_info *info = tf_rv_info(id);
    uint32_t word = info->match | (writes_integer(id) ? X_D : F_D) << 7 | (uint32_t)F_A << 15;
    if ((info->mask >> 20 & 31) == 0)
        word |= (F_A + 1u) << 20;
    if ((info->mask >> 27 & 31) == 0)
        word |= (F_A + 2u) << 27;
    if ((info->flags & TF_RV_F_ROUND) != 0)
        word |= 7u << 12;
    return word;
}

bool float_run(const struct api *api, const void *job, void *result)
{
    static struct peer_code code;
    const struct float_part *part = job;
    for (unsigned i = 0; i < part->count; i++) {
        const struct float_case *line = &part->one[i];
        put(api, PEER_X, PEER_Y, OPERANDS + 16 * i, line->operand, sizeof line->operand);
        peer_li(&code, X_BASE, OPERANDS + 16 * i);
        for (unsigned n = 0; n < 3; n++)
            peer_emit(&code, load(true, F_A + n, X_BASE, 4 * n));
        peer_emit(&code, load(false, X_A, X_BASE, 0));
        peer_emit(&code, word_of(line->id));
        peer_li(&code, X_BASE, RESULTS + 4 * i);
        bool is_float = !writes_integer(line->id);
        peer_emit(&code, store(is_float, is_float ? F_D : X_D, X_BASE));
    }
    if (!peer_run(api, PEER_B, &code))
        return false;
    get(api, PEER_X, PEER_Y, RESULTS, result, 4 * part->count);
    return true;
}
