/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets, packets, and when to stop. Source: GDB manual, appendix "GDB Remote Serial Protocol". */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "debug/packets.h"
#include "debug/parts.h"
#include "tile/riscv/page.h"

struct tf_tile *tf_gdb_tile(struct tf_gdb *gdb, unsigned pid, unsigned *core)
{
    unsigned tile = (pid - 1) / 8;
    *core = (pid - 1) % 8;
    if (pid == 0 || gdb->chip == NULL || tile >= gdb->chip->tiles || *core >= gdb->chip->tile[tile].arch->cores)
        return NULL;
    return &gdb->chip->tile[tile];
}

/* --- what observers look at --- */

static bool is_watch(const struct point *point)
{
    return point->kind >= POINT_WRITE;
}

/* Watched ranges of L1 count as code, so that all who write there say so. */
static void mark_watched(struct tf_tile *tile, const struct point *point)
{
    for (uint32_t at = point->address & ~(TF_CODE_PAGE_BYTES - 1);
         at < tile->arch->l1_bytes && at < point->address + point->bytes; at += TF_CODE_PAGE_BYTES)
        tf_code_page_make(tile, at);
}

void tf_gdb_rearm(struct tf_gdb *gdb)
{
    for (unsigned i = 0; i < gdb->chip->tiles; i++)
        gdb->observer[i].observer.cores = 0;
    for (unsigned pid = 1; pid <= PROCESSES_MAX; pid++) {
        unsigned core;
        struct tf_tile *tile = gdb->attached[pid] ? tf_gdb_tile(gdb, pid, &core) : NULL;
        if (tile != NULL && (gdb->until != 0 || gdb->stepping == pid || gdb->seek.pid == pid || gdb->end.pid == pid))
            gdb->observer[tile->index].observer.cores |= 1u << core;
    }
    for (const struct point *point = gdb->points; point != NULL; point = point->next) {
        unsigned core;
        struct tf_tile *tile = tf_gdb_tile(gdb, point->pid, &core);
        if (tile == NULL)
            continue;
        gdb->observer[tile->index].observer.cores |= is_watch(point) ? 0xFFu : 1u << core;
        if (is_watch(point) && point->address < tile->arch->l1_bytes)
            mark_watched(tile, point);
    }
}

static void stop(struct tf_gdb *gdb, unsigned pid, unsigned signal, const char *reason)
{
    unsigned core;
    const struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    gdb->last.pid = pid;
    gdb->last.instret = tile->hart[core].instret;
    gdb->last.pc = tile->hart[core].pc;
    gdb->stopping = true;
    gdb->running = false;
    gdb->stepping = 0;
    gdb->current = pid;
    tf_packets_stopped(gdb, pid, signal, reason);
    tf_packets_serve(gdb);
    gdb->stopping = false;
}

/* The process to report for an event in a tile: one that GDB knows. */
static unsigned known_process(const struct tf_gdb *gdb, unsigned pid, unsigned fallback)
{
    return gdb->attached[pid] ? pid : fallback;
}

static bool touches(const struct point *point, uint32_t address, uint32_t bytes)
{
    return address < point->address + point->bytes && point->address < address + bytes;
}

/* The watchpoint of a tile that an access hits. */
static const struct point *watched_by(struct tf_gdb *gdb, const struct tf_tile *tile, unsigned core, uint32_t address,
                                      uint32_t bytes, bool loads, bool stores)
{
    for (const struct point *point = gdb->points; point != NULL; point = point->next) {
        unsigned own;
        const struct tf_tile *at = is_watch(point) ? tf_gdb_tile(gdb, point->pid, &own) : NULL;
        bool kind = point->kind == POINT_ACCESS || (point->kind == POINT_WRITE && stores) ||
                    (point->kind == POINT_READ && loads);
        bool shared = address - TF_LOCAL_BASE >= TF_LOCAL_BYTES || own == core; /* each core has RAM of its own there */
        if (at == tile && kind && shared && touches(point, address, bytes))
            return point;
    }
    return NULL;
}

static void hit_watch(struct tf_gdb *gdb, const struct point *point, unsigned pid)
{
    static const char *const name[] = {[POINT_WRITE] = "watch", [POINT_READ] = "rwatch", [POINT_ACCESS] = "awatch"};
    snprintf(gdb->watch, sizeof gdb->watch, "%s:%x;", name[point->kind], point->address);
    stop(gdb, pid, 5, gdb->watch);
}

