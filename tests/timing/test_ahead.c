/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles that run ahead in timing mode (src/tile/run/ahead.h). Random programs: cores compute, seldom share a word, poll
 * or read what another tile sends, which comes at any time. Cycles and state are those of a run whose critical path is
 * recorded, in which no tile runs ahead. Pauses at random cycles, calls after each epoch, and threads change nothing.
 */
#include <string.h>

#include "chip_wish.h"
#include "one_chip.h"
#include "tilefarm/tilefarm_times.h"
#include "timing/niu_code.h"

enum { CODE_WORDS = 128, CODE_BYTES = 0x1000, OWN = 0x9000, OWN_BYTES = 0x400, SHARED = 0x8000, MAIL = 0x8100 };
enum { TILES = 3, MUL = 0x02000033, DIVU = 0x02005033 };
enum { B = A + 1, LEFT, PACE, X, Y, AT, RARE };

struct program {
    uint32_t word[TILES][TF_TILE_CORES][CODE_WORDS];
    unsigned count[TILES][TF_TILE_CORES], at[TILES][TF_TILE_CORES];
};

/* Data of a core: loads, stores, and arithmetic. In some rounds it uses a word of all cores, or the mail. Returns the
   place of a branch that goes now this way, now that. */
static unsigned compute(struct dice *dice, struct code *code, unsigned core)
{
    li(code, AT, OWN + OWN_BYTES * core);
    li(code, B, one_in(dice, 3) ? SHARED : MAIL);
    li(code, LEFT, pick_between(dice, 100, 400));
    li(code, RARE, pick_between(dice, 5, 300));
    li(code, X, roll(dice));
    if (one_in(dice, 4)) { /* wait for mail first */
        const unsigned wait = code->count;
        put(code, rv_i(LW, Y, B, 4 * pick(dice, 2)));
        branch_to(code, BEQ, Y, 0, wait);
    }
    const unsigned loop = code->count;
    for (unsigned i = pick_between(dice, 2, 9); i != 0; i--) {
        const unsigned offset = 4 * pick(dice, OWN_BYTES / 4);
        switch (pick(dice, 7)) {
        case 0: put(code, rv_i(LW, Y, AT, offset)); break;
        case 1: put(code, rv_s(SW, X, AT, offset)); break;
        case 2: put(code, rv_s(SB, X, AT, offset + 1)); break;
        case 3: put(code, rv_r(MUL, X, X, Y)); break;
        case 4: put(code, rv_r(DIVU, Y, X, LEFT)); break;
        case 5: /* from some lines of L0 */
            put(code, rv_i(ANDI, Y, X, (16u << pick_between(dice, 3, 6)) - 16));
            put(code, rv_r(ADD, Y, Y, AT));
            put(code, rv_i(LW, Y, Y, 0));
            break;
        default: put(code, rv_r(ADD, X, X, Y)); break;
        }
    }
    put(code, rv_i(ANDI, Y, X, 1));
    const unsigned branch = code->count;
    put(code, rv_b(BEQ, Y, 0, 8));
    put(code, rv_i(ADDI, X, X, 5));
    put(code, rv_i(ADDI, RARE, RARE, 0xFFF));
    put(code, rv_b(BNE, RARE, 0, 6 * 4));
    put(code, rv_i(LW, Y, B, 0));
    put(code, rv_r(ADD, X, X, Y));
    put(code, rv_s(SW, X, AT, 0));
    put(code, one_in(dice, 2) ? rv_s(SW, X, B, 4) : rv_i(ADDI, 0, 0, 0));
    put(code, rv_i(ADDI, RARE, 0, pick_between(dice, 5, 300)));
    put(code, rv_i(ADDI, LEFT, LEFT, 0xFFF));
    branch_to(code, BNE, LEFT, 0, loop);
    jump_to(code, 0, code->count);
    return branch;
}

/* After a pause, increment a word of another tile, and so on. */
static void send(struct dice *dice, struct code *code, unsigned from, unsigned to)
{
    li(code, NIU, TF_NIU_BASE(0));
    li(code, LEFT, pick_between(dice, 3, 30));
    const unsigned loop = code->count;
    li(code, PACE, pick_between(dice, 1, 600));
    put(code, rv_i(ADDI, PACE, PACE, 0xFFF));
    put(code, rv_b(BNE, PACE, 0, -4));
    put_increment(code, from, MAIL + 32, to, MAIL);
    put(code, rv_i(ADDI, LEFT, LEFT, 0xFFF));
    put(code, rv_b(BEQ, LEFT, 0, 8));
    jump_to(code, 0, loop);
    jump_to(code, 0, code->count);
}

static void make_program(struct dice *dice, struct program *program)
{
    for (unsigned tile = 0; tile < TILES; tile++) {
        for (unsigned core = 0; core < TF_TILE_CORES; core++) {
            struct code code = {program->word[tile][core], 0, CODE_WORDS};
            unsigned branch = 0;
            if (core == TF_CORE_B && tile != 0)
                send(dice, &code, tile, one_in(dice, 3) ? TILES - tile : 0);
            else if (core == TF_CORE_B || one_in(dice, 2))
                branch = compute(dice, &code, core);
            assert_true(code.count < CODE_WORDS);
            program->count[tile][core] = code.count;
            program->at[tile][core] = CODE_BYTES * core + CODE_BYTES / 2 - 4 * branch; /* its prediction is the first */
        }
    }
}

