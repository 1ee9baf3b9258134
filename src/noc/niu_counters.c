/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of outstanding requests, and the interrupt that they raise at 0. */
#include "noc/niu_counters.h"

#define INT_ENABLE 0xFFFFu
#define RC_DISABLE (1u << 28)

static uint32_t raised(const struct tf_niu *niu)
{
    return __atomic_load_n(&niu->rtz_source, __ATOMIC_SEQ_CST) & tf_niu_config_word(niu, TF_NIU_RTZ_CFG) & INT_ENABLE;
}

/* In relaxed mode other workers may raise the line while its owner lowers it. So the owner tests a second time. */
void tf_niu_update_irq(struct tf_niu *niu)
{
    struct tf_tile *tile = niu->node->tile;
    if (tile == NULL)
        return;
    uint32_t line = 2u << niu->noc;
    if (raised(niu)) {
        __atomic_fetch_or(&tile->irq_lines, line, __ATOMIC_SEQ_CST);
        return;
    }
    if (!(__atomic_load_n(&tile->irq_lines, __ATOMIC_RELAXED) & line))
        return;
    __atomic_fetch_and(&tile->irq_lines, ~line, __ATOMIC_SEQ_CST);
    if (raised(niu))
        __atomic_fetch_or(&tile->irq_lines, line, __ATOMIC_SEQ_CST);
}

/*
 * Count a request and its answer. The two counts cancel. If the counter is 0 or 255 now, it passes through 0 between
 * them, however other workers count. Only this worker clears a bit of rtz_source.
 */
void tf_niu_count_round_trip(struct tf_niu *niu, unsigned tid)
{
    uint8_t count = __atomic_load_n((uint8_t *)&niu->counter[TF_MST_REQS_OUTSTANDING + tid], __ATOMIC_SEQ_CST);
    if (count != 0 && count != UINT8_MAX)
        return;
    bool set = __atomic_load_n(&niu->rtz_source, __ATOMIC_SEQ_CST) >> tid & 1;
    if (!set || tf_niu_config_word(niu, TF_NIU_RTZ_CFG) >> tid & 1)
        tf_niu_returned_to_zero(niu, tid, true);
}

void tf_niu_clear_tids(struct tf_niu *niu, uint32_t tids)
{
    for (unsigned tid = 0; tid < TF_NOC_TIDS; tid++) {
        if (!(tids >> tid & 1))
            continue;
        if (__atomic_exchange_n(&niu->counter[TF_MST_REQS_OUTSTANDING + tid], 0, __ATOMIC_SEQ_CST) != 0)
            tf_niu_returned_to_zero(niu, tid, niu->fabric->rules.shared);
    }
}

void tf_niu_rtz_clear(struct tf_niu *niu, uint32_t bits)
{
    __atomic_fetch_and(&niu->rtz_source, ~bits, __ATOMIC_SEQ_CST);
    tf_niu_update_irq(niu);
}

uint32_t tf_niu_rtz_num(struct tf_niu *niu)
{
    uint32_t pending = raised(niu);
    uint32_t number = pending ? (uint32_t)__builtin_ctz(pending) : 0;
    if (!(tf_niu_config_word(niu, TF_NIU_RTZ_CFG) & RC_DISABLE))
        tf_niu_rtz_clear(niu, 1u << number);
    return number;
}
