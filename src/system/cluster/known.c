/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The known clusters. Sources of chips, boards, masks, coordinates and links: tests/cluster_descriptor_examples of
 * tt-umd: wormhole_N150, wormhole_N300, 2x2_n300_cluster_desc, t3k_cluster_desc, 6u_cluster_desc,
 * blackhole_P300_both_mmio, blackhole_4xP150, blackhole_8xP150, blackhole_galaxy. QuietBox 2: ttsim (tile.cpp:
 * ETH_PEER_TABLE of four chips, board_id(), asic_location()). Unique ids are those of tf_cluster_make_id(), except
 * where a row or a comment says another.
 */
#include <stdio.h>
#include <string.h>

#include "system/cluster/cluster.h"
#include "tile/family/harvest.h"

struct chip_row {
    const char *board; /* tf_board_name() */
    uint64_t board_id;
    uint16_t harvest; /* harvest_mask; 0: what the board has */
    uint8_t location;
    bool remote; /* it has no PCIe */
    uint8_t x, y;
    uint64_t unique_id; /* 0: by the rule */
};

/* Pairs of chips: a and b, a + stride and b + stride, and so on. Their first link joins ports p and q. */
struct pair_row {
    uint8_t a, b, p, q, pairs, stride;
};

struct known {
    const char *name;
    const struct tf_arch *arch;
    uint8_t chips, pairs;        /* rows of `pair` */
    uint8_t links;               /* of a pair */
    int8_t p_step, q_step;       /* from a link of a pair to its next one */
    const struct chip_row *chip; /* NULL: `make_chip` makes them */
    const struct pair_row *pair;
    void (*make_chip)(struct tf_cluster *cluster, unsigned chip);
};

static const struct chip_row n150_chips[] = {{"n150", 0x18000000001, 0, 0, false, 0, 0, 0}};
/* The board of the family's own table, with the ASIC id of its telemetry. */
static const struct chip_row p150_chips[] = {{"p150", 0x40000000001, 0, 0, false, 0, 0, 1}};

static const struct chip_row n300_chips[] = {
    {"n300", 0x01000146118320AE, 0x041, 0, false, 0, 0, 0},
    {"n300", 0x01000146118320AE, 0x005, 1, true, 1, 0, 0},
};
static const struct pair_row n300_pairs[] = {{0, 1, 8, 0, 1, 1}};

static const struct chip_row n300_chips_of_2[] = {
    {"n300", 0x01000145118221E6, 0x041, 0, false, 1, 0, 0},
    {"n300", 0x01000145118221E6, 0x210, 1, true, 1, 1, 0},
    {"n300", 0x0100014611903019, 0x208, 0, false, 2, 1, 0},
    {"n300", 0x0100014611903019, 0x201, 1, true, 2, 0, 0},
};
static const struct pair_row n300_pairs_of_2[] = {{0, 3, 6, 6, 1, 1},
                                                  {0, 1, 14, 14, 1, 1},
                                                  {1, 2, 0, 0, 1, 1},
                                                  {2, 3, 14, 14, 1, 1}};

static const struct chip_row t3000_chips[] = {
    {"n300", 0x010001461190302B, 0x220, 0, false, 1, 0, 0}, {"n300", 0x0100014611903099, 0x201, 0, false, 1, 1, 0},
    {"n300", 0x01000146119030A7, 0x280, 0, false, 2, 0, 0}, {"n300", 0x01000146119030AA, 0x201, 0, false, 2, 1, 0},
    {"n300", 0x010001461190302B, 0x240, 1, true, 0, 0, 0},  {"n300", 0x0100014611903099, 0x201, 1, true, 0, 1, 0},
    {"n300", 0x01000146119030A7, 0x201, 1, true, 3, 0, 0},  {"n300", 0x01000146119030AA, 0x210, 1, true, 3, 1, 0},
};
static const struct pair_row t3000_pairs[] = {
    {0, 1, 14, 14, 2, 2}, {0, 2, 6, 6, 1, 1}, {1, 3, 0, 0, 1, 1}, {0, 4, 8, 0, 4, 1}, {4, 5, 6, 6, 2, 2}};

