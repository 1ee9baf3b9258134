/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log of NOC requests: its notes of each kind of request, and their order. Ways to run do not show in the log, and
 * the log does not show in the state.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "cli/workloads/list.h"
#include "cli/workloads/workload.h"
#include "farm/chip/chip.h"
#include "random.h"
#include "stress/rv_emit.h"
#include "tilefarm_address.h"

#define NIU(noc, initiator) (TF_NIU_BASE(0) + (noc)*0x10000u + (initiator)*0x800u)
#define AT(x, y) ((x) | (y) << 6)
#define RECTANGLE(x0, y0, x1, y1) (AT(x1, y1) | AT(x0, y0) << 12)
#define WORDS 11u
#define CODE 0x1000u
#define EVENTS_MAX 64u

/* clang-format off */
enum { TARG_LO, TARG_MID, TARG_HI, RET_LO, RET_MID, RET_HI, TAG, CTRL, LENGTH, LENGTH_1, DATA };
/* clang-format on */
enum { READ = 0, ATOMIC = 1, WRITE = 2, INLINE = 8, MARKED = 16, BROADCAST = 32, LINKED = 64, STATIC = 128 };
#define VC(n) ((n) << 13)
#define INCREMENT 0x107Cu
#define TID(n) ((n) << 10)

/* From the tile at (3,4). */
static const struct {
    unsigned noc, initiator;
    uint32_t word[WORDS];
} sent[] = {
    {0, 0, {0x20000, 0, AT(2, 3), 0x20040, 0, AT(3, 4), TID(1), READ | MARKED, 64}},
    {1, 1, {0x20100, 0, AT(3, 4), 0x20200, 0, AT(4, 5), 0, WRITE | STATIC | LINKED | VC(5), 32}},
    {0, 2, {0x20300, 0, AT(2, 3), 0x20400, 0, AT(3, 4), TID(7), ATOMIC | MARKED, INCREMENT, 0, 9}},
    {0, 3, {0x20500, 0, AT(3, 4), 0x20500, 0, RECTANGLE(2, 3, 4, 4), 0, WRITE | MARKED | BROADCAST, 16}},
    {0, 0, {0x21000, 0, AT(3, 4), 0x31000, 0, AT(2, 3), TID(2), WRITE | MARKED, 4096}},
    {0, 1, {0x20000, 0, AT(3, 4), 0x17FFF0, 0, AT(2, 3), TID(3), WRITE | MARKED, 64}},
};

/* realloc() refuses this call; 0 for none. */
static unsigned refuse_at, asked;

void *__real_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes)
{
    return refuse_at != 0 && ++asked == refuse_at ? NULL : __real_realloc(memory, bytes);
}

struct events {
    struct tf_noc_event event[EVENTS_MAX];
    size_t count;
};

static void keep(void *user, const struct tf_noc_event *event)
{
    struct events *events = user;
    assert_true(events->count < EVENTS_MAX);
    events->event[events->count++] = *event;
}

static struct tf_chip *create(struct chip_wish *config)
{
    struct tf_chip *chip;
    config->pin = false;
    assert_int_equal(chip_wish_create(config, &chip, NULL), TF_OK);
    return chip;
}

/* A program that sends all requests; pc[]: of the stores that issue them. */
static void load(struct tf_chip *chip, unsigned tile, uint32_t *pc)
{
    uint32_t text[512];
    struct code code = {.word = text, .capacity = 512};
    struct tf_coord node;
    for (unsigned i = 0; i < sizeof sent / sizeof *sent; i++) {
        for (unsigned word = 0; word < WORDS; word++) {
            li(&code, 5, NIU(sent[i].noc, sent[i].initiator));
            li(&code, 6, sent[i].word[word]);
            put(&code, rv_s(SW, 6, 5, (int)word * 4));
        }
        li(&code, 6, 1);
        pc[i] = CODE + code.count * 4;
        put(&code, rv_s(SW, 6, 5, 0x40));
    }
    jump_to(&code, 0, code.count);
    assert_int_equal(tf_tile_coord(NULL, tile, &node), TF_OK);
    assert_int_equal(tf_write(chip, node, CODE, text, code.count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, tile, TF_CORE_NC, CODE), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, TF_CORE_NC), TF_OK);
}

