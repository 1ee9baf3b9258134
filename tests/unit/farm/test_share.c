/* SPDX-License-Identifier: Apache-2.0 */
/* Who visits which site: every site once, whoever takes it and when; and ranges that follow how fast workers are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>

#include "unless_hostile.h"
#include "farm/chip/chip.h"
#include "farm/order/deliver.h"
#include "farm/share/phase.h"
#include "random.h"

#define US 1e-6

static uint64_t random_state;

static unsigned below(unsigned end)
{
    return test_random_below(&random_state, end);
}

static int seed(void **unused)
{
    (void)unused;
    random_state = test_seed(1);
    return 0;
}

static struct tf_chip *chip_of(unsigned workers)
{
    struct tf_config config;
    struct tf_chip *chip;
    tf_config_init(&config);
    config.threads = workers;
    config.pin = false;
    assert_int_equal(tf_chip_create(&config, &chip, NULL), TF_OK);
    for (unsigned i = 0; i < workers; i++)
        chip->topology.worker[i].numa_node = 0;
    return chip;
}

static struct tf_sites all_tiles(const struct tf_chip *chip)
{
    struct tf_sites sites = {{0}};
    for (unsigned i = 0; i < TF_TENSIX_TILES; i++)
        tf_sites_add(&sites, tf_node_number(chip->arch, chip->tiles.tile[i].coord));
    return sites;
}

static struct tf_sites some_sites(const struct tf_chip *chip, unsigned one_in)
{
    struct tf_sites sites = {{0}};
    for (unsigned i = 0; i < chip->fabric->nodes; i++)
        if (below(one_in) == 0)
            tf_sites_add(&sites, i);
    return sites;
}

/* ---- Every site once ---- */

/* Workers take turns at random; some come late. */
static void share_out(struct tf_chip *chip, const struct tf_sites *sites, double visit_s)
{
    static struct tf_hunt hunt[TF_WORKERS_MAX];
    unsigned visits[TF_NODES_MAX] = {0}, busy[TF_WORKERS_MAX], present = chip->workers.present, left = present;
    unsigned dealt = 0, got = 0, site = 0;
    tf_deal(chip, sites, visit_s);
    for (unsigned i = 0; i < present; i++) {
        busy[i] = i;
        tf_hunt_begin(&hunt[i], &chip->sharing.order);
    }
    while (left != 0) {
        unsigned i = below(below(2) == 0 ? 1 + left / 2 : left), worker = busy[i];
        if (tf_next_site(chip, worker, &hunt[worker], &site))
            visits[site]++;
        else
            busy[i] = busy[--left];
    }
    for (unsigned i = 0; i < chip->fabric->nodes; i++)
        assert_int_equal(visits[i], tf_sites_has(sites, i));
    for (unsigned i = 0; i < present; i++) {
        dealt += hunt[i].dealt;
        got += hunt[i].taken;
    }
    assert_int_equal(dealt, tf_sites_count(sites));
    assert_int_equal(got, tf_sites_count(sites));
}

static void shuffle_borders(struct tf_chip *chip)
{
    unsigned workers = chip->workers.count;
    for (unsigned i = 1; i < workers; i++) {
        unsigned room = chip->fabric->nodes - chip->sharing.border[i - 1];
        chip->sharing.border[i] = (uint16_t)(chip->sharing.border[i - 1] +
                                             below(1 + room * 2 / (workers - i + 1)) % (room + 1));
    }
}

static void test_every_site_once(void **unused)
{
    (void)unused;
    static const unsigned counts[] = {1, 2, 3, 16, 139, 256};
    static const double visits_s[] = {0, 10e-9, 100e-9, 400e-9, 5 * US};
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct tf_chip *chip = chip_of(counts[i]);
        for (unsigned round = 0; round < 150; round++) {
            struct tf_sites sites = some_sites(chip, 1 + below(1u << below(8)));
            chip->epochs.number = below(100000);
            for (unsigned w = 0; w < counts[i]; w++)
                chip->topology.worker[w].numa_node = (int)(w * (1 + round % 3) / counts[i]);
            if (round % 3 == 2)
                shuffle_borders(chip);
            if (round >= 130 && counts[i] > 2) /* the host refuses some, for some phases */
                chip->workers.present = counts[i] - (round / 3 % 2) * (counts[i] / 3);
            share_out(chip, &sites, visits_s[below(5)]);
        }
        tf_chip_destroy(chip);
    }
}

