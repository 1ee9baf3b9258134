/* SPDX-License-Identifier: Apache-2.0 */
/* Coordinates.md, MemoryMap.md "NIU Identification Details" and broadcasts, against brute force. */
#include "fixture.h"
#include "noc/coords.h"

#include <string.h>

/* Raw NOC 0 node of translated coordinates. */
struct place {
    unsigned x, y, raw_x, raw_y;
};

static unsigned node_at(struct fx *fx, unsigned noc, unsigned x, unsigned y)
{
    return tf_niu_node_of(fx_niu(fx, 1, 2, noc), FX_XY(x, y));
}

static unsigned number(unsigned x, unsigned y)
{
    return y * TF_GRID_X_MAX + x;
}

static void test_translated_tensix(void **state)
{
    for (unsigned noc = 0; noc < 2; noc++)
        for (unsigned y = 2; y < 12; y++)
            for (unsigned x = 0; x < 17; x++)
                assert_int_equal(node_at(*state, noc, x, y), number(x, y));
}

/* X is not translated in the two top rows, so that it counts from the other side on NOC 1. */
static void test_translated_top_rows(void **state)
{
    for (unsigned y = 0; y < 2; y++)
        for (unsigned x = 0; x < 17; x++) {
            assert_int_equal(node_at(*state, 0, x, y), number(x, y));
            assert_int_equal(node_at(*state, 1, x, y), number(16 - x, y));
        }
    assert_int_equal(node_at(*state, 1, 8, 0), number(8, 0));
}

static void test_translated_others(void **state)
{
    static const struct place places[] = {
        {17, 12, 0, 0}, {17, 13, 0, 1},  {17, 14, 0, 11}, {17, 15, 0, 2}, {17, 16, 0, 10}, {17, 17, 0, 3},
        {17, 18, 0, 9}, {17, 19, 0, 4},  {17, 20, 0, 8},  {17, 21, 0, 5}, {17, 22, 0, 7},  {17, 23, 0, 6},
        {18, 12, 9, 0}, {18, 14, 9, 11}, {18, 23, 9, 6},  {19, 24, 2, 0}, {20, 25, 1, 1},  {21, 25, 16, 1},
        {22, 25, 2, 1}, {31, 25, 11, 1}, {30, 25, 6, 1},  {8, 26, 8, 3},  {8, 27, 8, 9},   {8, 28, 8, 5},
        {8, 29, 8, 7},  {8, 30, 8, 2},
    };
    for (unsigned noc = 0; noc < 2; noc++)
        for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
            assert_int_equal(node_at(*state, noc, places[i].x, places[i].y), number(places[i].raw_x, places[i].raw_y));
}

/* Each group of three rows of a DRAM column is one channel. */
static void test_dram_groups(void **state)
{
    struct fx *fx = *state;
    for (unsigned x = 17; x < 19; x++)
        for (unsigned group = 0; group < 4; group++)
            for (unsigned port = 0; port < 3; port++) {
                const struct tf_node *node = &fx->fabric.node[node_at(fx, 0, x, 12 + 3 * group + port)];
                const struct tf_node *first = &fx->fabric.node[node_at(fx, 0, x, 12 + 3 * group)];
                assert_int_equal(node->kind, TF_NODE_DRAM);
                assert_ptr_equal(node->dram, first->dram);
                assert_int_equal(node->site, first->site);
                assert_int_equal(node->index, first->index);
            }
}

static void test_untranslated(void **state)
{
    struct fx *fx = *state;
    for (unsigned noc = 0; noc < 2; noc++) {
        struct tf_niu *niu = fx_niu(fx, 1, 2, noc);
        fx_store(niu, TF_NIU_CONFIG, 0);
        for (unsigned y = 0; y < 64; y++)
            for (unsigned x = 0; x < 64; x++) {
                unsigned wanted = x < 17 && y < 12 ? number(noc ? 16 - x : x, noc ? 11 - y : y) : TF_NO_NODE;
                assert_int_equal(tf_niu_node_of(niu, FX_XY(x, y)), wanted);
            }
    }
}

