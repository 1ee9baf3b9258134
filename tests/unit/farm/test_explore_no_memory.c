/* SPDX-License-Identifier: Apache-2.0 */
/* The host refuses memory once, while a chip that explores is created or runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>

#include "explored.h"
#include "one_column.h"

/* Allocations so far. The one with the number refuse_at is refused; 0: none. */
static unsigned asked, refuse_at;

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

static bool refuses(void)
{
    return ++asked == refuse_at;
}

void *__wrap_malloc(size_t bytes)
{
    return refuses() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return refuses() ? NULL : __real_calloc(count, bytes);
}

static int create_refused(unsigned at)
{
    const struct tf_explore explore = {.scheduled = true};
    struct chip_wish config = one_worker();
    one_column(&config.board);
    config.explore = &explore;
    chip = NULL;
    asked = 0;
    refuse_at = at;
    int result = chip_wish_create(&config, &chip, NULL);
    refuse_at = 0;
    return result;
}

/* Creation fails as a whole, or does without that memory. */
static void no_memory_for_the_chip(void **state)
{
    (void)state;
    unsigned refused = 0;
    assert_int_equal(create_refused(0), TF_OK);
    unsigned count = asked;
    tf_chip_destroy(chip);
    for (unsigned at = 1; at <= count; at++) {
        int result = create_refused(at);
        assert_true(result == TF_ENOMEM ? chip == NULL : result == TF_OK);
        refused += result == TF_ENOMEM;
        if (result == TF_OK)
            tf_chip_destroy(chip);
    }
    assert_true(refused > count / 2);
}

/* A core asks for a write. There is memory for the packet, its order and its response, or a fault says that it is
   lost. */
static void no_memory_for_a_packet(void **state)
{
    (void)state;
    unsigned faults = 0, count = 100;
    for (unsigned at = 0; at <= count; at++) {
        const struct tf_explore explore = {.scheduled = true};
        struct tf_run_options options = {.cycles_max = 10 * TF_EXPLORE_CYCLES};
        struct tf_fault fault;
        create(&explore);
        poke(0, OWN_L1, 7);
        ask(0, MARKED | WRITE, OTHER_L1, OWN_L1, 4);
        start(TF_CORE_B, 0x100);
        asked = 0;
        refuse_at = at;
        assert_int_equal(tf_run(chip, &options, NULL), TF_OK);
        refuse_at = 0;
        count = at == 0 ? asked : count;
        bool failed = tf_fault_get(chip, 0, &fault) == TF_OK;
        if (failed)
            assert_int_equal(fault.category, TF_FAULT_HOST);
        else
            assert_int_equal(peek(1, OTHER_L1), 7);
        faults += failed;
        tf_chip_destroy(chip);
    }
    assert_in_range(faults, 3, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory_for_the_chip),
        cmocka_unit_test(no_memory_for_a_packet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
