/* SPDX-License-Identifier: Apache-2.0 */
/* Shares and visits: every site is visited once, by any worker and at any time. Ranges follow the speed of workers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>

#include "chip_wish.h"
#include "unless_hostile.h"
#include "farm/chip/chip.h"
#include "farm/order/deliver.h"
#include "farm/share/plan.h"
#include "pool/form.h"
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

/* Workers of the test, which share the sites of a chip. */
struct rig {
    struct tf_chip *chip; /* the chip's own sharing is not used */
    struct tf_topology topology;
    struct tf_workers workers;
    uint64_t turn;
    struct tf_sharing sharing;
};

static struct tf_chip *chip_of(unsigned workers)
{
    struct chip_wish config;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.threads = workers;
    config.pin = false;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    return chip;
}

/* nodes: NUMA nodes that the workers are spread over. */
static struct rig *rig_of(unsigned workers, unsigned nodes)
{
    static struct rig rig;
    rig.chip = chip_of(workers);
    rig.topology = rig.chip->topology;
    for (unsigned i = 0; i < workers; i++)
        rig.topology.worker[i].numa_node = (int)(i * nodes / workers);
    struct tf_share_plan plan;
    const struct tf_team_request request = {.count = workers, .spin = true};
    assert_int_equal(tf_team_init(&rig.workers.team, NULL, &request), TF_OK);
    rig.turn = 0;
    tf_share_plan_make(&plan, &rig.topology, rig.chip->fabric, &rig.chip->tiles);
    plan.turn = &rig.turn;
    assert_int_equal(tf_sharing_init(&rig.sharing, &rig.workers.team, &plan), TF_OK);
    return &rig;
}

static void end(struct rig *rig)
{
    tf_sharing_fini(&rig->sharing);
    tf_team_fini(&rig->workers.team);
    tf_chip_destroy(rig->chip);
}

static struct tf_sites all_tiles(const struct tf_chip *chip)
{
    struct tf_sites sites = {{0}};
    for (unsigned i = 0; i < TF_TENSIX_TILES; i++)
        tf_sites_add(&sites, tf_node_number(chip->arch, chip->tiles.tile[i].coord));
    return sites;
}

static struct tf_sites some_sites(const struct rig *rig, unsigned one_in)
{
    struct tf_sites sites = {{0}};
    for (unsigned i = 0; i < rig->sharing.plan.sites; i++)
        if (below(one_in) == 0)
            tf_sites_add(&sites, i);
    return sites;
}

static struct tf_walk walk[TF_WORKERS_MAX]; /* of the last phase */

/* A phase in which worker i needs each_s[i] for a site, played by the clock. Returns how many were stolen. */
static unsigned phase(struct rig *rig, const struct tf_sites *sites, const double *each_s)
{
    double at_s[TF_WORKERS_MAX] = {0}, sum_s = 0;
    bool done[TF_WORKERS_MAX] = {false};
    unsigned workers = rig->workers.team.present, count = tf_sites_count(sites), stolen = 0, site;
    tf_deal(&rig->sharing, sites, each_s[0]);
    for (unsigned i = 0; i < workers; i++)
        tf_walk_begin(&walk[i], &rig->sharing.phase);
    for (;;) {
        unsigned next = workers;
        for (unsigned i = 0; i < workers; i++)
            if (!done[i] && (next == workers || at_s[i] < at_s[next]))
                next = i;
        if (next == workers)
            break;
        done[next] = !tf_next_site(&rig->sharing, next, &walk[next], &site);
        at_s[next] += done[next] ? 0 : each_s[next];
        sum_s += done[next] ? 0 : each_s[next];
    }
    for (unsigned i = 0; i < workers; i++) {
        *tf_part_of(&rig->workers.team, i) =
            (struct tf_part){.ended_s = at_s[i], .dealt = (uint16_t)walk[i].dealt, .got = (uint16_t)walk[i].taken};
        stolen += walk[i].stolen;
    }
    tf_borders_move(&rig->sharing, count, sum_s / count);
    return stolen;
}