/* Eight places for chips of four trays. */
static const struct pair_row wh_galaxy_pairs[] = {
    {0, 4, 8, 4, 12, 1},    {16, 20, 8, 4, 12, 1},  {0, 16, 12, 0, 16, 1},
    {12, 13, 8, 8, 2, 2},   {28, 29, 8, 8, 2, 2},   {16, 18, 12, 12, 2, 1},
    {20, 22, 12, 12, 2, 1}, {24, 26, 12, 12, 2, 1}, {28, 30, 12, 12, 2, 1},
};

static const struct chip_row p300_chips[] = {
    {"p300a", 0x4513190F004, 0x2080, 0, false, 0, 0, 0},
    {"p300a", 0x4513190F004, 0x0110, 1, false, 0, 0, 0},
};
static const struct pair_row p300_pairs[] = {{0, 1, 2, 9, 1, 1}};

static const struct chip_row quietbox2_chips[] = {
    {"p300b", 0x44000000001, 0, 1, false, 0, 0, 0},
    {"p300b", 0x44000000001, 0, 0, false, 0, 0, 0},
    {"p300b", 0x44000000002, 0, 1, false, 0, 0, 0},
    {"p300b", 0x44000000002, 0, 0, false, 0, 0, 0},
};
/* A link in a row. */
static const struct pair_row quietbox2_pairs[] = {
    {0, 1, 8, 3, 2, 2}, {0, 1, 9, 2, 2, 2}, {0, 3, 2, 5, 1, 1},
    {0, 3, 4, 4, 1, 1}, {1, 2, 4, 4, 1, 1}, {1, 2, 5, 2, 1, 1},
};

static const struct chip_row p150_chips_of_4[] = {
    {"p150b", 0x41231911167, 0x0C0, 0, false, 0, 0, 0},
    {"p150b", 0x41231911139, 0x0C0, 0, false, 0, 0, 0},
    {"p150b", 0x4123191110E, 0x0C0, 0, false, 0, 0, 0},
    {"p150b", 0x41231911159, 0x0C0, 0, false, 0, 0, 0},
};
static const struct pair_row p150_pairs_of_4[] = {{0, 2, 4, 4, 2, 1}, {0, 3, 8, 8, 1, 1}, {1, 2, 8, 8, 1, 1}};

static const struct chip_row p150_chips_of_8[] = {
    {"p150b", 0x4123191F0DA, 0x080, 0, false, 0, 0, 0}, {"p150b", 0x4123191F1EF, 0x080, 0, false, 0, 0, 0},
    {"p150b", 0x4123191F1A2, 0x080, 0, false, 0, 0, 0}, {"p150b", 0x4123191F19E, 0x080, 0, false, 0, 0, 0},
    {"p150b", 0x4123191F1E4, 0x080, 0, false, 0, 0, 0}, {"p150b", 0x4123191F1E8, 0x080, 0, false, 0, 0, 0},
    {"p150b", 0x4123191F1BF, 0x080, 0, false, 0, 0, 0}, {"p150b", 0x4123191F0EB, 0x080, 0, false, 0, 0, 0},
};
static const struct pair_row p150_pairs_of_8[] = {
    {0, 1, 4, 7, 2, 4}, {0, 2, 5, 6, 2, 4}, {0, 4, 8, 11, 4, 1}, {1, 3, 4, 7, 2, 4}, {2, 3, 5, 6, 2, 4},
};

