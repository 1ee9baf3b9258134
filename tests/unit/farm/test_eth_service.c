/* SPDX-License-Identifier: Apache-2.0 */
/* The data movement service of Wormhole's Ethernet tiles: BaselineDataMovementService.md. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "chip_wish.h"
#include "one_chip.h"

enum { SERVICE = 0x11000, SQ = SERVICE + 0x80, CQ = SERVICE + 0x200, BUFFERS = SERVICE + 0x1000 };
enum {
    WR_REQ = 1 << 0,
    RD_REQ = 1 << 2,
    RD_DATA = 1 << 3,
    DATA_BLOCK_DRAM = 1 << 4,
    DATA_BLOCK = 1 << 6,
    NOC_ID = 1 << 9,
    MOD = 1 << 13
};
#define DEST_UNREACHABLE (1u << 31)
#define AT_TENSIX (1u << 4 | 1u << 10) /* of (1,1), above bit 32 of an address */

static const struct tf_coord eth = {3, 0}, tensix = {1, 1};

static void poke(struct tf_coord at, uint32_t address, uint32_t value)
{
    assert_int_equal(tf_write(chip, at, address, &value, 4), TF_OK);
}

static uint32_t peek(struct tf_coord at, uint32_t address)
{
    uint32_t value;
    assert_int_equal(tf_read(chip, at, address, &value, 4), TF_OK);
    return value;
}

/* Requests something at the tile (1,1) of the chip (other, 0). */
static void ask(uint32_t flags, uint32_t address, uint32_t data, unsigned other)
{
    uint32_t place = (flags & NOC_ID) != 0 ? 8u << 4 | 10u << 10 : AT_TENSIX;
    uint32_t written = peek(eth, SQ + 0x20), entry = SQ + 0x40 + 32 * (written % 4);
    poke(eth, entry + 0, address);
    poke(eth, entry + 4, place | other << 16);
    poke(eth, entry + 8, data);
    poke(eth, entry + 12, flags);
    poke(eth, entry + 16, 0);
    poke(eth, SQ + 0x20, (written + 1) % 8);
}

/* The word or length of the next answer. Its flags must be these. */
static uint32_t answer(uint32_t flags)
{
    uint32_t taken = peek(eth, CQ + 0x30), entry = CQ + 0x40 + 32 * (taken % 4);
    assert_int_not_equal(peek(eth, CQ + 0x20), taken);
    assert_int_equal(peek(eth, entry + 12), flags);
    uint32_t data = peek(eth, entry + 8);
    poke(eth, CQ + 0x30, (taken + 1) % 8);
    return data;
}

static void counts(uint32_t writes, uint32_t reads, uint32_t errors)
{
    assert_int_equal(peek(eth, SQ + 0x0), writes);
    assert_int_equal(peek(eth, SQ + 0x4), writes);
    assert_int_equal(peek(eth, SQ + 0x8), reads);
    assert_int_equal(peek(eth, SQ + 0xC), reads);
    assert_int_equal(peek(eth, SQ + 0x10), errors);
}

static void test_writes(void **state)
{
    (void)state;
    assert_int_equal(peek(eth, 0x170), SERVICE);
    ask(WR_REQ, 0x30000, 0xABCD, 0);
    ask(WR_REQ | NOC_ID, 0x30004, 0x1234, 0);
    assert_int_equal(peek(tensix, 0x30000), 0xABCD);
    assert_int_equal(peek(tensix, 0x30004), 0x1234);
    for (unsigned i = 0; i < 64; i++)
        poke(eth, BUFFERS + 1024 * 2 + 4 * i, 1000 + i);
    ask(WR_REQ | DATA_BLOCK, 0x30100, 256, 0);
    assert_int_equal(peek(tensix, 0x301FC), 1063);
    assert_int_equal(peek(tensix, 0x30200), 0);
    /* A scatter page: one word to two places, two words to two places, padding. */
    const uint32_t page[] = {1 | 2 << 8 | AT_TENSIX << 16,
                             1 | 4 << 8,
                             0x31000,
                             0x100,
                             77,
                             0x11 | 2 << 8 | AT_TENSIX << 16,
                             1 | 4 << 8,
                             0x32000,
                             (uint32_t)-16,
                             88,
                             99,
                             0xF};
    assert_int_equal(tf_write(chip, eth, BUFFERS + 1024 * 3, page, sizeof page), TF_OK);
    ask(WR_REQ | DATA_BLOCK | MOD, 0, sizeof page, 0);
    assert_int_equal(peek(tensix, 0x31000), 77);
    assert_int_equal(peek(tensix, 0x31100), 77);
    assert_int_equal(peek(tensix, 0x32000), 88);
    assert_int_equal(peek(tensix, 0x32000 - 16), 99);
    counts(4, 0, 0);
    ask(WR_REQ, 0x30000, 1, 1); /* another chip */
    assert_int_equal(peek(tensix, 0x30000), 0xABCD);
    counts(5, 0, 1);
}