static unsigned dealt_to(struct rig *rig, unsigned worker)
{
    return tf_part_of(&rig->workers.team, worker)->dealt;
}

/* ---- Every site once ---- */

/* Workers take turns at random; some come late. */
static void share_out(struct rig *rig, const struct tf_sites *sites, double visit_s)
{
    unsigned visits[TF_NODES_MAX] = {0}, busy[TF_WORKERS_MAX], present = rig->workers.team.present, left = present;
    unsigned dealt = 0, got = 0, site = 0;
    tf_deal(&rig->sharing, sites, visit_s);
    for (unsigned i = 0; i < present; i++) {
        busy[i] = i;
        tf_walk_begin(&walk[i], &rig->sharing.phase);
    }
    while (left != 0) {
        unsigned i = below(below(2) == 0 ? 1 + left / 2 : left), worker = busy[i];
        if (tf_next_site(&rig->sharing, worker, &walk[worker], &site))
            visits[site]++;
        else
            busy[i] = busy[--left];
    }
    for (unsigned i = 0; i < rig->sharing.plan.sites; i++)
        assert_int_equal(visits[i], tf_sites_has(sites, i));
    for (unsigned i = 0; i < present; i++) {
        dealt += walk[i].dealt;
        got += walk[i].taken;
    }
    assert_int_equal(dealt, tf_sites_count(sites));
    assert_int_equal(got, tf_sites_count(sites));
}

/* Let borders move as workers of any speed move them. With many workers they stay. */
static void shuffle_borders(struct rig *rig)
{
    if (rig->workers.team.count > 16)
        return;
    struct tf_sites sites = some_sites(rig, 1);
    double each_s[TF_WORKERS_MAX];
    for (unsigned i = 0; i < rig->workers.team.count; i++)
        each_s[i] = (1 + below(20)) * US;
    for (unsigned i = 0; i < 40; i++)
        phase(rig, &sites, each_s);
}

static void test_every_site_once(void **unused)
{
    (void)unused;
    static const unsigned counts[] = {1, 2, 3, 16, 139, 256};
    static const double visits_s[] = {0, 10e-9, 100e-9, 400e-9, 5 * US};
    for (unsigned i = 0; i < 3 * sizeof counts / sizeof counts[0]; i++) {
        unsigned count = counts[i / 3];
        struct rig *rig = rig_of(count, 1 + i % 3);
        for (unsigned round = 0; round < 50; round++) {
            struct tf_sites sites = some_sites(rig, 1 + below(1u << below(8)));
            rig->turn = below(100000);
            if (i % 3 == 2)
                shuffle_borders(rig);
            if (round >= 44 && count > 2) /* the host refuses some, for some phases */
                rig->workers.team.present = count - (round & 1) * (count / 3);
            share_out(rig, &sites, visits_s[below(5)]);
        }
        end(rig);
    }
}

struct race {
    struct rig *rig;
    atomic_uint visits[TF_NODES_MAX];
};

static struct tf_part race(void *context, unsigned worker, double began_s)
{
    struct race *race = context;
    struct tf_walk one;
    unsigned site;
    tf_walk_begin(&one, &race->rig->workers.team.phase);
    while (tf_next_site(&race->rig->sharing, worker, &one, &site))
        atomic_fetch_add(&race->visits[site], 1);
    return (struct tf_part){.ended_s = began_s};
}

static void test_threads(void **unused)
{
    (void)unused;
    static const double visits_s[] = {10 * US, 0.4 * US, 0.1 * US};
    struct rig *rig = rig_of(4, 1);
    struct race all = {.rig = rig};
    const struct tf_task task = {.run = race, .context = &all};
    assert_int_equal(tf_team_form(&rig->workers.team), TF_OK);
    for (unsigned round = 1; round <= 300; round++) {
        struct tf_sites sites = some_sites(rig, 2);
        for (unsigned i = 0; i < rig->sharing.plan.sites; i++)
            atomic_store(&all.visits[i], 0);
        if (round % 10 == 0)
            shuffle_borders(rig);
        tf_deal(&rig->sharing, &sites, visits_s[round % 3]);
        tf_team_share(&rig->workers.team, &task, &rig->sharing.phase);
        for (unsigned i = 0; i < rig->sharing.plan.sites; i++)
            assert_int_equal(atomic_load(&all.visits[i]), tf_sites_has(&sites, i));
    }
    end(rig);
}