/* Four trays of two rows of four chips; then the links between trays. */
static const struct pair_row bh_galaxy_pairs[] = {
    {0, 1, 4, 2, 3, 1},   {4, 5, 4, 2, 3, 1},   {8, 9, 4, 2, 3, 1},   {12, 13, 4, 2, 3, 1}, {16, 17, 4, 2, 3, 1},
    {20, 21, 4, 2, 3, 1}, {24, 25, 4, 2, 3, 1}, {28, 29, 4, 2, 3, 1}, {0, 4, 6, 0, 4, 1},   {8, 12, 6, 0, 4, 1},
    {16, 20, 6, 0, 4, 1}, {24, 28, 6, 0, 4, 1},

    {0, 8, 0, 0, 2, 1},   {2, 10, 8, 8, 2, 1},  {4, 12, 6, 6, 4, 1},  {0, 24, 2, 2, 1, 1},  {2, 26, 0, 0, 1, 1},
    {3, 27, 4, 4, 1, 1},  {4, 28, 2, 2, 1, 1},  {6, 30, 8, 8, 1, 1},  {7, 31, 4, 4, 1, 1},  {7, 31, 8, 8, 1, 1},
    {8, 16, 2, 2, 1, 1},  {10, 18, 0, 0, 1, 1}, {11, 19, 4, 4, 1, 1}, {12, 20, 2, 2, 1, 1}, {14, 22, 8, 8, 1, 1},
    {15, 23, 4, 4, 1, 1}, {15, 23, 8, 8, 1, 1}, {16, 24, 0, 0, 2, 1}, {18, 26, 8, 8, 2, 1}, {20, 28, 6, 6, 4, 1},
};

static void name_board(struct tf_cluster *cluster, unsigned chip, const char *board)
{
    tf_board_parse(cluster->arch, &(struct tf_board_text){.name = board}, &cluster->chip[chip].board, NULL);
}

static void harvest(struct tf_cluster *cluster, unsigned chip, uint32_t tensix, uint32_t eth)
{
    struct tf_harvest masks;
    tf_harvest_of(cluster->arch, &cluster->chip[chip].board, &masks);
    masks.tensix = tensix;
    masks.eth = eth;
    tf_harvest_apply(cluster->arch, &masks, &cluster->chip[chip].board);
}

static void make_wh_galaxy_chip(struct tf_cluster *cluster, unsigned index)
{
    static const uint64_t tray_id[] = {0x35313930303043, 0x35313930303051, 0x35313930303056, 0x3532313030314B};
    const unsigned trays = sizeof tray_id / sizeof tray_id[0];
    struct tf_cluster_chip *chip = &cluster->chip[index];
    name_board(cluster, index, "ubb");
    chip->board_id = 0x0100035100000000;
    chip->asic_location = (uint8_t)(1 + index / trays);
    chip->unique_id = (uint64_t)chip->asic_location << 56 | tray_id[index % trays];
    chip->pcie = true;
}

/* The unique ids are ours: the descriptor's have no rule. */
static void make_bh_galaxy_chip(struct tf_cluster *cluster, unsigned index)
{
    enum { CHIPS_OF_TRAY = 8, ETH_OFF = 0x120 };
    static const uint16_t masks[TF_CLUSTER_CHIPS_MAX] = {
        0x1000, 0x0080, 0x0080, 0x1000, 0x0100, 0x1000, 0x0001, 0x0400, 0x0200, 0x0004, 0x0800,
        0x0100, 0x0400, 0x0080, 0x0080, 0x1000, 0x0020, 0x0020, 0x0200, 0x0400, 0x0100, 0x0002,
        0x0010, 0x0800, 0x0400, 0x0001, 0x0004, 0x0010, 0x0400, 0x0010, 0x0001, 0x0400,
    };
    struct tf_cluster_chip *chip = &cluster->chip[index];
    name_board(cluster, index, "ubb");
    harvest(cluster, index, masks[index], index == 8 ? 0x110 : ETH_OFF);
    chip->board_id = 0x47330000000;
    chip->asic_location = (uint8_t)(1 + index % CHIPS_OF_TRAY);
    chip->unique_id = chip->board_id << 8 | index / CHIPS_OF_TRAY << 4 | chip->asic_location;
    chip->pcie = true;
}

#define ROWS(list) (sizeof(list) / sizeof(list)[0])
#define CHIPS(list) .chips = ROWS(list), .chip = (list)
#define PAIRS(list, links_, p_step_, q_step_) \
    .pairs = ROWS(list), .pair = (list), .links = (links_), .p_step = (p_step_), .q_step = (q_step_)

