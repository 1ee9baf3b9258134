/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client of a library with several chips, for test_several.sh: several_client SYSTEM PROGRAM.elf. It starts the
 * program on a tile of each chip, and gives it numbers to add. Chips without PCIe are reached through firmware of
 * Ethernet tiles.
 */
#include "remote.h"

#include <elf.h>
#include <inttypes.h>

#include "addresses.h"

/* A Tensix tile that no board lacks: at raw coordinates, and, where firmware translates, at others. */
#define RAW_AT 1u, 2u
#define REMOTE_AT 18u, 18u
#define NUMBER 0x20000u
#define SUM 0x20004u

static struct tf_cluster cluster;
static struct gateway gateway;

static void find_gateway(void)
{
    const struct tf_cluster_end *end = cluster.link[0].end;
    struct tf_coord coord = {0, 0};
    assert_int_equal(tf_port_coord(cluster.arch, end->port, &coord), TF_OK);
    gateway = (struct gateway){.device = end->chip, .x = coord.x, .y = coord.y};
}

static void write_to(unsigned chip, uint64_t address, const void *data, uint32_t bytes)
{
    if (cluster.chip[chip].pcie)
        put(on(chip), RAW_AT, address, data, bytes);
    else
        remote_write(&gateway, &cluster.chip[chip], REMOTE_AT, address, data, bytes);
}

static uint32_t read_from(unsigned chip, uint64_t address)
{
    uint32_t value = 0;
    if (cluster.chip[chip].pcie)
        return get32(on(chip), RAW_AT, address);
    assert_true(remote_read(&gateway, &cluster.chip[chip], REMOTE_AT, address, &value, sizeof value));
    return value;
}

static void load(unsigned chip, const uint8_t *image)
{
    static const uint32_t run = 0x47000;
    Elf32_Ehdr header;
    memcpy(&header, image, sizeof header);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf32_Phdr segment;
        memcpy(&segment, image + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_LOAD && segment.p_filesz != 0)
            write_to(chip, segment.p_paddr, image + segment.p_offset, (segment.p_filesz + 3) & ~3u);
    }
    write_to(chip, DEBUG_AT(SOFT_RESET_0), &run, sizeof run);
}

static void add(unsigned chip, uint32_t number)
{
    write_to(chip, NUMBER, &number, sizeof number);
    for (unsigned i = 0; i < 5000 && read_from(chip, NUMBER) != 0; i++)
        lib.clock(100);
}

static const char *program, *name;

static void test_sums(void **state)
{
    (void)state;
    static uint8_t image[1 << 20];
    FILE *file = fopen(program, "rb");
    assert_non_null(file);
    assert_true(fread(image, 1, sizeof image, file) > 0);
    fclose(file);
    put_beside(name, &cluster);
    find_gateway();
    struct tf_shape shape;
    tf_arch_shape(cluster.arch, &shape);
    lib.wormhole = strcmp(shape.name, "wormhole") == 0;
    lib.set_callbacks(host_reads, host_writes);
    lib.init();
    for (unsigned i = 0; i < cluster.chips; i++)
        load(i, image);
    for (uint32_t number = 1; number <= 5; number++)
        for (unsigned i = 0; i < cluster.chips; i++)
            add(i, number * (i + 1));
    for (unsigned i = 0; i < cluster.chips; i++) {
        const uint32_t sum = read_from(i, SUM);
        printf("the sum of chip %u is %" PRIu32 "\n", i, sum);
        assert_int_equal(sum, 15 * (i + 1));
    }
    lib.exit();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums)};
    if (argc != 3 || copy_library(TF_LIBTTSIM) != 0)
        return 2;
    name = argv[1];
    program = argv[2];
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_library();
    return failed;
}