static void load(struct tf_chip *run, const struct program *program)
{
    for (unsigned tile = 0; tile < TILES; tile++) {
        for (unsigned core = 0; core < TF_TILE_CORES; core++) {
            struct tf_coord at;
            assert_int_equal(tf_tile_coord(NULL, tile, &at), TF_OK);
            if (program->count[tile][core] == 0)
                continue;
            const unsigned address = program->at[tile][core];
            assert_int_equal(tf_write(run, at, address, program->word[tile][core], program->count[tile][core] * 4),
                             TF_OK);
            assert_int_equal(tf_core_set_pc(run, tile, (enum tf_core)core, address), TF_OK);
            assert_int_equal(tf_core_start(run, tile, (enum tf_core)core), TF_OK);
        }
    }
}

static void on_epoch(void *user, uint64_t cycle)
{
    struct tf_stats *stats = user;
    assert_true(cycle > stats->cycles);
    stats->cycles = cycle;
    stats->epochs++;
}

/* How a program runs. */
struct way {
    bool recorded, called;
    unsigned threads;
    struct dice pauses; /* state 0: none */
};

static struct tf_chip *loaded(const struct program *program, const struct way *way, struct tf_stats *called)
{
    struct chip_wish config = one_worker();
    struct tf_chip *run = NULL;
    config.timing = true;
    config.threads = way->threads;
    config.on_epoch = way->called ? on_epoch : NULL;
    config.user = called;
    assert_int_equal(chip_wish_create(&config, &run, NULL), TF_OK);
    if (way->recorded)
        assert_int_equal(tf_path_record(run), TF_OK);
    load(run, program);
    return run;
}

/* Returns a hash of the states at all pauses, and at the end. */
static uint64_t run_to_end(const struct program *program, struct way way, struct tf_stats *stats)
{
    struct tf_stats called = {.cycles = 0};
    struct tf_chip *run = loaded(program, &way, &called);
    const bool pauses = way.pauses.state != 0;
    uint64_t hash = 0;
    enum tf_end end;
    do {
        const struct tf_run_options options = {.cycles_max = pauses ? pick_between(&way.pauses, 1, 3000) : 0};
        assert_int_equal(tf_run(run, &options, &end), TF_OK);
        hash = test_mix(hash, tf_state_hash(run));
    } while (end == TF_END_CYCLES);
    assert_int_equal(end, TF_END_QUIET);
    tf_stats(run, stats);
    assert_true(!way.called || called.epochs == stats->epochs);
    tf_chip_destroy(run);
    return hash;
}

static void check(const struct program *program, struct dice pauses)
{
    const struct way ways[] = {
        {.recorded = true, .threads = 1},
        {.threads = 1},
        {.threads = 2},
        {.called = true, .threads = 1},
        {.recorded = true, .threads = 1, .pauses = pauses},
        {.threads = 1, .pauses = pauses},
    };
    struct tf_stats first = {.cycles = 0}, stats;
    uint64_t hash = 0;
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const uint64_t found = run_to_end(program, ways[i], &stats);
        if (ways[i].recorded) {
            hash = found;
            first = stats;
        }
        assert_true(found == hash);
        assert_true(stats.cycles == first.cycles);
        assert_true(stats.epochs == first.epochs);
    }
}

static void ahead_changes_nothing(void **state)
{
    (void)state;
    static struct program program;
    struct dice dice = {test_seed(2)};
    for (uint64_t round = test_rounds(8); round != 0; round--) {
        memset(&program, 0, sizeof program);
        make_program(&dice, &program);
        check(&program, (struct dice){roll(&dice) | 1u});
    }
}

/* T0 polls a word that B stores between two times in which it computes. T0 sees it in its cycle. */
static void pollers_wake_in_time(void **state)
{
    (void)state;
    static struct program program;
    struct code code = {program.word[0][TF_CORE_B], 0, CODE_WORDS};
    li(&code, AT, MAIL);
    for (unsigned i = 0; i < 2; i++) {
        li(&code, PACE, 3001);
        put(&code, rv_i(ADDI, PACE, PACE, 0xFFF));
        put(&code, rv_b(BNE, PACE, 0, -4));
        put(&code, rv_s(SW, AT, AT, 4));
    }
    jump_to(&code, 0, code.count);
    program.count[0][TF_CORE_B] = code.count;
    code = (struct code){program.word[0][TF_CORE_T0], 0, CODE_WORDS};
    li(&code, AT, MAIL);
    put(&code, rv_i(LW, Y, AT, 4));
    put(&code, rv_b(BEQ, Y, 0, -4));
    put(&code, rv_s(SW, Y, AT, 512));
    jump_to(&code, 0, code.count);
    program.count[0][TF_CORE_T0] = code.count;
    program.at[0][TF_CORE_T0] = CODE_BYTES;
    check(&program, (struct dice){1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ahead_changes_nothing), cmocka_unit_test(pollers_wake_in_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
