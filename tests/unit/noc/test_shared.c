/* SPDX-License-Identifier: Apache-2.0 */
/* Relaxed mode: several workers act on one tile at the same time. Words are never torn, and nothing is lost. */
#include "fixture.h"

#include <pthread.h>
#include <string.h>

#include "host/copy.h"
#include "host/shared.h"
#include "noc/requests/act.h"
#include "noc/requests/land.h"
#include "noc/relaxed/transact.h"
#define WORKERS 3u
#define ROUNDS 3000u
#define PAYLOAD_BYTES 512u
#define LINES 16u /* changed in a row */

struct worker {
    struct fx *fx;
    unsigned number;
    struct tf_noc_sink sink;
    struct tf_noc_response *response; /* the last one */
    _Alignas(16) uint8_t answer[sizeof(struct tf_noc_response) + PAYLOAD_BYTES];
    _Alignas(16) uint8_t asked[sizeof(struct tf_noc_request) + PAYLOAD_BYTES];
    struct tf_noc_gathered gathered;
    unsigned torn, answers, transact;
};

static struct tf_noc_response *take_response(struct tf_noc_sink *sink, uint32_t payload)
{
    struct worker *worker = (struct worker *)(void *)((char *)sink - offsetof(struct worker, sink));
    struct tf_noc_response *response = (struct tf_noc_response *)(void *)worker->answer;
    if (payload > PAYLOAD_BYTES)
        return NULL;
    memset(response, 0, sizeof *response);
    return response;
}

static void respond(struct tf_noc_sink *sink, struct tf_noc_response *response)
{
    struct worker *worker = (struct worker *)(void *)((char *)sink - offsetof(struct worker, sink));
    worker->response = response;
    worker->answers++;
    tf_noc_land(&worker->fx->fabric, response);
}

static struct tf_noc_request *request_of(struct worker *worker)
{
    return (struct tf_noc_request *)(void *)worker->asked;
}

static struct tf_noc_request *prepare(struct worker *worker, enum tf_noc_kind kind, uint32_t address)
{
    struct tf_noc_request *request = request_of(worker);
    memset(request, 0, sizeof *request);
    request->kind = (uint8_t)kind;
    request->source = request->answer = fx_node(worker->fx, 10 + worker->number, 5)->number;
    request->target = fx_node(worker->fx, 4, 4)->number;
    request->address = address;
    request->tid = 1;
    return request;
}

static void act(struct worker *worker)
{
    struct tf_noc_request *request = request_of(worker);
    tf_noc_act(&worker->fx->fabric, request, request->target, &worker->sink);
}

/* Words of one repeated byte are written and read at overlapping places that are not multiples of 8. */
static void write_round(struct worker *worker, unsigned round)
{
    struct tf_noc_request *request = prepare(worker, TF_NOC_WRITE, 0x1004);
    request->length = 248;
    request->data = request->carried;
    request->answered = true;
    memset(request->carried, (int)(worker->number * 64 + round % 64), 248);
    act(worker);
}

static void read_round(struct worker *worker)
{
    struct tf_noc_request *request = prepare(worker, TF_NOC_READ, 0x1004);
    request->length = 248;
    request->answered = true;
    request->return_address = 0x2004;
    act(worker);
    for (unsigned at = 0; at < 248; at += 4) {
        const uint8_t *data = worker->response->carried + at;
        worker->torn += data[0] != data[1] || data[0] != data[2] || data[0] != data[3];
    }
}

static void atomic_round(struct worker *worker, bool multicast)
{
    struct tf_noc_request *request = prepare(worker, TF_NOC_ATOMIC, multicast ? 0x3010 : 0x3000);
    request->at_len_be = 0x107C;
    request->at_data = 1;
    request->answered = true;
    request->return_address = 0x4000;
    assert_null(tf_noc_atomic_decode(TF_ATOMICS_ISA, 0x107C, 1, &request->op));
    request->multicast = multicast;
    act(worker);
}

static bool transact_counted(struct worker *worker)
{
    if (tf_noc_gathered_for_other_niu(&worker->gathered, request_of(worker)))
        tf_noc_count_gathered(&worker->fx->fabric, &worker->gathered);
    return tf_noc_transact(&worker->fx->fabric, request_of(worker), &worker->gathered) == TF_NOC_DONE;
}

