/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explore/rewind.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/userfaultfd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/sanitizer.h"

/* What Debian 12's headers lack: linux/userfaultfd.h and linux/fs.h of Linux 6.7. */
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
#ifndef UFFD_FEATURE_WP_ASYNC
#define UFFD_FEATURE_WP_ASYNC (1u << 15)
#endif

#define SCAN_WP_MATCHING 1u
#define SCAN_CHECK_WPASYNC 2u
#define IS_WRITTEN 2u
#define IS_PRESENT 8u
#define IS_SWAPPED 16u
#define IS_ZERO_PAGE 32u

struct scan {
    uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
    uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};

struct pages {
    uint64_t start, end, categories;
};

#define SCAN _IOWR('f', 16, struct scan)
#define PAGES_ROOM 256u

#define RANGES_MAX 256u
#define COPY_BYTES_MAX (128u << 20)

/* A page that a seed has written stays writable for so many seeds, and each puts it back. Most seeds write the same
   pages, and a fault takes as long as tens of copies; but a page that one seed alone has written is not copied for
   ever. */
#define SEEDS_WRITABLE 32u

#define GROWTH_BYTES_MAX (64u << 20)

/* Memory of the process that goes back. */
struct range {
    uintptr_t start, end;
    uint32_t *copy; /* of each page: the number of its copy, from 1; 0: its bytes were 0 */
};

struct tf_rewind {
    size_t page_bytes;
    int pagemap, statm;
    unsigned ranges;
    struct range range[RANGES_MAX];
    uint8_t *copies;
    size_t used, room; /* bytes of `copies` */
    void *heap_end;
    uint64_t mapped;   /* pages of the process's address space */
    unsigned unmarked; /* seeds since pages were last marked as not written */
    struct pages pages[PAGES_ROOM];
};

