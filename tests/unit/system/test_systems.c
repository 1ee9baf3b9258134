/* SPDX-License-Identifier: Apache-2.0 */
/* Systems of several chips: what crosses links, in which time, and that no number of threads changes it. */
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
#include "cli/workloads/list.h"
#include "host/sanitizer.h"
#include "system/crew.h"
#include "system_wish.h"

/* How many of the systems are run: fewer with sanitizers. */
#ifndef SYSTEMS
#define SYSTEMS 4u
#endif

/* A system by a configuration that has no cluster. */
static struct tf_system *make_of(const char *name, struct system_wish *config)
{
    struct tf_cluster cluster;
    struct tf_message message = {""};
    struct tf_system *system = NULL;
    if (tf_cluster_find(name, &cluster, &message) != TF_OK)
        fail_msg("%s", message.text);
    config->cluster = &cluster;
    if (system_wish_create(config, &system, &message) != TF_OK)
        fail_msg("%s", message.text);
    return system;
}

static struct tf_system *make(const char *name, unsigned threads, uint32_t latency)
{
    struct system_wish config;
    system_wish_init(&config);
    config.chip.threads = threads;
    config.link_latency_cycles = latency;
    return make_of(name, &config);
}

/* Run a workload on a system, and return the hash of its end. */
static uint64_t run(const char *name, const struct tf_system_workload *workload, unsigned threads, uint32_t latency)
{
    struct tf_system *system = make(name, threads, latency);
    struct tf_workload_options options = {.scale = workload->scale_test, .seed = 7};
    struct tf_message message = {""};
    void *work = NULL;
    enum tf_end end;
    if (workload->setup(system, &options, &work, &message) != TF_OK)
        fail_msg("%s", message.text);
    assert_int_equal(tf_system_run(system, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    if (workload->verify(system, work, &message) != TF_OK)
        fail_msg("%s on %s: %s", workload->name, name, message.text);
    uint64_t hash = tf_system_hash(system);
    workload->release(work);
    tf_system_destroy(system);
    return hash;
}

static void test_same_on_any_threads(void **state)
{
    (void)state;
    static const char *const systems[] = {"n300", "p300", "t3000", "4xp150"};
    for (unsigned i = 0; i < SYSTEMS; i++)
        for (const struct tf_system_workload *const *w = tf_system_workloads; *w != NULL; w++) {
            const uint64_t hash = run(systems[i], *w, 2 + (i + (unsigned)(w - tf_system_workloads)) % 2, 0);
            if (TF_WITH_TSAN) /* one thread has no race to find */
                continue;
            assert_true(run(systems[i], *w, 1, 0) == hash);
            assert_true(i > 0 || run(systems[i], *w, 1, 3000) != hash);
        }
}

static uint32_t xy_of(struct tf_system *system, struct tf_cluster_end port)
{
    struct tf_coord coord;
    assert_int_equal(tf_port_coord(tf_chip_arch(tf_system_chip(system, port.chip)), port.port, &coord), TF_OK);
    return coord.x | (uint32_t)coord.y << 6;
}

/* An all-gather between the two chips that the first two links join. */
static struct tf_links *begin_pair(struct tf_system *system)
{
    const struct tf_cluster_link *link = tf_system_cluster(system)->link;
    const struct tf_workload_options options = {.scale = 2};
    const struct tf_cluster_end out[] = {link[0].end[0], link[1].end[1]}, in[] = {link[1].end[0], link[0].end[1]};
    struct tf_message message = {""};
    int error;
    struct tf_links *links = tf_links_begin(system, &tf_system_ring, &options, &error, &message);
    assert_non_null(links);
    links->bytes = 4096;
    for (unsigned chip = 0; chip < 2; chip++) {
        assert_int_equal(in[chip].chip, out[chip].chip);
        struct tf_link_job job = {.role = TF_L_IN, .chips = 2, .chip = chip, .other_xy = xy_of(system, out[chip])};
        assert_int_equal(tf_links_start(system, links, in[chip], &job, &message), TF_OK);
        job.role = TF_L_OUT;
        job.other_xy = xy_of(system, in[chip]);
        assert_int_equal(tf_links_start(system, links, out[chip], &job, &message), TF_OK);
    }
    return links;
}

/* Epochs of a chip that receives, computes and sends, while another chip that sends it nothing computes: a workload
   of this scale, or nothing. */
static uint64_t epochs_beside(uint32_t scale)
{
    struct tf_system *system = make("2xn300", 1, 0);
    const struct tf_workload *workload = tf_workload_find("mixed");
    const struct tf_workload_options options = {.scale = scale, .seed = 1};
    struct tf_message message = {""};
    struct tf_links *links = begin_pair(system);
    unsigned other = 0;
    void *work = NULL;
    enum tf_end why;
    while (other == links->port[0].chip || other == links->port[2].chip)
        other++;
    if (scale != 0 && workload->setup(tf_system_chip(system, other), &options, &work, &message) != TF_OK)
        fail_msg("%s", message.text);
    assert_int_equal(tf_system_run(system, NULL, &why), TF_OK);
    assert_int_equal(why, TF_END_QUIET);
    struct tf_link_result result;
    struct tf_stats stats;
    assert_int_equal(tf_links_result(system, links->port[0], &result, &message), TF_OK);
    tf_stats(tf_system_chip(system, links->port[0].chip), &stats);
    workload->release(work);
    free(links);
    tf_system_destroy(system);
    return stats.epochs;
}

/* What a chip does decides where its epochs end, not what other chips do. */
static void test_epochs_are_the_chips_own(void **state)
{
    (void)state;
    const uint64_t alone = epochs_beside(0);
    assert_true(epochs_beside(1) == alone);
    assert_true(epochs_beside(2) == alone);
}

/* ---- Saved systems ---- */

#define SAVED "test_systems.tfs"

static void *begin_ring(struct tf_system *system)
{
    struct tf_workload_options options = {.scale = 2, .seed = 7};
    struct tf_message message = {""};
    void *work = NULL;
    if (tf_system_ring.setup(system, &options, &work, &message) != TF_OK)
        fail_msg("%s", message.text);
    return work;
}

static enum tf_end run_for(struct tf_system *system, uint64_t cycles)
{
    enum tf_end end;
    const struct tf_system_run_options options = {.run.cycles_max = cycles};
    assert_int_equal(tf_system_run(system, &options, &end), TF_OK);
    struct tf_fault fault;
    for (unsigned i = 0; end == TF_END_FAULT && i < tf_system_cluster(system)->chips; i++)
        if (tf_fault_get(tf_system_chip(system, i), 0, &fault) == TF_OK)
            fail_msg("chip %u, cycle %llu: %s", i, (unsigned long long)fault.cycle, fault.text);
    return end;
}

static enum tf_end pause_at(struct tf_system *system, uint64_t cycle)
{
    enum tf_end end;
    const struct tf_system_run_options options = {.run.pause_cycle = cycle};
    assert_int_equal(tf_system_run(system, &options, &end), TF_OK);
    return end;
}

static uint64_t waiting(const struct tf_system *system)
{
    uint64_t sum = 0;
    struct tf_link_stats stats;
    for (unsigned i = 0; tf_link_stats(system, i, &stats) == TF_OK; i++)
        sum += stats.waiting;
    return sum;
}

static void save(struct tf_system *system)
{
    struct tf_message message = {""};
    if (tf_system_save(system, SAVED, &message) != TF_OK)
        fail_msg("%s", message.text);
}

static void refuses(struct tf_system *system, int error, const char *why)
{
    struct tf_message message = {""};
    const uint64_t hash = tf_system_hash(system);
    assert_int_equal(tf_system_restore(system, SAVED, &message), error);
    if (strstr(message.text, why) == NULL)
        fail_msg("%s", message.text);
    assert_true(tf_system_hash(system) == hash);
}

static void remove_saved(void)
{
    assert_int_equal(system("rm -f " SAVED "*"), 0);
}

static int count_saved(void)
{
    FILE *list = popen("ls " SAVED "* 2>/dev/null | wc -l", "r");
    int count = -1;
    assert_int_equal(fscanf(list, "%d", &count), 1);
    pclose(list);
    return count;
}

/* A pause is not before its cycle, also where nothing happens but packets on links, and changes no result. */
static void test_pauses_while_packets_travel(void **state)
{
    (void)state;
    const struct tf_workload_options options = {.scale = tf_system_ping.scale_test, .seed = 7};
    const uint64_t whole = run("n300", &tf_system_ping, 1, 0);
    struct tf_system *paused = make("n300", 1, 0);
    struct tf_message message = {""};
    void *work;
    assert_int_equal(tf_system_ping.setup(paused, &options, &work, &message), TF_OK);
    unsigned pauses = 0;
    for (uint64_t cycle = 100; pause_at(paused, cycle) == TF_END_CYCLES; cycle += 100) {
        assert_true(tf_system_cycles(paused) >= cycle);
        pauses++;
    }
    assert_true(pauses > 10);
    assert_true(tf_system_hash(paused) == whole);
    tf_system_ping.release(work);
    tf_system_destroy(paused);
}

/* A system that is saved while packets are under way ends as one that was not, on any number of threads. */
static void test_goes_on(void **state)
{
    (void)state;
    static const char *const names[] = {"n300", "4xp150"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0] && i < SYSTEMS; i++) {
        remove_saved();
        struct tf_system *one = make(names[i], 1, 0), *other = make(names[i], 2, 0);
        const unsigned chips = tf_system_cluster(one)->chips;
        void *work = begin_ring(one);
        for (uint64_t cycle = 5000; waiting(one) == 0; cycle += 5000)
            assert_int_equal(pause_at(one, cycle), TF_END_CYCLES);
        save(one);
        save(one); /* it replaces the first */
        assert_int_equal(count_saved(), chips + 1);
        struct tf_message message = {""};
        if (tf_system_restore(other, SAVED, &message) != TF_OK)
            fail_msg("%s", message.text);
        assert_true(tf_system_hash(other) == tf_system_hash(one));
        assert_true(waiting(other) == waiting(one));
        assert_int_equal(run_for(one, 0), TF_END_QUIET);
        assert_int_equal(run_for(other, 0), TF_END_QUIET);
        assert_int_equal(tf_system_ring.verify(other, work, &message), TF_OK);
        assert_true(tf_system_hash(other) == tf_system_hash(one));
        assert_true(run(names[i], &tf_system_ring, 1, 0) == tf_system_hash(one)); /* without a pause */
        free(work);
        tf_system_destroy(one);
        tf_system_destroy(other);
    }
    remove_saved();
}

static void count_event(void *user, const struct tf_riscv_event *event)
{
    (void)event;
    ++*(unsigned *)user;
}

/* Observers of chips see what happens after a restore as well. */
static void test_restored_while_looking(void **state)
{
    (void)state;
    struct tf_cluster cluster;
    struct system_wish config;
    struct tf_system *looking = NULL, *plain = make("n300", 1, 0);
    struct tf_message message = {""};
    unsigned events = 0;
    assert_int_equal(tf_cluster_find("n300", &cluster, NULL), TF_OK);
    system_wish_init(&config);
    config.cluster = &cluster;
    config.chip.threads = 2;
    config.chip.on_riscv = count_event;
    config.chip.riscv_traced[0] = 1;
    config.chip.user = &events;
    assert_int_equal(system_wish_create(&config, &looking, &message), TF_OK);
    const struct tf_workload *workload = tf_workload_find("fifo");
    const struct tf_workload_options options = {.scale = 1};
    void *work = NULL;
    assert_int_equal(workload->setup(tf_system_chip(plain, 1), &options, &work, &message), TF_OK);
    assert_int_equal(run_for(plain, 64), TF_END_CYCLES);
    remove_saved();
    save(plain);
    if (tf_system_restore(looking, SAVED, &message) != TF_OK)
        fail_msg("%s", message.text);
    assert_int_equal(run_for(looking, 0), TF_END_QUIET);
    assert_int_equal(run_for(plain, 0), TF_END_QUIET);
    assert_true(events > 100);
    assert_true(tf_system_hash(looking) == tf_system_hash(plain));
    remove_saved();
    workload->release(work);
    tf_system_destroy(looking);
    tf_system_destroy(plain);
}

struct sent {
    struct tf_packet_event event[1024];
    unsigned count;
};

static void note_packet(void *user, const struct tf_packet_event *event)
{
    struct sent *sent = user;
    if (sent->count < sizeof sent->event / sizeof sent->event[0])
        sent->event[sent->count++] = *event;
}

/* Does no packet overtake one that was sent before it in its direction of a link? */
static bool is_in_order(const struct sent *sent)
{
    bool fine = true;
    for (unsigned i = 0; i < sent->count; i++)
        for (unsigned k = 0; k < i; k++)
            if (memcmp(&sent->event[i].from, &sent->event[k].from, sizeof sent->event[i].from) == 0)
                fine &= sent->event[k].arrives <= sent->event[i].arrives;
    return fine;
}

static uint64_t later_than(const struct sent *sent, uint64_t cycle)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < sent->count; i++)
        count += sent->event[i].arrives > cycle;
    return count;
}

