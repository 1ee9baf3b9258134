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

#include "debug/gdb/gdb.h"
#include "debug/gdb/packets.h"
#include "debug/gdb/say.h"
#include "debug/gdb/target.h"
#include "debug/gdb/monitor.h"
#include "debug/gdb/parts.h"
#include "debug/gdb/points.h"
#include "debug/gdb/snapshot.h"
#include "debug/gdb/stop.h"
#include "debug/gdb/watch.h"
#include "tile/node_text.h"
#include "tilefarm/tilefarm_config.h"

/* --- observations --- */

static void before(struct tf_observer *observer, struct tf_tile *tile, struct tf_hart *hart,
                   const struct tf_observed *observed)
{
    struct tf_gdb *gdb = ((struct gdb_observer *)observer)->gdb;
    gdb->on = ((struct gdb_observer *)observer)->on;
    unsigned pid = pid_of(gdb->on, tile->index, hart->core);
    (void)observed;
    if (gdb->left || !gdb->running || tf_snapshot_stops(gdb, pid, hart->instret))
        return;
    if (gdb->seek.pid != 0)
        return;
    tf_watch_registers(gdb, tile);
    if (gdb->end.pid != 0) {
        tf_snapshot_passes(gdb, pid, hart->instret, tf_gdb_at_breakpoint(gdb, pid, hart));
        return;
    }
    if (!gdb->running)
        return;
    if (gdb->until != 0 && hart->cycle >= gdb->until && tf_gdb_is_attached(gdb, pid)) {
        gdb->until = 0;
        tf_gdb_stop(gdb, pid, 5, "");
    } else if (tf_gdb_at_breakpoint(gdb, pid, hart)) {
        tf_gdb_stop(gdb, pid, 5, "");
    }
}

static void after(struct tf_observer *observer, struct tf_tile *tile, struct tf_hart *hart,
                  const struct tf_observed *observed)
{
    struct tf_gdb *gdb = ((struct gdb_observer *)observer)->gdb;
    gdb->on = ((struct gdb_observer *)observer)->on;
    unsigned pid = pid_of(gdb->on, tile->index, hart->core);
    if (gdb->left || !gdb->running || tf_snapshot_stops(gdb, pid, hart->instret) || gdb->seek.pid != 0)
        return;
    bool hit = tf_watch_core(gdb, tile, hart, observed);
    if (gdb->end.pid != 0)
        tf_snapshot_passes(gdb, pid, hart->instret, false);
    else if (!hit && gdb->stepping == pid)
        tf_gdb_stop(gdb, pid, 5, "");
}

/* --- the interface --- */

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

void tf_gdb_may_fork_client(struct tf_gdb *gdb, void (*begins)(void *user), void *user)
{
    gdb->reversible = gdb->client = true;
    gdb->begins = begins;
    gdb->user = user;
}

