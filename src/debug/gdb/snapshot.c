/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Going back. When GDB lets the chip run, the process forks: the child runs on, and the parent stays as a snapshot. To
 * go back, the child sends its parent the place, and ends. The parent runs to that place, because runs are
 * deterministic. A place is a process, the number of instructions that it has retired, and a number of steps. Steps are
 * acts of requests, landings of answers, and writes of a client. When the child ends, the parent ends in the same way.
 *
 * While the run goes forward, it leaves checkpoints: children that stand by. Those that lie far back are fewer: the
 * distance between two grows with the distance to them. To go back, the run passes the request to its last checkpoint,
 * tells its parent that the checkpoint takes its place, and ends. The checkpoint is a snapshot then. So a way back
 * repeats what the chip has executed since a checkpoint, and the way leaves checkpoints, too.
 *
 * A client of the library stays where it is: its snapshots and checkpoints are keepers. A keeper forks a process for
 * each way back, and waits for the next one.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "debug/gdb/say.h"
#include "debug/gdb/target.h"
#include "debug/gdb/parts.h"
#include "debug/gdb/points.h"
#include "debug/gdb/snapshot.h"
#include "debug/gdb/stop.h"
#include "farm/chip/dram_tiles.h"
#include "host/file.h"

#define DEPTH_MAX 128u /* most snapshots */
/* Instructions of the chip between checkpoints, at least. Before the epoch that comes to a place: a fork costs as much
   time as so many, and the next ways back begin there. */
#define CHECKPOINT_WORK 1000000u
#define CHECKPOINT_WORK_NEXT 50000u

enum { REPLY_STEP, REPLY_CONTINUE, REPLY_NONE, REPLY_PRESENT, REPLY_LEFT, REPLY_SUCCESSOR };

/* The request of a child to its snapshot, with GDB's state. */
struct reply {
    uint32_t kind;
    struct tf_gdb_place place, present;
    uint32_t current, points;
    int32_t successor; /* of REPLY_SUCCESSOR: the process that takes the place of the sender */
    uint64_t repeated; /* tf_gdb.repeated */
    uint8_t attached[sizeof((struct tf_gdb *)NULL)->attached];
};

/* Instructions that the cores of a chip have retired. Unlike tf_stats() this brings no tile up to date, which is not
   allowed within an epoch. */
static uint64_t work_of_chip(const struct tf_chip *chip)
{
    uint64_t work = 0;
    for (unsigned i = 0; i < tf_chip_tiles(chip); i++) {
        const struct tf_tile *tile = tf_chip_tile(chip, i);
        for (unsigned core = 0; tile != NULL && core < tile->arch->cores; core++)
            work += tile->hart[core].instret;
    }
    return work;
}

/* Those of all chips, as of the last epoch of each. */
static uint64_t work_of(const struct tf_gdb *gdb)
{
    uint64_t work = 0;
    for (unsigned i = 0; i < gdb->chips; i++)
        work += gdb->of[i].work;
    return work;
}

/* Those of all chips now. */
static uint64_t count_work(struct tf_gdb *gdb)
{
    for (unsigned i = 0; i < gdb->chips; i++)
        gdb->of[i].work = work_of_chip(gdb->of[i].chip);
    return work_of(gdb);
}

/* Send a message and GDB's state to another process. */
static bool tell_of(const struct tf_gdb *gdb, int fd, uint32_t kind, struct tf_gdb_place place, int successor)
{
    struct reply reply = {.kind = kind,
                          .place = place,
                          .present = gdb->present,
                          .current = gdb->current,
                          .successor = successor,
                          .repeated = gdb->repeated};
    memcpy(reply.attached, gdb->attached, sizeof reply.attached);
    for (const struct point *at = gdb->points; at != NULL; at = at->next)
        reply.points++;
    bool good = tf_write_all(fd, &reply, sizeof reply);
    for (const struct point *at = gdb->points; at != NULL && good; at = at->next)
        good = tf_write_all(fd, at, sizeof *at) && tf_write_all(fd, at->condition, at->condition_bytes);
    return good;
}

