/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coordinates: translation, identification, and the tiles in a rectangle. The chip's table (arch.h) has the grid, and
 * the translation tables that firmware sets up. The rule of translation, with its columns of DRAM ports, is
 * Blackhole's.
 * Sources: BlackholeA0/NoC/Coordinates.md and its diagrams (Diagrams/Src/NoC.lua), MemoryMap.md, RoutingPaths.md.
 */
#include <string.h>

#include "noc/coords.h"
#include "noc/niu_layout.h"

/* Unpack table entries from a register (Blackhole: parse_table on the page; Wormhole: MemoryMap.md). */
static void unpack(const struct tf_coords_arch *coords, const uint32_t *packed, uint8_t table[TF_TRANSLATE_ENTRIES])
{
    unsigned bits = coords->entry_bits, in_word = coords->entries_in_word;
    for (unsigned i = 0; i < TF_TRANSLATE_ENTRIES; i++)
        table[i] = (uint8_t)(packed[i / in_word] >> i % in_word * bits & ((1u << bits) - 1));
}

static void pack(const struct tf_coords_arch *coords, const uint8_t table[TF_TRANSLATE_ENTRIES], uint32_t *packed)
{
    unsigned bits = coords->entry_bits, in_word = coords->entries_in_word;
    for (unsigned i = 0; i < TF_TRANSLATE_ENTRIES; i++)
        packed[i / in_word] |= (uint32_t)table[i] << i % in_word * bits;
}

void tf_niu_unpack_tables(struct tf_niu *niu)
{
    const struct tf_coords_arch *coords = &niu->fabric->arch->coords;
    unpack(coords, niu->config + TF_NIU_X_TABLE, niu->x_table);
    unpack(coords, niu->config + TF_NIU_Y_TABLE, niu->y_table);
    unpack(coords, niu->config + TF_NIU_DDR_TABLE, niu->ddr_table);
}

/* The first entry of first..last that is translated to `raw`, or `none` if there is no such entry. */
static unsigned name_of(const uint8_t table[TF_TRANSLATE_ENTRIES], unsigned first, unsigned last, unsigned raw,
                        unsigned none)
{
    for (unsigned i = first; i <= last; i++)
        if (table[i] == raw)
            return i;
    return none;
}

/* NOC_ID_LOGICAL: the node's translated coordinates. Both NOCs show those of NOC 0. */
static uint32_t logical_id(const struct tf_coords_arch *coords, const struct tf_node *node)
{
    struct tf_noc_xy raw = {node->coord.x, node->coord.y}, name = {TF_TRANSLATE_ENTRIES, TF_TRANSLATE_ENTRIES};
    unsigned kind = node->off != 0 ? node->off : node->kind;
    if (coords->name[kind].y_last != 0) {
        name.x = name_of(coords->x, coords->name[kind].x_first, coords->name[kind].x_last, raw.x, name.x);
        name.y = name_of(coords->y, coords->name[kind].y_first, coords->name[kind].y_last, raw.y, name.y);
    }
    return tf_noc_pack_xy(name.x < TF_TRANSLATE_ENTRIES && name.y < TF_TRANSLATE_ENTRIES ? name : raw);
}

static uint32_t mirror(uint32_t bits, unsigned size)
{
    uint32_t out = 0;
    for (unsigned i = 0; i < size; i++)
        out |= (bits >> i & 1) << (size - 1 - i);
    return out;
}

/* NOC_ENDPOINT_ID without the kind of the node: its index, or the port and the channel of DRAM. */
static uint32_t endpoint_index(const struct tf_fabric *fabric, const struct tf_node *node)
{
    if (node->kind != TF_NODE_DRAM || !fabric->arch->coords.dram_groups)
        return node->index;
    unsigned port = 0;
    for (unsigned i = 0; i < node->number; i++)
        port += fabric->arch->place[i].kind == TF_NODE_DRAM && fabric->arch->place[i].index == node->index;
    return port | (uint32_t)node->index << 8;
}

static unsigned entries(unsigned set)
{
    return set != 0 ? set : TF_TRANSLATE_ENTRIES;
}

struct tf_noc_xy tf_noc_raw(const struct tf_arch *arch, unsigned noc, struct tf_noc_xy at)
{
    if (noc == 0)
        return at;
    return (struct tf_noc_xy){arch->grid_x - 1u - at.x, arch->grid_y - 1u - at.y};
}

/*
 * The words of the configuration that are equal for all nodes. NOC 1 counts from the opposite corner. Its tables
 * translate the same names to raw NOC 1 coordinates. Its opt-out masks count NOC 1 coordinates too (MemoryMap.md,
 * ROUTER_CFG_1); ttsim uses NOC 0's there.
 */
