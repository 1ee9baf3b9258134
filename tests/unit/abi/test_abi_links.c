/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program on Ethernet tiles of a p300, driven through the interface as a host does: kernels/link.c, started by the
 * mailbox of the tiles' firmware. What it computes and leaves in L1 is recorded from ttsim v1.10 (build bh_x2), with
 * the same program. There it took the time from a register, since ttsim lacks the CSR.
 */
#include "several.h"

#include "farm/chip/loader.h"
#include "images.h"
#include "tile/arch.h"
#include "tilefarm_link_layout.h"

#define ETH_X(port) (20 + (port)) /* translated coordinates */
#define ETH_Y 25u
#define MAILBOX 0x7D000u
#define RELEASE_CORE 0xCA110002u
#define DONE 0x600D0000u
#define ROUNDS 5u
#define PORTS 4u

struct end {
    unsigned chip, port;
};

/* Links join port 2 of chip 0 with port 9 of chip 1, and port 3 with port 8. */
static const struct end ends[PORTS] = {{0, 2}, {1, 9}, {0, 3}, {1, 8}};

struct record {
    uint32_t sum;
    uint64_t buffer;
};

struct phase {
    const char *name;
    uint32_t role[PORTS]; /* of the ports above, as are the next three */
    uint32_t chip[PORTS], other[PORTS], input[PORTS];
    uint32_t bytes;
    struct record record[PORTS];
};

#define NONE PORTS

static const struct phase phases[] = {
    {"ping",
     {TF_L_PING, TF_L_PONG, TF_L_PING, TF_L_PONG},
     {0},
     {NONE, NONE, NONE, NONE},
     {1, 0, 2, 0}, /* where the input begins, in units of 16 bytes, plus one */
     16,
     {{0, 0xf7a19718d700f4a5}, {0, 0xf7a19718d700f4a5}, {0, 0x7094ded9d3700825}, {0, 0x7094ded9d3700825}}},
    {"stream",
     {TF_L_SOURCE, TF_L_SINK, TF_L_SINK, TF_L_SOURCE},
     {0},
     {NONE, NONE, NONE, NONE},
     {1, 0, 0, 1},
     16384,
     {{0, 0x5786e2cdfa04f925}, {0, 0x5786e2cdfa04f925}, {0, 0x5786e2cdfa04f925}, {0, 0x5786e2cdfa04f925}}},
    {"ring",
     {TF_L_OUT, TF_L_IN, TF_L_IN, TF_L_OUT},
     {0, 1, 0, 1},
     {2, 3, 0, 1},
     {0},
     8192,
     {{0, 0xead36ed2b37ef0fd},
      {0xb422d001, 0x26cdc5438192f0fd},
      {0xd7c7d99d, 0x424f770da6824ad2},
      {0, 0xf2ac4bd24df8cad2}}},
    {"reduce",
     {TF_L_REDUCE, TF_L_RELAY, TF_L_RELAY, TF_L_REDUCE},
     {0, 1, 0, 1},
     {2, 3, 0, 1},
     {0},
     8192,
     {{0x4322f679, 0x6ab064bbe5b35d28},
      {0, 0x0bf860fb41272159},
      {0, 0xcfdaa1cfb301d3be},
      {0x4322f679, 0xe793e807df08f9bf}}},
};

static uint32_t input[8192];

static void put_at(const struct end *end, uint32_t address, const void *data, uint32_t bytes)
{
    put(on(end->chip), ETH_X(end->port), ETH_Y, address, data, bytes);
}

static uint32_t get32_at(const struct end *end, uint32_t address)
{
    return get32(on(end->chip), ETH_X(end->port), ETH_Y, address);
}

