/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A core stores to registers of its NIUs and loads from them, in a loop that it executes many times. The host must load
 * equal values there. Its own stores of the same values at another tile must leave the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "farm/chip/chip.h"
#include "noc/niu.h"
#include "tilefarm_address.h"

#define CODE 0x1000u
#define TABLE 0x20000u
#define SCRATCH 0x10000u
#define NIU(noc) (TF_NIU_BASE(0) + (noc)*0x10000u)
#define COUNTERS 0x200u
#define ENTRIES_MAX 512u

struct entry {
    uint32_t store, value, load, found; /* addresses; `found` is what the core has loaded */
};

struct family {
    const char *name;
    unsigned initiator_bytes, words; /* from one initiator to the next; words before NOC_CMD_CTRL */
    uint32_t node_id;                /* the register NOC_NODE_ID of NIU 0 */
    unsigned counters;
};

static const struct family families[] = {{"blackhole", 0x800, 16, 0x44, 64}, {"wormhole", 0x400, 10, 0x2C, 64}};

/* For each entry: store, load, note what was loaded. */
static const uint32_t program[] = {
    0x000202B7, /* lui x5, TABLE */
    0x0002A303, /* lw x6, 0(x5): the number of entries */
    0x01028293, /* next: addi x5, x5, 16 */
    0x0002A383, /* lw x7, 0(x5) */
    0x0042A403, /* lw x8, 4(x5) */
    0x0082A483, /* lw x9, 8(x5) */
    0x0083A023, /* sw x8, 0(x7) */
    0x0004A503, /* lw x10, 0(x9) */
    0x00A2A623, /* sw x10, 12(x5) */
    0xFFF30313, /* addi x6, x6, -1 */
    0xFE0310E3, /* bne x6, x0, next */
    0x0000006F, /* jal x0, 0 */
};

/* Registers that the family lacks, or that have no word, are left out: the host cannot read them either. */
static unsigned make_table(const struct family *family, struct tf_chip *chip, struct tf_coord at, struct entry *entry)
{
    unsigned count = 0;
    uint32_t word;
    for (unsigned noc = 0; noc < 2; noc++) {
        for (unsigned i = 0; i < TF_NIU_INITIATORS * family->words; i++) {
            uint32_t address = NIU(noc) + i / family->words * family->initiator_bytes + 4 * (i % family->words);
            if (tf_read(chip, at, address, &word, sizeof word) == TF_OK)
                entry[count++] = (struct entry){address, 0xBAD00000u + (address >> 4), address, 0};
        }
        for (unsigned i = 0; i < family->counters; i++)
            entry[count++] = (struct entry){SCRATCH, i, NIU(noc) + COUNTERS + 4 * i, ~0u};
        entry[count++] = (struct entry){SCRATCH, 0, NIU(noc) + family->node_id, ~0u};
    }
    assert_true(count >= 2 * (TF_NIU_INITIATORS * 8 + family->counters + 1) && count < ENTRIES_MAX);
    return count;
}

static struct tf_chip *chip_with_counts(const struct family *family)
{
    struct tf_chip *chip = NULL;
    struct chip_wish config;
    chip_wish_init(&config);
    config.arch = tf_arch_find(family->name);
    config.threads = 1;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    struct tf_node *node = &chip->fabric->node[tf_node_number(chip->arch, chip->tiles.tile[0].coord)];
    for (unsigned i = 0; i < 2 * TF_NIU_COUNTERS; i++)
        node->niu[i / TF_NIU_COUNTERS].counter[i % TF_NIU_COUNTERS] = i * 5 + 1;
    return chip;
}

static void test_core_and_host(void **state)
{
    static struct entry entry[ENTRIES_MAX];
    const struct family *family = *state;
    struct tf_chip *chip = chip_with_counts(family);
    struct tf_coord core, host;
    enum tf_end end;
    uint32_t head[4] = {0}, seen, kept;
    assert_int_equal(tf_tile_coord(chip->arch, 0, &core), TF_OK);
    assert_int_equal(tf_tile_coord(chip->arch, 1, &host), TF_OK);
    head[0] = make_table(family, chip, core, entry);
    assert_int_equal(tf_write(chip, core, CODE, program, sizeof program), TF_OK);
    assert_int_equal(tf_write(chip, core, TABLE, head, sizeof head), TF_OK);
    assert_int_equal(tf_write(chip, core, TABLE + sizeof head, entry, head[0] * sizeof entry[0]), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_B, CODE), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    struct tf_fault fault;
    if (tf_fault_get(chip, 0, &fault) == TF_OK)
        fail_msg("pc 0x%X: %s", fault.pc, fault.text);
    assert_int_equal(tf_read(chip, core, TABLE + sizeof head, entry, head[0] * sizeof entry[0]), TF_OK);
    for (unsigned i = 0; i < head[0]; i++) {
        const struct entry *at = &entry[i];
        assert_int_equal(tf_read(chip, core, at->load, &seen, sizeof seen), TF_OK);
        if (seen != at->found)
            fail_msg("0x%08X: the core loads 0x%X, the host 0x%X", at->load, at->found, seen);
        if (at->store == SCRATCH)
            continue;
        assert_int_equal(tf_write(chip, host, at->store, &at->value, sizeof at->value), TF_OK);
        assert_int_equal(tf_read(chip, host, at->load, &kept, sizeof kept), TF_OK);
        if (seen != kept)
            fail_msg("0x%08X: the core's store leaves 0x%X, the host's 0x%X", at->load, seen, kept);
    }
    tf_chip_destroy(chip);
}

/* A core may not store to an initiator whose command has not been taken. A store to the next one is right, by the same
   instruction. */
static void test_busy_initiator(void **state)
{
    const struct family *family = *state;
    const uint32_t stores[] = {
        0xFFB202B7,                                     /* lui x5, the registers of NIU 0 */
        0xFFB20337,                                     /* lui x6, the registers of NIU 0 */
        0x00028293 | family->initiator_bytes / 2 << 20, /* addi x5, x5, half of the way to the next initiator */
        0x00028293 | family->initiator_bytes / 2 << 20, /* addi x5, x5, the other half */
        0x0002A023,                                     /* again: sw x0, 0(x5) */
        0x00628663,                                     /* beq x5, x6, done */
        0x00030293,                                     /* addi x5, x6, 0 */
        0xFF5FF06F,                                     /* jal x0, again */
        0x0000006F,                                     /* done: jal x0, 0 */
    };
    struct tf_chip *chip = chip_with_counts(family);
    struct tf_coord core = chip->tiles.tile[0].coord;
    struct tf_fault fault;
    enum tf_end end;
    *tf_niu_cmd_ctrl(&chip->fabric->node[tf_node_number(chip->arch, core)].niu[0], 0) = 1;
    assert_int_equal(tf_write(chip, core, CODE, stores, sizeof stores), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_B, CODE), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
    assert_int_equal(fault.pc, CODE + 16);
    assert_non_null(strstr(fault.text, "NOC_CMD_CTRL"));
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"blackhole", test_core_and_host, NULL, NULL, (void *)&families[0]},
        {"wormhole", test_core_and_host, NULL, NULL, (void *)&families[1]},
        {"busy, blackhole", test_busy_initiator, NULL, NULL, (void *)&families[0]},
        {"busy, wormhole", test_busy_initiator, NULL, NULL, (void *)&families[1]},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