/* By the fast path. The third request's data lie in the worker's own tile. */
static void direct_round(struct worker *worker)
{
    struct tf_noc_request *request = prepare(worker, TF_NOC_ATOMIC, 0x3000);
    request->answered = true;
    request->return_address = 0x4000;
    request->op = (struct tf_noc_atomic){.kind = TF_NOC_AT_INCREMENT, .data = 1, .mask = ~0u};
    worker->transact += transact_counted(worker);
    request->op.mask = 0xFFFFFF; /* its other form: compare and exchange */
    worker->transact += transact_counted(worker);
    request = prepare(worker, TF_NOC_WRITE, 0x1004);
    request->answered = true;
    request->source_address = 0x5004;
    request->length = 248;
    worker->transact += transact_counted(worker);
}

static void direct_read(struct worker *worker, uint16_t from)
{
    struct tf_node *own = fx_node(worker->fx, 10 + worker->number, 5);
    struct tf_noc_request *request = prepare(worker, TF_NOC_READ, 0x1004);
    request->target = from;
    request->answered = true;
    request->return_address = 0x6004;
    request->length = 248;
    worker->transact += transact_counted(worker);
    for (unsigned at = 0; at < 248; at += 4) {
        const uint8_t *data = own->l1 + 0x6004 + at;
        worker->torn += data[0] != data[1] || data[0] != data[2] || data[0] != data[3];
    }
}

/* By the fast path, too: atomics on whole lines, reads, and DRAM. */
static void other_direct_round(struct worker *worker)
{
    uint16_t dram = fx_node(worker->fx, 0, 0)->number;
    struct tf_noc_request *request = prepare(worker, TF_NOC_ATOMIC, 0x3024);
    assert_null(tf_noc_atomic_decode(TF_ATOMICS_ISA, 0x9004, 1, &request->op));
    for (unsigned i = 0; i < LINES; i++)
        worker->transact += transact_counted(worker);
    assert_null(tf_noc_atomic_decode(TF_ATOMICS_ISA, 0x107C, 1, &request->op));
    worker->transact += transact_counted(worker); /* adds to word 0, answers word 1 */
    request = prepare(worker, TF_NOC_WRITE, 0x1004);
    request->target = dram;
    request->answered = true;
    request->source_address = 0x5004;
    request->length = 248;
    worker->transact += transact_counted(worker);
    direct_read(worker, dram);
    direct_read(worker, fx_node(worker->fx, 4, 4)->number);
}

static void *run(void *argument)
{
    struct worker *worker = argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        write_round(worker, round);
        read_round(worker);
        atomic_round(worker, false);
        atomic_round(worker, true);
        direct_round(worker);
        other_direct_round(worker);
        if (round % 3 == 0)
            tf_noc_count_gathered(&worker->fx->fabric, &worker->gathered);
    }
    tf_noc_count_gathered(&worker->fx->fabric, &worker->gathered);
    return NULL;
}

