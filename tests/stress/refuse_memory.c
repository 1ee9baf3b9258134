/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library for LD_PRELOAD: the n-th allocation that one object asks for fails. The object is the program itself, or a
 * library. Its allocations are known by the address that they return to. REFUSE_AT=N arms it for the program.
 * REFUSE_COUNT=FILE names a file whose first four bytes count the allocations of the program and its processes.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

#define PUBLIC __attribute__((visibility("default")))

PUBLIC unsigned refuse_at(const char *object, unsigned n);

static uintptr_t begin, end; /* of the object's code */
static atomic_uint own, *asked = &own;
static unsigned refused;

struct search {
    const char *object;
    uintptr_t begin, end;
};

static int find(struct dl_phdr_info *info, size_t bytes, void *context)
{
    struct search *search = context;
    (void)bytes;
    if (search->object == NULL ? info->dlpi_name[0] != '\0' : strstr(info->dlpi_name, search->object) == NULL)
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            search->begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            search->end = search->begin + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

/* Refuse the n-th allocation from now on that a library asks for, or with NULL the program; 0: none. Returns how many
   it has asked for since the last call. */
unsigned refuse_at(const char *object, unsigned n)
{
    struct search search = {.object = object};
    dl_iterate_phdr(find, &search);
    begin = search.begin;
    end = search.end;
    refused = n;
    return atomic_exchange(asked, 0);
}

static bool refuses(const void *caller)
{
    if ((uintptr_t)caller < begin || (uintptr_t)caller >= end)
        return false;
    if (atomic_fetch_add(asked, 1) + 1 != refused)
        return false;
    errno = ENOMEM;
    return true;
}

#define CALLER __builtin_return_address(0)

PUBLIC void *malloc(size_t bytes)
{
    return refuses(CALLER) ? NULL : __libc_malloc(bytes);
}

PUBLIC void *calloc(size_t count, size_t bytes)
{
    return refuses(CALLER) ? NULL : __libc_calloc(count, bytes);
}

PUBLIC void *realloc(void *old, size_t bytes)
{
    return refuses(CALLER) ? NULL : __libc_realloc(old, bytes);
}

PUBLIC void *aligned_alloc(size_t alignment, size_t bytes)
{
    return refuses(CALLER) ? NULL : __libc_memalign(alignment, bytes);
}

PUBLIC char *strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = refuses(CALLER) ? NULL : __libc_malloc(bytes);
    return copy == NULL ? NULL : memcpy(copy, text, bytes);
}

__attribute__((constructor)) static void arm(void)
{
    const char *n = getenv("REFUSE_AT"), *path = getenv("REFUSE_COUNT");
    int file = path == NULL ? -1 : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0 && ftruncate(file, sizeof *asked) == 0) {
        void *count = mmap(NULL, sizeof *asked, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        asked = count == MAP_FAILED ? &own : count;
    }
    if (file >= 0)
        close(file);
    if (n != NULL)
        refuse_at(NULL, (unsigned)atoi(n));
}
