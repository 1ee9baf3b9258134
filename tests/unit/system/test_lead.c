/* SPDX-License-Identifier: Apache-2.0 */
/* A system that one rank leads for its host, and others run: here as threads. */
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
#include "loop_back.h"
#include "system/follow.h"
#include "system/lead.h"
#include "system/led.h"
#include "system/state.h"
#include "system/system.h"
#include "system_wish.h"

#define RANKS_MAX 4u
#define STRAY_TILE 5u
#define SAVED "test_lead.tfs"

struct rank {
    struct tf_transport *transport;
    int error;
    struct tf_message why;
};

/* Ranks that follow. */
struct followers {
    struct loop_back *loop;
    unsigned ranks;
    pthread_t thread[RANKS_MAX];
    struct rank rank[RANKS_MAX];
    struct tf_lead *lead;
};

/* What a host sees of a run. */
struct seen {
    uint64_t hash, cycles, faults, chips; /* chips: of the faults, in their order, a digit each */
    enum tf_end end;
    struct tf_message why;
};

static void *follow(void *argument)
{
    struct rank *rank = argument;
    rank->error = tf_follow(rank->transport, 1, &rank->why);
    return NULL;
}

static void begin_followers(struct followers *followers, unsigned ranks)
{
    *followers = (struct followers){.ranks = ranks, .loop = loop_back_create(ranks, 0, DAMAGE_NONE, 0)};
    followers->lead = tf_lead_create(loop_back_rank(followers->loop, 0), false);
    assert_non_null(followers->lead);
    for (unsigned i = 1; i < ranks; i++) {
        followers->rank[i].transport = loop_back_rank(followers->loop, i);
        assert_int_equal(pthread_create(&followers->thread[i], NULL, follow, &followers->rank[i]), 0);
    }
}

static void end_followers(struct followers *followers, int error)
{
    tf_lead_close(followers->lead);
    for (unsigned i = 1; i < followers->ranks; i++) {
        pthread_join(followers->thread[i], NULL);
        assert_int_equal(followers->rank[i].error, error);
    }
    loop_back_destroy(followers->loop);
}

struct of_chip {
    struct seen *seen;
    unsigned chip;
};

static void see_fault(void *user, const struct tf_fault *fault)
{
    const struct of_chip *of = user;
    (void)fault;
    of->seen->faults++;
    of->seen->chips = of->seen->chips * 10 + of->chip + 1;
}

static struct of_chip chips[TF_CLUSTER_CHIPS_MAX];

static void on_chip(void *user, unsigned chip, struct chip_wish *config)
{
    chips[chip] = (struct of_chip){.seen = user, .chip = chip};
    config->user = &chips[chip];
    config->on_fault = see_fault;
}

static struct tf_system *make(const char *name, struct seen *seen)
{
    struct tf_cluster cluster;
    struct system_wish config;
    struct tf_system *system = NULL;
    assert_int_equal(tf_cluster_find(name, &cluster, NULL), TF_OK);
    system_wish_init(&config);
    config.cluster = &cluster;
    config.chip.threads = 1;
    config.chip.go_on_after_fault = true;
    config.on_chip = on_chip;
    config.user = seen;
    assert_int_equal(system_wish_create(&config, &system, NULL), TF_OK);
    return system;
}

/* A core of each chip jumps to where nothing is. */
static void let_stray(struct tf_system *system)
{
    static const uint32_t program[] = {0, 0}; /* no instruction */
    for (unsigned i = 0; i < tf_system_cluster(system)->chips; i++) {
        struct tf_chip *chip = tf_system_chip(system, i);
        struct tf_coord tile;
        assert_int_equal(tf_tile_coord(tf_chip_arch(chip), STRAY_TILE, &tile), TF_OK);
        assert_int_equal(tf_write(chip, tile, 0, program, sizeof program), TF_OK);
        assert_int_equal(tf_core_start(chip, STRAY_TILE, TF_CORE_B), TF_OK);
    }
}

static void remove_saved(void)
{
    assert_int_equal(system("rm -f " SAVED "*"), 0);
}

