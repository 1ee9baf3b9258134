/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data movement service of an Ethernet tile's firmware, for the host. Source:
 * WormholeB0/EthernetTile/BaselineDataMovementService.md. The service looks for requests when the host has advanced an
 * index, and serves them at once, also where they take several hops.
 */
#include "noc/whole/eth_service.h"
#include "noc/nodes/space.h"
#include "tile/eth/tables.h"
#include "tile/eth/eth.h"

/* tt-umd calls these eth_base_firmware_queues_t and eth_queue_t. */
enum { SUBMISSION = 0x80, COMPLETION = 0x200, BUFFERS = 0x1000, BUFFER_BYTES = 1024 };
enum {
    WRITES = 0x0,
    WRITES_SERVED = 0x4,
    READS = 0x8,
    READS_SERVED = 0xC,
    ERRORS = 0x10,
    WRITTEN = 0x20,
    TAKEN = 0x30
};
enum { ENTRIES = 0x40, ENTRY_BYTES = 32, CAPACITY = 4, INDICES = 8 };

#define CMD_WR_REQ (1u << 0)
#define CMD_RD_REQ (1u << 2)
#define CMD_RD_DATA (1u << 3)
#define CMD_DATA_BLOCK_DRAM (1u << 4)
#define CMD_DATA_BLOCK (1u << 6)
#define CMD_BROADCAST (1u << 7)
#define CMD_NOC_ID (1u << 9)
#define CMD_MOD (1u << 13)
#define CMD_DEST_UNREACHABLE (1u << 31)

/* tt-umd calls this routing_cmd_t. */
struct entry {
    uint64_t target; /* bits 35:0 address; then x, y of the node, and x, y of the chip */
    uint32_t data;   /* the data, or the length of a block */
    uint32_t flags;
    uint16_t rack, reserved[5];
    uint32_t host; /* address of a block in the host's memory */
};

_Static_assert(sizeof(struct entry) == ENTRY_BYTES, "routing_cmd_t");

struct service {
    struct tf_fabric *fabric;
    struct tf_node *node;
    uint32_t base;
    const struct entry *entry;
    unsigned buffer; /* number of the entry's buffer */
};

static uint32_t get(const struct service *s, uint32_t at)
{
    uint32_t value;
    memcpy(&value, s->node->l1 + s->base + at, sizeof value);
    return value;
}

static void put(const struct service *s, uint32_t at, uint32_t value)
{
    tf_node_put_word(s->node, s->base + at, value);
}

static void count(const struct service *s, uint32_t counter)
{
    put(s, SUBMISSION + counter, get(s, SUBMISSION + counter) + 1);
}

/* Parts of a target. */
#define OF_NODE ((1ull << 48) - 1)
#define OF_CHIP (0xFFFull << 48)

/* Firmware of a Galaxy routes nothing: RoutingFirmwareState of tt-umd (topology_discovery_wormhole.hpp). */
#define ROUTES_NOTHING_AT 0x104Cu

/* The number of entries in a queue. taken: entries that its reader has taken. */
static uint32_t waiting(const struct service *s, uint32_t queue, uint32_t taken)
{
    return (get(s, queue + WRITTEN) - taken) & (INDICES - 1);
}

/* A write, or a read, of bytes at an address of a node of a chip: target and rack name both. Returns false if nothing
   is there. */
static bool reach_at(const struct service *s, uint64_t target, uint16_t rack, void *data, uint32_t bytes, bool write)
{
    const struct tf_eth_access access = {
        .target = target,
        .rack = rack,
        .noc = (s->entry->flags & CMD_NOC_ID) != 0,
        .from = s->node->number,
        .into = write ? NULL : data,
        .data = data,
        .bytes = bytes,
    };
    const struct tf_eth_routes *routes = s->fabric->routes;
    return routes->reach(routes->user, &access);
}

