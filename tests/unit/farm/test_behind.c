/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relaxed mode: requests of one tile to another do not overtake each other. That holds even if one acts when it is
 * issued and the other waits for the owner. A signal comes after the code that it announces, or after a register. If a
 * tile reads data onto code that it has decoded, the data land before its next slice, not while that code may run. A
 * store to a page that a tile waits for wakes the page's owner. Invariants R2, R5, R6 and R7 of docs/design.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "chip_wish.h"
#include "farm/chip/chip.h"
#include "noc/whole/host_access.h"
#include "noc/nodes/space.h"
#include "stress/places.h"
#include "tile/run/awaited.h"
#include "tile/run/awaited.h"
#include "tile/riscv/code/page.h"
#include "tilefarm_address.h"

#define CODE (64 * TF_CODE_PAGE_BYTES)
#define DATA 0x5000u
#define SIGNAL 0x7000u
#define SCRATCH TF_DEBUG_BASE /* a register that keeps what is stored */
#define BYTES 64u
#define OLD 0x00000013u
#define NEW 0x00100013u
#define TID 1u

static struct tf_chip *chip;

static struct tf_node *node_of(unsigned tile)
{
    return &chip->fabric->node[tf_node_number(chip->arch, at(tile))];
}

static uint32_t word_at(unsigned tile, uint32_t address)
{
    uint32_t word;
    memcpy(&word, node_of(tile)->l1 + address, sizeof word);
    return word;
}

static void fill_words(unsigned tile, uint32_t address, uint32_t word)
{
    for (unsigned i = 0; i < BYTES / 4; i++)
        memcpy(node_of(tile)->l1 + address + 4 * i, &word, sizeof word);
}

static uint32_t decoded(unsigned tile)
{
    const struct tf_code_page *page = tf_code_page_make(node_of(tile)->tile, CODE);
    assert_non_null(page);
    return page->insn[0].word;
}

/* Tile 0 is being visited, and issues the following requests. The other tiles have decoded old code. */
static void begin(void)
{
    struct chip_wish config;
    chip_wish_init(&config);
    config.mode = TF_MODE_RELAXED;
    config.arch = family;
    config.threads = 1;
    config.pin = false;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    chip->workers.worker[0].relaxed.owned = node_of(0)->number;
    fill_words(0, DATA, NEW);
    for (unsigned tile = 0; tile < 4; tile++) {
        fill_words(tile, CODE, OLD);
        assert_int_equal(decoded(tile), OLD);
    }
}

/* Perform the requests that were handed over. */
static void owners_look(void)
{
    enum tf_end end;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    assert_int_equal(chip->site[node_of(0)->number].relaxed.held, 0);
    chip->workers.worker[0].relaxed.owned = node_of(0)->number;
}

static struct tf_noc_request describe(enum tf_noc_kind kind, unsigned target, uint64_t address)
{
    struct tf_noc_request request = {.kind = (uint8_t)kind, .address = address, .length = 4, .tid = TID};
    request.source = request.answer = node_of(0)->number;
    request.target = node_of(target)->number;
    return request;
}

/* Returns whether the fast path performed it. */
static bool issue(const struct tf_noc_request *described)
{
    struct tf_noc_sink *sink = &chip->workers.worker[0].sink;
    if (described->kind != TF_NOC_WRITE_INLINE && sink->transact(sink, described, 0))
        return true;
    struct tf_noc_request request = *described;
    bool writes = request.kind == TF_NOC_WRITE;
    if (writes)
        request.data = node_of(0)->l1 + request.source_address;
    assert_int_equal(sink->issue(sink, &request, writes ? request.length : 0, TF_CORE_B, 0, 0), TF_ACCESS_OK);
    return false;
}

static bool write_code(unsigned target)
{
    struct tf_noc_request request = describe(TF_NOC_WRITE, target, CODE);
    request.source_address = DATA;
    request.length = BYTES;
    return issue(&request);
}