static void set_tables(struct tf_niu *niu)
{
    const struct tf_arch *arch = niu->fabric->arch;
    const struct tf_coords_arch *coords = &arch->coords;
    const unsigned x_last = arch->grid_x - 1u, y_last = arch->grid_y - 1u;
    uint32_t columns = coords->silent_columns, rows = coords->silent_rows;
    uint8_t x_table[TF_TRANSLATE_ENTRIES], y_table[TF_TRANSLATE_ENTRIES];
    memcpy(x_table, coords->x, sizeof x_table);
    memcpy(y_table, coords->y, sizeof y_table);
    if (niu->noc == 1) {
        columns = mirror(columns, arch->grid_x);
        rows = mirror(rows, arch->grid_y);
        for (unsigned i = coords->raw_entries; i < entries(coords->x_entries); i++)
            x_table[i] = (uint8_t)(x_last - x_table[i]);
        for (unsigned i = coords->raw_entries; i < entries(coords->y_entries); i++)
            y_table[i] = (uint8_t)(y_last - y_table[i]);
    }
    niu->config[TF_NIU_ROUTER_CFG_1] = columns;
    niu->config[TF_NIU_ROUTER_CFG_3] = rows;
    niu->config[TF_NIU_ROW_MASK] = coords->rows_as_given;
    pack(coords, x_table, niu->config + TF_NIU_X_TABLE);
    pack(coords, y_table, niu->config + TF_NIU_Y_TABLE);
    tf_niu_unpack_tables(niu);
}

/* set_tables(), from another NIU of that NOC. Row `startup` pays for it. */
static void copy_tables(struct tf_niu *niu, const struct tf_niu *first)
{
    memcpy(niu->config, first->config, sizeof niu->config);
    memcpy(niu->x_table, first->x_table, sizeof niu->x_table);
    memcpy(niu->y_table, first->y_table, sizeof niu->y_table);
    memcpy(niu->ddr_table, first->ddr_table, sizeof niu->ddr_table);
}

void tf_niu_power_on(struct tf_niu *niu)
{
    const struct tf_node *node = niu->node, *first = &niu->fabric->node[0];
    const struct tf_arch *arch = niu->fabric->arch;
    const struct tf_coords_arch *coords = &arch->coords;
    const struct tf_noc_xy at = tf_noc_raw(arch, niu->noc, (struct tf_noc_xy){node->coord.x, node->coord.y});
    if (node == first)
        set_tables(niu);
    else
        copy_tables(niu, &first->niu[niu->noc]);
    niu->node_id = tf_noc_pack_xy(at) | arch->grid_x << 12 | arch->grid_y << 19 | (niu->noc == 0 ? 1u << 28 : 0);
    for (unsigned i = 0; i < TF_NIU_INITIATORS; i++)
        niu->initiator[i][tf_niu_layout_place(arch->niu, TF_PORT_NODE_ID)] = niu->node_id;
    uint32_t type = coords->endpoint_type[node->off != 0 ? node->off : node->kind];
    niu->endpoint_id = endpoint_index(niu->fabric, node) + (type << 8) + ((uint32_t)niu->noc << 24);
    niu->config[TF_NIU_CFG_0] = TF_NIU_CFG_0_TRANSLATE | (node->off != 0 ? TF_NIU_CFG_0_TILE_OFF : 0) |
                                (node->core != NULL ? TF_NIU_CFG_0_AXI_SUBORDINATE : 0);
    niu->config[TF_NIU_ID_LOGICAL] = logical_id(coords, node);
}

static bool ddr_column(const struct tf_niu *niu, unsigned x)
{
    uint32_t bits = niu->config[TF_NIU_DDR_TABLE + 5];
    return (x == 9 && bits >> 10 & 1) || (x == 0 && bits >> 11 & 1);
}

