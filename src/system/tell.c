/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What firmware leaves behind when links have been trained. Sources of addresses and values:
 *   Wormhole   tt-umd, topology_discovery_wormhole.*, wormhole_eth.hpp; tt-budabackend, eth_init.h (boot parameters,
 *              training, types of boards) and eth_routing_v2.h (struct node_info_t, eth_conn_info_t); luwen,
 *              get_neighbouring_chips() (a Galaxy, whose firmware routes nothing)
 *   Blackhole  tt-umd, topology_discovery_blackhole.cpp, blackhole_eth.hpp (struct boot_results_t, chip_info_t)
 *   telemetry  tt-umd, telemetry.hpp (tags)
 */
#include "system/tell.h"

#include "system/cluster/cluster.h"
#include "tile/arch.h"
#include "tile/eth/tables.h"

#define WORDS_MAX 48u
#define CHANNELS_MAX 16u

/* Words for L1 of an Ethernet tile. */
struct facts {
    const struct tf_cluster *cluster;
    unsigned chip, port;
    struct {
        uint32_t address, value;
    } word[WORDS_MAX];
    unsigned words;
};

static void put(struct facts *facts, uint32_t address, uint32_t value)
{
    facts->word[facts->words].address = address;
    facts->word[facts->words++].value = value;
}

static const struct tf_cluster_chip *chip_of(const struct facts *facts, unsigned chip)
{
    return &facts->cluster->chip[chip];
}

/* --- Firmware that routes (TF_ETH_FACTS_OF_NODE) --- */

#define HEARTBEAT 0x1Cu
#define BOOT_PARAMETERS 0x1000u
#define NODE_INFO 0x1100u
#define CONNECTIONS 0x1200u
#define RESULTS 0x1EC0u

enum { ROUTING_DISABLED = 19, SHELF_AND_RACK = 53, BOARD_TYPE = 56, BOARD_ID = 59 }; /* words of boot parameters */
enum { TRAINING = 1, PLACE, ROLE, NOC_X, NOC_Y = 6, REMOTE = 9, REMOTE_RACK };       /* words of the node's info */
enum { LOCAL_ID = 64, LOCAL_BOARD_TYPE = 69, REMOTE_ID = 72, REMOTE_CHANNEL = 76, REMOTE_BOARD_TYPE };
enum { TRAINED = 1, NOT_CONNECTED = 3 };
enum { BOARD_GALAXY, BOARD_ONE_CHIP, BOARD_LEFT, BOARD_RIGHT };
enum { PRODUCT_GALAXY = 0x35, PRODUCT_TWO_CHIPS = 0x14 };

static uint32_t board_type(const struct tf_cluster_chip *chip)
{
    switch (chip->board.product) {
    case PRODUCT_GALAXY: return BOARD_GALAXY;
    case PRODUCT_TWO_CHIPS: return chip->asic_location == 0 ? BOARD_LEFT : BOARD_RIGHT;
    default: return BOARD_ONE_CHIP;
    }
}

/* The unique id as Ethernet firmware says it. Drivers compare its low half with that of the board's identifier, except
   on a Galaxy. */
static uint64_t id_of(const struct tf_cluster_chip *chip)
{
    uint32_t mangled = tf_cluster_mangled(chip->board_id);
    if (board_type(chip) == BOARD_GALAXY || (uint32_t)chip->unique_id == mangled)
        return chip->unique_id;
    return (uint64_t)board_type(chip) << 32 | mangled;
}

/* The direction of a link. */
static uint32_t connection(const struct tf_cluster_chip *own, const struct tf_cluster_chip *peer)
{
    enum { NO_ROUTING = 2, LEFT = 2, RIGHT, UP, DOWN, RACK_LEFT, RACK_RIGHT, RACK_UP, RACK_DOWN };
    if (board_type(own) == BOARD_GALAXY)
        return NO_ROUTING;
    if (peer->rack != own->rack)
        return peer->rack > own->rack ? RACK_RIGHT : RACK_LEFT;
    if (peer->shelf != own->shelf)
        return peer->shelf > own->shelf ? RACK_UP : RACK_DOWN;
    if (peer->x != own->x)
        return peer->x > own->x ? RIGHT : LEFT;
    return peer->y > own->y ? UP : DOWN;
}

