/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware of our own, booted on all tiles as drivers boot the vendor's: uploaded by multicast, started by one write,
   then given launch messages. With TF_WORMHOLE on a Wormhole chip. */
#include <elf.h>
#include <stdbool.h>

#include "rig.h"

#include "images.h"
#include "tilefarm_firmware.h"
#include "addresses.h"

#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)
#define KERNELS 0x40000u
#define RESULTS 0x50000u
#define GO_AT (TF_MAILBOXES + 0x310)

#ifdef TF_WORMHOLE

#define TILES 80u
#define FOLDER "wormhole/"
#define LAST_X 9u
#define LAST_Y 11u
#define MASTER_X 9u
#define SPACE_AVAILABLE 64u

/* Window 170, of 16 MiB: TLBs.md. */
static void multicast(uint64_t address, const void *data, uint32_t bytes)
{
    const uint64_t fields = LAST_X | LAST_Y << 6 | 1 << 12 | 1 << 18 | 1 << 25; /* (1,1) to (9,11) */
    const uint64_t window = address >> 24 | fields << 12;
    lib.write(WINDOW_CONFIG + 8 * 170, &window, 8);
    lib.write(BAR0 + 0x0B000000 + 4 * 0x1000000ull + address % 0x1000000, data, bytes);
}

static bool is_tensix(unsigned x, unsigned y)
{
    return x >= 1 && x <= LAST_X && x != 5 && y >= 1 && y != 6;
}

#else

#define TILES 140u
#define FOLDER ""
#define LAST_X 16u
#define LAST_Y 11u
#define MASTER_X 10u
#define SPACE_AVAILABLE 297u

static bool is_tensix(unsigned x, unsigned y)
{
    return x >= 1 && x <= LAST_X && x != 8 && x != 9 && y >= 2;
}

static void multicast(uint64_t address, const void *data, uint32_t bytes)
{
    uint64_t page = address >> 21;
    const uint32_t all = 16 << 11 | 11 << 17 | 1 << 23 | 2u << 29; /* (1,2) to (16,11) */
    const uint32_t word[3] = {(uint32_t)page, (uint32_t)(page >> 32) | all, 1 << 5};
    for (unsigned i = 0; i < 3; i++)
        lib.write(WINDOW_CONFIG + 12 * 77 + 4 * i, &word[i], 4);
    lib.write(BAR0 + 77 * 0x200000ull + address % 0x200000, data, bytes);
}

#endif

static uint32_t word_of(unsigned x, unsigned y, uint64_t address)
{
    uint32_t word;
    lib.tile_read(x, y, address, &word, sizeof word);
    return word;
}

static void multicast32(uint64_t address, uint32_t value)
{
    multicast(address, &value, sizeof value);
}

/* Load the segments that have bytes in the file. */
static void upload(const char *name)
{
    const struct tf_kernel_image *image = tf_kernel_find(name);
    assert_non_null(image);
    Elf32_Ehdr header;
    memcpy(&header, image->data, sizeof header);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf32_Phdr segment;
        memcpy(&segment, image->data + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_LOAD && segment.p_filesz != 0)
            multicast(segment.p_paddr, image->data + segment.p_offset, segment.p_filesz);
    }
}

typedef bool look(unsigned x, unsigned y);

static bool is_done(unsigned x, unsigned y)
{
    return word_of(x, y, GO_AT) >> 24 == 0;
}

static unsigned count(look *at)
{
    unsigned total = 0;
    for (unsigned y = 0; y <= LAST_Y; y++)
        for (unsigned x = 0; x <= LAST_X; x++)
            total += is_tensix(x, y) && at(x, y);
    return total;
}

static void wait_all(void)
{
    for (unsigned i = 0; i < 200 && count(is_done) < TILES; i++)
        lib.clock(100);
    assert_int_equal(count(is_done), TILES);
}

