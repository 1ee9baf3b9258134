/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/zeroed.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif
#ifndef ASAN
#define ASAN 0
#endif

void *tf_zeroed_take(size_t bytes)
{
    if (ASAN) /* which watches only what malloc gives */
        return tf_zeroed_lines(bytes);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
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

void tf_zeroed_give(void *memory, size_t bytes)
{
    if (ASAN)
        free(memory);
    else if (memory != NULL)
        munmap(memory, bytes);
}