static void test_workers(void **state)
{
    (void)state;
    struct fx *fx = fx_new(TF_MODE_RELAXED, TF_ATOMICS_ISA);
    static struct worker worker[WORKERS];
    pthread_t thread[WORKERS];
    struct tf_node *target = fx_node(fx, 4, 4);
    for (unsigned i = 0; i < WORKERS; i++) {
        worker[i] = (struct worker){.fx = fx, .number = i, .sink = {.response = take_response, .respond = respond}};
        memset(fx_node(fx, 10 + i, 5)->l1 + 0x5004, (int)(i + 1), 248);
        assert_int_equal(pthread_create(&thread[i], NULL, run, &worker[i]), 0);
    }
    for (unsigned i = 0; i < WORKERS; i++)
        pthread_join(thread[i], NULL);
    const uint32_t total = WORKERS * ROUNDS, incremented = 3 * total;
    const uint32_t line[4] = {(LINES + 1) * total, LINES * total, LINES * total, LINES * total};
    struct tf_niu *niu = &target->niu[0], *dram = fx_niu(fx, 0, 0, 0);
    assert_memory_equal(target->l1 + 0x3000, &incremented, 4);
    assert_memory_equal(target->l1 + 0x3010, &total, 4);
    assert_memory_equal(target->l1 + 0x3020, line, 16);
    assert_int_equal(fx_counter(niu, TF_SLV_ATOMIC_RESP_SENT), 4 * total);
    assert_int_equal(fx_counter(niu, TF_SLV_POSTED_ATOMIC_RECEIVED), (LINES + 1) * total);
    assert_int_equal(fx_counter(niu, TF_SLV_REQ_ACCEPTED), (LINES + 7) * total);
    assert_int_equal(fx_counter(niu, TF_SLV_RD_RESP_SENT), 2 * total);
    assert_int_equal(fx_counter(niu, TF_SLV_RD_DATA_WORD_SENT), 8 * total);
    assert_int_equal(fx_counter(dram, TF_SLV_RD_RESP_SENT), total);
    assert_int_equal(fx_counter(dram, TF_SLV_WR_ACK_SENT), total);
    assert_int_equal(dram->bytes_in, 248ull * total);
    assert_int_equal(fx_counter(niu, TF_SLV_WR_ACK_SENT), 2 * total);
    assert_int_equal(niu->bytes_in, 2 * 248ull * total);
    for (unsigned i = 0; i < WORKERS; i++) {
        assert_int_equal(worker[i].torn, 0);
        assert_int_equal(worker[i].answers, 4 * ROUNDS);
        assert_int_equal(worker[i].transact, (LINES + 7) * ROUNDS);
        struct tf_niu *own = fx_niu(fx, 10 + i, 5, 0);
        assert_int_equal(fx_counter(own, TF_MST_ATOMIC_RESP_RECEIVED), 4 * ROUNDS);
        assert_int_equal(fx_counter(own, TF_MST_REQS_OUTSTANDING + 1), (uint8_t)(-4 * ROUNDS));
    }
    fx_free(fx);
}

/* Responses land from several workers while the owner clears: no interrupt is lost. */
struct lander {
    struct fx *fx;
    unsigned tid;
};

static void *land_all(void *argument)
{
    struct lander *lander = argument;
    struct tf_node *node = fx_node(lander->fx, 4, 4);
    struct tf_noc_response response = {.node = node->number, .kind = TF_NOC_WRITE_ACK, .tid = (uint8_t)lander->tid};
    for (unsigned round = 0; round < ROUNDS; round++) {
        __atomic_fetch_add(&node->niu[0].counter[TF_MST_REQS_OUTSTANDING + lander->tid], 1, __ATOMIC_SEQ_CST);
        tf_noc_land(&lander->fx->fabric, &response);
    }
    return NULL;
}

static void test_interrupt_race(void **state)
{
    (void)state;
    struct fx *fx = fx_new(TF_MODE_RELAXED, TF_ATOMICS_ISA);
    struct tf_niu *niu = fx_niu(fx, 4, 4, 0);
    struct tf_tile *tile = fx_node(fx, 4, 4)->tile;
    struct lander lander[2] = {{fx, 3}, {fx, 4}};
    pthread_t thread[2];
    fx_store(niu, TF_NIU_CONFIG + 4 * TF_NIU_RTZ_CFG, 1u << 3 | 1u << 4);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, land_all, &lander[i]), 0);
    for (unsigned round = 0; round < ROUNDS; round++)
        if (__atomic_load_n(&tile->irq_lines, __ATOMIC_SEQ_CST) & 2)
            fx_store(niu, TF_NIU_CONFIG + 4 * TF_NIU_RTZ_CLR, 1u << (3 + round % 2));
    for (unsigned i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    uint32_t source = fx_load(niu, TF_NIU_RTZ_SOURCE);
    assert_int_equal((tile->irq_lines & 2) != 0, source != 0);
    fx_free(fx);
}

/* Every alignment and length, against memcpy. */
static void test_copies(void **state)
{
    (void)state;
    static _Alignas(16) uint8_t from[700], to[700], wanted[700];
    fx_fill(from, sizeof from, 5);
    for (unsigned a = 0; a < 17; a++)
        for (unsigned b = 0; b < 17; b++)
            for (unsigned length = 0; length < 650; length += length < 150 ? 1 : length % 64 < 60 ? 29 : 3) {
                memset(wanted, 0, sizeof wanted);
                memcpy(wanted + b, from + a, length);
                memset(to, 0, sizeof to);
                tf_shared_put(to + b, from + a, length);
                assert_memory_equal(to, wanted, sizeof to);
                memset(to, 0, sizeof to);
                tf_shared_get(to + b, from + a, length);
                assert_memory_equal(to, wanted, sizeof to);
                memset(to, 0, sizeof to);
                tf_shared_copy(to + b, from + a, length);
                assert_memory_equal(to, wanted, sizeof to);
            }
}

