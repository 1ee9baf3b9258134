/* SPDX-License-Identifier: Apache-2.0 */
#include "host/zeroed.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/sanitizer.h"

#if TF_WITH_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#endif

/* AddressSanitizer watches small memory itself, from malloc(). It would mark each byte of a chip twice. */
static bool comes_from_malloc(size_t bytes)
{
    return bytes < (TF_WITH_ASAN ? 256u * 1024u : TF_ZEROED_PAGE_BYTES);
}

/* The bytes to map: under AddressSanitizer, with a page beyond the end that none may touch. */
static size_t mapped_bytes(size_t bytes)
{
    const size_t pages = (bytes + TF_ZEROED_PAGE_BYTES - 1) & -(size_t)TF_ZEROED_PAGE_BYTES;
    return pages + (TF_WITH_ASAN ? TF_ZEROED_PAGE_BYTES : 0);
}

/* Let AddressSanitizer guard the end, and find the pointers of this memory. */
static void watch(uint8_t *memory, size_t bytes, bool taken)
{
#if TF_WITH_ASAN
    if (taken) {
        ASAN_POISON_MEMORY_REGION(memory + bytes, mapped_bytes(bytes) - bytes);
        __lsan_register_root_region(memory, bytes);
    } else {
        ASAN_UNPOISON_MEMORY_REGION(memory + bytes, mapped_bytes(bytes) - bytes);
        __lsan_unregister_root_region(memory, bytes);
    }
#else
    (void)memory;
    (void)bytes;
    (void)taken;
#endif
}