/* A host that loads a workload, runs it in pieces with accesses between them, saves, and goes on. */
static struct seen use(const char *name, struct tf_lead *lead, bool strays)
{
    static const struct tf_workload_options options = {.scale = 1, .seed = 7};
    const struct tf_system_run_options piece = {.run.pause_cycle = 6000};
    struct seen seen = {.hash = 0};
    struct tf_system *system = make(name, &seen);
    void *work = NULL;
    if (lead != NULL)
        assert_int_equal(tf_lead_take(lead, system, &seen.why), TF_OK);
    assert_true(tf_led_fetch_all(system->led, system->cluster.chips));
    assert_int_equal(tf_system_ring.setup(system, &options, &work, &seen.why), TF_OK);
    if (strays)
        let_stray(system);
    assert_false(tf_system_is_quiet(system));
    assert_int_equal(tf_system_run(system, &piece, &seen.end), TF_OK);
    assert_int_equal(seen.end, TF_END_CYCLES);
    uint32_t word;
    struct tf_coord tile = {1, 2};
    assert_true(tf_led_fetch(system->led, system->cluster.chips - 1));
    struct tf_chip *last = tf_system_chip(system, tf_system_cluster(system)->chips - 1);
    assert_int_equal(tf_read(last, tile, 0x100, &word, sizeof word), TF_OK);
    word++;
    assert_int_equal(tf_write(last, tile, 0x100, &word, sizeof word), TF_OK);
    assert_int_equal(tf_system_save(system, SAVED, &seen.why), TF_OK);
    assert_int_equal(tf_system_run(system, NULL, &seen.end), TF_OK);
    assert_int_equal(tf_system_restore(system, SAVED, &seen.why), TF_OK);
    assert_int_equal(tf_system_run(system, NULL, &seen.end), TF_OK);
    tf_system_pass(system, 1u << 20);
    assert_true(tf_system_is_quiet(system));
    seen.hash = tf_system_hash(system);
    seen.cycles = tf_system_cycles(system);
    if (!strays && tf_system_ring.verify(system, work, &seen.why) != TF_OK)
        fail_msg("%s", seen.why.text);
    tf_system_ring.release(work);
    tf_system_destroy(system);
    remove_saved();
    return seen;
}

/* What a host sees does not depend on ranks, and ranks run one system after another. */
static void test_same_for_the_host(void **state)
{
    (void)state;
    static const char *const names[] = {"n300", "2xn300"};
    for (unsigned i = 0; i < 2; i++) {
        struct followers followers;
        begin_followers(&followers, 2 + i);
        for (unsigned strays = 0; strays < 2; strays++) {
            const struct seen one = use(names[i], NULL, strays);
            const struct seen led = use(names[i], followers.lead, strays);
            assert_int_equal(led.end, one.end);
            assert_int_equal(led.cycles, one.cycles);
            assert_true(led.hash == one.hash);
            assert_int_equal(one.faults != 0, strays);
            assert_int_equal(led.faults, one.faults);
            assert_int_equal(led.chips, one.chips);
        }
        end_followers(&followers, TF_OK);
    }
}

static void test_too_many_ranks(void **state)
{
    (void)state;
    struct followers followers;
    struct seen seen = {.hash = 0};
    begin_followers(&followers, 3);
    struct tf_system *system = make("n300", &seen);
    assert_int_equal(tf_lead_take(followers.lead, system, &seen.why), TF_EINVAL);
    assert_string_equal(seen.why.text, "3 ranks are more than the system has chips, 2: start fewer");
    tf_system_destroy(system);
    end_followers(&followers, TF_OK);
}

/* A rank that ends: the host learns why, and no call waits for ever. */
static void test_a_rank_ends(void **state)
{
    (void)state;
    struct followers followers;
    struct seen seen = {.hash = 0};
    begin_followers(&followers, 2);
    struct tf_system *system = make("n300", &seen);
    assert_int_equal(tf_lead_take(followers.lead, system, &seen.why), TF_OK);
    assert_true(tf_led_fetch_all(system->led, system->cluster.chips));
    let_stray(system);
    loop_back_leave(followers.loop, 0); /* rank 1 cannot hear rank 0 any more, and ends */
    pthread_join(followers.thread[1], NULL);
    assert_int_equal(followers.rank[1].error, TF_EIO);
    assert_int_equal(tf_system_run(system, NULL, &seen.end), TF_EIO);
    assert_string_equal(tf_lead_why(followers.lead), "rank 1 has ended");
    assert_false(tf_led_fetch(system->led, 1));
    assert_int_equal(tf_system_run(system, NULL, &seen.end), TF_EIO);
    tf_system_destroy(system);
    tf_lead_close(followers.lead);
    loop_back_destroy(followers.loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_for_the_host),
        cmocka_unit_test(test_too_many_ranks),
        cmocka_unit_test(test_a_rank_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
