/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole programs in the shape of tt-metal's: firmware on all tiles, kernels by launch messages, DRAM pages, circular
 * buffers, tiles of 32 bits, semaphores between tiles. The programs are compiled from device/. Every result is exact,
 * and equal on any number of threads and at any length of epochs.
 */
#include "host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"

#define WORKERS 3u
#define TILES_EACH 5u
#define TILES (WORKERS * TILES_EACH)
#define NUMBERS 1024u
#define IN 0x40000u /* addresses in DRAM */
#define OUT 0x80000u
#define BLOCKS 0xC0000u
#define PAGES_FROM 0xD0000u
#define PAGES_TO 0xE0000u
#define WORDS (CLIENT_BLOCK_BYTES / 4)

static struct api lib;
static struct client client;

/* ---- Tiles of 32 bits through circular buffers, on some workers ---- */

static float numbers[TILES][NUMBERS];

/* Integers, for which 2 a + 1 is exact in fp32. */
static void make_tiles(uint64_t seed)
{
    for (unsigned i = 0; i < TILES; i++) {
        for (unsigned k = 0; k < NUMBERS; k++)
            numbers[i][k] = (float)test_random_below(&seed, 1u << 20) - (1 << 19);
        client_write_page(&client, IN, i, numbers[i], sizeof numbers[i]);
    }
}

static void launch_tiles(unsigned node, unsigned first)
{
    static const char *const programs[] = {"tiles.b", "tiles.nc", "tiles.t0", "tiles.t1", "tiles.t2"};
    uint32_t bytes[5];
    for (unsigned core = 0; core < 5; core++) {
        const struct client_tiles tiles = {first, WORKERS, TILES_EACH, core == CLIENT_B ? OUT : IN};
        bytes[core] = client_load(&client, node, core, programs[core]);
        client_arguments(&client, node, core, &tiles, sizeof tiles);
    }
    client_buffer(&client, node, 0, &(struct client_buffer){CLIENT_DATA, 3 * 4096, 3, 4096});
    client_buffer(&client, node, 2, &(struct client_buffer){CLIENT_DATA + 0x8000, 2 * 4096, 2, 4096});
    client_launch(&client, node, 0x1F, 1 << 0 | 1 << 2, bytes[CLIENT_NC]);
}

static void run_tiles(uint64_t seed)
{
    static float got[NUMBERS];
    unsigned workers[WORKERS] = {0, 9, client.tensix - 1};
    make_tiles(seed);
    for (unsigned i = 0; i < WORKERS; i++)
        launch_tiles(workers[i], i);
    for (unsigned i = 0; i < WORKERS; i++)
        client_wait(&client, workers[i]);
    for (unsigned i = 0; i < TILES; i++) {
        client_read_page(&client, OUT, i, got, sizeof got);
        for (unsigned k = 0; k < NUMBERS; k++)
            if (got[k] != 2 * numbers[i][k] + 1)
                fail_msg("number %u of tile %u: %f for %f", k, i, (double)got[k], (double)numbers[i][k]);
    }
}

/* ---- Two tiles that exchange blocks ---- */

#define SEMAPHORE 16u /* the peer raises it, so both are set before either tile is launched */

static void launch_exchange(unsigned node, unsigned peer, unsigned page)
{
    const struct client_exchange exchange = {client.node[peer].x, client.node[peer].y, SEMAPHORE, page, BLOCKS};
    const uint32_t bytes = client_load(&client, node, CLIENT_NC, "exchange.nc");
    client_arguments(&client, node, CLIENT_NC, &exchange, sizeof exchange);
    client_launch(&client, node, 1 << CLIENT_NC, 0, bytes);
}

static void run_exchange(uint64_t seed)
{
    uint32_t block[2][WORDS], got[WORDS];
    const uint32_t zero = 0;
    const unsigned pair[2] = {5, client.tensix - 7};
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k < WORDS; k++)
            block[i][k] = (uint32_t)test_random64(&seed);
        put(&lib, client.node[pair[i]].x, client.node[pair[i]].y, CLIENT_DATA, block[i], sizeof block[i]);
        put(&lib, client.node[pair[i]].x, client.node[pair[i]].y, CLIENT_CONFIG + CLIENT_SEMAPHORES + SEMAPHORE, &zero,
            sizeof zero);
    }
    for (unsigned i = 0; i < 2; i++)
        launch_exchange(pair[i], pair[1 - i], i);
    for (unsigned round = 0; round < CLIENT_ROUNDS; round++)
        for (unsigned k = 0; k < WORDS; k++) {
            const uint32_t a = block[0][k], b = block[1][k];
            block[0][k] = 3 * a + b;
            block[1][k] = 3 * b + a;
        }
    for (unsigned i = 0; i < 2; i++) {
        client_wait(&client, pair[i]);
        client_read_page(&client, BLOCKS, i, got, sizeof got);
        assert_memory_equal(got, block[i], sizeof got);
    }
}

/* ---- Idle Ethernet tiles: heartbeats, and a kernel ---- */

static uint32_t heartbeat(unsigned node)
{
    return get32(&lib, client.node[node].x, client.node[node].y, CLIENT_HEARTBEAT);
}

static void run_ethernet(uint64_t seed)
{
    uint32_t page[WORDS], got[WORDS];
    const unsigned node = client.tensix + 3;
    const uint32_t before = heartbeat(client.nodes - 1);
    const struct client_ethernet arguments = {PAGES_FROM, PAGES_TO, 4};
    for (unsigned k = 0; k < WORDS; k++)
        page[k] = (uint32_t)test_random64(&seed);
    client_write_page(&client, PAGES_FROM, 4, page, sizeof page);
    client_load(&client, node, CLIENT_E0, "page.e0");
    client_arguments(&client, node, CLIENT_E0, &arguments, sizeof arguments);
    client_launch(&client, node, 1 << CLIENT_E0, 0, 0);
    client_wait(&client, node);
    client_read_page(&client, PAGES_TO, 4, got, sizeof got);
    for (unsigned k = 0; k < WORDS; k++)
        assert_int_equal(got[k], page[k] + 0xAABB0000);
    assert_int_equal(before >> 16, 0xAABB);
    assert_int_not_equal(heartbeat(client.nodes - 1), before);
}

/* All programs, after one boot. Kernels of one core replace each other. */
static uint64_t run_all(const char *threads, const char *epoch)
{
    setenv("TILEFARM_THREADS", threads, 1);
    setenv("TILEFARM_EPOCH", epoch, 1);
    api_begin(&lib);
    client_boot(&client, &lib, TF_CLIENT_PROGRAMS);
    run_tiles(1);
    run_exchange(2);
    run_tiles(3);
    run_ethernet(4);
    run_exchange(5);
    lib.exit();
    return client.polls;
}

static void results_are_exact(void **state)
{
    static const char *const epochs[] = {"16", "64:16384", "1024:16384", "16384"};
    (void)state;
    for (unsigned i = 0; i < sizeof epochs / sizeof epochs[0]; i++)
        assert_int_equal(run_all("1", epochs[i]), run_all("2", epochs[i]));
}

int main(void)
{
    if (api_load(&lib, TF_LIBTTSIM) != 0)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
