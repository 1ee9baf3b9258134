/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cluster descriptors become clusters. The keys are those of docs/yaml_schemas/cluster_descriptor.yaml in tt-umd, read
 * as its device/cluster_descriptor.cpp does. Other keys are left out. What a descriptor does not say:
 *   - chips: all are at 0,0 of shelf and rack 0.
 *   - boards: each chip is on the family's first board.
 *   - asic_locations: the chips of a board in the order of their numbers, those with PCIe first.
 *   - chip_unique_ids: tf_cluster_make_id().
 *   - masks: nothing is fused off; Ethernet tiles of Blackhole as on the board.
 * Links to devices outside the descriptor are checked, and left down.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/printable.h"
#include "system/cluster/cluster.h"
#include "system/cluster/yaml.h"
#include "tile/arch.h"
#include "tile/family/describe.h"
#include "tile/family/harvest.h"

#define QUOTED_BYTES 64u

/* What has been read about a chip that a cluster does not hold. */
struct found {
    uint32_t line, harvest_line; /* of its architecture; of its masks, 0: it has none */
    struct tf_harvest masks;
    bool eth_given, board_given, id_given, location_given;
};

struct reader {
    struct tf_yaml yaml;
    struct tf_cluster cluster;
    struct tf_message *message;
    struct found chip[TF_CLUSTER_CHIPS_MAX];
    uint32_t link_line[TF_CLUSTER_LINKS_MAX];
};

/* --- Words, numbers and errors --- */

static bool __attribute__((format(printf, 3, 4)))
wrong(const struct reader *reader, uint32_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int begun = line != 0 ? snprintf(reader->message->text, sizeof reader->message->text, "line %u: ", line) : 0;
    vsnprintf(reader->message->text + begun, sizeof reader->message->text - (size_t)begun, format, arguments);
    va_end(arguments);
    return false;
}

static uint32_t line_of(const struct reader *reader, uint32_t node)
{
    return reader->yaml.node[node].line;
}

/* A node for a message: its word in quotes, or what it is. */
static const char *quote(const struct reader *reader, uint32_t node, char text[QUOTED_BYTES])
{
    enum { SHOWN = 40 };
    if (reader->yaml.node[node].kind != TF_YAML_WORD) {
        snprintf(text, QUOTED_BYTES, "%s", reader->yaml.node[node].kind == TF_YAML_LIST ? "a list" : "a map");
        return text;
    }
    char printable[QUOTED_BYTES - 2];
    const char *word = tf_yaml_word(&reader->yaml, node);
    tf_printable(word, tf_printable_cut(word, SHOWN), printable, sizeof printable);
    snprintf(text, QUOTED_BYTES, "\"%s\"", printable);
    return text;
}

static bool is_word(const struct reader *reader, uint32_t node)
{
    return reader->yaml.node[node].kind == TF_YAML_WORD;
}

/* Read digits, or 0x and hexadecimal digits, up to `most`. */
static bool read_number(const struct reader *reader, uint32_t node, const char *what, uint64_t most, uint64_t *number)
{
    const char *word = is_word(reader, node) ? tf_yaml_word(&reader->yaml, node) : "";
    bool hex = word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    const char *digits = hex ? word + 2 : word, *set = hex ? "0123456789abcdefABCDEF" : "0123456789";
    size_t count = strspn(digits, set), most_digits = hex ? 16 : 20;
    bool good = count != 0 && count <= most_digits && digits[count] == '\0' &&
                !(!hex && count == 20 && strcmp(digits, "18446744073709551615") > 0) &&
                !(!hex && count > 1 && digits[0] == '0');
    uint64_t value = good ? strtoull(digits, NULL, hex ? 16 : 10) : 0;
    char text[QUOTED_BYTES];
    if (!good || value > most)
        return wrong(reader, line_of(reader, node), "%s: %s is not a number from 0 to %llu", what,
                     quote(reader, node, text), (unsigned long long)most);
    *number = value;
    return true;
}

static bool read_bool(const struct reader *reader, uint32_t node, const char *what, bool *value)
{
    const char *word = is_word(reader, node) ? tf_yaml_word(&reader->yaml, node) : "";
    char text[QUOTED_BYTES];
    *value = strcasecmp(word, "true") == 0 || strcasecmp(word, "yes") == 0 || strcasecmp(word, "on") == 0;
    return *value || strcasecmp(word, "false") == 0 || strcasecmp(word, "no") == 0 || strcasecmp(word, "off") == 0 ||
           wrong(reader, line_of(reader, node), "%s: %s is neither true nor false", what, quote(reader, node, text));
}

