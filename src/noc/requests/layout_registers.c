/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/event.h"
#include "noc/requests/initiator.h"
#include "noc/requests/layout_registers.h"
#include "noc/niu.h"
#include "noc/niu_layout.h"

/* Initiators that have not issued their request yet, as bits. */
static uint32_t pending(const struct tf_niu *niu)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < TF_NIU_INITIATORS; i++)
        bits |= (niu->initiator[i][niu->cmd_ctrl] & 1) << i;
    return bits;
}

enum tf_access tf_niu_layout_load(void *opaque, uint32_t offset, uint32_t *value, bool *pure)
{
    struct tf_niu *niu = opaque;
    const struct tf_niu_arch *layout = niu->fabric->arch->niu;
    uint32_t common = tf_niu_layout_common(layout, offset), i;
    *pure = true;
    *value = 0;
    if (layout->pending != 0 && offset == layout->pending) {
        *value = pending(niu);
        return TF_ACCESS_OK;
    }
    if (common == TF_NIU_NO_REGISTER)
        return TF_ACCESS_FAULT;
    if (tf_niu_layout_word(layout, offset, &i) > TF_NIU_CMD_CTRL)
        return tf_niu_load(niu, common, value, pure);
    *value = niu->initiator[i][tf_niu_layout_within(layout, offset)];
    return TF_ACCESS_OK;
}

/* Store to a register that is no word of an initiator. */
static __attribute__((noinline)) enum tf_access store_other(struct tf_niu *niu, uint32_t offset, uint32_t value,
                                                            unsigned core, uint32_t pc)
{
    const struct tf_niu_arch *layout = niu->fabric->arch->niu;
    uint32_t common = tf_niu_layout_common(layout, offset);
    if (layout->pending != 0 && offset == layout->pending)
        return TF_ACCESS_OK; /* read only */
    if (layout->debug_bytes != 0 && offset - layout->debug_first < layout->debug_bytes)
        return TF_ACCESS_OK; /* read only */
    if (common == TF_NIU_NO_REGISTER)
        return tf_niu_no_store(niu, offset, core, TF_FAULT_UNIMPLEMENTED, "there is no such register");
    return tf_niu_store_any(niu, common, value, core, pc);
}

enum tf_access tf_niu_layout_store(void *opaque, uint32_t offset, uint32_t value, unsigned core, uint32_t pc)
{
    struct tf_niu *niu = opaque;
    const struct tf_niu_arch *layout = niu->fabric->arch->niu;
    uint32_t within = tf_niu_layout_within(layout, offset), i = offset >> layout->initiator_stride_log2;
    if (within == niu->cmd_ctrl && i < TF_NIU_INITIATORS && (value & 1))
        return tf_niu_command(niu, i, core, pc);
    if (tf_niu_layout_word(layout, offset, &i) > TF_NIU_CMD_CTRL)
        return store_other(niu, offset, value, core, pc);
    return tf_niu_word_store(niu, i, within, value, core, pc);
}
