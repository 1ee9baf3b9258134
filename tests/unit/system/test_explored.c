/* SPDX-License-Identifier: Apache-2.0 */
/* Systems that explore other orders: decisions about links, and that a seed is one run on any number of threads. */
#include <stdlib.h>

#include "links.h"

#include "cli/systems/list.h"
#include "cli/systems/workload.h"
#include "system_wish.h"
#include "tilefarm/tilefarm_explore.h"

static void configure(struct system_wish *config, struct tf_cluster *cluster, const char *name,
                      const struct tf_explore *explore)
{
    assert_int_equal(tf_cluster_find(name, cluster, NULL), TF_OK);
    system_wish_init(config);
    config->cluster = cluster;
    config->chip.explore = explore;
    config->chip.threads = 1;
    config->chip.slice_cycles = TF_EXPLORE_CYCLES;
    config->chip.epoch_cycles_min = config->chip.epoch_cycles_max = TF_EXPLORE_CYCLES;
}

/* ---- Whole runs ---- */

static size_t all_decisions(struct tf_system *system, struct tf_decision *decision, size_t room)
{
    size_t count = 0;
    for (unsigned chip = 0; tf_system_chip(system, chip) != NULL; chip++)
        count += tf_chip_decisions(tf_system_chip(system, chip), decision + count, room - count);
    assert_true(count <= room);
    return count;
}

/* Run a workload under an order, and return the hash of its end. made: gets the decisions. */
static uint64_t run(const struct tf_explore *explore, unsigned threads, struct tf_decision *made, size_t *count)
{
    struct tf_cluster cluster;
    struct system_wish config;
    struct tf_system *system;
    const struct tf_system_workload *workload = tf_system_workload_find("eth-ping");
    const struct tf_workload_options options = {.scale = workload->scale_test, .seed = 7};
    struct tf_message message = {""};
    void *work = NULL;
    enum tf_end end;
    configure(&config, &cluster, "n300", explore);
    config.chip.threads = threads;
    if (system_wish_create(&config, &system, &message) != TF_OK)
        fail_msg("%s", message.text);
    if (workload->setup(system, &options, &work, &message) != TF_OK)
        fail_msg("%s", message.text);
    assert_int_equal(tf_system_run(system, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    if (workload->verify(system, work, &message) != TF_OK)
        fail_msg("%s", message.text);
    if (made != NULL)
        *count = all_decisions(system, made, *count);
    const uint64_t hash = tf_system_hash(system);
    workload->release(work);
    tf_system_destroy(system);
    return hash;
}

#define ROOM 65536u

static void test_seeds(void **state)
{
    (void)state;
    struct tf_explore seed = {.scheduled = false}, other = seed;
    struct tf_decision *made = calloc(ROOM, sizeof *made);
    size_t count = ROOM;
    unsigned of_links = 0, of_chip_1 = 0;
    assert_non_null(made);
    tf_explore_random(&seed, 3);
    tf_explore_random(&other, 4);
    for (unsigned i = 0; i < TF_FREEDOMS; i++)
        seed.rate[i] = other.rate[i] = i >= TF_FREE_LINK ? 8192 : 512;
    const uint64_t hash = run(&seed, 1, made, &count);
    assert_true(run(&seed, 2, NULL, NULL) == hash);
    assert_true(run(&other, 1, NULL, NULL) != hash);
    for (size_t i = 0; i < count; i++) {
        of_links += made[i].freedom >= TF_FREE_LINK;
        of_chip_1 += made[i].chip == 1;
    }
    assert_true(of_links != 0 && of_chip_1 != 0 && of_chip_1 != count);
    const struct tf_explore schedule = {.scheduled = true, .decision = made, .decisions = count};
    assert_true(run(&schedule, 1, NULL, NULL) == hash);
    free(made);
}

/* ---- Decisions about links ---- */

#define FROM 0x4000u
#define TO 0x8000u
#define EPOCHS 80u /* that something comes late */

struct order {
    struct tf_decision decision;
    struct tf_explore explore;
    struct tf_cluster cluster;
    struct link *link;
    uint64_t arrives[2]; /* of the first packets */
};

static void see_packet(void *user, const struct tf_packet_event *event)
{
    struct order *order = user;
    if (event->number < 2)
        order->arrives[event->number] = event->arrives;
}

/* The number of a tile with a link, and its chip. */
static unsigned tile_of(const struct order *order, unsigned end)
{
    const struct tf_cluster_end port = order->cluster.link[0].end[end];
    return (unsigned)tf_port_tile(tf_system_chip(order->link->system, port.chip), port.port);
}

/* Make a link with one decision about the tile at an end. */
static struct order *begin(unsigned family, unsigned end, enum tf_freedom freedom, unsigned actor, uint32_t value)
{
    struct order *order = calloc(1, sizeof *order);
    struct system_wish config;
    assert_non_null(order);
    order->explore = (struct tf_explore){.scheduled = true};
    configure(&config, &order->cluster, systems[family], &order->explore);
    config.on_packet = see_packet;
    config.user = order;
    order->link = link_make_of(&config, 0);
    order->decision = (struct tf_decision){.freedom = (uint8_t)freedom,
                                           .chip = order->cluster.link[0].end[end].chip,
                                           .tile = (uint16_t)tile_of(order, end),
                                           .actor = (uint16_t)actor,
                                           .value = value};
    order->explore.decision = &order->decision;
    order->explore.decisions = 1;
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(tf_chip_explore(order->link->chip[i], &order->explore), TF_OK);
    fill(order->link, NEAR, FROM, 256, 1);
    return order;
}

static void end(struct order *order)
{
    link_free(order->link);
    free(order);
}

static bool is_there(struct order *order, uint32_t at)
{
    return peek(order->link, FAR, TO + at) == peek(order->link, NEAR, FROM + at);
}

static void test_late_packets_stay_in_order(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        uint64_t usual[2];
        for (unsigned late = 0; late < 2; late++) {
            struct order *order = begin(family, NEAR, TF_FREE_LINK, 0, late * EPOCHS);
            send_l1(order->link, 0, FROM, TO, 128);
            send_l1(order->link, 0, FROM + 128, TO + 128, 128);
            settle(order->link);
            assert_true(is_there(order, 0) && is_there(order, 252));
            if (late == 0)
                memcpy(usual, order->arrives, sizeof usual);
            else
                assert_true(order->arrives[0] == usual[0] + EPOCHS * TF_EXPLORE_CYCLES &&
                            order->arrives[1] >= order->arrives[0]);
            end(order);
        }
    }
}

static void test_lost_packets_are_sent_again(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct order *order = begin(family, NEAR, TF_FREE_LOSS, 0, 1);
        struct tf_link_stats stats;
        send_l1(order->link, 0, FROM, TO, 128);
        step(order->link, 8192);
        assert_false(is_there(order, 0));
        settle(order->link);
        assert_true(is_there(order, 0));
        assert_int_equal(tf_link_stats(order->link->system, 0, &stats), TF_OK);
        assert_int_equal(stats.lost, 1);
        end(order);
    }
}