/* A packet is on its lane until its latency has passed, and at most a tick and its variation longer. */
static void test_arrivals(void **state)
{
    (void)state;
    static struct sent sent;
    struct system_wish config;
    uint64_t seen = 0;
    sent.count = 0;
    system_wish_init(&config);
    config.chip.threads = 1;
    config.link_latency_cycles = 2000;
    config.on_packet = note_packet;
    config.user = &sent;
    struct tf_system *system = make_of("n300", &config);
    void *work = begin_ring(system);
    for (unsigned i = 0; i < 400; i++) {
        assert_int_equal(run_for(system, 700), TF_END_CYCLES);
        const uint64_t cycle = tf_system_cycles(system);
        assert_in_range(waiting(system), later_than(&sent, cycle), later_than(&sent, cycle - 64));
        seen += waiting(system);
    }
    for (unsigned i = 0; i < sent.count; i++)
        assert_true(sent.event[i].arrives >= sent.event[i].sent + 2000);
    assert_true(is_in_order(&sent));
    if (sent.count < 20 || seen < 20)
        fail_msg("%u packets, %u seen under way", sent.count, (unsigned)seen);
    free(work);
    tf_system_destroy(system);
}

/* A ping over a link that is down: both ports wait, and the first one has packets that nobody acknowledges. */
static struct tf_system *make_stuck(void **work)
{
    const struct tf_workload_options options = {.scale = 1, .seed = 1};
    struct tf_link_fault fault = {.kind = TF_LINK_DOWN, .link = 0};
    struct system_wish config;
    struct tf_message message = {""};
    system_wish_init(&config);
    config.chip.threads = 1;
    config.link_fault = &fault;
    config.link_faults = 1;
    struct tf_system *system = make_of("n300", &config);
    if (tf_system_ping.setup(system, &options, work, &message) != TF_OK)
        fail_msg("%s", message.text);
    assert_int_equal(tf_link_waits(system, NULL, 0), 0);
    assert_int_equal(run_for(system, 0), TF_END_QUIET);
    return system;
}