static bool is_at(struct tf_coord coord, unsigned x, unsigned y)
{
    return coord.x == x && coord.y == y;
}

static const struct tf_noc_event *find(const struct events *events, uint64_t request, enum tf_noc_step step,
                                       unsigned nth)
{
    for (size_t i = 0; i < events->count; i++)
        if (events->event[i].request == request && events->event[i].step == step && nth-- == 0)
            return &events->event[i];
    return NULL;
}

static void check_issued(const struct events *events, const uint32_t *pc)
{
    static const enum tf_noc_kind kinds[] = {TF_NOC_READ,  TF_NOC_WRITE, TF_NOC_ATOMIC,
                                             TF_NOC_WRITE, TF_NOC_WRITE, TF_NOC_WRITE};
    static const uint32_t bytes[] = {64, 32, 4, 16, 4096, 64};
    for (unsigned i = 0; i < sizeof sent / sizeof *sent; i++) {
        const struct tf_noc_event *event = find(events, i + 1, TF_NOC_ISSUED, 0);
        assert_non_null(event);
        assert_null(find(events, i + 1, TF_NOC_ISSUED, 1));
        assert_int_equal(event->kind, kinds[i]);
        assert_int_equal(event->bytes, bytes[i]);
        assert_int_equal(event->pc, pc[i]);
        assert_int_equal(event->core, TF_CORE_NC);
        assert_int_equal(event->noc, sent[i].noc);
        assert_int_equal(event->request_initiator, sent[i].initiator);
        assert_int_equal(event->tid, sent[i].word[TAG] >> 10);
        assert_int_equal(event->answered, (sent[i].word[CTRL] & MARKED) != 0);
        assert_int_equal(event->vc_linked, (sent[i].word[CTRL] & LINKED) != 0);
        assert_int_equal(event->vc_static, (sent[i].word[CTRL] & STATIC) != 0);
        assert_int_equal(event->vc, i == 1 ? 5 : 0);
        assert_int_equal(event->recipients, i == 3 ? 5 : 1);
        assert_int_equal(event->captured, i == 1 || i == 3 || i == 5);
        assert_true(is_at(event->initiator, 3, 4) && is_at(event->answer, 3, 4));
        assert_true(i == 0 || event->cycle > find(events, i, TF_NOC_ISSUED, 0)->cycle);
    }
}

static void check_places(const struct events *events)
{
    const struct tf_noc_event *read = find(events, 1, TF_NOC_ISSUED, 0), *write = find(events, 2, TF_NOC_ISSUED, 0);
    const struct tf_noc_event *atomic = find(events, 3, TF_NOC_ISSUED, 0), *many = find(events, 4, TF_NOC_ISSUED, 0);
    assert_true(is_at(read->target, 2, 3) && read->address == 0x20000 && read->return_address == 0x20040);
    assert_true(is_at(write->target, 4, 5) && write->address == 0x20200 && write->source_address == 0x20100);
    assert_true(is_at(atomic->target, 2, 3) && atomic->address == 0x20300 && atomic->return_address == 0x20400);
    assert_true(atomic->at_len_be == INCREMENT && atomic->at_data == 9);
    assert_true(many->multicast && is_at(many->target, 2, 3) && is_at(many->target_last, 4, 4));
}

