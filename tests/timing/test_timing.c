/* SPDX-License-Identifier: Apache-2.0 */
/* Timing mode: what it refuses, and that cycles depend neither on threads nor on slices, saves or forks. */
#include <string.h>

#include "one_chip.h"
#include "stress/rv_emit.h"
#include "tilefarm_address.h"
#include "tilefarm/tilefarm_files.h"
#include "tilefarm/tilefarm_times.h"

enum { CODE_WORDS = 128, SUM = 0x8000, TILES = 3 };

static struct chip_wish timed(void)
{
    struct chip_wish config = one_worker();
    config.timing = true;
    return config;
}

static struct chip_wish coarse(void)
{
    struct chip_wish config = timed();
    config.timing_coarse = true;
    return config;
}

static void relaxed(struct chip_wish *config)
{
    config->mode = TF_MODE_RELAXED;
}

static void late(struct chip_wish *config)
{
    config->late_cycles = 8;
}

static void long_epochs(struct chip_wish *config)
{
    config->epoch_cycles_max = 32768;
}

static void executed(struct chip_wish *config)
{
    config->parking = false;
}

static void coarse_alone(struct chip_wish *config)
{
    config->timing = false;
    config->timing_coarse = true;
}

static const struct {
    void (*change)(struct chip_wish *config);
    const char *why;
} refused[] = {{relaxed, "deterministic"},
               {late, "late_cycles"},
               {long_epochs, "default epochs"},
               {executed, "parking"},
               {coarse_alone, "timing_coarse needs timing"}};

static void refuses_other_times(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct chip_wish config = timed();
        struct tf_chip *none = NULL;
        struct tf_message message = {""};
        refused[i].change(&config);
        assert_int_equal(chip_wish_create(&config, &none, &message), TF_EINVAL);
        assert_non_null(strstr(message.text, refused[i].why));
    }
}

