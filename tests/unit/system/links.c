/* SPDX-License-Identifier: Apache-2.0 */
#include "links.h"

#include <stdlib.h>

#include "system_wish.h"
#include "tilefarm_address.h"

const char *const systems[2] = {"n300", "p300"};

struct link *link_make_of(const struct system_wish *config, unsigned number)
{
    struct link *link = calloc(1, sizeof *link);
    struct tf_message message = {""};
    struct tf_shape shape;
    assert_non_null(link);
    if (system_wish_create(config, &link->system, &message) != TF_OK)
        fail_msg("%s", message.text);
    for (unsigned end = 0; end < 2; end++) {
        const struct tf_cluster_end at = tf_system_cluster(link->system)->link[number].end[end];
        link->chip[end] = tf_system_chip(link->system, at.chip);
        assert_int_equal(tf_port_coord(tf_chip_arch(link->chip[end]), at.port, &link->at[end]), TF_OK);
    }
    tf_arch_shape(tf_chip_arch(link->chip[0]), &shape);
    link->family = strcmp(shape.name, "blackhole") == 0 ? BLACKHOLE : WORMHOLE;
    return link;
}

struct link *link_make_with(const char *system, uint32_t latency_cycles, uint32_t gbps)
{
    struct tf_cluster cluster;
    struct system_wish config;
    assert_int_equal(tf_cluster_find(system, &cluster, NULL), TF_OK);
    system_wish_init(&config);
    config.cluster = &cluster;
    config.chip.threads = 1;
    config.link_latency_cycles = latency_cycles;
    config.link_gbps = gbps;
    return link_make_of(&config, 0);
}

struct link *link_make(const char *system)
{
    return link_make_with(system, 0, 0);
}

void link_free(struct link *link)
{
    tf_system_destroy(link->system);
    free(link);
}

uint32_t txq(unsigned queue, uint32_t offset)
{
    return TF_ETH_LINK_BASE + 0x1000 * queue + offset;
}

uint32_t rxq(const struct link *link, unsigned queue, uint32_t offset)
{
    return (link->family == WORMHOLE ? TF_ETH_LINK_BASE + 0x2000 : TF_ETH_LINK_BASE + 0x4000) + 0x1000 * queue + offset;
}

uint32_t peek(struct link *link, unsigned end, uint32_t address)
{
    uint32_t value;
    assert_int_equal(tf_read(link->chip[end], link->at[end], address, &value, sizeof value), TF_OK);
    return value;
}

void poke(struct link *link, unsigned end, uint32_t address, uint32_t value)
{
    assert_int_equal(tf_write(link->chip[end], link->at[end], address, &value, sizeof value), TF_OK);
}

void fill(struct link *link, unsigned end, uint32_t address, uint32_t bytes, uint32_t seed)
{
    for (uint32_t at = 0; at < bytes; at += 4)
        poke(link, end, address + at, (seed << 24 | at) * 0x9E3779B1u | 1);
}

void read_far(struct link *link, uint32_t address, void *data, uint32_t bytes)
{
    assert_int_equal(tf_read(link->chip[FAR], link->at[FAR], address, data, bytes), TF_OK);
}

/* Until the queue has taken its last command. */
static void wait_ready(struct link *link, unsigned end, unsigned queue)
{
    const uint32_t address = txq(queue, link->family == WORMHOLE ? TX_COMMAND : TX_STATUS);
    while (peek(link, end, address) != 0)
        step(link, 128);
}

void send_raw(struct link *link, unsigned queue, uint32_t from, uint32_t bytes)
{
    wait_ready(link, NEAR, queue);
    poke(link, NEAR, txq(queue, TX_FROM), from);
    poke(link, NEAR, txq(queue, TX_BYTES), bytes);
    poke(link, NEAR, txq(queue, TX_COMMAND), 1);
}

void send_l1(struct link *link, unsigned queue, uint32_t from, uint32_t to, uint32_t bytes)
{
    wait_ready(link, NEAR, queue);
    poke(link, NEAR, txq(queue, TX_FROM), from);
    poke(link, NEAR, txq(queue, TX_BYTES), bytes);
    poke(link, NEAR, txq(queue, TX_TO), to);
    poke(link, NEAR, txq(queue, TX_COMMAND), 2);
}

void store_to(struct link *link, unsigned end, unsigned queue, uint32_t to, uint32_t value)
{
    wait_ready(link, end, queue);
    poke(link, end, txq(queue, TX_TO), to);
    poke(link, end, txq(queue, TX_VALUE), value);
    poke(link, end, txq(queue, TX_COMMAND), 4);
}

/* A program that reads the clock for ever: time does not pass in a system where nothing happens. */
static void spin(struct link *link)
{
    static const uint32_t code[] = {0xFFB120B7, 0x1F00A103, 0xFFDFF06F}; /* lui x1; lw x2, 0x1F0(x1); j -4 */
    struct tf_coord tile;
    assert_int_equal(tf_tile_coord(tf_chip_arch(link->chip[NEAR]), 0, &tile), TF_OK);
    assert_int_equal(tf_write(link->chip[NEAR], tile, 0, code, sizeof code), TF_OK);
    assert_int_equal(tf_core_set_pc(link->chip[NEAR], 0, TF_CORE_B, 0), TF_OK);
    assert_int_equal(tf_core_start(link->chip[NEAR], 0, TF_CORE_B), TF_OK);
}

void step(struct link *link, uint64_t cycles)
{
    const struct tf_system_run_options options = {.run = {.cycles_max = cycles}};
    enum tf_end end;
    spin(link);
    assert_int_equal(tf_system_run(link->system, &options, &end), TF_OK);
    assert_int_equal(end, TF_END_CYCLES);
    assert_int_equal(tf_core_stop(link->chip[NEAR], 0, TF_CORE_B), TF_OK);
}

void settle(struct link *link)
{
    const struct tf_system_run_options options = {.run = {.cycles_max = 10000000}};
    enum tf_end end;
    assert_int_equal(tf_system_run(link->system, &options, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
}

void assert_same(struct link *link, uint32_t near, uint32_t far, uint32_t bytes)
{
    uint8_t *data = malloc(2 * (size_t)bytes);
    assert_non_null(data);
    assert_int_equal(tf_read(link->chip[NEAR], link->at[NEAR], near, data, bytes), TF_OK);
    assert_int_equal(tf_read(link->chip[FAR], link->at[FAR], far, data + bytes, bytes), TF_OK);
    assert_memory_equal(data, data + bytes, bytes);
    free(data);
}
