/* SPDX-License-Identifier: Apache-2.0 */
/* Shared phases that one thread rehearses, with a clock that only the test's visits advance; and whole runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unless_hostile.h"
#include "cli/workloads/workload.h"
#include "farm/chip/chip.h"
#include "farm/share/phase.h"

#define US 1e-6
#define NEAR(a, b) assert_true((a) - (b) < 1e-12 && (b) - (a) < 1e-12)

#define FIRST_S (10 * US) /* expected time of a first visit; phases of such visits are as expected */
#define SLEEPS_S 100      /* helpers sleep after this time */

static double clock_s, passed_s;
static double takes_s[TF_NODES_MAX]; /* a visit of each site */
static unsigned visitor[TF_NODES_MAX], visits[TF_NODES_MAX];

static double hand_clock(void)
{
    return clock_s;
}

static void visit(struct tf_worker *worker, unsigned site)
{
    clock_s += takes_s[site];
    visitor[site] = worker->number;
    visits[site]++;
}

/* A chip that rehearses four workers. A cache line takes line_s, and waking a helper wake_s. */
static struct tf_chip *chip_of_four(double line_s, double wake_s)
{
    struct tf_config config;
    struct tf_chip *chip;
    const struct tf_meeting meeting = {.line_s = line_s, .wake_s = wake_s, .call_s = 5 * US, .spin_s = SLEEPS_S};
    tf_config_init(&config);
    config.threads = 4;
    config.pin = false;
    assert_int_equal(tf_chip_create(&config, &chip, NULL), TF_OK);
    clock_s = 1;
    passed_s = 0;
    assert_true(tf_rehearse_begin(chip, &meeting, hand_clock));
    return chip;
}

/* The worker in whose range a site is. */
static unsigned owner_of(const struct tf_chip *chip, unsigned site)
{
    unsigned owner = 0;
    while (site >= chip->sharing.border[owner + 1])
        owner++;
    return owner;
}

/* Sites to visit: so many of each worker's own, each with this time. */
static struct tf_sites sites_of(const struct tf_chip *chip, const unsigned count[4], double each_s)
{
    struct tf_sites sites = {{0}};
    unsigned had[4] = {0};
    for (unsigned site = 0; site < chip->fabric->nodes; site++) {
        unsigned owner = owner_of(chip, site);
        if (chip->fabric->node[site].tile == NULL || had[owner] == count[owner])
            continue;
        had[owner]++;
        takes_s[site] = each_s;
        tf_sites_add(&sites, site);
    }
    return sites;
}

static struct tf_sites even(const struct tf_chip *chip, unsigned each, double each_s)
{
    return sites_of(chip, (const unsigned[]){each, each, each, each}, each_s);
}

static void project(const struct tf_chip *chip, struct tf_projection *projection)
{
    tf_projection(chip->pacing.rehearsal, &chip->workers, passed_s, projection);
}

/* Play a phase. Returns what it has added to the projection. */
static struct tf_projection play(struct tf_chip *chip, const struct tf_sites *sites, enum tf_phase phase)
{
    struct tf_projection before, after;
    double began = tf_seconds_on(chip->pacing.rehearsal);
    project(chip, &before);
    memset(visits, 0, sizeof visits);
    tf_visit_sites(&chip->pacing, sites, visit, phase);
    passed_s += tf_seconds_on(chip->pacing.rehearsal) - began;
    project(chip, &after);
    for (unsigned site = 0; site < chip->fabric->nodes; site++)
        assert_int_equal(visits[site], tf_sites_has(sites, site));
    return (struct tf_projection){
        .phases = after.phases - before.phases,
        .visits = after.visits - before.visits,
        .passed_s = after.passed_s - before.passed_s,
        .work_s = after.work_s - before.work_s,
        .imbalance_s = after.imbalance_s - before.imbalance_s,
        .meet_s = after.meet_s - before.meet_s,
        .unshared_s = after.unshared_s - before.unshared_s,
        .serial_s = after.serial_s - before.serial_s,
    };
}

