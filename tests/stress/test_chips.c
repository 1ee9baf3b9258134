/* SPDX-License-Identifier: Apache-2.0 */
/* Several chips in one process, each run by a thread of its own at the same time. No chip affects another one's
   result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>

#include "chip_wish.h"
#include "tilefarm/tilefarm_chip.h"

enum { CHIPS = 3, ROUNDS = 3 };

/* Adds up pseudo-random words in L1: x5 counts down from the word at 0x400; result at 0x404. */
static const uint32_t program[] = {
    0x40002283, /* lw   x5, 0x400(x0) */
    0x00000313, /* addi x6, x0, 0 */
    0x00100393, /* addi x7, x0, 1 */
    0x00d39e13, /* slli x28, x7, 13 */
    0x01c3c3b3, /* xor  x7, x7, x28 */
    0x0113de13, /* srli x28, x7, 17 */
    0x01c3c3b3, /* xor  x7, x7, x28 */
    0x00539e13, /* slli x28, x7, 5 */
    0x01c3c3b3, /* xor  x7, x7, x28 */
    0x00730333, /* add  x6, x6, x7 */
    0xfff28293, /* addi x5, x5, -1 */
    0xfe0290e3, /* bne  x5, x0, -32 */
    0x40602223, /* sw   x6, 0x404(x0) */
    0x0000006f, /* j    . */
};

static uint32_t expected(uint32_t count)
{
    uint32_t sum = 0, state = 1;
    while (count-- > 0) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        sum += state;
    }
    return sum;
}

struct job {
    unsigned number;
    uint64_t hash[ROUNDS];
    bool right;
};

static bool run_one(const struct job *job, uint64_t *hash)
{
    struct chip_wish config;
    chip_wish_init(&config);
    config.threads = 1 + job->number;
    struct tf_chip *chip;
    if (chip_wish_create(&config, &chip, NULL) != TF_OK)
        return false;
    uint32_t count = 5000 + job->number * 1000;
    bool right = true;
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++) {
        struct tf_coord coord;
        uint32_t turns = count + tile;
        tf_tile_coord(NULL, tile, &coord);
        right &= tf_write(chip, coord, 0, program, sizeof program) == TF_OK;
        right &= tf_write(chip, coord, 0x400, &turns, sizeof turns) == TF_OK;
        right &= tf_core_start(chip, tile, TF_CORE_B) == TF_OK;
    }
    enum tf_end end = TF_END_FAULT;
    right &= tf_run(chip, NULL, &end) == TF_OK && end == TF_END_QUIET;
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++) {
        struct tf_coord coord;
        uint32_t result = 0;
        tf_tile_coord(NULL, tile, &coord);
        right &= tf_read(chip, coord, 0x404, &result, sizeof result) == TF_OK;
        right &= result == expected(count + tile);
    }
    *hash = tf_state_hash(chip);
    tf_chip_destroy(chip);
    return right;
}

static void *work(void *argument)
{
    struct job *job = argument;
    job->right = true;
    for (unsigned round = 0; round < ROUNDS; round++)
        job->right &= run_one(job, &job->hash[round]);
    return NULL;
}

static void chips_in_parallel(void **state)
{
    (void)state;
    pthread_t thread[CHIPS];
    struct job job[CHIPS];
    for (unsigned i = 0; i < CHIPS; i++) {
        job[i] = (struct job){.number = i};
        assert_int_equal(pthread_create(&thread[i], NULL, work, &job[i]), 0);
    }
    for (unsigned i = 0; i < CHIPS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (unsigned i = 0; i < CHIPS; i++) {
        assert_true(job[i].right);
        for (unsigned round = 1; round < ROUNDS; round++)
            assert_true(job[i].hash[round] == job[i].hash[0]);
    }
    assert_false(job[0].hash[0] == job[1].hash[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chips_in_parallel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