static bool signal(unsigned target)
{
    struct tf_noc_request request = describe(TF_NOC_ATOMIC, target, SIGNAL);
    request.op = (struct tf_noc_atomic){.kind = TF_NOC_AT_INCREMENT, .data = 1, .mask = ~0u};
    return issue(&request);
}

static void behind_code(void **unused)
{
    (void)unused;
    begin();
    assert_false(write_code(1));
    assert_int_equal(word_at(1, CODE), OLD);
    assert_false(signal(1));
    assert_false(signal(1));
    assert_int_equal(word_at(1, SIGNAL), 0);
    owners_look();
    assert_int_equal(decoded(1), NEW);
    assert_int_equal(word_at(1, SIGNAL), 2);
    assert_true(signal(1));
    assert_int_equal(word_at(1, SIGNAL), 3);
    tf_chip_destroy(chip);
}

/* The test above, for requests without a fast path. */
static void behind_a_register(void **unused)
{
    (void)unused;
    begin();
    struct tf_noc_request to_register = describe(TF_NOC_WRITE_INLINE, 1, SCRATCH);
    struct tf_noc_request to_l1 = describe(TF_NOC_WRITE_INLINE, 1, SIGNAL);
    to_register.at_data = to_l1.at_data = 7;
    issue(&to_l1);
    assert_int_equal(word_at(1, SIGNAL), 7);
    to_l1.at_data = 8;
    issue(&to_register);
    issue(&to_l1);
    assert_int_equal(word_at(1, SIGNAL), 7);
    owners_look();
    assert_int_equal(word_at(1, SIGNAL), 8);
    tf_chip_destroy(chip);
}

/* Requests to other sites do not wait, as long as the tile waits for one owner alone. */
static void others_go_on(void **unused)
{
    (void)unused;
    begin();
    assert_false(write_code(1));
    assert_true(signal(2));
    assert_int_equal(word_at(2, SIGNAL), 1);
    assert_false(write_code(2));
    assert_false(signal(2));
    assert_false(signal(1));
    assert_int_equal(word_at(1, SIGNAL), 0);
    assert_int_equal(word_at(2, SIGNAL), 1);
    owners_look();
    assert_int_equal(word_at(1, SIGNAL), 1);
    assert_int_equal(word_at(2, SIGNAL), 2);
    assert_int_equal(decoded(1), NEW);
    assert_int_equal(decoded(2), NEW);
    tf_chip_destroy(chip);
}

/* The read returns the final value. */
static void reads_behind_code(void **unused)
{
    (void)unused;
    begin();
    struct tf_noc_request read = describe(TF_NOC_READ, 1, CODE);
    read.answered = true;
    read.return_address = SIGNAL;
    read.length = BYTES;
    node_of(0)->niu[0].counter[TF_MST_REQS_OUTSTANDING + TID] = 1;
    assert_false(write_code(1));
    assert_false(issue(&read));
    assert_int_equal(word_at(0, SIGNAL), 0);
    owners_look();
    assert_int_equal(word_at(0, SIGNAL), NEW);
    assert_int_equal(node_of(0)->niu[0].counter[TF_MST_REQS_OUTSTANDING + TID], 0);
    tf_chip_destroy(chip);
}

/* The first port of DRAM, another one of its channel, or one of another channel. */
static struct tf_node *port(const struct tf_node *first, bool same)
{
    for (unsigned i = 0; i < chip->fabric->nodes; i++) {
        struct tf_node *node = &chip->fabric->node[i];
        if (node->kind == TF_NODE_DRAM && (first == NULL || (node != first && (node->site == first->site) == same)))
            return node;
    }
    fail();
    return NULL;
}

/* The address at which the NOC finds a register of such a port's NIU. */
static uint64_t niu_config(void)
{
    const struct tf_space_arch *space = &chip->arch->space;
    return space->niu_high + space->niu_first + TF_NIU_CONFIG;
}

