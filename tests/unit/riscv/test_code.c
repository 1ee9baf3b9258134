/* SPDX-License-Identifier: Apache-2.0 */
/* Decoded code that harts and other writers change, that tiles share, and that is freed. */
#include "rig.h"

#include <pthread.h>
#include <string.h>

#include "tile/riscv/code/page.h"
#include "tile/riscv/code/pool.h"
#include "tile/riscv/interp/instances.h"

#define CODE 0x4000u

static struct tf_hart *start(struct rig *rig, unsigned core, uint32_t pc)
{
    tf_hart_release(&rig->tile, &rig->tile.hart[core], pc, rig->tile.hart[core].cycle);
    return &rig->tile.hart[core];
}

/* A loop counts in x8, and rewrites one of its own instructions, `distance` words after the store. */
static void self_modifying(unsigned distance)
{
    struct rig *rig = rig_new(NULL, true);
    uint32_t words[300];
    for (unsigned i = 0; i < 300; i++)
        words[i] = ADDI(9, 9, 1);
    words[0] = SW(6, 7, 0);          /* the word at `distance` becomes x6 */
    words[distance] = ADDI(8, 8, 1); /* it was decoded so at first, if at all */
    words[299] = JAL(0, -299 * 4);
    rig_put(rig, CODE, words, 300);
    struct tf_hart *hart = start(rig, TF_CORE_B, CODE);
    hart->x[7] = CODE + distance * 4;
    hart->x[6] = ADDI(8, 8, 100);
    rig_turn(rig, hart, 1);
    assert_int_equal(hart->x[8], 100);
    hart->x[6] = ADDI(8, 8, 1000);
    rig_turn(rig, hart, 301);
    assert_int_equal(hart->x[8], 1100);
    rig_turn(rig, hart, 601);
    assert_int_equal(hart->x[8], 2100);
    assert_int_equal(hart->x[9], 3 * 297 + (distance == 0 ? 3 : 0));
    assert_int_equal(hart->instret, 900);
    rig_free(rig);
}

static void stores_into_running_code(void **state)
{
    (void)state;
    for (unsigned distance = 1; distance < 299; distance++)
        self_modifying(distance);
}

/* The store goes to the preceding word, which is executed in the next round. */
static void stores_behind(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {ADDI(8, 8, 1), SW(6, 7, 0), JAL(0, -8)};
    rig_put(rig, CODE, words, 3);
    struct tf_hart *hart = start(rig, TF_CORE_B, CODE);
    hart->x[7] = CODE;
    hart->x[6] = ADDI(8, 8, 16);
    rig_turn(rig, hart, 9);
    assert_int_equal(hart->x[8], 33);
    rig_free(rig);
}

/* Two adjacent words are rewritten, in both orders, before either is executed. The instruction before them may form one
   operation with the first. */
static void stores_to_neighbours(void **state)
{
    (void)state;
    for (unsigned first = 3; first <= 4; first++) {
        struct rig *rig = rig_new(NULL, true);
        const uint32_t words[] = {SW(6, 7, 0), SW(10, 11, 0), ADDI(8, 8, 1), ADDI(8, 8, 1), ADDI(8, 8, 1), EBREAK};
        rig_put(rig, CODE, words, 6);
        struct tf_hart *hart = start(rig, TF_CORE_B, CODE);
        hart->x[6] = ADDI(8, 8, 10 * first);
        hart->x[7] = CODE + 4 * first;
        hart->x[10] = ADDI(8, 8, 100);
        hart->x[11] = CODE + 4 * (7 - first);
        rig_turn(rig, hart, 10);
        assert_int_equal(hart->state, TF_CORE_PAUSED);
        assert_int_equal(hart->x[8], 1 + 10 * first + 100);
        rig_free(rig);
    }
}

/* Stores of half words and bytes change code, and so do atomics. */
static void small_stores(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {
        ADDI(8, 8, 1), rig_s(1, 6, 7, 2),     ADDI(8, 8, 0), SB(10, 7, 3),
        ADDI(8, 8, 0), rig_amo(0, 0, 11, 12), ADDI(8, 8, 0), EBREAK,
    };
    rig_put(rig, CODE, words, 8);
    struct tf_hart *hart = start(rig, TF_CORE_B, CODE);
    hart->x[7] = CODE + 8;
    hart->x[6] = ADDI(8, 8, 5) >> 16;
    rig_turn(rig, hart, 1);
    assert_int_equal(hart->x[8], 6);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
    /* The test above, with the top byte of that word, and with an atomic on the last byte. */
    hart = start(rig, TF_CORE_B, CODE);
    hart->x[7] = CODE + 8;
    hart->x[6] = ADDI(8, 8, 5) >> 16;
    hart->x[10] = 0x01;
    hart->x[11] = CODE + 24;
    hart->x[12] = 0x30000000;
    rig_turn(rig, hart, 20);
    assert_int_equal(hart->x[8], 1 + 5 + 0x300);
    assert_int_equal(rig_word(rig, CODE + 8), (ADDI(8, 8, 5) & 0x00ffffff) | 0x01000000);
    hart = start(rig, TF_CORE_B, CODE + 8);
    hart->x[7] = 0x20000;
    hart->x[11] = 0x20000;
    rig_turn(rig, hart, 40);
    assert_int_equal(hart->x[8], 0x15 + 0x300);
    rig_free(rig);
}

