/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware of our own, booted on all tiles as drivers boot the vendor's: uploaded by multicast, started by one write,
   then given launch messages. */
#include <elf.h>
#include <stdbool.h>

#include "rig.h"

#include "images.h"
#include "tilefarm_firmware.h"

#define SOFT_RESET_0 0xFFB121B0u
#define KERNELS 0x40000u
#define RESULTS 0x50000u
#define GO_AT (TF_MAILBOXES + 0x310)

static void multicast(uint64_t address, const void *data, uint32_t bytes)
{
    uint64_t page = address >> 21;
    const uint32_t all = 16 << 11 | 11 << 17 | 1 << 23 | 2u << 29; /* (1,2) to (16,11) */
    const uint32_t word[3] = {(uint32_t)page, (uint32_t)(page >> 32) | all, 1 << 5};
    for (unsigned i = 0; i < 3; i++)
        lib.write(WINDOW_CONFIG + 12 * 77 + 4 * i, &word[i], 4);
    lib.write(BAR0 + 77 * 0x200000ull + address % 0x200000, data, bytes);
}

static void multicast32(uint64_t address, uint32_t value)
{
    multicast(address, &value, sizeof value);
}

/* The segments that have something in the file. */
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
    return get32(&lib, x, y, GO_AT) >> 24 == 0;
}

static unsigned count(look *at)
{
    unsigned total = 0;
    for (unsigned y = 2; y < 12; y++)
        for (unsigned x = 1; x < 17; x++)
            total += x != 8 && x != 9 && at(x, y);
    return total;
}

static void wait_all(void)
{
    for (unsigned i = 0; i < 200 && count(is_done) < 140; i++)
        lib.clock(100);
    assert_int_equal(count(is_done), 140);
}

static void boot(void)
{
    static const char *const images[] = {"firmware.b", "firmware.nc", "firmware.t0", "firmware.t1", "firmware.t2"};
    multicast32(SOFT_RESET_0, 0x47800);
    for (unsigned i = 0; i < 5; i++)
        upload(images[i]);
    static const struct tf_mailboxes empty;
    multicast(TF_MAILBOXES, &empty, sizeof empty);
    multicast32(GO_AT, TF_GO_INIT << 24);
    multicast32(0xFFB12238, TF_K_PROGRAM(1));
    multicast32(0xFFB12228, TF_K_PROGRAM(2));
    multicast32(0xFFB1222C, TF_K_PROGRAM(3));
    multicast32(0xFFB12230, TF_K_PROGRAM(4));
    lib.clock(1000);
    assert_int_equal(count(is_done), 0);
    multicast32(SOFT_RESET_0, 0x47000);
    wait_all();
    assert_int_equal(get32(&lib, 16, 11, SOFT_RESET_0), 0);
    assert_int_equal(get32(&lib, 16, 11, TF_MAILBOXES + 8), 0);
}

/* A kernel for each core: stores a word of its own and returns. */
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
        if (get32(&lib, x, y, RESULTS + 4 * core) != (0xC0DE0000 | core << 12))
            return false;
    return true;
}

static bool has_two(unsigned x, unsigned y)
{
    for (unsigned core = 0; core < 5; core++)
        if ((get32(&lib, x, y, RESULTS + 4 * core) != 0) != (core == 0 || core == 4))
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
    assert_int_equal(count(has_all), 140);
    for (unsigned core = 0; core < 5; core++)
        multicast32(RESULTS + 4 * core, 0);
    launch.enables = 1 << 0 | 1 << 4;
    multicast(TF_MAILBOXES + 0x10, &launch, sizeof launch);
    multicast32(GO_AT, TF_GO << 24);
    wait_all();
    assert_int_equal(count(has_two), 140);
}

/* Completion goes to stream 48 + offset of the master named in the go message, and the read pointer moves on. */
static void test_dispatch_mode(void **state)
{
    (void)state;
    const uint32_t space = 0xFFB40000 + (48 + 3) * 0x1000 + 297 * 4;
    struct tf_launch launch;
    boot();
    uint32_t before = get32(&lib, 10, 6, space);
    for (unsigned i = 0; i < 3; i++) {
        put_kernels(&launch, 0x1F, TF_DISPATCH_MODE_DEV);
        multicast(TF_MAILBOXES + 0x10 + 96 * i, &launch, sizeof launch);
        multicast32(GO_AT, TF_GO << 24 | 6 << 16 | 10 << 8 | 3);
        wait_all();
        for (unsigned k = 0; k < 100 && get32(&lib, 10, 6, space) - before < 140 * (i + 1); k++)
            lib.clock(100);
        assert_int_equal(get32(&lib, 10, 6, space) - before, 140 * (i + 1));
    }
    assert_int_equal(get32(&lib, 1, 2, TF_MAILBOXES + 0xC), 3);
    multicast32(GO_AT, TF_GO_RESET_READ_POINTER << 24);
    wait_all();
    assert_int_equal(get32(&lib, 1, 2, TF_MAILBOXES + 0xC), 0);
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
