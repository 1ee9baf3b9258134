/* SPDX-License-Identifier: Apache-2.0 */
/* Shared phases that one thread rehearses, with a clock that only hand-made visits move; and whole runs. */
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

static double clock_s;
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

/* A chip that rehearses four workers, and none sleeps; a cache line takes line_s. */
static struct tf_chip *chip_of_four(double line_s)
{
    struct tf_config config;
    struct tf_chip *chip;
    const struct tf_meeting meeting = {.line_s = line_s, .wake_s = 50 * US, .call_s = 5 * US, .spin_s = 100};
    tf_config_init(&config);
    config.threads = 4;
    config.pin = false;
    assert_int_equal(tf_chip_create(&config, &chip, NULL), TF_OK);
    assert_true(tf_rehearse_begin(chip, &meeting));
    chip->rehearsal->seconds = hand_clock;
    chip->rehearsal->look_s = 0;
    chip->rehearsal->met = true;
    clock_s = 1;
    chip->rehearsal->met_s = clock_s;
    memset(visits, 0, sizeof visits);
    return chip;
}

/* Whose range a site is in. */
static unsigned owner_of(const struct tf_chip *chip, unsigned site)
{
    unsigned owner = 0;
    while (site >= chip->sharing.border[owner + 1])
        owner++;
    return owner;
}

/* Sites to visit: so many of each worker's own, each takes so long. */
static struct tf_sites sites_of(const struct tf_chip *chip, const unsigned count[4], const double each_s[4])
{
    struct tf_sites sites = {{0}};
    unsigned had[4] = {0};
    for (unsigned site = 0; site < chip->fabric->nodes; site++) {
        unsigned owner = owner_of(chip, site);
        if (chip->fabric->node[site].tile == NULL || had[owner] == count[owner])
            continue;
        had[owner]++;
        takes_s[site] = each_s[owner];
        tf_sites_add(&sites, site);
    }
    return sites;
}

static void phase(struct tf_chip *chip, const struct tf_sites *sites, struct tf_projection *projection)
{
    double began = tf_seconds_on(chip->rehearsal);
    tf_visit_sites(chip, sites, visit, TF_PHASE_RUN);
    chip->host.wall_s += tf_seconds_on(chip->rehearsal) - began;
    tf_projection(chip, projection);
    for (unsigned site = 0; site < chip->fabric->nodes; site++)
        assert_int_equal(visits[site], tf_sites_has(sites, site));
}

/* All workers together. */
static double waited(const struct tf_chip *chip)
{
    double wait_s = chip->workers.wait_s;
    for (unsigned i = 1; i <= 3; i++)
        wait_s += chip->workers.helper[i].wait_s;
    return wait_s;
}

static void test_even(void **unused)
{
    (void)unused;
    struct tf_chip *chip = chip_of_four(0);
    struct tf_projection projection;
    struct tf_sites sites = sites_of(chip, (const unsigned[]){5, 5, 5, 5},
                                     (const double[]){20 * US, 20 * US, 20 * US, 20 * US});
    phase(chip, &sites, &projection);
    assert_int_equal(projection.phases, 1);
    assert_int_equal(projection.visits, 20);
    NEAR(projection.work_s, 100 * US);
    NEAR(projection.imbalance_s, 0.0);
    NEAR(projection.passed_s, 100 * US);
    for (unsigned site = 0; site < chip->fabric->nodes; site++)
        if (tf_sites_has(&sites, site))
            assert_int_equal(visitor[site], owner_of(chip, site));
    for (unsigned i = 0; i < 4; i++) {
        NEAR(chip->workers.worker[i].figures.run_s, 100 * US);
        NEAR(chip->workers.worker[i].figures.deliver_s, 0.0);
    }
    tf_visit_sites(chip, &sites, visit, TF_PHASE_EXECUTE);
    for (unsigned i = 0; i < 4; i++) {
        NEAR(chip->workers.worker[i].figures.run_s, 100 * US);
        NEAR(chip->workers.worker[i].figures.deliver_s, 100 * US);
    }
    tf_chip_destroy(chip);
}