static bool read_chip(const struct reader *reader, uint32_t node, unsigned *chip)
{
    uint64_t number;
    if (!read_number(reader, node, "chip", UINT32_MAX, &number))
        return false;
    if (number >= reader->cluster.chips)
        return wrong(reader, line_of(reader, node), "there is no chip %llu: `arch` has chips 0 to %u",
                     (unsigned long long)number, reader->cluster.chips - 1);
    *chip = (unsigned)number;
    return true;
}

static bool is_kind(const struct reader *reader, uint32_t node, enum tf_yaml_kind kind, const char *what)
{
    char text[QUOTED_BYTES];
    return reader->yaml.node[node].kind == kind ||
           wrong(reader, line_of(reader, node), "%s: a %s is needed here, not %s", what,
                 kind == TF_YAML_LIST ? "list" : "map", quote(reader, node, text));
}

/* Call `read` for each chip of the map under a key. */
static bool each_chip(struct reader *reader, const char *key,
                      bool (*read)(struct reader *reader, unsigned chip, uint32_t value))
{
    uint32_t map = tf_yaml_find(&reader->yaml, 0, key), seen = 0;
    if (map == 0)
        return true;
    if (!is_kind(reader, map, TF_YAML_MAP, key))
        return false;
    TF_YAML_EACH(&reader->yaml, name, map)
    {
        unsigned chip;
        if (!read_chip(reader, name, &chip))
            return false;
        if (seen >> chip & 1)
            return wrong(reader, line_of(reader, name), "%s: chip %u is here twice", key, chip);
        seen |= 1u << chip;
        if (!read(reader, chip, reader->yaml.node[name].next))
            return false;
    }
    return true;
}

static bool must_have(const struct reader *reader, const char *key, uint32_t *node)
{
    *node = tf_yaml_find(&reader->yaml, 0, key);
    return *node != 0 || wrong(reader, 0, "the descriptor has no `%s`", key);
}

/* --- Chips --- */

/* The family that a driver calls by this name. NULL: none. */
static const struct tf_arch *family_of(const char *name)
{
    static const char *const families[] = {"wormhole", "blackhole"};
    for (unsigned i = 0; i < sizeof families / sizeof families[0]; i++) {
        const struct tf_arch *arch = tf_arch_find(families[i]);
        if (strcasecmp(name, arch->name) == 0 ||
            (arch->driver_name != NULL && strcasecmp(name, arch->driver_name) == 0))
            return arch;
    }
    return NULL;
}

static bool read_family(struct reader *reader, unsigned chip, uint32_t value)
{
    const struct tf_arch *arch = is_word(reader, value) ? family_of(tf_yaml_word(&reader->yaml, value)) : NULL;
    struct tf_cluster *cluster = &reader->cluster;
    char text[QUOTED_BYTES];
    if (arch == NULL)
        return wrong(reader, line_of(reader, value), "arch: %s is neither wormhole_b0 nor blackhole",
                     quote(reader, value, text));
    if (cluster->arch != NULL && cluster->arch != arch)
        return wrong(reader, line_of(reader, value), "chip %u is a %s, and others are a %s: a system has one family",
                     chip, arch->title, cluster->arch->title);
    cluster->arch = arch;
    reader->chip[chip].line = line_of(reader, value);
    return true;
}

static bool read_families(struct reader *reader)
{
    uint32_t map;
    if (!must_have(reader, "arch", &map) || !is_kind(reader, map, TF_YAML_MAP, "arch"))
        return false;
    reader->cluster.chips = TF_CLUSTER_CHIPS_MAX;
    if (!each_chip(reader, "arch", read_family))
        return false;
    unsigned chips = 0;
    for (unsigned i = 0; i < TF_CLUSTER_CHIPS_MAX; i++)
        chips += reader->chip[i].line != 0;
    for (unsigned i = 0; i < chips; i++)
        if (reader->chip[i].line == 0)
            return wrong(reader, line_of(reader, map), "arch: chip %u is missing: chips have numbers without gaps", i);
    reader->cluster.chips = chips;
    return chips != 0 || wrong(reader, line_of(reader, map), "arch: there are no chips");
}

