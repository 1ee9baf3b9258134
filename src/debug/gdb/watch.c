/* SPDX-License-Identifier: Apache-2.0 */
/* Watchpoints: accesses to L1, a core's RAM, registers and DRAM. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/gdb/condition.h"
#include "debug/gdb/target.h"
#include "debug/gdb/say.h"
#include "debug/gdb/parts.h"
#include "debug/gdb/points.h"
#include "debug/gdb/snapshot.h"
#include "debug/gdb/stop.h"
#include "debug/gdb/watch.h"
#include "noc/event.h"
#include "tile/mmio/mmio.h"
#include "tile/mmio/map/peek.h"
#include "tile/node_text.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/code/page.h"
#include "tile/riscv/hart/observed.h"

/* Is a watchpoint on a tile of a chip? */
static bool is_of(const struct gdb_chip *on, const struct point *point, const struct tf_tile *tile)
{
    return tf_gdb_is_watch(point) && process_of(point->pid) / 8 == tile->index &&
           point->pid == pid_of(on, tile->index, process_of(point->pid) % 8);
}

/* Are hits ignored? While the run searches for the place of a snapshot, or soon ends, they do not stop it. */
static bool is_quiet(const struct tf_gdb *gdb)
{
    return gdb->left || !gdb->running || gdb->stopping || gdb->ends || gdb->seek.pid != 0;
}

static bool touches(const struct point *point, uint32_t address, uint32_t bytes)
{
    return address < (uint64_t)point->address + point->bytes && point->address < (uint64_t)address + bytes;
}

static bool wants(const struct point *point, bool loads, bool stores)
{
    return point->kind == POINT_ACCESS || (point->kind == POINT_WRITE && stores) ||
           (point->kind == POINT_READ && loads);
}

/* Do the conditions of a watchpoint hold? */
static bool holds(struct tf_gdb *gdb, const struct point *point)
{
    const struct point *condition = tf_gdb_condition_at(gdb, point->pid, point->address);
    return tf_gdb_condition(gdb, point) && (condition == NULL || tf_gdb_condition(gdb, condition));
}

/* The process of the core that issued a request; 0 if there is none. */
static unsigned sender(const struct gdb_chip *on, const struct tf_node *node, unsigned core)
{
    const struct tf_tile *tile = node->tile;
    return tile == NULL || core >= tile->arch->cores ? 0 : pid_of(on, tile->index, core);
}

/* Find the watchpoint of a tile that an access hits. */
static struct point *watched_by(struct tf_gdb *gdb, const struct tf_tile *tile, unsigned core, uint32_t address,
                                uint32_t bytes, bool loads, bool stores)
{
    for (struct point *point = gdb->points; point != NULL; point = point->next) {
        /* Each core has its own RAM at these addresses. */
        bool shared = address - TF_LOCAL_BASE >= TF_LOCAL_BYTES || process_of(point->pid) % 8 == core;
        if (is_of(gdb->on, point, tile) && wants(point, loads, stores) && shared && touches(point, address, bytes) &&
            holds(gdb, point))
            return point;
    }
    return NULL;
}

/* A watchpoint was hit; gdb->who tells the actor. Stop, or remember the place while GDB looks for the last hit. */
static void hit(struct tf_gdb *gdb, const struct point *point, unsigned pid, bool by_other)
{
    pid = tf_gdb_is_attached(gdb, pid) ? pid : point->pid;
    if (gdb->end.pid != 0) {
        tf_snapshot_hit(gdb, pid, point);
        return;
    }
    if (gdb->who[0] != '\0')
        tf_gdb_say(gdb, "%s\n", gdb->who);
    gdb->watched = pid;
    gdb->by_other = by_other;
    tf_gdb_stop(gdb, pid, 5, tf_gdb_watch_reason(gdb, point->kind, point->address));
}

bool tf_watch_core(struct tf_gdb *gdb, struct tf_tile *tile, struct tf_hart *hart, const struct tf_observed *observed)
{
    const struct tf_retired *reach = &observed->reach;
    unsigned pid = pid_of(gdb->on, tile->index, hart->core);
    char place[TF_PLACE_BYTES], node[TF_NODE_TEXT_BYTES];
    gdb->writer = pid;
    struct point *point = !reach->loads && !reach->stores ? NULL
                                                          : watched_by(gdb, tile, hart->core, reach->address,
                                                                       reach->bytes, reach->loads, reach->stores);
    if (point == NULL || gdb->ends)
        return false;
    tf_gdb_arm(gdb, tile, point);
    gdb->who[0] = '\0';
    if (!tf_gdb_is_attached(gdb, pid) || pid != point->pid)
        snprintf(gdb->who, sizeof gdb->who, "core %s of %s %s 0x%x at pc 0x%08x%s, cycle %llu",
                 tile->arch->core_name[hart->core], tf_node_text(gdb->on->chip->arch, tile->coord, node),
                 reach->stores ? "wrote" : "read", reach->address, reach->pc,
                 tf_gdb_place(gdb, tile->coord, hart->core, reach->pc, place), (unsigned long long)observed->cycle);
    hit(gdb, point, pid, !tf_gdb_is_attached(gdb, pid));
    return true;
}

