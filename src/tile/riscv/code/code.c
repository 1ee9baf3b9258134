/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/code/code.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "host/hostile.h"
#include "host/shared.h"
#include "tile/riscv/code/page.h"
#include "tile/riscv/code/lower.h"
#include "tile/riscv/code/pool.h"
#include "tile/observe.h"
#include "host/saved.h"
#include "tile/riscv/isa/decode.h"
#include "tile/state.h"
#include "tile/word.h"

#define BUCKETS 4096u

struct tf_code_cache {
    unsigned extensions; /* enum tf_rv_extension */
    const struct tf_code_instances *instances;
    const struct tf_tile_arch *family;
    uint16_t in_burst;
    bool counted, checked, explored, ordered;
    const void *const *timed; /* handlers, in timing mode; or NULL */
    struct tf_code_pool pool;
    struct tf_code_page *bucket[BUCKETS]; /* by host atomics; pages are only added, at the front */
};

struct tf_code_cache *tf_code_cache_create(unsigned extensions, const struct tf_code_instances *instances)
{
    struct tf_code_cache *cache = calloc(1, sizeof *cache);
    if (cache == NULL)
        return NULL;
    cache->extensions = extensions;
    cache->instances = instances;
    cache->in_burst = UINT16_MAX;
    return cache;
}

void tf_code_cache_sparse(struct tf_code_cache *cache)
{
    cache->pool.sparse = true;
}

void tf_code_cache_count(struct tf_code_cache *cache)
{
    cache->counted = true; /* pages of a restored chip do not count, so they are not found any more */
}

void tf_code_cache_check(struct tf_code_cache *cache)
{
    cache->checked = true;
}

void tf_code_cache_explore(struct tf_code_cache *cache)
{
    cache->explored = true;
}

void tf_code_cache_order(struct tf_code_cache *cache)
{
    cache->ordered = true;
}

void tf_code_cache_time(struct tf_code_cache *cache, const void *const *handlers)
{
    cache->timed = handlers;
}

bool tf_code_counted(const struct tf_code_map *map)
{
    return map->cache->counted;
}

bool tf_code_checked(const struct tf_code_map *map)
{
    return map->cache->checked;
}

bool tf_code_explored(const struct tf_code_map *map)
{
    return map->cache->explored;
}

bool tf_code_ordered(const struct tf_code_map *map)
{
    return map->cache->ordered;
}

bool tf_code_timed(const struct tf_code_map *map)
{
    return map->cache->timed != NULL;
}

void tf_code_cache_push_as(struct tf_code_cache *cache, const struct tf_tile_arch *family)
{
    cache->family = family;
}

void tf_code_cache_bursts(struct tf_code_cache *cache, uint16_t registers)
{
    cache->in_burst = registers;
}

void tf_code_cache_destroy(struct tf_code_cache *cache)
{
    if (cache == NULL)
        return;
    tf_code_pool_end(&cache->pool);
    free(cache);
}

static const void *const *handlers_of(const struct tf_code_cache *cache)
{
    const struct tf_code_instances *of = cache->instances;
    return cache->timed != NULL               ? cache->timed
           : cache->ordered                   ? of->ordered()
           : cache->explored                  ? of->explored()
           : cache->counted && cache->checked ? of->both()
           : cache->counted                   ? of->counted()
           : cache->checked                   ? of->checked()
                                              : of->plain();
}

static bool same(const struct tf_code_cache *cache, const struct tf_code_page *page, uint64_t hash, uint32_t base,
                 const uint32_t *words)
{
    return page->hash == hash && page->base == base && page->handlers == handlers_of(cache) &&
           memcmp(page->word, words, sizeof page->word) == 0;
}

static struct tf_code_page *find(const struct tf_code_cache *cache, struct tf_code_page *page,
                                 const struct tf_code_page *end, uint64_t hash, uint32_t base, const uint32_t *words)
{
    for (; page != end; page = page->next)
        if (same(cache, page, hash, base, words))
            return page;
    return NULL;
}

/* Memory for a page; its contents are undefined. */
static struct tf_code_page *take(struct tf_code_map *map)
{
    struct tf_code_page *page = map->spare;
    if (page == NULL)
        return tf_code_pool_take(&map->cache->pool);
    map->spare = page->next;
    return page;
}

static void give(struct tf_code_map *map, struct tf_code_page *page)
{
    page->next = map->spare;
    map->spare = page;
}

static struct tf_code_page *decode(struct tf_code_map *map, uint64_t hash, uint32_t base, const uint32_t *words)
{
    const struct tf_code_cache *cache = map->cache;
    struct tf_code_page *page = take(map);
    if (page == NULL)
        return NULL;
    memset(page, 0, sizeof *page);
    page->hash = hash;
    page->base = base;
    page->family = cache->family;
    page->in_burst = cache->in_burst;
    page->handlers = handlers_of(cache);
    memcpy(page->word, words, sizeof page->word);
    for (unsigned i = 0; i < TF_CODE_WORDS; i++)
        tf_rv_decode_as(words[i], cache->extensions, &page->insn[i]);
    for (unsigned i = 0; i < TF_CODE_WORDS; i++)
        tf_page_lower(page, i, cache->timed == NULL);
    page->op[TF_CODE_WORDS].handler = page->handlers[TF_H_NEXT_PAGE];
    return page;
}

