/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the host, through the PCIe tile. Only the thread in tf_run() accesses it. The order does not depend on the
   host. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm_address.h"
#include "blackhole/tilefarm_family.h"

struct host {
    pthread_t thread;
    bool on_other_thread; /* called on another thread */
    unsigned reads, writes;
    uint64_t order; /* hash of the calls in their order */
    uint8_t memory[1 << 17];
};

static void note(struct host *host, uint64_t address, uint32_t bytes)
{
    host->on_other_thread |= !pthread_equal(pthread_self(), host->thread);
    host->order = (host->order ^ (address << 20 | bytes)) * 0x9E3779B97F4A7C15ull;
}

static void host_read(void *user, uint64_t address, void *data, uint32_t bytes)
{
    struct host *host = user;
    note(host, address, bytes);
    host->reads++;
    memcpy(data, host->memory + address, bytes);
}

static void host_write(void *user, uint64_t address, const void *data, uint32_t bytes)
{
    struct host *host = user;
    note(host, address, bytes);
    host->writes++;
    memcpy(host->memory + address, data, bytes);
}

static void set(struct tf_chip *chip, struct tf_coord tile, uint32_t address, uint32_t value)
{
    assert_int_equal(tf_write(chip, tile, address, &value, sizeof value), TF_OK);
}

#define ROUNDS 20u
#define PCIE (19 | 24 << 6)

static void issue(struct tf_chip *chip, struct tf_coord tile, uint32_t niu, bool write, uint32_t local, uint32_t to,
                  uint64_t far, uint32_t bytes)
{
    uint32_t own = tile.x | (uint32_t)tile.y << 6;
    uint32_t first = write ? 0x00 : 0x0C, second = write ? 0x0C : 0x00;
    set(chip, tile, niu + first, local);
    set(chip, tile, niu + first + 4, 0);
    set(chip, tile, niu + first + 8, own);
    set(chip, tile, niu + second, (uint32_t)far);
    set(chip, tile, niu + second + 4, (uint32_t)(far >> 32));
    set(chip, tile, niu + second + 8, to);
    set(chip, tile, niu + 0x1C, write ? 0x12 : 0x10);
    set(chip, tile, niu + 0x20, bytes);
    set(chip, tile, niu + 0x40, 1);
}

/* Each tile writes 800 bytes of its own, a part through each NIU, and reads its neighbour's place. */
static void work(struct tf_chip *chip)
{
    static uint8_t data[800];
    for (unsigned i = 0; i < TF_TENSIX_TILES; i++) {
        struct tf_coord tile;
        tf_tile_coord(NULL, i, &tile);
        memset(data, (int)i + 1, sizeof data);
        tf_write(chip, tile, 0x1000, data, sizeof data);
        issue(chip, tile, TF_NIU_BASE(0), true, 0x1000, PCIE, i * 800, 400);
        issue(chip, tile, TF_NIU_BASE(1), true, 0x1000, PCIE, 1ull << 60 | (i * 800 + 400), 400);
        issue(chip, tile, TF_NIU_BASE(0) + TF_NOC_INITIATOR_BYTES, false, 0x3000, PCIE, (i + 1) % TF_TENSIX_TILES * 800,
              400);
        /* Makes a phase long enough to be shared. */
        issue(chip, tile, TF_NIU_BASE(1) + 3 * TF_NOC_INITIATOR_BYTES, true, 0x10000, 1 + i % 7 + ((2 + i % 10) << 6),
              0x20000, 16384);
    }
}

static void run(enum tf_mode mode, unsigned threads, bool serial, struct host *host)
{
    struct chip_wish config;
    struct tf_chip *chip;
    memset(host, 0, sizeof *host);
    host->thread = pthread_self();
    chip_wish_init(&config);
    config.mode = mode;
    config.threads = threads;
    config.serial_delivery = serial;
    config.on_host_read = host_read;
    config.on_host_write = host_write;
    config.user = host;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    for (unsigned i = 0; i < ROUNDS; i++) {
        enum tf_end end;
        work(chip);
        assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
        assert_int_equal(end, TF_END_QUIET);
    }
    assert_false(host->on_other_thread);
    assert_int_equal(host->writes, ROUNDS * 2 * TF_TENSIX_TILES);
    assert_int_equal(host->reads, ROUNDS * TF_TENSIX_TILES);
    for (unsigned i = 0; i < TF_TENSIX_TILES; i++)
        for (unsigned k = 0; k < 800; k += 100)
            assert_int_equal(host->memory[i * 800 + k], i + 1);
    tf_chip_destroy(chip);
}

static void test_deterministic(void **state)
{
    (void)state;
    static struct host first, second;
    run(TF_MODE_DETERMINISTIC, 1, true, &first);
    run(TF_MODE_DETERMINISTIC, 1, false, &second);
    assert_true(second.order == first.order);
    run(TF_MODE_DETERMINISTIC, 4, false, &second);
    assert_true(second.order == first.order);
}

static void test_relaxed(void **state)
{
    (void)state;
    static struct host host;
    run(TF_MODE_RELAXED, 1, false, &host);
    run(TF_MODE_RELAXED, 4, false, &host);
}

/* A core polls a word, and stores it elsewhere when it changes. The run before the host's write ends with the core
   waiting, in either mode. */
static void test_wakes(void **state)
{
    (void)state;
    /* lw t0, 0x400(x0); beqz t0, -4; sw t0, 0x500(x0); j 0 */
    static const uint32_t code[] = {0x40002283, 0xFE028EE3, 0x50502023, 0x0000006F};
    const struct tf_coord tile = {1, 2};
    for (unsigned trial = 0; trial < 4; trial++) {
        struct chip_wish config;
        struct tf_chip *chip;
        uint32_t value;
        chip_wish_init(&config);
        config.mode = trial % 2 != 0 ? TF_MODE_RELAXED : TF_MODE_DETERMINISTIC;
        config.threads = 1 + trial / 2;
        config.pin = false;
        assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
        assert_int_equal(tf_write(chip, tile, 0x100, code, sizeof code), TF_OK);
        assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_B, 0x100), TF_OK);
        assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
        assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
        assert_int_equal(tf_read(chip, tile, 0x500, &value, sizeof value), TF_OK);
        assert_int_equal(value, 0);
        set(chip, tile, 0x400, 7);
        assert_int_equal(tf_run(chip, NULL, NULL), TF_OK);
        assert_int_equal(tf_read(chip, tile, 0x500, &value, sizeof value), TF_OK);
        assert_int_equal(value, 7);
        tf_chip_destroy(chip);
    }
}

/* One callback without the other is refused. */
static void test_configuration(void **state)
{
    (void)state;
    struct chip_wish config;
    struct tf_chip *chip = NULL;
    struct tf_message message;
    chip_wish_init(&config);
    config.on_host_read = host_read;
    assert_int_equal(chip_wish_create(&config, &chip, &message), TF_EINVAL);
    assert_non_null(strstr(message.text, "must both be set"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_relaxed),
        cmocka_unit_test(test_wakes),
        cmocka_unit_test(test_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