/* Long blocks, which take other paths than short ones. Bytes beside them stay unchanged. */
static void test_long_copies(void **state)
{
    (void)state;
    enum { PACKET = 4096, LONG = 128 * 1024, ROOM = LONG + 512 };
    static const unsigned lengths[] = {PACKET - 1, PACKET, 2 * PACKET - 33, LONG - 1, LONG, LONG + 129};
    static const unsigned starts[] = {0, 1, 15, 16, 33, 63};
    static _Alignas(64) uint8_t from[ROOM], to[ROOM], wanted[ROOM];
    void (*const copy[2])(void *to, const void *from, size_t bytes) = {tf_copy_in, tf_copy_between};
    fx_fill(from, sizeof from, 7);
    for (unsigned i = 0; i < 2 * 6 * 6 * 6; i++) {
        unsigned length = lengths[i / 2 % 6], a = starts[i / 12 % 6], b = starts[i / 72];
        memset(wanted, 0xEE, sizeof wanted);
        memcpy(wanted + b, from + a, length);
        memset(to, 0xEE, sizeof to);
        copy[i % 2](to + b, from + a, length);
        assert_memory_equal(to, wanted, sizeof to);
    }
}

#define TEARING_BYTES 556u

/* One thread writes words of four equal bytes without pause. The other one never sees a mixed word. */
struct tearing {
    _Alignas(64) uint8_t memory[TEARING_BYTES + 12];
    int done;
};

static void *write_on(void *argument)
{
    struct tearing *tearing = argument;
    uint8_t data[TEARING_BYTES];
    for (unsigned round = 0; !__atomic_load_n(&tearing->done, __ATOMIC_RELAXED); round++) {
        memset(data, (int)round, sizeof data);
        tf_shared_put(tearing->memory + 4, data, sizeof data);
    }
    return NULL;
}

static void test_no_tearing(void **state)
{
    (void)state;
    static struct tearing tearing;
    pthread_t thread;
    unsigned torn = 0;
    assert_int_equal(pthread_create(&thread, NULL, write_on, &tearing), 0);
    for (unsigned round = 0; round < 100000; round++) {
        uint8_t data[TEARING_BYTES];
        tf_shared_get(data, tearing.memory + 4, sizeof data);
        for (unsigned at = 0; at < sizeof data; at += 4)
            torn += data[at] != data[at + 1] || data[at] != data[at + 2] || data[at] != data[at + 3];
    }
    __atomic_store_n(&tearing.done, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    assert_int_equal(torn, 0);
}

#ifndef TF_LINE_TOLD
#define LINE_ROUNDS 1000000u

static void *add_on(void *argument)
{
    struct tearing *tearing = argument;
    struct tf_noc_atomic op;
    assert_null(tf_noc_atomic_decode(TF_ATOMICS_ISA, 0x9004, 1, &op));
    while (!__atomic_load_n(&tearing->done, __ATOMIC_RELAXED))
        tf_noc_atomic_shared(&op, tearing->memory, 16);
    return NULL;
}

/* One thread adds to the equal words of a line, the other one replaces and copies the line: the words stay equal.
   ThreadSanitizer sees accesses to words, for which that does not hold. */
static void test_no_torn_lines(void **state)
{
    (void)state;
    static struct tearing tearing;
    static _Alignas(16) uint8_t data[16];
    pthread_t thread;
    unsigned torn = 0;
    assert_int_equal(pthread_create(&thread, NULL, add_on, &tearing), 0);
    for (unsigned round = 0; round < LINE_ROUNDS; round++) {
        if (round % 4 == 0) {
            memset(data, (int)(round / 4), sizeof data);
            tf_shared_copy(tearing.memory + 16, data, sizeof data);
        }
        tf_shared_copy(data, tearing.memory + 16, sizeof data);
        torn += memcmp(data, data + 4, 12) != 0;
    }
    __atomic_store_n(&tearing.done, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    assert_int_equal(torn, 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),        cmocka_unit_test(test_long_copies),    cmocka_unit_test(test_no_tearing),
#ifndef TF_LINE_TOLD
        cmocka_unit_test(test_no_torn_lines),
#endif
        cmocka_unit_test(test_workers),       cmocka_unit_test(test_interrupt_race),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
