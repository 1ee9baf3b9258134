/* SPDX-License-Identifier: Apache-2.0 */
/* Systems that several ranks run: here as threads, each with a system of its own. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/systems/links.h"
#include "cli/systems/list.h"
#include "compute.h"
#include "loop_back.h"
#include "system/hops.h"
#include "system/moved.h"
#include "system/ranks.h"
#include "system_wish.h"

#define RANKS_MAX 8u

/* How many of the systems are run: fewer with sanitizers. */
#ifndef SYSTEMS
#define SYSTEMS 3u
#endif
#define SAVED "test_ranks.tfs"

static bool wide; /* the nightly test: all pairs */

/* A run, by one process or by ranks. */
struct plan {
    const char *system;
    const struct tf_system_workload *workload;
    unsigned ranks, threads, delays_us;
    bool striped;           /* rank r owns chips r, r + ranks, ...; else one part after another */
    bool computes;          /* chips compute first (compute.h) */
    bool strays;            /* a core of the last chip comes to what is no instruction: a fault */
    uint64_t pause, limit;  /* cycles; 0: none */
    struct loop_back *loop; /* with a fault of its own; or NULL */
    const char *saved;      /* where the end is saved; or NULL */
    const char *restored;   /* what is restored before the run; or NULL */
};

/* What a rank has seen. */
struct seen {
    const struct plan *plan;
    struct loop_back *loop;
    unsigned rank;
    int error;
    enum tf_end end;
    uint64_t hash, cycles;
    uint64_t faults;
    struct tf_message why;
};

static struct tf_system *make(const struct plan *plan)
{
    struct tf_cluster cluster;
    struct tf_system *system = NULL;
    struct system_wish config;
    if (tf_cluster_find(plan->system, &cluster, NULL) != TF_OK)
        return NULL;
    system_wish_init(&config);
    config.cluster = &cluster;
    config.chip.threads = plan->threads;
    return system_wish_create(&config, &system, NULL) == TF_OK ? system : NULL;
}

static int join(struct tf_system *system, const struct seen *seen)
{
    const unsigned chips = tf_system_cluster(system)->chips, ranks = seen->plan->ranks;
    uint8_t owner[TF_CLUSTER_CHIPS_MAX];
    for (unsigned i = 0; i < chips; i++)
        owner[i] = (uint8_t)(seen->plan->striped ? i % ranks : i * ranks / chips);
    return seen->loop == NULL ? TF_OK : tf_ranks_join(system, loop_back_rank(seen->loop, seen->rank), owner);
}

/* late: after it has counted. */
static int stray(struct tf_system *system, bool late)
{
    const uint32_t program[] = {
        late ? 0x000152B7 : 0, /* lui t0, 0x15000; or no instruction */
        0xFFF28293,            /* addi t0, t0, -1 */
        0xFE029EE3,            /* bnez t0, the last one */
        0,
    };
    struct tf_chip *chip = tf_system_chip(system, tf_system_cluster(system)->chips - 1);
    struct tf_coord tile;
    int error = tf_tile_coord(tf_chip_arch(chip), 5, &tile);
    if (error == TF_OK)
        error = tf_write(chip, tile, 0, program, sizeof program);
    return error == TF_OK ? tf_core_start(chip, 5, TF_CORE_B) : error;
}

static int run_it(struct tf_system *system, struct seen *seen)
{
    const struct tf_system_run_options options = {
        .run = {.pause_cycle = seen->plan->pause, .cycles_max = seen->plan->limit}};
    int error = tf_system_run(system, &options, &seen->end);
    if (error == TF_OK && seen->loop != NULL)
        error = tf_ranks_gather(system);
    return error;
}

/* Restore at rank 0, and give the state to all. */
static int restore(struct tf_system *system, struct seen *seen)
{
    int error = TF_OK;
    if (seen->rank == 0)
        error = tf_system_restore(system, seen->plan->restored, &seen->why);
    if (error == TF_OK && seen->loop != NULL)
        error = tf_ranks_scatter(system);
    return error;
}

static void judge(struct tf_system *system, struct seen *seen, void *work)
{
    if (seen->rank != 0)
        return;
    seen->hash = tf_system_hash(system);
    seen->cycles = tf_system_cycles(system);
    for (unsigned i = 0; i < tf_system_cluster(system)->chips; i++)
        seen->faults += tf_fault_count(tf_system_chip(system, i));
    if (seen->end == TF_END_QUIET && seen->plan->workload->verify(system, work, &seen->why) != TF_OK)
        seen->error = TF_EFORMAT;
}

