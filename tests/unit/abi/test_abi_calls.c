/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that cannot be served are reported in one line. They change nothing, and the process stays alive. */
#include "rig.h"
#include "addresses.h"

static uint32_t word32;

static void read_word(uint64_t address)
{
    word32 = 0;
    lib.read(address, &word32, 4);
}

static void test_before_init(void **state)
{
    (void)state;
    uint8_t data[8] = {0};
    REFUSED(lib.exit(), "libttsim_exit");
    REFUSED(lib.clock(1), "libttsim_clock");
    REFUSED(lib.read(BAR0, data, 8), "before libttsim_init()");
    assert_int_equal(data[7], 0xFF);
    REFUSED(lib.write(BAR0, data, 8), "before libttsim_init()");
    REFUSED(lib.tile_read(1, 2, 0, data, 8), "libttsim_tile_rd_bytes");
    REFUSED(lib.tile_write(1, 2, 0, data, 8), "libttsim_tile_wr_bytes");
    REFUSED(lib.config_read(0, 0), "libttsim_pci_config_rd32");
    REFUSED(lib.config_write(0, 4, 0), "libttsim_pci_config_wr32");
    lib.init();
    REFUSED(lib.init(), "exists already");
    REFUSED(lib.set_callbacks(NULL, NULL), "before libttsim_init()");
    lib.exit();
    REFUSED(lib.exit(), "libttsim_exit");
}

static void test_config_space(void **state)
{
    (void)state;
    assert_int_equal(lib.config_read(0, 0), 0xB1401E52);
    SILENT(assert_int_equal(lib.config_read(1 << 3, 0), 0xFFFFFFFF)); /* a host looks for more devices */
    SILENT(assert_int_equal(lib.config_read(1, 0), 0xFFFFFFFF));
    SILENT(assert_int_equal(lib.config_read(0x100, 0), 0xFFFFFFFF));
    SILENT(assert_int_equal(lib.config_read(0xFFF8, 0x3C), 0xFFFFFFFF));
    REFUSED(lib.config_read(0, 2), "multiple of 4");
    REFUSED(lib.config_read(0, 0x40), "no register at this");
    REFUSED(lib.config_write(0, 0x3E, 0), "multiple of 4");
    REFUSED(lib.config_write(0, 0, 0), "no register at this");
    REFUSED(lib.config_write(1 << 3, 4, 0), "no such device");
    lib.config_write(0, 0x20, 0xFFFFFFFF);
    lib.config_write(0, 0x24, 0xFFFFFFFF);
    assert_int_equal(lib.config_read(0, 0x20), 0x00000004); /* 32 GiB */
    assert_int_equal(lib.config_read(0, 0x24), 0xFFFFFFF8);
    assert_int_equal(lib.config_read(0, 0), 0xB1401E52);
}

static void test_addresses(void **state)
{
    (void)state;
    uint64_t data[2] = {0, 0};
    REFUSED(read_word(0x1000), "in no BAR");
    assert_int_equal(word32, 0xFFFFFFFF);
    REFUSED(read_word(BAR0 - 4), "in no BAR");
    REFUSED(read_word(BAR2 + 0x100000), "in no BAR");
    REFUSED(read_word(BAR4 + (32ull << 30)), "in no BAR");
    REFUSED(lib.read(BAR4 + (32ull << 30) - 4, data, 8), "past the end of its BAR");
    REFUSED(lib.read(BAR0, data, 0), "size is 0");
    REFUSED(lib.read(BAR0, NULL, 8), "pointer is NULL");
    REFUSED(lib.write(BAR0, NULL, 8), "pointer is NULL");
    REFUSED(lib.tile_read(1, 2, 0, NULL, 8), "pointer is NULL");
    REFUSED(lib.read(BAR0 + 0x1FFFFC, data, 8), "past the end of its window");
    REFUSED(lib.write(BAR0 + 0x1FFFFC, data, 8), "past the end of its window");
    REFUSED(lib.read(BAR4 + 0xFFFFFFFC, data, 8), "past the end of its window");
    REFUSED(read_word(BAR0 + 0x19400000), "reserved");
    REFUSED(read_word(BAR0 + 0x1FC00A58), "reserved");
    REFUSED(read_word(BAR2 + 0x0), "no register at this address (Blackhole)");
    REFUSED(read_word(BAR2 + 0x108), "no register at this");
    REFUSED(read_word(BAR2 + 0x1100), "no register at this"); /* inbound */
    REFUSED(read_word(BAR2 + 0x1024), "no register at this");
    REFUSED(lib.read(BAR2 + 0x100, data, 8), "4 bytes");
    REFUSED(lib.read(BAR2 + 0x102, data, 4), "4 bytes");
    REFUSED(read_word(BAR2 + 0xFC), "no register at this");
    REFUSED(read_word(BAR2 + 0x1AC), "no register at this");
    read_word(BAR2 + 0x100); /* the first one of the DMA engine */
    assert_int_equal(word32, 0);
    read_word(BAR2 + 0x1A8); /* the last one */
    assert_int_equal(word32, 0);
}