/* translate_coords of the page, implemented a second time, with random tables and masks. */
static void reference(const uint32_t *config, unsigned x, unsigned y, unsigned *out_x, unsigned *out_y)
{
    unsigned table[3][32];
    const unsigned from[3] = {TF_NIU_X_TABLE, TF_NIU_Y_TABLE, TF_NIU_DDR_TABLE};
    for (unsigned t = 0; t < 3; t++)
        for (unsigned i = 0; i < 32; i++)
            table[t][i] = config[from[t] + i / 6] >> 5 * (i % 6) & 0x1F;
    uint32_t last = config[TF_NIU_DDR_TABLE + 5];
    bool ddr9 = last & 1u << 10, ddr0 = last & 1u << 11;
    unsigned x31 = x & 31, y31 = y & 31, other = x31 ^ 9;
    bool other_in = (other == 9 && ddr9) || (other == 0 && ddr0);
    bool in = (x31 == 9 && ddr9) || (x31 == 0 && ddr0);
    if ((config[TF_NIU_DDR_COL_SWAP] >> y31 & 1) && other_in)
        *out_x = other;
    else
        *out_x = config[TF_NIU_ROW_MASK] >> y31 & 1 ? x : table[0][x31];
    if (in)
        *out_y = table[2][y31];
    else
        *out_y = config[TF_NIU_COL_MASK] >> x31 & 1 ? y : table[1][y31];
}

static void test_translation_algorithm(void **state)
{
    struct tf_niu *niu = fx_niu(*state, 3, 4, 0);
    uint64_t random = test_seed(1);
    for (unsigned round = 0; round < 200; round++) {
        for (unsigned word = TF_NIU_X_TABLE; word <= TF_NIU_DDR_COL_SWAP; word++)
            fx_store(niu, TF_NIU_CONFIG + 4 * word, (uint32_t)test_random64(&random));
        for (unsigned i = 0; i < 4096; i++) {
            unsigned x, y;
            reference(niu->config, i & 63, i >> 6, &x, &y);
            struct tf_noc_xy at = tf_niu_translate(niu, tf_noc_unpack_xy(i, 0));
            assert_int_equal(at.x, x);
            assert_int_equal(at.y, y);
        }
    }
}

static void test_identification(void **state)
{
    struct fx *fx = *state;
    assert_int_equal(fx_load(fx_niu(fx, 1, 2, 0), TF_NIU_NODE_ID), 1 | 2 << 6 | 17 << 12 | 12 << 19 | 1 << 28);
    assert_int_equal(fx_load(fx_niu(fx, 1, 2, 1), TF_NIU_NODE_ID), 15 | 9 << 6 | 17 << 12 | 12 << 19);
    assert_int_equal(fx_load(fx_niu(fx, 1, 2, 0), TF_NIU_ENDPOINT_ID), 0x00010000);
    assert_int_equal(fx_load(fx_niu(fx, 16, 11, 1), TF_NIU_ENDPOINT_ID), 0x01010000 | 139);
    assert_int_equal(fx_load(fx_niu(fx, 10, 2, 0), TF_NIU_ENDPOINT_ID), 0x00010000 | 7);
    assert_int_equal(fx_load(fx_niu(fx, 16, 1, 0), TF_NIU_ENDPOINT_ID), 0x00020001);
    assert_int_equal(fx_load(fx_niu(fx, 7, 1, 0), TF_NIU_ENDPOINT_ID), 0x0002000C);
    assert_int_equal(fx_load(fx_niu(fx, 10, 1, 0), TF_NIU_ENDPOINT_ID), 0x0002000D);
    assert_int_equal(fx_load(fx_niu(fx, 2, 0, 1), TF_NIU_ENDPOINT_ID), 0x01030002);
    assert_int_equal(fx_load(fx_niu(fx, 11, 0, 0), TF_NIU_ENDPOINT_ID), 0x00030002);
    assert_int_equal(fx_load(fx_niu(fx, 8, 0, 0), TF_NIU_ENDPOINT_ID), 0x00050000);
    assert_int_equal(fx_load(fx_niu(fx, 9, 7, 0), TF_NIU_ENDPOINT_ID), 0x00080007);
    assert_int_equal(fx_load(fx_niu(fx, 0, 10, 0), TF_NIU_ENDPOINT_ID), 0x00080001);
    assert_int_equal(fx_load(fx_niu(fx, 8, 9, 0), TF_NIU_ENDPOINT_ID), 0x00090101);
    assert_int_equal(fx_load(fx_niu(fx, 8, 2, 0), TF_NIU_ENDPOINT_ID), 0x000A0000);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t base = i * TF_NIU_INITIATOR_STRIDE;
        assert_int_equal(fx_load(fx_niu(fx, 5, 6, 0), base + TF_NIU_NODE_ID) & 0xFFF, FX_XY(5, 6));
        assert_int_equal(fx_load(fx_niu(fx, 5, 6, 0), base + TF_NIU_ENDPOINT_ID), 0x00010000 | (4 * 14 + 4));
    }
}

