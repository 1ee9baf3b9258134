/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to tiles that have decoded the code there. Cores execute what is stored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "chip_wish.h"
#include "farm/chip/chip.h"
#include "noc/requests/act.h"
#include "noc/requests/land.h"
#include "noc/relaxed/owner.h"
#include "noc/relaxed/transact.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/code/page.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

#define CODE 0x3800u
#define CODE_END (CODE + TF_CODE_PAGE_BYTES)
#define BEYOND 0x4400u /* a page that no core has executed */
#define NOP 0x00000013u
#define OTHER 0x00100093u /* addi x1, x0, 1 */

struct fx {
    struct tf_chip *chip;
    struct tf_node *node, *source;
    struct tf_noc_sink *sink;
};

static struct fx fx_new(enum tf_mode mode)
{
    struct fx fx;
    struct chip_wish config;
    chip_wish_init(&config);
    config.mode = mode;
    config.threads = 1;
    assert_int_equal(chip_wish_create(&config, &fx.chip, NULL), TF_OK);
    fx.node = &fx.chip->fabric->node[tf_node_number(fx.chip->arch, fx.chip->tiles.tile[5].coord)];
    fx.source = &fx.chip->fabric->node[tf_node_number(fx.chip->arch, fx.chip->tiles.tile[9].coord)];
    fx.sink = &fx.chip->workers.worker[0].sink;
    fx.chip->workers.worker[0].relaxed.owned = fx.node->number;
    return fx;
}

/* A core has executed a page of NOPs. */
static void decode(struct tf_node *node, uint32_t address)
{
    tf_code_drop_stale(node->tile);
    tf_code_written(node->tile, address, TF_CODE_PAGE_BYTES, TF_WROTE_OTHER);
    for (uint32_t at = 0; at < TF_CODE_PAGE_BYTES; at += 4)
        memcpy(node->l1 + address + at, &(uint32_t){NOP}, 4);
    assert_non_null(tf_code_page_make(node->tile, address));
}

/* The word that a core executes at an address, in its next slice. */
static uint32_t executed(struct tf_node *node, uint32_t address)
{
    tf_code_drop_stale(node->tile);
    const struct tf_code_page *page = tf_code_page_make(node->tile, address);
    assert_non_null(page);
    return page->insn[address % TF_CODE_PAGE_BYTES / 4].word;
}

static struct tf_noc_request write_of(const struct fx *fx, uint32_t address, uint32_t length, const uint32_t *data)
{
    struct tf_noc_request request = {.kind = TF_NOC_WRITE, .address = address, .length = length};
    request.data = (const uint8_t *)data;
    request.source = fx->source->number;
    request.target = fx->node->number;
    return request;
}

/* Writes, atomics and answers store instructions, which cores then execute; data beside the page leave it decoded. */
static void test_executes_what_is_stored(void **state)
{
    (void)state;
    struct fx fx = fx_new(TF_MODE_DETERMINISTIC);
    const uint32_t data[4] = {OTHER, OTHER, OTHER, OTHER};
    struct tf_noc_request request = write_of(&fx, CODE - 8, 8, data);
    decode(fx.node, CODE);
    uint64_t decoded = fx.node->tile->figures.pages_decoded;
    tf_noc_act(fx.chip->fabric, &request, fx.node->number, fx.sink);
    assert_int_equal(executed(fx.node, CODE), NOP);
    assert_int_equal(fx.node->tile->figures.pages_decoded, decoded);
    request.length = 12;
    tf_noc_act(fx.chip->fabric, &request, fx.node->number, fx.sink);
    assert_int_equal(executed(fx.node, CODE), OTHER);
    assert_int_equal(executed(fx.node, CODE + 4), NOP);

    for (unsigned l1_only = 0; l1_only < 2; l1_only++) {
        decode(fx.node, CODE);
        request = (struct tf_noc_request){.kind = TF_NOC_ATOMIC, .address = CODE_END - 4, .l1_only = l1_only};
        request.op = (struct tf_noc_atomic){.kind = TF_NOC_AT_SWAP, .data = OTHER, .has_ofs = true, .ofs = 3};
        tf_noc_act(fx.chip->fabric, &request, fx.node->number, fx.sink);
        assert_int_equal(executed(fx.node, CODE_END - 4), OTHER);
    }

    decode(fx.node, CODE);
    request = write_of(&fx, BEYOND, 16, data);
    request.header_store = true;
    request.at_data = (CODE + 16) >> 4;
    tf_noc_act(fx.chip->fabric, &request, fx.node->number, fx.sink);
    assert_int_equal(executed(fx.node, CODE + 16), OTHER);

    decode(fx.node, CODE);
    struct tf_noc_response response = {.kind = TF_NOC_READ_DATA, .address = CODE + 32, .length = 16};
    response.node = fx.node->number;
    response.data = (const uint8_t *)data;
    tf_noc_land(fx.chip->fabric, &response);
    assert_int_equal(executed(fx.node, CODE + 32), OTHER);

    decode(fx.node, CODE);
    request = (struct tf_noc_request){.kind = TF_NOC_ATOMIC, .return_address = CODE + 48, .answered = true};
    request.entry.settled = true;
    request.entry.result = OTHER;
    tf_noc_land_kept(fx.node, &request);
    assert_int_equal(executed(fx.node, CODE + 48), OTHER);
    tf_chip_destroy(fx.chip);
}