/* This is translate_coords of the page. */
static inline __attribute__((always_inline)) struct tf_noc_xy translate(const struct tf_niu *niu, struct tf_noc_xy at)
{
    if (!(niu->config[TF_NIU_CFG_0] & TF_NIU_CFG_0_TRANSLATE))
        return at;
    unsigned x31 = at.x & 31, y31 = at.y & 31;
    struct tf_noc_xy out = at;
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

struct tf_noc_xy tf_niu_translate(const struct tf_niu *niu, struct tf_noc_xy at)
{
    return translate(niu, at);
}

static bool on_grid(const struct tf_arch *arch, struct tf_noc_xy at)
{
    return at.x < arch->grid_x && at.y < arch->grid_y;
}

bool tf_noc_named(const struct tf_arch *arch, struct tf_noc_xy at, struct tf_coord *node)
{
    const struct tf_coords_arch *coords = &arch->coords;
    if (at.x >= TF_TRANSLATE_ENTRIES || at.y >= TF_TRANSLATE_ENTRIES)
        return false;
    bool as_given = coords->rows_as_given >> at.y & 1;
    struct tf_noc_xy raw = {as_given ? at.x : coords->x[at.x], coords->y[at.y]};
    if (!on_grid(arch, raw))
        return false;
    unsigned kind = arch->place[raw.y * arch->grid_x + raw.x].kind;
    if (coords->name[kind].y_last == 0 || at.x < coords->name[kind].x_first || at.x > coords->name[kind].x_last ||
        at.y < coords->name[kind].y_first || at.y > coords->name[kind].y_last)
        return false;
    *node = (struct tf_coord){(uint8_t)raw.x, (uint8_t)raw.y};
    return true;
}

uint16_t tf_niu_node_of(const struct tf_niu *niu, uint32_t hi)
{
    struct tf_noc_xy at = translate(niu, tf_noc_unpack_xy(hi, 0));
    const struct tf_arch *arch = niu->fabric->arch;
    if (!on_grid(arch, at))
        return TF_NO_NODE;
    at = tf_noc_raw(arch, niu->noc, at);
    return (uint16_t)(at.y * arch->grid_x + at.x);
}

bool tf_niu_translate_corners(const struct tf_niu *niu, struct tf_noc_corners *corners)
{
    corners->start = translate(niu, corners->start);
    corners->end = translate(niu, corners->end);
    return on_grid(niu->fabric->arch, corners->start) && on_grid(niu->fabric->arch, corners->end);
}

/* The coordinates start..end of an axis, as bits. The span may wrap. */
static uint32_t span(unsigned start, unsigned end)
{
    uint32_t up_to_end = (2u << end) - 1, from_start = ~((1u << start) - 1);
    return start <= end ? up_to_end & from_start : up_to_end | from_start;
}

/*
 * The excluded coordinates of an axis, as bits: `at` and those above it (if upward) or below it. In a span that wraps,
 * "above" means further from its start. The page defines only spans that do not wrap.
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

/*
 * The coordinates of an axis that a pattern keeps, as bits. From `start` on it keeps fields 1:0 coordinates, then skips
 * fields 3:2, and repeats. A span that wraps continues at 32, which is a multiple of every sum that the page allows.
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

static bool pattern_fits(uint32_t fields, unsigned start, unsigned end)
{
    uint32_t keep = fields & 3, skip = fields >> 2 & 3, sum = keep + skip;
    return start <= end || keep == 0 || skip == 0 || (sum & (sum - 1)) == 0;
}

bool tf_noc_patterns_fit(uint32_t exclude, const struct tf_noc_corners *corners)
{
    return pattern_fits(exclude, corners->start.x, corners->end.x) &&
           pattern_fits(exclude >> 4, corners->start.y, corners->end.y);
}

/*
 * The columns and rows of a multicast, and the excluded columns and rows, as bits. NOC_BRCST_EXCLUDE is in raw
 * coordinates of the request's NOC. Its bits: pattern of x 3:0 and of y 7:4; x 13:8; y 19:14; directions 20 and 21;
 * enable 22. Source: BlackholeA0/PCIExpressTile/HostToDeviceTLBs.md, whose word has these fields in this order.
 */
static void rectangle(const struct tf_arch *arch, const struct tf_noc_request *request, uint32_t *columns,
                      uint32_t *rows, uint32_t *no_columns, uint32_t *no_rows)
{
    uint32_t exclude = request->exclude;
    unsigned wide = arch->grid_x, high = arch->grid_y;
    *columns = span(request->x0, request->x1) & kept(exclude & 15, request->x0, wide);
    *rows = span(request->y0, request->y1) & kept(exclude >> 4 & 15, request->y0, high);
    *no_columns = *no_rows = 0;
    if (exclude >> 22 & 1) {
        struct tf_noc_xy at = tf_noc_unpack_xy(exclude, 8);
        *no_columns = excluded(request->x0, request->x1, at.x, exclude >> 20 & 1, wide);
        *no_rows = excluded(request->y0, request->y1, at.y, exclude >> 21 & 1, high);
    }
    if (request->noc == 0)
        return;
    *columns = mirror(*columns, wide);
    *rows = mirror(*rows, high);
    if (exclude >> 22 & 1) {
        *no_columns = mirror(*no_columns, wide);
        *no_rows = mirror(*no_rows, high);
    }
}

void tf_noc_reach(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint32_t *columns)
{
    const struct tf_arch *arch = fabric->arch;
    uint32_t all, rows, no_columns, no_rows;
    rectangle(arch, request, &all, &rows, &no_columns, &no_rows);
    for (unsigned y = 0; y < arch->grid_y; y++) {
        columns[y] = rows >> y & 1 ? all & fabric->tensix[y] : 0;
        if (no_rows >> y & 1)
            columns[y] &= ~no_columns;
    }
    if (!request->source_include)
        columns[request->source / arch->grid_x] &= ~(1u << request->source % arch->grid_x);
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
    for (unsigned y = 0; y < fabric->arch->grid_y; y++)
        for (uint32_t bits = columns[y]; bits != 0; bits &= bits - 1)
            node[count++] = (uint16_t)(y * fabric->arch->grid_x + (unsigned)__builtin_ctz(bits));
    return count;
}
