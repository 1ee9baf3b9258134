/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/search/search.h"

#include <string.h>

#include "tile/riscv/code/code.h"
#include "tile/riscv/control/control.h"
#include "tile/riscv/hart/stop.h"
#include "tile/tensix/config/state.h"
#include "tile/state.h"

#define LINE_BYTES 16u

/* The field of the latched words. */
static uint32_t latched(const struct tf_tile *tile, enum tf_cfg_field field)
{
    return tf_cfg_cut(tile->search[((unsigned)field >> 16) - TF_SEARCH_FIRST], field);
}

#define LATCHED(name) latched(tile, TF_CFG_L1_CACHE_TAG_SEARCH_ACCEL_##name)

/* The bits whose change latches the whole configuration. */
static uint32_t triggers(unsigned index)
{
    switch (index - TF_SEARCH_FIRST) {
    case 0: return 1;                              /* Search_Enable */
    case 6: return 1u << 17;                       /* Data_Valid_chk */
    case 7: return 1u << 24 | 1u << 25 | 1u << 26; /* Tag_inv, Tag_inv_all, Tag_alloc */
    default: return 0;
    }
}

void tf_search_configured(struct tf_tile *tile, const uint32_t *config, unsigned index, uint32_t old, uint32_t value)
{
    if (((old ^ value) & triggers(index)) == 0)
        return;
    memcpy(tile->search, config + TF_SEARCH_FIRST, sizeof tile->search);
    tf_hart_search(tile, &tile->hart[TF_CORE_B],
                   LATCHED(Search_Enable) || LATCHED(Tag_inv_all) || LATCHED(Data_Valid_chk));
}

/* Entry i of an array of 8, 16, 32 or 64 bits (width 0 to 3) in L1. Requests of other tiles may change it during the
   search. */
static uint64_t entry(const struct tf_tile *tile, uint32_t array, unsigned width, uint64_t i)
{
    const uint8_t *at = tile->l1 + array + (i << width);
    switch (width) {
    case 0: return __atomic_load_n(at, __ATOMIC_RELAXED);
    case 1: return __atomic_load_n((const uint16_t *)(const void *)at, __ATOMIC_RELAXED);
    case 2: return __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_RELAXED);
    default: return __atomic_load_n((const uint64_t *)(const void *)at, __ATOMIC_RELAXED);
    }
}

static void put_word(struct tf_tile *tile, uint32_t address, uint64_t value)
{
    __atomic_store_n((uint64_t *)(void *)(tile->l1 + address), value, __ATOMIC_RELAXED);
    tf_tile_l1_written(tile, address, sizeof value);
}

/* A section of L1 from one line to another, both included. */
struct section {
    uint32_t first, bytes; /* 0 bytes: there is no such section */
};

static struct section section_of(const struct tf_tile *tile, uint32_t first, uint32_t last)
{
    struct section section = {first * LINE_BYTES, 0};
    if (first <= last && (last + 1) * LINE_BYTES <= tile->arch->l1_bytes)
        section.bytes = (last + 1 - first) * LINE_BYTES;
    return section;
}

/* Find the first bit of the valid section that is not set. If all are set, hardware takes a random bit; here the cycle
   chooses. */
static uint32_t allocate(const struct tf_tile *tile, const struct section *valid)
{
    const uint32_t words = valid->bytes / 8;
    for (uint32_t i = 0; i < words; i++) {
        uint64_t word = entry(tile, valid->first, 3, i);
        if (word != UINT64_MAX)
            return 0x80000001u + i * 64 + (uint32_t)__builtin_ctzll(~word);
    }
    return 0x80000001u + (uint32_t)(tile->cycle % (words * 64ull));
}

static uint32_t search(struct tf_tile *tile, const struct section *tags, const struct section *valid)
{
    const unsigned width = LATCHED(Tag_Width);
    const uint64_t mask = UINT64_MAX >> (64 - (8u << width));
    const uint64_t tag = (LATCHED(Tag_Value_low) | (uint64_t)LATCHED(Tag_Value_high) << 32) & mask;
    const uint32_t count = tags->bytes >> width;
    uint32_t i = 0;
    while (i < count && entry(tile, tags->first, width, i) != tag)
        i++;
    /* Tags beyond the valid section have bits, too, which are read at the addresses after it. */
    uint32_t at = valid->first + i / 64 * 8;
    if (i < count && at <= tile->arch->l1_bytes - 8) {
        uint64_t word = entry(tile, at, 3, 0), bit = 1ull << i % 64;
        if ((word & bit) != 0) {
            if (LATCHED(Tag_inv))
                put_word(tile, at, word & ~bit);
            return 1 + i;
        }
    }
    return LATCHED(Tag_alloc) ? allocate(tile, valid) : 0;
}

static uint32_t query(const struct tf_tile *tile)
{
    uint32_t offset = LATCHED(Data_Valid_offset);
    uint32_t at = LATCHED(Data_Valid_bit_section_start_addr) * LINE_BYTES + offset / 64 * 8;
    return at <= tile->arch->l1_bytes - 8 ? entry(tile, at, 3, 0) >> offset % 64 & 1 : 0;
}

static enum tf_search search_fault(struct tf_tile *tile, struct tf_hart *hart, uint32_t insn, uint32_t address,
                                   const char *why)
{
    tf_tile_fault(tile, hart->core, TF_FAULT_UNDEFINED, insn, address, "%s", why);
    tf_hart_stop(hart);
    return TF_SEARCH_FAULT;
}

bool tf_search_reads(const struct tf_tile *tile, uint32_t address)
{
    if (LATCHED(Tag_inv_all))
        return address / LINE_BYTES == LATCHED(Valid_bit_section_start_addr);
    if (LATCHED(Data_Valid_chk))
        return address / LINE_BYTES == LATCHED(Data_Valid_bit_section_start_addr);
    return LATCHED(Search_Enable) && address / LINE_BYTES == LATCHED(Start_Addr);
}

enum tf_search tf_search_load(struct tf_tile *tile, struct tf_hart *hart, uint32_t insn, uint32_t address,
                              unsigned size, uint32_t *value)
{
    const bool clears = LATCHED(Tag_inv_all), queries = LATCHED(Data_Valid_chk);
    const struct section tags = section_of(tile, LATCHED(Start_Addr), LATCHED(End_Addr));
    const struct section valid = section_of(tile, LATCHED(Valid_bit_section_start_addr),
                                            LATCHED(Valid_bit_section_end_addr));
    if (!tf_search_reads(tile, address))
        return TF_SEARCH_NOT;
    tile->cycle = hart->cycle;
    if (size != 4)
        return search_fault(tile, hart, insn, address, "the tag search accelerator answers loads of words");
    if (!queries && (valid.bytes == 0 || (!clears && tags.bytes == 0)))
        return search_fault(tile, hart, insn, address, "a section of the tag search accelerator is empty or leaves L1");
    *value = 0;
    for (uint32_t i = 0; clears && i < valid.bytes; i += 8)
        put_word(tile, valid.first + i, 0);
    if (!clears)
        *value = queries ? query(tile) : search(tile, &tags, &valid);
    return TF_SEARCH_DONE;
}