/* ---- Order, and sites that are left to their owner ---- */

static unsigned take_all(struct rig *rig, unsigned worker, uint16_t *list)
{
    unsigned count = 0, site;
    tf_walk_begin(&walk[worker], &rig->sharing.phase);
    while (tf_next_site(&rig->sharing, worker, &walk[worker], &site))
        list[count++] = (uint16_t)site;
    return count;
}

static void test_order(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct rig *rig = rig_of(2, 1);
    struct tf_sites sites = all_tiles(rig->chip);
    uint16_t all[TF_NODES_MAX], list[TF_NODES_MAX];
    for (rig->turn = 0; rig->turn < rig->sharing.plan.sites; rig->turn += 7) {
        assert_int_equal(tf_list_sites(&rig->sharing, &sites, all), TF_TENSIX_TILES);
        for (unsigned i = 1; i < TF_TENSIX_TILES; i++)
            assert_true((all[i - 1] + rig->turn) % rig->sharing.plan.sites <
                        (all[i] + rig->turn) % rig->sharing.plan.sites);
        tf_deal(&rig->sharing, &sites, 10 * US);
        assert_int_equal(take_all(rig, 0, list), TF_TENSIX_TILES);
        unsigned own = 0, at = 0;
        for (; list[own] < rig->sharing.border[1]; own++) {
            while (all[at] != list[own])
                at++;
        }
        assert_int_equal(own, TF_TENSIX_TILES / 2);
        for (at = TF_TENSIX_TILES - 1; own < TF_TENSIX_TILES; own++) {
            while (all[at] != list[own])
                at--;
        }
        assert_int_equal(take_all(rig, 1, list), 0);
    }
    end(rig);
}

static void test_reserved(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct rig *rig = rig_of(2, 1);
    struct tf_sites sites = all_tiles(rig->chip);
    uint16_t list[TF_NODES_MAX];
    tf_deal(&rig->sharing, &sites, 0.3 * US);
    unsigned left = rig->sharing.phase.reserved;
    assert_in_range(left, 1, 20);
    assert_int_equal(take_all(rig, 0, list), TF_TENSIX_TILES - left);
    assert_int_equal(take_all(rig, 1, list), left);
    end(rig);
}

/*
 * A worker searches other shares only while one of them may have sites. With 16 workers, a search of each costs as much
 * as a visit.
 */
static void test_looks(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct rig *rig = rig_of(14, 1);
    struct tf_sites sites = all_tiles(rig->chip);
    double each_s[14];
    for (unsigned i = 0; i < 14; i++)
        each_s[i] = 10 * US;
    phase(rig, &sites, each_s);
    for (unsigned i = 0; i < 14; i++) {
        assert_int_equal(walk[i].taken, 10);
        assert_int_equal(walk[i].looked, 0);
    }
    each_s[5] = 15 * US;
    assert_int_not_equal(phase(rig, &sites, each_s), 0);
    end(rig);
}

/* Each worker lets the requests of its own targets act, unless it has not begun when the others have ended. */
static void test_chains(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    struct rig *rig = rig_of(4, 1);
    struct tf_sites sites = {{0}};
    uint16_t list[TF_NODES_MAX];
    for (unsigned i = 0; i < 4; i++)
        tf_sites_add(&sites, rig->sharing.owned[i]);
    tf_deal_one_each(&rig->sharing, &sites);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(take_all(rig, i, list), 1);
        assert_int_equal(list[0], rig->sharing.owned[i]);
        assert_int_equal(walk[i].looked, 0);
    }
    unsigned site, taken = 0;
    tf_walk_begin(&walk[0], &rig->sharing.phase);
    walk[0].reserved = 0;
    while (tf_next_site(&rig->sharing, 0, &walk[0], &site))
        taken++;
    assert_int_equal(taken, 2);
    assert_int_equal(take_all(rig, 2, list), 0);
    end(rig);
}