bool tf_watch_registers(struct tf_gdb *gdb, struct tf_tile *tile)
{
    const struct point *changed = NULL;
    gdb->writer = 0;
    for (struct point *point = gdb->points; point != NULL; point = point->next) {
        uint32_t before = point->last;
        if (!point->known || !is_of(gdb->on, point, tile) || !wants(point, false, true) ||
            !tf_mmio_peek(tile, process_of(point->pid) % 8, point->address & ~3u, &point->last) ||
            point->last == before || !holds(gdb, point))
            continue;
        if (changed != NULL && gdb->end.pid == 0) /* one stop reports all that have changed */
            tf_gdb_say(gdb, "%s\n", gdb->who);
        snprintf(gdb->who, sizeof gdb->who,
                 "the coprocessor or a NIU changed 0x%x from 0x%x to 0x%x, before cycle %llu", point->address, before,
                 point->last, (unsigned long long)tile->hart[process_of(point->pid) % 8].cycle);
        if (gdb->end.pid != 0)
            hit(gdb, point, point->pid, true);
        else
            changed = point;
    }
    if (changed != NULL)
        hit(gdb, changed, changed->pid, true);
    return changed != NULL;
}

bool tf_watch_all_registers(struct tf_gdb *gdb)
{
    if (is_quiet(gdb))
        return false;
    for (struct point *point = gdb->points; point != NULL; point = point->next) {
        unsigned core;
        if (!tf_gdb_is_watch(point) || !point->known)
            continue;
        gdb->on = tf_gdb_chip(gdb, point->pid);
        if (tf_watch_registers(gdb, tf_gdb_tile(gdb, point->pid, &core)))
            return true;
    }
    return false;
}

static void name_request(struct tf_gdb *gdb, const struct tf_noc_request *request, const char *what, uint32_t address,
                         uint32_t bytes)
{
    const struct tf_node *source = &gdb->on->chip->fabric->node[request->source];
    char place[TF_PLACE_BYTES], node[TF_NODE_TEXT_BYTES];
    snprintf(gdb->who, sizeof gdb->who, "NOC %u: %s%s of %s core %s, pc 0x%08x%s, cycle %llu, wrote 0x%x, %u bytes",
             request->noc, what, tf_noc_kind_name(request->kind),
             tf_node_text(gdb->on->chip->arch, source->coord, node),
             tf_core_name(gdb->on->chip->arch, tf_node_kind(gdb->on->chip->arch, source->coord), request->core),
             request->pc, tf_gdb_place(gdb, source->coord, request->core, request->pc, place),
             (unsigned long long)request->cycle, address, bytes);
}

static void name_writer(struct tf_gdb *gdb, const struct tf_tile *tile, enum tf_writer writer, uint32_t address,
                        uint32_t bytes)
{
    static const char *const name[] = {
        [TF_WROTE_PACKER] = "a packer",
        [TF_WROTE_SCALAR] = "the scalar unit",
        [TF_WROTE_MOVER] = "the mover",
        [TF_WROTE_OTHER] = "a device",
    };
    const struct tf_noc_sink *sink = &gdb->on->chip->workers.worker[0].sink;
    char node[TF_NODE_TEXT_BYTES];
    if (writer == TF_WROTE_OTHER && sink->acting != NULL)
        name_request(gdb, sink->acting, "", address, bytes);
    else if (writer == TF_WROTE_OTHER && sink->landing != NULL)
        name_request(gdb, sink->landing, "the answer to a ", address, bytes);
    else if (writer == TF_WROTE_OTHER && gdb->host)
        snprintf(gdb->who, sizeof gdb->who, "the host wrote 0x%x, %u bytes, cycle %llu", address, bytes,
                 (unsigned long long)tf_chip_cycles(gdb->on->chip));
    else
        snprintf(gdb->who, sizeof gdb->who, "%s of %s wrote 0x%x, %u bytes, cycle %llu", name[writer],
                 tf_node_text(gdb->on->chip->arch, tile->coord, node), address, bytes, (unsigned long long)tile->cycle);
}

