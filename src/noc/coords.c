/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coordinates: translation, identification, and which tiles a rectangle names.
 * Sources: BlackholeA0/NoC/Coordinates.md and its diagrams (Diagrams/Src/NoC.lua), MemoryMap.md, RoutingPaths.md.
 */
#include <string.h>

#include "noc/parts.h"

#define X_LAST (TF_GRID_X_MAX - 1)
#define Y_LAST (TF_GRID_Y_MAX - 1)
#define COORDINATE(hi, bit) ((hi) >> (bit) & 63u)

/* Translated DRAM coordinates (17..18, 12..23) to raw NOC 0 rows and columns: the order that ttsim has. */
static const uint8_t dram_rows[12] = {0, 1, 11, 2, 10, 3, 5, 7, 6, 9, 4, 8};
static const uint8_t dram_columns[2] = {9, 0};

/* L2CPU tiles by index. */
static const uint8_t l2cpu_rows[4] = {3, 9, 5, 7};

#define SECURITY_ROW 2
#define PCIE_COLUMN 2

/* Column of Ethernet tile 0..13: from both ends inwards. */
static unsigned eth_column(unsigned index)
{
    return index % 2 ? X_LAST - index / 2 : 1 + index / 2;
}

/* Tables that map every translated coordinate of Coordinates.md to raw NOC 0 ones, with nothing fused off. */
static void fill_tables(uint8_t x[TF_NIU_TRANSLATE_ENTRIES], uint8_t y[TF_NIU_TRANSLATE_ENTRIES])
{
    for (unsigned i = 0; i < TF_NIU_TRANSLATE_ENTRIES; i++) {
        x[i] = i < TF_GRID_X_MAX ? (uint8_t)i : 0;
        y[i] = i < TF_GRID_Y_MAX ? (uint8_t)i : 0;
    }
    memcpy(x + 17, dram_columns, sizeof dram_columns);
    memcpy(y + 12, dram_rows, sizeof dram_rows);
    x[19] = PCIE_COLUMN;
    y[24] = 0;
    for (unsigned i = 0; i < 12; i++)
        x[20 + i] = (uint8_t)eth_column(i);
    y[25] = 1;
    memcpy(y + 26, l2cpu_rows, sizeof l2cpu_rows);
    y[30] = SECURITY_ROW;
}

/* Six entries of 5 bits in a register (parse_table on the page). */
static void unpack(const uint32_t *packed, uint8_t table[TF_NIU_TRANSLATE_ENTRIES])
{
    for (unsigned i = 0; i < TF_NIU_TRANSLATE_ENTRIES; i++)
        table[i] = packed[i / 6] >> i % 6 * 5 & 31;
}

static void pack(const uint8_t table[TF_NIU_TRANSLATE_ENTRIES], uint32_t *packed)
{
    for (unsigned i = 0; i < TF_NIU_TRANSLATE_ENTRIES; i++)
        packed[i / 6] |= (uint32_t)table[i] << i % 6 * 5;
}

void tf_niu_unpack_tables(struct tf_niu *niu)
{
    unpack(niu->config + TF_NIU_X_TABLE, niu->x_table);
    unpack(niu->config + TF_NIU_Y_TABLE, niu->y_table);
    unpack(niu->config + TF_NIU_DDR_TABLE, niu->ddr_table);
}

/* Columns that may stand for x in translated space: itself for Tensix, else the ranges above the grid. */
static uint32_t logical_id(const struct tf_node *node)
{
    unsigned x = node->coord.x, y = node->coord.y;
    switch (node->kind) {
    case TF_NODE_DRAM:
        for (unsigned i = 0; i < 12; i++)
            if (dram_rows[i] == y)
                return (dram_columns[0] == x ? 17u : 18u) | (12 + i) << 6;
        break;
    case TF_NODE_ETH:
        if (node->index < 12)
            return (20u + node->index) | 25u << 6;
        break;
    case TF_NODE_PCIE:
        if (x == PCIE_COLUMN)
            return 19u | 24u << 6;
        break;
    case TF_NODE_L2CPU:
        return x | (26u + node->index) << 6;
    case TF_NODE_SECURITY:
        return x | 30u << 6;
    default:
        break;
    }
    return x | y << 6;
}

/* NOC_ENDPOINT_ID, bits 23:8; empty tiles have no type there. */
static uint32_t endpoint_type(uint8_t kind)
{
    static const uint16_t types[] = {
        [TF_NODE_EMPTY] = 0,          [TF_NODE_TENSIX] = 0x0100, [TF_NODE_ETH] = 0x0200, [TF_NODE_DRAM] = 0x0800,
        [TF_NODE_PCIE] = 0x0300,      [TF_NODE_ARC] = 0x0500,    [TF_NODE_L2CPU] = 0x0901,
        [TF_NODE_SECURITY] = 0x0A00,
    };
    return types[kind];
}