/* Data in the page of the code can be written and read back. When they become code, their old values are not
   executed. */
static void data_beside_code(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {LW(8, 7, 0), ADDI(8, 8, 1), SW(8, 7, 0), BLTU(8, 6, -12), JALR(0, 7, 4)};
    rig_put(rig, CODE, words, 5);
    rig_set(rig, CODE + 0x104, ADDI(9, 0, 77));
    rig_set(rig, CODE + 0x108, EBREAK);
    struct tf_hart *hart = start(rig, TF_CORE_B, CODE);
    hart->x[7] = CODE + 0x100;
    hart->x[6] = 1000;
    rig_turn(rig, hart, 5000);
    assert_int_equal(rig_word(rig, CODE + 0x100), 1000);
    assert_int_equal(hart->x[9], 77);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
    assert_int_equal(hart->instret, 4000 + 3);
    rig_free(rig);
}

/* One hart writes code that another hart executes, also in a page that the writer never executed. */
static void another_hart(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t loop[] = {ADDI(8, 8, 1), ADDI(9, 9, 1), JAL(0, -8)};
    const uint32_t writer[] = {SW(6, 7, 0), EBREAK};
    rig_put(rig, CODE, loop, 3);
    rig_put(rig, 0x9000, writer, 2);
    struct tf_hart *runner = start(rig, TF_CORE_B, CODE);
    rig_turn(rig, runner, 300);
    assert_int_equal(runner->x[8], 100);
    struct tf_hart *other = start(rig, TF_CORE_T2, 0x9000);
    other->x[6] = ADDI(8, 8, 10);
    other->x[7] = CODE;
    rig_turn(rig, other, 300);
    rig_turn(rig, runner, 600);
    assert_int_equal(runner->x[8], 1100);
    assert_int_equal(runner->x[9], 200);
    rig_free(rig);
}

/* A delivery, or a mover that the hart starts, replaces the page that is being executed. */
static void written_from_outside(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t before[] = {ADDI(8, 8, 1), SW(6, 7, 0), ADDI(8, 8, 1), EBREAK};
    const uint32_t after[] = {ADDI(8, 8, 1), SW(6, 7, 0), ADDI(8, 8, 10), JAL(0, -12)};
    rig_put(rig, CODE, before, 4);
    rig_put(rig, RIG_COPIED, after, 4);
    struct tf_hart *hart = start(rig, TF_CORE_B, CODE);
    hart->x[6] = CODE;
    hart->x[7] = RIG_COPY;
    uint32_t generation = rig->tile.code_generation;
    rig_turn(rig, hart, 4);
    assert_int_not_equal(rig->tile.code_generation, generation);
    assert_int_equal(hart->x[8], 11);
    assert_int_equal(hart->pc, CODE);
    /* The test above, after the hart has made the page its own. */
    const uint32_t own[] = {SW(6, 7, 0), SW(10, 11, 0), ADDI(8, 8, 100), EBREAK};
    rig_put(rig, CODE, own, 4);
    rig_set(rig, RIG_COPIED + 4, ADDI(9, 9, 3));
    hart = start(rig, TF_CORE_B, CODE);
    hart->x[6] = ADDI(8, 8, 7);
    hart->x[7] = CODE + 12;
    hart->x[10] = CODE;
    hart->x[11] = RIG_COPY;
    rig_turn(rig, hart, hart->cycle + 4);
    assert_int_equal(hart->x[8], 10);
    assert_int_equal(hart->x[9], 0);
    rig_turn(rig, hart, hart->cycle + 4);
    assert_int_equal(hart->x[9], 3);
    rig_free(rig);
}