static void *run_rank(void *argument)
{
    struct seen *seen = argument;
    const struct tf_system_workload *workload = seen->plan->workload;
    const struct tf_workload_options options = {.scale = workload->scale_test, .seed = 7};
    struct tf_system *system = make(seen->plan);
    void *work = NULL;
    seen->error = system == NULL ? TF_ENOMEM : workload->setup(system, &options, &work, &seen->why);
    if (seen->error == TF_OK)
        seen->error = join(system, seen);
    if (seen->error == TF_OK && seen->plan->computes)
        compute_first(system);
    if (seen->error == TF_OK && seen->plan->strays)
        seen->error = stray(system, seen->plan->computes);
    if (seen->error == TF_OK && seen->plan->restored != NULL)
        seen->error = restore(system, seen);
    if (seen->error == TF_OK)
        seen->error = run_it(system, seen);
    if (seen->error == TF_OK)
        judge(system, seen, work);
    else if (system != NULL && seen->why.text[0] == '\0')
        snprintf(seen->why.text, sizeof seen->why.text, "%s", tf_ranks_why(system));
    if (seen->loop != NULL && seen->error != TF_OK)
        loop_back_leave(seen->loop, seen->rank);
    workload->release(work);
    if (seen->plan->saved != NULL && seen->rank == 0 && seen->error == TF_OK)
        seen->error = tf_system_save(system, seen->plan->saved, &seen->why);
    tf_system_destroy(system);
    return NULL;
}

/* Run a plan. Returns what rank 0 has seen; all: what all have. */
static struct seen run_all(const struct plan *plan, struct seen *all)
{
    struct seen own[RANKS_MAX] = {0};
    pthread_t thread[RANKS_MAX];
    struct seen *seen = all != NULL ? all : own;
    struct loop_back *loop = plan->loop;
    if (loop == NULL && plan->ranks > 1)
        loop = loop_back_create(plan->ranks, plan->delays_us, DAMAGE_NONE, 0);
    for (unsigned i = 0; i < plan->ranks; i++) {
        seen[i] = (struct seen){.plan = plan, .loop = loop, .rank = i};
        assert_int_equal(pthread_create(&thread[i], NULL, run_rank, &seen[i]), 0);
    }
    for (unsigned i = 0; i < plan->ranks; i++)
        pthread_join(thread[i], NULL);
    if (loop != NULL)
        loop_back_destroy(loop);
    for (unsigned i = 0; all == NULL && i < plan->ranks; i++)
        if (seen[i].error != TF_OK)
            fail_msg("rank %u: %s: %s", i, tf_strerror(seen[i].error), seen[i].why.text);
    return seen[0];
}

static void expect_equal(const struct seen *a, const struct seen *b)
{
    assert_int_equal(a->end, b->end);
    assert_int_equal(a->cycles, b->cycles);
    assert_int_equal(a->faults, b->faults);
    assert_true(a->hash == b->hash);
}

/* A workload, on any of some numbers of ranks. */
static void expect_same(const char *system, const struct tf_system_workload *workload, unsigned least, unsigned most)
{
    struct plan plan = {.system = system, .workload = workload, .ranks = 1, .threads = 1};
    const struct seen one = run_all(&plan, NULL);
    assert_int_equal(one.end, TF_END_QUIET);
    for (unsigned ranks = least; ranks <= most; ranks++) {
        plan.ranks = ranks;
        plan.threads = 1 + ranks % 2;
        plan.striped = ranks == 4;
        plan.delays_us = 40 * (ranks - 2);
        const struct seen spread = run_all(&plan, NULL);
        expect_equal(&spread, &one);
    }
}

/* The hash depends neither on ranks nor on how long messages take. Workloads take the numbers of ranks in turn; with
   the argument "wide", each has all of them. */
static void test_same_on_any_ranks(void **state)
{
    (void)state;
    static const struct {
        const char *system;
        unsigned least, most, every; /* ranks; one workload of so many */
    } spreads[] = {{"n300", 2, 2, 1}, {"quietbox2", 2, 4, 1}, {"t3000", 3, 4, 2}};
    for (unsigned s = 0; s < SYSTEMS; s++)
        for (unsigned i = 0; tf_system_workloads[i] != NULL; i++) {
            const unsigned least = spreads[s].least, most = spreads[s].most, every = spreads[s].every;
            const unsigned in_turn = least + i / every % (most - least + 1);
            if (wide)
                expect_same(spreads[s].system, tf_system_workloads[i], least, most);
            else if (i % every == 0)
                expect_same(spreads[s].system, tf_system_workloads[i], in_turn, in_turn);
        }
}

/* A pause and a limit come at the same time, wherever they are in a window. */
static void test_same_times(void **state)
{
    (void)state;
    for (uint64_t cycle = 3000; cycle < 9000; cycle += wide ? 1481 : 2477) {
        struct plan plan = {.system = "2xn300", .workload = &tf_system_ring, .ranks = 1, .threads = 1};
        plan.pause = cycle;
        const struct seen paused = run_all(&plan, NULL);
        plan.ranks = 3;
        const struct seen paused_spread = run_all(&plan, NULL);
        expect_equal(&paused_spread, &paused);
        plan.pause = 0;
        plan.limit = cycle;
        const struct seen limited_spread = run_all(&plan, NULL);
        plan.ranks = 1;
        const struct seen limited = run_all(&plan, NULL);
        expect_equal(&limited_spread, &limited);
        assert_int_equal(limited.end, TF_END_CYCLES);
    }
}

