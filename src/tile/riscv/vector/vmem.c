/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector loads and stores, element by element. RISC-V "V" 1.0, chapter 7. Elements must be aligned to their width, as
 * other accesses must. No page describes a vector access to a register, so it is a fault.
 */
#include "host/extremes.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/hart/observed.h"
#include "tile/riscv/hart/stop.h"
#include "tile/riscv/vector/group.h"
#include "tile/riscv/vector/vmem.h"
#include "tile/riscv/vector/vec.h"

#include "tile/check.h"
#include "tile/order/order.h"
#include "tile/riscv/hart/memory.h"
#include "tile/state.h"

/* The accesses of one instruction: `count` elements of `fields` fields each, of `bits` bits. */
struct accesses {
    uint32_t base, stride; /* in bytes; from one element to the next */
    uint32_t count;
    unsigned fields, bits;
    unsigned registers;  /* in bytes; from one field to the next */
    unsigned index_bits; /* bits of an index; 0: the access is not indexed */
    bool masked;
};

static unsigned width_of(uint32_t word)
{
    switch (word >> 12 & 7) {
    case 0: return 8;
    case 5: return 16;
    case 6: return 32;
    default: return 64;
    }
}

static struct accesses accesses_of(const struct tf_vec *vec)
{
    uint32_t word = vec->word;
    unsigned width = width_of(word), fields = (word >> 29) + 1;
    const uint32_t *x = vec->hart->x;
    struct accesses all = {.base = vec->vs1 != 0 ? x[vec->vs1] : 0,
                           .count = vec->vl,
                           .fields = fields,
                           .bits = width,
                           .masked = vec->masked};
    switch ((enum tf_v_shape)vec->info->shape) {
    case TF_V_WHOLE:
        all.count = fields * TF_V_BYTES / (width / 8);
        all.fields = 1;
        break;
    case TF_V_BITS: all.count = (vec->vl + 7) / 8; break;
    case TF_V_INDEXED:
        all.bits = vec->sew;
        all.index_bits = width;
        break;
    default: break;
    }
    bool strided = vec->info->shape == TF_V_STRIDED;
    all.stride = !strided ? all.fields * all.bits / 8 : vec->vs2 != 0 ? x[vec->vs2] : 0;
    all.registers = tf_vec_registers(vec, all.bits);
    return all;
}

/* Is the encoding valid? Returns false after a fault. */
static bool stands(struct tf_vec *vec, const struct accesses *all)
{
    bool load = !(vec->info->flags & TF_V_IS_STORE);
    if (all->bits > 32 || all->index_bits > 32) {
        tf_vec_refuse(vec, "elements of 64 bits are not supported");
        return false;
    }
    if (vec->info->shape == TF_V_BITS)
        return true;
    if (vec->info->shape == TF_V_WHOLE) {
        unsigned count = (vec->word >> 29) + 1;
        if (vec->vd % count != 0)
            tf_vec_refuse(vec, "v%u does not begin a group of %u registers", vec->vd, count);
        return vec->vd % count == 0;
    }
    if (!tf_vec_group(vec, vec->vd, all->bits) || (load && !tf_vec_spares_mask(vec)))
        return false;
    if (all->fields > 1 && (all->fields * all->registers > 8 || vec->vd + all->fields * all->registers > 32)) {
        tf_vec_refuse(vec, "%u fields of %u registers from v%u", all->fields, all->registers, vec->vd);
        return false;
    }
    if (all->index_bits == 0)
        return true;
    if (!tf_vec_group(vec, vec->vs2, all->index_bits))
        return false;
    if (all->fields == 1)
        return !load || tf_vec_overlap(vec, all->bits, vec->vs2, all->index_bits);
    for (unsigned reg = vec->vd; load && reg < vec->vd + all->fields * all->registers; reg++)
        if (reg - vec->vs2 < tf_vec_registers(vec, all->index_bits)) {
            tf_vec_refuse(vec, "the destination v%u overlaps the source v%u", reg, vec->vs2);
            return false;
        }
    return true;
}