/* Where the run phase was shared, chains are shared if they have many requests, even with only two visits: the targets
   lie in both caches. With 2000 requests, sleeping helpers are woken. */
static void test_chains_are_shared(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("it shares all phases");
    static const struct {
        uint64_t requests;
        bool spread, shared;
    } cases[] = {{2000, true, true}, {2, true, false}, {2000, false, false}};
    struct rig *rig = rig_of(2, 1);
    struct tf_pacing pacing;
    struct tf_phase_plan plan;
    tf_phases_init(&pacing, &rig->sharing, &rig->workers);
    pacing.phase[TF_PHASE_CHAINS].visit_s = 0.1 * US;
    const struct tf_sites sites = tf_chain_sites(&rig->sharing);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pacing.spread = cases[i].spread;
        pacing.chained = cases[i].requests;
        tf_phase_plan(&pacing, &sites, TF_PHASE_CHAINS, &plan);
        assert_int_equal(plan.count, 2);
        assert_int_equal(plan.shared, cases[i].shared);
    }
    end(rig);
}

/* Worker 1 has stolen sites in some phases. */
static void steal(struct tf_sharing *sharing, double stolen_s, unsigned stolen, unsigned phases)
{
    *tf_part_of(sharing->team, 0) = (struct tf_part){.stolen = 0};
    *tf_part_of(sharing->team, 1) = (struct tf_part){.stolen_s = (float)stolen_s, .stolen = (uint16_t)stolen};
    for (unsigned i = 0; i < phases; i++)
        tf_move_cost_update(sharing, 1 * US);
}

/* The sites that are left to their owner, if a visit takes a tenth of a microsecond. */
static unsigned reserved(struct rig *rig)
{
    struct tf_sites sites = all_tiles(rig->chip);
    tf_deal(&rig->sharing, &sites, 0.1 * US);
    return rig->sharing.phase.reserved;
}

/* Their number follows the time of stolen visits. */
static void test_moves(void **unused)
{
    (void)unused;
    struct rig *rig = rig_of(2, 1);
    unsigned nominal = reserved(rig);
    steal(&rig->sharing, 12 * US, 2, 200);
    assert_in_range(reserved(rig), 99, 101);
    steal(&rig->sharing, 1, 1, 200); /* the host delayed it */
    assert_in_range(reserved(rig), 190, 210);
    steal(&rig->sharing, 0, 0, 50000);
    assert_in_range(reserved(rig), nominal - 1, nominal + 1);
    steal(&rig->sharing, 0, 1, 1);
    assert_in_range(reserved(rig), nominal - 1, nominal + 1);
    end(rig);
}

/* The host delays a helper in its first site. The others do all other sites, also those reserved for the helper. */
static struct {
    atomic_uint visits;
    atomic_bool begun, stuck;
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
    while (worker->number == 0 && !atomic_load(&accident.begun) && in_time(until_s))
        continue;
    atomic_fetch_add(&accident.visits, 1);
    if (worker->number == 0)
        return;
    atomic_store(&accident.begun, true);
    while (atomic_load(&accident.visits) < TF_TENSIX_TILES && in_time(until_s))
        continue;
}

static void test_helper_delayed(void **unused)
{
    (void)unused;
    struct tf_chip *chip = chip_of(2);
    struct tf_sites sites = all_tiles(chip);
    struct tf_phase_plan plan;
    chip->epochs.number = 1; /* no epoch in which a test build steals nothing */
    steal(&chip->sharing, 1, 1, 200);
    tf_phase_plan(&chip->pacing, &sites, TF_PHASE_RUN, &plan);
    assert_true(plan.shared);
    tf_phase_begin(&chip->pacing, &plan, visit);
    assert_int_equal(chip->sharing.phase.reserved, 1);
    assert_int_equal(atomic_load(&accident.visits), TF_TENSIX_TILES);
    assert_true(atomic_load(&accident.begun));
    assert_false(atomic_load(&accident.stuck));
    tf_chip_destroy(chip);
}

/* ---- Borders ---- */

