/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boards, and tables of chips with fused-off nodes. Sources: NoC/Coordinates.md of each family (what is fused off gets
 * the last names of its kind); tt-umd, blackhole_coordinate_manager.cpp (which of these names, and the order of DRAM
 * channels), blackhole_tt_device.cpp (telemetry).
 */
#include "tile/family/board.h"
#include "tilefarm/tilefarm_chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_BITS 32u

static unsigned bits_of(uint32_t bits)
{
    return (unsigned)__builtin_popcount(bits);
}

static uint32_t all(unsigned count)
{
    return (1u << count) - 1;
}

/* The numbers of a list, as bits. */
static uint32_t listed(const uint8_t *list, unsigned count)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < count; i++)
        bits |= 1u << list[i];
    return bits;
}

static uint32_t columns_of(const struct tf_fuse_arch *fuse)
{
    return listed(fuse->column, fuse->columns);
}

static uint32_t rows_of(const struct tf_fuse_arch *fuse)
{
    return listed(fuse->row, fuse->rows);
}

const char *tf_board_name(const struct tf_arch *arch, unsigned index)
{
    const struct tf_fuse_arch *fuse = tf_arch_or_default(arch)->fuse;
    return fuse != NULL && index < fuse->boards ? fuse->board[index].name : NULL;
}

bool tf_board_is_default(const struct tf_arch *family, const struct tf_board *board)
{
    const struct tf_board *own = &family->board;
    return board->name[0] == '\0' || (board->product == own->product && board->columns_off == own->columns_off &&
                                      board->rows_off == own->rows_off && board->banks_off == own->banks_off &&
                                      board->eth_off == own->eth_off && board->cpus_off == own->cpus_off);
}

const char *tf_board_why_bad(const struct tf_arch *family, const struct tf_board *board)
{
    const struct tf_fuse_arch *fuse = family->fuse;
    if (board->name[0] == '\0' && (board->product | board->columns_off | board->rows_off | board->banks_off |
                                   board->eth_off | board->cpus_off) != 0)
        return "it has an identifier or fused-off parts, but no name: tf_board_parse() makes complete boards";
    if (tf_board_is_default(family, board))
        return NULL;
    if (fuse == NULL)
        return "chips of this family have one board, and nothing can be fused off";
    if (memchr(board->name, '\0', sizeof board->name) == NULL || board->product >= 1u << 20)
        return "the name or the identifier is too long";
    if (board->columns_off & ~columns_of(fuse))
        return fuse->columns != 0 ? "a column that is fused off has no Tensix tiles"
                                  : "this family fuses off rows of Tensix tiles, not columns";
    if (board->rows_off & ~rows_of(fuse))
        return fuse->rows != 0 ? "a row that is fused off has no Tensix tiles"
                               : "this family fuses off columns of Tensix tiles, not rows";
    if (fuse->columns != 0 && board->columns_off == columns_of(fuse))
        return "all columns of Tensix tiles are fused off";
    if (fuse->rows != 0 && board->rows_off == rows_of(fuse))
        return "all rows of Tensix tiles are fused off";
    if (fuse->eth_off_min == 0 && (board->banks_off != 0 || board->eth_off != 0))
        return "this family fuses off neither DRAM banks nor Ethernet tiles";
    if (board->banks_off & ~all(family->dram.channels))
        return "a fused-off DRAM bank does not exist";
    if (bits_of(board->banks_off) > 1)
        return "more than one DRAM bank is fused off: no page names the DRAM nodes for that";
    if (board->eth_off & ~all(fuse->eth_tiles))
        return "a fused-off Ethernet tile does not exist";
    if (bits_of(board->eth_off) < fuse->eth_off_min)
        return "fewer than two Ethernet tiles are fused off: only twelve have names";
    return board->cpus_off & ~all(fuse->cpus) ? "a fused-off L2CPU tile does not exist" : NULL;
}

/* Read a list of numbers with commas, as bits. Returns false if the text is not such a list. */
static bool read_list(const char *text, uint32_t *bits)
{
    uint32_t read = 0;
    if (strcmp(text, "none") != 0)
        for (;; text++) {
            char *end;
            unsigned long number = strtoul(text, &end, 10);
            if (end == text || *text < '0' || *text > '9' || number >= LIST_BITS || (*end != ',' && *end != '\0'))
                return false;
            read |= 1u << number;
            text = end;
            if (*text == '\0')
                break;
        }
    *bits = read;
    return true;
}

static const struct tf_board *board_of(const struct tf_arch *arch, const char *name)
{
    if (name == NULL)
        return &arch->board;
    for (unsigned i = 0; arch->fuse != NULL && i < arch->fuse->boards; i++)
        if (strcmp(arch->fuse->board[i].name, name) == 0)
            return &arch->fuse->board[i];
    return NULL;
}

static int refuse_list(struct tf_message *message, const char *what, const char *text)
{
    if (message != NULL)
        snprintf(message->text, sizeof message->text,
                 "%s: \"%.40s\" is neither 'none' nor numbers from 0 to %u with commas between them", what, text,
                 LIST_BITS - 1);
    return TF_EINVAL;
}

