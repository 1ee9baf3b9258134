/* SPDX-License-Identifier: Apache-2.0 */
/* Which chips firmware's data movement service reaches: by links that are up, also after a restore. test_abi_remote has
   the requests themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "system_wish.h"
#include "tilefarm/tilefarm_system_run.h"

enum { SQ = 0x11080, WR_REQ = 1 };

#define TENSIX_AT (18u << 4 | 18u << 10) /* the first Tensix tile of any chip, by translated coordinates */

static const struct tf_coord eth = {3, 0};
static struct tf_system *sys;

static void make(const char *name, const struct tf_link_fault *fault, unsigned faults)
{
    static struct tf_cluster cluster;
    struct tf_message message = {""};
    struct system_wish config;
    assert_int_equal(tf_cluster_find(name, &cluster, &message), TF_OK);
    system_wish_init(&config);
    config.cluster = &cluster;
    config.chip.threads = 1;
    config.link_fault = fault;
    config.link_faults = faults;
    if (system_wish_create(&config, &sys, &message) != TF_OK)
        fail_msg("%s", message.text);
}

static uint32_t peek(unsigned chip, struct tf_coord at, uint32_t address)
{
    uint32_t value;
    assert_int_equal(tf_read(tf_system_chip(sys, chip), at, address, &value, sizeof value), TF_OK);
    return value;
}

static void poke(unsigned chip, struct tf_coord at, uint32_t address, uint32_t value)
{
    assert_int_equal(tf_write(tf_system_chip(sys, chip), at, address, &value, sizeof value), TF_OK);
}

/* Chip 0 is asked to write a word to a Tensix tile of another chip. Returns whether it could. */
static bool ask(unsigned chip, uint32_t address, uint32_t value)
{
    const struct tf_cluster_chip *to = &tf_system_cluster(sys)->chip[chip];
    const uint32_t errors = peek(0, eth, SQ + 0x10), written = peek(0, eth, SQ + 0x20);
    const uint32_t entry = SQ + 0x40 + 32 * (written % 4);
    poke(0, eth, entry + 0, address);
    poke(0, eth, entry + 4, TENSIX_AT | (uint32_t)to->x << 16 | (uint32_t)to->y << 22);
    poke(0, eth, entry + 8, value);
    poke(0, eth, entry + 12, WR_REQ);
    poke(0, eth, SQ + 0x20, (written + 1) % 8);
    assert_int_equal(peek(0, eth, SQ + 0x30), (written + 1) % 8);
    return peek(0, eth, SQ + 0x10) == errors;
}

/* A word of that Tensix tile. */
static uint32_t word_of(unsigned chip, uint32_t address)
{
    struct tf_coord tensix;
    assert_int_equal(tf_tile_coord(tf_chip_arch(tf_system_chip(sys, chip)), 0, &tensix), TF_OK);
    return peek(chip, tensix, address);
}

static void run(uint64_t cycles)
{
    const struct tf_system_run_options options = {.run.cycles_max = cycles};
    assert_int_equal(tf_system_run(sys, &options, NULL), TF_OK);
}

/* Both links of an n300 are down, and one of them comes up. */
static void test_links_down(void **state)
{
    (void)state;
    static const struct tf_link_fault faults[] = {{.kind = TF_LINK_DOWN, .link = 0},
                                                  {.kind = TF_LINK_DOWN, .link = 1},
                                                  {.kind = TF_LINK_UP, .link = 1, .value = 20000}};
    make("n300", faults, 3);
    assert_true(ask(0, 0x30000, 1));
    assert_false(ask(1, 0x30000, 2));
    assert_int_equal(word_of(1, 0x30000), 0);
    run(20000 + TF_LINK_TRAINING_CYCLES + 1000);
    assert_true(ask(1, 0x30000, 3));
    assert_int_equal(word_of(1, 0x30000), 3);
    assert_int_equal(word_of(0, 0x30000), 1);
    tf_system_destroy(sys);
}

/* The restored system reaches its own chips. */
static void test_restored(void **state)
{
    (void)state;
    char path[64];
    struct tf_message message = {""};
    snprintf(path, sizeof path, "/tmp/tilefarm-routes-%d", (int)getpid());
    make("t3000", NULL, 0);
    for (unsigned chip = 0; chip < 8; chip++)
        assert_true(ask(chip, 0x30000, 100 + chip));
    if (tf_system_save(sys, path, &message) != TF_OK || tf_system_restore(sys, path, &message) != TF_OK)
        fail_msg("%s", message.text);
    for (unsigned chip = 0; chip < 8; chip++) {
        assert_int_equal(word_of(chip, 0x30000), 100 + chip);
        assert_true(ask(chip, 0x30004, 200 + chip));
        assert_int_equal(word_of(chip, 0x30004), 200 + chip);
    }
    tf_system_destroy(sys);
    for (unsigned chip = 0; chip < 8; chip++) {
        char of_chip[96];
        snprintf(of_chip, sizeof of_chip, "%s.1.chip%u", path, chip);
        unlink(of_chip);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links_down),
        cmocka_unit_test(test_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