static uint32_t dram_word(struct tf_node *node)
{
    uint32_t word;
    assert_int_equal(tf_node_read(chip->fabric, node, CODE, &word, sizeof word), TF_OK);
    return word;
}

/* A channel's ports have one owner. */
static void behind_a_register_of_dram(void **unused)
{
    (void)unused;
    begin();
    struct tf_node *first = port(NULL, false), *same = port(first, true), *other = port(first, false);
    struct tf_noc_request to_register = describe(TF_NOC_WRITE_INLINE, 1, niu_config());
    struct tf_noc_request write = describe(TF_NOC_WRITE, 1, CODE);
    assert_int_equal(first->site, same->site);
    assert_int_not_equal(first->site, other->site);
    to_register.target = first->number;
    issue(&to_register);
    write.source_address = DATA;
    write.length = BYTES;
    write.target = other->number;
    assert_true(issue(&write));
    assert_int_equal(dram_word(other), NEW);
    write.target = same->number;
    assert_false(issue(&write));
    assert_int_equal(dram_word(same), 0);
    owners_look();
    assert_int_equal(dram_word(same), NEW);
    tf_chip_destroy(chip);
}

static void read_onto_code(void **unused)
{
    (void)unused;
    begin();
    struct tf_noc_request read = describe(TF_NOC_READ, 3, DATA);
    uint32_t *counter = node_of(0)->niu[0].counter;
    fill_words(3, DATA, NEW);
    read.answered = true;
    read.return_address = CODE;
    read.length = BYTES;
    counter[TF_MST_REQS_OUTSTANDING + TID] = 1;
    assert_false(issue(&read));
    assert_int_equal(counter[TF_MST_RD_RESP_RECEIVED], 0);
    read.return_address = SIGNAL; /* no code lies there */
    assert_true(issue(&read));
    assert_int_equal(counter[TF_MST_RD_RESP_RECEIVED], 1);
    assert_int_equal(word_at(0, SIGNAL), NEW);
    assert_int_equal(word_at(0, CODE), OLD);
    owners_look();
    assert_int_equal(counter[TF_MST_RD_RESP_RECEIVED], 2);
    assert_int_equal(counter[TF_MST_REQS_OUTSTANDING + TID], 0);
    assert_int_equal(decoded(0), NEW);
    tf_chip_destroy(chip);
}

/* Tile 1 is quiet and awaits these pages. Does the request wake it? */
static bool wakes(const struct tf_noc_request *request, uint64_t pages)
{
    struct tf_site *site = &chip->site[node_of(1)->number];
    atomic_store(&site->relaxed.awaited, pages);
    atomic_store(&site->relaxed.woken, false);
    issue(request);
    return atomic_load(&site->relaxed.woken);
}

/* R5. A write may store a header to another page than its data. */
static void stores_wake(void **unused)
{
    (void)unused;
    const uint32_t header = 0x9000;
    const uint64_t of_data = tf_awaited_pages(SIGNAL, 4), of_header = tf_awaited_pages(header, 16);
    begin();
    struct tf_noc_request write = describe(TF_NOC_WRITE, 1, SIGNAL), with_header = write;
    write.source_address = with_header.source_address = DATA;
    with_header.header_store = true;
    with_header.at_data = header >> 4;
    assert_true(wakes(&write, of_data));
    assert_false(wakes(&write, of_header));
    assert_false(wakes(&write, 0));
    assert_true(wakes(&with_header, of_data));
    assert_true(wakes(&with_header, of_header));
    tf_chip_destroy(chip);
}

int main(int count, char **argument)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behind_code),
        cmocka_unit_test(behind_a_register),
        cmocka_unit_test(others_go_on),
        cmocka_unit_test(reads_behind_code),
        cmocka_unit_test(behind_a_register_of_dram),
        cmocka_unit_test(read_onto_code),
        cmocka_unit_test(stores_wake),
    };
    choose_family(count, argument);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