/* A scatter page whose last section is only a header, which ends with the page. Its word is the header's last one. */
static void test_last_section(void **state)
{
    (void)state;
    enum { WORDS = 256, LAST = WORDS - 3 };
    uint32_t page[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        page[i] = 1000 + i;
    page[0] = page[LAST] = 1 | 1 << 8 | AT_TENSIX << 16;
    page[1] = (LAST - 4) | 4 << 8;
    page[2] = 0x31000;
    page[LAST + 1] = 1 | 2 << 8;
    page[LAST + 2] = 0x32000;
    assert_int_equal(tf_write(chip, eth, BUFFERS, page, sizeof page), TF_OK);
    ask(WR_REQ | DATA_BLOCK | MOD, 0, sizeof page, 0);
    assert_int_equal(peek(tensix, 0x31000), 1004);
    assert_int_equal(peek(tensix, 0x31000 + 4 * (LAST - 5)), 1000 + LAST - 1);
    assert_int_equal(peek(tensix, 0x32000), 0x32000);
    counts(1, 0, 0);
}

static void test_reads(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++)
        poke(tensix, 0x30100 + 4 * i, 1000 + i);
    for (unsigned i = 0; i < 4; i++)
        ask(i == 1 ? RD_REQ | DATA_BLOCK : RD_REQ, 0x30100 + 4 * i, 64, i == 3);
    ask(RD_REQ, 0x30110, 0, 0); /* waits: the completion queue has four entries */
    counts(0, 4, 1);
    assert_int_equal(answer(RD_DATA), 1000);
    counts(0, 5, 1);
    assert_int_equal(answer(RD_DATA | DATA_BLOCK), 64);
    assert_int_equal(peek(eth, BUFFERS + 1024), 1001);
    assert_int_equal(peek(eth, BUFFERS + 1024 + 60), 1016);
    assert_int_equal(answer(RD_DATA), 1002);
    answer(RD_DATA | DEST_UNREACHABLE);
    assert_int_equal(answer(RD_DATA), 1004);
    assert_int_equal(peek(eth, SQ + 0x30), peek(eth, SQ + 0x20));
}

static uint8_t memory[0x2000]; /* of the host, from 0x1000 on */

static void host_read(void *user, uint64_t address, void *data, uint32_t bytes)
{
    (void)user;
    assert_in_range(address, 0x1000, 0x3000 - bytes);
    memcpy(data, memory + address - 0x1000, bytes);
}

static void host_write(void *user, uint64_t address, const void *data, uint32_t bytes)
{
    (void)user;
    assert_in_range(address, 0x1000, 0x3000 - bytes);
    memcpy(memory + address - 0x1000, data, bytes);
}

/* Blocks in the host's memory may be longer than a buffer. */
static void test_host_memory(void **state)
{
    (void)state;
    const uint32_t flags = DATA_BLOCK | DATA_BLOCK_DRAM;
    for (unsigned i = 0; i < 3000; i++)
        memory[i] = (uint8_t)(i * 7);
    for (unsigned i = 0; i < 2; i++)
        poke(eth, SQ + 0x40 + 32 * i + 28, 0x1000 + 0x1000 * i);
    ask(WR_REQ | flags, 0x30000, 3000, 0);
    ask(RD_REQ | flags, 0x30004, 2992, 0);
    uint8_t data[3000];
    assert_int_equal(tf_read(chip, tensix, 0x30000, data, sizeof data), TF_OK);
    assert_memory_equal(data, memory, sizeof data);
    assert_int_equal(answer(RD_DATA | flags), 2992);
    assert_memory_equal(memory + 0x1000, memory + 4, 2992);
    counts(1, 1, 0);
}

/* A request may advance the index of the queue that it is in, or of another tile's. */
static void test_request_for_service(void **state)
{
    (void)state;
    static const struct tf_coord other = {1, 0};
    ask(WR_REQ, 0x30000, 1, 0);
    const uint32_t place = eth.x << 4 | eth.y << 10;
    const uint32_t entry = SQ + 0x40 + 32;
    poke(eth, entry + 0, SQ + 0x20);
    poke(eth, entry + 4, place);
    poke(eth, entry + 8, 3); /* a third request, without flags */
    poke(eth, entry + 12, WR_REQ);
    poke(eth, SQ + 0x20, 2);
    assert_int_equal(peek(eth, SQ + 0x20), 3);
    assert_int_equal(peek(eth, SQ + 0x30), 3);
    counts(2, 0, 0);
    poke(other, SQ + 0x40 + 0, 0x30004);
    poke(other, SQ + 0x40 + 4, AT_TENSIX);
    poke(other, SQ + 0x40 + 8, 0x77);
    poke(other, SQ + 0x40 + 12, WR_REQ);
    poke(eth, SQ + 0x40 + 96 + 0, SQ + 0x20);
    poke(eth, SQ + 0x40 + 96 + 4, (uint32_t)other.x << 4 | (uint32_t)other.y << 10);
    poke(eth, SQ + 0x40 + 96 + 8, 1);
    poke(eth, SQ + 0x40 + 96 + 12, WR_REQ);
    poke(eth, SQ + 0x20, 4);
    assert_int_equal(peek(tensix, 0x30004), 0x77);
}

/* A restored chip serves itself. */
static void test_restored(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/tilefarm-service-%d", (int)getpid());
    ask(WR_REQ, 0x30000, 1, 0);
    assert_int_equal(tf_chip_save(chip, path, NULL), TF_OK);
    assert_int_equal(tf_chip_restore(chip, path, NULL), TF_OK);
    unlink(path);
    ask(WR_REQ, 0x30004, 2, 0);
    assert_int_equal(peek(tensix, 0x30000), 1);
    assert_int_equal(peek(tensix, 0x30004), 2);
}

static int setup(void **state)
{
    (void)state;
    struct chip_wish config = one_worker();
    config.arch = tf_arch_find("wormhole");
    config.on_host_read = host_read;
    config.on_host_write = host_write;
    return chip_wish_create(&config, &chip, NULL) == TF_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_writes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_last_section, setup, teardown),
        cmocka_unit_test_setup_teardown(test_reads, setup, teardown),
        cmocka_unit_test_setup_teardown(test_host_memory, setup, teardown),
        cmocka_unit_test_setup_teardown(test_request_for_service, setup, teardown),
        cmocka_unit_test_setup_teardown(test_restored, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
