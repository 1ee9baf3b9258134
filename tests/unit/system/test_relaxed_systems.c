/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Systems in relaxed mode: all chips are run by all threads, and a link hands over at once, in order. Invariants R5, R9
 * and R10 of docs/design.md. With an argument, `blackhole` or `wormhole`, systems of one family alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/systems/contend.h"
#include "cli/systems/links.h"
#include "cli/systems/list.h"
#include "host/sanitizer.h"
#include "system_wish.h"
#include "tilefarm_address.h"
#include "tilefarm_layout.h"
#include "tilefarm/tilefarm_system_run.h"

static const char *const systems[] = {"p300", "n300"};
static unsigned first = 0, end_of_systems = 2;

#define EACH_SYSTEM(name) for (const char *const *name = systems + first; name < systems + end_of_systems; name++)

static void configure(struct system_wish *config, struct tf_cluster *cluster, const char *name)
{
    assert_int_equal(tf_cluster_find(name, cluster, NULL), TF_OK);
    system_wish_init(config);
    config->cluster = cluster;
    config->chip.mode = TF_MODE_RELAXED;
    config->chip.threads = 2;
}

static struct tf_system *make(const char *name, unsigned threads)
{
    struct tf_cluster cluster;
    struct system_wish config;
    struct tf_system *system = NULL;
    struct tf_message message = {""};
    configure(&config, &cluster, name);
    config.chip.threads = threads;
    if (system_wish_create(&config, &system, &message) != TF_OK)
        fail_msg("%s", message.text);
    return system;
}