static void test_waits_of_links(void **state)
{
    (void)state;
    struct tf_link_wait wait[2];
    char line[200], all[4096];
    void *work;
    struct tf_system *system = make_stuck(&work);
    const struct tf_cluster_link link = tf_system_cluster(system)->link[0];
    const uint64_t hash = tf_system_hash(system);
    memset(wait, 0xFF, sizeof wait);
    assert_int_equal(tf_link_waits(system, wait, 1), 2);
    assert_int_equal(wait[1].from.chip, 0xFF);
    assert_int_equal(tf_link_waits(system, wait, 2), 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_memory_equal(&wait[i].from, &link.end[i], sizeof link.end[i]);
        assert_memory_equal(&wait[i].to, &link.end[1 - i], sizeof link.end[i]);
        assert_true(wait[i].linked && wait[i].down && wait[i].held == 0);
        assert_int_equal(wait[i].unacknowledged, i == 0 ? 2 : 0);
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(wait[i].reserved[k], 0);
    }
    const size_t length = tf_link_wait_text(system, &wait[0], line, 40);
    assert_int_equal(strlen(line), 39);
    assert_int_equal(tf_link_wait_text(system, &wait[0], line, sizeof line), length);
    assert_non_null(
        strstr(line, "link: port 8 to port 0 of chip 1: down, 2 packets unacknowledged; core E there polls"));
    wait[0].to = (struct tf_cluster_end){.chip = 7, .port = 99}; /* not of this system */
    tf_link_wait_text(system, &wait[0], all, sizeof all);
    assert_string_equal(all, "link: port 8 to port 99 of chip 7: down, 2 packets unacknowledged");
    assert_true(tf_system_describe_waits(system, all, sizeof all) < sizeof all);
    assert_memory_equal(all, "chip 0: port 8 (9,6) core E at ", 31);
    assert_non_null(strstr(all, line));
    assert_non_null(strstr(all, "\nchip 1: port 0 (9,0) core E at "));
    assert_non_null(strstr(all, "\nchip 1: link: port 0 to port 8 of chip 0: down; core E there polls"));
    assert_int_equal(tf_system_describe_waits(system, NULL, 0), strlen(all));
    assert_true(tf_system_hash(system) == hash);
    tf_system_ping.release(work);
    tf_system_destroy(system);
}