static uint32_t address_of(const struct tf_vec *vec, const struct accesses *all, uint32_t index, unsigned field)
{
    uint32_t offset = all->index_bits != 0 ? (uint32_t)tf_v_get(vec->from, vec->vs2, all->index_bits, index)
                                           : index * all->stride;
    return all->base + offset + field * all->bits / 8;
}

static bool fault_at(struct tf_vec *vec, uint32_t address, enum tf_fault_category category, const char *why)
{
    vec->tile->cycle = vec->hart->cycle;
    tf_tile_fault(vec->tile, vec->hart->core, category, vec->word, address, "%s", why);
    return false;
}

/* Find the memory at an address. Returns false after a fault; with `quiet` it returns false without a fault. */
static bool memory_at(struct tf_vec *vec, uint32_t address, unsigned size, bool quiet, uint8_t **data)
{
    if (address % size != 0)
        return !quiet && fault_at(vec, address, TF_FAULT_UNDEFINED, "misaligned vector element");
    if (tf_hart_memory(vec->tile, vec->hart, address, size, data))
        return true;
    return !quiet && fault_at(vec, address, TF_FAULT_UNPREDICTABLE, "vector access outside L1 and local RAM");
}

/* Tell a race checker of an access to L1. */
static void tell(const struct tf_vec *vec, uint32_t address, unsigned size)
{
    struct tf_check *check = tf_hart_check(vec->tile, address);
    if (check != NULL)
        (vec->info->flags & TF_V_IS_STORE ? check->store : check->load)(check,
                                                                        tf_hart_access(vec->hart, address, size));
}

/* Access one element with all its fields. Returns as memory_at(). */
static bool access_element(struct tf_vec *vec, const struct accesses *all, uint32_t index, bool quiet)
{
    unsigned size = all->bits / 8;
    for (unsigned field = 0; field < all->fields; field++) {
        unsigned reg = vec->vd + field * all->registers;
        uint32_t address = address_of(vec, all, index, field);
        uint8_t *data;
        if (!memory_at(vec, address, size, quiet, &data))
            return false;
        tell(vec, address, size);
        if (vec->info->flags & TF_V_IS_STORE)
            tf_hart_store_memory(vec->tile, address, data, size, (uint32_t)tf_v_get(vec->from, reg, all->bits, index));
        else
            tf_v_set(tf_vec_file(vec), reg, all->bits, index, tf_hart_load_memory(data, size));
    }
    return true;
}

void tf_vec_reach(const struct tf_vec *vec, struct tf_retired *retired)
{
    struct accesses all = accesses_of(vec);
    uint32_t first = UINT32_MAX, last = 0;
    if (all.bits > 32 || all.index_bits > 32)
        return;
    for (uint32_t i = 0; i < all.count; i++) {
        if (all.masked && !tf_v_bit(vec->from, 0, i))
            continue;
        uint32_t from = address_of(vec, &all, i, 0), to = address_of(vec, &all, i, all.fields - 1) + all.bits / 8 - 1;
        first = tf_min(from, first);
        last = tf_max(to, last);
    }
    retired->loads = first <= last && !(vec->info->flags & TF_V_IS_STORE);
    retired->stores = first <= last && vec->info->flags & TF_V_IS_STORE;
    retired->address = first;
    retired->bytes = first <= last ? last - first + 1 : 0;
}

enum tf_step tf_vec_memory(struct tf_vec *vec)
{
    struct accesses all = accesses_of(vec);
    bool trims = vec->info->shape == TF_V_FIRST_FAULT, stores = vec->info->flags & TF_V_IS_STORE;
    if (!stands(vec, &all) ||
        tf_order_claim_memory(vec->tile, vec->hart, (struct tf_span){0, UINT32_MAX}, stores) != TF_ACCESS_OK)
        return TF_STEP_STOP;
    for (uint32_t i = 0; i < all.count; i++) {
        if ((all.masked && !tf_v_bit(vec->from, 0, i)) || access_element(vec, &all, i, trims && i > 0))
            continue;
        if (!trims || i == 0)
            return TF_STEP_STOP;
        vec->hart->csr.word[TF_CSR_VL] = i;
        break;
    }
    return TF_STEP_NEXT;
}