/* Run until all is quiet. A run without an end fails. */
static void run(struct tf_system *system)
{
    const struct tf_system_run_options options = {.run = {.wall_s_max = 30}};
    enum tf_end end;
    assert_int_equal(tf_system_run(system, &options, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
}

static void *set_up(struct tf_system *system, const struct tf_system_workload *workload)
{
    struct tf_workload_options options = {.scale = workload->scale_test, .seed = 7};
    struct tf_message message = {""};
    void *work = NULL;
    if (workload->setup(system, &options, &work, &message) != TF_OK)
        fail_msg("%s", message.text);
    return work;
}

static void verify(struct tf_system *system, const struct tf_system_workload *workload, void *work)
{
    struct tf_message message = {""};
    if (workload->verify(system, work, &message) != TF_OK)
        fail_msg("%s: %s", workload->name, message.text);
    workload->release(work);
}

/* Packets that the links of a system have carried. Nothing is under way, and none was lost. */
static uint64_t packets_of(struct tf_system *system)
{
    struct tf_link_stats stats;
    uint64_t packets = 0;
    for (unsigned i = 0; tf_link_stats(system, i, &stats) == TF_OK; i++) {
        assert_int_equal(stats.waiting, 0);
        assert_int_equal(stats.lost, 0);
        packets += stats.packets;
    }
    return packets;
}

/* Packets of a workload in deterministic mode. */
static uint64_t packets_in_order(const char *name, const struct tf_system_workload *workload)
{
    struct tf_cluster cluster;
    struct system_wish config;
    struct tf_system *system = NULL;
    configure(&config, &cluster, name);
    config.chip.mode = TF_MODE_DETERMINISTIC;
    config.chip.threads = 1;
    assert_int_equal(system_wish_create(&config, &system, NULL), TF_OK);
    void *work = set_up(system, workload);
    assert_int_equal(tf_system_run(system, NULL, NULL), TF_OK);
    verify(system, workload, work);
    const uint64_t packets = packets_of(system);
    tf_system_destroy(system);
    return packets;
}

/* Each workload is right on any number of threads. Links carry what they carry in deterministic mode: nothing is
   dropped and sent again. */
static void test_right_on_any_threads(void **state)
{
    static const unsigned threads[] = {1, 2, 4};
    (void)state;
    EACH_SYSTEM(name)
    for (const struct tf_system_workload *const *w = tf_system_workloads; *w != NULL; w++) {
        const uint64_t packets = packets_in_order(*name, *w);
        for (unsigned i = TF_WITH_TSAN; i < 3; i++) { /* one thread has no race to find */
            struct tf_system *system = make(*name, threads[i]);
            void *work = set_up(system, *w);
            run(system);
            verify(system, *w, work);
            assert_int_equal(packets_of(system), packets);
            tf_system_destroy(system);
        }
    }
}

/* Links and tiles contend for words and registers. Two rounds, on one system. */
static void test_contention(void **state)
{
    (void)state;
    EACH_SYSTEM(name)
    {
        struct tf_system *system = make(*name, 2);
        for (unsigned round = 0; round < 2; round++) {
            void *work = set_up(system, &tf_system_contend);
            run(system);
            verify(system, &tf_system_contend, work);
        }
        tf_system_destroy(system);
    }
}

/* A run that a limit of cycles ends goes on with the next one. All chips have one time then. */
static void test_limits(void **state)
{
    (void)state;
    EACH_SYSTEM(name)
    {
        struct tf_system *system = make(*name, 2);
        void *work = set_up(system, &tf_system_ring);
        const struct tf_system_run_options options = {.run = {.cycles_max = 4096}};
        enum tf_end end = TF_END_CYCLES;
        unsigned runs = 0;
        for (; end == TF_END_CYCLES; runs++) {
            assert_int_equal(tf_system_run(system, &options, &end), TF_OK);
            for (unsigned i = 0; i < 2; i++) {
                struct tf_stats stats;
                tf_stats(tf_system_chip(system, i), &stats);
                assert_int_equal(stats.cycles, tf_system_cycles(system));
            }
        }
        assert_int_equal(end, TF_END_QUIET);
        assert_true(runs > 2);
        verify(system, &tf_system_ring, work);
        tf_system_destroy(system);
    }
}

/* The run ends when a word of chip 1 has its value, or after tf_system_stop(). */
static void test_ends(void **state)
{
    (void)state;
    EACH_SYSTEM(name)
    {
        struct tf_system *system = make(*name, 2);
        void *work = set_up(system, &tf_system_ring);
        const struct tf_cluster_end port = tf_system_cluster(system)->link[0].end[1];
        struct tf_system_run_options options = {.until_chip = port.chip,
                                                .run = {.until = true,
                                                        .until_address = TF_L_DONE,
                                                        .until_value = TF_K_DONE_MAGIC}};
        enum tf_end end;
        assert_int_equal(port.chip, 1);
        assert_int_equal(tf_port_coord(tf_chip_arch(tf_system_chip(system, 1)), port.port, &options.run.until_node),
                         TF_OK);
        tf_system_stop(system);
        assert_int_equal(tf_system_run(system, NULL, &end), TF_OK);
        assert_int_equal(end, TF_END_STOPPED);
        assert_int_equal(tf_system_run(system, &options, &end), TF_OK);
        assert_int_equal(end, TF_END_VALUE);
        run(system);
        verify(system, &tf_system_ring, work);
        tf_system_destroy(system);
    }
}

/* E0 of chip 1 waits for a peer that does not send: all chips are quiet, and that core waits. */
static void test_deadlock(void **state)
{
    (void)state;
    EACH_SYSTEM(name)
    {
        struct tf_system *system = make(*name, 2);
        const struct tf_workload_options options = {.scale = 1};
        struct tf_message message = {""};
        struct tf_waiting waiting;
        int error;
        struct tf_links *links = tf_links_begin(system, &tf_system_ping, &options, &error, &message);
        assert_non_null(links);
        links->bytes = 16;
        assert_int_equal(tf_links_start(system, links, tf_system_cluster(system)->link[0].end[1],
                                        &(struct tf_link_job){.role = TF_L_PONG}, &message),
                         TF_OK);
        run(system);
        assert_int_equal(tf_waits(tf_system_chip(system, 0), &waiting, 1), 0);
        assert_int_equal(tf_waits(tf_system_chip(system, 1), &waiting, 1), 1);
        assert_true(waiting.stuck);
        free(links);
        tf_system_destroy(system);
    }
}

/* ---- The host uses queues ---- */

/* Registers of queues (EthernetTxRx.md). */
enum { TX_COMMAND = 0x04, TX_FROM = 0x14, TX_BYTES = 0x18, TX_TO = 0x1C, RX_CONTROL = 0x00, RX_DROPPED = 0x4C };
enum { WRITE = 2, RX_PACKET_MODE = 2, RX_BACK_PRESSURE = 8 };

struct port {
    struct tf_chip *chip;
    struct tf_coord at;
};

static struct port port_of(struct tf_system *system, unsigned end)
{
    const struct tf_cluster_end at = tf_system_cluster(system)->link[0].end[end];
    struct port port = {.chip = tf_system_chip(system, at.chip)};
    assert_int_equal(tf_port_coord(tf_chip_arch(port.chip), at.port, &port.at), TF_OK);
    return port;
}

static void poke(const struct port *port, uint32_t address, uint32_t value)
{
    assert_int_equal(tf_write(port->chip, port->at, address, &value, sizeof value), TF_OK);
}

static uint32_t peek(const struct port *port, uint32_t address)
{
    uint32_t value;
    assert_int_equal(tf_read(port->chip, port->at, address, &value, sizeof value), TF_OK);
    return value;
}

static uint32_t txq(unsigned queue, uint32_t offset)
{
    return TF_ETH_LINK_BASE + 0x1000 * queue + offset;
}

static uint32_t rxq(const char *name, unsigned queue, uint32_t offset)
{
    return TF_ETH_LINK_BASE + (name[0] == 'n' ? 0x2000 : 0x4000) + 0x1000 * queue + offset;
}

static void send(const struct port *port, unsigned queue, uint32_t from, uint32_t to)
{
    poke(port, txq(queue, TX_FROM), from);
    poke(port, txq(queue, TX_BYTES), 16);
    poke(port, txq(queue, TX_TO), to);
    poke(port, txq(queue, TX_COMMAND), WRITE);
}

/* A queue that takes no TT-link packets drops one. It is sent again, by a tile on which nothing else happens, until the
   queue takes it. */
static void test_dropped_packets_are_sent_again(void **state)
{
    (void)state;
    EACH_SYSTEM(name)
    {
        struct tf_system *system = make(*name, 2);
        const struct port near = port_of(system, 0), far = port_of(system, 1);
        const struct tf_system_run_options options = {.run = {.cycles_max = 100000}};
        enum tf_end end;
        poke(&far, rxq(*name, 0, RX_CONTROL), 0);
        poke(&near, 0x20000, 0x600D);
        send(&near, 0, 0x20000, 0x30000);
        assert_int_equal(tf_system_run(system, &options, &end), TF_OK);
        assert_int_equal(end, TF_END_CYCLES);
        assert_int_equal(peek(&far, 0x30000), 0);
        struct tf_link_stats stats;
        assert_int_equal(tf_link_stats(system, 0, &stats), TF_OK);
        assert_int_equal(stats.packets, 3); /* after 0, 40,000 and 80,000 cycles */
        poke(&far, rxq(*name, 0, RX_CONTROL), RX_PACKET_MODE);
        run(system);
        assert_int_equal(peek(&far, 0x30000), 0x600D);
        assert_int_equal(tf_link_stats(system, 0, &stats), TF_OK);
        assert_int_equal(stats.packets, 4);
        tf_system_destroy(system);
    }
}

/* Wormhole: packets wait for a queue that forces back-pressure. Nobody waits for the emulator, and the run ends. */
static void test_back_pressure(void **state)
{
    (void)state;
    if (end_of_systems != 2)
        return;
    struct tf_system *system = make("n300", 2);
    const struct port near = port_of(system, 0), far = port_of(system, 1);
    const struct tf_system_run_options options = {.run = {.cycles_max = 20000}};
    enum tf_end end;
    poke(&far, rxq("n300", 1, RX_CONTROL), RX_BACK_PRESSURE);
    for (uint32_t i = 0; i < 4; i++) {
        poke(&near, 0x20000 + 16 * i, i + 1);
        send(&near, 0, 0x20000 + 16 * i, 0x30000 + 16 * i);
        assert_int_equal(tf_system_run(system, &options, &end), TF_OK);
        assert_int_equal(end, TF_END_CYCLES); /* the time-out is to come */
        assert_int_equal(peek(&far, 0x30000 + 16 * i), 0);
    }
    poke(&far, rxq("n300", 1, RX_CONTROL), 0);
    run(system);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(peek(&far, 0x30000 + 16 * i), i + 1);
    tf_system_destroy(system);
}

/* ---- What relaxed mode cannot do ---- */

static void ignore_packet(void *user, const struct tf_packet_event *event)
{
    (void)user, (void)event;
}

static void assert_refused(const struct system_wish *config, const char *why)
{
    struct tf_system *system = NULL;
    struct tf_message message = {""};
    assert_int_equal(system_wish_create(config, &system, &message), TF_EINVAL);
    assert_null(system);
    assert_non_null(strstr(message.text, why));
}

static void test_refused(void **state)
{
    (void)state;
    struct tf_cluster cluster;
    struct system_wish config;
    const struct tf_link_fault fault = {.kind = TF_LINK_DOWN};
    struct tf_message message = {""};
    configure(&config, &cluster, "n300");
    config.link_latency_cycles = 2000;
    assert_refused(&config, "links take no time");
    configure(&config, &cluster, "n300");
    config.link_gbps = 10;
    assert_refused(&config, "links take no time");
    configure(&config, &cluster, "n300");
    config.link_fault = &fault;
    config.link_faults = 1;
    assert_refused(&config, "links have no faults");
    configure(&config, &cluster, "n300");
    config.on_packet = ignore_packet;
    assert_refused(&config, "on_packet must be NULL");
    struct tf_system *system = make("n300", 1);
    assert_int_equal(tf_system_save(system, "test_relaxed_systems.tfs", &message), TF_EINVAL);
    assert_non_null(strstr(message.text, "relaxed mode"));
    message.text[0] = '\0';
    assert_int_equal(tf_system_restore(system, "test_relaxed_systems.tfs", &message), TF_EINVAL);
    assert_non_null(strstr(message.text, "relaxed mode"));
    const struct tf_system_run_options pause = {.run = {.pause_cycle = 1000}};
    assert_int_equal(tf_system_run(system, &pause, NULL), TF_EINVAL);
    assert_int_equal(tf_system_latency(system), 0);
    assert_int_equal(tf_system_gbps(system), 0);
    tf_system_destroy(system);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_on_any_threads),
        cmocka_unit_test(test_contention),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_dropped_packets_are_sent_again),
        cmocka_unit_test(test_back_pressure),
        cmocka_unit_test(test_refused),
    };
    if (count > 1)
        first = strcmp(arguments[1], "wormhole") == 0;
    if (count > 1)
        end_of_systems = first + 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