static bool tell(const struct tf_gdb *gdb, int fd, uint32_t kind, struct tf_gdb_place place)
{
    return tell_of(gdb, fd, kind, place, 0);
}

/* Send a message to the last checkpoint, or else to the snapshot, and end. The parent learns of its new child first,
   because the two use one pipe to it. A checkpoint may be gone: the process that this one was forked from has dropped
   it. Those of a client's process are keepers, which have no parent to tell. */
static void hand_back(struct tf_gdb *gdb, uint32_t kind, struct tf_gdb_place place)
{
    signal(SIGPIPE, SIG_IGN);
    while (gdb->checkpoints != 0) {
        const struct tf_checkpoint *last = &gdb->checkpoint[--gdb->checkpoints];
        if ((gdb->kept || tell_of(gdb, gdb->up, REPLY_SUCCESSOR, place, last->pid)) && tell(gdb, last->fd, kind, place))
            _exit(0);
    }
    _exit(tell(gdb, gdb->up, kind, place) ? 0 : 1);
}

static void read_points(struct tf_gdb *gdb, int fd, uint32_t count)
{
    tf_gdb_drop_points(gdb);
    for (uint32_t i = 0; i < count; i++) {
        struct point *point = calloc(1, sizeof *point);
        if (point == NULL || !tf_read_all(fd, point, sizeof *point)) {
            free(point);
            return;
        }
        point->condition = point->condition_bytes == 0 ? NULL : malloc(point->condition_bytes);
        point->next = gdb->points;
        gdb->points = point;
        if (point->condition == NULL)
            point->condition_bytes = 0;
        else if (!tf_read_all(fd, point->condition, point->condition_bytes))
            return;
    }
}

/* Read the message of another process. Returns false if that has ended. */
static bool receive_reply(struct tf_gdb *gdb, int fd, struct reply *reply)
{
    if (!tf_read_all(fd, reply, sizeof *reply))
        return false;
    read_points(gdb, fd, reply->points);
    memcpy(gdb->attached, reply->attached, sizeof gdb->attached);
    tf_gdb_select(gdb, reply->current);
    gdb->present = reply->present;
    gdb->repeated = reply->repeated;
    gdb->in_bytes = 0;
    free(gdb->save); /* the other process has already saved the chip, or GDB does not want that any more */
    gdb->save = NULL;
    tf_gdb_set_stop(gdb, false);
    return true;
}

