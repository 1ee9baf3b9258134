/* SPDX-License-Identifier: Apache-2.0 */
#include "system/waits.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/extremes.h"
#include "host/text.h"
#include "system/state.h"
#include "tile/eth/wire.h"
#include "tile/eth/parts.h"
#include "tile/eth/resend.h"

#define LINE_BYTES 900u
#define LINES_MAX 16u

/* The waits of a chip, or NULL if the host has no memory. */
static struct tf_waiting *find(struct tf_chip *chip, size_t *count)
{
    const size_t most = tf_waits(chip, NULL, 0);
    struct tf_waiting *waits = calloc(most + 1, sizeof *waits);
    *count = waits != NULL ? tf_min(tf_waits(chip, waits, most), most) : 0;
    return waits;
}

static bool is_at(const struct tf_waiting *wait, unsigned tile)
{
    return wait->stuck && (wait->tile[tile / 64] >> tile % 64 & 1) != 0;
}

static bool any_at(const struct tf_waiting *waits, size_t count, unsigned tile)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any |= is_at(&waits[i], tile);
    return any;
}

/* What a lane and its ends keep back. */
static void add_state(struct tf_text *text, const struct tf_lane *lane)
{
    const struct tf_eth_link *link = lane->sender->mmio.eth->link, *peer = lane->receiver->mmio.eth->link;
    const uint64_t lost = tf_eth_lost(lane->sender);
    unsigned unacknowledged = 0;
    for (unsigned queue = 0; queue < TF_ETH_QUEUES_MAX; queue++)
        unacknowledged += tf_eth_unacknowledged(link, queue, UINT64_MAX - 1); /* acknowledgements under way arrive */
    tf_text_add(text, link->down ? "down" : "up");
    if (unacknowledged != 0)
        tf_text_add(text, ", %u packet%s unacknowledged", unacknowledged, unacknowledged == 1 ? "" : "s");
    if (lost != 0)
        tf_text_add(text, ", %llu packet%s lost", (unsigned long long)lost, lost == 1 ? "" : "s");
    if (peer->held_count != 0)
        tf_text_add(text, ", %u packet%s not taken: an RX queue there forces back-pressure", peer->held_count,
                    peer->held_count == 1 ? "" : "s");
}

/* What the cores of the receiver wait for. */
static void add_peer(struct tf_text *text, struct tf_chip *chip, const struct tf_tile *tile)
{
    size_t count;
    struct tf_waiting *waits = find(chip, &count);
    if (waits != NULL && !any_at(waits, count, tile->index))
        tf_text_add(text, "; no core waits there");
    for (size_t i = 0; i < count; i++)
        if (is_at(&waits[i], tile->index))
            tf_text_add(text, "; core %s there %s", tf_core_name(tf_chip_arch(chip), TF_NODE_ETH, waits[i].core),
                        waits[i].what);
    free(waits);
}

static void write_line(char line[LINE_BYTES], struct tf_system *system, unsigned chip, unsigned port)
{
    const struct tf_lane *lane = system->part[chip].out[port];
    struct tf_text text = {line, LINE_BYTES, 0};
    if (lane == NULL) {
        tf_text_add(&text, "link: port %u has no link", port);
        return;
    }
    tf_text_add(&text, "link: port %u to port %u of chip %u: ", port, lane->to.port, lane->to.chip);
    add_state(&text, lane);
    add_peer(&text, system->part[lane->to.chip].chip, lane->receiver);
}

void tf_system_say_links(struct tf_system *system, unsigned chip, void (*to)(void *user, const char *line), void *user)
{
    struct tf_chip *of = system->part[chip].chip;
    size_t count;
    unsigned lines = 0;
    char line[LINE_BYTES];
    struct tf_waiting *waits = find(of, &count);
    for (unsigned port = 0; waits != NULL && tf_port_tile(of, port) >= 0; port++) {
        if (!any_at(waits, count, (unsigned)tf_port_tile(of, port)) || lines++ >= LINES_MAX)
            continue;
        write_line(line, system, chip, port);
        to(user, line);
    }
    if (lines > LINES_MAX) {
        snprintf(line, sizeof line, "link: %u more ports wait", lines - LINES_MAX);
        to(user, line);
    }
    free(waits);
}
