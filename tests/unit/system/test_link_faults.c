/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of links: what is lost and sent again, what firmware's words say, and that all of it is simulated. */
#include "cli/systems/list.h"
#include "links.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/systems/links.h"
#include "system_wish.h"
#include "tilefarm_address.h"

static void configure(const char *system, const char *text, struct tf_cluster *cluster, struct tf_link_fault *fault,
                      struct system_wish *config)
{
    struct tf_message message = {""};
    assert_int_equal(tf_cluster_find(system, cluster, NULL), TF_OK);
    system_wish_init(config);
    config->cluster = cluster;
    config->chip.threads = 1;
    if (tf_link_fault_parse(cluster, text, fault, &config->link_faults, &message) != TF_OK)
        fail_msg("%s", message.text);
    config->link_fault = fault;
}

static struct link *make(const char *system, const char *text)
{
    static struct tf_cluster cluster;
    static struct tf_link_fault fault[TF_LINK_FAULTS_MAX];
    struct system_wish config;
    configure(system, text, &cluster, fault, &config);
    return link_make_of(&config, 0);
}

/* The port that sends in these tests: end 0 of the first link. */
static const char *const ports[2] = {"0:8", "0:2"};

static struct link *make_of(unsigned family, const char *fault)
{
    char text[100];
    snprintf(text, sizeof text, "%s %s", ports[family], fault);
    return make(systems[family], text);
}

static void test_raw_packets_stay_lost(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct link *link = make_of(family, "lose 1");
        struct tf_link_stats stats;
        poke(link, FAR, rxq(link, 1, RX_START), 0x900);
        poke(link, FAR, rxq(link, 1, RX_SIZE), 0x40);
        poke(link, FAR, rxq(link, 1, RX_CONTROL), 0);
        fill(link, NEAR, 0x4000, 64, 1);
        send_raw(link, 1, 0x4000, 16);
        send_raw(link, 1, 0x4010, 16);
        send_raw(link, 1, 0x4020, 16);
        settle(link);
        assert_int_equal(peek(link, NEAR, txq(1, TX_ENDED)), 3);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_ENDED)), 2);
        assert_int_equal(tf_link_stats(link->system, 0, &stats), TF_OK);
        assert_true(stats.packets == 2 && stats.lost == 1 && stats.waiting == 0);
        assert_same(link, 0x4000, 0x9000, 16);
        assert_same(link, 0x4020, 0x9010, 16);
        link_free(link);
    }
}

/* Go-Back-N: what comes behind a lost packet is dropped, and all of it is sent again, in order. Wormhole's firmware
   sets ETH_TXQ_CTRL_DIS_DROP: after the time-out alone. Blackhole's does not: as soon as the receiver has told. */
static void test_tt_link_packets_are_sent_again(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct link *link = make_of(family, "lose 0");
        fill(link, NEAR, 0x4000, 64, 2);
        send_l1(link, 0, 0x4000, 0x8000, 16);
        send_l1(link, 0, 0x4010, 0x8000, 16);
        store_to(link, NEAR, 0, TF_STREAM_BASE + 0x1000 * 3 + 4 * 8, 0x123);
        step(link, 2048);
        assert_int_equal(peek(link, FAR, 0x8000), 0);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_DROPPED)), 2);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_LOCAL)), 0);
        step(link, 4096);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_LOCAL)), family == WORMHOLE ? 0 : 3);
        settle(link);
        assert_same(link, 0x4010, 0x8000, 16);
        assert_int_equal(peek(link, FAR, TF_STREAM_BASE + 0x1000 * 3 + 4 * 8), 0x123);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_LOCAL)), 3);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_DROPPED)), 2);
        assert_int_equal(peek(link, NEAR, txq(0, TX_ENDED)), 6);
        assert_int_equal(peek(link, NEAR, txq(0, TX_TRANSFERS)), 3);
        if (family == BLACKHOLE) { /* firmware counts when it is asked to check the link */
            poke(link, NEAR, 0x7D000, 0xCA110001);
            assert_int_equal(peek(link, NEAR, 0x7CEA0), 3);
            poke(link, FAR, 0x7D000, 0xCA110001);
            assert_int_equal(peek(link, FAR, 0x7CEB8), 2);
            assert_int_equal(peek(link, FAR, 0x7CE50), 5);
        }
        link_free(link);
    }
}

static void assert_up(struct link *link, bool up, unsigned trained)
{
    for (unsigned end = 0; end < 2; end++) {
        if (link->family == WORMHOLE) {
            assert_int_equal(peek(link, end, 0x1104), up);
            assert_int_equal(peek(link, end, 0x1EDC), trained);
            continue;
        }
        assert_int_equal(peek(link, end, TF_ETH_LINK_BASE + 0x800C), up);
        assert_int_equal(peek(link, end, 0x7CC04), up ? 1 : 2);
        assert_int_equal(peek(link, end, 0x7CE04), up);
        assert_int_equal(peek(link, end, 0x7CE00), trained);
    }
}