static bool read_place(struct reader *reader, unsigned chip, uint32_t value)
{
    static const struct {
        const char *name;
        unsigned most;
    } parts[] = {{"x", 63}, {"y", 63}, {"rack", 255}, {"shelf", 255}};
    uint8_t part[4];
    unsigned count = 0;
    if (!is_kind(reader, value, TF_YAML_LIST, "chips"))
        return false;
    TF_YAML_EACH(&reader->yaml, child, value)
    {
        uint64_t number;
        if (count == 4)
            return wrong(reader, line_of(reader, child), "chips: a place is x, y, rack and shelf");
        if (!read_number(reader, child, parts[count].name, parts[count].most, &number))
            return false;
        part[count++] = (uint8_t)number;
    }
    if (count != 4)
        return wrong(reader, line_of(reader, value), "chips: a place is x, y, rack and shelf");
    struct tf_cluster_chip *of = &reader->cluster.chip[chip];
    of->x = part[0];
    of->y = part[1];
    of->rack = part[2];
    of->shelf = part[3];
    return true;
}

static bool read_unique_id(struct reader *reader, unsigned chip, uint32_t value)
{
    reader->chip[chip].id_given = true;
    return read_number(reader, value, "chip_unique_ids", UINT64_MAX, &reader->cluster.chip[chip].unique_id);
}

static bool read_location(struct reader *reader, unsigned chip, uint32_t value)
{
    uint64_t number;
    if (!read_number(reader, value, "asic_locations", UINT8_MAX, &number))
        return false;
    reader->chip[chip].location_given = true;
    reader->cluster.chip[chip].asic_location = (uint8_t)number;
    return true;
}

static bool read_mask(const struct reader *reader, uint32_t map, const char *key, uint32_t *mask, bool *given)
{
    uint32_t node = tf_yaml_find(&reader->yaml, map, key);
    uint64_t number = 0;
    if (node != 0 && !read_number(reader, node, key, UINT32_MAX, &number))
        return false;
    *mask = (uint32_t)number;
    *given = node != 0;
    return true;
}

static bool read_harvesting(struct reader *reader, unsigned chip, uint32_t value)
{
    struct found *found = &reader->chip[chip];
    bool given, translated = true;
    if (!is_kind(reader, value, TF_YAML_MAP, "harvesting"))
        return false;
    uint32_t node = tf_yaml_find(&reader->yaml, value, "noc_translation");
    if (node != 0 && !read_bool(reader, node, "noc_translation", &translated))
        return false;
    if (!translated)
        return wrong(reader, line_of(reader, node),
                     "noc_translation must be true: the chips here translate coordinates");
    found->harvest_line = line_of(reader, value);
    return read_mask(reader, value, "harvest_mask", &found->masks.tensix, &given) &&
           read_mask(reader, value, "dram_harvesting_mask", &found->masks.dram, &given) &&
           read_mask(reader, value, "eth_harvesting_mask", &found->masks.eth, &found->eth_given) &&
           read_mask(reader, value, "l2cpu_harvesting_mask", &found->masks.cpus, &given);
}

static bool add_pcie(struct reader *reader, uint32_t node)
{
    unsigned chip = 0;
    if (!read_chip(reader, node, &chip))
        return false;
    if (reader->cluster.chip[chip].pcie)
        return wrong(reader, line_of(reader, node), "chips_with_mmio: chip %u is here twice", chip);
    reader->cluster.chip[chip].pcie = true;
    return true;
}

/* A list of chips, or of maps from chips to numbers of devices. A system numbers its devices as its chips. */
static bool read_pcie(struct reader *reader)
{
    uint32_t list;
    if (!must_have(reader, "chips_with_mmio", &list) || !is_kind(reader, list, TF_YAML_LIST, "chips_with_mmio"))
        return false;
    TF_YAML_EACH(&reader->yaml, child, list)
    {
        if (is_word(reader, child) && !add_pcie(reader, child))
            return false;
        if (is_word(reader, child))
            continue;
        if (!is_kind(reader, child, TF_YAML_MAP, "chips_with_mmio"))
            return false;
        TF_YAML_EACH(&reader->yaml, name, child)
        if (!add_pcie(reader, name))
            return false;
    }
    return true;
}

static bool read_bdf(struct reader *reader, unsigned chip, uint32_t value)
{
    return reader->cluster.chip[chip].pcie ||
           wrong(reader, line_of(reader, value), "chip %u has an address on a PCIe bus, but chips_with_mmio lacks it",
                 chip);
}

/* --- Boards --- */