static void put_peer(struct facts *facts, const struct tf_cluster_end *end)
{
    const struct tf_cluster_chip *peer = chip_of(facts, end->chip);
    struct tf_coord at = tf_cluster_port_coord(facts->cluster, end->chip, end->port);
    put(facts, HEARTBEAT, 0xABCD0000); /* it counts as the host reads it (tile/eth/eth.c) */
    put(facts, NODE_INFO + 4 * REMOTE, at.x << 4 | at.y << 10 | peer->x << 16 | (uint32_t)peer->y << 22);
    put(facts, NODE_INFO + 4 * REMOTE_RACK, peer->rack | (uint32_t)peer->shelf << 8);
    put(facts, RESULTS + 4 * REMOTE_ID, (uint32_t)id_of(peer));
    put(facts, RESULTS + 4 * REMOTE_ID + 4, (uint32_t)(id_of(peer) >> 32));
    put(facts, RESULTS + 4 * REMOTE_CHANNEL, tf_cluster_port_tile(facts->cluster, end->chip, end->port));
    put(facts, RESULTS + 4 * REMOTE_BOARD_TYPE, board_type(peer));
}

/* Each Ethernet tile of a chip knows how all of them are connected. */
static void put_connections(struct facts *facts)
{
    enum { UNCONNECTED = 1 };
    unsigned ports = tf_cluster_ports(facts->cluster, facts->chip);
    for (unsigned i = 0; i < ports && i < CHANNELS_MAX; i++) {
        const struct tf_cluster_end *end = tf_cluster_peer(facts->cluster, facts->chip, i);
        put(facts, CONNECTIONS + 4 * tf_cluster_port_tile(facts->cluster, facts->chip, i),
            end == NULL ? UNCONNECTED : connection(chip_of(facts, facts->chip), chip_of(facts, end->chip)));
    }
}

static void tell_node(struct facts *facts)
{
    const struct tf_arch *arch = tf_arch_or_default(facts->cluster->arch);
    const struct tf_cluster_chip *own = chip_of(facts, facts->chip);
    const struct tf_cluster_end *end = tf_cluster_peer(facts->cluster, facts->chip, facts->port);
    struct tf_coord at = tf_cluster_port_coord(facts->cluster, facts->chip, facts->port);
    bool routes = board_type(own) != BOARD_GALAXY;
    put(facts, BOOT_PARAMETERS, own->x | (uint32_t)own->y << 8);
    put(facts, BOOT_PARAMETERS + 4 * ROUTING_DISABLED, !routes);
    put(facts, BOOT_PARAMETERS + 4 * SHELF_AND_RACK, own->rack | (uint32_t)own->shelf << 8);
    put(facts, BOOT_PARAMETERS + 4 * BOARD_TYPE, board_type(own));
    put(facts, BOOT_PARAMETERS + 4 * BOARD_ID, tf_cluster_mangled(own->board_id));
    put(facts, NODE_INFO + 4 * TRAINING, end != NULL ? TRAINED : NOT_CONNECTED);
    put(facts, NODE_INFO + 4 * PLACE, own->rack | own->shelf << 8 | own->x << 16 | (uint32_t)own->y << 24);
    put(facts, NODE_INFO + 4 * ROLE,
        tf_cluster_port_tile(facts->cluster, facts->chip, facts->port) << 16 | (uint32_t)(end != NULL && routes) << 24);
    put(facts, NODE_INFO + 4 * NOC_X, at.x);
    put(facts, NODE_INFO + 4 * NOC_X + 4, arch->grid_x - 1u - at.x);
    put(facts, NODE_INFO + 4 * NOC_Y, at.y);
    put(facts, NODE_INFO + 4 * NOC_Y + 4, arch->grid_y - 1u - at.y);
    put(facts, RESULTS + 4 * LOCAL_ID, (uint32_t)id_of(own));
    put(facts, RESULTS + 4 * LOCAL_ID + 4, (uint32_t)(id_of(own) >> 32));
    put(facts, RESULTS + 4 * LOCAL_BOARD_TYPE, board_type(own));
    if (end != NULL)
        put_peer(facts, end);
    put_connections(facts);
}

/* --- Firmware that knows its port (TF_ETH_FACTS_OF_PORT) --- */

#define PORT_STATUS 0x7CC04u
#define TRAIN_STATUS 0x7CC08u
#define RX_LINK_UP 0x7CE04u
#define LOCAL_INFO 0x7CFC0u
#define REMOTE_INFO 0x7CFE0u
enum { PORT_UP = 1, PORT_DOWN };
enum { TRAIN_PASS = 2 };

