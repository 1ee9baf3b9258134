/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A DRAM channel. The first write reserves a block of 2 MiB. Only touched pages of the block take memory of the host.
 * Each block records which of its 64 KiB granules have been written, for the hash. Any worker may read and write at any
 * time.
 */
#include <string.h>
#include <sys/mman.h>

#include "host/copy.h"
#include "host/extremes.h"
#include "host/shared.h"
#include "host/zeroed.h"
#include "host/zeros.h"
#include "host/saved.h"
#include "noc/nodes/dram.h"
#include "tile/arch.h"
#include "tile/hash.h"

#define GRANULE_BYTES (64u << 10)
#define GRANULES (TF_DRAM_BLOCK_BYTES / GRANULE_BYTES)

struct tf_block {
    uint8_t *memory;
    uint32_t written; /* one bit for each granule that was written */
};

struct tf_dram {
    uint64_t blocks;
    uint64_t reserved; /* blocks with memory */
    struct tf_block block[];
};

_Static_assert(GRANULES == 32, "one bit for each granule of a block");

static size_t size_of(uint64_t blocks)
{
    return sizeof(struct tf_dram) + blocks * sizeof(struct tf_block);
}

struct tf_dram *tf_channel_create(uint64_t bytes)
{
    uint64_t blocks = bytes / TF_DRAM_BLOCK_BYTES;
    struct tf_dram *dram = tf_zeroed_take(size_of(blocks));
    if (dram != NULL)
        dram->blocks = blocks;
    return dram;
}

void tf_channel_destroy(struct tf_dram *dram)
{
    if (dram == NULL)
        return;
    for (uint64_t i = 0; dram->reserved != 0; i++)
        if (dram->block[i].memory != NULL) {
            munmap(dram->block[i].memory, TF_DRAM_BLOCK_BYTES);
            dram->reserved--;
        }
    tf_zeroed_give(dram, size_of(dram->blocks));
}

static uint8_t *block_memory(const struct tf_dram *dram, uint64_t block)
{
    return __atomic_load_n(&dram->block[block].memory, __ATOMIC_ACQUIRE);
}