static bool at_breakpoint(struct tf_gdb *gdb, unsigned pid, const struct tf_hart *hart)
{
    if (gdb->last.pid == pid && gdb->last.instret == hart->instret && gdb->last.pc == hart->pc)
        return false; /* GDB has seen it */
    for (const struct point *point = gdb->points; point != NULL; point = point->next)
        if (!is_watch(point) && point->pid == pid && point->address == hart->pc && tf_gdb_condition(gdb, point))
            return true;
    return false;
}

bool tf_gdb_stands_at_breakpoint(struct tf_gdb *gdb, unsigned pid)
{
    unsigned core;
    const struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    gdb->last.pid = 0;
    return tile != NULL && at_breakpoint(gdb, pid, &tile->hart[core]);
}

static void before(struct tf_observer *observer, struct tf_tile *tile, struct tf_hart *hart,
                   const struct tf_observed *observed)
{
    struct tf_gdb *gdb = ((struct gdb_observer *)observer)->gdb;
    unsigned pid = pid_of(tile->index, hart->core);
    (void)observed;
    if (gdb->left || !gdb->running)
        return;
    if (gdb->seek.pid != 0) {
        if (tf_snapshot_arrives(gdb, pid, hart->instret))
            stop(gdb, pid, 5, "");
        return;
    }
    if (gdb->end.pid != 0) {
        tf_snapshot_passes(gdb, pid, hart->instret, at_breakpoint(gdb, pid, hart));
        return;
    }
    if (gdb->until != 0 && hart->cycle >= gdb->until && gdb->attached[pid]) {
        gdb->until = 0;
        stop(gdb, pid, 5, "");
    } else if (at_breakpoint(gdb, pid, hart)) {
        stop(gdb, pid, 5, "");
    }
}

static void after(struct tf_observer *observer, struct tf_tile *tile, struct tf_hart *hart,
                  const struct tf_observed *observed)
{
    struct tf_gdb *gdb = ((struct gdb_observer *)observer)->gdb;
    unsigned pid = pid_of(tile->index, hart->core);
    if (gdb->left || !gdb->running || gdb->end.pid != 0)
        return;
    if (gdb->seek.pid != 0) {
        if (tf_snapshot_arrives(gdb, pid, hart->instret))
            stop(gdb, pid, 5, "");
        return;
    }
    const struct point *point = !observed->reach.loads && !observed->reach.stores
                                    ? NULL
                                    : watched_by(gdb, tile, hart->core, observed->reach.address, observed->reach.bytes,
                                                 observed->reach.loads, observed->reach.stores);
    if (point != NULL) {
        if (!gdb->attached[pid] || pid != point->pid)
            tf_gdb_say(gdb, "core %s of tile %u %s 0x%x at pc 0x%08x, cycle %llu\n", tile->arch->core_name[hart->core],
                       tile->index, observed->reach.stores ? "wrote" : "read", observed->reach.address,
                       observed->reach.pc, (unsigned long long)observed->cycle);
        hit_watch(gdb, point, known_process(gdb, pid, point->pid));
    } else if (gdb->stepping == pid) {
        stop(gdb, pid, 5, "");
    }
}

static const char *const kinds[] = {[TF_NOC_READ] = "read",
                                    [TF_NOC_WRITE] = "write",
                                    [TF_NOC_WRITE_BE] = "masked write",
                                    [TF_NOC_WRITE_INLINE] = "inline write",
                                    [TF_NOC_ATOMIC] = "atomic"};

static void wrote(struct tf_observer *observer, struct tf_tile *tile, uint32_t address, uint32_t bytes)
{
    struct tf_gdb *gdb = ((struct gdb_observer *)observer)->gdb;
    const struct point *point = watched_by(gdb, tile, TF_FROM_NOC, address, bytes, false, true);
    for (const struct point *at = gdb->points; at != NULL; at = at->next)
        if (is_watch(at) && (at->pid - 1) / 8 == tile->index)
            mark_watched(tile, at);
    if (point == NULL || gdb->left || !gdb->running || gdb->stopping || gdb->seek.pid != 0 || gdb->end.pid != 0)
        return;
    const struct tf_noc_request *request = gdb->chip->worker[0].sink.acting;
    if (request != NULL) {
        const struct tf_node *source = &gdb->chip->fabric->node[request->source];
        tf_gdb_say(gdb, "NOC %u: %s of (%u,%u) core %s, pc 0x%08x, cycle %llu, wrote 0x%x, %u bytes\n", request->noc,
                   kinds[request->kind], source->coord.x, source->coord.y,
                   tf_core_name_at(gdb->chip->arch, source->coord, request->core), request->pc,
                   (unsigned long long)request->cycle, address, bytes);
    } else {
        tf_gdb_say(gdb, "the coprocessor, or an answer from the NOC, wrote 0x%x, %u bytes, cycle %llu\n", address,
                   bytes, (unsigned long long)tile->now);
    }
    hit_watch(gdb, point, point->pid);
}