static void test_borders_follow(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    static const double even[] = {5 * US, 5 * US, 5 * US}, uneven[] = {5 * US, 10 * US, 5 * US};
    struct rig *rig = rig_of(3, 1);
    struct tf_sites sites = all_tiles(rig->chip);
    for (unsigned i = 0; i < 100; i++)
        assert_in_range(phase(rig, &sites, even), 0, 2); /* 46, 47 and 47 */
    assert_true(phase(rig, &sites, uneven) > 10);
    for (unsigned i = 0; i < 1000; i++)
        phase(rig, &sites, uneven);
    assert_in_range(phase(rig, &sites, uneven), 0, 2);
    assert_in_range(dealt_to(rig, 1), 26, 30);
    for (unsigned i = 0; i < 1000; i++)
        phase(rig, &sites, even);
    assert_in_range(phase(rig, &sites, even), 0, 2);
    assert_in_range(dealt_to(rig, 1), 45, 48);
    end(rig);
}

/* Between two runs each site keeps its owner. The owner of a site lets chained requests act, wherever borders go: here
   until worker 1, which is slow, has no tile. */
static void test_owners_follow(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    double each_s[] = {5 * US, 5000 * US, 5 * US};
    struct rig *rig = rig_of(3, 1);
    struct tf_sharing *sharing = &rig->sharing;
    struct tf_sites sites = all_tiles(rig->chip);
    uint16_t owner[TF_NODES_MAX];
    memcpy(owner, sharing->owner, sizeof owner);
    for (unsigned i = 0; i < 1000; i++)
        phase(rig, &sites, each_s);
    for (unsigned i = 0; i < 100 && dealt_to(rig, 1) != 0; i++) {
        each_s[0] *= 0.99;
        for (unsigned k = 0; k < 100; k++)
            phase(rig, &sites, each_s);
    }
    assert_int_equal(dealt_to(rig, 1), 0);
    assert_memory_equal(sharing->owner, owner, sizeof owner);
    struct tf_sites visited = tf_chain_sites(sharing);
    bool acts[3] = {false};
    for (unsigned site = 0; site < sharing->plan.sites; site++)
        if (tf_sites_has(&visited, site))
            acts[owner[site]] = true;
    assert_true(acts[0] && acts[1] && acts[2]);
    tf_owners_follow(sharing);
    for (unsigned node = 0; node < sharing->plan.sites; node++)
        if (tf_sites_has(&sites, node))
            assert_int_not_equal(sharing->owner[node], 1);
    end(rig);
}

/* A worker is delayed for long, once. Others do its work, and borders hardly move. */
static void test_an_accident(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    static const double even[] = {5 * US, 5 * US}, held_up[] = {5 * US, 1000 * US};
    struct rig *rig = rig_of(2, 1);
    struct tf_sites sites = all_tiles(rig->chip);
    for (unsigned i = 0; i < 200; i++)
        assert_int_equal(phase(rig, &sites, even), 0);
    unsigned before = rig->sharing.border[1];
    assert_true(phase(rig, &sites, held_up) > 60);
    for (unsigned i = 0; i < 300; i++) {
        assert_in_range(phase(rig, &sites, even), 0, 2);
        assert_in_range(rig->sharing.border[1], before, before + 2);
    }
    assert_in_range(phase(rig, &sites, even), 0, 1);
    end(rig);
}

/* Only tiles of one half are active. The border moves to their middle. */
static void test_half_of_the_tiles(void **unused)
{
    (void)unused;
    SKIP_WHEN_HOSTILE("workers are shuffled");
    static const double even[] = {5 * US, 5 * US};
    struct rig *rig = rig_of(2, 1);
    struct tf_sites sites = {{0}};
    for (unsigned i = 0; i < TF_TENSIX_TILES / 2; i++)
        tf_sites_add(&sites, tf_node_number(rig->chip->arch, rig->chip->tiles.tile[i].coord));
    assert_int_equal(phase(rig, &sites, even), TF_TENSIX_TILES / 4);
    for (unsigned i = 0; i < 500; i++)
        phase(rig, &sites, even);
    assert_in_range(phase(rig, &sites, even), 0, 1);
    assert_in_range(dealt_to(rig, 0), 34, 36);
    end(rig);
}