static void boot(void)
{
    static const char *const images[] = {FOLDER "firmware.b", FOLDER "firmware.nc", FOLDER "firmware.t0",
                                         FOLDER "firmware.t1", FOLDER "firmware.t2"};
    multicast32(SOFT_RESET_0, 0x47800);
    for (unsigned i = 0; i < 5; i++)
        upload(images[i]);
    static const struct tf_mailboxes empty;
    multicast(TF_MAILBOXES, &empty, sizeof empty);
    multicast32(GO_AT, TF_GO_INIT << 24);
#ifndef TF_WORMHOLE /* there B stores these addresses in its tile's Config */
    multicast32(DEBUG_AT(NCRISC_RESET_PC), TF_K_PROGRAM(1));
    multicast32(DEBUG_AT(TRISC0_RESET_PC), TF_K_PROGRAM(2));
    multicast32(DEBUG_AT(TRISC1_RESET_PC), TF_K_PROGRAM(3));
    multicast32(DEBUG_AT(TRISC2_RESET_PC), TF_K_PROGRAM(4));
#endif
    lib.clock(1000);
    assert_int_equal(count(is_done), 0);
    multicast32(SOFT_RESET_0, 0x47000);
    wait_all();
    assert_int_equal(word_of(LAST_X, LAST_Y, SOFT_RESET_0), 0);
    assert_int_equal(word_of(LAST_X, LAST_Y, TF_MAILBOXES + 8), 0);
}

/* Make a kernel for each core. It stores a word of its own, and returns. */
static void put_kernels(struct tf_launch *launch, uint32_t enables, uint8_t mode)
{
    *launch = (struct tf_launch){.kernel_config_base = {KERNELS}, .enables = enables, .mode = mode};
    for (unsigned core = 0; core < 5; core++) {
        const uint32_t code[] = {
            RESULTS | 5 << 7 | 0x37,                              /* lui t0, RESULTS */
            0xC0DE0000 | core << 12 | 6 << 7 | 0x37,              /* lui t1, 0xC0DEn000 */
            6 << 20 | 5 << 15 | 2 << 12 | (4 * core) << 7 | 0x23, /* sw t1, 4n(t0) */
            0x00000513,
            0x00008067, /* li a0, 0; ret */
        };
        launch->kernel_text_offset[core] = 64 * core;
        multicast(KERNELS + 64 * core, code, sizeof code);
    }
}

static bool has_all(unsigned x, unsigned y)
{
    for (unsigned core = 0; core < 5; core++)
        if (word_of(x, y, RESULTS + 4 * core) != (0xC0DE0000 | core << 12))
            return false;
    return true;
}

static bool has_two(unsigned x, unsigned y)
{
    for (unsigned core = 0; core < 5; core++)
        if ((word_of(x, y, RESULTS + 4 * core) != 0) != (core == 0 || core == 4))
            return false;
    return true;
}

static void test_host_mode(void **state)
{
    (void)state;
    struct tf_launch launch;
    boot();
    put_kernels(&launch, 0x1F, TF_DISPATCH_MODE_HOST);
    multicast(TF_MAILBOXES + 0x10, &launch, sizeof launch);
    multicast32(GO_AT, TF_GO << 24);
    wait_all();
    assert_int_equal(count(has_all), TILES);
    for (unsigned core = 0; core < 5; core++)
        multicast32(RESULTS + 4 * core, 0);
    launch.enables = 1 << 0 | 1 << 4;
    multicast(TF_MAILBOXES + 0x10, &launch, sizeof launch);
    multicast32(GO_AT, TF_GO << 24);
    wait_all();
    assert_int_equal(count(has_two), TILES);
}

/* Completion goes to stream 48 + offset of the master that the go message names, and the read pointer advances. */
static void test_dispatch_mode(void **state)
{
    (void)state;
    const uint32_t space = TF_STREAM_BASE + (48 + 3) * 0x1000 + SPACE_AVAILABLE * 4;
    struct tf_launch launch;
    boot();
    uint32_t before = word_of(MASTER_X, 5, space);
    for (unsigned i = 0; i < 3; i++) {
        put_kernels(&launch, 0x1F, TF_DISPATCH_MODE_DEV);
        multicast(TF_MAILBOXES + 0x10 + 96 * i, &launch, sizeof launch);
        multicast32(GO_AT, TF_GO << 24 | 5 << 16 | MASTER_X << 8 | 3);
        wait_all();
        for (unsigned k = 0; k < 100 && word_of(MASTER_X, 5, space) - before < TILES * (i + 1); k++)
            lib.clock(100);
        assert_int_equal(word_of(MASTER_X, 5, space) - before, TILES * (i + 1));
    }
    assert_int_equal(word_of(1, 2, TF_MAILBOXES + 0xC), 3);
    multicast32(GO_AT, TF_GO_RESET_READ_POINTER << 24);
    wait_all();
    assert_int_equal(word_of(1, 2, TF_MAILBOXES + 0xC), 0);
}

int main(void)
{
    if (api_load(&lib, TF_LIBTTSIM) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_host_mode, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_dispatch_mode, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