/* Await the end of a child, and return its status. */
static int await(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* In a snapshot, wait for the child's request. If the child ends without one, this process ends in the same way. A
   child with a request ends as well, but the host takes milliseconds to free its memory: nobody waits for that. */
static void stay(struct tf_gdb *gdb, int fd, pid_t child, struct reply *reply)
{
    int status = 0;
    bool wanted;
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* a checkpoint of the child may become the child */
    while ((wanted = receive_reply(gdb, fd, reply)) && reply->kind == REPLY_SUCCESSOR)
        child = reply->successor;
    close(fd);
    if (wanted)
        return;
    status = await(child);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Continue in the child of a fork. Signals of the terminal may end it, and it ends when its parent ends. */
static void go_on(struct tf_gdb *gdb, const int *ends)
{
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    gdb->up = ends[1];
    gdb->depth++;
    gdb->checkpoints = 0; /* they are the parent's */
    gdb->stands_by = gdb->kept = false;
    gdb->began = count_work(gdb);
}

static uint64_t retired(struct tf_gdb *gdb, unsigned pid)
{
    unsigned core;
    const struct tf_tile *tile = tf_gdb_tile(gdb, pid, &core);
    return tile == NULL ? 0 : tile->hart[core].instret;
}

static struct tf_gdb_place place_of(struct tf_gdb *gdb, unsigned pid)
{
    return (struct tf_gdb_place){.pid = pid, .instret = retired(gdb, pid), .steps = gdb->steps, .by_step = true};
}

/* Is the chip at a place or past it, if the place's process has retired this many instructions? */
static bool reaches(const struct tf_gdb *gdb, struct tf_gdb_place place, uint64_t instret)
{
    return place.epoch == 0 && instret >= place.instret && (!place.by_step || gdb->steps >= place.steps);
}

static bool is_at(const struct tf_gdb *gdb, struct tf_gdb_place place, uint64_t instret)
{
    return instret == place.instret && (!place.by_step || gdb->steps == place.steps);
}

/* In each epoch the tile of a place runs before the others, so that it comes there before these touch their memory:
   each of their pages costs a page fault. No result depends on the order, but the number of steps up to a place
   does. */
static void run_first(struct tf_gdb *gdb, struct tf_gdb_place place)
{
    const struct gdb_chip *on = place.by_step ? NULL : tf_gdb_chip(gdb, place.pid);
    for (unsigned i = 0; i < gdb->chips; i++)
        gdb->of[i].chip->first = 0;
    if (on != NULL)
        on->chip->first = tf_chip_tile_node(on->chip, process_of(place.pid) / 8)->site + 1u;
}

static bool report_stop(struct tf_gdb *gdb, unsigned pid, const char *reason)
{
    gdb->undo.pid = 0;
    gdb->running = false;
    gdb->seek.pid = gdb->end.pid = gdb->hit.pid = 0;
    run_first(gdb, gdb->seek);
    tf_gdb_select(gdb, pid);
    tf_gdb_stopped(gdb, pid, 5, reason);
    return true;
}

/* Can the process not come to the place that is sought in so many cycles? It executes an instruction a cycle at
   most. */
static bool lies_beyond(struct tf_gdb *gdb, uint64_t cycles)
{
    return retired(gdb, gdb->seek.pid) + cycles < gdb->seek.instret;
}

/* Can it not come there before the next epoch has ended? Without observers the chip runs at its full speed. */
static bool is_far(struct tf_gdb *gdb)
{
    return gdb->seek.pid != 0 && !gdb->client && lies_beyond(gdb, 2ull * gdb->of[0].chip->rules.epoch_cycles_max);
}

/* Does the next epoch come to the place that is sought? */
static bool is_next(struct tf_gdb *gdb)
{
    const struct gdb_chip *on = tf_gdb_chip(gdb, gdb->seek.pid);
    return on != NULL &&
           !lies_beyond(gdb, tf_tick_begin(&on->chip->schedule, on->chip->epochs.tick + on->chip->epochs.ticks) -
                                 on->chip->epochs.cycles);
}

static void run_to(struct tf_gdb *gdb, struct tf_gdb_place seek, struct tf_gdb_place end)
{
    gdb->seek = seek;
    gdb->end = end;
    gdb->hit.pid = gdb->undo.pid = 0;
    gdb->stepping = 0;
    gdb->until = 0;
    gdb->running = true;
    gdb->far = is_far(gdb);
    run_first(gdb, seek);
    tf_gdb_rearm(gdb);
}

/* No event was found between this snapshot and the next one. Returns true if the process has stopped here. */
static bool look_in_parent(struct tf_gdb *gdb, unsigned pid)
{
    unsigned stopped = gdb->last.pid != 0 ? gdb->last.pid : pid;
    if (gdb->stands_by)
        hand_back(gdb, REPLY_CONTINUE, (struct tf_gdb_place){.pid = pid, .epoch = gdb->epochs});
    if (tf_gdb_stands_at_breakpoint(gdb, stopped))
        return report_stop(gdb, stopped, "");
    if (gdb->up >= 0)
        hand_back(gdb, REPLY_CONTINUE, place_of(gdb, stopped));
    return report_stop(gdb, stopped, "replaylog:begin;");
}

/* After a watchpoint was hit, GDB steps back. */
static void remember(struct tf_gdb *gdb, struct tf_gdb_place place)
{
    gdb->undo = place.kind != 0 && place.others ? place : (struct tf_gdb_place){.pid = 0};
}

/* Tell GDB that it is back at a place. */
static const char *reason_at(struct tf_gdb *gdb, struct tf_gdb_place place)
{
    if (place.kind != 0 && place.who[0] != '\0')
        tf_gdb_say(gdb, "%s\n", place.who);
    return tf_gdb_watch_reason(gdb, place.kind, place.watch);
}

/* Do what a child asks for. Returns true if that is done here, and false if the process must run on. */
static bool obey(struct tf_gdb *gdb, const struct reply *reply)
{
    const struct tf_gdb_place none = {.pid = 0}, place = reply->place;
    uint64_t position = retired(gdb, place.pid);
    if (reply->kind == REPLY_NONE)
        return look_in_parent(gdb, place.pid);
    if (reply->kind == REPLY_STEP && !gdb->stands_by && is_at(gdb, place, position)) {
        report_stop(gdb, place.pid, reason_at(gdb, place));
        remember(gdb, place);
        return true;
    }
    if (reply->kind == REPLY_STEP && reaches(gdb, place, position)) {
        if (gdb->up >= 0)
            hand_back(gdb, REPLY_STEP, place);
        return report_stop(gdb, place.pid, "replaylog:begin;");
    }
    run_to(gdb, reply->kind == REPLY_STEP ? place : none, reply->kind == REPLY_STEP ? none : place);
    return false;
}

/* --- a client's process, which always stays in the present --- */

/* A keeper holds the chip in the state in which GDB let it run. To go back there, it forks a child: the past. */
static bool keep(struct tf_gdb *gdb, int fd)
{
    for (;;) {
        struct reply reply;
        int status;
        if (!receive_reply(gdb, fd, &reply) || reply.kind == REPLY_LEFT)
            _exit(0);
        pid_t child = fork();
        if (child == 0) {
            int null_device = open("/dev/null", O_WRONLY | O_CLOEXEC);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            close(fd);
            if (null_device >= 0) /* this was reported in the present */
                dup2(null_device, STDERR_FILENO);
            gdb->past = gdb->kept = true;
            gdb->begins(gdb->user);
            return obey(gdb, &reply) || tf_snapshot_take(gdb);
        }
        while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
            tell(gdb, gdb->forward[1], REPLY_LEFT, reply.place);
    }
}

/* Fork a keeper. Returns false in the client's process. In the past it returns as tf_snapshot_take() does. */
static bool leave_keeper(struct tf_gdb *gdb)
{
    int ends[2];
    if ((gdb->forward[1] < 0 && pipe2(gdb->forward, O_CLOEXEC) != 0) || gdb->depth >= DEPTH_MAX ||
        pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        close(gdb->forward[0]);
        return keep(gdb, ends[0]);
    }
    close(ends[0]);
    if (child < 0) {
        close(ends[1]);
        return false;
    }
    if (gdb->up >= 0)
        close(gdb->up); /* the new keeper has the previous one as parent, */
    while (gdb->checkpoints != 0)
        close(gdb->checkpoint[--gdb->checkpoints].fd); /* and the checkpoints since then */
    gdb->up = ends[1];
    gdb->began = count_work(gdb);
    gdb->depth++;
    return false;
}

/* Let the past serve GDB until GDB returns to the present. */
static void visit_past(struct tf_gdb *gdb, uint32_t kind, struct tf_gdb_place place)
{
    struct reply reply = {.kind = REPLY_LEFT};
    const int keeper = gdb->checkpoints != 0 ? gdb->checkpoint[gdb->checkpoints - 1].fd : gdb->up;
    gdb->present = place_of(gdb, place.pid);
    if (tell(gdb, keeper, kind, place) && receive_reply(gdb, gdb->forward[0], &reply) && reply.kind == REPLY_PRESENT) {
        tf_gdb_select(gdb, gdb->present.pid);
        tf_gdb_stopped(gdb, gdb->current, 5, "replaylog:end;");
    } else {
        gdb->left = gdb->running = true;
    }
}

/* The search has come to its end. */
static void end_search(struct tf_gdb *gdb, unsigned pid)
{
    gdb->repeated += count_work(gdb) - gdb->began;
    if (gdb->hit.pid != 0)
        hand_back(gdb, REPLY_STEP, gdb->hit);
    hand_back(gdb, REPLY_NONE, place_of(gdb, pid));
}

/* --- checkpoints --- */

/* The process of a checkpoint. Returns in a child that goes to the place of a request. That of a client's process is a
   keeper, which can be asked again: the client stays in the present. */
static bool stand_by(struct tf_gdb *gdb, int fd)
{
    struct reply reply;
    gdb->stands_by = true;
    if (gdb->client && !gdb->past) {
        close(gdb->forward[0]);
        return keep(gdb, fd);
    }
    if (!receive_reply(gdb, fd, &reply) || reply.kind == REPLY_LEFT)
        _exit(0);
    close(fd);
    return obey(gdb, &reply) || tf_snapshot_take(gdb);
}

static void drop_checkpoint(struct tf_gdb *gdb, unsigned number)
{
    const struct tf_checkpoint gone = gdb->checkpoint[number];
    tell(gdb, gone.fd, REPLY_LEFT, (struct tf_gdb_place){.pid = 0});
    close(gone.fd);
    await(gone.pid);
    gdb->checkpoints--;
    memmove(&gdb->checkpoint[number], &gdb->checkpoint[number + 1],
            (gdb->checkpoints - number) * sizeof gdb->checkpoint[0]);
}

/* Drop the checkpoint whose neighbours lie closest together, measured by their distance from here. */
static void thin_checkpoints(struct tf_gdb *gdb, uint64_t work)
{
    unsigned best = 0;
    double least = 2;
    for (unsigned i = 0; i + 1 < gdb->checkpoints; i++) {
        const uint64_t before = i == 0 ? gdb->began : gdb->checkpoint[i - 1].work;
        const double gap = (double)(gdb->checkpoint[i + 1].work - before) / (double)(work - before);
        if (gap < least) {
            least = gap;
            best = i;
        }
    }
    drop_checkpoint(gdb, best);
}

/* Returns true as tf_snapshot_take() does. */
static bool leave_checkpoint(struct tf_gdb *gdb, uint64_t work)
{
    int ends[2];
    if (gdb->checkpoints == TF_CHECKPOINTS_MAX)
        thin_checkpoints(gdb, work);
    if (!gdb->client)
        fflush(NULL);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        return stand_by(gdb, ends[0]);
    }
    close(ends[0]);
    if (child < 0) {
        close(ends[1]);
        return false;
    }
    gdb->checkpoint[gdb->checkpoints++] = (struct tf_checkpoint){ends[1], child, work};
    return false;
}

void tf_snapshot_epoch(struct tf_gdb *gdb, struct gdb_chip *on)
{
    gdb->epochs++;
    if (!gdb->reversible || !gdb->running || gdb->left || gdb->up < 0)
        return;
    if (gdb->end.pid != 0) {
        if (gdb->end.epoch != 0 && gdb->epochs >= gdb->end.epoch)
            end_search(gdb, gdb->end.pid);
        return;
    }
    if (gdb->far && !is_far(gdb)) {
        gdb->far = false;
        tf_gdb_rearm(gdb);
    }
    on->work = work_of_chip(on->chip);
    const uint64_t work = work_of(gdb);
    const uint64_t last = gdb->checkpoints == 0 ? gdb->began : gdb->checkpoint[gdb->checkpoints - 1].work;
    const uint64_t least = is_next(gdb) ? CHECKPOINT_WORK_NEXT : CHECKPOINT_WORK;
    if (gdb->stepping != 0 || gdb->kept || work - last < least || !leave_checkpoint(gdb, work))
        return;
    gdb->stopping = true;
    tf_gdb_serve(gdb);
    gdb->stopping = false;
}

void tf_snapshot_forget(struct tf_gdb *gdb)
{
    while (gdb->checkpoints != 0)
        drop_checkpoint(gdb, gdb->checkpoints - 1);
    if (!gdb->client || gdb->past || gdb->up < 0)
        return;
    close(gdb->up);
    gdb->up = -1;
}

void tf_gdb_present(struct tf_gdb *gdb)
{
    _exit(tell(gdb, gdb->forward[1], gdb->left ? REPLY_LEFT : REPLY_PRESENT, gdb->present) ? 0 : 1);
}

bool tf_snapshot_take(struct tf_gdb *gdb)
{
    if (gdb->client && !gdb->past)
        return gdb->stepping == 0 || gdb->depth == 0 ? leave_keeper(gdb) : false;
    while (gdb->reversible && gdb->depth < DEPTH_MAX && (gdb->stepping == 0 || gdb->depth == 0)) {
        int ends[2];
        struct reply reply;
        while (waitpid(-1, NULL, WNOHANG) > 0) /* children that have ended since their requests */
            ;
        if (!gdb->client)
            fflush(NULL);
        if (pipe2(ends, O_CLOEXEC) != 0)
            return false;
        pid_t child = fork();
        if (child == 0)
            go_on(gdb, ends);
        else
            close(ends[1]);
        if (child < 0)
            close(ends[0]);
        if (child <= 0)
            return false;
        stay(gdb, ends[0], child, &reply);
        if (obey(gdb, &reply))
            return true;
    }
    return false;
}

void tf_snapshot_reverse(struct tf_gdb *gdb, bool step)
{
    struct tf_gdb_place place = place_of(gdb, gdb->current);
    bool undoes = step && gdb->undo.pid != 0 && gdb->undo.pid == gdb->current;
    if (gdb->up < 0 || (step && !undoes && place.instret == 0)) {
        tf_gdb_stopped(gdb, gdb->current, 5, "replaylog:begin;");
        return;
    }
    place.steps -= undoes;
    place.instret -= step && !undoes;
    place.by_step &= !step || undoes;
    gdb->repeated = 0;
    if (gdb->client && !gdb->past)
        visit_past(gdb, step ? REPLY_STEP : REPLY_CONTINUE, place);
    else
        hand_back(gdb, step ? REPLY_STEP : REPLY_CONTINUE, place);
}

bool tf_snapshot_stops(struct tf_gdb *gdb, unsigned pid, uint64_t instret)
{
    const struct tf_gdb_place place = gdb->seek;
    if (gdb->past && place.pid == 0 && gdb->end.pid == 0 && gdb->present.pid == pid &&
        reaches(gdb, gdb->present, instret))
        tf_gdb_present(gdb);
    if (place.pid != pid || !reaches(gdb, place, instret))
        return false;
    gdb->seek.pid = 0;
    gdb->far = false;
    run_first(gdb, gdb->seek);
    gdb->repeated += count_work(gdb) - gdb->began;
    remember(gdb, place);
    tf_gdb_stop(gdb, pid, 5, reason_at(gdb, place));
    return true;
}

void tf_snapshot_passes(struct tf_gdb *gdb, unsigned pid, uint64_t instret, bool at_breakpoint)
{
    if (gdb->end.pid == pid && reaches(gdb, gdb->end, instret))
        end_search(gdb, pid);
    if (at_breakpoint)
        gdb->hit = place_of(gdb, pid);
}

void tf_snapshot_hit(struct tf_gdb *gdb, unsigned pid, const struct point *point)
{
    gdb->hit = place_of(gdb, pid);
    gdb->hit.by_step = gdb->hit.others = gdb->stepped;
    memcpy(gdb->hit.who, gdb->who, sizeof gdb->hit.who);
    gdb->hit.watch = point->address;
    gdb->hit.kind = point->kind;
}

void tf_snapshot_stepped(struct tf_gdb *gdb)
{
    unsigned pid = gdb->seek.pid != 0 ? gdb->seek.pid : gdb->end.pid != 0 ? gdb->end.pid : gdb->present.pid;
    if (gdb->left || !gdb->running || pid == 0)
        return;
    if (gdb->end.pid != 0)
        tf_snapshot_passes(gdb, pid, retired(gdb, pid), false);
    else
        tf_snapshot_stops(gdb, pid, retired(gdb, pid));
}