struct race {
    struct tf_chip *chip;
    atomic_uint visits[TF_NODES_MAX];
};

static struct tf_part race(void *context, unsigned worker, double began_s)
{
    struct race *race = context;
    struct tf_hunt hunt;
    unsigned site;
    tf_hunt_begin(&hunt, &race->chip->workers.order);
    while (tf_next_site(race->chip, worker, &hunt, &site))
        atomic_fetch_add(&race->visits[site], 1);
    return (struct tf_part){.ended_s = began_s};
}

static void test_threads(void **unused)
{
    (void)unused;
    static const double visits_s[] = {10 * US, 0.4 * US, 0.1 * US};
    struct race all = {.chip = chip_of(4)};
    const struct tf_task task = {.run = race, .context = &all};
    assert_int_equal(tf_workers_start(&all.chip->workers), TF_OK);
    for (unsigned round = 1; round <= 300; round++) {
        struct tf_sites sites = some_sites(all.chip, 2);
        for (unsigned i = 0; i < all.chip->fabric->nodes; i++)
            atomic_store(&all.visits[i], 0);
        shuffle_borders(all.chip);
        tf_deal(all.chip, &sites, visits_s[round % 3]);
        tf_workers_share(&all.chip->workers, &task, &all.chip->sharing.order);
        for (unsigned i = 0; i < all.chip->fabric->nodes; i++)
            assert_int_equal(atomic_load(&all.visits[i]), tf_sites_has(&sites, i));
    }
    tf_chip_destroy(all.chip);
}

/* ---- Order, and what is left to its owner ---- */

static unsigned take_all(struct tf_chip *chip, unsigned worker, uint16_t *list)
{
    struct tf_hunt hunt;
    unsigned count = 0, site;
    tf_hunt_begin(&hunt, &chip->sharing.order);
    while (tf_next_site(chip, worker, &hunt, &site))
        list[count++] = (uint16_t)site;
    return count;
}

static void test_order(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct tf_chip *chip = chip_of(2);
    struct tf_sites sites = all_tiles(chip);
    uint16_t all[TF_NODES_MAX], list[TF_NODES_MAX];
    for (chip->epochs.number = 0; chip->epochs.number < chip->fabric->nodes; chip->epochs.number += 7) {
        assert_int_equal(tf_list_sites(chip, &sites, all), TF_TENSIX_TILES);
        for (unsigned i = 1; i < TF_TENSIX_TILES; i++)
            assert_true((all[i - 1] + chip->epochs.number) % chip->fabric->nodes <
                        (all[i] + chip->epochs.number) % chip->fabric->nodes);
        tf_deal(chip, &sites, 10 * US);
        assert_int_equal(take_all(chip, 0, list), TF_TENSIX_TILES);
        unsigned own = 0, at = 0;
        for (; list[own] < chip->sharing.border[1]; own++) {
            while (all[at] != list[own])
                at++;
        }
        assert_int_equal(own, TF_TENSIX_TILES / 2);
        for (at = TF_TENSIX_TILES - 1; own < TF_TENSIX_TILES; own++) {
            while (all[at] != list[own])
                at--;
        }
        assert_int_equal(take_all(chip, 1, list), 0);
    }
    tf_chip_destroy(chip);
}

static void test_reserved(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct tf_chip *chip = chip_of(2);
    struct tf_sites sites = all_tiles(chip);
    uint16_t list[TF_NODES_MAX];
    tf_deal(chip, &sites, 0.3 * US);
    unsigned left = chip->sharing.order.reserved;
    assert_in_range(left, 1, 20);
    assert_int_equal(take_all(chip, 0, list), TF_TENSIX_TILES - left);
    assert_int_equal(take_all(chip, 1, list), left);
    tf_chip_destroy(chip);
}

static void note_stolen(struct tf_chip *chip, unsigned worker, double stolen_s, unsigned stolen)
{
    *tf_part_of(&chip->workers, worker) = (struct tf_part){.stolen_s = (float)stolen_s, .stolen = (uint16_t)stolen};
}