/* Workers 1 to 3 have nothing of their own: they steal, and the last site of the nine is waited for. */
static void test_steals(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct tf_chip *chip = chip_of_four(0);
    struct tf_projection projection;
    struct tf_sites sites = sites_of(chip, (const unsigned[]){9, 0, 0, 0}, (const double[]){40 * US, 0, 0, 0});
    phase(chip, &sites, &projection);
    NEAR(projection.work_s, 90 * US);
    NEAR(projection.imbalance_s, 30 * US);
    NEAR(projection.passed_s, 120 * US);
    struct tf_stats stats;
    tf_stats(chip, &stats);
    assert_int_equal(stats.steals, 6);
    tf_chip_destroy(chip);
}

/* A long site that is taken last makes everybody wait. */
static void test_long_site(void **unused)
{
    (void)unused;
    struct tf_chip *chip = chip_of_four(0);
    struct tf_projection projection;
    struct tf_sites sites = sites_of(chip, (const unsigned[]){4, 4, 4, 4},
                                     (const double[]){10 * US, 10 * US, 10 * US, 10 * US});
    unsigned last = 0;
    for (unsigned site = 0; site < chip->fabric->nodes; site++)
        if (tf_sites_has(&sites, site) && owner_of(chip, site) == 3)
            last = site;
    takes_s[last] = 100 * US;
    phase(chip, &sites, &projection);
    NEAR(projection.passed_s, 130 * US);
    NEAR(projection.work_s, 250.0 / 4 * US);
    NEAR(waited(chip), 270 * US);
    tf_chip_destroy(chip);
}

static void test_meeting(void **unused)
{
    (void)unused;
    struct tf_chip *chip = chip_of_four(1 * US);
    struct tf_projection projection;
    struct tf_sites sites = sites_of(chip, (const unsigned[]){5, 5, 5, 5},
                                     (const double[]){20 * US, 20 * US, 20 * US, 20 * US});
    phase(chip, &sites, &projection);
    NEAR(projection.meet_s, 8 * US);
    NEAR(projection.passed_s, 100 * US + projection.imbalance_s + 8 * US);
    NEAR(waited(chip), 4 * projection.passed_s - 400 * US);
    tf_chip_destroy(chip);
}

/* Helpers asleep: one call each by the first worker, and the time until they run. */
static void test_asleep(void **unused)
{
    (void)unused;
    struct tf_chip *chip = chip_of_four(0);
    struct tf_projection projection;
    struct tf_sites sites = sites_of(chip, (const unsigned[]){20, 20, 20, 20},
                                     (const double[]){20 * US, 20 * US, 20 * US, 20 * US});
    clock_s += 200;
    assert_true(tf_rehearse_asleep(chip));
    phase(chip, &sites, &projection);
    assert_false(tf_rehearse_asleep(chip));
    NEAR(projection.work_s, 400 * US);
    assert_true(projection.imbalance_s > 15 * US && projection.imbalance_s < 80 * US);
    tf_chip_destroy(chip);
}

/* What is too short to share is not. */
static void test_unshared(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct tf_chip *chip = chip_of_four(0);
    struct tf_projection projection;
    struct tf_sites sites = sites_of(chip, (const unsigned[]){1, 1, 1, 1},
                                     (const double[]){0.5 * US, 0.5 * US, 0.5 * US, 0.5 * US});
    chip->pacing.phase[TF_PHASE_RUN].visit_s = 0.5 * US;
    phase(chip, &sites, &projection);
    assert_int_equal(projection.phases, 0);
    NEAR(projection.unshared_s, 2 * US);
    NEAR(projection.passed_s, 2 * US);
    NEAR(projection.work_s, 0.0);
    tf_chip_destroy(chip);
}