static uint8_t *make_block(struct tf_dram *dram, uint64_t block)
{
    uint8_t *memory = block_memory(dram, block);
    if (memory != NULL)
        return memory;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *fresh = mmap(NULL, TF_DRAM_BLOCK_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (fresh == MAP_FAILED)
        return NULL;
    if (__atomic_compare_exchange_n(&dram->block[block].memory, &memory, (uint8_t *)fresh, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
        __atomic_fetch_add(&dram->reserved, 1, __ATOMIC_RELAXED);
        return fresh;
    }
    munmap(fresh, TF_DRAM_BLOCK_BYTES);
    return memory;
}

/* Count the bytes from `address` that lie in its block, up to `bytes`. */
static uint64_t in_block(uint64_t address, uint64_t bytes)
{
    uint64_t room = TF_DRAM_BLOCK_BYTES - address % TF_DRAM_BLOCK_BYTES;
    return tf_min(bytes, room);
}

static void mark_written(struct tf_dram *dram, uint64_t address, uint64_t bytes)
{
    uint32_t *written = &dram->block[address / TF_DRAM_BLOCK_BYTES].written;
    unsigned first = (unsigned)(address % TF_DRAM_BLOCK_BYTES / GRANULE_BYTES);
    unsigned last = (unsigned)((address + bytes - 1) % TF_DRAM_BLOCK_BYTES / GRANULE_BYTES);
    uint32_t bits = (uint32_t)((2ull << last) - (1ull << first));
    if ((__atomic_load_n(written, __ATOMIC_RELAXED) & bits) != bits)
        __atomic_fetch_or(written, bits, __ATOMIC_RELAXED);
}

bool tf_channel_put(struct tf_dram *dram, uint64_t address, const void *data, uint64_t bytes, bool shared)
{
    const uint8_t *from = data;
    for (uint64_t done = 0; done < bytes;) {
        uint64_t at = address + done, length = in_block(at, bytes - done);
        uint8_t *memory = make_block(dram, at / TF_DRAM_BLOCK_BYTES);
        if (memory == NULL)
            return false;
        mark_written(dram, at, length);
        if (shared)
            tf_shared_put(memory + at % TF_DRAM_BLOCK_BYTES, from + done, length);
        else
            tf_copy_in(memory + at % TF_DRAM_BLOCK_BYTES, from + done, length);
        done += length;
    }
    return true;
}

void tf_channel_get(const struct tf_dram *dram, uint64_t address, void *data, uint64_t bytes, bool shared)
{
    uint8_t *to = data;
    for (uint64_t done = 0; done < bytes;) {
        uint64_t at = address + done, length = in_block(at, bytes - done);
        const uint8_t *memory = block_memory(dram, at / TF_DRAM_BLOCK_BYTES);
        if (memory == NULL)
            memset(to + done, 0, length);
        else if (shared)
            tf_shared_get(to + done, memory + at % TF_DRAM_BLOCK_BYTES, length);
        else
            tf_copy_between(to + done, memory + at % TF_DRAM_BLOCK_BYTES, length);
        done += length;
    }
}

/* Reserve the blocks of a range, so that a later put cannot fail. */
bool tf_channel_reserve(struct tf_dram *dram, uint64_t address, uint64_t bytes)
{
    for (uint64_t block = address / TF_DRAM_BLOCK_BYTES; block <= (address + bytes - 1) / TF_DRAM_BLOCK_BYTES; block++)
        if (make_block(dram, block) == NULL)
            return false;
    return true;
}

uint8_t *tf_channel_memory(struct tf_dram *dram, uint64_t address, uint64_t bytes, bool write, bool *zero)
{
    *zero = false;
    if (bytes == 0 || in_block(address, bytes) != bytes)
        return NULL;
    uint64_t block = address / TF_DRAM_BLOCK_BYTES;
    uint8_t *memory = write ? make_block(dram, block) : block_memory(dram, block);
    if (memory == NULL) {
        *zero = !write;
        return NULL;
    }
    if (write)
        mark_written(dram, address, bytes);
    return memory + address % TF_DRAM_BLOCK_BYTES;
}

#define GRANULE_PAGES (GRANULE_BYTES / TF_ZEROED_PAGE_BYTES)

_Static_assert(TF_DRAM_BLOCK_BYTES == TF_ZEROED_LOOK_PAGES * TF_ZEROED_PAGE_BYTES, "one look is of a whole block");

static bool is_zero(const uint8_t *data, const bool *touched)
{
    for (unsigned page = 0; page < GRANULE_PAGES; page++)
        if (touched[page] && !tf_zeros(data + page * TF_ZEROED_PAGE_BYTES, TF_ZEROED_PAGE_BYTES))
            return false;
    return true;
}

static void hash_block(const struct tf_block *block, uint64_t address, struct tf_hash *hash)
{
    bool touched[TF_ZEROED_LOOK_PAGES];
    if (block->written != 0)
        tf_zeroed_ask(&hash->looked, block->memory, TF_DRAM_BLOCK_BYTES, touched);
    for (uint32_t bits = block->written; bits != 0; bits &= bits - 1) {
        unsigned granule = (unsigned)__builtin_ctz(bits);
        const uint8_t *data = block->memory + granule * GRANULE_BYTES;
        if (is_zero(data, touched + granule * GRANULE_PAGES))
            continue;
        tf_hash_u64(hash, address + granule * GRANULE_BYTES);
        tf_hash_pages(hash, data, GRANULE_BYTES, touched + granule * GRANULE_PAGES);
    }
}

void tf_channel_hash(const struct tf_dram *dram, struct tf_hash *hash)
{
    for (uint64_t block = 0; dram->reserved != 0 && block < dram->blocks; block++)
        hash_block(&dram->block[block], block * TF_DRAM_BLOCK_BYTES, hash);
}

/* The numbers of the blocks that have been written. A number equal to `blocks` ends the list. */
void tf_channel_state(struct tf_saved *saved, struct tf_dram *dram)
{
    for (uint64_t block = 0;; block++) {
        if (!saved->reads && dram->reserved == 0)
            block = dram->blocks;
        while (!saved->reads && block < dram->blocks && dram->block[block].written == 0)
            block++;
        block = tf_saved_count(saved, block, dram->blocks);
        if (block == dram->blocks || saved->why != NULL)
            break;
        uint8_t *memory = make_block(dram, block);
        if (memory == NULL) {
            tf_saved_fail(saved, tf_saved_no_memory);
            break;
        }
        TF_SAVED(saved, dram->block[block].written);
        tf_saved_memory(saved, memory, TF_DRAM_BLOCK_BYTES);
    }
}