/* Every NIU's NOC_ID_LOGICAL translates, at that NIU, to the NIU itself, if the scheme has a place for it. */
static void test_logical_id(void **state)
{
    struct fx *fx = *state;
    for (unsigned i = 0; i < fx->fabric.nodes; i++) {
        const struct tf_node *node = &fx->fabric.node[i];
        if (node->kind == TF_NODE_EMPTY || node->kind == TF_NODE_ARC || node->coord.y == 0)
            continue;
        if (node->kind == TF_NODE_ETH && node->index >= 12)
            continue;
        for (unsigned noc = 0; noc < 2; noc++) {
            uint32_t logical = fx_load(&fx->fabric.node[i].niu[noc], TF_NIU_CONFIG + 4 * TF_NIU_ID_LOGICAL);
            assert_int_equal(tf_niu_node_of(&fx->fabric.node[i].niu[noc], logical), i);
        }
    }
}

static void test_kinds(void **state)
{
    struct fx *fx = *state;
    unsigned count[8] = {0}, ports[8] = {0};
    for (unsigned i = 0; i < fx->fabric.nodes; i++) {
        count[fx->fabric.node[i].kind]++;
        if (fx->fabric.node[i].kind == TF_NODE_DRAM)
            ports[fx->fabric.node[i].index]++;
    }
    assert_int_equal(fx->fabric.nodes, 17 * 12);
    assert_int_equal(count[TF_NODE_TENSIX], 140);
    assert_int_equal(count[TF_NODE_ETH], 14);
    assert_int_equal(count[TF_NODE_DRAM], 24);
    assert_int_equal(count[TF_NODE_PCIE], 2);
    assert_int_equal(count[TF_NODE_ARC], 1);
    assert_int_equal(count[TF_NODE_L2CPU], 4);
    assert_int_equal(count[TF_NODE_SECURITY], 1);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(ports[i], 3);
}

static bool in_span(unsigned start, unsigned end, unsigned at)
{
    return start <= end ? start <= at && at <= end : at <= end || start <= at;
}

static bool excluded(unsigned start, unsigned end, unsigned at, unsigned limit, bool upward, unsigned size)
{
    if (start > end) {
        at = (at + size - start) % size;
        limit = (limit + size - start) % size;
    }
    return upward ? at >= limit : at <= limit;
}

static bool skipped(unsigned keep, unsigned skip, unsigned start, unsigned at, unsigned size)
{
    bool keeps = true;
    for (unsigned i = start, left = keep; keep != 0 && skip != 0 && i != at; i = (i + 1) % size)
        if (--left == 0) {
            keeps = !keeps;
            left = keeps ? keep : skip;
        }
    return !keeps;
}

static bool receives(struct fx *fx, const struct tf_noc_request *request, unsigned i)
{
    const struct tf_node *node = &fx->fabric.node[i];
    unsigned x = request->noc ? 16u - node->coord.x : node->coord.x;
    unsigned y = request->noc ? 11u - node->coord.y : node->coord.y;
    if (node->kind != TF_NODE_TENSIX || (i == request->source && !request->source_include))
        return false;
    if (!in_span(request->x0, request->x1, x) || !in_span(request->y0, request->y1, y))
        return false;
    uint32_t e = request->exclude;
    if (skipped(e & 3, e >> 2 & 3, request->x0, x, request->x1 < request->x0 ? 32 : 17) ||
        skipped(e >> 4 & 3, e >> 6 & 3, request->y0, y, request->y1 < request->y0 ? 32 : 12))
        return false;
    return !(e >> 22 & 1) || !excluded(request->x0, request->x1, x, e >> 8 & 63, e >> 20 & 1, 17) ||
           !excluded(request->y0, request->y1, y, e >> 14 & 63, e >> 21 & 1, 12);
}

/* Those of the patterns that the rectangle allows: along an axis that wraps, the sum must be a power of two. */
static uint32_t patterns(const struct tf_noc_request *request, uint32_t bits)
{
    bool wraps[2] = {request->x0 > request->x1, request->y0 > request->y1};
    for (unsigned axis = 0; axis < 2; axis++) {
        unsigned keep = bits >> 4 * axis & 3, skip = bits >> (4 * axis + 2) & 3;
        if (wraps[axis] && keep != 0 && skip != 0 && keep + skip != 2 && keep + skip != 4)
            bits &= ~(15u << 4 * axis);
    }
    return bits;
}

