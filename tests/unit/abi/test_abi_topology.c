/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host that knows no cluster finds all chips and links: TopologyDiscovery of tt-umd, over all PCI devices (its issue
 * 3353). It starts and ends the library once to count devices, and follows the links of each Ethernet tile whose
 * firmware runs. Wormhole's chips without PCIe are read through their neighbours.
 */
#include "remote.h"

#include "addresses.h"

#define DEVICES 32u
#define PORTS_MAX 16u

/* Where words of an Ethernet tile are. */
struct words {
    uint32_t trained, own_low, own_high, peer_low, peer_high, channel;
};

static const struct words wormhole = {0x1104, 0x1FC0, 0x1FC4, 0x1FE0, 0x1FE4, 0x1FF0},
                          blackhole = {0x7CC04, 0x7CFD8, 0x7CFD4, 0x7CFF8, 0x7CFF4, 0x7CFE0};

/* A chip that was found: a device, or one behind a gateway. */
struct found {
    uint64_t id;
    bool remote;
    unsigned device;
    struct gateway by;
    struct tf_cluster_chip place;
    unsigned links;
    struct {
        uint64_t peer;
        unsigned port, channel;
    } link[PORTS_MAX];
};

static struct tf_cluster cluster;
static struct found chip[TF_CLUSTER_CHIPS_MAX];
static unsigned chips;

static bool is_wormhole(void)
{
    return cluster.arch == tf_arch_find("wormhole");
}

static struct tf_coord at_port(unsigned port)
{
    struct tf_coord coord = {(uint8_t)(20 + port), 25}; /* translated names of the tiles that are left */
    if (is_wormhole())
        assert_int_equal(tf_port_coord(cluster.arch, port, &coord), TF_OK);
    return coord;
}

static uint32_t see(const struct found *of, unsigned port, uint64_t address)
{
    const struct tf_coord at = at_port(port);
    uint32_t value = 0;
    if (!of->remote)
        return get32(on(of->device), at.x, at.y, address);
    assert_true(remote_read(&of->by, &of->place, at.x, at.y, address, &value, sizeof value));
    return value;
}

static uint64_t see_id(const struct found *of, unsigned port, uint32_t low, uint32_t high)
{
    return see(of, port, low) | (uint64_t)see(of, port, high) << 32;
}

static unsigned ports_of(const struct found *of)
{
    unsigned ports = PORTS_MAX;
    for (uint32_t i = 0; !is_wormhole() && i < 64; i++) { /* telemetry: the Ethernet tiles that are enabled */
        const uint64_t table = get32(on(of->device), 8, 0, 0x80030434),
                       values = get32(on(of->device), 8, 0, 0x80030430);
        const uint32_t entry = get32(on(of->device), 8, 0, table + 8 + 4 * i);
        if ((entry & 0xFFFF) == 35)
            return (unsigned)__builtin_popcount(get32(on(of->device), 8, 0, values + 4 * (entry >> 16)));
    }
    return ports;
}

/* eth_heartbeat_running(): the word of Wormhole's firmware has its signature, and changes soon. */
static void expect_heartbeat(const struct found *of, unsigned port)
{
    const uint32_t first = see(of, port, 0x1C);
    assert_int_equal(first >> 16, 0xABCD);
    assert_int_not_equal(see(of, port, 0x1C), first);
}

/* The chip behind a port, reached through the first chip of the way that has PCIe. */
static void add_remote(const struct found *from, unsigned port, uint64_t id)
{
    const uint32_t place = see(from, port, 0x1124), rack = see(from, port, 0x1128);
    struct found *made = &chip[chips++];
    const struct tf_coord at = at_port(port);
    assert_true(is_wormhole());
    *made = (struct found){.id = id, .remote = true, .device = from->device, .by = from->by};
    if (!from->remote)
        made->by = (struct gateway){.device = from->device, .x = at.x, .y = at.y};
    made->place = (struct tf_cluster_chip){.x = place >> 16 & 63,
                                           .y = place >> 22 & 63,
                                           .rack = (uint8_t)rack,
                                           .shelf = (uint8_t)(rack >> 8)};
}

static bool is_found(uint64_t id)
{
    for (unsigned i = 0; i < chips; i++)
        if (chip[i].id == id)
            return true;
    return false;
}

static void follow(struct found *of, const struct words *at)
{
    for (unsigned port = 0; port < ports_of(of); port++) {
        if ((see(of, port, DEBUG_AT(SOFT_RESET_0)) & 1u << 11) != 0) /* nothing runs there */
            continue;
        if (is_wormhole())
            expect_heartbeat(of, port);
        if (see(of, port, at->trained) != 1)
            continue;
        const uint64_t peer = see_id(of, port, at->peer_low, at->peer_high);
        const uint32_t channel = see(of, port, at->channel);
        of->link[of->links].peer = peer;
        of->link[of->links].port = port;
        of->link[of->links++].channel = is_wormhole() ? channel : channel >> 24;
        if (!is_found(peer))
            add_remote(of, port, peer);
    }
}

static void add_devices(const struct words *at)
{
    chips = 0;
    for (unsigned device = 0; device < DEVICES; device++) {
        uint32_t id = 0;
        SILENT(id = lib.config_read(device << 3, 0));
        if (id == UINT32_MAX)
            continue;
        struct found *of = &chip[chips++];
        *of = (struct found){.device = device};
        for (unsigned port = 0; port < ports_of(of) && of->id == 0; port++)
            if (see(of, port, at->trained) == 1)
                of->id = see_id(of, port, at->own_low, at->own_high);
    }
}

/* The links that were found are those of the cluster. */
static void compare(void)
{
    unsigned ends = 0;
    assert_int_equal(chips, cluster.chips);
    for (unsigned i = 0; i < chips; i++)
        ends += chip[i].links;
    assert_int_equal(ends, 2 * cluster.links);
    for (unsigned i = 0; i < 2 * cluster.links; i++) {
        const struct tf_cluster_end *end = &cluster.link[i / 2].end[i % 2], *peer = &cluster.link[i / 2].end[1 - i % 2];
        bool seen = false;
        for (unsigned j = 0; j < chips; j++)
            for (unsigned k = 0; chip[j].id == cluster.chip[end->chip].unique_id && k < chip[j].links; k++)
                seen |= chip[j].link[k].port == end->port && chip[j].link[k].channel == peer->port &&
                        chip[j].link[k].peer == cluster.chip[peer->chip].unique_id;
        if (!seen)
            fail_msg("chip %u, port %u: its link was not found", end->chip, end->port);
    }
}

static void test_systems(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"p300", "quietbox2"}, {"n300", "2xn300"}};
    const bool wh = lib.wormhole;
    for (unsigned i = 0; i < 2; i++) {
        put_beside(names[wh][i], &cluster);
        SILENT(lib.init());
        unsigned devices = 0, there = 0;
        for (unsigned device = 0; device < DEVICES; device++)
            devices += lib.config_read(device << 3, 0) != UINT32_MAX;
        for (unsigned j = 0; j < cluster.chips; j++)
            there += cluster.chip[j].pcie;
        assert_int_equal(devices, there);
        SILENT(lib.exit());
        SILENT(lib.init());
        const struct words *at = wh ? &wormhole : &blackhole;
        add_devices(at);
        for (unsigned j = 0; j < chips; j++) /* chips grow meanwhile */
            follow(&chip[j], at);
        compare();
        lib.exit();
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_systems)};
    if (copy_library(TF_LIBTTSIM) != 0)
        return 1;
#ifdef TF_WORMHOLE
    lib.wormhole = true;
#endif
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_library();
    return failed;
}