void tf_watch_wrote(struct tf_observer *observer, struct tf_tile *tile, uint32_t address, uint32_t bytes,
                    enum tf_writer writer)
{
    struct tf_gdb *gdb = ((struct gdb_observer *)observer)->gdb;
    gdb->on = ((struct gdb_observer *)observer)->on;
    const struct tf_noc_sink *sink = &gdb->on->chip->workers.worker[0].sink;
    const struct tf_noc_request *request = sink->acting != NULL ? sink->acting : sink->landing;
    bool sent = writer == TF_WROTE_OTHER && request != NULL;
    gdb->writer = sent ? sender(gdb->on, &gdb->on->chip->fabric->node[request->source], request->core) : 0;
    struct point *point = watched_by(gdb, tile, TF_FROM_NOC, address, bytes, false, true);
    for (struct point *at = gdb->points; at != NULL; at = at->next)
        if (is_of(gdb->on, at, tile))
            tf_gdb_arm(gdb, tile, at);
    if (point == NULL || is_quiet(gdb))
        return;
    name_writer(gdb, tile, writer, address, bytes);
    hit(gdb, point, point->pid, true);
}

/* Find the watchpoint on DRAM that an access hits. */
static const struct point *watched_in_dram(struct tf_gdb *gdb, unsigned channel, uint64_t address, size_t bytes,
                                           bool loads, bool stores)
{
    for (const struct point *point = gdb->points; point != NULL; point = point->next) {
        uint64_t at;
        if (tf_gdb_is_watch(point) && tf_gdb_chip(gdb, point->pid) == gdb->on &&
            tf_gdb_dram(gdb, point->address, &at) == (int)channel && wants(point, loads, stores) &&
            address < at + point->bytes && at < address + bytes && holds(gdb, point))
            return point;
    }
    return NULL;
}

/* Handle a request that has acted in DRAM. */
static void watch_dram(struct tf_gdb *gdb, const struct tf_noc_request *request, const struct tf_node *node)
{
    const struct tf_node *source = &gdb->on->chip->fabric->node[request->source];
    bool reads = request->kind == TF_NOC_READ, loads = reads || request->kind == TF_NOC_ATOMIC;
    uint32_t bytes = request->kind == TF_NOC_ATOMIC ? 4 : request->length;
    gdb->writer = sender(gdb->on, source, request->core);
    const struct point *point = watched_in_dram(gdb, node->index, request->address, bytes, loads, !reads);
    char place[TF_PLACE_BYTES], from[TF_NODE_TEXT_BYTES];
    if (point == NULL)
        return;
    snprintf(gdb->who, sizeof gdb->who, "NOC %u: %s of %s core %s, pc 0x%08x%s, %s DRAM channel %u, 0x%llx, %u bytes",
             request->noc, tf_noc_kind_name(request->kind), tf_node_text(gdb->on->chip->arch, source->coord, from),
             tf_core_name(gdb->on->chip->arch, tf_node_kind(gdb->on->chip->arch, source->coord), request->core),
             request->pc, tf_gdb_place(gdb, source->coord, request->core, request->pc, place), reads ? "read" : "wrote",
             node->index, (unsigned long long)request->address, bytes);
    hit(gdb, point, point->pid, true);
}

static void step_begins(struct tf_gdb *gdb)
{
    gdb->steps++;
    gdb->stepped = true;
}

static void step_done(struct tf_gdb *gdb)
{
    gdb->stepped = false;
    tf_snapshot_stepped(gdb);
}

void tf_watch_begins(struct tf_noc_witness *witness)
{
    step_begins(((struct gdb_witness *)witness)->gdb);
}

void tf_watch_done(struct tf_noc_witness *witness, const struct tf_noc_request *request, const struct tf_node *node)
{
    struct tf_gdb *gdb = ((struct gdb_witness *)witness)->gdb;
    gdb->on = ((struct gdb_witness *)witness)->on;
    if (node != NULL && node->kind == TF_NODE_DRAM && !is_quiet(gdb))
        watch_dram(gdb, request, node);
    step_done(gdb);
}

void tf_gdb_host_writes(struct tf_gdb *gdb)
{
    gdb->host = true;
    step_begins(gdb);
}

static void watch_host(struct tf_gdb *gdb, unsigned node, uint64_t address, size_t bytes)
{
    const struct tf_node *to = &gdb->on->chip->fabric->node[node];
    gdb->writer = 0;
    const struct point *point = is_quiet(gdb) || to->kind != TF_NODE_DRAM
                                    ? NULL
                                    : watched_in_dram(gdb, to->index, address, bytes, false, true);
    if (point == NULL)
        return;
    snprintf(gdb->who, sizeof gdb->who, "the host wrote DRAM channel %u, 0x%llx, %zu bytes", to->index,
             (unsigned long long)address, bytes);
    hit(gdb, point, point->pid, true);
}

void tf_gdb_host_wrote(struct tf_gdb *gdb, unsigned node, uint64_t address, size_t bytes)
{
    watch_host(gdb, node, address, bytes);
    step_done(gdb);
    gdb->host = false;
}