/* The first 32 bytes of a packet are of stream 0, the next 16 of stream 1, and so on in turn. */
static void test_streams_come_late(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++)
        for (unsigned late = 0; late < 2; late++) {
            struct order *order = begin(family, FAR, TF_FREE_STREAM, late, EPOCHS);
            send_l1(order->link, 0, FROM, TO, 96);
            step(order->link, 2048);
            for (uint32_t line = 0; line < 6; line++)
                assert_int_equal(is_there(order, 16 * line), (line >= 2 && line % 2 == 0) == (late == 0));
            assert_int_not_equal(peek(order->link, FAR, rxq(order->link, 0, RX_OUTSTANDING)), 0);
            send_l1(order->link, 0, FROM + 128, TO + 128, 32); /* all of it by stream 0 */
            step(order->link, 1536);
            assert_int_equal(is_there(order, 128), late == 1);
            settle(order->link);
            assert_true(is_there(order, 0) && is_there(order, 32) && is_there(order, 128));
            assert_int_equal(peek(order->link, FAR, rxq(order->link, 0, RX_OUTSTANDING)), 0);
            end(order);
        }
}

/* A register of the peer may have its value before the data, or after them. */
static void test_registers_come_late(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct order *order = begin(family, FAR, TF_FREE_STREAM, 2, EPOCHS);
        const uint32_t there = txq(1, TX_FROM);
        store_to(order->link, NEAR, 0, there, 0x1230);
        send_l1(order->link, 0, FROM, TO, 32);
        step(order->link, 2048);
        assert_true(is_there(order, 0));
        assert_int_not_equal(peek(order->link, FAR, there), 0x1230);
        settle(order->link);
        assert_int_equal(peek(order->link, FAR, there), 0x1230);
        end(order);
    }
}

/* After how many steps of a slice the far end has a packet of the near end, and the acknowledgement of its own one. */
struct arrivals {
    unsigned frame, answer;
};

static struct arrivals exchange(struct order *order)
{
    struct link *link = order->link;
    struct arrivals after = {0, 0};
    poke(link, NEAR, txq(0, TX_PERIOD), 16);
    send_l1(link, 0, FROM, TO, 128);
    store_to(link, FAR, 0, txq(1, TX_FROM), 0x1230);
    for (unsigned steps = 1; after.frame == 0 || after.answer == 0; steps++) {
        assert_true(steps < 4 * EPOCHS);
        step(link, TF_EXPLORE_CYCLES);
        if (after.frame == 0 && is_there(order, 0))
            after.frame = steps;
        if (after.answer == 0 && peek(link, FAR, rxq(link, 0, RX_REMOTE)) == 1)
            after.answer = steps;
    }
    return after;
}

/* An acknowledgement comes after the frames that were sent before it, also where they are late. Data of a frame are
   written when the slice after its arrival begins. */
static void test_answers_stay_behind_frames(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct arrivals after[2];
        for (unsigned late = 0; late < 2; late++) {
            struct order *order = begin(family, NEAR, TF_FREE_LINK, 0, late * EPOCHS);
            after[late] = exchange(order);
            assert_int_equal(peek(order->link, NEAR, txq(1, TX_FROM)), 0x1230);
            settle(order->link);
            end(order);
        }
        assert_true(after[1].frame > 2 * after[0].answer && after[0].answer > after[0].frame);
        assert_true(after[1].answer + 1 >= after[1].frame);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_late_packets_stay_in_order),
        cmocka_unit_test(test_answers_stay_behind_frames),
        cmocka_unit_test(test_lost_packets_are_sent_again),
        cmocka_unit_test(test_streams_come_late),
        cmocka_unit_test(test_registers_come_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