/* The same where windows have grown (calm.h). */
static void test_same_long_windows(void **state)
{
    (void)state;
    struct plan plan = {.system = "quietbox2", .workload = &tf_system_halo, .threads = 1, .computes = true};
    for (unsigned kind = 0; kind < 4; kind++) {
        plan.pause = kind == 1 ? 152000 : 0;
        plan.limit = kind == 2 ? 152000 : 0;
        plan.strays = kind == 3;
        plan.ranks = 1;
        const struct seen one = run_all(&plan, NULL);
        for (plan.ranks = 2; plan.ranks <= 4; plan.ranks += 2) {
            plan.delays_us = 40 * (plan.ranks - 2);
            const struct seen spread = run_all(&plan, NULL);
            expect_equal(&spread, &one);
        }
    }
}

/* A fault ends the run in the same window for all: one for each hop after its own. */
static void test_same_faults(void **state)
{
    (void)state;
    static const char *const systems[] = {"n300", "quietbox2", "t3000"};
    for (unsigned s = 0; s < SYSTEMS; s++) {
        struct plan plan = {
            .system = systems[s], .workload = &tf_system_ring, .ranks = 1, .threads = 1, .strays = true};
        const struct seen one = run_all(&plan, NULL);
        assert_int_equal(one.end, TF_END_FAULT);
        assert_true(one.faults != 0);
        plan.ranks = s == 0 ? 2 : 4;
        for (unsigned striped = 0; striped < 2; striped++) {
            plan.striped = striped;
            const struct seen spread = run_all(&plan, NULL);
            expect_equal(&spread, &one);
        }
    }
}

/* A system that one spread has saved goes on in another one. */
static void test_goes_on_elsewhere(void **state)
{
    (void)state;
    static const unsigned spread[] = {1, 4, 2, 3};
    struct plan plan = {.system = "2xn300", .workload = &tf_system_ring, .ranks = 1, .threads = 1};
    const struct seen one = run_all(&plan, NULL);
    for (unsigned i = 0; i < 4; i++) {
        struct plan first = plan, second = plan;
        first.ranks = spread[i];
        first.pause = 8000;
        first.saved = SAVED;
        const struct seen paused = run_all(&first, NULL);
        assert_int_equal(paused.end, TF_END_CYCLES);
        second.ranks = spread[(i + 1) % 4];
        second.restored = SAVED;
        const struct seen ended = run_all(&second, NULL);
        assert_true(ended.hash == one.hash);
        assert_int_equal(ended.cycles, one.cycles);
        assert_int_equal(system("rm -f " SAVED "*"), 0);
    }
}

/* A message that is damaged, repeated or lost, and a rank that ends: all ranks end, and say why. */
static void test_damage(void **state)
{
    (void)state;
    static const char *const expected[] = {[DAMAGE_CUT] = "is cut",
                                           [DAMAGE_CHANGED] = "has a wrong hash",
                                           [DAMAGE_REPEATED] = "came twice",
                                           [DAMAGE_LOST] = "is missing",
                                           [DAMAGE_END] = "rank 0 has ended"};
    for (enum damage damage = DAMAGE_CUT; damage <= DAMAGE_END; damage++)
        for (unsigned at = 1; at < 40; at += 13) {
            struct plan plan = {.system = "n300", .workload = &tf_system_ring, .ranks = 2, .threads = 1};
            struct seen seen[RANKS_MAX] = {0};
            plan.loop = loop_back_create(2, 0, damage, at);
            run_all(&plan, seen);
            assert_int_equal(seen[0].error, TF_EIO);
            assert_int_equal(seen[1].error, TF_EIO);
            if (strstr(seen[1].why.text, expected[damage]) == NULL)
                fail_msg("damage %d: %s", (int)damage, seen[1].why.text);
            assert_true(strstr(seen[0].why.text, "rank") != NULL);
        }
}

static void test_hops(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned hops;
    } known[] = {{"p150", 0}, {"n300", 1}, {"quietbox2", 2}, {"t3000", 4}, {"8xp150", 3}};
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct tf_cluster cluster;
        uint32_t next[TF_CLUSTER_CHIPS_MAX];
        assert_int_equal(tf_cluster_find(known[i].name, &cluster, NULL), TF_OK);
        tf_hops_of_chips(&cluster, next);
        assert_int_equal(tf_hops_most(next, cluster.chips), known[i].hops);
        cluster.links = 0;
        tf_hops_of_chips(&cluster, next);
        assert_true(tf_hops_most(next, cluster.chips) <= 2);
    }
}

int main(int argc, char **argv)
{
    wide = argc > 1 && strcmp(argv[1], "wide") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_on_any_ranks),
        cmocka_unit_test(test_same_times),
        cmocka_unit_test(test_same_long_windows),
        cmocka_unit_test(test_same_faults),
        cmocka_unit_test(test_goes_on_elsewhere),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_hops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