/* A cut link loses what is on it. TT-link packets wait, and are sent when it is up; raw ones are gone. */
static void test_a_cut_link(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        char text[100];
        snprintf(text, sizeof text, "%s cut 3000, %s up 20000", ports[family], ports[family]);
        struct link *link = make(systems[family], text);
        fill(link, NEAR, 0x4000, 64, 3);
        assert_up(link, true, 0);
        step(link, 2500);
        send_l1(link, 0, 0x4000, 0x8000, 16); /* on the link when it is cut */
        step(link, 4000);
        assert_up(link, false, 0);
        send_l1(link, 0, 0x4010, 0x8010, 16);
        send_raw(link, 1, 0x4000, 16);
        assert_int_equal(peek(link, NEAR, txq(0, TX_ENDED)), 1);
        assert_int_equal(peek(link, NEAR, txq(0, TX_TRANSFERS)), family == WORMHOLE ? 1 : 1);
        step(link, 20000);
        assert_up(link, false, 0); /* it is trained from 20,000 on, for 10,000 cycles */
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_ENDED)), 0);
        step(link, 6000);
        assert_up(link, true, 1);
        assert_same(link, 0x4000, 0x8000, 32);
        assert_int_equal(peek(link, NEAR, txq(0, TX_ENDED)), 3);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_ENDED)), 2);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_ENDED)), 0);
        settle(link);
        link_free(link);
    }
}

/* Packets for a link that never comes up wait, and the system is quiet. */
static void test_a_link_that_stays_down(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct link *link = make_of(family, "down");
        assert_up(link, false, 0);
        send_l1(link, 0, 0x4000, 0x8000, 16);
        settle(link);
        step(link, 100000);
        assert_int_equal(peek(link, NEAR, txq(0, TX_STARTED)), 0);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_ENDED)), 0);
        link_free(link);
    }
}

static void test_a_slow_link(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct link *link = make_of(family, "slow 100");
        poke(link, NEAR, txq(0, TX_MAX), 0);
        send_l1(link, 0, 0x4000, 0x8000, 4096);
        step(link, family == WORMHOLE ? 30000 : 8192); /* 41,520 bytes times 0.8 and 0.27 cycles */
        assert_int_equal(peek(link, NEAR, txq(0, TX_ENDED)), 0);
        settle(link);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_ENDED)), 1);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_DROPPED)), 0);
        link_free(link);
    }
}

/* ---- Workloads ---- */

static const struct {
    const char *system, *faults;
} broken[] = {
    {"n300", "0:8 lose 5% 3, 1:0 lose 2%, 0:9 lose 0 1 2 9, 1:1 slow 3"},
    {"p300", "0:2 lose 5% 3, 1:9 lose 2%, 0:3 lose 0 1 2 9, 1:8 slow 3"},
    {"t3000", "0:8 cut 5000, 0:8 up 30000, 1:8 lose 10% 1, 4:0 lose 10% 1"},
    {"quietbox2", "0:8 cut 9000, 0:8 up 12000, 0:2 down, 0:2 up 8000"},
};

/* A save of a system is one file, and one for each chip. It was the first save there. */
static void remove_save(const char *path, unsigned chips)
{
    char name[100];
    unlink(path);
    for (unsigned i = 0; i < chips; i++) {
        snprintf(name, sizeof name, "%s.1.chip%u", path, i);
        assert_int_equal(unlink(name), 0);
    }
}