/* How many that is follows what stolen visits take. */
static void test_moves(void **unused)
{
    (void)unused;
    struct tf_chip *chip = chip_of(2);
    struct tf_sites sites = all_tiles(chip);
    double nominal_s = chip->sharing.move_s;
    note_stolen(chip, 0, 0, 0);
    note_stolen(chip, 1, 12 * US, 2);
    for (unsigned i = 0; i < 200; i++)
        tf_move_cost_update(chip, 1 * US);
    assert_true(chip->sharing.move_s > 9.9 * US && chip->sharing.move_s < 10.1 * US);
    tf_deal(chip, &sites, 1 * US);
    assert_in_range(chip->sharing.order.reserved, 9, 10);
    note_stolen(chip, 1, 1, 1); /* the host had it wait */
    for (unsigned i = 0; i < 200; i++)
        tf_move_cost_update(chip, 1 * US);
    assert_true(chip->sharing.move_s < 50 * US);
    note_stolen(chip, 1, 0, 0);
    for (unsigned i = 0; i < 50000; i++)
        tf_move_cost_update(chip, 1 * US);
    assert_true(chip->sharing.move_s > 0.99 * nominal_s && chip->sharing.move_s < 1.01 * nominal_s);
    note_stolen(chip, 1, 0, 1);
    tf_move_cost_update(chip, 1 * US);
    assert_true(chip->sharing.move_s > 0.99 * nominal_s);
    tf_chip_destroy(chip);
}

/* The host delays a helper in its first site. The others do all other sites, also those reserved for the helper. */
static struct {
    atomic_uint visits, expected;
    atomic_bool shared, stuck;
} accident;

static bool in_time(double until_s)
{
    if (tf_seconds() > until_s)
        atomic_store(&accident.stuck, true);
    sched_yield();
    return !atomic_load(&accident.stuck);
}

static void visit(struct tf_worker *worker, unsigned site)
{
    (void)site;
    double until_s = tf_seconds() + 20;
    if (worker->number == 0)
        while (worker->chip->pacing.spread && !atomic_load(&accident.shared) && in_time(until_s))
            continue;
    atomic_fetch_add(&accident.visits, 1);
    if (worker->number == 0)
        return;
    atomic_store(&accident.shared, true);
    while (atomic_load(&accident.visits) < atomic_load(&accident.expected) && in_time(until_s))
        continue;
}

static void test_helper_delayed(void **unused)
{
    (void)unused;
    struct tf_chip *chip = chip_of(2);
    struct tf_sites sites = all_tiles(chip);
    for (unsigned i = 0; i < 200 && !atomic_load(&accident.shared); i++) {
        chip->pacing.phase[TF_PHASE_RUN].visit_s = 0.4 * US;
        chip->pacing.phase[TF_PHASE_RUN].hold_s = 0;
        chip->pacing.slept_through_s = 1; /* worth waking */
        /* ten sites: taken together, those are the helper's; the next ten are left alone */
        chip->sharing.move_s = 4 * US;
        atomic_store(&accident.expected, TF_TENSIX_TILES - 9);
        atomic_store(&accident.visits, 0);
        chip->epochs.number = i | 1; /* not one in which a build for tests steals nothing */
        tf_visit_sites(chip, &sites, visit, TF_PHASE_RUN);
        assert_int_equal(atomic_load(&accident.visits), TF_TENSIX_TILES);
    }
    assert_true(atomic_load(&accident.shared));
    assert_false(atomic_load(&accident.stuck));
    tf_chip_destroy(chip);
}

/* ---- Borders ---- */

/* A phase in which worker i needs each_s[i] for a site, played by the clock. Returns how many were stolen. */
static unsigned phase(struct tf_chip *chip, const struct tf_sites *sites, const double *each_s)
{
    static struct tf_hunt hunt[8];
    double at_s[8] = {0}, sum_s = 0;
    bool done[8] = {false};
    unsigned workers = chip->workers.count, count = tf_sites_count(sites), site;
    uint64_t steals = 0;
    tf_deal(chip, sites, each_s[0]);
    for (unsigned i = 0; i < workers; i++) {
        tf_hunt_begin(&hunt[i], &chip->sharing.order);
        steals -= chip->workers.worker[i].figures.steals;
    }
    for (;;) {
        unsigned next = workers;
        for (unsigned i = 0; i < workers; i++)
            if (!done[i] && (next == workers || at_s[i] < at_s[next]))
                next = i;
        if (next == workers)
            break;
        done[next] = !tf_next_site(chip, next, &hunt[next], &site);
        at_s[next] += done[next] ? 0 : each_s[next];
        sum_s += done[next] ? 0 : each_s[next];
    }
    for (unsigned i = 0; i < workers; i++) {
        *tf_part_of(&chip->workers, i) =
            (struct tf_part){.ended_s = at_s[i], .dealt = (uint16_t)hunt[i].dealt, .got = (uint16_t)hunt[i].taken};
        steals += chip->workers.worker[i].figures.steals;
    }
    tf_borders_move(chip, count, sum_s / count);
    return (unsigned)steals;
}