/* Memory for this file: the process does not go back in it. */
static void *take(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

/* Pages of a file that nobody has read are absent, and their bytes are not 0: read one byte of each. */
static void touch(const struct tf_rewind *rewind, const struct range *range)
{
    for (uintptr_t at = range->start; at < range->end; at += rewind->page_bytes)
        (void)*(const volatile uint8_t *)at;
}

#define HUGE_BYTES (2u << 20)

/* Memory for the copies, in huge pages where the host has them: a usual page takes longer to map than to copy.
   Inaccessible memory around it keeps it apart from other ranges. Searches of few seeds pay for it. */
static uint8_t *take_copies(size_t bytes)
{
    const size_t all = bytes + 2 * HUGE_BYTES;
    uint8_t *memory = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    memory += HUGE_BYTES - (uintptr_t)memory % HUGE_BYTES;
    if (mprotect(memory, bytes, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

/* Add a line of /proc/self/maps, if it is memory that only this process writes. Its own stack stays out, and so do the
   copies. */
static bool add_range(struct tf_rewind *rewind, const char *line, uintptr_t stack)
{
    uintptr_t start, end;
    unsigned long inode;
    char mode[5];
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %lu", &start, &end, mode, &inode) != 4)
        return false;
    if (mode[1] != 'w' || mode[3] != 'p' || (start <= stack && stack < end) || start == (uintptr_t)rewind->copies)
        return true;
    if (rewind->ranges == RANGES_MAX)
        return false;
    struct range *range = &rewind->range[rewind->ranges++];
    *range = (struct range){.start = start, .end = end};
    range->copy = take((end - start) / rewind->page_bytes * sizeof *range->copy);
    if (inode != 0)
        touch(rewind, range);
    return range->copy != NULL;
}

static bool find_ranges(struct tf_rewind *rewind)
{
    char line[4096 + 128];
    FILE *maps = fopen("/proc/self/maps", "re");
    bool fine = maps != NULL;
    while (fine && fgets(line, sizeof line, maps) != NULL)
        fine = add_range(rewind, line, (uintptr_t)line);
    if (maps != NULL)
        fclose(maps);
    return fine && rewind->ranges != 0;
}

/* Let the host note which pages are written from now on. The descriptor stays open as long as the process runs. */
static bool protect(const struct tf_rewind *rewind)
{
    int descriptor = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
    struct uffdio_api api = {.api = UFFD_API, .features = UFFD_FEATURE_WP_ASYNC};
    bool fine = descriptor >= 0 && ioctl(descriptor, UFFDIO_API, &api) == 0;
    for (unsigned i = 0; fine && i < rewind->ranges; i++) {
        const struct range *range = &rewind->range[i];
        struct uffdio_register wanted = {.range = {.start = range->start, .len = range->end - range->start},
                                         .mode = UFFDIO_REGISTER_MODE_WP};
        fine = ioctl(descriptor, UFFDIO_REGISTER, &wanted) == 0;
    }
    if (!fine && descriptor >= 0)
        close(descriptor);
    return fine;
}

/* Call a function for the pages of a range that have memory, and this property, if any. flags: of the scan. Pages
   without memory would match IS_WRITTEN alone, and the host would make tables for all of them. */
static bool each(struct tf_rewind *rewind, const struct range *range, uint64_t property, uint64_t flags,
                 bool (*visit)(struct tf_rewind *rewind, const struct range *range, const struct pages *pages))
{
    struct scan scan = {.size = sizeof scan,
                        .flags = flags,
                        .start = range->start,
                        .end = range->end,
                        .vec = (uintptr_t)rewind->pages,
                        .vec_len = PAGES_ROOM,
                        .category_mask = property,
                        .category_anyof_mask = IS_PRESENT | IS_SWAPPED,
                        .return_mask = IS_ZERO_PAGE};
    while (scan.start < scan.end) {
        int found = ioctl(rewind->pagemap, SCAN, &scan);
        if (found < 0)
            return false;
        for (int i = 0; i < found; i++)
            if ((rewind->pages[i].categories & IS_ZERO_PAGE) == 0 && !visit(rewind, range, &rewind->pages[i]))
                return false;
        scan.start = scan.walk_end;
    }
    return true;
}

static bool keep(struct tf_rewind *rewind, const struct range *range, const struct pages *pages)
{
    const size_t bytes = pages->end - pages->start;
    if (bytes > rewind->room - rewind->used)
        return false;
    memcpy(rewind->copies + rewind->used, (const void *)(uintptr_t)pages->start, bytes);
    for (uint64_t at = pages->start; at < pages->end; at += rewind->page_bytes) {
        rewind->used += rewind->page_bytes;
        range->copy[(at - range->start) / rewind->page_bytes] = (uint32_t)(rewind->used / rewind->page_bytes);
    }
    return true;
}

static bool put_back(struct tf_rewind *rewind, const struct range *range, const struct pages *pages)
{
    for (uint64_t at = pages->start; at < pages->end; at += rewind->page_bytes) {
        void *page = (void *)(uintptr_t)at;
        const uint32_t copy = range->copy[(at - range->start) / rewind->page_bytes];
        if (copy != 0)
            memcpy(page, rewind->copies + (size_t)(copy - 1) * rewind->page_bytes, rewind->page_bytes);
        else
            memset(page, 0, rewind->page_bytes);
    }
    return true;
}

static bool pass(struct tf_rewind *rewind, const struct range *range, const struct pages *pages)
{
    (void)rewind;
    (void)range;
    (void)pages;
    return true;
}

/* The pages of the address space, by /proc/self/statm (proc_pid_statm(5)); 0: unknown. */
static uint64_t mapped_pages(const struct tf_rewind *rewind)
{
    char text[32];
    ssize_t bytes = pread(rewind->statm, text, sizeof text - 1, 0);
    text[bytes > 0 ? bytes : 0] = '\0';
    return strtoull(text, NULL, 10);
}

#define MARK (SCAN_WP_MATCHING | SCAN_CHECK_WPASYNC)

static bool begin(struct tf_rewind *rewind)
{
    rewind->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    rewind->pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    rewind->statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    rewind->room = COPY_BYTES_MAX;
    rewind->copies = take_copies(rewind->room);
    if (rewind->pagemap < 0 || rewind->statm < 0 || rewind->copies == NULL || !find_ranges(rewind) || !protect(rewind))
        return false;
    for (unsigned i = 0; i < rewind->ranges; i++)
        if (!each(rewind, &rewind->range[i], 0, 0, keep) || !each(rewind, &rewind->range[i], IS_WRITTEN, MARK, pass))
            return false;
    rewind->heap_end = sbrk(0);
    rewind->mapped = mapped_pages(rewind);
    return rewind->mapped != 0;
}

struct tf_rewind *tf_rewind_begin(void)
{
    if (TF_WITH_ASAN || TF_WITH_TSAN) /* the shadow memory is too large, and knows the stack */
        return NULL;
    struct tf_rewind *rewind = take(sizeof *rewind);
    return rewind != NULL && begin(rewind) ? rewind : NULL;
}

/* Memory that was mapped since stays, and is not used any more; much of it ends the process. */
static bool has_grown(const struct tf_rewind *rewind)
{
    return mapped_pages(rewind) > rewind->mapped + GROWTH_BYTES_MAX / rewind->page_bytes;
}

bool tf_rewind(struct tf_rewind *rewind)
{
    if (rewind == NULL || (sbrk(0) != rewind->heap_end && brk(rewind->heap_end) != 0))
        return false;
    rewind->unmarked = (rewind->unmarked + 1) % SEEDS_WRITABLE;
    for (unsigned i = 0; i < rewind->ranges; i++) {
        const struct range *range = &rewind->range[i];
        /* This call changes nothing, and fails if a part of the range is not mapped any more. */
        if (madvise((void *)range->start, range->end - range->start, MADV_NORMAL) != 0 ||
            !each(rewind, range, IS_WRITTEN, SCAN_CHECK_WPASYNC, put_back) ||
            (rewind->unmarked == 0 && !each(rewind, range, IS_WRITTEN, MARK, pass)))
            return false;
    }
    return !has_grown(rewind);
}
