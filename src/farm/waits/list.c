/* SPDX-License-Identifier: Apache-2.0 */
/* All waiting or ended cores, grouped by equal waits. */
#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/waits/waits.h"
#include "farm/waits/who.h"
#include "host/extremes.h"
#include "tile/node_text.h"
#include "tile/riscv/control/view.h"
#include "tile/tensix/asleep.h"

_Static_assert(TF_WAITING_TILE_WORDS * 64u >= TF_NODES_MAX, "a bit for every tile");

struct list {
    const struct tf_arch *arch;
    struct tf_waiting *group;
    size_t count, room;
    bool overrun; /* groups are counted that there was no room for */
};

/* Cores of equal numbers have different names in tiles of different kinds. */
static bool is_equal(const struct tf_arch *arch, const struct tf_waiting *a, const struct tf_waiting *b)
{
    return tf_node_kind(arch, a->node) == tf_node_kind(arch, b->node) && a->stuck == b->stuck &&
           a->thread == b->thread && a->core == b->core && a->pc == b->pc && a->returned == b->returned &&
           a->status == b->status && strcmp(a->what, b->what) == 0;
}

static void add(struct list *list, struct tf_waiting *wait, const struct tf_tile *tile)
{
    wait->node = tile->coord;
    size_t kept = tf_min(list->count, list->room), at = 0;
    while (at < kept && !is_equal(list->arch, &list->group[at], wait))
        at++;
    if (at == kept) {
        list->count++;
        if (at == list->room)
            return;
        list->group[at] = *wait;
    }
    list->group[at].tiles++;
    list->group[at].tile[tile->index / 64] |= 1ull << tile->index % 64;
}

/* A core has ended. Set `returned` and `status` if the C start file has called main(). */
static void find_status(struct tf_waiting *wait, const struct tf_core_view *view)
{
    uint32_t a0 = view->x[10], t0 = view->x[5];
    bool full = t0 == TF_RETURNED_MAGIC;
    wait->returned = full || (a0 & 0xFFFF0000u) == TF_DONE_MAGIC;
    if (wait->returned)
        wait->status = full ? (int32_t)a0 : (int16_t)a0;
}

static void add_core(struct list *list, struct tf_tile *tile, unsigned core, bool stuck)
{
    struct tf_core_view view;
    const struct tf_hart *hart = &tile->hart[core];
    bool waits = hart->state == TF_CORE_PARKED || hart->state == TF_CORE_BLOCKED;
    bool done = tf_core_is_done(hart);
    if ((!waits && !done) || stuck == done)
        return;
    tf_hart_look(tile, hart, &view);
    struct tf_waiting wait = {.stuck = stuck, .core = (uint8_t)core, .pc = view.pc, .address = view.wait_address};
    if (done && hart->state == TF_CORE_PARKED)
        find_status(&wait, &view);
    if (stuck)
        tf_describe_core(&(struct tf_text){wait.what, sizeof wait.what, 0}, tile, core);
    else
        snprintf(wait.what, sizeof wait.what, hart->state == TF_CORE_PAUSED ? "has paused" : "has ended");
    add(list, &wait, tile);
}

static void add_threads(struct list *list, struct tf_tile *tile)
{
    if (tf_tensix_asleep(tile)) /* no thread has an instruction */
        return;
    for (unsigned thread = 0; thread < TF_CORE_T2 - TF_CORE_T0 + 1u; thread++) {
        struct tf_waiting wait = {.stuck = true, .thread = true, .core = (uint8_t)(TF_CORE_T0 + thread)};
        if (tf_describe_thread(&(struct tf_text){wait.what, sizeof wait.what, 0}, tile, thread))
            add(list, &wait, tile);
    }
}

static void add_dram_cores(struct list *list, const struct tf_fabric *fabric, bool stuck)
{
    for (unsigned i = 0; i < fabric->nodes; i++)
        if (tf_dram_tile(&fabric->node[i]) != NULL)
            add_core(list, fabric->node[i].tile, 0, stuck);
}

