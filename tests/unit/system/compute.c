/* SPDX-License-Identifier: Apache-2.0 */
#include "compute.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "farm/chip/chip.h"
#include "tilefarm/tilefarm_system_run.h"

#define COUNTING 40u
#define CODE 0x150000 /* where nothing is */

static void start_at(struct tf_chip *chip, unsigned tile, enum tf_core core, const uint32_t *program, size_t bytes)
{
    const uint32_t at = CODE + 0x100 * core;
    struct tf_coord coord;
    assert_int_equal(tf_tile_coord(tf_chip_arch(chip), tile, &coord), TF_OK);
    assert_int_equal(tf_write(chip, coord, at, program, bytes), TF_OK);
    assert_int_equal(tf_core_stop(chip, tile, core), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, tile, core, at), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, core), TF_OK);
}

/* Let T0 count, and then set a word. */
static void count(struct tf_chip *chip, unsigned tile, uint32_t rounds)
{
    const uint32_t program[] = {
        (rounds & 0xFFFFF000) | 0x2B7, /* lui t0, rounds */
        0xFFF28293,                    /* addi t0, t0, -1 */
        0xFE029EE3,                    /* bnez t0, the last one */
        0x00151337,                    /* lui t1, 0x151000 */
        0x00100293,                    /* li t0, 1 */
        0x00532023,                    /* sw t0, (t1) */
        0xFFEC0337,                    /* lui t1, 0xFFEC0000 */
        0x00032283,                    /* lw t0, (t1): an empty mailbox */
    };
    start_at(chip, tile, TF_CORE_T0, program, sizeof program);
}

/* Let B wait for that word before it runs on from where it is. */
static void wait(struct tf_chip *chip, unsigned tile)
{
    const uint32_t pc = chip->tiles.tile[tile].hart[TF_CORE_B].pc;
    const uint32_t program[] = {
        0x00151337,      /* lui t1, 0x151000 */
        0x00032283,      /* lw t0, (t1) */
        0xFE028EE3,      /* beqz t0, the last one */
        pc << 20 | 0x67, /* jalr zero, pc(zero) */
    };
    assert_true(pc < 0x800);
    start_at(chip, tile, TF_CORE_B, program, sizeof program);
}

void compute_first(struct tf_system *system)
{
    for (unsigned i = 0; i < tf_system_cluster(system)->chips; i++) {
        count(tf_system_chip(system, i), 0, i == 0 ? 0x40000 : 0x1D000);
        wait(tf_system_chip(system, i), 0);
    }
    count(tf_system_chip(system, 0), COUNTING, 0x60000);
}