static void partial_overlap(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    uint32_t words[768];
    for (unsigned i = 0; i < 767; i++)
        words[i] = ADDI(8, 8, 1);
    words[767] = JAL(0, -767 * 4);
    rig_put(rig, CODE, words, 768);
    struct tf_hart *hart = start(rig, TF_CORE_B, CODE);
    rig_turn(rig, hart, 768);
    assert_int_equal(hart->x[8], 767);
    assert_int_equal(rig->tile.code.decoded[CODE / 1024], 1);
    assert_int_equal(rig->tile.code.decoded[CODE / 1024 + 2], 1);
    /* A store of two bytes, one on each side of a page's end. */
    uint32_t generation = rig->tile.code_generation;
    tf_tile_l1_written(&rig->tile, CODE + 1023, 2);
    assert_int_equal(rig->tile.code_generation, generation + 2);
    assert_int_equal(rig->tile.code.decoded[CODE / 1024], 0);
    assert_int_equal(rig->tile.code.decoded[CODE / 1024 + 1], 0);
    assert_int_equal(rig->tile.code.decoded[CODE / 1024 + 2], 1);
    tf_tile_l1_written(&rig->tile, CODE + 2048, 0);
    assert_int_equal(rig->tile.code.decoded[CODE / 1024 + 2], 1);
    tf_tile_l1_written(&rig->tile, RIG_L1_BYTES - 4, 4);
    rig_free(rig);
}

/* Equal pages at equal addresses are one page. A tile that changes its copy changes no other tile's page. */
static void shared_between_tiles(void **state)
{
    (void)state;
    struct tf_code_cache *cache = tf_code_cache_create(TF_EXT_ALL, &tf_interp_instances);
    assert_non_null(cache);
    struct rig *a = rig_new(cache, true);
    struct rig *b = rig_new(cache, true);
    const uint32_t loop[] = {ADDI(8, 8, 1), SW(6, 7, 0), ADDI(9, 9, 1), JAL(0, -12)};
    rig_put(a, CODE, loop, 4);
    rig_put(b, CODE, loop, 4);
    struct tf_hart *of_a = start(a, TF_CORE_B, CODE);
    struct tf_hart *of_b = start(b, TF_CORE_B, CODE);
    of_a->x[7] = of_b->x[7] = 0x20000;
    rig_turn(a, of_a, 40);
    rig_turn(b, of_b, 40);
    const struct tf_code_page *page = a->tile.code.page[CODE / 1024];
    assert_ptr_equal(page, b->tile.code.page[CODE / 1024]);
    assert_int_equal(page->references, 2);
    of_a->x[7] = CODE + 8;
    of_a->x[6] = ADDI(9, 9, 100);
    rig_turn(a, of_a, 80);
    rig_turn(b, of_b, 80);
    assert_int_equal(of_a->x[9], 10 + 1000);
    assert_int_equal(of_b->x[9], 20);
    assert_int_equal(page->references, 1);
    assert_ptr_equal(page, b->tile.code.page[CODE / 1024]);
    /* Equal words at another address are another page, with other addresses in it. */
    const uint32_t jumps[] = {AUIPC(8, 0), JAL(9, 4), EBREAK};
    for (uint32_t at = 0xA000; at < 0xC000; at += 0x1000) {
        rig_put(b, at, jumps, 3);
        of_b = start(b, TF_CORE_T1, at);
        rig_turn(b, of_b, of_b->cycle + 2);
        assert_int_equal(of_b->x[8], at);
        assert_int_equal(of_b->x[9], at + 8);
    }
    of_b = start(b, TF_CORE_B, CODE);
    rig_turn(b, of_b, of_b->cycle + 40);
    assert_int_equal(of_b->x[9], 10);
    rig_free(a);
    rig_free(b);
    tf_code_cache_destroy(cache);
}

/* A jump to the second instruction of a fused pair executes only the second instruction. */
static void into_the_middle(void **state)
{
    (void)state;
    const struct {
        uint32_t first, second;
    } pairs[] = {
        {LUI(8, 0x12345), ADDI(8, 8, 0x67)}, {AUIPC(8, 0x1), ADDI(8, 8, 4)},
        {ADDI(8, 8, 1), ADDI(9, 9, 1)},      {ADDI(8, 8, 1), BNE(8, 0, 8)},
        {LW(8, 7, 0), ADDI(8, 8, 1)},        {SW(8, 7, 0), ADDI(7, 7, 4)},
        {LW(8, 7, 0), BEQ(8, 0, 8)},         {rig_i(0x13, 1, 8, 8, 2), ADD(9, 8, 7)},
    };
    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        uint32_t x[2][3];
        for (unsigned fused = 0; fused < 2; fused++) {
            struct rig *rig = rig_new(NULL, true);
            const uint32_t words[] = {fused ? pairs[i].first : EBREAK, pairs[i].second, JAL(0, 4), EBREAK};
            rig_put(rig, CODE, words, 4);
            struct tf_hart *hart = start(rig, TF_CORE_B, CODE + 4);
            hart->x[7] = 0x20000;
            hart->x[8] = 9;
            rig_turn(rig, hart, 20);
            assert_int_equal(hart->state, TF_CORE_PAUSED);
            memcpy(x[fused], &hart->x[7], 12);
            rig_free(rig);
        }
        assert_memory_equal(x[0], x[1], 12);
    }
}

/* Many threads decode the same pages at the same time. Each content exists once, whichever thread was first. */
#define THREADS 4u
#define PAGES 64u