/* The same at the chip of the entry. target: in the form of NOC_TARG_ADDR. */
static bool reach(const struct service *s, uint64_t target, void *data, uint32_t bytes, bool write)
{
    const uint64_t chip = s->entry->target & OF_CHIP;
    return reach_at(s, chip | (target & OF_NODE), s->entry->rack, data, bytes, write);
}

/* Copy a part of a block, from byte `done` on. The block is in a buffer of the tile, or in the host's memory. */
static bool block(const struct service *s, uint32_t done, void *data, uint32_t bytes, bool write)
{
    const struct tf_arch *arch = s->fabric->arch;
    if ((s->entry->flags & CMD_DATA_BLOCK_DRAM) != 0) {
        struct tf_node *pcie = &s->fabric->node[arch->pcie_node];
        uint64_t address = arch->pcie.host_first + s->entry->host + done;
        return (write ? tf_node_put_range(s->fabric, pcie, address, data, bytes)
                      : tf_node_get_range(s->fabric, pcie, address, data, bytes)) == TF_OK;
    }
    uint32_t at = s->base + BUFFERS + BUFFER_BYTES * s->buffer + done;
    if (done + bytes > BUFFER_BYTES)
        return false;
    if (write)
        tf_node_put_l1(s->node, at, data, bytes);
    else
        memcpy(data, s->node->l1 + at, bytes);
    return true;
}

/* Perform the writes of one section of a scatter page. Returns the section's length. 0 means that it is padding (*good
   is true), or wrong (*good is false). */
static uint32_t scatter_section(const struct service *s, const uint8_t *section, uint32_t room, bool *good)
{
    enum { HEADER = 12, PADDING = 0xF };
    uint32_t word[3];
    *good = (section[0] & 15) == PADDING;
    if (*good || room < HEADER)
        return 0;
    memcpy(word, section, sizeof word);
    uint32_t writes = word[0] >> 8 & 0xFF, size = word[1] & 0xFF, offset = word[1] >> 8 & 0xFF;
    bool each = (word[0] >> 4 & 1) != 0;
    uint64_t target = word[2] | (uint64_t)(word[0] >> 16 & 0xFFFF) << 32;
    uint32_t bytes = 4 * (offset + size * (each ? writes : 1));
    if ((section[0] & 15) != 1 || size == 0 || offset == 0 || bytes > room || HEADER + 4 * writes > room + 4)
        return 0;
    *good = true;
    for (uint32_t i = 0; i < writes && *good; i++) {
        uint32_t shift = 0;
        if (i != 0)
            memcpy(&shift, section + HEADER + 4 * (i - 1), sizeof shift);
        uint64_t high = target & ~(uint64_t)UINT32_MAX;
        *good = reach(s, high | (uint32_t)((uint32_t)target + shift),
                      (uint8_t *)(uintptr_t)section + 4 * (offset + (each ? i * size : 0)), 4 * size, true);
    }
    return bytes;
}

static bool scatter(const struct service *s, const uint8_t *page)
{
    bool good = true;
    for (uint32_t at = 0, bytes; at < BUFFER_BYTES && good; at += bytes) {
        bytes = scatter_section(s, page + at, BUFFER_BYTES - at, &good);
        if (bytes == 0)
            break;
    }
    return good;
}

/*
 * Broadcasts, which the page does not have: tt-umd's EthernetBroadcast writes a header in front of the block. Bits that
 * are 0 in its first words include a chip. Bits that are 1 in its last word exclude rows and columns.
 */
enum { BROADCAST_BYTES = 32, BROADCAST_RACKS = 0, BROADCAST_CHIPS = 3, BROADCAST_TILES = 4 };

#define BROADCAST_TRANSLATED (1u << 15) /* tiles are named by translated coordinates */
#define BROADCAST_COLUMN 16u            /* the bit of column 0; that of row 0 is 0 */
#define TRANSLATED_FIRST 16u