/* Sharing is given up for a while when waiting dominates, for twice as long when it does again, and then taken up. */
static void test_held(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct tf_chip *chip = chip_of_four(0);
    struct tf_projection projection;
    struct tf_sites sites = sites_of(chip, (const unsigned[]){4, 4, 4, 4},
                                     (const double[]){50 * US, 50 * US, 50 * US, 50 * US});
    chip->pacing.phase[TF_PHASE_RUN].visit_s = 50 * US;
    /* phases of 800 us that were shared so far: the first hold lasts three of them, the second one five */
    static const unsigned shared[] = {1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 4};
    struct tf_pace *pace = &chip->pacing.phase[TF_PHASE_RUN];
    for (unsigned i = 0; i < sizeof shared / sizeof *shared; i++) {
        memset(visits, 0, sizeof visits);
        chip->epochs.number++;
        if (i == 0 || i == 4)
            pace->wall_s += 4000 * US; /* the host had a worker wait */
        phase(chip, &sites, &projection);
        assert_int_equal(projection.phases, shared[i]);
    }
    tf_chip_destroy(chip);
}

/* What shared phases have lost against one worker is made up by later gains, or repaid by a time without sharing. */
static void test_loss_repaid(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct tf_chip *chip = chip_of_four(0);
    struct tf_projection projection;
    struct tf_sites sites = sites_of(chip, (const unsigned[]){4, 4, 4, 4},
                                     (const double[]){50 * US, 50 * US, 50 * US, 50 * US});
    chip->pacing.phase[TF_PHASE_RUN].visit_s = 50 * US;
    chip->pacing.lost_s = 1500 * US; /* in phases whose requests acted; one phase gains 600 us */
    unsigned shared = 0;
    for (unsigned i = 0; i < 40; i++) {
        memset(visits, 0, sizeof visits);
        chip->epochs.number++;
        if (i == 10)
            chip->pacing.lost_s = 2000 * US; /* less 600 us, ten times: 14 ms, or 18 phases of 800 us */
        phase(chip, &sites, &projection);
        shared += i <= 10 || i > 28;
        assert_int_equal(projection.phases, shared);
    }
    tf_chip_destroy(chip);
}

/* Requests act where tiles have run, though one worker alone would be done as soon; held or not. */
static void test_delivery_follows(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct tf_chip *chip = chip_of_four(0);
    struct tf_projection projection;
    static const double each_s[2][4] = {{0.05 * US, 0.05 * US, 0.05 * US, 0.05 * US}, {2 * US, 2 * US, 2 * US, 2 * US}};
    static const unsigned shared[] = {0, 2, 4, 4};
    for (unsigned i = 0; i < 4; i++) {
        const double *run_s = each_s[i % 3 != 0];
        struct tf_sites sites = sites_of(chip, (const unsigned[]){8, 8, 8, 8}, run_s);
        memset(visits, 0, sizeof visits);
        chip->pacing.phase[TF_PHASE_RUN].visit_s = run_s[0];
        phase(chip, &sites, &projection);
        sites = sites_of(chip, (const unsigned[]){8, 8, 8, 8}, each_s[0]);
        chip->pacing.phase[TF_PHASE_EXECUTE] = (struct tf_pace){.visit_s = 0.05 * US, .hold_s = 1};
        tf_visit_sites(chip, &sites, visit, TF_PHASE_EXECUTE);
        tf_projection(chip, &projection);
        assert_int_equal(projection.phases, shared[i]);
    }
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
        assert_true(tf_rehearse_begin(chip, &meeting));
    }
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    assert_int_equal(workload->verify(chip, state, &message), TF_OK);
    workload->release(state);
    struct tf_projection projection;
    tf_projection(chip, &projection);
    double sum = projection.work_s + projection.imbalance_s + projection.meet_s + projection.unshared_s +
                 projection.serial_s;
    NEAR(sum, projection.passed_s);
    assert_int_equal(projection.visits > 0, rehearse);
    uint64_t hash = tf_state_hash(chip);
    tf_chip_destroy(chip);
    return hash;
}

/* Sixteen workers that one thread plays leave the chip as one worker does. */
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
        assert_false(tf_rehearse_begin(chip, &meeting));
        tf_projection(chip, &projection);
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