/* The description of an Ethernet tile and its chip: struct chip_info_t. */
static void put_info(struct facts *facts, uint32_t address, unsigned chip, unsigned port, bool with_id)
{
    const struct tf_cluster_chip *of = chip_of(facts, chip);
    unsigned tile = tf_cluster_port_tile(facts->cluster, chip, port);
    put(facts, address, (uint32_t)of->asic_location << 8 | tile << 16 | port << 24);
    put(facts, address + 4, (uint32_t)(of->board_id >> 32));
    put(facts, address + 8, (uint32_t)of->board_id);
    if (!with_id)
        return;
    put(facts, address + 20, (uint32_t)(of->unique_id >> 32));
    put(facts, address + 24, (uint32_t)of->unique_id);
}

static void tell_port(struct facts *facts)
{
    const struct tf_cluster_end *end = tf_cluster_peer(facts->cluster, facts->chip, facts->port);
    put_info(facts, LOCAL_INFO, facts->chip, facts->port, end != NULL);
    put(facts, PORT_STATUS, end != NULL ? PORT_UP : PORT_DOWN);
    if (end == NULL)
        return;
    put(facts, TRAIN_STATUS, TRAIN_PASS);
    put(facts, RX_LINK_UP, 1);
    put_info(facts, REMOTE_INFO, end->chip, end->port, true);
}

/* --- Telemetry --- */

static int write_word(struct tf_chip *of, struct tf_coord at, uint64_t address, uint32_t value)
{
    return tf_write(of, at, address, &value, sizeof value);
}

/* The value of a tag that is the chip's own. Returns false for other tags. */
static bool own_value(const struct tf_cluster_chip *chip, uint16_t tag, uint32_t *value)
{
    enum { BOARD_HIGH = 1, BOARD_LOW, LOCATION = 52, ID_HIGH = 61, ID_LOW };
    switch (tag) {
    case BOARD_HIGH: *value = (uint32_t)(chip->board_id >> 32); return true;
    case BOARD_LOW: *value = (uint32_t)chip->board_id; return true;
    case LOCATION: *value = chip->asic_location; return true;
    case ID_HIGH: *value = (uint32_t)(chip->unique_id >> 32); return true;
    case ID_LOW: *value = (uint32_t)chip->unique_id; return true;
    default: return false;
    }
}

static int tell_telemetry(const struct tf_cluster_chip *chip, struct tf_chip *of)
{
    enum { WHOLE_WORD = 32 };
    const struct tf_arch *arch = tf_chip_arch(of);
    uint32_t value;
    unsigned node = 0;
    int error = TF_OK;
    while (arch->place[node].kind != TF_NODE_ARC)
        node++;
    struct tf_coord at = {(uint8_t)(node % arch->grid_x), (uint8_t)(node / arch->grid_x)};
    for (unsigned i = 0; i < arch->arc.telemetry_entries && error == TF_OK; i++)
        if (own_value(chip, arch->arc.telemetry[i].tag, &value))
            error = write_word(of, at, arch->space.arc_csm_first + TF_ARC_TELEMETRY_VALUES + 4 * i, value);
    for (unsigned i = 0; i < arch->arc.older_entries && error == TF_OK; i++)
        if (arch->arc.older[i].bits == WHOLE_WORD && own_value(chip, arch->arc.older[i].tag, &value))
            error = write_word(of, at, arch->space.arc_csm_first + 4u * arch->arc.older[i].word, value);
    return error;
}

int tf_cluster_tell(const struct tf_cluster *cluster, unsigned chip, struct tf_chip *of)
{
    const bool routes = tf_arch_or_default(cluster->arch)->tile[TF_TILE_ETH].eth->facts == TF_ETH_FACTS_OF_NODE;
    int error = tell_telemetry(&cluster->chip[chip], of);
    for (unsigned port = 0; port < tf_cluster_ports(cluster, chip) && error == TF_OK; port++) {
        struct facts facts = {.cluster = cluster, .chip = chip, .port = port};
        (routes ? tell_node : tell_port)(&facts);
        struct tf_coord at = tf_cluster_port_coord(cluster, chip, port);
        for (unsigned i = 0; i < facts.words && error == TF_OK; i++)
            error = write_word(of, at, facts.word[i].address, facts.word[i].value);
    }
    return error;
}