/* The family that has a board of this name, or NULL. */
static const struct tf_arch *family_with(const char *name)
{
#define ADDRESS(name, title) &tf_arch_##name,
    static const struct tf_arch *const families[] = {TF_FAMILIES(ADDRESS, ADDRESS)};
#undef ADDRESS
    for (unsigned i = 0; i < sizeof families / sizeof families[0]; i++)
        if (board_of(families[i], name) != NULL)
            return families[i];
    return NULL;
}

static int refuse_name(const struct tf_arch *arch, struct tf_message *message, const char *name)
{
    const struct tf_arch *other = family_with(name);
    char known[120] = "";
    for (unsigned i = 0; tf_board_name(arch, i) != NULL; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i == 0 ? "" : ", ",
                 tf_board_name(arch, i));
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "%s has no board \"%.40s\"%s%s%s; its boards: %s", arch->title,
                 name, other != NULL ? " (arch " : "", other != NULL ? other->name : "",
                 other != NULL ? " has it)" : "", known);
    return TF_EINVAL;
}

int tf_board_parse(const struct tf_arch *arch, const struct tf_board_text *text, struct tf_board *out,
                   struct tf_message *message)
{
    arch = tf_arch_or_default(arch);
    const struct tf_board *named = board_of(arch, text->name);
    if (named == NULL)
        return refuse_name(arch, message, text->name);
    struct tf_board board = *named;
    const struct {
        const char *text, *what;
        uint32_t *bits;
    } lists[] = {
        {text->columns, "fused-off columns", &board.columns_off},
        {text->rows, "fused-off rows", &board.rows_off},
        {text->banks, "fused-off DRAM banks", &board.banks_off},
        {text->eth, "fused-off Ethernet tiles", &board.eth_off},
        {text->cpus, "fused-off L2CPU tiles", &board.cpus_off},
    };
    for (unsigned i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (lists[i].text != NULL && !read_list(lists[i].text, lists[i].bits))
            return refuse_list(message, lists[i].what, lists[i].text);
    const char *why = tf_board_why_bad(arch, &board);
    if (why != NULL) {
        if (message != NULL)
            snprintf(message->text, sizeof message->text, "%s board %s: %s", arch->title, board.name, why);
        return TF_EINVAL;
    }
    *out = board;
    return TF_OK;
}

/* Is the node at a place fused off? */
static bool is_off(const struct tf_arch *family, const struct tf_board *board, unsigned number)
{
    const struct tf_place *place = &family->place[number];
    switch (place->kind) {
    case TF_NODE_TENSIX:
        return (board->columns_off >> number % family->grid_x & 1) || (board->rows_off >> number / family->grid_x & 1);
    case TF_NODE_DRAM: return board->banks_off >> place->index & 1;
    case TF_NODE_ETH: return board->eth_off >> place->index & 1;
    case TF_NODE_L2CPU: return board->cpus_off >> place->index & 1;
    default: return false;
    }
}

/* Make the remaining grid. Tensix tiles get new numbers, row by row. */
static void fuse_nodes(const struct tf_board *board, struct tf_arch *arch, const struct tf_arch *family)
{
    uint8_t tensix = 0, eth = 0;
    for (unsigned i = 0; i < tf_arch_nodes(arch); i++) {
        struct tf_place *place = &arch->place[i];
        if (is_off(family, board, i)) {
            arch->off[i] = place->kind;
            *place = (struct tf_place){TF_NODE_EMPTY, place->index};
        }
        if (place->kind == TF_NODE_TENSIX)
            place->index = tensix++;
        eth += place->kind == TF_NODE_ETH;
    }
    arch->tile[TF_TILE_TENSIX].tiles = tensix;
    if (arch->tile[TF_TILE_ETH].tiles != 0) /* else they have no cores */
        arch->tile[TF_TILE_ETH].tiles = eth;
    arch->coords.silent_columns |= board->columns_off;
    arch->coords.silent_rows |= board->rows_off;
}

/* Name the Tensix columns. The remaining columns come first, in order. The others follow, with the first column of the
   die last. */
static void name_columns(const struct tf_board *board, struct tf_arch *arch, const struct tf_fuse_arch *fuse)
{
    uint8_t name[TF_FUSE_COLUMNS], raw[TF_FUSE_COLUMNS];
    unsigned names = 0, left = 0;
    for (unsigned x = 0; x < arch->grid_x; x++) {
        if (!(columns_of(fuse) >> x & 1))
            continue;
        name[names++] = (uint8_t)x;
        if (!(board->columns_off >> x & 1))
            raw[left++] = (uint8_t)x;
    }
    for (unsigned i = 0, last = names; i < fuse->columns; i++)
        if (board->columns_off >> fuse->column[i] & 1)
            raw[--last] = fuse->column[i];
    for (unsigned i = 0; i < names; i++)
        arch->coords.x[name[i]] = raw[i];
}

/* Name the Tensix rows (WormholeB0/NoC/Coordinates.md). The remaining rows come first, in order; then come the
   others. */
static void name_rows(const struct tf_board *board, struct tf_arch *arch, const struct tf_arch *family)
{
    uint8_t left[TF_TRANSLATE_ENTRIES], off[TF_TRANSLATE_ENTRIES];
    unsigned lefts = 0, offs = 0, next = 0;
    unsigned first = family->coords.name[TF_NODE_TENSIX].y_first, last = family->coords.name[TF_NODE_TENSIX].y_last;
    for (unsigned y = 0; y < arch->grid_y; y++) {
        if (!(rows_of(family->fuse) >> y & 1))
            continue;
        if (board->rows_off >> y & 1)
            off[offs++] = (uint8_t)y;
        else
            left[lefts++] = (uint8_t)y;
    }
    for (unsigned i = first; i <= last; i++)
        if (rows_of(family->fuse) >> family->coords.y[i] & 1) {
            arch->coords.y[i] = next < lefts ? left[next] : off[next - lefts];
            next++;
        }
}

/*
 * Name the DRAM ports. Each half of the channels has a column of names. If a channel is fused off, its column comes
 * second, and its place among the four comes last in both columns.
 */
static void name_banks(const struct tf_board *board, struct tf_arch *arch, const struct tf_arch *family)
{
    if (board->banks_off == 0)
        return;
    unsigned bank = (unsigned)__builtin_ctz(board->banks_off), half = family->dram.channels / 2u;
    unsigned x = family->coords.name[TF_NODE_DRAM].x_first, y = family->coords.name[TF_NODE_DRAM].y_first;
    unsigned ports = (family->coords.name[TF_NODE_DRAM].y_last + 1u - y) / half, place = bank % half;
    arch->coords.x[x] = family->coords.x[x + (bank < half)];
    arch->coords.x[x + 1] = family->coords.x[x + (bank >= half)];
    for (unsigned to = 0; to < half; to++) {
        unsigned from = to < place ? to : to + 1 < half ? to + 1 : place;
        memcpy(arch->coords.y + y + to * ports, family->coords.y + y + from * ports, ports);
    }
}

/* Name the Ethernet tiles: those that remain, in the order of their numbers. */
static void name_eth(const struct tf_board *board, struct tf_arch *arch, const struct tf_arch *family)
{
    unsigned x = family->coords.name[TF_NODE_ETH].x_first, last = family->coords.name[TF_NODE_ETH].x_last;
    if (family->fuse->eth_off_min == 0)
        return; /* all tiles have their names */
    for (unsigned tile = 0; tile < family->fuse->eth_tiles; tile++)
        for (unsigned i = 0; i < tf_arch_nodes(family) && !(board->eth_off >> tile & 1); i++)
            if (family->place[i].kind == TF_NODE_ETH && family->place[i].index == tile && x <= last)
                arch->coords.x[x++] = (uint8_t)(i % family->grid_x);
    while (x <= last)
        arch->coords.x[x++] = family->fuse->unnamed_column;
}

/* Tags of boards in tt-umd's telemetry.hpp. */
static uint32_t telemetry(const struct tf_arch *arch, const struct tf_telemetry *entry)
{
    enum { BOARD_HIGH = 1, ETH_LIVE = 21, GDDR_STATUS, COLUMNS = 34, ETH, GDDR, CPUS };
    const struct tf_board *board = &arch->board;
    uint32_t value = 0;
    switch (entry->tag) {
    case BOARD_HIGH: return board->product << 4;
    case ETH_LIVE:
    case ETH: return all(arch->fuse->eth_tiles) & ~board->eth_off;
    case GDDR: return all(arch->dram.channels) & ~board->banks_off;
    case CPUS: return all(arch->fuse->cpus) & ~board->cpus_off;
    case GDDR_STATUS:
        for (unsigned i = 0; i < arch->dram.channels; i++)
            value |= (~board->banks_off >> i & 1) << 2 * i;
        return value;
    case COLUMNS:
        for (unsigned i = 0; i < arch->fuse->columns; i++)
            value |= (~board->columns_off >> arch->fuse->column[i] & 1) << i;
        return value;
    default: return entry->value;
    }
}

void tf_variant_make(const struct tf_arch *family, const struct tf_board *board, struct tf_variant *variant)
{
    struct tf_arch *arch = &variant->arch;
    *arch = *family;
    arch->board = *board;
    fuse_nodes(board, arch, family);
    name_columns(board, arch, family->fuse);
    if (board->rows_off != 0)
        name_rows(board, arch, family);
    name_banks(board, arch, family);
    name_eth(board, arch, family);
    for (unsigned i = 0; i < family->arc.telemetry_entries && i < TF_TELEMETRY_MAX; i++) {
        variant->telemetry[i] = family->arc.telemetry[i];
        variant->telemetry[i].value = telemetry(arch, &family->arc.telemetry[i]);
    }
    arch->arc.telemetry = variant->telemetry;
}
