/* SPDX-License-Identifier: Apache-2.0 */
/* Chips without PCIe, as tt-umd reaches them. Wormhole. */
#include "remote.h"

#include "addresses.h"

/* A Tensix tile and a DRAM tile that no board lacks, by coordinates that translation knows. */
#define TENSIX_AT 18u, 18u
#define DRAM_AT 0u, 0u

static struct tf_cluster cluster;

static void host_gives(uint64_t address, void *data, uint32_t bytes)
{
    assert_in_range(address, HOST_FIRST, HOST_FIRST + HOST_BYTES - bytes);
    memcpy(data, host + (address - HOST_FIRST), bytes);
}

static void host_takes(uint64_t address, const void *data, uint32_t bytes)
{
    assert_in_range(address, HOST_FIRST, HOST_FIRST + HOST_BYTES - bytes);
    memcpy(host + (address - HOST_FIRST), data, bytes);
}

/* The Ethernet tile of a chip's first link. */
static struct gateway gateway_of(unsigned device, bool has_host)
{
    struct gateway by = {.device = device, .has_host = has_host};
    for (unsigned i = cluster.links; i-- > 0;)
        for (unsigned j = 0; j < 2; j++)
            if (cluster.link[i].end[j].chip == device) {
                struct tf_coord coord = {0, 0};
                assert_int_equal(tf_port_coord(cluster.arch, cluster.link[i].end[j].port, &coord), TF_OK);
                by.x = coord.x;
                by.y = coord.y;
            }
    return by;
}

static void begin(const char *name)
{
    put_beside(name, &cluster);
    SILENT(lib.init());
}

/* Data of every length go there and come back, and no other chip has them. */
static void exchange(const struct gateway *by, unsigned chip)
{
    static const uint32_t lengths[] = {4, 64, 1024, 5000, 70000};
    static uint8_t data[70000], got[70000];
    const struct tf_cluster_chip *to = &cluster.chip[chip];
    for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const uint64_t address = 0x20000 + (i == 0 ? 4 : 0);
        fill(data, lengths[i], 100 * chip + i);
        remote_write(by, to, TENSIX_AT, address, data, lengths[i]);
        memset(got, 0, sizeof got);
        assert_true(remote_read(by, to, TENSIX_AT, address, got, lengths[i]));
        assert_memory_equal(got, data, lengths[i]);
        remote_write(by, to, DRAM_AT, 0x1000000, data, lengths[i]);
        memset(got, 0, sizeof got);
        assert_true(remote_read(by, to, DRAM_AT, 0x1000000, got, lengths[i]));
        assert_memory_equal(got, data, lengths[i]);
    }
}

static void test_two_chips(void **state)
{
    (void)state;
    begin("n300");
    assert_false(cluster.chip[1].pcie);
    uint8_t before[64] = {0}, zero[64] = {0};
    for (unsigned has_host = 0; has_host < 2; has_host++) {
        const struct gateway by = gateway_of(0, has_host);
        exchange(&by, 1);
        get(on(0), TENSIX_AT, 0x20000, before, sizeof before);
        assert_memory_equal(before, zero, sizeof zero); /* chip 0 has none of it */
    }
    const struct gateway by = gateway_of(0, false);
    exchange(&by, 0); /* firmware knows its own chip, too */
    get(on(0), TENSIX_AT, 0x20000, before, sizeof before);
    assert_memory_not_equal(before, zero, sizeof zero);
    assert_int_equal(word(&by, SQ + 0x10), 0); /* errors */
    lib.exit();
}

/* From each device to each chip; most take two hops or more. */
static void test_many_hops(void **state)
{
    (void)state;
    begin("t3000");
    for (unsigned device = 0; device < cluster.chips; device++)
        for (unsigned chip = 0; chip < cluster.chips && cluster.chip[device].pcie; chip++) {
            const struct gateway by = gateway_of(device, true);
            const uint32_t value = 0xC0DE0000 + 16 * device + chip;
            uint32_t got = 0;
            remote_write(&by, &cluster.chip[chip], TENSIX_AT, 0x30000 + 4 * device, &value, sizeof value);
            assert_true(remote_read(&by, &cluster.chip[chip], TENSIX_AT, 0x30000 + 4 * device, &got, sizeof got));
            assert_int_equal(got, value);
            if (cluster.chip[chip].pcie)
                assert_int_equal(get32(on(chip), TENSIX_AT, 0x30000 + 4 * device), value);
        }
    const struct gateway by = gateway_of(0, true);
    for (unsigned chip = 0; chip < cluster.chips; chip++)
        if (!cluster.chip[chip].pcie)
            exchange(&by, chip);
    lib.exit();
}