/* The first four act in one epoch; a multicast at all its recipients but the initiator. */
static void check_rest(const struct events *events)
{
    static const uint8_t reached[][2] = {{2, 3}, {3, 3}, {4, 3}, {2, 4}, {4, 4}};
    for (uint64_t i = 1; i <= 5; i++) {
        unsigned times = i == 4 ? 5 : 1;
        for (unsigned n = 0; n < times; n++) {
            const struct tf_noc_event *issued = find(events, i, TF_NOC_ISSUED, 0);
            const struct tf_noc_event *acted = find(events, i, TF_NOC_ACTED, n),
                                      *landed = find(events, i, TF_NOC_LANDED, n);
            assert_non_null(acted);
            assert_true(acted > issued && acted->epoch == issued->epoch && acted->cycle >= issued->cycle);
            assert_true(i != 4 || is_at(acted->target, reached[n][0], reached[n][1]));
            assert_int_equal(landed != NULL, issued->answered);
            if (landed == NULL)
                continue;
            assert_true(landed > acted && landed->epoch == acted->epoch + 1 && landed->cycle == acted->cycle);
            assert_memory_equal(&landed->target, &acted->target, sizeof acted->target);
            assert_int_equal(landed->result, i == 3 ? 41 : 0);
        }
        assert_null(find(events, i, TF_NOC_ACTED, times));
        assert_null(find(events, i, TF_NOC_LANDED, times));
    }
    assert_null(find(events, 6, TF_NOC_ACTED, 0));
    assert_null(find(events, 6, TF_NOC_LANDED, 0));
    assert_non_null(find(events, 6, TF_NOC_REFUSED, 0));
}

static void requests_are_told_of(void **state)
{
    (void)state;
    for (unsigned serial = 0; serial < 2; serial++) {
        struct events events = {.count = 0};
        struct chip_wish config;
        uint32_t pc[sizeof sent / sizeof *sent], counter = 41;
        chip_wish_init(&config);
        config.on_noc = keep;
        config.user = &events;
        config.go_on_after_fault = true;
        config.serial_delivery = serial;
        config.slice_cycles = config.epoch_cycles_min = 1024; /* one epoch for all requests, in the hostile build too */
        struct tf_chip *chip = create(&config);
        load(chip, (unsigned)tf_tile_index(NULL, (struct tf_coord){3, 4}), pc);
        assert_int_equal(tf_write(chip, (struct tf_coord){2, 3}, 0x20300, &counter, 4), TF_OK);
        assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
        check_issued(&events, pc);
        check_places(&events);
        check_rest(&events);
        tf_chip_destroy(chip);
    }
}

/* A hash of all reported events, and a count of broken rules. */
struct sum {
    uint64_t hash, count, issued, acted, landed, number, epoch;
    enum tf_noc_step step;
    unsigned wrong;
};

static void add_up(void *user, const struct tf_noc_event *event)
{
    struct sum *sum = user;
    struct tf_noc_event copy;
    bool next_epoch = event->epoch > sum->epoch;
    memset(&copy, 0, sizeof copy);
    sum->wrong += event->epoch < sum->epoch || (!next_epoch && event->step < sum->step);
    sum->wrong += !next_epoch && event->step == sum->step && event->request < sum->number;
    sum->epoch = event->epoch;
    sum->step = event->step;
    sum->number = event->request;
    sum->wrong += event->step == TF_NOC_ISSUED && event->request != ++sum->issued;
    sum->acted += event->step == TF_NOC_ACTED;
    sum->landed += event->step == TF_NOC_LANDED;
    sum->count++;
    sum->hash = test_mix(sum->hash, event->request << 8 | event->step << 4 | event->kind);
    sum->hash = test_mix(sum->hash, event->cycle << 24 | event->epoch);
    sum->hash = test_mix(sum->hash,
                         event->initiator.x << 24 | event->initiator.y << 16 | event->target.x << 8 | event->target.y);
    sum->hash = test_mix(sum->hash, event->address ^ event->return_address << 20 ^ event->source_address << 40);
    sum->hash = test_mix(sum->hash, (uint64_t)event->bytes << 32 | event->pc);
    sum->hash = test_mix(sum->hash, (uint64_t)event->result << 32 | event->request_initiator << 8 | event->core);
    sum->hash = test_mix(sum->hash, (uint64_t)event->captured << 8 | event->tid);
}