static uint64_t run(unsigned i, const struct tf_system_workload *workload, unsigned threads, uint64_t pause)
{
    static struct tf_cluster cluster;
    static struct tf_link_fault fault[TF_LINK_FAULTS_MAX];
    struct system_wish config;
    struct tf_system *system = NULL;
    struct tf_workload_options options = {.scale = workload->scale_test, .seed = 5};
    struct tf_system_run_options first = {.run = {.pause_cycle = pause}};
    struct tf_message message = {""};
    void *work = NULL;
    enum tf_end end;
    char path[] = "faults.XXXXXX";
    configure(broken[i].system, broken[i].faults, &cluster, fault, &config);
    config.chip.threads = threads;
    assert_int_equal(system_wish_create(&config, &system, &message), TF_OK);
    assert_int_equal(workload->setup(system, &options, &work, &message), TF_OK);
    if (pause != 0) {
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        close(fd);
        assert_int_equal(tf_system_run(system, &first, &end), TF_OK);
        if (tf_system_save(system, path, &message) != TF_OK || tf_system_restore(system, path, &message) != TF_OK)
            fail_msg("%s", message.text);
    }
    assert_int_equal(tf_system_run(system, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    if (workload->verify(system, work, &message) != TF_OK)
        fail_msg("%s on %s: %s", workload->name, broken[i].system, message.text);
    uint64_t hash = tf_system_hash(system);
    workload->release(work);
    tf_system_destroy(system);
    if (pause != 0) {
        remove_save(path, cluster.chips);
    }
    return hash;
}

static void test_workloads_survive(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof broken / sizeof broken[0]; i++)
        for (const struct tf_system_workload *const *w = tf_system_workloads; *w != NULL; w++) {
            const uint64_t hash = run(i, *w, 1, 0);
            assert_true(run(i, *w, 2 + i % 2, 0) == hash);
        }
}

static void test_saved_amid_faults(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const struct tf_system_workload *workload = tf_system_workloads[1];
        const uint64_t hash = run(i, workload, 1, 0);
        assert_true(run(i, workload, 1, 3000) == hash);
        assert_true(run(i, workload, 2, 20000) == hash);
    }
}

/* ---- The text ---- */

static void test_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"", "begins with a port"},
        {"8", "begins with a port"},
        {"0:8x down", "begins with a port"},
        {"0:3 down", "no link at port 3"},
        {"0:8", "lose RATE% [SEED] or slow N"},
        {"0:8 flaps", "lose RATE% [SEED] or slow N"},
        {"0:8 cut", "cut takes a number"},
        {"0:8 cut soon", "cut takes a number"},
        {"0:8 cut 1000000000000000000000", "cut takes a number"},
        {"0:8 lose", "numbers of packets, or a rate"},
        {"0:8 lose 1 x", "numbers of packets, or a rate"},
        {"0:8 lose 1.2.3%", "numbers of packets, or a rate"},
        {"0:8 lose 1% x", "seed"},
        {"0:8 lose 1% 2 3", "separate faults by commas"},
        {"0:8 down 5", "separate faults by commas"},
        {"0:8 down,", "begins with a port"},
    };
    static const struct {
        const char *text, *why;
    } refused[] = {
        {"0:8 up 5", "is not down"},
        {"0:8 down, 0:8 cut 5", "goes down twice"},
        {"0:8 cut 50, 1:0 up 50", "before it is down"},
        {"0:8 cut 50, 1:0 up 100, 0:8 cut 200", "while it is trained"},
        {"0:8 cut 0", "is not cut"},
        {"0:8 lose 0%", "between 0 and 100"},
        {"0:8 lose 100%", "between 0 and 100"},
        {"0:8 slow 1", "2 to 1000"},
        {"0:8 slow 2, 0:8 slow 2", "one factor"},
        {"0:8 lose 3 4 3", "lost twice"},
    };
    static struct tf_link_fault fault[TF_LINK_FAULTS_MAX];
    struct tf_cluster cluster;
    struct tf_message message;
    unsigned count = 0;
    assert_int_equal(tf_cluster_find("n300", &cluster, NULL), TF_OK);
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (tf_link_fault_parse(&cluster, wrong[i].text, fault, &count, &message) != TF_EFORMAT)
            fail_msg("%s: is taken", wrong[i].text);
        if (strstr(message.text, wrong[i].why) == NULL)
            fail_msg("%s: %s", wrong[i].text, message.text);
    }
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct system_wish config;
        struct tf_system *system = NULL;
        configure("n300", refused[i].text, &cluster, fault, &config);
        assert_int_equal(system_wish_create(&config, &system, &message), TF_EINVAL);
        if (strstr(message.text, refused[i].why) == NULL)
            fail_msg("%s: %s", refused[i].text, message.text);
    }
    assert_int_equal(tf_link_fault_parse(&cluster, " 1:0 lose 0.25% 9 ,0:9  lose 7 8", fault, &count, &message), TF_OK);
    assert_int_equal(count, 3);
    assert_int_equal(fault[0].kind, TF_LINK_RATE);
    assert_int_equal(fault[0].link, 0);
    assert_int_equal(fault[0].direction, 1);
    assert_int_equal(fault[0].value, 2500);
    assert_int_equal(fault[0].seed, 9);
    assert_int_equal(fault[2].link, 1);
    assert_int_equal(fault[2].value, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_raw_packets_stay_lost),
        cmocka_unit_test(test_tt_link_packets_are_sent_again),
        cmocka_unit_test(test_a_cut_link),
        cmocka_unit_test(test_a_link_that_stays_down),
        cmocka_unit_test(test_a_slow_link),
        cmocka_unit_test(test_workloads_survive),
        cmocka_unit_test(test_saved_amid_faults),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