/* Two systems in one: chips of the same place, and no link between the halves. */
static void test_halves(void **state)
{
    (void)state;
    static char text[1 << 14];
    static struct tf_cluster half;
    assert_int_equal(tf_cluster_find("n300", &half, NULL), TF_OK);
    cluster = half;
    cluster.chips = 4;
    cluster.links = 2 * half.links;
    for (unsigned i = 0; i < 2; i++) {
        cluster.chip[2 + i] = half.chip[i];
        cluster.chip[2 + i].board_id++;
        cluster.chip[2 + i].unique_id++;
    }
    for (unsigned i = 0; i < half.links; i++) {
        struct tf_cluster_link *link = &cluster.link[half.links + i];
        *link = half.link[i];
        link->end[0].chip += 2;
        link->end[1].chip += 2;
    }
    assert_true(tf_describe_system(&cluster, text, sizeof text) < sizeof text);
    write_descriptor(text);
    SILENT(lib.init());
    for (unsigned i = 0; i < 4; i += 2) {
        const struct gateway by = gateway_of(i, false);
        remote_write(&by, &cluster.chip[1], TENSIX_AT, 0x1000, &(uint32_t){100 + i}, 4);
    }
    for (unsigned i = 0; i < 4; i += 2) {
        const struct gateway by = gateway_of(i, false);
        uint32_t value = 0;
        assert_true(remote_read(&by, &cluster.chip[1], TENSIX_AT, 0x1000, &value, 4));
        assert_int_equal(value, 100 + i);
    }
    lib.exit();
}

/* A fault of a chip without PCIe names it. */
static void test_fault(void **state)
{
    (void)state;
    char said[1024];
    begin("n300");
    const struct gateway by = gateway_of(0, false);
    remote_write(&by, &cluster.chip[1], TENSIX_AT, 0, &(uint32_t){UINT32_MAX}, 4);
    remote_write(&by, &cluster.chip[1], TENSIX_AT, DEBUG_AT(SOFT_RESET_0), &(uint32_t){0x47000}, 4);
    catch_stderr();
    lib.clock(2000);
    caught_stderr(said, sizeof said);
    if (strstr(said, " chip=1 tile=(") == NULL)
        fail_msg("%s", said);
    lib.exit();
}

/* B of a remote chip polls a word, and answers when it is set. */
static void run_there(const struct gateway *by, const struct tf_cluster_chip *to)
{
    const uint32_t code[] = {0x40002283, 0xFE028EE3, 0x40502223, 0x0000006F};
    /* lw t0, 0x400(x0); beqz t0, -4; sw t0, 0x404(x0); j . */
    uint32_t value = 0;
    remote_write(by, to, TENSIX_AT, 0, code, sizeof code);
    remote_write(by, to, TENSIX_AT, DEBUG_AT(SOFT_RESET_0), &(uint32_t){0x47000}, 4);
    for (unsigned i = 0; i < 10; i++)
        lib.clock(10000); /* it sleeps */
    assert_true(remote_read(by, to, TENSIX_AT, 0x404, &value, 4));
    assert_int_equal(value, 0);
    remote_write(by, to, TENSIX_AT, 0x400, &(uint32_t){77}, 4);
    lib.clock(1000);
    assert_true(remote_read(by, to, TENSIX_AT, 0x404, &value, 4));
    assert_int_equal(value, 77);
}

static void test_programs(void **state)
{
    (void)state;
    begin("n300");
    const struct gateway by = gateway_of(0, false);
    run_there(&by, &cluster.chip[1]);
    run_there(&by, &cluster.chip[0]);
    lib.exit();
    unlink(descriptor_path);
    lib.init(); /* alone */
    run_there(&by, &(struct tf_cluster_chip){.x = 0});
    lib.exit();
}

/* As EthernetBroadcast forms it. Without PCIe, without a Tensix tile's row and column, by translated coordinates. */
static void broadcast(const struct gateway *by, uint32_t chips, uint64_t address, const void *data, uint32_t bytes)
{
    uint32_t header[8] = {~1u, ~0u, ~0u, ~chips, 0x8000 | 1 << 0 | 1 << 6 | 1 << (16 + 0) | 1 << (16 + 5), 0, 0, 0};
    memcpy(host, header, sizeof header);
    memcpy(host + sizeof header, data, bytes);
    const uint32_t slot = word(by, SQ + 0x20) & 3;
    memmove(host + slot * HOST_BLOCK_BYTES, host, sizeof header + bytes);
    submit(by, &(struct command){.target = address,
                                 .data = (uint32_t)sizeof header + bytes,
                                 .flags = WR_REQ | BLOCK | BLOCK_DRAM | BROADCAST,
                                 .host = (uint32_t)HOST_FIRST + slot * HOST_BLOCK_BYTES});
}

