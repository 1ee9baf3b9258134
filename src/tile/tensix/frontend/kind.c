/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/kind.h"

#include "tile/tensix/frontend/fifo.h"
#include "tile/tensix/isa/sfpu.h"

/* An MVMUL that releases a bank is not in these batches. */
static uint8_t kind_in_matrix(uint32_t word)
{
    bool in_batches = word >> 24 == TF_OP_MVMUL && TF_FIELD(word, MVMUL, clear_dvalid) == 0 && tf_tensix_valid(word);
    return in_batches ? TF_KIND_MATRIX : TF_KIND_OTHER;
}

static enum tf_vector_kind kind_of_mad(uint32_t word)
{
    if ((word & 15) != 0 || (word >> 4 & 15) >= 8)
        return TF_VECTOR_ALL_LANES;
    return tf_vector_kind_of_mad(word >> 16 & 15, word >> 8 & 15);
}

static enum tf_vector_kind vector_kind_of(uint32_t word)
{
    static const uint8_t kinds[TF_SFPU_OPCODES] = {
#define SFPU(name, unit, registers, reads, may_read, may_write, traits)                        \
    [TF_OP_##name - TF_OP_SFPLOAD] = TF_OP_##name == TF_OP_SFPNOP        ? TF_VECTOR_NOTHING   \
                                     : ((traits)&TF_SFPU_REFUSABLE) != 0 ? TF_VECTOR_REFUSABLE \
                                                                         : TF_VECTOR_ALL_LANES,
#define MOVE(name, unit, registers, reads, may_read, may_write, traits)                 \
    [TF_OP_##name - TF_OP_SFPLOAD] = TF_OP_##name == TF_OP_SFPLOAD    ? TF_VECTOR_LOAD  \
                                     : TF_OP_##name == TF_OP_SFPSTORE ? TF_VECTOR_STORE \
                                                                      : TF_VECTOR_KINDS,
#include "tile/tensix/isa/sfpu.def"
#undef SFPU
    };
    unsigned opcode = word >> 24, index = opcode - TF_OP_SFPLOAD;
    if (index >= TF_SFPU_OPCODES || !tf_tensix_valid(word))
        return TF_VECTOR_KINDS;
    enum tf_vector_kind kind = (enum tf_vector_kind)kinds[index];
    bool moves = kind == TF_VECTOR_LOAD || kind == TF_VECTOR_STORE;
    if (tf_sfpu_vd(tf_sfpu_ops[index].registers, word) >= (kind == TF_VECTOR_LOAD ? 8 : TF_SFPU_BACKDOOR) ||
        (moves && (word >> 16 & 15) == TF_FMT_INT32_ALL))
        return TF_VECTOR_KINDS;
    return opcode == TF_OP_SFPMAD || opcode == TF_OP_SFPADD || opcode == TF_OP_SFPMUL ? kind_of_mad(word) : kind;
}

static uint8_t kind_in_vector(uint32_t word)
{
    enum tf_vector_kind kind = vector_kind_of(word);
    return kind != TF_VECTOR_KINDS ? (uint8_t)(TF_KIND_VECTOR + kind) : TF_KIND_OTHER;
}

uint8_t tf_kind_of_other(uint32_t word)
{
    if (tf_fifo_held_by(word) != 0)
        return TF_KIND_UNBATCHED;
    uint8_t kind = kind_in_matrix(word);
    return kind != TF_KIND_OTHER ? kind : kind_in_vector(word);
}
