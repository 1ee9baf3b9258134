/* SPDX-License-Identifier: Apache-2.0 */
/* A chip that explores, and programs for its first tile. */
#ifndef TESTS_FARM_EXPLORED_H
#define TESTS_FARM_EXPLORED_H

#include "one_chip.h"
#include "stress/noc_emit.h"
#include "stress/places.h"
#include "tilefarm/tilefarm_explore.h"

#define OWN_L1 0x4000u   /* in tile 0 */
#define OTHER_L1 0x3000u /* in tile 1, which requests go to */
#define DELAY 20u        /* epochs of the first packet */

enum { ATOMIC = INCREMENT_CTRL, WRITE = 2, MARKED = 16, LINKED = 64, STATIC = 128, OTHER_CHANNEL = 1 << 13 };

static uint32_t words[512];
static struct code code;

static inline void create_as(const struct tf_explore *explore, bool check)
{
    struct chip_wish config = one_worker();
    config.explore = explore;
    config.check = check;
    config.slice_cycles = config.epoch_cycles_min = config.epoch_cycles_max = TF_EXPLORE_CYCLES;
    assert_int_equal(create_chip(&config), 0);
    code = (struct code){.word = words, .capacity = 512};
}

static inline void create(const struct tf_explore *explore)
{
    create_as(explore, false);
}

static inline void poke(unsigned tile, uint32_t address, uint32_t value)
{
    assert_int_equal(tf_write(chip, at(tile), address, &value, 4), TF_OK);
}

static inline uint32_t peek(unsigned tile, uint32_t address)
{
    uint32_t value;
    assert_int_equal(tf_read(chip, at(tile), address, &value, 4), TF_OK);
    return value;
}

/* The words so far become a program of tile 0. */
static inline void start(enum tf_core core, uint32_t address)
{
    put(&code, rv_j(0, 0));
    assert_int_equal(tf_write(chip, at(0), address, words, code.count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, 0, core, address), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, core), TF_OK);
    code.count = 0;
}

/* Initiator `which` reads some bytes from tile 1, or writes them there, or increments a word there. */
static inline void ask(unsigned which, uint32_t ctrl, uint32_t other_l1, uint32_t own_l1, uint32_t bytes)
{
    uint32_t niu = NIU + 0x800 * which;
    bool writes = ctrl & WRITE;
    store(&code, niu + 0x00, writes ? own_l1 : other_l1);
    store(&code, niu + 0x08, xy(writes ? 0 : 1));
    store(&code, niu + 0x0C, writes ? other_l1 : own_l1);
    store(&code, niu + 0x14, xy(writes ? 1 : 0));
    store(&code, niu + 0x18, 0);
    store(&code, niu + 0x1C, ctrl);
    store(&code, niu + 0x20, ctrl & ATOMIC ? INCREMENT_LENGTH : bytes);
    store(&code, niu + 0x28, 1);
    store(&code, niu + 0x40, 1);
}

/* So many epochs. */
static inline void run(unsigned epochs)
{
    struct tf_run_options options = {.cycles_max = epochs * TF_EXPLORE_CYCLES};
    struct tf_fault fault;
    assert_int_equal(tf_run(chip, &options, NULL), TF_OK);
    if (tf_fault_get(chip, 0, &fault) == TF_OK)
        fail_msg("%s", fault.text);
}

#endif