/* The host stops a thread of a crew for 10 ms. That makes no window long enough for a helper, which may be stopped in
   turn; windows that are long do. */
static void test_a_stopped_thread_makes_no_long_window(void **state)
{
    (void)state;
    struct tf_crew crew = {.parts = 2, .chip_s = 1.4e-6};
    tf_crew_note(&crew, 10e-3);
    assert_true(crew.chip_s < 2e-6);
    for (unsigned i = 0; i < 50; i++)
        tf_crew_note(&crew, 100e-6);
    assert_true(crew.chip_s > 25e-6);
}

/* A saved system says what one must be made of that takes its state. */
static void test_saved_config(void **state)
{
    (void)state;
    struct tf_link_fault fault[TF_LINK_FAULTS_MAX] = {{.kind = TF_LINK_LOSE, .value = 40},
                                                      {.kind = TF_LINK_DOWN, .link = 1}};
    struct system_wish config;
    struct tf_cluster cluster;
    struct tf_message message = {""};
    struct tf_system *other = NULL;
    system_wish_init(&config);
    config.chip.slice_cycles = 512;
    config.chip.undefined_as_silicon = true;
    config.link_latency_cycles = 2000;
    config.link_gbps = 50;
    config.link_fault = fault;
    config.link_faults = 2;
    struct tf_system *one = make_of("p300", &config);
    const struct tf_coord tile = {1, 2};
    remove_saved();
    assert_int_equal(tf_write(tf_system_chip(one, 1), tile, 0x2000, "state", 6), TF_OK);
    save(one);
    system_wish_init(&config);
    config.chip.threads = 2;
    assert_int_equal(system_wish_saved(SAVED, &config, &cluster, fault, &message), TF_OK);
    assert_true(config.cluster == &cluster && config.link_fault == fault && config.chip.threads == 2);
    assert_int_equal(config.link_faults, 2);
    if (system_wish_create(&config, &other, &message) != TF_OK || tf_system_restore(other, SAVED, &message) != TF_OK)
        fail_msg("%s", message.text);
    assert_true(tf_system_hash(other) == tf_system_hash(one));
    assert_true(tf_system_latency(other) == 2000 && tf_system_gbps(other) == 50);
    const struct system_wish before = config;
    assert_int_equal(system_wish_saved(SAVED ".1.chip0", &config, &cluster, fault, &message), TF_EFORMAT);
    assert_non_null(strstr(message.text, "it is a saved chip, not a system"));
    assert_int_equal(system_wish_saved(SAVED ".no", &config, &cluster, fault, &message), TF_EIO);
    assert_int_equal(system_wish_saved(SAVED, &config, NULL, fault, &message), TF_EINVAL);
    assert_int_equal(tf_saved_system_config(SAVED, NULL, &cluster, fault, NULL), TF_EINVAL);
    assert_memory_equal(&before, &config, sizeof config);
    assert_int_equal(system("truncate -s -1 " SAVED), 0);
    assert_int_equal(system_wish_saved(SAVED, &config, &cluster, fault, &message), TF_EFORMAT);
    remove_saved();
    tf_system_destroy(one);
    tf_system_destroy(other);
}