static void test_broadcasts(void **state)
{
    (void)state;
    static uint8_t data[3000], got[3000], zero[3000];
    begin("t3000");
    const struct gateway by = gateway_of(0, true);
    uint32_t chips = 0;
    for (unsigned i = 0; i < cluster.chips; i++)
        if (i != 3)
            chips |= 1u << (8 * cluster.chip[i].x + cluster.chip[i].y);
    fill(data, sizeof data, 5);
    broadcast(&by, chips, 0x20000, data, sizeof data);
    broadcast(&by, chips, DEBUG_AT(SOFT_RESET_0), &(uint32_t){0x47000}, 4);
    assert_int_equal(word(&by, SQ + 0x10), 0);
    for (unsigned i = 0; i < cluster.chips; i++) {
        static const unsigned tensix[][2] = {{18, 18}, {25, 18}, {18, 25}, {25, 25}}, eth[][2] = {{18, 16}, {25, 17}};
        uint32_t reset;
        for (unsigned j = 0; j < 4; j++) {
            assert_true(remote_read(&by, &cluster.chip[i], tensix[j][0], tensix[j][1], 0x20000, got, sizeof got));
            assert_memory_equal(got, i == 3 ? zero : data, sizeof got);
            assert_true(
                remote_read(&by, &cluster.chip[i], tensix[j][0], tensix[j][1], DEBUG_AT(SOFT_RESET_0), &reset, 4));
            assert_true((reset == 0x47000) == (i != 3));
        }
        for (unsigned j = 0; j < 2; j++) {
            assert_true(remote_read(&by, &cluster.chip[i], eth[j][0], eth[j][1], 0x20000, got, sizeof got));
            assert_memory_equal(got, zero, sizeof got);
        }
    }
    lib.exit();
}

/* No chip has the place, no tile has the coordinates, or nothing is at the address. */
static void test_unreachable(void **state)
{
    (void)state;
    begin("n300");
    const struct gateway by = gateway_of(0, false);
    const struct tf_cluster_chip nobody = {.x = 5, .y = 5}, elsewhere = {.x = 1, .shelf = 1};
    uint32_t value = 0;
    uint8_t block[64];
    assert_false(remote_read(&by, &nobody, TENSIX_AT, 0x1000, &value, 4));
    assert_int_equal(word(&by, CQ_ENTRIES + 12), RD_DATA | UNREACHABLE);
    assert_false(remote_read(&by, &elsewhere, TENSIX_AT, 0x1000, block, sizeof block));
    assert_int_equal(word(&by, CQ_ENTRIES + ENTRY_BYTES + 12), RD_DATA | BLOCK | UNREACHABLE);
    assert_false(remote_read(&by, &cluster.chip[1], 15, 15, 0x1000, &value, 4));
    assert_false(remote_read(&by, &cluster.chip[1], TENSIX_AT, 0x80000000, &value, 4));
    remote_write(&by, &nobody, TENSIX_AT, 0x1000, &value, 4);
    broadcast(&by, 0, 0x1000, &value, 4);
    assert_int_equal(word(&by, SQ + 0x10), 6);
    assert_int_equal(word(&by, SQ + 0x8), 4);
    assert_int_equal(word(&by, SQ + 0xC), 4);
    lib.exit();
    /* On a Galaxy firmware serves nothing. */
    begin("wh-galaxy");
    const struct gateway idle = gateway_of(3, false);
    submit(&idle, &(struct command){.target = target_of(&cluster.chip[3], TENSIX_AT, 0x1000), .flags = WR_REQ});
    assert_int_equal(word(&idle, SQ + 0x20), 1);
    assert_int_equal(word(&idle, SQ + 0x30), 0);
    lib.exit();
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_chips),   cmocka_unit_test(test_many_hops), cmocka_unit_test(test_halves),
        cmocka_unit_test(test_fault),       cmocka_unit_test(test_programs),  cmocka_unit_test(test_broadcasts),
        cmocka_unit_test(test_unreachable),
    };
    if (copy_library(TF_LIBTTSIM) != 0)
        return 1;
    lib.wormhole = true;
    lib.set_callbacks(host_gives, host_takes);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_library();
    return failed;
}