/* A chip whose helpers are awake: a long phase has woken them. */
static struct tf_chip *awake(double line_s)
{
    struct tf_chip *chip = chip_of_four(line_s, 50 * US);
    struct tf_sites sites = even(chip, 20, FIRST_S);
    assert_int_equal(play(chip, &sites, TF_PHASE_RUN).phases, 1);
    return chip;
}

/* All workers work together. */
static double waited(struct tf_chip *chip)
{
    struct tf_worker_stats stats;
    double wait_s = 0;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(tf_worker_stats(chip, i, &stats), TF_OK);
        wait_s += stats.wait_s;
    }
    return wait_s;
}

static void test_even(void **unused)
{
    (void)unused;
    struct tf_chip *chip = awake(0);
    struct tf_worker_stats before[4], after;
    struct tf_sites sites = even(chip, 5, 20 * US);
    for (unsigned i = 0; i < 4; i++)
        tf_worker_stats(chip, i, &before[i]);
    struct tf_projection projection = play(chip, &sites, TF_PHASE_RUN);
    assert_int_equal(projection.phases, 1);
    assert_int_equal(projection.visits, 20);
    NEAR(projection.work_s, 100 * US);
    NEAR(projection.imbalance_s, 0.0);
    NEAR(projection.passed_s, 100 * US);
    for (unsigned site = 0; site < chip->fabric->nodes; site++)
        if (tf_sites_has(&sites, site))
            assert_int_equal(visitor[site], owner_of(chip, site));
    for (unsigned deliveries = 0; deliveries < 2; deliveries++) {
        for (unsigned i = 0; i < 4; i++) {
            tf_worker_stats(chip, i, &after);
            NEAR(after.run_s - before[i].run_s, 100 * US);
            NEAR(after.deliver_s - before[i].deliver_s, deliveries * 100 * US);
        }
        tf_visit_sites(&chip->pacing, &sites, visit, TF_PHASE_EXECUTE);
    }
    tf_chip_destroy(chip);
}

/* Workers 1 to 3 have no sites of their own. They steal, and all wait for the last of the nine sites. */
static void test_steals(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct tf_chip *chip = awake(0);
    struct tf_sites sites = sites_of(chip, (const unsigned[]){9, 0, 0, 0}, 40 * US);
    struct tf_stats before, after;
    tf_stats(chip, &before);
    struct tf_projection projection = play(chip, &sites, TF_PHASE_RUN);
    tf_stats(chip, &after);
    NEAR(projection.work_s, 90 * US);
    NEAR(projection.imbalance_s, 30 * US);
    NEAR(projection.passed_s, 120 * US);
    assert_int_equal(after.steals - before.steals, 6);
    tf_chip_destroy(chip);
}

/* A long site that is taken last makes all workers wait. */
static void test_long_site(void **unused)
{
    (void)unused;
    struct tf_chip *chip = awake(0);
    struct tf_sites sites = even(chip, 4, 10 * US);
    unsigned last = 0;
    for (unsigned site = 0; site < chip->fabric->nodes; site++)
        if (tf_sites_has(&sites, site) && owner_of(chip, site) == 3)
            last = site;
    takes_s[last] = 100 * US;
    double before_s = waited(chip);
    struct tf_projection projection = play(chip, &sites, TF_PHASE_RUN);
    NEAR(projection.passed_s, 130 * US);
    NEAR(projection.work_s, 250.0 / 4 * US);
    NEAR(waited(chip) - before_s, 270 * US);
    tf_chip_destroy(chip);
}

static void test_meeting(void **unused)
{
    (void)unused;
    struct tf_chip *chip = awake(1 * US);
    struct tf_sites sites = even(chip, 5, 20 * US);
    double before_s = waited(chip);
    struct tf_projection projection = play(chip, &sites, TF_PHASE_RUN);
    NEAR(projection.meet_s, 8 * US);
    NEAR(projection.passed_s, 100 * US + projection.imbalance_s + 8 * US);
    NEAR(waited(chip) - before_s, 4 * projection.passed_s - 400 * US);
    tf_chip_destroy(chip);
}