static void test_needs_owner(void **state)
{
    (void)state;
    struct fx fx = fx_new(TF_MODE_RELAXED);
    const struct tf_fabric *fabric = fx.chip->fabric;
    const uint16_t tile = fx.node->number, dram = 0, arc = tf_node_number(fx.chip->arch, (struct tf_coord){8, 0});
    struct tf_noc_request request = {.kind = TF_NOC_READ, .address = CODE + 0x100, .length = 4};
    decode(fx.node, CODE);
    assert_false(tf_noc_needs_owner(fabric, &request, tile));
    assert_false(tf_noc_needs_owner(fabric, &request, dram));
    assert_true(tf_noc_needs_owner(fabric, &request, arc));
    request.kind = TF_NOC_WRITE;
    assert_true(tf_noc_needs_owner(fabric, &request, tile));
    request.address = BEYOND;
    assert_false(tf_noc_needs_owner(fabric, &request, tile));
    request.header_store = true;
    request.at_data = CODE >> 4;
    assert_true(tf_noc_needs_owner(fabric, &request, tile));
    request = (struct tf_noc_request){.kind = TF_NOC_ATOMIC, .address = BEYOND, .op = {.kind = TF_NOC_AT_SWAP}};
    assert_false(tf_noc_needs_owner(fabric, &request, tile));
    request.op.kind = TF_NOC_AT_STORE_IND;
    assert_true(tf_noc_needs_owner(fabric, &request, tile));
    request = (struct tf_noc_request){.kind = TF_NOC_READ, .address = NIU_AT(0, NODE_ID), .length = 4};
    assert_true(tf_noc_needs_owner(fabric, &request, tile));
    assert_true(tf_noc_needs_owner(fabric, &request, dram));
    tf_chip_destroy(fx.chip);
}

/* Which requests hit decoded code: writes in their range, atomics in their line, and stored headers. The owner then
   executes what L1 holds. */
static void test_code_is_met(void **state)
{
    (void)state;
    static const struct {
        uint8_t kind;
        bool header, met;
        uint32_t address, length, header_at;
    } cases[] = {
        {TF_NOC_READ, false, false, CODE, 16, 0},           {TF_NOC_WRITE, false, false, CODE - 16, 16, 0},
        {TF_NOC_WRITE, false, true, CODE - 16, 17, 0},      {TF_NOC_WRITE, false, true, CODE_END - 1, 16, 0},
        {TF_NOC_WRITE, false, false, CODE_END, 16, 0},      {TF_NOC_ATOMIC, false, false, CODE - 4, 0, 0},
        {TF_NOC_ATOMIC, false, true, CODE + 4, 0, 0},       {TF_NOC_ATOMIC, false, true, CODE_END - 4, 0, 0},
        {TF_NOC_ATOMIC, false, false, CODE_END, 0, 0},      {TF_NOC_WRITE, true, true, BEYOND, 16, CODE},
        {TF_NOC_WRITE, true, false, BEYOND, 16, CODE - 16},
    };
    struct fx fx = fx_new(TF_MODE_RELAXED);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct tf_noc_request request = {
            .kind = cases[i].kind,
            .header_store = cases[i].header,
            .address = cases[i].address,
            .length = cases[i].length,
            .at_data = cases[i].header_at >> 4,
            .target = fx.node->number,
        };
        decode(fx.node, CODE);
        memset(fx.node->l1 + CODE, 0, TF_CODE_PAGE_BYTES);
        if (tf_noc_met_code(fx.chip->fabric, &request, fx.node->number) != cases[i].met)
            fail_msg("case %u: %s code", i, cases[i].met ? "no" : "it met");
        assert_int_equal(executed(fx.node, CODE + 64), cases[i].met ? 0 : NOP);
    }
    tf_chip_destroy(fx.chip);
}

/* A request acts in one step beside decoded code, but not on it, at the target or where its answer lands. */
static void test_one_step_leaves_code(void **state)
{
    (void)state;
    struct fx fx = fx_new(TF_MODE_RELAXED);
    struct tf_fabric *fabric = fx.chip->fabric;
    struct tf_noc_gathered gathered = {.any = false};
    for (unsigned on_code = 0; on_code < 2; on_code++) {
        const enum tf_noc_done wanted = on_code ? TF_NOC_NOT_DONE : TF_NOC_DONE;
        uint32_t to = on_code ? CODE + 64 : BEYOND;
        struct tf_noc_request request = write_of(&fx, to, 16, NULL);
        request.answer = request.source;
        decode(fx.node, CODE);
        decode(fx.source, CODE);
        memset(fx.source->l1 + 0x5000, 0xA5, 16);
        request.source_address = 0x5000;
        assert_int_equal(tf_noc_transact(fabric, &request, &gathered), wanted);
        assert_int_equal(fx.node->l1[to] == 0xA5, !on_code);
        request.kind = TF_NOC_READ;
        request.answered = true;
        request.address = 0x6000;
        request.return_address = to;
        assert_int_equal(tf_noc_transact(fabric, &request, &gathered), wanted);
        request.kind = TF_NOC_ATOMIC;
        request.answered = false;
        request.address = to;
        request.op = (struct tf_noc_atomic){.kind = TF_NOC_AT_SWAP, .data = 1};
        assert_int_equal(tf_noc_transact(fabric, &request, &gathered), wanted);
        assert_int_equal(executed(fx.node, CODE + 64), NOP);
        assert_int_equal(executed(fx.source, CODE + 64), NOP);
    }
    tf_noc_count_gathered(fabric, &gathered);
    tf_chip_destroy(fx.chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_executes_what_is_stored),
        cmocka_unit_test(test_needs_owner),
        cmocka_unit_test(test_code_is_met),
        cmocka_unit_test(test_one_step_leaves_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