uint8_t tf_node_index(uint8_t kind, unsigned x, unsigned y)
{
    /* Channel by row; each has three ports. */
    static const uint8_t channel[TF_GRID_Y_MAX] = {0, 0, 1, 1, 2, 3, 3, 3, 2, 2, 1, 0};
    switch (kind) {
    case TF_NODE_TENSIX:
        return (uint8_t)((y - 2) * 14 + x - (x < 8 ? 1 : 3));
    case TF_NODE_ETH:
        return (uint8_t)(x < 8 ? 2 * (x - 1) : 2 * (X_LAST - x) + 1);
    case TF_NODE_DRAM:
        return (uint8_t)(channel[y] + (x == 9 ? 4 : 0));
    case TF_NODE_PCIE:
        return 2;
    case TF_NODE_L2CPU:
        for (unsigned i = 0; i < 4; i++)
            if (l2cpu_rows[i] == y)
                return (uint8_t)i;
        return 0;
    default:
        return 0;
    }
}

/*
 * NOC 1 has (0, 0) at the other corner. Its tables give raw NOC 1 coordinates for the same translated ones, and its
 * opt-out masks have the bits of NOC 1 coordinates (MemoryMap.md, ROUTER_CFG_1; ttsim has NOC 0's there too).
 */
void tf_niu_power_on(struct tf_niu *niu)
{
    const struct tf_node *node = niu->node;
    unsigned x = node->coord.x, y = node->coord.y;
    uint32_t columns = 1u << 0 | 1u << 8 | 1u << 9, rows = 1u << 0 | 1u << 1;
    uint8_t x_table[TF_NIU_TRANSLATE_ENTRIES], y_table[TF_NIU_TRANSLATE_ENTRIES];
    fill_tables(x_table, y_table);
    if (niu->noc == 1) {
        x = X_LAST - x;
        y = Y_LAST - y;
        columns = 1u << 16 | 1u << 8 | 1u << 7;
        rows = 1u << 11 | 1u << 10;
        for (unsigned i = 0; i < TF_NIU_TRANSLATE_ENTRIES; i++) {
            x_table[i] = (uint8_t)(X_LAST - x_table[i]);
            y_table[i] = (uint8_t)(Y_LAST - y_table[i]);
        }
    }
    niu->node_id = x | y << 6 | TF_GRID_X_MAX << 12 | TF_GRID_Y_MAX << 19 | (niu->noc == 0 ? 1u << 28 : 0);
    for (unsigned i = 0; i < TF_NIU_INITIATORS; i++)
        niu->initiator[i][TF_PORT_NODE_ID] = niu->node_id;
    niu->endpoint_id = node->index % 256u | endpoint_type(node->kind) << 8 | (uint32_t)niu->noc << 24;
    niu->config[TF_NIU_CFG_0] = TF_NIU_CFG_0_TRANSLATE;
    niu->config[TF_NIU_ROUTER_CFG_1] = columns;
    niu->config[TF_NIU_ROUTER_CFG_3] = rows;
    niu->config[TF_NIU_ROW_MASK] = 1u << 0 | 1u << 1;
    niu->config[TF_NIU_ID_LOGICAL] = logical_id(node);
    pack(x_table, niu->config + TF_NIU_X_TABLE);
    pack(y_table, niu->config + TF_NIU_Y_TABLE);
    tf_niu_unpack_tables(niu);
}

static bool ddr_column(const struct tf_niu *niu, unsigned x)
{
    uint32_t bits = niu->config[TF_NIU_DDR_TABLE + 5];
    return (x == 9 && bits >> 10 & 1) || (x == 0 && bits >> 11 & 1);
}

/* translate_coords on the page. */
struct tf_noc_xy tf_niu_translate(const struct tf_niu *niu, unsigned x, unsigned y)
{
    if (!(niu->config[TF_NIU_CFG_0] & TF_NIU_CFG_0_TRANSLATE))
        return (struct tf_noc_xy){x, y};
    unsigned x31 = x & 31, y31 = y & 31;
    struct tf_noc_xy out = {x, y};
    if (niu->config[TF_NIU_DDR_COL_SWAP] >> y31 & 1 && ddr_column(niu, x31 ^ 9))
        out.x = x31 ^ 9;
    else if (!(niu->config[TF_NIU_ROW_MASK] >> y31 & 1))
        out.x = niu->x_table[x31];
    if (ddr_column(niu, x31))
        out.y = niu->ddr_table[y31];
    else if (!(niu->config[TF_NIU_COL_MASK] >> x31 & 1))
        out.y = niu->y_table[y31];
    return out;
}

uint16_t tf_niu_node_of(const struct tf_niu *niu, uint32_t hi)
{
    struct tf_noc_xy at = tf_niu_translate(niu, COORDINATE(hi, 0), COORDINATE(hi, 6));
    if (at.x > X_LAST || at.y > Y_LAST)
        return TF_NO_NODE;
    if (niu->noc == 1)
        at = (struct tf_noc_xy){X_LAST - at.x, Y_LAST - at.y};
    return (uint16_t)(at.y * TF_GRID_X_MAX + at.x);
}