/* Loads, stores, multiplications, a division and branches; the sum of what they give is stored at `sum`. */
static void load_core(struct tf_chip *to, unsigned tile, unsigned core, uint32_t at, uint32_t sum)
{
    uint32_t word[CODE_WORDS];
    struct code code = {word, 0, CODE_WORDS};
    struct tf_coord coord;
    li(&code, 5, sum + 64);
    li(&code, 6, 200 + tile);
    li(&code, 7, 0x1234567);
    unsigned loop = code.count;
    put(&code, rv_i(LW, 8, 5, 0));
    put(&code, rv_r(0x02000033, 9, 8, 7));  /* mul */
    put(&code, rv_r(0x02005033, 10, 7, 6)); /* divu */
    put(&code, rv_r(ADD, 9, 9, 10));
    put(&code, rv_s(SW, 9, 5, 0));
    put(&code, rv_i(ANDI, 11, 9, 1));
    put(&code, rv_b(BEQ, 11, 0, 8));
    put(&code, rv_i(ADDI, 7, 7, 3));
    put(&code, rv_i(ADDI, 6, 6, 0xFFF));
    branch_to(&code, BNE, 6, 0, loop);
    put(&code, rv_s(SW, 9, 5, 0xFC0)); /* at `sum` */
    jump_to(&code, 0, code.count);
    assert_int_equal(tf_tile_coord(NULL, tile, &coord), TF_OK);
    assert_int_equal(tf_write(to, coord, at, word, code.count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(to, tile, (enum tf_core)core, at), TF_OK);
    assert_int_equal(tf_core_start(to, tile, (enum tf_core)core), TF_OK);
}

/* Three cores share their data. */
static void load_program(struct tf_chip *to, unsigned tile)
{
    for (unsigned core = TF_CORE_B; core <= TF_CORE_T2; core += 2)
        load_core(to, tile, core, 0, SUM);
}

static struct tf_chip *loaded(const struct chip_wish *config)
{
    struct tf_chip *made = NULL;
    assert_int_equal(chip_wish_create(config, &made, NULL), TF_OK);
    for (unsigned tile = 0; tile < TILES; tile++)
        load_program(made, tile);
    return made;
}

static void finish(struct tf_chip *run)
{
    enum tf_end end;
    assert_int_equal(tf_run(run, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
}

static void no_number_of_threads_matters(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (unsigned i = 0; i < 6; i++) {
        struct chip_wish config = i < 3 ? timed() : coarse();
        config.threads = i % 3 + 1;
        struct tf_chip *run = loaded(&config);
        finish(run);
        assert_true(config.threads == 1 || tf_state_hash(run) == hash);
        hash = tf_state_hash(run);
        tf_chip_destroy(run);
    }
}

static void check_copies(const struct chip_wish *config)
{
    struct tf_chip *run = loaded(config), *restored = NULL, *fork = NULL;
    tf_run(run, &(struct tf_run_options){.cycles_max = 3000}, NULL);
    assert_int_equal(tf_chip_save(run, "timing.saved", NULL), TF_OK);
    assert_int_equal(chip_wish_create(config, &restored, NULL), TF_OK);
    assert_int_equal(tf_chip_restore(restored, "timing.saved", NULL), TF_OK);
    assert_int_equal(chip_wish_fork(run, config, &fork, NULL), TF_OK);
    finish(run);
    finish(restored);
    finish(fork);
    assert_true(tf_state_hash(restored) == tf_state_hash(run));
    assert_true(tf_state_hash(fork) == tf_state_hash(run));
    tf_chip_destroy(fork);
    tf_chip_destroy(restored);
    tf_chip_destroy(run);
}

/* A saved chip, and a fork, go on as the chip does. */
static void copies_keep_time(void **state)
{
    (void)state;
    const struct chip_wish configs[] = {timed(), coarse()};
    for (unsigned i = 0; i < 2; i++)
        check_copies(&configs[i]);
}

/* Three cores that use L1, each its own words of it, take about as long in coarse mode, in far fewer epochs. When the
   loops at their ends park depends on epochs. */
static void coarse_takes_as_long(void **state)
{
    (void)state;
    struct tf_stats stats[2];
    for (unsigned i = 0; i < 2; i++) {
        const struct chip_wish config = i == 0 ? timed() : coarse();
        struct tf_chip *run = NULL;
        assert_int_equal(chip_wish_create(&config, &run, NULL), TF_OK);
        for (unsigned core = TF_CORE_B; core <= TF_CORE_T2; core += 2)
            load_core(run, 0, core, 0x1000 * core, SUM + 0x100 * core);
        finish(run);
        tf_stats(run, &stats[i]);
        tf_chip_destroy(run);
    }
    assert_in_range(stats[1].cycles, stats[0].cycles * 9 / 10, stats[0].cycles * 11 / 10);
    assert_true(stats[1].epochs * 4 < stats[0].epochs);
}

static void put_program(struct tf_chip *to, enum tf_core core, uint32_t at, const struct code *code)
{
    struct tf_coord coord;
    assert_true(code->count < code->capacity);
    assert_int_equal(tf_tile_coord(NULL, 0, &coord), TF_OK);
    assert_int_equal(tf_write(to, coord, at, code->word, code->count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(to, 0, core, at), TF_OK);
    assert_int_equal(tf_core_start(to, 0, core), TF_OK);
}

/* B counts in a word of L1, and T0 adds up what it loads from there. Returns the sum. */
static uint32_t sum_of_loads(const struct chip_wish *config)
{
    uint32_t word[CODE_WORDS], sum;
    struct tf_chip *run = NULL;
    struct tf_coord coord;
    assert_int_equal(chip_wish_create(config, &run, NULL), TF_OK);
    for (unsigned adds = 0; adds < 2; adds++) {
        struct code code = {word, 0, CODE_WORDS};
        li(&code, 5, SUM);
        li(&code, 6, 1000);
        const unsigned loop = code.count;
        put(&code, adds ? rv_i(LW, 7, 5, 0) : rv_i(ADDI, 7, 7, 1));
        put(&code, adds ? rv_r(ADD, 8, 8, 7) : rv_s(SW, 7, 5, 0));
        put(&code, rv_i(ADDI, 6, 6, 0xFFF));
        branch_to(&code, BNE, 6, 0, loop);
        put(&code, adds ? rv_s(SW, 8, 5, 4) : rv_i(ADDI, 0, 0, 0));
        jump_to(&code, 0, code.count);
        put_program(run, adds ? TF_CORE_T0 : TF_CORE_B, 0x1000 * adds, &code);
    }
    finish(run);
    assert_int_equal(tf_tile_coord(NULL, 0, &coord), TF_OK);
    assert_int_equal(tf_read(run, coord, SUM + 4, &sum, 4), TF_OK);
    tf_chip_destroy(run);
    return sum;
}

/* In coarse mode a core sees other stores of another core than in the order of cycles. */
static void coarse_loads_have_no_order(void **state)
{
    (void)state;
    const struct chip_wish exact = timed(), loose = coarse();
    const uint32_t sum = sum_of_loads(&exact);
    assert_int_not_equal(sum, 0);
    assert_int_not_equal(sum_of_loads(&loose), sum);
}

/* One core, alone: results are those of the usual mode, and it takes longer. */
static void results_are_the_usual_ones(void **state)
{
    (void)state;
    uint32_t sum[2];
    uint64_t cycles[2];
    for (unsigned mode = 0; mode < 2; mode++) {
        struct chip_wish config = mode == 0 ? one_worker() : timed();
        struct tf_chip *run = NULL;
        struct tf_coord coord;
        struct tf_core_view view;
        assert_int_equal(chip_wish_create(&config, &run, NULL), TF_OK);
        load_program(run, 0);
        tf_core_stop(run, 0, TF_CORE_T0);
        tf_core_stop(run, 0, TF_CORE_T2);
        finish(run);
        assert_int_equal(tf_tile_coord(NULL, 0, &coord), TF_OK);
        assert_int_equal(tf_read(run, coord, SUM, &sum[mode], 4), TF_OK);
        assert_int_equal(tf_core_view(run, 0, TF_CORE_B, &view), TF_OK);
        cycles[mode] = view.cycle;
        tf_chip_destroy(run);
    }
    assert_int_equal(sum[0], sum[1]);
    assert_true(sum[0] != 0);
    assert_true(cycles[1] > 2 * cycles[0]);
}

/* A chip on which core B has run a program to its end. The caller destroys it. */
static struct tf_chip *run_alone(const struct code *code)
{
    struct chip_wish config = timed();
    struct tf_chip *run = NULL;
    struct tf_coord coord;
    assert_int_equal(chip_wish_create(&config, &run, NULL), TF_OK);
    assert_int_equal(tf_tile_coord(NULL, 0, &coord), TF_OK);
    assert_int_equal(tf_write(run, coord, 0, code->word, code->count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(run, 0, TF_CORE_B, 0), TF_OK);
    assert_int_equal(tf_core_start(run, 0, TF_CORE_B), TF_OK);
    finish(run);
    return run;
}

enum { PAIRS = 4, ROUNDS = 50, FADD = 0x53, FMADD = 0x43 };

/* The cycles of a loop of pairs: an addition to f1, and a multiply-add that reads f1 as one operand, or not (3). */
static uint64_t cycles_of_pairs(unsigned operand)
{
    uint32_t word[CODE_WORDS];
    struct code code = {word, 0, CODE_WORDS};
    struct tf_core_view view;
    li(&code, 6, ROUNDS);
    unsigned loop = code.count;
    for (unsigned i = 0; i < PAIRS; i++) {
        const unsigned of[] = {operand == 0 ? 1 : 2, operand == 1 ? 1 : 2, operand == 2 ? 1 : 2};
        put(&code, rv_r(FADD, 1, 3, 3));
        put(&code, rv_r(FMADD, 4, of[0], of[1]) | of[2] << 27);
    }
    put(&code, rv_i(ADDI, 6, 6, 0xFFF));
    branch_to(&code, BNE, 6, 0, loop);
    jump_to(&code, 0, code.count);
    struct tf_chip *run = run_alone(&code);
    assert_int_equal(tf_core_view(run, 0, TF_CORE_B, &view), TF_OK);
    tf_chip_destroy(run);
    return view.cycle;
}

/* Each of its three operands makes a multiply-add wait for the result that it reads. */
static void operands_are_awaited(void **state)
{
    (void)state;
    const uint64_t free_of_it = cycles_of_pairs(3);
    for (unsigned operand = 0; operand < 3; operand++)
        assert_in_range(cycles_of_pairs(operand), free_of_it + PAIRS * ROUNDS - 16, free_of_it + 2 * PAIRS * ROUNDS);
}

/* Cycles in which a core waits for its stores to as many blocks of L1. */
static uint64_t waited_for_stores(unsigned stores)
{
    uint32_t word[CODE_WORDS];
    struct code code = {word, 0, CODE_WORDS};
    struct tf_core_times times;
    li(&code, 6, SUM);
    for (unsigned i = 0; i < stores; i++)
        put(&code, rv_s(SW, 6, 6, 64 * i));
    jump_to(&code, 0, code.count);
    struct tf_chip *run = run_alone(&code);
    assert_int_equal(tf_core_times(run, 0, TF_CORE_B, &times), TF_OK);
    tf_chip_destroy(run);
    return times.spent[TF_SPENT_STORE];
}

/* Blackhole's store queue has four entries (BabyRISCV/MemoryOrdering.md): eight would take eight stores at once. */
static void stores_wait_for_room(void **state)
{
    (void)state;
    assert_int_equal(waited_for_stores(4), 0);
    assert_true(waited_for_stores(8) > 0);
}

enum { OWN = 0x9000, OWN_BYTES = 0x100, DATA_ROUNDS = 400 };

/* A core computes on data of its own, in L1 and local RAM. Each time after so many rounds it adds to a word that all
   cores share. */
static void load_sharing(struct tf_chip *to, enum tf_core core, unsigned rounds)
{
    uint32_t word[CODE_WORDS];
    struct code code = {word, 0, CODE_WORDS};
    li(&code, 5, OWN + OWN_BYTES * core);
    li(&code, 6, DATA_ROUNDS);
    li(&code, 7, 0x1234567);
    li(&code, 12, SUM);
    li(&code, 13, TF_LOCAL_BASE);
    li(&code, 14, rounds);
    const unsigned loop = code.count;
    put(&code, rv_i(LW, 8, 5, 0));
    put(&code, rv_r(0x02000033, 9, 8, 7));  /* mul */
    put(&code, rv_r(0x02005033, 10, 7, 6)); /* divu */
    put(&code, rv_r(ADD, 9, 9, 10));
    put(&code, rv_s(SW, 9, 5, 0));
    put(&code, rv_s(SW, 9, 5, 64));
    put(&code, rv_s(SW, 9, 13, 4 * core));
    put(&code, rv_i(LW, 11, 13, 4 * core));
    put(&code, rv_r(ADD, 7, 7, 11));
    put(&code, rv_i(ADDI, 14, 14, 0xFFF));
    put(&code, rv_b(BNE, 14, 0, 6 * 4));
    li(&code, 14, rounds); /* two instructions */
    put(&code, rv_i(LW, 15, 12, 0));
    put(&code, rv_r(ADD, 15, 15, 9));
    put(&code, rv_s(SW, 15, 12, 0));
    put(&code, rv_i(ADDI, 6, 6, 0xFFF));
    branch_to(&code, BNE, 6, 0, loop);
    jump_to(&code, 0, code.count);
    put_program(to, core, 0x1000 * core, &code);
}

/* Slices in which cores share nothing are run without order (riscv/timed/private.h). Cycles and state are those of a
   run in which each access has its order, for the sake of a record. */
static void private_slices_change_nothing(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (unsigned recorded = 0; recorded < 2; recorded++) {
        const struct chip_wish config = timed();
        struct tf_chip *run = NULL;
        assert_int_equal(chip_wish_create(&config, &run, NULL), TF_OK);
        if (recorded)
            assert_int_equal(tf_path_record(run), TF_OK);
        for (enum tf_core core = TF_CORE_B; core <= TF_CORE_T2; core++)
            load_sharing(run, core, 7 + 2 * core);
        finish(run);
        hash[recorded] = tf_state_hash(run);
        tf_chip_destroy(run);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_other_times),
        cmocka_unit_test(no_number_of_threads_matters),
        cmocka_unit_test(copies_keep_time),
        cmocka_unit_test(results_are_the_usual_ones),
        cmocka_unit_test(operands_are_awaited),
        cmocka_unit_test(coarse_takes_as_long),
        cmocka_unit_test(coarse_loads_have_no_order),
        cmocka_unit_test(stores_wait_for_room),
        cmocka_unit_test(private_slices_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
