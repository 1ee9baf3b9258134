/* SPDX-License-Identifier: Apache-2.0 */
/* The host's memory for L1. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "farm/chip/chip.h"
#include "farm/chip/memory.h"

uint8_t *tf_slots_reserve(unsigned slots, size_t *bytes)
{
    /* Map one more slot, so that the first can begin at a multiple of its size: huge pages need that. */
    size_t wanted = (size_t)slots * TF_SLOT_BYTES;
    size_t mapped = wanted + TF_SLOT_BYTES;
    uint8_t *memory = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    uintptr_t before = -(uintptr_t)memory & (TF_SLOT_BYTES - 1);
    if (before != 0)
        munmap(memory, before);
    if (before != TF_SLOT_BYTES)
        munmap(memory + before + wanted, TF_SLOT_BYTES - before);
    memory += before;
    /* Where the host defaults to huge pages, the first touch would make a whole slot resident. Bench row: memory. */
    madvise(memory, wanted, MADV_NOHUGEPAGE);
    *bytes = wanted;
    return memory;
}

void tf_slots_release(uint8_t *memory, size_t bytes)
{
    if (memory != NULL)
        munmap(memory, bytes);
}

static bool mostly_touched(uint8_t *slot, size_t bytes)
{
    size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char resident[TF_SLOT_BYTES / 4096];
    size_t pages = bytes / page_bytes;
    if (pages > sizeof resident || mincore(slot, bytes, resident) != 0)
        return false;
    size_t touched = 0;
    for (size_t i = 0; i < pages; i++)
        touched += resident[i] & 1;
    return touched * 4 >= pages * 3;
}

void tf_slots_promote(struct tf_chip *chip)
{
    for (unsigned i = 0; i < tf_chip_tensix_tiles(chip); i++) {
        uint8_t *slot = chip->l1 + (size_t)i * TF_SLOT_BYTES;
        if (mostly_touched(slot, chip->tile[i].arch->l1_bytes))
            madvise(slot, TF_SLOT_BYTES, MADV_HUGEPAGE);
    }
}