void *tf_zeroed_take(size_t bytes)
{
    if (comes_from_malloc(bytes))
        return calloc(1, bytes);
    void *memory = mmap(NULL, mapped_bytes(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    watch(memory, bytes, true);
    return memory;
}

#define HUGE_BYTES (2u << 20)

/* Whole huge pages, unless the last one would be used for a small part. */
static size_t dense_bytes(size_t bytes)
{
    const size_t rest = bytes % HUGE_BYTES;
    return mapped_bytes(rest > HUGE_BYTES / 4 ? bytes - rest + HUGE_BYTES : bytes);
}

void *tf_zeroed_take_dense(size_t bytes, size_t touched)
{
    const size_t wanted = dense_bytes(bytes);
    uint8_t *memory = mmap(NULL, wanted + HUGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    const size_t before = -(uintptr_t)memory & (HUGE_BYTES - 1);
    if (before != 0)
        munmap(memory, before);
    munmap(memory + before + wanted, HUGE_BYTES - before);
    memory += before;
    madvise(memory, wanted, MADV_HUGEPAGE);
    tf_zeroed_touch(memory, touched);
    watch(memory, bytes, true);
    return memory;
}

void tf_zeroed_give_dense(void *memory, size_t bytes)
{
    if (memory == NULL)
        return;
    watch(memory, bytes, false);
    munmap(memory, dense_bytes(bytes));
}

void tf_zeroed_touch(void *memory, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)memory & -page_bytes;
    uintptr_t end = ((uintptr_t)memory + bytes + page_bytes - 1) & -page_bytes;
    madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
#else
    (void)memory;
    (void)bytes;
#endif
}

/* Bits of an entry of /proc/self/pagemap: the page is in memory, or in swap (admin-guide/mm/pagemap.rst of Linux). */
#define PRESENT (1ull << 63)
#define SWAPPED (1ull << 62)

static bool read_entries(int pagemap, const void *memory, size_t pages, uint64_t *entry)
{
    ssize_t bytes = (ssize_t)(pages * sizeof *entry);
    off_t at = (off_t)((uintptr_t)memory / TF_ZEROED_PAGE_BYTES * sizeof *entry);
    return pread(pagemap, entry, (size_t)bytes, at) == bytes;
}

/* Does pagemap describe this process? Under an emulator it has the emulator's addresses, and a page that was just
   written seems absent. */
static bool tells_of_us(int pagemap)
{
    uint64_t entry = 0;
    return read_entries(pagemap, &entry, 1, &entry) && (entry & PRESENT) != 0;
}

/* Returns a file, or -1: the host does not tell. */
static int pagemap_open(void)
{
    int pagemap = -1;
    if (sysconf(_SC_PAGESIZE) == TF_ZEROED_PAGE_BYTES)
        pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (pagemap >= 0 && !tells_of_us(pagemap)) {
        close(pagemap);
        pagemap = -1;
    }
    return pagemap;
}

static void look(int pagemap, const void *memory, size_t pages, bool *touched)
{
    uint64_t entry[TF_ZEROED_LOOK_PAGES];
    bool known = pagemap >= 0 && read_entries(pagemap, memory, pages, entry);
    for (size_t i = 0; i < pages; i++)
        touched[i] = !known || (entry[i] & (PRESENT | SWAPPED)) != 0;
}

void tf_zeroed_look(const void *memory, size_t pages, bool *touched)
{
    int pagemap = pagemap_open();
    look(pagemap, memory, pages, touched);
    if (pagemap >= 0)
        close(pagemap);
}

void tf_looked_begin(struct tf_looked *looked, const void *memory, size_t bytes)
{
    const size_t before = (uintptr_t)memory % TF_ZEROED_PAGE_BYTES; /* memory of malloc(), under AddressSanitizer */
    const size_t pages = (before + bytes + TF_ZEROED_PAGE_BYTES - 1) / TF_ZEROED_PAGE_BYTES;
    looked->memory = (const uint8_t *)memory - before;
    looked->bytes = before + bytes;
    looked->pagemap = pagemap_open();
    looked->touched = malloc(pages * sizeof *looked->touched);
    for (size_t page = 0; page < pages && looked->touched != NULL; page += TF_ZEROED_LOOK_PAGES)
        look(looked->pagemap, looked->memory + page * TF_ZEROED_PAGE_BYTES,
             pages - page < TF_ZEROED_LOOK_PAGES ? pages - page : TF_ZEROED_LOOK_PAGES, looked->touched + page);
}

void tf_looked_end(struct tf_looked *looked)
{
    if (looked->memory != NULL && looked->pagemap >= 0)
        close(looked->pagemap);
    free(looked->touched);
    *looked = (struct tf_looked){.memory = NULL};
}

static bool is_looked_at(const struct tf_looked *looked, const void *data, size_t bytes)
{
    const uintptr_t at = (uintptr_t)data - (uintptr_t)looked->memory;
    return looked->touched != NULL && at < looked->bytes && bytes != 0 && bytes <= looked->bytes - at;
}

bool tf_looked_zero(const struct tf_looked *looked, const void *data, size_t bytes)
{
    if (!is_looked_at(looked, data, bytes))
        return false;
    const uintptr_t at = (uintptr_t)data - (uintptr_t)looked->memory;
    for (uintptr_t page = at / TF_ZEROED_PAGE_BYTES; page <= (at + bytes - 1) / TF_ZEROED_PAGE_BYTES; page++)
        if (looked->touched[page])
            return false;
    return true;
}

#define ASKED_BYTES (256u * 1024u)

/* Each part of memory that does not begin with a page lies in two pages. */
static void ask_host(int pagemap, const uint8_t *data, size_t parts, bool *touched)
{
    const size_t before = (uintptr_t)data % TF_ZEROED_PAGE_BYTES;
    look(pagemap, data - before, parts, touched);
    if (before == 0)
        return;
    bool last;
    look(pagemap, data - before + parts * TF_ZEROED_PAGE_BYTES, 1, &last);
    for (size_t i = 0; i < parts; i++)
        touched[i] |= i + 1 < parts ? touched[i + 1] : last;
}

void tf_zeroed_ask(const struct tf_looked *looked, const uint8_t *data, uint64_t bytes, bool *touched)
{
    const size_t parts = (bytes + TF_ZEROED_PAGE_BYTES - 1) / TF_ZEROED_PAGE_BYTES;
    const bool shared = looked != NULL && looked->memory != NULL;
    if (shared && is_looked_at(looked, data, bytes)) {
        for (uint64_t i = 0, at = 0; i < parts; i++, at += TF_ZEROED_PAGE_BYTES)
            touched[i] = !tf_looked_zero(looked, data + at,
                                         bytes - at < TF_ZEROED_PAGE_BYTES ? bytes - at : TF_ZEROED_PAGE_BYTES);
    } else if (bytes < ASKED_BYTES) {
        memset(touched, true, parts);
    } else {
        const int pagemap = shared ? looked->pagemap : pagemap_open();
        ask_host(pagemap, data, parts, touched);
        if (!shared && pagemap >= 0)
            close(pagemap);
    }
}

void tf_zeroed_give(void *memory, size_t bytes)
{
    if (comes_from_malloc(bytes)) {
        free(memory);
    } else if (memory != NULL) {
        watch(memory, bytes, false);
        munmap(memory, mapped_bytes(bytes));
    }
}