/* Coordinates start..end of an axis, which may wrap, as bits. */
static uint32_t span(unsigned start, unsigned end)
{
    uint32_t up_to_end = (2u << end) - 1, from_start = ~((1u << start) - 1);
    return start <= end ? up_to_end & from_start : up_to_end | from_start;
}

/*
 * Coordinates of an axis on the excluded side of `at`: at and above (upward), or at and below. The page on the PCIe
 * tile's windows says so for a span that does not wrap; along one that does, "above" is further from its start.
 */
static uint32_t excluded(unsigned start, unsigned end, unsigned at, bool upward, unsigned size)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < size; i++) {
        unsigned distance = start <= end ? i : (i + size - start) % size;
        unsigned limit = start <= end ? at : (at + size - start) % size;
        if (upward ? distance >= limit : distance <= limit)
            bits |= 1u << i;
    }
    return bits;
}

static uint32_t mirror(uint32_t bits, unsigned size)
{
    uint32_t out = 0;
    for (unsigned i = 0; i < size; i++)
        out |= (bits >> i & 1) << (size - 1 - i);
    return out;
}

/*
 * Of an axis, tiles that a pattern of its fields passes: keep 1:0, skip 3:2, in turns from `start` on. Coordinates that
 * wrap go on at 32, a multiple of the sums for which the page allows it.
 */
static uint32_t kept(unsigned fields, unsigned start, unsigned size)
{
    unsigned keep = fields & 3, skip = fields >> 2 & 3;
    uint32_t bits = 0;
    if (keep == 0 || skip == 0)
        return (1u << size) - 1;
    for (unsigned i = 0; i < size; i++)
        if (((i - start) & 31) % (keep + skip) < keep)
            bits |= 1u << i;
    return bits;
}

bool tf_noc_pattern_fits(uint32_t fields, unsigned start, unsigned end)
{
    uint32_t keep = fields & 3, skip = fields >> 2 & 3, sum = keep + skip;
    return start <= end || keep == 0 || skip == 0 || (sum & (sum - 1)) == 0;
}

/*
 * NOC_BRCST_EXCLUDE, in raw coordinates of the request's NOC: patterns for x 3:0 and y 7:4; x 13:8, y 19:14, directions
 * 20 and 21, enable 22. BlackholeA0/PCIExpressTile/HostToDeviceTLBs.md says what they mean, of a word in which they
 * stand in the same order, closer together.
 */
static void rectangle(const struct tf_noc_request *request, uint32_t *columns, uint32_t *rows, uint32_t *no_columns,
                      uint32_t *no_rows)
{
    uint32_t exclude = request->exclude;
    *columns = span(request->x0, request->x1) & kept(exclude & 15, request->x0, TF_GRID_X_MAX);
    *rows = span(request->y0, request->y1) & kept(exclude >> 4 & 15, request->y0, TF_GRID_Y_MAX);
    *no_columns = *no_rows = 0;
    if (exclude >> 22 & 1) {
        *no_columns = excluded(request->x0, request->x1, COORDINATE(exclude, 8), exclude >> 20 & 1, TF_GRID_X_MAX);
        *no_rows = excluded(request->y0, request->y1, COORDINATE(exclude, 14), exclude >> 21 & 1, TF_GRID_Y_MAX);
    }
    if (request->noc == 0)
        return;
    *columns = mirror(*columns, TF_GRID_X_MAX);
    *rows = mirror(*rows, TF_GRID_Y_MAX);
    if (exclude >> 22 & 1) {
        *no_columns = mirror(*no_columns, TF_GRID_X_MAX);
        *no_rows = mirror(*no_rows, TF_GRID_Y_MAX);
    }
}

void tf_noc_reach(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint32_t *columns)
{
    uint32_t all, rows, no_columns, no_rows;
    rectangle(request, &all, &rows, &no_columns, &no_rows);
    for (unsigned y = 0; y < TF_GRID_Y_MAX; y++) {
        columns[y] = rows >> y & 1 ? all & fabric->tensix[y] : 0;
        if (no_rows >> y & 1)
            columns[y] &= ~no_columns;
    }
    if (!request->source_include)
        columns[request->source / TF_GRID_X_MAX] &= ~(1u << request->source % TF_GRID_X_MAX);
}

unsigned tf_noc_recipients(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint16_t *node)
{
    if (!request->multicast) {
        node[0] = request->target;
        return 1;
    }
    uint32_t columns[TF_GRID_Y_MAX];
    tf_noc_reach(fabric, request, columns);
    unsigned count = 0;
    for (unsigned y = 0; y < TF_GRID_Y_MAX; y++)
        for (uint32_t bits = columns[y]; bits != 0; bits &= bits - 1)
            node[count++] = (uint16_t)(y * TF_GRID_X_MAX + (unsigned)__builtin_ctz(bits));
    return count;
}
