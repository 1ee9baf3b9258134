/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "addresses.h"

#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)
#define ETH_RESET_PC TF_ETH_CONTROL_BASE /* of core E0 */
#define JUMP_TO_FIRMWARE 0x306Fu         /* j 0x3000 */
#define GO_AT (CLIENT_MAILBOXES + offsetof(struct tf_mailboxes, go))
#define LAUNCH_AT (CLIENT_MAILBOXES + offsetof(struct tf_mailboxes, launch))
#define PROGRAM_BYTES 0x1000u
#define POLLS_MAX 20000u

enum { HELD = 0x47800, CORE_B_HELD = 0x800, ETH_HELD = 0x1800 };

static void add(struct client *client, unsigned x, unsigned y, bool ethernet)
{
    client->node[client->nodes++] = (struct client_node){(uint8_t)x, (uint8_t)y, ethernet};
    client->tensix += !ethernet;
}

static void find_nodes(struct client *client)
{
    const bool wormhole = client->api->wormhole;
    for (unsigned y = wormhole ? 1 : 2; y <= 11; y++)
        for (unsigned x = 1; x <= (wormhole ? 9u : 16u); x++)
            if (wormhole ? x != 5 && y != 6 : x != 8 && x != 9)
                add(client, x, y, false);
    for (unsigned i = 0; i < (wormhole ? 16u : 12u); i++) {
        const unsigned x = wormhole ? i % 8 + 1 + (i % 8 >= 4) : 20 + i;
        add(client, x, wormhole ? i / 8 * 6 : 25, true);
    }
}

/* The banks by NOC 0. Raw coordinates of NOC 1 count from the opposite corner. */
static void find_banks(const struct client *client, struct client_banks *banks)
{
    static const uint8_t wormhole[6][2] = {{0, 0}, {0, 5}, {5, 0}, {5, 2}, {5, 3}, {5, 5}};
    banks->count = client->api->wormhole ? 6 : 8;
    for (unsigned i = 0; i < banks->count; i++) {
        const unsigned x = client->api->wormhole ? wormhole[i][0] : 17 + i / 4;
        const unsigned y = client->api->wormhole ? wormhole[i][1] : 12 + i % 4 * 3;
        banks->xy[0][i] = (uint16_t)(x | y << 6);
        banks->xy[1][i] = client->api->wormhole ? (uint16_t)((9 - x) | (11 - y) << 6) : banks->xy[0][i];
    }
}

/* Read the segments of an executable, from its first address on. Returns their bytes. */
static uint32_t read_program(const struct client *client, const char *program, uint8_t *into)
{
    static uint8_t file[1 << 18];
    char path[1024];
    Elf32_Ehdr header;
    uint32_t first = UINT32_MAX, end = 0;
    snprintf(path, sizeof path, "%s/%s.elf", client->folder, program);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        fail_msg("%s cannot be read", path);
    const size_t bytes = fread(file, 1, sizeof file, stream);
    fclose(stream);
    assert_in_range(bytes, sizeof header, sizeof file - 1);
    memcpy(&header, file, sizeof header);
    memset(into, 0, PROGRAM_BYTES);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        Elf32_Phdr segment;
        memcpy(&segment, file + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type != PT_LOAD || segment.p_filesz == 0)
            continue;
        if (first == UINT32_MAX)
            first = segment.p_paddr;
        assert_in_range(segment.p_paddr, first, first + PROGRAM_BYTES - segment.p_filesz);
        memcpy(into + (segment.p_paddr - first), file + segment.p_offset, segment.p_filesz);
        end = segment.p_paddr - first + segment.p_filesz;
    }
    return end;
}

static void to_node(const struct client *client, unsigned node, uint64_t address, const void *data, uint32_t bytes)
{
    put(client->api, client->node[node].x, client->node[node].y, address, data, bytes);
}

static void word_to_node(const struct client *client, unsigned node, uint64_t address, uint32_t value)
{
    to_node(client, node, address, &value, sizeof value);
}

static uint32_t word_of_node(const struct client *client, unsigned node, uint64_t address)
{
    return get32(client->api, client->node[node].x, client->node[node].y, address);
}

static void hold_all(const struct client *client)
{
    for (unsigned i = 0; i < client->nodes; i++)
        word_to_node(client, i, SOFT_RESET_0, client->node[i].ethernet && !client->api->wormhole ? ETH_HELD : HELD);
}