/* Helpers sleep: the first worker makes one call for each, and they need time until they run. */
static void test_asleep(void **unused)
{
    (void)unused;
    struct tf_chip *chip = awake(0);
    struct tf_sites sites = even(chip, 20, 20 * US);
    assert_false(tf_rehearse_asleep(chip->pacing.rehearsal));
    clock_s += 2 * SLEEPS_S;
    assert_true(tf_rehearse_asleep(chip->pacing.rehearsal));
    struct tf_projection projection = play(chip, &sites, TF_PHASE_RUN);
    assert_false(tf_rehearse_asleep(chip->pacing.rehearsal));
    NEAR(projection.work_s, 400 * US);
    assert_true(projection.imbalance_s > 15 * US && projection.imbalance_s < 80 * US);
    tf_chip_destroy(chip);
}

/* Play a phase until its length is the expected one. */
static void get_used(struct tf_chip *chip, const struct tf_sites *sites, enum tf_phase phase)
{
    for (unsigned i = 0; i < 50; i++)
        play(chip, sites, phase);
}

/* A phase that is too short is not shared. */
static void test_unshared(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct tf_chip *chip = awake(0);
    struct tf_sites sites = even(chip, 1, 0.5 * US);
    assert_int_equal(play(chip, &sites, TF_PHASE_RUN).phases, 1);
    get_used(chip, &sites, TF_PHASE_RUN);
    struct tf_projection projection = play(chip, &sites, TF_PHASE_RUN);
    assert_int_equal(projection.phases, 0);
    NEAR(projection.unshared_s, 2 * US);
    NEAR(projection.passed_s, 2 * US);
    NEAR(projection.work_s, 0.0);
    tf_chip_destroy(chip);
}

/* Play a phase while helpers sleep; then as many as are not shared, and one that is. Returns their number. */
static unsigned held(struct tf_chip *chip, const struct tf_sites *sites)
{
    unsigned serial = 0;
    clock_s += 2 * SLEEPS_S;
    assert_int_equal(play(chip, sites, TF_PHASE_RUN).phases, 1);
    while (play(chip, sites, TF_PHASE_RUN).phases == 0)
        assert_in_range(++serial, 0, 100);
    return serial;
}

/* Sharing stops for a while when waiting dominates, and for twice as long when that happens again. Then sharing
   resumes. The next shared phase compensates the loss of a phase: three losses of 490 us are never a loss of 1 ms. */
static void test_held(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct tf_chip *chip = chip_of_four(0, 1200 * US);
    struct tf_sites sites = even(chip, 18, FIRST_S); /* 720 us, or 180 us each */
    assert_int_equal(held(chip, &sites), 3);         /* 2 ms */
    assert_int_equal(held(chip, &sites), 6);         /* 4 ms */
    assert_int_equal(held(chip, &sites), 12);        /* 8 ms */
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(play(chip, &sites, TF_PHASE_RUN).phases, 1);
    tf_chip_destroy(chip);
}

/* A larger loss is repaid by ten times as long without sharing: 1.5 ms by 15 ms. */
static void test_loss_repaid(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct tf_chip *chip = chip_of_four(0, 2210 * US);
    struct tf_sites sites = even(chip, 18, FIRST_S);
    assert_int_equal(held(chip, &sites), 21);
    tf_chip_destroy(chip);
}

/* Phases in which tiles run and then requests act. Returns in how many of both sites were shared. */
static unsigned both(struct tf_chip *chip, unsigned epochs, double run_s)
{
    unsigned shared = 0;
    for (unsigned i = 0; i < epochs; i++) {
        struct tf_sites sites = even(chip, 8, run_s);
        shared += (unsigned)play(chip, &sites, TF_PHASE_RUN).phases;
        sites = even(chip, 8, 0.05 * US);
        shared += (unsigned)play(chip, &sites, TF_PHASE_EXECUTE).phases;
    }
    return shared;
}

