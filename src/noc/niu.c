/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of NIU registers. Source: BlackholeA0/NoC/MemoryMap.md. */
#include <string.h>

#include "noc/coords.h"
#include "noc/event.h"
#include "noc/niu.h"
#include "noc/niu_counters.h"
#include "noc/niu_layout.h"
#include "noc/sent.h"
#include "host/saved.h"
#include "tile/riscv/hart/stop.h"

#define CONFIG_END (TF_NIU_CONFIG + 4 * TF_NIU_CONFIGS)
#define COUNTER_END (TF_NIU_COUNTER + 4 * TF_NIU_COUNTERS)

static uint32_t counter_value(const struct tf_niu *niu, unsigned index)
{
    return __atomic_load_n(&niu->counter[index], __ATOMIC_RELAXED);
}

/* Load a register of an initiator. Returns false if there is none at this offset. */
static bool load_initiator(const struct tf_niu *niu, unsigned i, uint32_t offset, uint32_t *value)
{
    *value = 0;
    if (offset < TF_NIU_INITIATOR_BYTES) {
        *value = niu->initiator[i][offset / 4];
        return true;
    }
    switch (offset) {
    case TF_NIU_NODE_ID: *value = niu->node_id; return true;
    case TF_NIU_ENDPOINT_ID: *value = niu->endpoint_id; return true;
    case TF_NIU_CLEAR_TIDS: return i == 0;
    case TF_NIU_FIFO_STATUS: /* the FIFO is always empty */
    case TF_NIU_FIFO_STATUS + 4: return true;
    default: return false;
    }
}

enum tf_access tf_niu_load(void *opaque, uint32_t offset, uint32_t *value, bool *pure)
{
    struct tf_niu *niu = opaque;
    *pure = true;
    if (offset >= TF_NIU_COUNTER && offset < COUNTER_END) {
        *value = counter_value(niu, (offset - TF_NIU_COUNTER) / 4);
        return TF_ACCESS_OK;
    }
    if (offset >= TF_NIU_CONFIG && offset < CONFIG_END) {
        *value = niu->config[(offset - TF_NIU_CONFIG) / 4];
        return TF_ACCESS_OK;
    }
    if (offset == TF_NIU_RTZ_SOURCE) {
        *value = __atomic_load_n(&niu->rtz_source, __ATOMIC_RELAXED);
        return TF_ACCESS_OK;
    }
    if (offset == TF_NIU_RTZ_NUM) {
        *pure = false;
        *value = tf_niu_rtz_num(niu);
        return TF_ACCESS_OK;
    }
    if (offset < TF_NIU_INITIATORS_END &&
        load_initiator(niu, offset / TF_NIU_INITIATOR_STRIDE, offset % TF_NIU_INITIATOR_STRIDE, value))
        return TF_ACCESS_OK;
    *value = 0;
    return TF_ACCESS_FAULT;
}

static void store_config(struct tf_niu *niu, enum tf_niu_config word, uint32_t value)
{
    if (word == TF_NIU_RTZ_CLR) {
        tf_niu_rtz_clear(niu, value);
        return;
    }
    __atomic_store_n(&niu->config[word], value, __ATOMIC_RELAXED);
    tf_niu_forget(niu);
    if (word == TF_NIU_RTZ_CFG)
        tf_niu_update_irq(niu);
    else
        tf_niu_unpack_tables(niu);
}

/* Is a register read-only, if tf_niu_store_other() does not handle it? Stores to it do nothing. */
static bool read_only(const struct tf_niu *niu, uint32_t offset)
{
    uint32_t value;
    unsigned i = offset / TF_NIU_INITIATOR_STRIDE;
    return (i < TF_NIU_INITIATORS && load_initiator(niu, i, offset % TF_NIU_INITIATOR_STRIDE, &value)) ||
           (offset >= TF_NIU_COUNTER && offset < COUNTER_END) || offset == TF_NIU_RTZ_NUM ||
           offset == TF_NIU_RTZ_SOURCE;
}

enum tf_access tf_niu_store_other(struct tf_niu *niu, uint32_t offset, uint32_t value, unsigned core)
{
    if (offset >= TF_NIU_CONFIG && offset < CONFIG_END) {
        store_config(niu, (offset - TF_NIU_CONFIG) / 4, value);
        return TF_ACCESS_OK;
    }
    if (offset == TF_NIU_CLEAR_TIDS) {
        tf_niu_clear_tids(niu, value);
        return TF_ACCESS_OK;
    }
    if (read_only(niu, offset))
        return TF_ACCESS_OK;
    return tf_niu_no_store(niu, offset, core, TF_FAULT_UNIMPLEMENTED, "not implemented");
}

void tf_niu_hash(const struct tf_niu *niu, struct tf_hash *hash)
{
    uint32_t words[TF_NIU_INITIATOR_WORDS];
    for (unsigned i = 0; i < TF_NIU_INITIATORS; i++)
        tf_hash_bytes(hash, tf_niu_words(niu, i, words), TF_NIU_INITIATOR_BYTES);
    for (unsigned i = 0; i < TF_NIU_COUNTERS; i++)
        tf_hash_u32(hash, counter_value(niu, i));
    tf_hash_bytes(hash, niu->config, sizeof niu->config);
    tf_hash_u32(hash, niu->rtz_source);
    tf_hash_u32(hash, *tf_niu_queued(niu) | (uint32_t)niu->split << 8);
    for (unsigned i = 0; i < *tf_niu_queued(niu); i++) {
        const struct tf_niu_issuer *issuer = &niu->issuer[niu->queue[i]];
        tf_hash_u32(hash, niu->queue[i]);
        tf_hash_u32(hash, issuer->core);
        tf_hash_u32(hash, issuer->pc);
        tf_hash_u64(hash, issuer->cycle);
    }
    const uint64_t statistics[] = {niu->requests, niu->bytes, niu->atomics, niu->bytes_in};
    tf_hash_bytes(hash, statistics, sizeof statistics);
}

TF_SAVED_WHOLE(struct tf_niu, 1216);

/* Does an initiator wait for the next epoch? If not, the issuer of its last request has no effect and is not saved. */
static bool waits(const struct tf_niu *niu, unsigned initiator)
{
    bool queued = false;
    for (unsigned i = 0; i < *tf_niu_queued(niu); i++)
        queued |= niu->queue[i] == initiator;
    return queued || (niu->split >> initiator & 1) != 0;
}

/* Save all fields but the NIU's place in the chip and the kept packets. These packets are made anew from the
   registers. */
void tf_niu_state(struct tf_saved *saved, struct tf_niu *niu)
{
    TF_SAVED_SPAN(saved, niu, requests, initiator);
    TF_SAVED_MEMORY(saved, niu->initiator);
    TF_SAVED_MEMORY(saved, niu->counter);
    TF_SAVED_SPAN(saved, niu, node_id, issuer);
    TF_SAVED(saved, *tf_niu_queued(niu));
    bool fits = *tf_niu_queued(niu) <= TF_NIU_INITIATORS;
    for (unsigned i = 0; i < TF_NIU_INITIATORS; i++)
        fits &= niu->queue[i] < TF_NIU_INITIATORS;
    if (!fits)
        tf_saved_fail(saved, "it is damaged: a NIU has too many initiators");
    for (unsigned i = 0; i < TF_NIU_INITIATORS && saved->why == NULL; i++)
        if (waits(niu, i))
            TF_SAVED(saved, niu->issuer[i]);
    if (!saved->reads)
        return;
    tf_niu_unpack_tables(niu); /* a damaged file may have others */
    tf_niu_forget(niu);
}
