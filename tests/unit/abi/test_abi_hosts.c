/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What two more hosts of the library do: the PCI device of tenstorrent/ttsim-qemu (hw/misc/ttsim.c), and the simulation
 * server of tt-umd (device/simulation/libttsim_backend.cpp), which loads a sealed copy. docs/libttsim.md names both.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define DEVICES 32u
#ifdef TF_WORMHOLE
#define IDENTITY 0x401E1E52u
#else
#define IDENTITY 0xB1401E52u
#endif

static struct {
    void (*init)(void);
    void (*exit)(void);
    void (*set_callbacks)(void (*)(uint64_t, void *, uint32_t), void (*)(uint64_t, const void *, uint32_t));
    uint32_t (*config_rd32)(uint32_t, uint32_t);
    void (*mem_rd)(uint64_t, void *, uint32_t);
    void (*mem_wr)(uint64_t, const void *, uint32_t);
    void (*tile_rd)(uint32_t, uint32_t, uint64_t, void *, uint32_t);
    void (*tile_wr)(uint32_t, uint32_t, uint64_t, const void *, uint32_t);
    void (*clock)(uint32_t);
} sim;

static void *load(const char *path)
{
    static const char *const names[] = {
        "libttsim_init",
        "libttsim_exit",
        "libttsim_set_pci_dma_mem_callbacks",
        "libttsim_pci_config_rd32",
        "libttsim_pci_mem_rd_bytes",
        "libttsim_pci_mem_wr_bytes",
        "libttsim_tile_rd_bytes",
        "libttsim_tile_wr_bytes",
        "libttsim_clock",
    };
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL), **to = (void **)&sim;
    assert_non_null(library);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_non_null(to[i] = dlsym(library, names[i]));
    /* With these tt-umd would take other calls for several chips in place of PCI devices. */
    assert_null(dlsym(library, "libttsim_create_device_by_id"));
    return library;
}

static void dma_read(uint64_t address, void *data, uint32_t bytes)
{
    (void)address;
    memset(data, 0, bytes);
}

static void dma_write(uint64_t address, const void *data, uint32_t bytes)
{
    (void)address;
    (void)data;
    (void)bytes;
}

static uint64_t bar_base(uint32_t offset)
{
    return (uint64_t)sim.config_rd32(0, offset + 4) << 32 | (sim.config_rd32(0, offset) & ~15u);
}

/* A guest accesses windows of BAR 0 in 1 to 8 bytes at any address, and QEMU passes each access on. */
static void accesses_of_a_guest(uint64_t bar0)
{
#ifdef TF_WORMHOLE
    (void)bar0;
#else
    const uint32_t window[3] = {0, 1u << 11 | 2u << 17, 0}; /* window 0: L1 of the tile at (1, 2) from 0 on */
    for (unsigned i = 0; i < 3; i++)
        sim.mem_wr(bar0 + 0x1FC00000 + 4 * i, &window[i], 4);
    for (unsigned bytes = 1; bytes <= 8; bytes++)
        for (unsigned at = 0x20000; at < 0x20008; at++) {
            uint64_t value = 0x8877665544332211ull * bytes + at, got = 0, kept = 0;
            sim.mem_wr(bar0 + at, &value, bytes);
            sim.mem_rd(bar0 + at, &got, bytes);
            sim.tile_rd(1, 2, at, &kept, bytes);
            assert_memory_equal(&got, &value, bytes);
            assert_memory_equal(&kept, &value, bytes);
        }
#endif
}

static void test_device_of_qemu(void **state)
{
    (void)state;
    for (unsigned time = 0; time < 2; time++) { /* the device is removed and added again */
        void *library = load(TF_LIBTTSIM);
        sim.set_callbacks(dma_read, dma_write);
        sim.init();
        unsigned devices = 0;
        while (devices < DEVICES && sim.config_rd32(devices << 3, 0) != UINT32_MAX)
            devices++;
        assert_int_equal(devices, 1);
        assert_int_equal(sim.config_rd32(0, 0), IDENTITY);
        assert_int_equal(sim.config_rd32(0, 8) >> 16, 0x1200); /* class: a processing accelerator */
        uint64_t bar[3] = {bar_base(0x10), bar_base(0x18), bar_base(0x20)};
        assert_true(bar[0] != 0 && bar[1] != 0 && bar[2] != 0);
        assert_true(bar[0] != bar[1] && bar[1] != bar[2] && bar[0] != bar[2]);
        accesses_of_a_guest(bar[0]);
        sim.clock(1000);
        sim.exit();
        assert_int_equal(dlclose(library), 0);
    }
}

static void test_copy_of_the_server(void **state)
{
    (void)state;
    char path[64];
    struct stat size;
    int from = open(TF_LIBTTSIM, O_RDONLY | O_CLOEXEC), to = memfd_create("libttsim", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_true(from >= 0 && to >= 0 && fstat(from, &size) == 0);
    for (off_t sent = 0; sent < size.st_size;)
        assert_true(sendfile(to, from, &sent, (size_t)(size.st_size - sent)) > 0);
    assert_int_equal(fcntl(to, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL), 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", to);
    void *library = load(path);
    sim.set_callbacks(dma_read, dma_write);
    sim.init();
    uint32_t value = 0x12345678, got = 0;
    sim.tile_wr(1, 2, 0x20000, &value, 4);
    sim.clock(1);
    sim.tile_rd(1, 2, 0x20000, &got, 4);
    assert_int_equal(got, value);
    sim.exit();
    assert_int_equal(dlclose(library), 0);
    close(from);
    close(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_device_of_qemu),
        cmocka_unit_test(test_copy_of_the_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