static void test_window_configuration(void **state)
{
    (void)state;
    uint64_t eight = 0x1122334455667788;
    uint32_t before;
    lib.read(WINDOW_CONFIG, &before, 4);
    REFUSED(lib.write(WINDOW_CONFIG, &eight, 8), "4 bytes");
    REFUSED(lib.write(WINDOW_CONFIG + 1, &eight, 4), "4 bytes");
    REFUSED(lib.write(WINDOW_CONFIG, &eight, 2), "4 bytes");
    read_word(WINDOW_CONFIG);
    assert_int_equal(word32, before);
    read_word(BAR0 + 0x1FC00A54);
    assert_int_equal(word32, 0);
}

static void test_targets(void **state)
{
    (void)state;
    uint8_t data[64] = {1, 2, 3};
    uint32_t before, off = 0;
    lib.read(BAR0 + 0x1FD04100, &before, 4);
    lib.write(BAR0 + 0x1FD04100, &off, 4); /* raw coordinates: those above the grid are no longer translated */
    aim(&lib, 40, 40, 0);
    REFUSED(read_word(BAR0), "name no tile");
    lib.write(BAR0 + 0x1FD04100, &before, 4);
    REFUSED(put32(&lib, 1, 2, 0x180000, 1), "unmapped");
    REFUSED(put(&lib, 1, 2, 0x17FFFE, data, 4), "overruns");
    assert_int_equal(get32(&lib, 1, 2, 0x17FFFC), 0);
    const uint32_t large[3] = {0, 17 | 12 << 6, 0}; /* a window's end is the channel's; registers begin before it */
    for (unsigned i = 0; i < 3; i++)
        lib.write(WINDOW_CONFIG + 12 * 202 + 4 * i, &large[i], 4);
    REFUSED(lib.write(BAR4 + TF_TDMA_BASE + 0xFFC, data, 8), "from memory into registers");
    REFUSED(lib.read(BAR4 + TF_TDMA_BASE + 0xFFC, data, 8), "from memory into registers");
    assert_int_equal(data[0], 0xFF);
    REFUSED(get(&lib, 1, 2, TF_DEBUG_BASE + 0x1B1, data, 4), "4 bytes");
    REFUSED(get(&lib, 1, 2, DEBUG_AT(SOFT_RESET_0), data, 6), "4 bytes");
    REFUSED(get(&lib, 8, 0, 0x80030060, data, 8), "4 bytes");
    REFUSED(put(&lib, 8, 0, 0x1007FFFC, data, 8), "overruns");
    REFUSED(get32(&lib, 8, 0, 0x80000000), "no register at this address");
    REFUSED(get32(&lib, 11, 0, 1ull << 60), "nothing is connected to");
    REFUSED(get32(&lib, 19, 24, 1ull << 61), "host memory");
    REFUSED(lib.tile_read(64, 0, 0, data, 4), "name no tile");
    REFUSED(lib.tile_read(1, 2, 0, data, 0), "size is 0");
}

/* An access to registers of a tile may be of several words. Each word is written once, in order, and no other word. */
static void test_several_registers(void **state)
{
    (void)state;
    const uint64_t first = DEBUG_AT(TRISC0_RESET_PC); /* TRISC0_RESET_PC and the words after it */
    for (uint32_t words = 1; words <= 3; words++) {
        uint32_t data[5] = {1, 2, 3, 4, 5};
        for (uint32_t i = 0; i < 4; i++)
            put32(&lib, 1, 2, first + 4 * i, 7);
        const uint32_t values[3] = {0x1000 + words, 0x2000 + words, 0x3000 + words};
        SILENT(put(&lib, 1, 2, first, values, 4 * words));
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(get32(&lib, 1, 2, first + 4 * i), i < words ? values[i] : 7);
        SILENT(get(&lib, 1, 2, first, data + 1, 4 * words));
        for (uint32_t i = 0; i < 5; i++)
            assert_int_equal(data[i], i >= 1 && i <= words ? values[i - 1] : i + 1);
    }
}

