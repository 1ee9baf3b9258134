/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_RISCV_HART_MEMORY_H
#define TILE_RISCV_HART_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/check.h"
#include "tile/riscv/code/code.h"
#include "tile/state.h"
#include "tilefarm_address.h"

/* Are `size` bytes at an address, of any alignment, in L1 or the hart's local RAM? *data points to them. */
static inline bool tf_hart_memory(struct tf_tile *tile, const struct tf_hart *hart, uint32_t address, unsigned size,
                                  uint8_t **data)
{
    if (address <= tile->arch->l1_bytes - size) {
        *data = tile->l1 + address;
        return true;
    }
    uint32_t offset = address - TF_LOCAL_BASE;
    if (offset < hart->local_bytes && offset <= hart->local_bytes - size) {
        *data = hart->local + offset;
        return true;
    }
    return false;
}

/* The observer of a hart's access to L1; NULL if there is none, or if the access is elsewhere. */
static inline struct tf_check *tf_hart_check(const struct tf_tile *tile, uint32_t address)
{
    return address < tile->arch->l1_bytes ? TF_HOOK(tile->check) : NULL;
}

/* The access of a hart in the form that the observer takes. */
static inline struct tf_check_access tf_hart_access(const struct tf_hart *hart, uint32_t address, unsigned size)
{
    return (struct tf_check_access){
        .cycle = hart->cycle, .pc = hart->pc, .address = address, .core = hart->core, .bytes = (uint8_t)size};
}

/* Load 1, 2 or 4 bytes at an aligned address, where tf_hart_memory() has found `data`. Zero-extended. */
static inline uint32_t tf_hart_load_memory(const uint8_t *data, unsigned size)
{
    switch (size) {
    case 1: return __atomic_load_n(data, __ATOMIC_RELAXED);
    case 2: return __atomic_load_n((const uint16_t *)(const void *)data, __ATOMIC_RELAXED);
    default: return __atomic_load_n((const uint32_t *)(const void *)data, __ATOMIC_RELAXED);
    }
}

/* Bytes of L1 have been written: drop decoded code there. */
static inline void tf_hart_l1_stored(struct tf_tile *tile, uint32_t first, uint32_t last)
{
    for (uint32_t address = first & ~3u; address <= last; address += 4)
        if (address < tile->arch->l1_bytes && tf_code_near(&tile->code, address))
            tf_code_stored(tile, address);
}

/* Store 1, 2 or 4 bytes at an aligned address, where tf_hart_memory() has found `data`. */
static inline void tf_hart_store_memory(struct tf_tile *tile, uint32_t address, uint8_t *data, unsigned size,
                                        uint32_t value)
{
    switch (size) {
    case 1: __atomic_store_n(data, (uint8_t)value, __ATOMIC_RELAXED); break;
    case 2: __atomic_store_n((uint16_t *)(void *)data, (uint16_t)value, __ATOMIC_RELAXED); break;
    default: __atomic_store_n((uint32_t *)(void *)data, value, __ATOMIC_RELAXED); break;
    }
    tf_hart_l1_stored(tile, address, address);
}

#endif
