/* SPDX-License-Identifier: Apache-2.0 */
#include "races/clocks/shadow.h"
#include "host/extremes.h"

#include <stdlib.h>
#include <string.h>

struct tf_shadow_page *tf_shadow_make(struct tf_shadow *shadow, uint64_t address)
{
    uint64_t number = address / TF_SHADOW_PAGE_BYTES;
    struct tf_shadow_page **bucket = &shadow->bucket[number % TF_SHADOW_BUCKETS];
    for (struct tf_shadow_page *page = *bucket; page != NULL; page = page->next)
        if (page->number == number)
            return page;
    struct tf_shadow_page *page = shadow->pages < TF_SHADOW_PAGES_MAX ? calloc(1, sizeof *page) : NULL;
    if (page == NULL) {
        shadow->full = true;
        return NULL;
    }
    page->number = number;
    page->next = *bucket;
    *bucket = page;
    shadow->pages++;
    return page;
}

struct tf_shadow_words *tf_shadow_split(struct tf_shadow *shadow, struct tf_shadow_page *page, unsigned block)
{
    struct tf_shadow_words *words = shadow->spare;
    if (words != NULL)
        shadow->spare = words->next;
    else
        words = malloc(sizeof *words);
    if (words == NULL) {
        shadow->full = true;
        return NULL;
    }
    for (unsigned i = 0; i < TF_SHADOW_WORDS; i++)
        words->cell[i] = page->whole[block];
    memset(words->synchronizes, 0, sizeof words->synchronizes);
    return page->words[block] = words;
}

void tf_shadow_unite(struct tf_shadow *shadow, struct tf_shadow_page *page, unsigned block)
{
    struct tf_shadow_words *words = page->words[block];
    page->whole[block] = words->cell[0];
    page->words[block] = NULL;
    words->next = shadow->spare;
    shadow->spare = words;
}

static void forget_in(struct tf_shadow *shadow, struct tf_shadow_page *page, uint64_t address, uint64_t end)
{
    uint64_t base = page->number * TF_SHADOW_PAGE_BYTES;
    uint64_t from = address > base ? address - base : 0;
    uint64_t to = tf_min(end - base, TF_SHADOW_PAGE_BYTES);
    for (uint64_t at = from & ~3ull; at < to; at += 4) {
        struct tf_shadow_words *words = tf_shadow_words(shadow, base + at);
        if (words == NULL)
            return;
        words->cell[tf_shadow_word(at)] = (struct tf_cell){.write = 0};
        words->synchronizes[tf_shadow_word(at)] = 0;
        if (at % TF_SHADOW_BLOCK_BYTES == TF_SHADOW_BLOCK_BYTES - 4 && at >= from + TF_SHADOW_BLOCK_BYTES - 4)
            tf_shadow_unite(shadow, page, tf_shadow_block(at));
    }
}

void tf_shadow_forget(struct tf_shadow *shadow, uint64_t address, uint64_t bytes)
{
    if (bytes == 0)
        return;
    for (unsigned i = 0; i < TF_SHADOW_BUCKETS; i++)
        for (struct tf_shadow_page *page = shadow->bucket[i]; page != NULL; page = page->next)
            if (page->number >= address / TF_SHADOW_PAGE_BYTES &&
                page->number <= (address + bytes - 1) / TF_SHADOW_PAGE_BYTES)
                forget_in(shadow, page, address, address + bytes);
}

void tf_shadow_free(struct tf_shadow *shadow)
{
    for (unsigned i = 0; i < TF_SHADOW_BUCKETS; i++)
        while (shadow->bucket[i] != NULL) {
            struct tf_shadow_page *page = shadow->bucket[i];
            shadow->bucket[i] = page->next;
            for (unsigned block = 0; block < TF_SHADOW_BLOCKS; block++)
                free(page->words[block]);
            free(page);
        }
    while (shadow->spare != NULL) {
        struct tf_shadow_words *words = shadow->spare;
        shadow->spare = words->next;
        free(words);
    }
    *shadow = (struct tf_shadow){.pages = 0};
}