static void test_iatu_and_dma(void **state)
{
    (void)state;
    uint32_t value = 1u << 31 | 2;
    REFUSED(lib.write(BAR2 + 0x1004, &value, 4), "REGION_EN");
    value = 5;
    lib.write(BAR2 + 0x1008, &value, 4);
    value = 1u << 31;
    REFUSED(lib.write(BAR2 + 0x1004, &value, 4), "above its limit");
    read_word(BAR2 + 0x1004);
    assert_int_equal(word32, 0);
    value = 1;
    REFUSED(lib.write(BAR2 + 0x104, &value, 4), "and the length not 0");
    value = 3;
    REFUSED(lib.write(BAR2 + 0x104, &value, 4), "accepts only the value 1");
    value = 64;
    lib.write(BAR2 + 0x11C, &value, 4);
    value = 0x1FFFFFF0;
    lib.write(BAR2 + 0x128, &value, 4);
    value = 1;
    REFUSED(lib.write(BAR2 + 0x104, &value, 4), "offset in BAR 0");
    read_word(BAR2 + 0x11C);
    assert_int_equal(word32, 64); /* not done */
}

static void test_no_callbacks(void **state)
{
    (void)state;
    lib.exit();
    lib.set_callbacks(NULL, NULL);
    lib.init();
    REFUSED(get32(&lib, 19, 24, 1ull << 60), "no callback provides");
    static const uint32_t words[][2] = {{0x11C, 4}, {0x104, 1}};
    lib.write(BAR2 + words[0][0], &words[0][1], 4);
    REFUSED(lib.write(BAR2 + words[1][0], &words[1][1], 4), "no callback");
}

static void test_environment(void **state)
{
    (void)state;
    setenv("TILEFARM_THREADS", "many", 1);
    REFUSED(lib.init(), "TILEFARM_THREADS");
    lib.exit();
    setenv("TILEFARM_THREADS", "257", 1);
    REFUSED(lib.init(), "TILEFARM_THREADS");
    lib.exit();
    setenv("TILEFARM_THREADS", "auto", 1);
    static const char *const bad[] = {"15", "100:99", "100:", "1x", ""};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        setenv("TILEFARM_EPOCH", bad[i], 1);
        REFUSED(lib.init(), "TILEFARM_EPOCH");
        lib.exit();
    }
    setenv("TILEFARM_EPOCH", "100:200", 1);
    setenv("TILEFARM_ON_FAULT", "stop", 1);
    SILENT(lib.init());
    lib.exit();
    setenv("TILEFARM_VECTORS", "portable", 1);
    setenv("TILEFARM_UNDEFINED", "silicon", 1);
    SILENT(lib.init());
    lib.exit();
    static const char *const no_clock[] = {"0", "1048577", "12 cycles"};
    for (unsigned i = 0; i < sizeof no_clock / sizeof no_clock[0]; i++) {
        setenv("TILEFARM_CLOCK", no_clock[i], 1);
        REFUSED(lib.init(), "TILEFARM_CLOCK");
        lib.exit();
    }
    unsetenv("TILEFARM_CLOCK");
    setenv("TILEFARM_BOARD", "no\033[2Jne", 1);
    REFUSED(lib.init(), "no\\x1b[2Jne");
    lib.exit();
    unsetenv("TILEFARM_BOARD");
    setenv("TILEFARM_VECTORS", "sse", 1);
    REFUSED(lib.init(), "TILEFARM_VECTORS");
    lib.exit();
    unsetenv("TILEFARM_VECTORS");
    setenv("TILEFARM_UNDEFINED", "perhaps", 1);
    REFUSED(lib.init(), "TILEFARM_UNDEFINED");
    lib.exit();
    unsetenv("TILEFARM_UNDEFINED");
    setenv("TILEFARM_ON_FAULT", "panic", 1);
    REFUSED(lib.init(), "TILEFARM_ON_FAULT");
    lib.exit();
    unsetenv("TILEFARM_THREADS");
    unsetenv("TILEFARM_EPOCH");
    unsetenv("TILEFARM_ON_FAULT");
}

/* A client that polls for ever does not fill a disk. */
static void test_flood(void **state)
{
    (void)state;
    static char said[1 << 20];
    catch_stderr();
    for (unsigned i = 0; i < 5000; i++)
        read_word(0x1000);
    caught_stderr(said, sizeof said);
    assert_int_equal(lines(said), 1001);
    assert_non_null(strstr(said, "further reports are not printed"));
}

int main(void)
{
    if (api_load(&lib, TF_LIBTTSIM) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before_init),
        cmocka_unit_test(test_environment),
        cmocka_unit_test_setup_teardown(test_config_space, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_addresses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_window_configuration, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_targets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_several_registers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_iatu_and_dma, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_callbacks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_flood, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
