/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After libttsim_init(), and a first round that fills caches, calls allocate nothing on the thread that makes them, and
 * no file stays open. This program's malloc() and related functions replace the C library's, also for libttsim.so.
 */
#include "rig.h"

#include <dirent.h>
#include <pthread.h>

#include "addresses.h"

#define EXPORT __attribute__((visibility("default")))

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static unsigned allocations;
static pthread_t counted; /* zero stands for no thread */

static void count(void)
{
    allocations += pthread_equal(counted, pthread_self()) != 0;
}

EXPORT void *malloc(size_t bytes)
{
    count();
    return __libc_malloc(bytes);
}

EXPORT void *calloc(size_t elements, size_t bytes)
{
    count();
    return __libc_calloc(elements, bytes);
}

EXPORT void *realloc(void *old, size_t bytes)
{
    count();
    return __libc_realloc(old, bytes);
}

EXPORT void *aligned_alloc(size_t alignment, size_t bytes)
{
    count();
    return __libc_memalign(alignment, bytes);
}

EXPORT int posix_memalign(void **at, size_t alignment, size_t bytes)
{
    count();
    *at = __libc_memalign(alignment, bytes);
    return *at == NULL;
}

static unsigned open_files(void)
{
    unsigned files = 0;
    DIR *dir = opendir("/proc/self/fd");
    assert_non_null(dir);
    while (readdir(dir) != NULL)
        files++;
    closedir(dir);
    return files;
}

#define NIU TF_NIU_BASE(0)

/* B of a tile reads a word of its neighbour through NOC 0, again and again, and counts in 0x400. */
static void start_reader(unsigned x, unsigned y)
{
    static const uint32_t code[] = {
        0xFFB20337, /* lui t1, 0xFFB20 */
        0x00100393, /* li t2, 1 */
        0x04732023, /* sw t2, 0x40(t1): go */
        0x04032E03, /* lw t3, 0x40(t1) */
        0xFE0E1EE3, /* bnez t3, -4 */
        0x40002E83, /* lw t4, 0x400(zero) */
        0x001E8E93, /* addi t4, t4, 1 */
        0x41D02023, /* sw t4, 0x400(zero) */
        0xFE9FF06F, /* j to the go */
    };
    put(&lib, x, y, 0, code, sizeof code);
    put32(&lib, x, y, NIU + 0x00, 0x2000);
    put32(&lib, x, y, NIU + 0x08, (x + 1) | y << 6);
    put32(&lib, x, y, NIU + 0x0C, 0x3000);
    put32(&lib, x, y, NIU + 0x14, x | y << 6);
    put32(&lib, x, y, NIU + 0x1C, 1 << 4);
    put32(&lib, x, y, NIU + 0x20, 64);
    put32(&lib, x, y, DEBUG_AT(SOFT_RESET_0), 0x47000);
}

/* Frequent calls of a driver. */
static void round_of_calls(uint8_t *data, uint32_t bytes)
{
    for (unsigned i = 0; i < 40; i++) {
        lib.config_read(0, 4);
        lib.config_read(1 << 3, 0);
        put(&lib, 3, 3, 0x10000, data, bytes);
        get(&lib, 3, 3, 0x10000, data, bytes);
        put(&lib, 17, 12, 0x4000, data, bytes);
        get(&lib, 17, 12, 0x4000, data, bytes);
        lib.tile_write(5, 5, 0x10000, data, bytes);
        lib.tile_read(5, 5, 0x10000, data, bytes);
        get32(&lib, 5, 5, NIU_COUNTER(0, 2));
        get32(&lib, 8, 0, 0x10000200);
        lib.clock(1);
        lib.clock(5000);
    }
}

static void test_allocations(void **state)
{
    (void)state;
    static uint8_t data[4096];
    setenv("TILEFARM_THREADS", "1", 1);
    unsigned files = open_files();
    lib.init();
    assert_int_equal(open_files(), files);
    round_of_calls(data, sizeof data);
    counted = pthread_self();
    round_of_calls(data, sizeof data); /* nothing runs */
    counted = 0;
    assert_int_equal(allocations, 0);
    for (unsigned y = 2; y < 6; y++)
        start_reader(1, y);
    round_of_calls(data, sizeof data);
    uint32_t before = get32(&lib, 1, 2, 0x400);
    counted = pthread_self();
    round_of_calls(data, sizeof data); /* cores run, and requests travel */
    counted = 0;
    assert_true(get32(&lib, 1, 2, 0x400) - before > 10);
    assert_int_equal(allocations, 0);
    lib.exit();
    counted = pthread_self();
    lib.init(); /* allocates something, which shows that the library's calls come here */
    counted = 0;
    assert_true(allocations > 10);
    assert_int_equal(open_files(), files);
    lib.exit();
    unsetenv("TILEFARM_THREADS");
}

int main(void)
{
    if (api_load(&lib, TF_LIBTTSIM) != 0)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