static bool includes_chip(const uint32_t *header, uint64_t target, uint16_t rack)
{
    const uint32_t x = target >> 48 & 63, y = target >> 54 & 63, of_rack = rack & 0xFF, shelf = rack >> 8;
    const uint32_t chip = 8 * x + y, racks = shelf + of_rack % 4;
    return chip < 32 && racks < 32 && of_rack / 4 < BROADCAST_CHIPS && !(header[BROADCAST_CHIPS] >> chip & 1) &&
           !(header[BROADCAST_RACKS + of_rack / 4] >> racks & 1);
}

/* The tile at a row and a column of the header, as a part of a target. Translated coordinates name rows and columns in
   another order: first those without Tensix tiles (TRANSLATED_TO_VIRTUAL_X and _Y of tt-umd). */
static uint64_t tile_of(const uint32_t *header, uint32_t x, uint32_t y)
{
    static const uint8_t columns[] = {0, 2, 3, 4, 5, 1, 6, 7, 8, 9}, rows[] = {0, 2, 3, 4, 5, 6, 1, 7, 8, 9, 10, 11};
    if ((header[BROADCAST_TILES] & BROADCAST_TRANSLATED) != 0 && x < sizeof columns && y < sizeof rows) {
        x = TRANSLATED_FIRST + columns[x];
        y = TRANSLATED_FIRST + rows[y];
    }
    return (uint64_t)x << 36 | (uint64_t)y << 42;
}

/* Write a part of a block to the tiles of a chip. Returns whether one of them took it: others may be fused off. */
static bool write_to_tiles(const struct service *s, const uint32_t *header, const struct tf_eth_access *part)
{
    const struct tf_arch *arch = s->fabric->arch;
    const uint32_t excluded = header[BROADCAST_TILES];
    bool any = false;
    for (uint32_t y = 0; y < arch->grid_y; y++)
        for (uint32_t x = 0; x < arch->grid_x; x++)
            if (!(excluded >> y & 1) && !(excluded >> (BROADCAST_COLUMN + x) & 1))
                any |= reach_at(s, part->target | tile_of(header, x, y), part->rack, (void *)(uintptr_t)part->data,
                                part->bytes, true);
    return any;
}

static bool broadcast(const struct service *s)
{
    const struct tf_eth_routes *routes = s->fabric->routes;
    const struct entry *entry = s->entry;
    uint32_t header[BROADCAST_BYTES / sizeof(uint32_t)];
    uint8_t data[BUFFER_BYTES];
    bool any = false;
    if ((entry->flags & CMD_DATA_BLOCK) == 0 || (entry->flags & CMD_WR_REQ) == 0 || entry->data <= BROADCAST_BYTES ||
        !block(s, 0, header, BROADCAST_BYTES, false))
        return false;
    for (uint32_t done = BROADCAST_BYTES, bytes; done < entry->data; done += bytes) {
        struct tf_eth_access part = {.data = data};
        bytes = entry->data - done < sizeof data ? entry->data - done : (uint32_t)sizeof data;
        if (!block(s, done, data, bytes, false))
            return false;
        part.bytes = bytes;
        for (unsigned i = 0; routes->place(routes->user, i, &part.target, &part.rack); i++)
            if (includes_chip(header, part.target, part.rack)) {
                part.target |= (entry->target & 0xFFFFFFFFF) + done - BROADCAST_BYTES;
                any |= write_to_tiles(s, header, &part);
            }
    }
    return any;
}