/* --- the interface --- */

void tf_gdb_noc(struct tf_gdb *gdb, const struct tf_noc_event *event)
{
    if (gdb->dram.bytes == 0 || event->step != TF_NOC_ACTED || event->kind == TF_NOC_READ || gdb->left ||
        !gdb->running || gdb->seek.pid != 0 || gdb->end.pid != 0)
        return;
    const struct tf_node *node = &gdb->chip->fabric->node[tf_node_number(gdb->chip, event->target)];
    if (node->kind != TF_NODE_DRAM || node->index != gdb->dram.channel ||
        event->address >= gdb->dram.address + gdb->dram.bytes || gdb->dram.address >= event->address + event->bytes)
        return;
    unsigned core;
    unsigned pid = tf_gdb_tile(gdb, gdb->current, &core) != NULL ? gdb->current : tf_packets_first(gdb);
    tf_gdb_say(gdb, "NOC %u: %s of (%u,%u) core %s wrote DRAM channel %u, 0x%llx, %u bytes\n", event->noc,
               kinds[event->kind], event->initiator.x, event->initiator.y,
               tf_core_name_at(gdb->chip->arch, event->initiator, event->core), node->index,
               (unsigned long long)event->address, event->bytes);
    if (pid != 0)
        stop(gdb, pid, 5, "");
}

void tf_gdb_configure(struct tf_config *config)
{
    config->threads = 1;
    config->parking = false;
    config->mode = TF_MODE_DETERMINISTIC;
}

void tf_gdb_may_fork(struct tf_gdb *gdb)
{
    gdb->reversible = true;
}

static struct tf_gdb *fail(struct tf_gdb *gdb, struct tf_message *message, const char *where, const char *why)
{
    snprintf(message->text, sizeof message->text, "%.100s: %s", where, why);
    if (gdb != NULL)
        tf_gdb_close(gdb);
    return NULL;
}

struct tf_gdb *tf_gdb_open(const char *where, struct tf_message *message)
{
    char host[128] = "127.0.0.1";
    const char *port = strrchr(where, ':');
    if (port != NULL && port != where)
        snprintf(host, sizeof host, "%.*s", (int)(port - where), where);
    port = port == NULL ? where : port + 1;
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found;
    if (*port == '\0' || strspn(port, "0123456789") != strlen(port) || getaddrinfo(host, port, &hints, &found) != 0)
        return fail(NULL, message, where, "not [HOST:]PORT");
    struct tf_gdb *gdb = calloc(1, sizeof *gdb);
    if (gdb == NULL) {
        freeaddrinfo(found);
        return fail(NULL, message, where, "too little memory");
    }
    int on = 1;
    gdb->connection = gdb->up = -1;
    gdb->listener = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool bound = gdb->listener >= 0 && setsockopt(gdb->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                 bind(gdb->listener, found->ai_addr, found->ai_addrlen) == 0 && listen(gdb->listener, 1) == 0;
    freeaddrinfo(found);
    if (!bound)
        return fail(gdb, message, where, strerror(errno));
    struct sockaddr_storage address;
    socklen_t bytes = sizeof address;
    getsockname(gdb->listener, (struct sockaddr *)&address, &bytes);
    gdb->port = ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                                    : ((struct sockaddr_in *)&address)->sin_port);
    return gdb;
}

unsigned tf_gdb_port(const struct tf_gdb *gdb)
{
    return gdb->port;
}

void tf_gdb_drop_points(struct tf_gdb *gdb)
{
    for (struct point *at = gdb->points, *next; at != NULL; at = next) {
        next = at->next;
        free(at->condition);
        free(at);
    }
    gdb->points = NULL;
}

void tf_gdb_close(struct tf_gdb *gdb)
{
    if (gdb == NULL)
        return;
    tf_packets_farewell(gdb);
    if (gdb->connection >= 0)
        close(gdb->connection);
    if (gdb->listener >= 0)
        close(gdb->listener);
    tf_gdb_drop_points(gdb);
    free(gdb->observer);
    free(gdb);
}