struct board_entry {
    uint32_t id, type, chips; /* nodes; 0: it has none */
};

static void find_in(const struct reader *reader, uint32_t map, struct board_entry *entry)
{
    const struct {
        const char *key;
        uint32_t *node;
    } parts[] = {{"board_id", &entry->id}, {"board_type", &entry->type}, {"chips", &entry->chips}};
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        uint32_t node = tf_yaml_find(&reader->yaml, map, parts[i].key);
        *parts[i].node = node != 0 ? node : *parts[i].node;
    }
}

/* Find the first board of the family that has an identifier's product. */
static bool find_board(const struct reader *reader, uint32_t node, uint64_t board_id, struct tf_board *board)
{
    const struct tf_arch *arch = reader->cluster.arch;
    const char *name;
    for (unsigned i = 0; (name = tf_board_name(arch, i)) != NULL; i++)
        if (tf_board_parse(arch, &(struct tf_board_text){.name = name}, board, NULL) == TF_OK &&
            board->product == (board_id >> 36 & 0xFFFFFu))
            return true;
    return wrong(reader, line_of(reader, node), "board_id: no %s board has %#llx in bits 55:36", arch->title,
                 (unsigned long long)(board_id >> 36 & 0xFFFFFu));
}

/* Does a driver's name of a type fit a board? */
static bool is_type(const struct tf_arch *arch, const struct tf_board *board, const char *type)
{
    const char *own = tf_board_type(arch, board);
    size_t length = strlen(own);
    if (strcasecmp(type, "unknown") == 0 || (strcmp(own, "ubb") == 0 && strcasecmp(type, "ubb_wormhole") == 0))
        return true;
    return strncasecmp(type, own, length) == 0 &&
           (type[length] == '\0' || (own[0] == 'p' && type[length + 1] == '\0')); /* p150a */
}

static bool read_board(struct reader *reader, uint32_t node)
{
    struct board_entry entry = {0, 0, 0};
    uint64_t board_id;
    struct tf_board board;
    char text[QUOTED_BYTES];
    if (reader->yaml.node[node].kind == TF_YAML_MAP)
        find_in(reader, node, &entry);
    if (reader->yaml.node[node].kind == TF_YAML_LIST)
        TF_YAML_EACH(&reader->yaml, child, node)
    if (reader->yaml.node[child].kind == TF_YAML_MAP)
        find_in(reader, child, &entry);
    if (entry.id == 0 || entry.chips == 0)
        return wrong(reader, line_of(reader, node), "boards: a board has board_id, board_type and chips");
    if (!read_number(reader, entry.id, "board_id", UINT64_MAX, &board_id) ||
        !find_board(reader, entry.id, board_id, &board) || !is_kind(reader, entry.chips, TF_YAML_LIST, "chips"))
        return false;
    if (entry.type != 0 && (!is_word(reader, entry.type) ||
                            !is_type(reader->cluster.arch, &board, tf_yaml_word(&reader->yaml, entry.type))))
        return wrong(reader, line_of(reader, entry.type), "board_type: board_id is that of a %s, not %s",
                     tf_board_type(reader->cluster.arch, &board), quote(reader, entry.type, text));
    TF_YAML_EACH(&reader->yaml, child, entry.chips)
    {
        unsigned chip;
        if (!read_chip(reader, child, &chip))
            return false;
        if (reader->chip[chip].board_given)
            return wrong(reader, line_of(reader, child), "boards: chip %u is on two boards", chip);
        reader->chip[chip].board_given = true;
        reader->cluster.chip[chip].board_id = board_id;
        reader->cluster.chip[chip].board = board;
    }
    return true;
}

static bool read_boards(struct reader *reader)
{
    uint32_t list = tf_yaml_find(&reader->yaml, 0, "boards");
    if (list != 0 && !is_kind(reader, list, TF_YAML_LIST, "boards"))
        return false;
    if (list != 0)
        TF_YAML_EACH(&reader->yaml, child, list)
    if (!read_board(reader, child))
        return false;
    for (unsigned i = 0; i < reader->cluster.chips; i++) {
        struct tf_cluster_chip *chip = &reader->cluster.chip[i];
        if (reader->chip[i].board_given)
            continue;
        if (list != 0)
            return wrong(reader, line_of(reader, list), "boards: chip %u is on no board", i);
        chip->board = reader->cluster.arch->board;
        chip->board_id = (uint64_t)chip->board.product << 36 | (i + 1);
    }
    return true;
}