static bool move(const struct service *s)
{
    const struct entry *entry = s->entry;
    uint32_t word = entry->data;
    bool writes = (entry->flags & CMD_WR_REQ) != 0;
    if ((entry->flags & CMD_BROADCAST) != 0)
        return broadcast(s);
    if ((entry->flags & CMD_DATA_BLOCK) == 0)
        return reach(s, entry->target, &word, sizeof word, true);
    for (uint32_t done = 0, bytes; done < entry->data; done += bytes) {
        uint8_t part[BUFFER_BYTES];
        bytes = entry->data - done < sizeof part ? entry->data - done : (uint32_t)sizeof part;
        if (writes && (entry->flags & CMD_MOD) != 0) {
            memset(part, 0xFF, sizeof part);
            if (!block(s, done, part, bytes, false) || !scatter(s, part))
                return false;
            continue;
        }
        if (!(writes ? block(s, done, part, bytes, false) : reach(s, entry->target + done, part, bytes, false)) ||
            !(writes ? reach(s, entry->target + done, part, bytes, true) : block(s, done, part, bytes, true)))
            return false;
    }
    return true;
}

static void serve_write(const struct service *s)
{
    count(s, WRITES);
    if (!move(s))
        count(s, ERRORS);
    count(s, WRITES_SERVED);
}

/* Returns false if the completion queue is full. */
static bool serve_read(struct service *s)
{
    const struct entry *entry = s->entry;
    uint32_t written = get(s, COMPLETION + WRITTEN);
    if (waiting(s, COMPLETION, get(s, COMPLETION + TAKEN)) >= CAPACITY)
        return false;
    struct entry answer = {.target = entry->target, .data = entry->data, .flags = CMD_RD_DATA};
    s->buffer = written % CAPACITY;
    count(s, READS);
    bool good = (entry->flags & CMD_DATA_BLOCK) != 0 ? move(s)
                                                     : reach(s, entry->target, &answer.data, sizeof answer.data, false);
    answer.flags |= entry->flags & (CMD_DATA_BLOCK | CMD_DATA_BLOCK_DRAM);
    answer.host = (entry->flags & CMD_DATA_BLOCK_DRAM) != 0 ? entry->host : 0;
    if (!good) {
        answer.flags |= CMD_DEST_UNREACHABLE;
        count(s, ERRORS);
    }
    tf_node_put_l1(s->node, s->base + COMPLETION + ENTRIES + ENTRY_BYTES * s->buffer, &answer, sizeof answer);
    put(s, COMPLETION + WRITTEN, (written + 1) & (INDICES - 1));
    count(s, READS_SERVED);
    return true;
}

static bool covers(uint64_t address, uint64_t bytes, uint32_t word)
{
    return address < word + 4ull && word < address + bytes;
}

/* Returns false if nothing waits, or if it must wait further. */
static bool serve_next(struct service *s)
{
    struct entry entry;
    uint32_t taken = get(s, SUBMISSION + TAKEN);
    if (waiting(s, SUBMISSION, taken) == 0)
        return false;
    memcpy(&entry, s->node->l1 + s->base + SUBMISSION + ENTRIES + ENTRY_BYTES * (taken % CAPACITY), sizeof entry);
    s->entry = &entry;
    s->buffer = taken % CAPACITY;
    if ((entry.flags & CMD_WR_REQ) != 0)
        serve_write(s);
    else if ((entry.flags & CMD_RD_REQ) != 0 && !serve_read(s))
        return false;
    put(s, SUBMISSION + TAKEN, (taken + 1) & (INDICES - 1));
    return true;
}

static bool is_off(const struct tf_node *node)
{
    uint32_t state;
    memcpy(&state, node->l1 + ROUTES_NOTHING_AT, sizeof state);
    return state == 1;
}

/* A request may advance an index, too: of another tile, or of this one, which looks for it anyway. */
void tf_eth_serve(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, uint64_t bytes)
{
    uint32_t base = node->tile->arch->eth->service;
    struct service service = {.fabric = fabric, .node = node, .base = base};
    if (base == 0 || node->serves ||
        !(covers(address, bytes, base + SUBMISSION + WRITTEN) || covers(address, bytes, base + COMPLETION + TAKEN)) ||
        !tf_eth_runs_firmware(node->tile) || is_off(node))
        return;
    node->serves = true;
    while (serve_next(&service))
        continue;
    node->serves = false;
}
