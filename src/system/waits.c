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
static void find_state(struct tf_link_wait *wait, const struct tf_lane *lane)
{
    const struct tf_eth_link *link = lane->sender->mmio.eth->link;
    wait->linked = true;
    wait->to = lane->to;
    wait->down = link->down;
    wait->lost = tf_eth_lost(lane->sender);
    wait->held = lane->receiver->mmio.eth->link->held_count;
    for (unsigned queue = 0; queue < TF_ETH_QUEUES_MAX; queue++)
        wait->unacknowledged += tf_eth_unacknowledged(link, queue, UINT64_MAX - 1); /* those under way arrive */
}

static void add_state(struct tf_text *text, const struct tf_link_wait *wait)
{
    tf_text_add(text, wait->down ? "down" : "up");
    if (wait->unacknowledged != 0)
        tf_text_add(text, ", %u packet%s unacknowledged", wait->unacknowledged, wait->unacknowledged == 1 ? "" : "s");
    if (wait->lost != 0)
        tf_text_add(text, ", %llu packet%s lost", (unsigned long long)wait->lost, wait->lost == 1 ? "" : "s");
    if (wait->held != 0)
        tf_text_add(text, ", %u packet%s not taken: an RX queue there forces back-pressure", wait->held,
                    wait->held == 1 ? "" : "s");
}

/* What the cores at the other end wait for. */
static void add_peer(struct tf_text *text, struct tf_chip *chip, unsigned tile)
{
    size_t count;
    struct tf_waiting *waits = find(chip, &count);
    if (waits != NULL && !any_at(waits, count, tile))
        tf_text_add(text, "; no core waits there");
    for (size_t i = 0; i < count; i++)
        if (is_at(&waits[i], tile))
            tf_text_add(text, "; core %s there %s", tf_core_name(tf_chip_arch(chip), TF_NODE_ETH, waits[i].core),
                        waits[i].what);
    free(waits);
}

size_t tf_link_wait_text(struct tf_system *system, const struct tf_link_wait *wait, char *buffer, size_t bytes)
{
    struct tf_text text = {buffer, bytes, 0};
    if (bytes != 0)
        buffer[0] = '\0';
    if (!wait->linked) {
        tf_text_add(&text, "link: port %u has no link", wait->from.port);
        return text.length;
    }
    struct tf_chip *peer = tf_system_chip(system, wait->to.chip);
    const int tile = tf_port_tile(peer, wait->to.port); /* below 0: no record of this system */
    tf_text_add(&text, "link: port %u to port %u of chip %u: ", wait->from.port, wait->to.port, wait->to.chip);
    add_state(&text, wait);
    if (tile >= 0)
        add_peer(&text, peer, (unsigned)tile);
    return text.length;
}

/* Those of one chip. */
static size_t find_ports(struct tf_system *system, unsigned chip, struct tf_link_wait *out, size_t room)
{
    const struct tf_system_part *part = &system->part[chip];
    size_t count, found = 0;
    struct tf_waiting *waits = find(part->chip, &count);
    for (unsigned port = 0; waits != NULL && tf_port_tile(part->chip, port) >= 0; port++) {
        if (!any_at(waits, count, (unsigned)tf_port_tile(part->chip, port)) || found++ >= room)
            continue;
        struct tf_link_wait *wait = &out[found - 1];
        *wait = (struct tf_link_wait){.from = {chip, port}, .to = {chip, port}};
        if (part->out[port] != NULL)
            find_state(wait, part->out[port]);
    }
    free(waits);
    return found;
}

size_t tf_link_waits(struct tf_system *system, struct tf_link_wait *waits, size_t room)
{
    size_t found = 0;
    for (unsigned chip = 0; chip < system->cluster.chips; chip++) {
        const size_t left = found < room ? room - found : 0;
        found += find_ports(system, chip, left != 0 ? &waits[found] : NULL, left);
    }
    return found;
}

void tf_system_say_links(struct tf_system *system, unsigned chip, void (*to)(void *user, const char *line), void *user)
{
    struct tf_link_wait wait[TF_ETH_TILES_MAX];
    char line[LINE_BYTES];
    const size_t count = find_ports(system, chip, wait, TF_ETH_TILES_MAX);
    for (size_t i = 0; i < count; i++) {
        tf_link_wait_text(system, &wait[i], line, sizeof line);
        to(user, line);
    }
}

/* Text that is made line by line. */
struct lines {
    struct tf_text text;
    unsigned chip;
};

static void add_line(void *user, const char *line)
{
    struct lines *lines = user;
    tf_text_add(&lines->text, "chip %u: %s\n", lines->chip, line);
}

static void add_waits(struct lines *lines, struct tf_chip *chip)
{
    size_t count;
    char line[TF_WAITING_TEXT_BYTES];
    struct tf_waiting *waits = find(chip, &count);
    for (size_t i = 0; i < count && waits[i].stuck; i++) {
        tf_waiting_text(tf_chip_arch(chip), &waits[i], NULL, line, sizeof line);
        add_line(lines, line);
    }
    free(waits);
}

size_t tf_system_describe_waits(struct tf_system *system, char *text, size_t bytes)
{
    struct lines lines = {.text = {text, bytes, 0}};
    if (bytes != 0)
        text[0] = '\0';
    for (; lines.chip < system->cluster.chips; lines.chip++) {
        add_waits(&lines, system->part[lines.chip].chip);
        tf_system_say_links(system, lines.chip, add_line, &lines);
    }
    return lines.text.length;
}