static void load(const struct end *end)
{
    static const uint8_t zero[TF_L_PROGRAM - TF_L_JOB];
    const struct tf_kernel_image *image = tf_kernel_find("link.e0");
    const struct tf_tile_arch *tile = &tf_arch_find(NULL)->tile[TF_TILE_ETH];
    struct tf_elf elf;
    struct tf_message message;
    assert_non_null(image);
    if (tf_elf_parse(image->data, tf_kernel_bytes(image), image->name, tile, &elf, &message) != TF_OK)
        fail_msg("%s", message.text);
    put_at(end, TF_L_JOB, zero, sizeof zero);
    put_at(end, TF_L_SIGNAL, zero, TF_L_BUFFER - TF_L_SIGNAL);
    for (unsigned i = 0; i < elf.segments; i++)
        if (elf.segment[i].file_bytes != 0)
            put_at(end, elf.segment[i].address, image->data + elf.segment[i].file_offset,
                   (elf.segment[i].file_bytes + 3) / 4 * 4);
}

/* The receivers start first. */
static void start(const struct phase *phase, unsigned i)
{
    const struct end *end = &ends[i], *other = phase->other[i] != NONE ? &ends[phase->other[i]] : NULL;
    const struct tf_link_job job = {
        .magic = TF_L_MAGIC,
        .role = phase->role[i],
        .seed = other != NULL ? 3 : 0,
        .rounds = ROUNDS,
        .bytes = phase->bytes,
        .chips = 2,
        .chip = phase->chip[i],
        .other_xy = other != NULL ? ETH_X(other->port) | ETH_Y << 6 : 0,
    };
    load(end);
    if (phase->input[i] != 0)
        put_at(end, TF_L_BUFFER, (const uint8_t *)input + 16 * (phase->input[i] - 1), phase->bytes);
    put_at(end, TF_L_JOB, &job, sizeof job);
    put32(on(end->chip), ETH_X(end->port), ETH_Y, MAILBOX + 4, TF_L_PROGRAM);
    put32(on(end->chip), ETH_X(end->port), ETH_Y, MAILBOX, RELEASE_CORE);
}

static uint64_t hash_buffer(const struct end *end)
{
    static uint8_t buffer[TF_L_BUFFER_BYTES];
    uint64_t sum = 0xcbf29ce484222325; /* FNV-1a */
    get(on(end->chip), ETH_X(end->port), ETH_Y, TF_L_BUFFER, buffer, sizeof buffer);
    for (size_t i = 0; i < sizeof buffer; i++)
        sum = (sum ^ buffer[i]) * 0x100000001b3;
    return sum;
}

static void test_recorded(void **state)
{
    (void)state;
    static const unsigned order[PORTS] = {1, 2, 0, 3};
    struct tf_cluster cluster;
    for (size_t i = 0; i < sizeof input; i++)
        ((uint8_t *)input)[i] = (uint8_t)(i * 7 + i / 256);
    for (unsigned p = 0; p < sizeof phases / sizeof phases[0]; p++) {
        const struct phase *phase = &phases[p];
        put_beside("p300", &cluster);
        SILENT(lib.init());
        for (unsigned i = 0; i < PORTS; i++)
            start(phase, order[i]);
        for (unsigned i = 0, tries = 0; i < PORTS; i++)
            while (get32_at(&ends[i], TF_L_DONE) != DONE) {
                assert_true(tries++ < 100000);
                lib.clock(500);
            }
        for (unsigned i = 0; i < PORTS; i++) {
            const uint32_t sum = get32_at(&ends[i], TF_L_RESULT + offsetof(struct tf_link_result, sum));
            const uint64_t buffer = hash_buffer(&ends[i]);
            if (sum != phase->record[i].sum || buffer != phase->record[i].buffer)
                fail_msg("%s, port %u of chip %u: sum 0x%08x, buffer 0x%016llx", phase->name, ends[i].port,
                         ends[i].chip, sum, (unsigned long long)buffer);
        }
        lib.exit();
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded),
    };
    if (copy_library(TF_LIBTTSIM) != 0)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_library();
    return failed;
}
