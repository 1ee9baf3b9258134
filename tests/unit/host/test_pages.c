/* SPDX-License-Identifier: Apache-2.0 */
/* Memory in whole pages is zero, is the host's again when it is given back, and is mapped ahead where that is asked. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "host/zeroed.h"
#include "host/zeros.h"

#define PAGES 4096u
#define BYTES (PAGES * TF_ZEROED_PAGE_BYTES)

/* 1: the page is in memory; 0: it costs nothing yet; -1: the process has no such page. Not asked with AddressSanitizer,
   which takes memory from malloc(). */
static int __attribute__((unused)) page_at(uint8_t *memory, size_t page)
{
    unsigned char in_memory;
    if (mincore(memory + page * TF_ZEROED_PAGE_BYTES, TF_ZEROED_PAGE_BYTES, &in_memory) != 0)
        return errno == ENOMEM ? -1 : -2;
    return in_memory & 1;
}

static void given_back(void **state)
{
    (void)state;
    uint8_t *memory = tf_zeroed_take(BYTES);
    assert_non_null(memory);
    memory[BYTES - 1] = 1;
#ifndef __SANITIZE_ADDRESS__ /* there it comes from malloc() */
    assert_int_equal(page_at(memory, PAGES / 2), 0);
    assert_int_equal(page_at(memory, PAGES - 1), 1);
    assert_false(tf_zeros(memory, BYTES));
    assert_true(tf_zeros(memory, BYTES - 1));
    tf_zeroed_give(memory, BYTES);
    assert_int_equal(page_at(memory, PAGES / 2), -1);
    assert_int_equal(page_at(memory, PAGES - 1), -1);
#else
    tf_zeroed_give(memory, BYTES);
#endif
    tf_zeroed_give(NULL, BYTES);
}

static void mapped_ahead(void **state)
{
    (void)state;
    uint8_t *memory = tf_zeroed_take_dense(BYTES, BYTES / 4);
    assert_non_null(memory);
#if defined MADV_POPULATE_WRITE && !defined __SANITIZE_ADDRESS__
    uint8_t *other = mmap(NULL, TF_ZEROED_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(other != MAP_FAILED);
    const int maps = madvise(other, TF_ZEROED_PAGE_BYTES, MADV_POPULATE_WRITE) == 0;
    munmap(other, TF_ZEROED_PAGE_BYTES);
    assert_int_equal(page_at(memory, 0), maps);
    assert_int_equal(page_at(memory, PAGES / 4 - 1), maps);
    assert_int_equal(page_at(memory, PAGES - 1), 0);
#endif
    assert_true(tf_zeros(memory, BYTES));
    tf_zeroed_give_dense(memory, BYTES);
#ifndef __SANITIZE_ADDRESS__
    assert_int_equal(page_at(memory, 0), -1);
    assert_int_equal(page_at(memory, PAGES - 1), -1);
#endif
    tf_zeroed_give_dense(NULL, BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(given_back), cmocka_unit_test(mapped_ahead)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