static uint64_t run(const char *name, struct chip_wish *config, struct sum *sum)
{
    const struct tf_workload *workload = tf_workload_find(name);
    const struct tf_workload_options options = {.scale = 1, .seed = 1};
    struct tf_message message;
    struct tf_stats stats;
    void *state;
    memset(sum, 0, sizeof *sum);
    config->user = sum;
    struct tf_chip *chip = create(config);
    assert_int_equal(workload->setup(chip, &options, &state, &message), TF_OK);
    assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
    uint64_t hash = tf_state_hash(chip);
    tf_stats(chip, &stats);
    assert_int_equal(sum->wrong, 0);
    if (config->on_noc != NULL) {
        assert_int_equal(sum->issued, stats.noc_requests);
        assert_true(sum->acted >= sum->issued && sum->landed > 0);
    }
    workload->release(state);
    tf_chip_destroy(chip);
    return hash;
}

static void ways_to_run_do_not_show(void **state)
{
    static const char *const names[] = {"atomics", "allreduce"};
    static const struct {
        unsigned threads;
        bool serial, parking;
    } ways[] = {{1, false, true}, {2, false, true}, {5, false, true}, {1, true, true}, {2, false, false}};
    (void)state;
    for (unsigned n = 0; n < sizeof names / sizeof *names; n++) {
        struct sum sum[2];
        struct chip_wish config;
        chip_wish_init(&config);
        config.threads = 2;
        uint64_t hash = run(names[n], &config, &sum[0]);
        config.on_noc = add_up;
        for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
            config.threads = ways[i].threads;
            config.serial_delivery = ways[i].serial;
            config.parking = ways[i].parking;
            assert_true(run(names[n], &config, &sum[i != 0]) == hash);
            assert_memory_equal(&sum[0], &sum[i != 0], sizeof *sum);
        }
    }
}

static void relaxed_mode_refuses(void **state)
{
    (void)state;
    struct chip_wish config;
    struct tf_chip *chip = NULL;
    struct tf_message message = {.text = ""};
    chip_wish_init(&config);
    config.mode = TF_MODE_RELAXED;
    config.on_noc = keep;
    assert_int_equal(chip_wish_create(&config, &chip, &message), TF_EINVAL);
    assert_null(chip);
    assert_non_null(strstr(message.text, "on_noc"));
}

/* The log has the issue of each request that it has another step of. */
static void check_numbers(const struct events *events)
{
    for (size_t i = 0; i < events->count; i++) {
        const struct tf_noc_event *event = &events->event[i];
        const struct tf_noc_event *issued = find(events, event->request, TF_NOC_ISSUED, 0);
        assert_non_null(issued);
        assert_true(issued->kind == event->kind && issued->pc == event->pc && issued->address == event->address);
    }
}

/* If the host once refuses memory for the log, a fault says so, before that of the last request. */
static void losses_are_told_of(void **state)
{
    (void)state;
    unsigned at = 1;
    for (bool refused = true; refused; at++) {
        uint32_t pc[sizeof sent / sizeof *sent];
        struct events events = {.count = 0};
        struct chip_wish config;
        struct tf_fault fault;
        enum tf_end end;
        chip_wish_init(&config);
        config.threads = 1;
        config.on_noc = keep;
        config.user = &events;
        struct tf_chip *chip = create(&config);
        load(chip, (unsigned)tf_tile_index(NULL, (struct tf_coord){3, 4}), pc);
        asked = 0;
        refuse_at = at;
        assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
        refuse_at = 0;
        refused = asked >= at;
        check_numbers(&events);
        assert_int_equal(end, TF_END_FAULT);
        assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
        assert_non_null(strstr(fault.text, refused ? "no memory for the trace" : "overruns the memory"));
        tf_chip_destroy(chip);
    }
    assert_in_range(at, 4, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_told_of),
        cmocka_unit_test(ways_to_run_do_not_show),
        cmocka_unit_test(relaxed_mode_refuses),
        cmocka_unit_test(losses_are_told_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