/* Name the board that has just these fused-off parts, if there is one. */
static void name_board(const struct reader *reader, struct tf_board *board)
{
    const struct tf_arch *arch = reader->cluster.arch;
    const char *name;
    for (unsigned i = 0; (name = tf_board_name(arch, i)) != NULL; i++) {
        struct tf_board other;
        if (tf_board_parse(arch, &(struct tf_board_text){.name = name}, &other, NULL) == TF_OK &&
            other.product == board->product && other.columns_off == board->columns_off &&
            other.rows_off == board->rows_off && other.banks_off == board->banks_off &&
            other.eth_off == board->eth_off && other.cpus_off == board->cpus_off) {
            *board = other;
            return;
        }
    }
}

static bool apply_masks(struct reader *reader, unsigned chip)
{
    struct found *found = &reader->chip[chip];
    struct tf_board *board = &reader->cluster.chip[chip].board;
    if (found->harvest_line == 0)
        return true;
    if (!found->eth_given)
        found->masks.eth = board->eth_off;
    const char *why = tf_harvest_apply(reader->cluster.arch, &found->masks, board);
    if (why != NULL)
        return wrong(reader, found->harvest_line, "chip %u: %s", chip, why);
    name_board(reader, board);
    return true;
}

/* A chip's number among those of its board: first those with PCIe. */
static uint8_t rank_of(const struct reader *reader, unsigned chip)
{
    const struct tf_cluster_chip *of = reader->cluster.chip;
    uint8_t before = 0;
    for (unsigned i = 0; i < reader->cluster.chips; i++)
        before += of[i].board_id == of[chip].board_id && (of[i].pcie != of[chip].pcie ? of[i].pcie : i < chip);
    return before;
}

static bool complete_chips(struct reader *reader)
{
    struct tf_cluster *cluster = &reader->cluster;
    for (unsigned i = 0; i < cluster->chips; i++) {
        if (!apply_masks(reader, i))
            return false;
        if (!reader->chip[i].location_given)
            cluster->chip[i].asic_location = rank_of(reader, i);
        if (!reader->chip[i].id_given)
            cluster->chip[i].unique_id = tf_cluster_make_id(cluster->arch, &cluster->chip[i]);
    }
    return true;
}

/* --- Links --- */

static bool read_end(const struct reader *reader, uint32_t node, struct tf_cluster_end *end)
{
    unsigned chip;
    uint64_t port;
    if (!is_kind(reader, node, TF_YAML_MAP, "an end of a link"))
        return false;
    uint32_t chip_node = tf_yaml_find(&reader->yaml, node, "chip"),
             port_node = tf_yaml_find(&reader->yaml, node, "chan");
    if (chip_node == 0 || port_node == 0)
        return wrong(reader, line_of(reader, node), "an end of a link has chip and chan");
    if (!read_chip(reader, chip_node, &chip) || !read_number(reader, port_node, "chan", UINT8_MAX, &port))
        return false;
    *end = (struct tf_cluster_end){(uint8_t)chip, (uint8_t)port};
    return true;
}

/* The children of a list, up to three. Returns how many there are, at most 4. */
static unsigned children(const struct reader *reader, uint32_t node, uint32_t child[3])
{
    unsigned count = 0;
    TF_YAML_EACH(&reader->yaml, next, node)
    {
        if (count == 3)
            return 4;
        child[count++] = next;
    }
    return count;
}

static bool is_same_link(const struct tf_cluster_link *a, const struct tf_cluster_link *b)
{
    for (unsigned k = 0; k < 2; k++)
        if (a->end[0].chip == b->end[k].chip && a->end[0].port == b->end[k].port &&
            a->end[1].chip == b->end[1 - k].chip && a->end[1].port == b->end[1 - k].port)
            return true;
    return false;
}

/* Add a link, if it is not there yet: descriptors may name one from both sides. */
static bool add_link(struct reader *reader, uint32_t line, struct tf_cluster_link link)
{
    struct tf_cluster *cluster = &reader->cluster;
    for (unsigned i = 0; i < cluster->links; i++)
        if (is_same_link(&cluster->link[i], &link))
            return true;
    if (cluster->links == TF_CLUSTER_LINKS_MAX)
        return wrong(reader, line, "a system has at most %u links", TF_CLUSTER_LINKS_MAX);
    reader->link_line[cluster->links] = line;
    cluster->link[cluster->links++] = link;
    return true;
}