static unsigned dealt_to(struct tf_chip *chip, unsigned worker)
{
    return tf_part_of(&chip->workers, worker)->dealt;
}

static void test_borders_follow(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    static const double even[] = {5 * US, 5 * US, 5 * US}, uneven[] = {5 * US, 10 * US, 5 * US};
    struct tf_chip *chip = chip_of(3);
    struct tf_sites sites = all_tiles(chip);
    for (unsigned i = 0; i < 100; i++)
        assert_in_range(phase(chip, &sites, even), 0, 2); /* 46, 47 and 47 */
    assert_true(phase(chip, &sites, uneven) > 10);
    for (unsigned i = 0; i < 1000; i++)
        phase(chip, &sites, uneven);
    assert_in_range(phase(chip, &sites, uneven), 0, 2);
    assert_in_range(dealt_to(chip, 1), 26, 30);
    for (unsigned i = 0; i < 1000; i++)
        phase(chip, &sites, even);
    assert_in_range(phase(chip, &sites, even), 0, 2);
    assert_in_range(dealt_to(chip, 1), 45, 48);
    tf_chip_destroy(chip);
}

/* Between two runs each site keeps its owner, and who owned a site lets chained requests act, wherever borders go. */
static void test_owners_follow(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    static const double uneven[] = {5 * US, 10 * US, 5 * US};
    struct tf_chip *chip = chip_of(3);
    struct tf_sharing *sharing = &chip->sharing;
    struct tf_sites sites = all_tiles(chip);
    uint16_t owner[TF_NODES_MAX], before = sharing->border[1];
    memcpy(owner, sharing->owner, sizeof owner);
    for (unsigned i = 0; i < 1000; i++)
        phase(chip, &sites, uneven);
    assert_int_not_equal(sharing->border[1], before);
    assert_memory_equal(sharing->owner, owner, sizeof owner);
    sharing->border[1] = sharing->border[2]; /* worker 1 has no tile now */
    struct tf_sites visited = tf_chain_sites(chip);
    bool acts[3] = {false};
    for (unsigned site = 0; site < chip->fabric->nodes; site++)
        if (tf_sites_has(&visited, site))
            acts[owner[site]] = true;
    assert_true(acts[0] && acts[1] && acts[2]);
    tf_owners_follow(chip);
    for (unsigned node = 0; node < chip->fabric->nodes; node++)
        if (!tf_sites_has(&sharing->channels, tf_site_of(chip->fabric, node)))
            assert_int_not_equal(sharing->owner[node], 1);
    tf_chip_destroy(chip);
}

/* A worker is held up for long, once: others do its work, and borders hardly move. */
static void test_an_accident(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    static const double even[] = {5 * US, 5 * US}, held_up[] = {5 * US, 1000 * US};
    struct tf_chip *chip = chip_of(2);
    struct tf_sites sites = all_tiles(chip);
    for (unsigned i = 0; i < 200; i++)
        assert_int_equal(phase(chip, &sites, even), 0);
    unsigned before = chip->sharing.border[1];
    assert_true(phase(chip, &sites, held_up) > 60);
    for (unsigned i = 0; i < 300; i++) {
        assert_in_range(phase(chip, &sites, even), 0, 2);
        assert_in_range(chip->sharing.border[1], before, before + 2);
    }
    assert_in_range(phase(chip, &sites, even), 0, 1);
    tf_chip_destroy(chip);
}

/* Tiles of one half alone are active: the border goes to their middle. */
static void test_half_of_the_tiles(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    static const double even[] = {5 * US, 5 * US};
    struct tf_chip *chip = chip_of(2);
    struct tf_sites sites = {{0}};
    for (unsigned i = 0; i < TF_TENSIX_TILES / 2; i++)
        tf_sites_add(&sites, tf_node_number(chip->arch, chip->tiles.tile[i].coord));
    assert_int_equal(phase(chip, &sites, even), TF_TENSIX_TILES / 4);
    for (unsigned i = 0; i < 500; i++)
        phase(chip, &sites, even);
    assert_in_range(phase(chip, &sites, even), 0, 1);
    assert_in_range(dealt_to(chip, 0), 34, 36);
    tf_chip_destroy(chip);
}