/* Requests act on the workers that ran the tiles, even if one worker alone would need the same time; held or not. */
static void test_delivery_follows(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct tf_chip *chip = awake(0);
    both(chip, 50, 2 * US);
    assert_int_equal(both(chip, 10, 2 * US), 20);
    struct tf_sites sites = even(chip, 8, 0.05 * US);
    for (unsigned site = 0, long_one = 0; site < chip->fabric->nodes && !long_one; site++)
        if (tf_sites_has(&sites, site)) {
            takes_s[site] = 1000 * US; /* the other workers wait, so sharing gains nothing */
            long_one = 1;
        }
    assert_int_equal(play(chip, &sites, TF_PHASE_EXECUTE).phases, 1);
    both(chip, 50, 2 * US);
    assert_int_equal(both(chip, 10, 2 * US), 20);
    both(chip, 50, 0.05 * US);
    assert_int_equal(both(chip, 10, 0.05 * US), 0);
    tf_chip_destroy(chip);
}

static uint64_t run(const char *name, unsigned threads, bool rehearse)
{
    const struct tf_workload *workload = tf_workload_find(name);
    const struct tf_workload_options options = {.scale = workload->scale_test, .seed = 1};
    static struct tf_meeting meeting; /* measured once */
    struct tf_message message = {""};
    struct tf_config config;
    struct tf_chip *chip;
    void *state;
    tf_config_init(&config);
    config.threads = threads;
    config.pin = false;
    assert_int_equal(tf_chip_create(&config, &chip, NULL), TF_OK);
    assert_int_equal(workload->setup(chip, &options, &state, &message), TF_OK);
    if (rehearse) {
        if (meeting.line_s <= 0)
            tf_meeting_measure(&meeting);
        assert_true(meeting.line_s > 0 && meeting.wake_s > 0 && meeting.spin_s > 0);
        assert_true(tf_rehearse_begin(chip, &meeting, tf_thread_seconds));
    }
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    assert_int_equal(workload->verify(chip, state, &message), TF_OK);
    workload->release(state);
    struct tf_projection projection;
    struct tf_stats stats;
    tf_stats(chip, &stats);
    passed_s = stats.wall_s;
    project(chip, &projection);
    double sum = projection.work_s + projection.imbalance_s + projection.meet_s + projection.unshared_s +
                 projection.serial_s;
    NEAR(sum, projection.passed_s);
    assert_int_equal(projection.visits > 0, rehearse);
    uint64_t hash = tf_state_hash(chip);
    tf_chip_destroy(chip);
    return hash;
}

/* Sixteen workers that one thread plays leave the chip in the state that one worker leaves. */
static void test_runs(void **unused)
{
    (void)unused;
    static const char *const names[] = {"ring", "allreduce", "cb"};
    for (unsigned i = 0; i < 3; i++) {
        uint64_t hash = run(names[i], 1, false);
        assert_true(run(names[i], 3, true) == hash);
        assert_true(run(names[i], 16, true) == hash);
    }
}

static void test_refused(void **unused)
{
    (void)unused;
    static const struct {
        unsigned threads;
        enum tf_mode mode;
    } wrong[] = {{1, TF_MODE_DETERMINISTIC}, {4, TF_MODE_RELAXED}};
    const struct tf_meeting meeting = {.line_s = 0};
    struct tf_projection projection;
    for (unsigned i = 0; i < 2; i++) {
        struct tf_config config;
        struct tf_chip *chip;
        tf_config_init(&config);
        config.threads = wrong[i].threads;
        config.mode = wrong[i].mode;
        config.pin = false;
        assert_int_equal(tf_chip_create(&config, &chip, NULL), TF_OK);
        assert_false(tf_rehearse_begin(chip, &meeting, hand_clock));
        passed_s = 1;
        project(chip, &projection);
        NEAR(projection.passed_s, 0.0);
        tf_chip_destroy(chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_even),    cmocka_unit_test(test_steals),      cmocka_unit_test(test_long_site),
        cmocka_unit_test(test_meeting), cmocka_unit_test(test_asleep),      cmocka_unit_test(test_unshared),
        cmocka_unit_test(test_held),    cmocka_unit_test(test_loss_repaid), cmocka_unit_test(test_delivery_follows),
        cmocka_unit_test(test_runs),    cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