static void test_recipients(void **state)
{
    struct fx *fx = *state;
    uint64_t random = test_seed(2);
    for (unsigned round = 0; round < 20000; round++) {
        uint64_t r = test_random64(&random);
        struct tf_noc_request request = {
            .multicast = true,
            .noc = r & 1,
            .source_include = r >> 1 & 1,
            .major_y = r >> 2 & 1,
            .x0 = (r >> 8 & 0xFF) % 17,
            .x1 = (r >> 16 & 0xFF) % 17,
            .y0 = (r >> 24 & 0xFF) % 12,
            .y1 = (r >> 32 & 0xFF) % 12,
            .source = (uint16_t)((r >> 40 & 0xFF) % 204),
        };
        uint32_t x = (r >> 48 & 0xFF) % 17, y = (r >> 56) % 12;
        if (round & 1)
            request.exclude = x << 8 | y << 14 | (round >> 1 & 3) << 20 | 1u << 22;
        if (round & 8)
            request.exclude |= patterns(&request, round >> 4 & 255);
        uint16_t node[TF_NODES_MAX];
        unsigned count = tf_noc_recipients(&fx->fabric, &request, node), k = 0;
        for (unsigned i = 0; i < 204; i++)
            if (receives(fx, &request, i)) {
                assert_true(k < count);
                assert_int_equal(node[k++], i);
            }
        assert_int_equal(k, count);
    }
}

/* The exclusion's four quadrants, without wrapping: tiles that are on its side in both axes. */
static void test_exclude_quadrants(void **state)
{
    struct fx *fx = *state;
    struct tf_noc_request request = {.multicast = true, .x0 = 1, .y0 = 2, .x1 = 4, .y1 = 5, .source = 0};
    uint16_t node[TF_NODES_MAX];
    request.exclude = 3u << 8 | 4u << 14 | 3u << 20 | 1u << 22; /* x >= 3 and y >= 4 */
    assert_int_equal(tf_noc_recipients(&fx->fabric, &request, node), 12);
    assert_int_equal(node[11], number(2, 5));
    request.exclude = 3u << 8 | 4u << 14 | 1u << 22; /* x <= 3 and y <= 4 */
    assert_int_equal(tf_noc_recipients(&fx->fabric, &request, node), 7);
    assert_int_equal(node[0], number(4, 2));
    request.exclude = 3u << 8 | 4u << 14 | 3u << 20; /* not enabled */
    assert_int_equal(tf_noc_recipients(&fx->fabric, &request, node), 16);
}

/* Keep and skip alternate, on either NOC from the rectangle's start in its own coordinates. */
static void test_exclude_patterns(void **state)
{
    struct fx *fx = *state;
    struct tf_noc_request request = {.multicast = true, .x0 = 1, .y0 = 2, .x1 = 7, .y1 = 6, .source = 0};
    uint16_t node[TF_NODES_MAX];
    request.exclude = 1 | 1 << 2; /* columns 1, 3, 5, 7 */
    assert_int_equal(tf_noc_recipients(&fx->fabric, &request, node), 20);
    assert_int_equal(node[1], number(3, 2));
    request.exclude = 1 | 2 << 2 | 2 << 4 | 1 << 6; /* columns 1, 4, 7 of rows 2, 3, 5, 6 */
    assert_int_equal(tf_noc_recipients(&fx->fabric, &request, node), 12);
    assert_int_equal(node[1], number(4, 2));
    assert_int_equal(node[11], number(7, 6));
    assert_int_equal(node[6], number(1, 5));
    request.noc = 1; /* NOC 0 columns 15, 12 and 9, where no Tensix tile is, of rows 9, 8, 6, 5 */
    assert_int_equal(tf_noc_recipients(&fx->fabric, &request, node), 8);
    assert_int_equal(node[0], number(12, 5));
    request.exclude = 3 | 0 << 2 | 0 << 4 | 3 << 6; /* of either, nothing is skipped */
    assert_int_equal(tf_noc_recipients(&fx->fabric, &request, node), 30);
}

static void test_unicast_recipient(void **state)
{
    struct fx *fx = *state;
    struct tf_noc_request request = {.target = 33};
    uint16_t node[TF_NODES_MAX];
    assert_int_equal(tf_noc_recipients(&fx->fabric, &request, node), 1);
    assert_int_equal(node[0], 33);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_translated_tensix, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_translated_top_rows, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_translated_others, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_dram_groups, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_untranslated, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_translation_algorithm, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_identification, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_logical_id, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_kinds, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_recipients, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_exclude_quadrants, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_exclude_patterns, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_unicast_recipient, fx_setup, fx_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
