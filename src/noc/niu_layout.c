/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NIU registers of a family whose layout differs from Blackhole's. A tile of that family has no fast words: every
 * access comes here. Faults name the register by Blackhole's offset.
 */
#include "noc/parts.h"

#define NO_REGISTER UINT32_MAX

/* Blackhole's offset of the family's register at `offset`. */
static uint32_t offset_here(const struct tf_niu_arch *layout, uint32_t offset)
{
    for (unsigned i = 0; i < TF_NIU_RANGES && layout->range[i].bytes != 0; i++)
        if (offset - layout->range[i].first < layout->range[i].bytes)
            return layout->range[i].here + (offset - layout->range[i].first);
    uint32_t i = offset / layout->initiator_stride, within = offset % layout->initiator_stride / 4;
    if (i >= TF_NIU_INITIATORS || within >= TF_NIU_LAYOUT_WORDS || layout->word[within] == TF_NIU_NO_WORD)
        return NO_REGISTER;
    return i * TF_NIU_INITIATOR_STRIDE + 4u * layout->word[within];
}

/* Does the word hold coordinates above `address_high_bits` bits of an address? Blackhole has them in the next word. */
static bool is_shared(const struct tf_niu_arch *layout, uint32_t here)
{
    uint32_t word = here % TF_NIU_INITIATOR_STRIDE / 4;
    return layout->address_high_bits != 0 && here < TF_NIU_INITIATORS * TF_NIU_INITIATOR_STRIDE &&
           (word == TF_NIU_TARG_MID || word == TF_NIU_RET_MID);
}

/* Initiators that have not issued their request yet, as bits. */
static uint32_t pending(const struct tf_niu *niu)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < TF_NIU_INITIATORS; i++)
        bits |= (niu->initiator[i][TF_NIU_CMD_CTRL] & 1) << i;
    return bits;
}

enum tf_access tf_niu_layout_load(void *opaque, uint32_t offset, uint32_t *value, bool *pure)
{
    struct tf_niu *niu = opaque;
    const struct tf_niu_arch *layout = niu->fabric->arch->niu;
    uint32_t here = offset_here(layout, offset), coordinates;
    *pure = true;
    *value = 0;
    if (layout->pending != 0 && offset == layout->pending) {
        *value = pending(niu);
        return TF_ACCESS_OK;
    }
    if (here == NO_REGISTER)
        return TF_ACCESS_FAULT;
    enum tf_access access = tf_niu_load(niu, here, value, pure);
    if (access == TF_ACCESS_OK && is_shared(layout, here)) {
        access = tf_niu_load(niu, here + 4, &coordinates, pure);
        *value |= coordinates << layout->address_high_bits;
    }
    return access;
}

enum tf_access tf_niu_layout_store(void *opaque, uint32_t offset, uint32_t value, unsigned core, uint32_t pc)
{
    struct tf_niu *niu = opaque;
    const struct tf_niu_arch *layout = niu->fabric->arch->niu;
    uint32_t here = offset_here(layout, offset);
    if (layout->pending != 0 && offset == layout->pending)
        return TF_ACCESS_OK; /* read only */
    if (here == NO_REGISTER)
        return tf_niu_no_store(niu, offset, core, TF_FAULT_UNIMPLEMENTED, "there is no such register");
    if (is_shared(layout, here)) {
        enum tf_access access = tf_niu_store(niu, here + 4, value >> layout->address_high_bits, core, pc);
        if (access != TF_ACCESS_OK)
            return access;
        value &= (1u << layout->address_high_bits) - 1;
    }
    return tf_niu_store(niu, here, value, core, pc);
}