static bool read_link(struct reader *reader, uint32_t node)
{
    struct tf_cluster_link link;
    uint32_t child[3];
    bool routing;
    if (!is_kind(reader, node, TF_YAML_LIST, "ethernet_connections"))
        return false;
    unsigned count = children(reader, node, child);
    if (count != 2 && count != 3)
        return wrong(reader, line_of(reader, node), "a link has two ends");
    if (!read_end(reader, child[0], &link.end[0]) || !read_end(reader, child[1], &link.end[1]))
        return false;
    uint32_t enabled = count == 3 ? tf_yaml_find(&reader->yaml, child[2], "routing_enabled") : 0;
    if (enabled != 0 && !read_bool(reader, enabled, "routing_enabled", &routing))
        return false;
    return add_link(reader, line_of(reader, node), link);
}

/* A link to a device outside the descriptor: its end here must exist, and be free. */
static bool check_remote(struct reader *reader, uint32_t node)
{
    struct tf_cluster_end end;
    uint32_t child[3];
    if (!is_kind(reader, node, TF_YAML_LIST, "ethernet_connections_to_remote_devices"))
        return false;
    if (children(reader, node, child) != 2)
        return wrong(reader, line_of(reader, node), "a link has two ends");
    if (!read_end(reader, child[0], &end))
        return false;
    if (end.port >= tf_cluster_ports(&reader->cluster, end.chip))
        return wrong(reader, line_of(reader, node), "port %u of chip %u does not exist, or is fused off", end.port,
                     end.chip);
    return tf_cluster_peer(&reader->cluster, end.chip, end.port) == NULL ||
           wrong(reader, line_of(reader, node), "port %u of chip %u has two links", end.port, end.chip);
}

static bool each_link(struct reader *reader, const char *key, bool (*read)(struct reader *reader, uint32_t node))
{
    uint32_t list = tf_yaml_find(&reader->yaml, 0, key);
    if (list == 0)
        return true;
    if (!is_kind(reader, list, TF_YAML_LIST, key))
        return false;
    TF_YAML_EACH(&reader->yaml, child, list)
    if (!read(reader, child))
        return false;
    return true;
}

/* --- The whole --- */

/* A contradiction, with the line of the chip or link that it is about. */
static bool is_right(struct reader *reader)
{
    struct tf_message message;
    struct tf_cluster_subject about = {TF_ABOUT_ALL, 0};
    if (tf_cluster_find_fault(&reader->cluster, &message, &about) == TF_OK)
        return true;
    uint32_t line = about.about == TF_ABOUT_CHIP   ? reader->chip[about.index].line
                    : about.about == TF_ABOUT_LINK ? reader->link_line[about.index]
                                                   : 0;
    return wrong(reader, line, "%s", message.text);
}

static bool read_all(struct reader *reader)
{
    uint32_t node;
    if (!is_kind(reader, 0, TF_YAML_MAP, "a cluster descriptor") || !read_families(reader) ||
        !must_have(reader, "ethernet_connections", &node) || !each_chip(reader, "chips", read_place) ||
        !each_chip(reader, "chip_unique_ids", read_unique_id) || !each_chip(reader, "asic_locations", read_location) ||
        !each_chip(reader, "harvesting", read_harvesting) || !read_pcie(reader) ||
        !each_chip(reader, "chip_pci_bdfs", read_bdf) || !read_boards(reader) || !complete_chips(reader) ||
        !each_link(reader, "ethernet_connections", read_link) || !is_right(reader) ||
        !each_link(reader, "ethernet_connections_to_remote_devices", check_remote))
        return false;
    tf_cluster_sort(&reader->cluster);
    return true;
}

int tf_cluster_parse(const char *text, size_t bytes, struct tf_cluster *cluster, struct tf_message *message)
{
    struct tf_message unread;
    struct reader *reader = calloc(1, sizeof *reader);
    message = message != NULL ? message : &unread;
    if (reader == NULL) {
        snprintf(message->text, sizeof message->text, "too little memory for the descriptor");
        return TF_ENOMEM;
    }
    reader->message = message;
    int error = tf_yaml_read(text, bytes, &reader->yaml, message);
    if (error == TF_OK) {
        error = read_all(reader) ? TF_OK : TF_EFORMAT;
        tf_yaml_free(&reader->yaml);
    }
    if (error == TF_OK)
        *cluster = reader->cluster;
    free(reader);
    return error;
}