static const struct known known[] = {
    {"n150", &tf_arch_wormhole, CHIPS(n150_chips)},
    {"n300", &tf_arch_wormhole, CHIPS(n300_chips), PAIRS(n300_pairs, 2, 1, 1)},
    {"2xn300", &tf_arch_wormhole, CHIPS(n300_chips_of_2), PAIRS(n300_pairs_of_2, 2, 1, 1)},
    {"t3000", &tf_arch_wormhole, CHIPS(t3000_chips), PAIRS(t3000_pairs, 2, 1, 1)},
    {"wh-galaxy", &tf_arch_wormhole, .chips = 32, PAIRS(wh_galaxy_pairs, 4, 1, 1), .make_chip = make_wh_galaxy_chip},
    {"p150", &tf_arch_blackhole, CHIPS(p150_chips)},
    {"p300", &tf_arch_blackhole, CHIPS(p300_chips), PAIRS(p300_pairs, 2, 1, -1)},
    {"quietbox2", &tf_arch_blackhole, CHIPS(quietbox2_chips), PAIRS(quietbox2_pairs, 1, 1, 1)},
    {"4xp150", &tf_arch_blackhole, CHIPS(p150_chips_of_4), PAIRS(p150_pairs_of_4, 4, 1, 1)},
    {"8xp150", &tf_arch_blackhole, CHIPS(p150_chips_of_8), PAIRS(p150_pairs_of_8, 2, 2, -2)},
    {"bh-galaxy", &tf_arch_blackhole, .chips = 32, PAIRS(bh_galaxy_pairs, 2, 1, 1), .make_chip = make_bh_galaxy_chip},
};

static void make_chip(struct tf_cluster *cluster, unsigned index, const struct chip_row *row)
{
    struct tf_cluster_chip *chip = &cluster->chip[index];
    name_board(cluster, index, row->board);
    if (row->harvest != 0)
        harvest(cluster, index, row->harvest, chip->board.eth_off);
    chip->board_id = row->board_id;
    chip->pcie = !row->remote;
    chip->asic_location = row->location;
    chip->x = row->x;
    chip->y = row->y;
    chip->unique_id = row->unique_id != 0 ? row->unique_id : tf_cluster_make_id(cluster->arch, chip);
}

static void add_links(struct tf_cluster *cluster, const struct known *of, const struct pair_row *row)
{
    for (unsigned pair = 0; pair < row->pairs; pair++)
        for (int i = 0; i < of->links; i++)
            cluster->link[cluster->links++] = (struct tf_cluster_link){
                {{(uint8_t)(row->a + pair * row->stride), (uint8_t)(row->p + i * of->p_step)},
                 {(uint8_t)(row->b + pair * row->stride), (uint8_t)(row->q + i * of->q_step)}}};
}

const char *tf_cluster_name(unsigned index)
{
    return index < ROWS(known) ? known[index].name : NULL;
}

int tf_cluster_find(const char *name, struct tf_cluster *cluster, struct tf_message *message)
{
    const struct known *of = NULL;
    for (unsigned i = 0; i < ROWS(known) && of == NULL; i++)
        if (strcmp(known[i].name, name) == 0)
            of = &known[i];
    if (of == NULL) {
        char names[128] = "";
        for (unsigned i = 0; i < ROWS(known); i++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i == 0 ? "" : ", ", known[i].name);
        if (message != NULL)
            snprintf(message->text, sizeof message->text, "there is no system \"%.40s\"; the known ones: %s", name,
                     names);
        return TF_EINVAL;
    }
    *cluster = (struct tf_cluster){.arch = of->arch, .chips = of->chips};
    for (unsigned i = 0; i < of->chips; i++)
        if (of->chip != NULL)
            make_chip(cluster, i, &of->chip[i]);
        else
            of->make_chip(cluster, i);
    for (unsigned i = 0; i < of->pairs; i++)
        add_links(cluster, of, &of->pair[i]);
    tf_cluster_sort(cluster);
    return TF_OK;
}