size_t tf_waits(struct tf_chip *chip, struct tf_waiting *waits, size_t room)
{
    struct list list = {.arch = chip->arch, .group = waits, .room = room};
    tf_forks_settle_all(&chip->forks, chip->fabric);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < chip->tiles.count; i++) {
            struct tf_tile *tile = &chip->tiles.tile[i];
            for (unsigned core = 0; core < tile->arch->cores; core++)
                add_core(&list, tile, core, pass == 0);
            if (pass == 0 && tile->tensix != NULL)
                add_threads(&list, tile);
        }
        add_dram_cores(&list, chip->fabric, pass == 0);
    }
    return list.count;
}

static bool has(const struct tf_waiting *wait, unsigned tile)
{
    return tile < TF_NODES_MAX && (wait->tile[tile / 64] >> tile % 64 & 1) != 0;
}

/* "tiles 1,4-7 (5)", or the same of ports. */
static void append_tiles(struct tf_text *text, const struct tf_waiting *wait, const char *what, unsigned tiles)
{
    const char *between = what;
    for (unsigned first = 0, last; first < tiles; first = last + 1) {
        last = first;
        if (!has(wait, first))
            continue;
        while (has(wait, last + 1))
            last++;
        tf_text_add(text, last == first ? "%s%u" : "%s%u-%u", between, first, last);
        between = ",";
    }
    tf_text_add(text, " (%u)", wait->tiles);
}

/* The same with the numbers of ports instead of those of Ethernet tiles, which follow the Tensix tiles node by node. */
static struct tf_waiting with_ports(const struct tf_arch *arch, const struct tf_waiting *wait)
{
    struct tf_waiting named = *wait;
    struct tf_coord coord;
    memset(named.tile, 0, sizeof named.tile);
    for (unsigned port = 0; tf_port_coord(arch, port, &coord) == TF_OK; port++) {
        unsigned tile = arch->tile[TF_TILE_TENSIX].tiles;
        for (unsigned i = 0; i < tf_node_number(arch, coord); i++)
            tile += arch->place[i].kind == TF_NODE_ETH;
        if (has(wait, tile))
            named.tile[port / 64] |= 1ull << port % 64;
    }
    return named;
}

size_t tf_waiting_text(const struct tf_arch *arch, const struct tf_waiting *wait, const char *place, char *buffer,
                       size_t bytes)
{
    struct tf_text text = {buffer, bytes, 0};
    const unsigned tiles = tf_arch_nodes(tf_arch_or_default(arch)); /* at most */
    const bool eth = tf_node_kind(arch, wait->node) == TF_NODE_ETH;
    const struct tf_waiting named = eth ? with_ports(tf_arch_or_default(arch), wait) : *wait;
    const char *core = tf_core_name(arch, tf_node_kind(arch, wait->node), wait->core);
    if (bytes != 0)
        buffer[0] = '\0';
    char node[TF_NODE_TEXT_BYTES];
    if (wait->tiles == 1 || tf_node_kind(arch, wait->node) == TF_NODE_DRAM)
        tf_text_add(&text, wait->tiles == 1 ? "%s" : "%s and others (%u)",
                    tf_node_text(tf_arch_or_default(arch), wait->node, node), wait->tiles);
    else
        append_tiles(&text, &named, eth ? "ports " : "tiles ", tiles);
    if (wait->thread)
        tf_text_add(&text, " Tensix thread %s: %s", core, wait->what);
    else
        tf_text_add(&text, " core %s at 0x%08x%s%s%s: %s", core, wait->pc, place != NULL ? " (" : "",
                    place != NULL ? place : "", place != NULL ? ")" : "", wait->what);
    if (wait->returned)
        tf_text_add(&text, ", main() returned %d", (int)wait->status);
    return text.length;
}

size_t tf_describe_waits(struct tf_chip *chip, char *buffer, size_t bytes)
{
    struct tf_text text = {buffer, bytes, 0};
    if (bytes != 0)
        buffer[0] = '\0';
    size_t count = tf_waits(chip, NULL, 0);
    struct tf_waiting *waits = calloc(count + 1, sizeof *waits);
    if (waits == NULL)
        return 0;
    size_t groups = tf_waits(chip, waits, count);
    for (size_t i = 0; i < groups && waits[i].stuck; i++) {
        char line[TF_WAITING_TEXT_BYTES];
        tf_waiting_text(chip->arch, &waits[i], NULL, line, sizeof line);
        tf_text_add(&text, "%s\n", line);
    }
    free(waits);
    return text.length;
}