static void test_numa(void **unused)
{
    (void)unused;
    static const double each_s[] = {5 * US, 10 * US, 20 * US, 10 * US};
    struct tf_chip *chip = chip_of(4);
    struct tf_sites sites = all_tiles(chip);
    unsigned before[5];
    for (unsigned i = 0; i < 4; i++)
        chip->topology.worker[i].numa_node = (int)i / 2;
    for (unsigned i = 0; i < 5; i++)
        before[i] = chip->sharing.border[i];
    for (unsigned i = 0; i < 1000; i++)
        phase(chip, &sites, each_s);
    assert_int_equal(chip->sharing.border[2], before[2]);
    assert_in_range(dealt_to(chip, 0), 45, 48);
    assert_in_range(dealt_to(chip, 1), 22, 25);
    assert_in_range(dealt_to(chip, 2), 22, 25);
    assert_in_range(dealt_to(chip, 3), 45, 48);
    tf_chip_destroy(chip);
}

/* They lie in one range, are dealt one by one all the same, and do not move borders. */
static void test_channels(void **unused)
{
    (void)unused;
    static const double even[] = {20 * US, 20 * US, 20 * US};
    struct tf_chip *chip = chip_of(3);
    uint16_t list[TF_NODES_MAX];
    unsigned before = chip->sharing.border[1];
    assert_int_equal(tf_sites_count(&chip->sharing.channels), 8);
    for (unsigned i = 0; i < 300; i++)
        phase(chip, &chip->sharing.channels, even);
    assert_int_equal(dealt_to(chip, 0), 3);
    assert_int_equal(dealt_to(chip, 1), 3);
    assert_int_equal(dealt_to(chip, 2), 2);
    assert_int_equal(chip->sharing.border[1], before);
    struct tf_sites sites = all_tiles(chip);
    tf_sites_join(&sites, &chip->sharing.channels);
    tf_deal(chip, &sites, 20 * US);
    take_all(chip, 1, list);
    for (unsigned i = 0; i < 4; i++) /* before its tiles */
        assert_int_equal(tf_sites_has(&chip->sharing.channels, list[i]), i < 3);
    tf_chip_destroy(chip);
}

static void test_few_sites_move_nothing(void **unused)
{
    (void)unused;
    static const double each_s[] = {5 * US, 50 * US};
    struct tf_chip *chip = chip_of(2);
    struct tf_sites sites = {{0}};
    tf_sites_add(&sites, 40);
    unsigned before = chip->sharing.border[1];
    for (unsigned i = 0; i < 100; i++) {
        phase(chip, &sites, each_s);
        tf_sites_add(&sites, 40 + i % 2);
    }
    assert_int_equal(chip->sharing.border[1], before);
    tf_chip_destroy(chip);
}

/* Ranges may be empty, and stay in order. */
static void test_more_workers_than_sites(void **unused)
{
    (void)unused;
    static const double each_s[] = {9 * US, 8 * US, 7 * US, 6 * US, 5 * US, 4 * US, 3 * US, 20 * US};
    struct tf_chip *chip = chip_of(8);
    for (unsigned i = 0; i < 3000; i++) {
        struct tf_sites sites = some_sites(chip, 1u << below(8));
        if (tf_sites_none(&sites))
            continue;
        phase(chip, &sites, each_s);
        assert_int_equal(chip->sharing.border[0], 0);
        assert_int_equal(chip->sharing.border[8], chip->fabric->nodes);
        for (unsigned w = 0; w < 8; w++)
            assert_true(chip->sharing.border[w] <= chip->sharing.border[w + 1]);
    }
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_every_site_once, seed),
        cmocka_unit_test_setup(test_threads, seed),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_reserved),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_helper_delayed),
        cmocka_unit_test(test_borders_follow),
        cmocka_unit_test(test_owners_follow),
        cmocka_unit_test(test_an_accident),
        cmocka_unit_test(test_half_of_the_tiles),
        cmocka_unit_test(test_numa),
        cmocka_unit_test(test_channels),
        cmocka_unit_test(test_few_sites_move_nothing),
        cmocka_unit_test_setup(test_more_workers_than_sites, seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
