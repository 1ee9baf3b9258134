/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fused-off parts in tt-umd's numbering. Sources: docs/yaml_schemas/cluster_descriptor.yaml of tt-umd, and the comments
 * of its tests/cluster_descriptor_examples.
 */
#include "tile/family/harvest.h"

#include "tile/family/board.h"

#define ORDER_MAX 32u

/* Columns, rows or tiles in the order of the descriptor's bits. */
struct order {
    uint8_t at[ORDER_MAX];
    unsigned count;
};

static bool has_tensix(const struct tf_arch *arch, unsigned line, bool columns)
{
    unsigned others = columns ? arch->grid_y : arch->grid_x;
    for (unsigned i = 0; i < others; i++)
        if (tf_die_kind(arch, columns ? i * arch->grid_x + line : line * arch->grid_x + i) == TF_NODE_TENSIX)
            return true;
    return false;
}

static void order_lines(const struct tf_arch *arch, struct order *order)
{
    bool columns = arch->fuse == NULL || arch->fuse->columns != 0;
    unsigned lines = columns ? arch->grid_x : arch->grid_y;
    order->count = 0;
    for (unsigned i = 0; i < lines && i < ORDER_MAX; i++)
        if (has_tensix(arch, i, columns))
            order->at[order->count++] = (uint8_t)i;
}

static void order_cpus(const struct tf_arch *arch, struct order *order)
{
    order->count = 0;
    for (unsigned i = 0; i < tf_arch_nodes(arch) && order->count < ORDER_MAX; i++)
        if (tf_die_kind(arch, i) == TF_NODE_L2CPU)
            order->at[order->count++] = arch->place[i].index;
}

static uint32_t gather(const struct order *order, uint32_t bits)
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < order->count; i++)
        mask |= (bits >> order->at[i] & 1) << i;
    return mask;
}

static uint32_t spread(const struct order *order, uint32_t mask)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < order->count; i++)
        bits |= (mask >> i & 1) << order->at[i];
    return bits;
}

static bool is_beyond(uint32_t mask, unsigned count)
{
    return count < ORDER_MAX && mask >> count != 0;
}

static uint32_t unused_pcie(const struct tf_arch *arch)
{
    uint32_t mask = 0, next = 1;
    for (unsigned i = 0; i < tf_arch_nodes(arch); i++) {
        if (tf_die_kind(arch, i) != TF_NODE_PCIE)
            continue;
        mask |= i != arch->pcie_node ? next : 0;
        next <<= 1;
    }
    return mask;
}

void tf_harvest_of(const struct tf_arch *arch, const struct tf_board *board, struct tf_harvest *masks)
{
    struct order lines, cpus;
    order_lines(arch, &lines);
    order_cpus(arch, &cpus);
    bool columns = arch->fuse == NULL || arch->fuse->columns != 0;
    *masks = (struct tf_harvest){
        .tensix = gather(&lines, columns ? board->columns_off : board->rows_off),
        .dram = board->banks_off,
        .eth = board->eth_off,
        .cpus = gather(&cpus, board->cpus_off),
        .pcie = unused_pcie(arch),
    };
}

const char *tf_harvest_apply(const struct tf_arch *family, const struct tf_harvest *masks, struct tf_board *board)
{
    struct order lines, cpus;
    order_lines(family, &lines);
    order_cpus(family, &cpus);
    if (is_beyond(masks->tensix, lines.count))
        return family->fuse->columns != 0 ? "harvest_mask has more bits than the die has columns of Tensix tiles"
                                          : "harvest_mask has more bits than the die has rows of Tensix tiles";
    if (is_beyond(masks->cpus, cpus.count))
        return "l2cpu_harvesting_mask has more bits than the die has L2CPU tiles";
    struct tf_board with = *board;
    *(family->fuse->columns != 0 ? &with.columns_off : &with.rows_off) = spread(&lines, masks->tensix);
    with.banks_off = masks->dram;
    with.eth_off = masks->eth;
    with.cpus_off = spread(&cpus, masks->cpus);
    const char *why = tf_board_why_bad(family, &with);
    if (why == NULL)
        *board = with;
    return why;
}