static void test_numa(void **unused)
{
    (void)unused;
    static const double each_s[] = {5 * US, 10 * US, 20 * US, 10 * US};
    struct rig *rig = rig_of(4, 2);
    struct tf_sites sites = all_tiles(rig->chip);
    unsigned before[5];
    for (unsigned i = 0; i < 5; i++)
        before[i] = rig->sharing.border[i];
    for (unsigned i = 0; i < 1000; i++)
        phase(rig, &sites, each_s);
    assert_int_equal(rig->sharing.border[2], before[2]);
    assert_in_range(dealt_to(rig, 0), 45, 48);
    assert_in_range(dealt_to(rig, 1), 22, 25);
    assert_in_range(dealt_to(rig, 2), 22, 25);
    assert_in_range(dealt_to(rig, 3), 45, 48);
    end(rig);
}

/* They lie in one range, but are dealt one by one, and do not move borders. */
static void test_channels(void **unused)
{
    (void)unused;
    static const double even[] = {20 * US, 20 * US, 20 * US};
    struct rig *rig = rig_of(3, 1);
    uint16_t list[TF_NODES_MAX];
    unsigned before = rig->sharing.border[1];
    assert_int_equal(tf_sites_count(&rig->sharing.plan.spread), 8);
    unsigned owned[3] = {0};
    for (unsigned site = 0; site < rig->sharing.plan.sites; site++)
        if (tf_sites_has(&rig->sharing.plan.spread, site))
            owned[rig->sharing.owner[site]]++;
    assert_true(owned[0] == 3 && owned[1] == 3 && owned[2] == 2); /* for chained requests */
    for (unsigned i = 0; i < 300; i++)
        phase(rig, &rig->sharing.plan.spread, even);
    assert_int_equal(dealt_to(rig, 0), 3);
    assert_int_equal(dealt_to(rig, 1), 3);
    assert_int_equal(dealt_to(rig, 2), 2);
    assert_int_equal(rig->sharing.border[1], before);
    struct tf_sites sites = all_tiles(rig->chip);
    tf_sites_join(&sites, &rig->sharing.plan.spread);
    tf_deal(&rig->sharing, &sites, 20 * US);
    take_all(rig, 1, list);
    for (unsigned i = 0; i < 4; i++) /* before its tiles */
        assert_int_equal(tf_sites_has(&rig->sharing.plan.spread, list[i]), i < 3);
    end(rig);
}

static void test_few_sites_move_nothing(void **unused)
{
    (void)unused;
    static const double each_s[] = {5 * US, 50 * US};
    struct rig *rig = rig_of(2, 1);
    struct tf_sites sites = {{0}};
    tf_sites_add(&sites, 40);
    unsigned before = rig->sharing.border[1];
    for (unsigned i = 0; i < 100; i++) {
        phase(rig, &sites, each_s);
        tf_sites_add(&sites, 40 + i % 2);
    }
    assert_int_equal(rig->sharing.border[1], before);
    end(rig);
}

/* Ranges may be empty, and stay in order. */
static void test_more_workers_than_sites(void **unused)
{
    (void)unused;
    static const double each_s[] = {9 * US, 8 * US, 7 * US, 6 * US, 5 * US, 4 * US, 3 * US, 20 * US};
    struct rig *rig = rig_of(8, 1);
    for (unsigned i = 0; i < 3000; i++) {
        struct tf_sites sites = some_sites(rig, 1u << below(8));
        if (tf_sites_none(&sites))
            continue;
        phase(rig, &sites, each_s);
        assert_int_equal(rig->sharing.border[0], 0);
        assert_int_equal(rig->sharing.border[8], rig->sharing.plan.sites);
        for (unsigned w = 0; w < 8; w++)
            assert_true(rig->sharing.border[w] <= rig->sharing.border[w + 1]);
    }
    end(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_every_site_once, seed),
        cmocka_unit_test_setup(test_threads, seed),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_reserved),
        cmocka_unit_test(test_looks),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_chains_are_shared),
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