static void upload_firmware(const struct client *client)
{
    static const char *const programs[2][5] = {
        {"firmware.b", "firmware.nc", "firmware.t0", "firmware.t1", "firmware.t2"},
        {"ethernet.e0", "ethernet.e1"},
    };
    static uint8_t image[2][5][PROGRAM_BYTES];
    uint32_t bytes[2][5] = {{0}};
    struct client_banks banks;
    struct tf_mailboxes mailboxes = {.go = {TF_GO_INIT << 24}};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned core = 0; core < (i == 0 ? 5u : client->api->wormhole ? 1u : 2u); core++)
            bytes[i][core] = read_program(client, programs[i][core], image[i][core]);
    find_banks(client, &banks);
    for (unsigned i = 0; i < client->nodes; i++) {
        const bool ethernet = client->node[i].ethernet;
        to_node(client, i, CLIENT_MAILBOXES, &mailboxes, sizeof mailboxes);
        to_node(client, i, CLIENT_BANKS, &banks, offsetof(struct client_banks, pad));
        for (unsigned core = 0; core < 5; core++)
            if (bytes[ethernet][core] != 0)
                to_node(client, i, CLIENT_FIRMWARE(core), image[ethernet][core], bytes[ethernet][core]);
        word_to_node(client, i, 0, JUMP_TO_FIRMWARE);
        if (ethernet && !client->api->wormhole)
            word_to_node(client, i, ETH_RESET_PC, CLIENT_FIRMWARE(CLIENT_E0));
    }
}

void client_boot(struct client *client, struct api *api, const char *folder)
{
    *client = (struct client){.api = api, .folder = folder};
    find_nodes(client);
    hold_all(client);
    upload_firmware(client);
    for (unsigned i = 0; i < client->nodes; i++) {
        const uint32_t held = word_of_node(client, i, SOFT_RESET_0);
        word_to_node(client, i, SOFT_RESET_0, held & ~(uint32_t)CORE_B_HELD);
    }
    for (unsigned i = 0; i < client->nodes; i++)
        client_wait(client, i);
}

uint32_t client_load(const struct client *client, unsigned node, unsigned core, const char *program)
{
    static uint8_t image[PROGRAM_BYTES];
    const uint32_t bytes = read_program(client, program, image);
    to_node(client, node, CLIENT_CONFIG + CLIENT_KERNEL(core), image, bytes);
    return bytes;
}

void client_arguments(const struct client *client, unsigned node, unsigned core, const void *data, uint32_t bytes)
{
    to_node(client, node, CLIENT_CONFIG + CLIENT_ARGUMENTS(core), data, bytes);
}

void client_buffer(const struct client *client, unsigned node, unsigned i, const struct client_buffer *buffer)
{
    to_node(client, node, CLIENT_CONFIG + CLIENT_BUFFERS + i * sizeof *buffer, buffer, sizeof *buffer);
}

void client_launch(const struct client *client, unsigned node, uint32_t enables, uint32_t buffers, uint32_t nc_bytes)
{
    struct tf_launch launch = {
        .kernel_config_base = {CLIENT_CONFIG, CLIENT_CONFIG, CLIENT_CONFIG},
        .mode = TF_DISPATCH_MODE_HOST,
        .local_cb_mask = buffers,
        .enables = enables,
        .ncrisc_kernel_size16 = (uint16_t)((nc_bytes + 15) / 16),
    };
    for (unsigned core = 0; core < 5; core++)
        launch.kernel_text_offset[core] = CLIENT_KERNEL(core);
    to_node(client, node, LAUNCH_AT, &launch, sizeof launch);
    word_to_node(client, node, GO_AT, TF_GO << 24);
}

void client_wait(struct client *client, unsigned node)
{
    for (unsigned i = 0; word_of_node(client, node, GO_AT) >> 24 != 0; i++) {
        if (i == POLLS_MAX)
            fail_msg("(%u,%u) does not answer", client->node[node].x, client->node[node].y);
        client->polls++;
        client->api->clock(1);
    }
}

static void at_page(const struct client *client, uint32_t page, uint32_t bytes, unsigned *x, unsigned *y,
                    uint32_t *address)
{
    struct client_banks banks;
    find_banks(client, &banks);
    *x = banks.xy[0][page % banks.count] & 63;
    *y = banks.xy[0][page % banks.count] >> 6;
    *address += page / banks.count * bytes;
}

void client_write_page(const struct client *client, uint32_t address, uint32_t page, const void *data, uint32_t bytes)
{
    unsigned x, y;
    at_page(client, page, bytes, &x, &y, &address);
    put(client->api, x, y, address, data, bytes);
}

void client_read_page(const struct client *client, uint32_t address, uint32_t page, void *data, uint32_t bytes)
{
    unsigned x, y;
    at_page(client, page, bytes, &x, &y, &address);
    get(client->api, x, y, address, data, bytes);
}
