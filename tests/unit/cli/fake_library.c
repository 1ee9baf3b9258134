/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library with the libttsim interface that runs nothing. The word at 0x20000 of a tile becomes 0x12345678 when its
 * core B comes out of reset. With FAKE_FLIP a bit of the second tile's memory is inverted; with FAKE_EXIT the process
 * ends.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "addresses.h"

#pragma GCC visibility push(default)
#include "tilefarm/libttsim.h"
#pragma GCC visibility pop

#define BAR0 0x100000000ull
#define WINDOW_CONFIG (BAR0 + 0x1FC00000u)
#define PAGE_BYTES 0x200000u
#define PAGES 1024u

static uint32_t window[3];
static struct {
    uint32_t node, page;
    uint8_t *memory;
} pages[PAGES];

static uint8_t *find(uint32_t node, uint32_t page)
{
    unsigned i = 0;
    while (pages[i].memory != NULL && (pages[i].node != node || pages[i].page != page))
        if (++i == PAGES)
            abort();
    if (pages[i].memory == NULL) {
        pages[i].node = node;
        pages[i].page = page;
        pages[i].memory = calloc(1, PAGE_BYTES);
    }
    return pages[i].memory;
}

static uint8_t *at(uint64_t address)
{
    if (address - WINDOW_CONFIG < sizeof window)
        return (uint8_t *)window + (address - WINDOW_CONFIG);
    return find(window[1] >> 11 & 0xFFF, window[0]) + (address - BAR0) % PAGE_BYTES;
}

void libttsim_init(void)
{
}

void libttsim_exit(void)
{
}

void libttsim_pci_mem_rd_bytes(uint64_t address, void *data, uint32_t bytes)
{
    memcpy(data, at(address), bytes);
}

void libttsim_pci_mem_wr_bytes(uint64_t address, const void *data, uint32_t bytes)
{
    memcpy(at(address), data, bytes);
}

void libttsim_clock(uint32_t cycles)
{
    const uint32_t word = 0x12345678;
    unsigned tiles = 0;
    (void)cycles, (void)tiles; /* one variant alone counts them */
#ifdef FAKE_EXIT
    exit(3);
#endif
    for (unsigned i = 0; i < PAGES && pages[i].memory != NULL; i++) {
        uint32_t reset = 0;
        if (pages[i].page != DEBUG_AT(SOFT_RESET_0) / PAGE_BYTES)
            continue;
        memcpy(&reset, pages[i].memory + DEBUG_AT(SOFT_RESET_0) % PAGE_BYTES, sizeof reset);
        if ((reset & 0x800) != 0)
            continue;
        uint8_t *l1 = find(pages[i].node, 0);
        memcpy(l1 + 0x20000, &word, sizeof word);
#ifdef FAKE_FLIP
        l1[0x30005] ^= (uint8_t)(tiles == 1 ? 0x40 : 0);
#endif
        tiles++;
    }
}
