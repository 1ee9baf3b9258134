/* SPDX-License-Identifier: Apache-2.0 */
/* A process that goes back. Each test runs in a process of its own, which ends by _exit(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/explore/rewind.h"

#define PAGES 64u
#define PAGE_BYTES 65536u /* of any host, or a multiple */

static unsigned variable = 1;
static uint8_t zeros[PAGE_BYTES]; /* nobody reads it before */

static uint8_t *map(size_t bytes)
{
    uint8_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    return memory;
}

/* Run a test in another process; a host that cannot go back has nothing to test. */
static void in_process(void (*test)(struct tf_rewind *rewind))
{
    pid_t child = fork();
    if (child == 0) {
        struct tf_rewind *rewind = tf_rewind_begin();
        if (rewind != NULL)
            test(rewind);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* assert_*() of cmocka would leave the process; a line number is the exit status. */
#define CHECK(condition)     \
    do {                     \
        if (!(condition))    \
            _exit(__LINE__); \
    } while (0)

static uint8_t *mapped, *shared, *heap;

/* One round after another begins with the same memory, and what was written, or first written, in between is gone. */
static void test_memory(struct tf_rewind *rewind)
{
    static volatile unsigned rounds_in_shared;
    volatile unsigned *rounds = (volatile unsigned *)(void *)shared;
    for (unsigned round = 0; round < 3; round++) {
        CHECK(variable == 1 && rounds_in_shared == 0 && zeros[7] == 0);
        CHECK(heap[0] == 5 && heap[999] == 5);
        for (unsigned i = 0; i < PAGES; i++)
            CHECK(mapped[i * PAGE_BYTES + 3] == (i % 3 == 0 ? i + 1 : 0) &&
                  mapped[i * PAGE_BYTES + PAGE_BYTES - 1] == 0);
        CHECK(*rounds == round);
        variable = 2;
        rounds_in_shared++;
        memset(zeros, 1, sizeof zeros);
        memset(heap, 9, 1000);
        for (unsigned i = 0; i < PAGES; i += 2)
            memset(mapped + i * PAGE_BYTES, 0xEE, PAGE_BYTES);
        void *more = malloc(1u << 20), *less = malloc(24);
        CHECK(more != NULL && less != NULL);
        memset(more, 1, 1u << 20);
        ++*rounds;
        CHECK(tf_rewind(rewind));
    }
}

static void goes_back(void **state)
{
    (void)state;
    mapped = map((size_t)PAGES * PAGE_BYTES);
    shared = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    heap = malloc(1000);
    assert_non_null(heap);
    memset(heap, 5, 1000);
    for (unsigned i = 0; i < PAGES; i += 3)
        mapped[i * PAGE_BYTES + 3] = (uint8_t)(i + 1);
    in_process(test_memory);
    free(heap);
    munmap(shared, PAGE_BYTES);
    munmap(mapped, (size_t)PAGES * PAGE_BYTES);
}

static long faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/* Rounds that write the same pages seldom fault. A page that only some rounds write is put back, too. */
static void test_same_pages(struct tf_rewind *rewind)
{
    const long page_bytes = sysconf(_SC_PAGESIZE);
    uint8_t *const rare = mapped + (size_t)PAGES / 2 * PAGE_BYTES;
    long before = 0;
    for (unsigned round = 0; round < 210; round++) {
        for (unsigned i = 0; i < PAGES; i++)
            CHECK(mapped[(size_t)i * page_bytes] == 7 && rare[(size_t)i * page_bytes] == 7);
        if (round == 10)
            before = faults();
        for (unsigned i = 0; i < PAGES; i++)
            mapped[(size_t)i * page_bytes] = 8;
        rare[(size_t)(round * 5 % PAGES) * page_bytes] = 9;
        CHECK(tf_rewind(rewind));
    }
    CHECK(faults() - before < 200 * PAGES / 8);
}

/* The heap ends where it ended, and what is added to it holds zeros, as calloc() expects. */
static void test_heap(struct tf_rewind *rewind)
{
    const void *end = sbrk(0);
    for (unsigned round = 0; round < 300; round++) {
        CHECK(sbrk(0) == end);
        CHECK(sbrk(1 << 20) == end);
        CHECK(*(const uint8_t *)end == 0);
        memset((void *)(uintptr_t)end, 1, 1 << 20);
        CHECK(tf_rewind(rewind));
    }
}

/* Memory that is gone, and memory in its place, cannot be put back. */
static void test_gone(struct tf_rewind *rewind)
{
    munmap(mapped + PAGE_BYTES, PAGE_BYTES);
    CHECK(!tf_rewind(rewind));
}

static void test_replaced(struct tf_rewind *rewind)
{
    CHECK(mmap(mapped + PAGE_BYTES, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
               0) == mapped + PAGE_BYTES);
    CHECK(!tf_rewind(rewind));
}

/* Mappings that were made stay, so a process that makes many has to end. */
static void test_grown(struct tf_rewind *rewind)
{
    map(16u << 20);
    CHECK(tf_rewind(rewind));
    map(128u << 20);
    CHECK(!tf_rewind(rewind));
}

static void keeps_pages_writable(void **state)
{
    (void)state;
    mapped = map((size_t)PAGES * PAGE_BYTES);
    memset(mapped, 7, (size_t)PAGES * PAGE_BYTES);
    in_process(test_same_pages);
    munmap(mapped, (size_t)PAGES * PAGE_BYTES);
}

static void does_not_go_back(void **state)
{
    (void)state;
    mapped = map((size_t)PAGES * PAGE_BYTES);
    memset(mapped, 1, (size_t)PAGES * PAGE_BYTES);
    in_process(test_gone);
    in_process(test_replaced);
    in_process(test_grown);
    in_process(test_heap);
    munmap(mapped, (size_t)PAGES * PAGE_BYTES);
    assert_false(tf_rewind(NULL));
}

/* A process with much memory is not copied. */
static void test_much(struct tf_rewind *rewind)
{
    (void)rewind;
    _exit(1);
}

static void refuses_much_memory(void **state)
{
    (void)state;
    const size_t bytes = 160u << 20;
    mapped = map(bytes);
    memset(mapped, 1, bytes);
    in_process(test_much);
    munmap(mapped, bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_back),
        cmocka_unit_test(keeps_pages_writable),
        cmocka_unit_test(does_not_go_back),
        cmocka_unit_test(refuses_much_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