static void *decode_all(void *argument)
{
    struct rig *rig = argument;
    for (uint32_t i = 0; i < PAGES; i++)
        if (tf_code_page_make(&rig->tile, i * TF_CODE_PAGE_BYTES) == NULL)
            return NULL;
    return rig;
}

static void threads(void **state)
{
    (void)state;
    struct tf_code_cache *cache = tf_code_cache_create(TF_EXT_ALL, &tf_interp_instances);
    assert_non_null(cache);
    struct rig *rig[THREADS];
    pthread_t thread[THREADS];
    for (unsigned t = 0; t < THREADS; t++) {
        rig[t] = rig_new(cache, true);
        for (uint32_t at = 0; at < PAGES * TF_CODE_PAGE_BYTES; at += 4)
            rig_set(rig[t], at, ADDI(8, 9, (int32_t)(at / 1024)));
    }
    for (unsigned t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, decode_all, rig[t]), 0);
    for (unsigned t = 0; t < THREADS; t++) {
        void *result;
        assert_int_equal(pthread_join(thread[t], &result), 0);
        assert_non_null(result);
    }
    for (uint32_t i = 0; i < PAGES; i++) {
        for (unsigned t = 1; t < THREADS; t++)
            assert_ptr_equal(rig[t]->tile.code.page[i], rig[0]->tile.code.page[i]);
        assert_int_equal(rig[0]->tile.code.page[i]->references, THREADS);
    }
    for (unsigned t = 0; t < THREADS; t++)
        rig_free(rig[t]);
    tf_code_cache_destroy(cache);
}

#define BLOCKS 200u

struct taker {
    struct tf_code_pool *pool;
    uint32_t mark;
    uint32_t *block[BLOCKS];
};

static void *take_blocks(void *user)
{
    struct taker *taker = user;
    for (unsigned i = 0; i < BLOCKS; i++) {
        taker->block[i] = tf_code_pool_take(taker->pool);
        if (taker->block[i] == NULL)
            return NULL;
        taker->block[i][0] = taker->block[i][TF_PAGE_ALIGN / 4 - 1] = taker->mark + i;
    }
    return taker;
}

/* Threads take blocks of several chunks, which are aligned and apart. */
static void blocks_of_the_pool(void **state)
{
    (void)state;
    for (unsigned sparse = 0; sparse < 2; sparse++) {
        struct tf_code_pool pool = {.sparse = sparse};
        struct taker taker[THREADS];
        pthread_t thread[THREADS];
        for (unsigned t = 0; t < THREADS; t++) {
            taker[t] = (struct taker){.pool = &pool, .mark = 1 + t * BLOCKS};
            assert_int_equal(pthread_create(&thread[t], NULL, take_blocks, &taker[t]), 0);
        }
        for (unsigned t = 0; t < THREADS; t++) {
            void *result;
            assert_int_equal(pthread_join(thread[t], &result), 0);
            assert_non_null(result);
        }
        for (unsigned t = 0; t < THREADS; t++)
            for (unsigned i = 0; i < BLOCKS; i++) {
                const uint32_t *block = taker[t].block[i];
                assert_int_equal((uintptr_t)block % TF_PAGE_ALIGN, 0);
                assert_int_equal(block[0], taker[t].mark + i);
                assert_int_equal(block[TF_PAGE_ALIGN / 4 - 1], taker[t].mark + i);
            }
        tf_code_pool_end(&pool);
    }
}

/* The memory of a tile's own page serves for the next page that the tile needs. */
static void memory_serves_again(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {ADDI(8, 8, 1), SW(6, 7, 0), JAL(0, -8)};
    rig_put(rig, CODE, words, 3);
    struct tf_hart *hart = start(rig, TF_CORE_B, CODE);
    hart->x[7] = CODE;
    hart->x[6] = ADDI(8, 8, 16);
    rig_turn(rig, hart, 9);
    struct tf_code_page *own = rig->tile.code.page[CODE / TF_CODE_PAGE_BYTES];
    assert_true(own->own);
    tf_code_drop(&rig->tile);
    assert_ptr_equal(tf_code_page_make(&rig->tile, CODE), own);
    assert_null(rig->tile.code.spare);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_into_running_code),
        cmocka_unit_test(stores_behind),
        cmocka_unit_test(stores_to_neighbours),
        cmocka_unit_test(small_stores),
        cmocka_unit_test(data_beside_code),
        cmocka_unit_test(another_hart),
        cmocka_unit_test(written_from_outside),
        cmocka_unit_test(partial_overlap),
        cmocka_unit_test(shared_between_tiles),
        cmocka_unit_test(into_the_middle),
        cmocka_unit_test(threads),
        cmocka_unit_test(blocks_of_the_pool),
        cmocka_unit_test(memory_serves_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