static struct tf_gdb *give_up(struct tf_gdb *gdb, struct tf_message *message, const char *where, const char *why)
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
    if (*port == '\0' || strspn(port, "0123456789") != strlen(port) || strtoul(port, NULL, 10) > UINT16_MAX)
        return give_up(NULL, message, where, "not [HOST:]PORT, with a port from 0 to 65535");
    int unknown = getaddrinfo(host, port, &hints, &found);
    if (unknown != 0)
        return give_up(NULL, message, where, gai_strerror(unknown));
    struct tf_gdb *gdb = calloc(1, sizeof *gdb);
    if (gdb == NULL) {
        freeaddrinfo(found);
        return give_up(NULL, message, where, "too little memory");
    }
    int on = 1;
    gdb->front = &tf_packets_front;
    gdb->connection = gdb->up = gdb->forward[0] = gdb->forward[1] = -1;
    gdb->listener = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool bound = gdb->listener >= 0 && setsockopt(gdb->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                 bind(gdb->listener, found->ai_addr, found->ai_addrlen) == 0 && listen(gdb->listener, 1) == 0;
    freeaddrinfo(found);
    if (!bound)
        return give_up(gdb, message, where, strerror(errno));
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

/* A stub has one client. Others are sent away, and do not wait for an answer. */
static void hear_no_more(struct tf_gdb *gdb)
{
    if (gdb->listener >= 0)
        close(gdb->listener);
    gdb->listener = -1;
}

void tf_gdb_close(struct tf_gdb *gdb)
{
    if (gdb == NULL)
        return;
    tf_packets_farewell(gdb);
    tf_snapshot_forget(gdb);
    for (unsigned i = 0; i < 2; i++)
        if (gdb->forward[i] >= 0)
            close(gdb->forward[i]);
    if (gdb->connection >= 0) {
        shutdown(gdb->connection, SHUT_RDWR); /* other processes may have that socket, too */
        close(gdb->connection);
    }
    hear_no_more(gdb);
    tf_gdb_drop_points(gdb);
    for (unsigned i = 0; i < gdb->chips; i++)
        free(gdb->of[i].observer);
    free(gdb->save);
    free(gdb);
}

static void observe(void *user, struct tf_tile *tile)
{
    struct gdb_chip *on = user;
    struct gdb_observer *observer = &on->observer[tile->index];
    *observer = (struct gdb_observer){
        .observer = {.next = tile->observer, .before = before, .after = after, .wrote = tf_watch_wrote},
        .gdb = on->gdb,
        .on = on};
    tile->observer = &observer->observer;
}

void tf_gdb_attach(struct tf_gdb *gdb, struct tf_chip *chip, struct tf_symbols *symbols)
{
    struct gdb_chip *on = &gdb->of[gdb->chips];
    *on = (struct gdb_chip){.number = gdb->chips++, .chip = chip, .symbols = symbols, .gdb = gdb};
    gdb->on = &gdb->of[0];
    on->observer = calloc(tf_chip_tiles(chip), sizeof *on->observer);
    for (unsigned i = 0; on->observer != NULL && i < chip->tiles.count; i++)
        observe(on, &chip->tiles.tile[i]);
    if (on->observer != NULL) {
        on->dram_tiles = (struct tf_dram_watch){.made = observe, .user = on};
        tf_dram_watch_begin(chip, &on->dram_tiles);
    }
    on->witness =
        (struct gdb_witness){.witness = {.begins = tf_watch_begins, .done = tf_watch_done}, .gdb = gdb, .on = on};
    tf_noc_log_witness(chip->observers.noc_log, &on->witness.witness);
    gdb->left |= on->observer == NULL;
}

void tf_gdb_drive(struct tf_gdb *gdb, const struct tf_gdb_driver *driver)
{
    gdb->driver = *driver;
}

static void leave(struct tf_gdb *gdb)
{
    tf_snapshot_forget(gdb);
    tf_gdb_drop_points(gdb);
    gdb->left = true;
    gdb->until = 0;
    tf_gdb_rearm(gdb);
}

void tf_gdb_begin(struct tf_gdb *gdb)
{
    int on = 1;
    if (!gdb->left && !gdb->front->terminal)
        gdb->connection = accept(gdb->listener, NULL, NULL);
    hear_no_more(gdb);
    if (gdb->left)
        return;
    if (!tf_gdb_is_served(gdb)) {
        leave(gdb);
        return;
    }
    if (!gdb->front->terminal)
        setsockopt(gdb->connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    gdb->stopping = true;
    tf_gdb_serve(gdb);
    gdb->stopping = false;
    if (gdb->left)
        leave(gdb);
}

void tf_gdb_poll(struct tf_gdb *gdb)
{
    if (tf_watch_all_registers(gdb))
        return;
    if (!tf_gdb_is_served(gdb) || gdb->seek.pid != 0 || gdb->end.pid != 0)
        return;
    const bool reached = gdb->until != 0 && tf_chip_cycles(gdb->on->chip) >= gdb->until; /* no core executes any more */
    if (!reached && !tf_packets_interrupted(gdb))
        return;
    gdb->until = reached ? 0 : gdb->until;
    unsigned core;
    unsigned pid = tf_gdb_tile(gdb, gdb->current, &core) != NULL ? gdb->current : tf_packets_first(gdb);
    if (pid != 0)
        tf_gdb_stop(gdb, pid, reached ? 5 : 2, "");
}

void tf_gdb_epoch(struct tf_gdb *gdb, unsigned chip)
{
    if (tf_gdb_is_served(gdb))
        tf_snapshot_epoch(gdb, &gdb->of[chip]);
}

/* Find a core at fault that GDB knows. If there is none, find any core that GDB knows. */
static unsigned faulted_process(struct tf_gdb *gdb, unsigned fallback)
{
    for (unsigned pid = 1; pid <= tf_gdb_processes(gdb); pid++) {
        unsigned core;
        const struct tf_tile *tile = tf_gdb_is_attached(gdb, pid) ? tf_gdb_tile(gdb, pid, &core) : NULL;
        if (tile != NULL && tile->hart[core].state == TF_CORE_FAULTED)
            return pid;
    }
    return fallback;
}

static void each_chip(struct tf_gdb *gdb, void (*call)(struct tf_gdb *gdb))
{
    struct gdb_chip *on = gdb->on;
    for (unsigned i = 0; i < gdb->chips; i++) {
        gdb->on = &gdb->of[i];
        call(gdb);
    }
    gdb->on = on;
}

static void say_faults(struct tf_gdb *gdb)
{
    size_t count = tf_fault_count(gdb->on->chip);
    struct tf_fault fault;
    if (count == 0 || tf_fault_get(gdb->on->chip, count - 1, &fault) != TF_OK)
        return;
    char place[TF_PLACE_BYTES], node[TF_NODE_TEXT_BYTES], chip[TF_GDB_CHIP_BYTES];
    tf_gdb_say(gdb, "fault: %s%s core %s, cycle %llu, pc 0x%08x%s, address 0x%llx: %s\n",
               tf_gdb_chip_text(gdb, gdb->on, chip), tf_node_text(gdb->on->chip->arch, fault.tile, node),
               tf_core_name(gdb->on->chip->arch, tf_node_kind(gdb->on->chip->arch, fault.tile), fault.core),
               (unsigned long long)fault.cycle, fault.pc, tf_gdb_place(gdb, fault.tile, fault.core, fault.pc, place),
               (unsigned long long)fault.address, fault.text);
}

bool tf_gdb_ends(const struct tf_gdb *gdb)
{
    return gdb != NULL && gdb->ends;
}

bool tf_gdb_saved(struct tf_gdb *gdb, enum tf_end end)
{
    struct tf_message message = {.text = ""};
    if (gdb->save == NULL)
        return false;
    tf_gdb_set_stop(gdb, false);
    if ((gdb->driver.save != NULL ? gdb->driver.save(gdb->driver.user, gdb->save, &message)
                                  : tf_chip_save(gdb->on->chip, gdb->save, &message)) == TF_OK)
        tf_gdb_say(gdb, "%s: saved at cycle %llu\n", gdb->save, (unsigned long long)tf_chip_cycles(gdb->on->chip));
    else
        tf_gdb_say(gdb, "save: %s\n", message.text);
    free(gdb->save);
    gdb->save = NULL;
    return end == TF_END_STOPPED;
}

bool tf_gdb_ended(struct tf_gdb *gdb, enum tf_end end)
{
    static const char *const text[] = {
        [TF_END_QUIET] = "all cores have ended or wait, and nothing is in flight",
        [TF_END_VALUE] = "the word of --until has reached its value",
        [TF_END_CYCLES] = "the limit of cycles is reached",
        [TF_END_FAULT] = "a fault",
        [TF_END_STOPPED] = "interrupted",
        [TF_END_TIME] = "the limit of time is reached",
    };
    if (!tf_gdb_is_served(gdb))
        return false;
    if (tf_watch_all_registers(gdb)) { /* the coprocessor went on after the last instruction of a core */
        if (gdb->left)
            leave(gdb);
        /* tf_run() would end for the same reasons again, unless GDB has changed something. GDB gets the other
           reasons now. */
        if (gdb->left || end == TF_END_QUIET || end == TF_END_VALUE)
            return !gdb->left;
    }
    if (gdb->end.pid != 0) /* no event comes before that place any more */
        tf_snapshot_passes(gdb, gdb->end.pid, gdb->end.instret, false);
    unsigned pid = gdb->current != 0 && tf_gdb_is_attached(gdb, gdb->current) ? gdb->current : tf_packets_first(gdb);
    gdb->over = end != TF_END_STOPPED;
    gdb->repeats = 0;
    tf_gdb_say(gdb,
               gdb->over || !gdb->front->terminal ? "The run has ended in cycle %llu: %s.\n" : "In cycle %llu: %s.\n",
               (unsigned long long)tf_chip_cycles(gdb->on->chip), text[end]);
    if (end == TF_END_FAULT)
        each_chip(gdb, say_faults);
    else if (end == TF_END_QUIET)
        tf_gdb_monitor(gdb, "waits");
    if (end == TF_END_FAULT)
        pid = faulted_process(gdb, pid);
    if (pid == 0)
        return false;
    tf_gdb_stop(gdb, pid, end == TF_END_FAULT ? 11 : 2, "");
    gdb->over = false;
    if (gdb->left)
        leave(gdb);
    return !gdb->left && (end != TF_END_STOPPED || gdb->front->terminal);
}