/* The page with these words, with its reference count incremented; *decoded goes up if the page had to be decoded. */
static struct tf_code_page *intern(struct tf_code_map *map, uint32_t base, const uint32_t *words, uint64_t *decoded)
{
    struct tf_code_cache *cache = map->cache;
    uint64_t hash = XXH3_64bits_withSeed(words, TF_CODE_PAGE_BYTES, base);
    struct tf_code_page **bucket = &cache->bucket[hash % BUCKETS];
    struct tf_code_page *head = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
    struct tf_code_page *page = find(cache, head, NULL, hash, base, words);
    if (page == NULL) {
        struct tf_code_page *made = decode(map, hash, base, words);
        ++*decoded;
        if (made == NULL)
            return NULL;
        made->next = head;
        while (!__atomic_compare_exchange_n(bucket, &made->next, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            page = find(cache, made->next, head, hash, base, words);
            if (page != NULL)
                break;
            head = made->next;
        }
        if (page == NULL)
            page = made;
        else
            give(map, made);
    }
    __atomic_fetch_add(&page->references, 1, __ATOMIC_ACQ_REL);
    return page;
}

static void release(struct tf_code_map *map, struct tf_code_page *page)
{
    if (page->own)
        give(map, page);
    else
        __atomic_fetch_sub(&page->references, 1, __ATOMIC_ACQ_REL);
}

static void unmap(struct tf_tile *tile, uint32_t number)
{
    struct tf_code_map *map = &tile->code;
    release(map, map->page[number]);
    map->page[number] = NULL;
    __atomic_store_n(&map->decoded[number], 0, __ATOMIC_RELAXED);
    tile->code_generation++;
}

uint32_t tf_code_word(const struct tf_tile *tile, uint32_t pc)
{
    return tf_tile_word(tile, tf_code_place(tile->arch, pc));
}

static struct tf_code_page *make(struct tf_tile *tile, uint32_t number)
{
    struct tf_code_map *map = &tile->code;
    uint32_t words[TF_CODE_WORDS];
    map->page = map->room;
    /* In relaxed mode other workers store here, fence, and then test this mark. If a store is missing from the copy,
       its worker sees the mark (R7 of docs/design.md). */
    __atomic_store_n(&map->decoded[number], 1, __ATOMIC_RELAXED);
    tf_store_load_fence();
    for (uint32_t i = 0; i < TF_CODE_WORDS; i++)
        words[i] = tf_tile_word(tile, number * TF_CODE_PAGE_BYTES + i * 4);
    uint32_t base = tf_code_address(tile->arch, number * TF_CODE_PAGE_BYTES);
    map->page[number] = intern(map, base, words, &tile->figures.pages_decoded);
    if (map->page[number] == NULL)
        __atomic_store_n(&map->decoded[number], 0, __ATOMIC_RELAXED);
    return map->page[number];
}

struct tf_code_page *tf_code_page_make(struct tf_tile *tile, uint32_t address)
{
    uint32_t number = address / TF_CODE_PAGE_BYTES;
    if (tile->code.page != NULL && tile->code.page[number] != NULL)
        return tile->code.page[number];
    return make(tile, number);
}

/* A copy of a shared page that the tile may change. */
static struct tf_code_page *make_own(struct tf_code_map *map, const struct tf_code_page *page)
{
    struct tf_code_page *copy = take(map);
    if (copy == NULL)
        return NULL;
    memset(copy, 0, offsetof(struct tf_code_page, op));
    copy->hash = page->hash;
    copy->base = page->base;
    copy->family = page->family;
    copy->in_burst = page->in_burst;
    copy->handlers = page->handlers;
    copy->own = true;
    for (unsigned i = 0; i <= TF_CODE_WORDS; i++) {
        const struct tf_op *op = &page->op[i];
        copy->op[i] = (struct tf_op){tf_op_handler(op), op->rd, op->rs1, op->rs2, op->stale, op->imm};
    }
    memcpy(copy->insn, page->insn, sizeof copy->insn);
    return copy;
}

void tf_code_stored(struct tf_tile *tile, uint32_t address)
{
    struct tf_code_map *map = &tile->code;
    uint32_t number = address / TF_CODE_PAGE_BYTES;
    unsigned index = address / 4 % TF_CODE_WORDS;
    struct tf_code_page *page = map->page[number];
    if (page->op[index].stale || page->insn[index].word == tf_tile_word(tile, address & ~3u))
        return;
    if (!page->own) {
        struct tf_code_page *copy = tf_hostile_refuses() ? NULL : make_own(map, page);
        if (copy == NULL) {
            unmap(tile, number);
            return;
        }
        release(map, page);
        map->page[number] = page = copy;
    }
    tf_page_stale(page, index);
    tile->code_generation++;
}

void tf_code_refresh(struct tf_tile *tile, struct tf_code_page *page, unsigned index)
{
    uint32_t word = tf_code_word(tile, page->base + index * 4);
    tf_rv_decode_as(word, tile->code.cache->extensions, &page->insn[index]);
    tf_page_lower(page, index, false);
}

static void drop(struct tf_tile *tile, uint32_t address, uint32_t bytes)
{
    uint32_t last = (address + bytes - 1) / TF_CODE_PAGE_BYTES;
    for (uint32_t number = address / TF_CODE_PAGE_BYTES; number <= last && number < TF_CODE_PAGES; number++)
        if (tile->code.page[number] != NULL)
            unmap(tile, number);
}

void tf_code_written(struct tf_tile *tile, uint32_t address, uint32_t bytes, enum tf_writer writer)
{
    if (tile->code.page == NULL || bytes == 0)
        return;
    drop(tile, address, bytes);
    if (TF_HOOK(tile->observer) != NULL)
        tf_observe_written(tile, address, bytes, writer);
}

void tf_tile_l1_written(struct tf_tile *tile, uint32_t address, uint32_t bytes)
{
    if (!tile->mode.shared) {
        tf_code_written(tile, address, bytes, TF_WROTE_OTHER);
        return;
    }
    uint32_t last = (address + bytes - 1) / TF_CODE_PAGE_BYTES;
    for (uint32_t page = address / TF_CODE_PAGE_BYTES; page <= last && page < TF_CODE_PAGES; page++)
        __atomic_store_n(&tile->stale_page[page], 1, __ATOMIC_RELEASE);
    __atomic_store_n(&tile->stale, 1, __ATOMIC_RELEASE);
}

void tf_code_drop_stale(struct tf_tile *tile)
{
    if (__atomic_load_n(&tile->stale, __ATOMIC_RELAXED) == 0 ||
        __atomic_exchange_n(&tile->stale, 0, __ATOMIC_ACQUIRE) == 0)
        return;
    for (uint32_t page = 0; page < TF_CODE_PAGES; page++)
        if (__atomic_load_n(&tile->stale_page[page], __ATOMIC_RELAXED) &&
            __atomic_exchange_n(&tile->stale_page[page], 0, __ATOMIC_ACQUIRE))
            tf_code_written(tile, page * TF_CODE_PAGE_BYTES, TF_CODE_PAGE_BYTES, TF_WROTE_OTHER);
}

/* Reads no part of the table that is untouched: the host would make its pages for that. */
void tf_code_drop(struct tf_tile *tile)
{
    const struct tf_code_map *map = &tile->code;
    uint64_t decoded;
    for (uint32_t first = 0; map->page != NULL && first < TF_CODE_PAGES; first += sizeof decoded) {
        memcpy(&decoded, map->decoded + first, sizeof decoded);
        if (decoded != 0)
            drop(tile, first * TF_CODE_PAGE_BYTES, sizeof decoded * TF_CODE_PAGE_BYTES);
    }
    tile->code.page = NULL;
}

_Static_assert(TF_CODE_PAGES % sizeof(uint64_t) == 0, "no marks are left over");

/* Mark words of a page as not decoded yet. stale: the words, as bits. */
static void mark_stale(struct tf_saved *saved, struct tf_tile *tile, uint32_t number, const uint64_t *stale)
{
    struct tf_code_page *page = tf_code_page_make(tile, number * TF_CODE_PAGE_BYTES);
    struct tf_code_page *own = page != NULL ? make_own(&tile->code, page) : NULL;
    if (own == NULL) {
        tf_saved_fail(saved, tf_saved_no_memory);
        return;
    }
    release(&tile->code, page);
    tile->code.page[number] = own;
    for (unsigned i = 0; i < TF_CODE_WORDS; i++)
        if (stale[i / 64] >> i % 64 & 1)
            tf_page_stale(own, i);
}

static void page_state(struct tf_saved *saved, struct tf_tile *tile, uint32_t number)
{
    const struct tf_code_page *page = saved->reads ? NULL : tile->code.page[number];
    uint64_t stale[TF_CODE_WORDS / 64] = {0}, own = page != NULL && page->own;
    for (unsigned i = 0; own && i < TF_CODE_WORDS; i++)
        stale[i / 64] |= (uint64_t)(page->op[i].stale != 0) << i % 64;
    own = tf_saved_count(saved, own, 1);
    if (own)
        TF_SAVED(saved, stale);
    if (!saved->reads || saved->why != NULL)
        return;
    if (own)
        mark_stale(saved, tile, number, stale);
    else if (tf_code_page_make(tile, number * TF_CODE_PAGE_BYTES) == NULL)
        tf_saved_fail(saved, tf_saved_no_memory);
}

void tf_code_state(struct tf_saved *saved, struct tf_tile *tile)
{
    uint32_t next = 0, end = tf_code_bytes(tile->arch) / TF_CODE_PAGE_BYTES;
    for (;;) {
        while (!saved->reads && next < end && tile->code.decoded[next] == 0)
            next++;
        next = (uint32_t)tf_saved_count(saved, next, end);
        if (next == end || saved->why != NULL)
            break;
        page_state(saved, tile, next++);
    }
}