void tf_gdb_attach(struct tf_gdb *gdb, struct tf_chip *chip, struct tf_symbols *symbols)
{
    gdb->chip = chip;
    gdb->symbols = symbols;
    gdb->observer = calloc(chip->tiles, sizeof *gdb->observer);
    for (unsigned i = 0; gdb->observer != NULL && i < chip->tiles; i++) {
        struct tf_tile *tile = &chip->tile[i];
        gdb->observer[i] = (struct gdb_observer){
            .observer = {.next = tile->observer, .before = before, .after = after, .wrote = wrote}, .gdb = gdb};
        tile->observer = &gdb->observer[i].observer;
    }
    gdb->left = gdb->observer == NULL;
}

static void leave(struct tf_gdb *gdb)
{
    tf_gdb_drop_points(gdb);
    gdb->left = true;
    gdb->until = 0;
    tf_gdb_rearm(gdb);
}

void tf_gdb_begin(struct tf_gdb *gdb)
{
    int on = 1;
    if (gdb->left)
        return;
    gdb->connection = accept(gdb->listener, NULL, NULL);
    if (gdb->connection < 0) {
        leave(gdb);
        return;
    }
    setsockopt(gdb->connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    gdb->stopping = true;
    tf_packets_serve(gdb);
    gdb->stopping = false;
    if (gdb->left)
        leave(gdb);
}

void tf_gdb_poll(struct tf_gdb *gdb)
{
    if (gdb->left || gdb->connection < 0 || !tf_packets_interrupted(gdb))
        return;
    if (gdb->seek.pid != 0 || gdb->end.pid != 0)
        return;
    unsigned core;
    unsigned pid = tf_gdb_tile(gdb, gdb->current, &core) != NULL ? gdb->current : tf_packets_first(gdb);
    if (pid != 0)
        stop(gdb, pid, 2, "");
}

/* A core at fault that GDB knows, or any that it knows. */
static unsigned faulted_process(struct tf_gdb *gdb, unsigned fallback)
{
    for (unsigned pid = 1; pid <= PROCESSES_MAX; pid++) {
        unsigned core;
        const struct tf_tile *tile = gdb->attached[pid] ? tf_gdb_tile(gdb, pid, &core) : NULL;
        if (tile != NULL && tile->hart[core].state == TF_CORE_FAULTED)
            return pid;
    }
    return fallback;
}

static void say_faults(struct tf_gdb *gdb)
{
    size_t count = tf_fault_count(gdb->chip);
    struct tf_fault fault;
    if (count == 0 || tf_fault_get(gdb->chip, count - 1, &fault) != TF_OK)
        return;
    tf_gdb_say(gdb, "fault: (%u,%u) core %s, cycle %llu, pc 0x%08x, address 0x%llx: %s\n", fault.tile.x, fault.tile.y,
               tf_core_name_at(gdb->chip->arch, fault.tile, fault.core), (unsigned long long)fault.cycle, fault.pc,
               (unsigned long long)fault.address, fault.text);
}

bool tf_gdb_ended(struct tf_gdb *gdb, enum tf_end end)
{
    static const char *const text[] = {
        [TF_END_QUIET] = "no core runs, and nothing is under way",
        [TF_END_VALUE] = "the word of --until has its value",
        [TF_END_CYCLES] = "the limit of cycles is reached",
        [TF_END_FAULT] = "a fault",
        [TF_END_STOPPED] = "interrupted",
    };
    if (gdb->left || gdb->connection < 0)
        return false;
    unsigned pid = gdb->current != 0 && gdb->attached[gdb->current] ? gdb->current : tf_packets_first(gdb);
    tf_gdb_say(gdb, "The run has ended in cycle %llu: %s.\n", (unsigned long long)tf_chip_cycles(gdb->chip), text[end]);
    if (end == TF_END_FAULT)
        say_faults(gdb);
    else if (end == TF_END_QUIET)
        tf_gdb_monitor(gdb, "waits");
    if (end == TF_END_FAULT)
        pid = faulted_process(gdb, pid);
    if (pid == 0)
        return false;
    stop(gdb, pid, end == TF_END_FAULT ? 11 : 2, "");
    if (gdb->left)
        leave(gdb);
    return !gdb->left && end != TF_END_STOPPED;
}
