/* SPDX-License-Identifier: Apache-2.0 */
/* Breakpoints, watchpoints and their conditions, and which cores are observed for them. */
#include "debug/gdb/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/gdb/condition.h"
#include "debug/gdb/target.h"
#include "tile/mmio/mmio.h"
#include "tile/mmio/map/peek.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/code/page.h"

void tf_gdb_drop_points(struct tf_gdb *gdb)
{
    for (struct point *at = gdb->points, *next; at != NULL; at = next) {
        next = at->next;
        free(at->condition);
        free(at);
    }
    gdb->points = NULL;
}

static struct point **condition_of(struct tf_gdb *gdb, unsigned pid, uint32_t address)
{
    struct point **at = &gdb->points;
    while (*at != NULL && ((*at)->kind != POINT_CONDITION || (*at)->pid != pid || (*at)->address != address))
        at = &(*at)->next;
    return at;
}

const struct point *tf_gdb_condition_at(struct tf_gdb *gdb, unsigned pid, uint32_t address)
{
    return *condition_of(gdb, pid, address);
}

void tf_gdb_set_condition(struct tf_gdb *gdb, unsigned pid, uint32_t address, const uint8_t *code, unsigned bytes)
{
    struct point **at = condition_of(gdb, pid, address), *old = *at;
    struct point *point = bytes == 0 ? NULL : calloc(1, sizeof *point);
    if (old != NULL) {
        *at = old->next;
        free(old->condition);
        free(old);
    }
    if (point == NULL)
        return;
    *point = (struct point){.pid = pid, .kind = POINT_CONDITION, .address = address, .condition = malloc(bytes + 2)};
    if (point->condition == NULL) {
        free(point);
        return;
    }
    point->condition[0] = (uint8_t)(bytes >> 8);
    point->condition[1] = (uint8_t)bytes;
    memcpy(point->condition + 2, code, bytes);
    point->condition_bytes = bytes + 2;
    point->next = gdb->points;
    gdb->points = point;
}

static bool is_register(const struct tf_gdb *gdb, const struct tf_tile *tile, uint32_t address)
{
    uint64_t at;
    return address >= tile->arch->l1_bytes && address - TF_LOCAL_BASE >= TF_LOCAL_BYTES &&
           tf_gdb_dram(gdb, address, &at) < 0;
}

/* Watched ranges of L1 are marked as code, so that every writer reports its stores. */
static void mark_watched(struct tf_tile *tile, const struct point *point)
{
    uint64_t end = (uint64_t)point->address + point->bytes;
    for (uint32_t at = point->address & ~(TF_CODE_PAGE_BYTES - 1); at < tile->arch->l1_bytes && at < end;
         at += TF_CODE_PAGE_BYTES)
        tf_code_page_make(tile, at);
}

void tf_gdb_arm(struct tf_gdb *gdb, struct tf_tile *tile, struct point *point)
{
    if (!tf_gdb_is_watch(point))
        return;
    if (point->address < tile->arch->l1_bytes)
        mark_watched(tile, point);
    else if (is_register(gdb, tile, point->address))
        point->known = tf_mmio_peek(tile, process_of(point->pid) % 8, point->address & ~3u, &point->last);
}

static struct tf_observer *observer_of(struct tf_gdb *gdb, unsigned pid)
{
    return &tf_gdb_chip(gdb, pid)->observer[process_of(pid) / 8].observer;
}

void tf_gdb_rearm(struct tf_gdb *gdb)
{
    for (unsigned chip = 0; chip < gdb->chips; chip++)
        for (unsigned i = 0; i < tf_chip_tiles(gdb->of[chip].chip); i++)
            gdb->of[chip].observer[i].observer.cores = 0;
    for (unsigned pid = 1; pid <= tf_gdb_processes(gdb); pid++) {
        unsigned core;
        struct tf_tile *tile = tf_gdb_is_attached(gdb, pid) ? tf_gdb_tile(gdb, pid, &core) : NULL;
        if (tile == NULL && gdb->past && gdb->present.pid == pid)
            tile = tf_gdb_tile(gdb, pid, &core);
        if (tile != NULL && (gdb->past || gdb->until != 0 || gdb->stepping == pid ||
                             (gdb->seek.pid == pid && !gdb->far) || gdb->end.pid == pid))
            observer_of(gdb, pid)->cores |= 1u << core;
    }
    for (struct point *point = gdb->points; point != NULL; point = point->next) {
        unsigned core;
        struct tf_tile *tile = tf_gdb_tile(gdb, point->pid, &core);
        if (tile == NULL || point->kind == POINT_CONDITION || gdb->far)
            continue;
        observer_of(gdb, point->pid)->cores |= tf_gdb_is_watch(point) ? 0xFFu : 1u << core;
        tf_gdb_arm(gdb, tile, point);
    }
}

bool tf_gdb_at_breakpoint(struct tf_gdb *gdb, unsigned pid, const struct tf_hart *hart)
{
    if (gdb->ends || (gdb->last.pid == pid && gdb->last.instret == hart->instret && gdb->last.pc == hart->pc))
        return false; /* the user wants no more of them, or GDB has seen it */
    for (const struct point *point = gdb->points; point != NULL; point = point->next)
        if (point->kind <= POINT_HARDWARE && point->pid == pid && point->address == hart->pc &&
            tf_gdb_condition(gdb, point))
            return true;
    return false;
}

bool tf_gdb_stands_at_breakpoint(struct tf_gdb *gdb, unsigned pid)
{
    unsigned core;
    const struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    gdb->last.pid = 0;
    return tile != NULL && tf_gdb_at_breakpoint(gdb, pid, &tile->hart[core]);
}

const char *tf_gdb_watch_reason(struct tf_gdb *gdb, unsigned kind, uint32_t address)
{
    static const char *const name[] = {[POINT_WRITE] = "watch", [POINT_READ] = "rwatch", [POINT_ACCESS] = "awatch"};
    if (kind < POINT_WRITE)
        return "";
    snprintf(gdb->watch, sizeof gdb->watch, "%s:%x;", name[kind], address);
    return gdb->watch;
}