static void test_wrong_saves(void **state)
{
    (void)state;
    struct tf_system *one = make("n300", 1, 0), *other = make("2xn300", 1, 0), *slow = make("n300", 1, 2000);
    struct tf_link_fault fault = {.kind = TF_LINK_DOWN};
    struct system_wish config;
    system_wish_init(&config);
    config.chip.threads = 1;
    config.link_gbps = 50;
    struct tf_system *thin = make_of("n300", &config);
    config.link_gbps = 0;
    config.link_fault = &fault;
    config.link_faults = 1;
    struct tf_system *lossy = make_of("n300", &config);
    config.link_faults = 0;
    config.chip.slice_cycles = 512;
    struct tf_system *short_slices = make_of("n300", &config);
    struct tf_message message = {""};
    remove_saved();
    refuses(one, TF_EIO, "cannot be read");
    save(one);
    refuses(other, TF_EFORMAT, "it is that of another system");
    refuses(slow, TF_EFORMAT, "the saved system has link_latency 1024, and this one has 2000");
    refuses(thin, TF_EFORMAT, "the saved system has link_gbps 100, and this one has 50");
    refuses(lossy, TF_EFORMAT, "the saved system has other link faults than this one");
    refuses(short_slices, TF_EINVAL, "the saved chip has slice_cycles 1024, and this one has 512");
    struct tf_chip *chip = tf_system_chip(one, 0);
    assert_int_equal(tf_chip_restore(chip, SAVED ".1.chip0", &message), TF_EINVAL);
    assert_int_equal(tf_chip_save(chip, SAVED ".chip", &message), TF_EINVAL);
    assert_int_equal(tf_run(chip, NULL, NULL), TF_EINVAL);
    assert_int_equal(rename(SAVED ".1.chip0", SAVED ".1.chip1"), 0);
    refuses(one, TF_EIO, "test_systems.tfs.1.chip0: cannot be read");
    assert_int_equal(rename(SAVED ".1.chip1", SAVED ".1.chip0"), 0);
    assert_int_equal(system("cp " SAVED ".1.chip0 " SAVED ".older"), 0);
    struct tf_coord tile = {1, 2};
    assert_int_equal(tf_write(chip, tile, 0, "new", 4), TF_OK);
    save(one); /* its number is 2 */
    assert_int_equal(system("cp " SAVED ".older " SAVED ".2.chip0"), 0);
    refuses(one, TF_EFORMAT, "it is that of another save");
    assert_int_equal(system("cp " SAVED ".2.chip1 " SAVED ".2.chip0"), 0);
    refuses(one, TF_EINVAL, "the saved chip has rows_off");
    assert_int_equal(system("cp " SAVED " " SAVED ".2.chip0"), 0);
    refuses(one, TF_EFORMAT, "it is a saved system, not a chip");
    assert_int_equal(system("cp " SAVED ".2.chip1 " SAVED), 0);
    refuses(one, TF_EFORMAT, "it is a saved chip, not a system");
    remove_saved();
    tf_system_destroy(one);
    tf_system_destroy(other);
    tf_system_destroy(slow);
    tf_system_destroy(thin);
    tf_system_destroy(lossy);
    tf_system_destroy(short_slices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_on_any_threads),
        cmocka_unit_test(test_epochs_are_the_chips_own),
        cmocka_unit_test(test_pauses_while_packets_travel),
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_restored_while_looking),
        cmocka_unit_test(test_arrivals),
        cmocka_unit_test(test_waits_of_links),
        cmocka_unit_test(test_a_stopped_thread_makes_no_long_window),
        cmocka_unit_test(test_saved_config),
        cmocka_unit_test(test_wrong_saves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
