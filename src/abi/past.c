/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Going back under TILEFARM_GDB. The library records the client's calls in memory (recording.h). To go back, the
 * debugger uses a fork of the client, in the middle of a call (debug/gdb/snapshot.c). When the interrupted call ends
 * there, the fork repeats the next calls.
 */
#include "abi/past.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/abi.h"
#include "abi/recording.h"
#include "debug/gdb/snapshot.h"

struct abi_past {
    int fd;         /* the calls of the client: for each call a struct, and its data */
    off_t at;       /* where the next record is written, or, in the past, read */
    bool plays;     /* this process is the past, */
    bool in_player; /* and is inside abi_past_go_on() */
    bool full;      /* the host had too little memory, so later calls are not recorded */
    abi_play_call *play;
    uint8_t *data;
    size_t room;
};

static void begins(void *user)
{
    struct abi *abi = user;
    abi->past->plays = true;
    abi->exit_on_fault = false; /* the client's process did not exit here */
    abi->hang = (struct abi_hang){.on = false};
}

void abi_past_begin(struct abi *abi, abi_play_call *play)
{
    struct abi_past *past = abi->gdb == NULL ? NULL : calloc(1, sizeof *past);
    if (past == NULL)
        return;
    past->fd = memfd_create("tilefarm calls", MFD_CLOEXEC);
    if (past->fd < 0) {
        free(past);
        return;
    }
    past->play = play;
    abi->past = past;
    tf_gdb_may_fork_client(abi->gdb, begins, abi);
}

void abi_past_end(struct abi *abi)
{
    if (abi->past == NULL)
        return;
    close(abi->past->fd);
    free(abi->past->data);
    free(abi->past);
    abi->past = NULL;
}

static bool move(struct abi_past *past, void *data, size_t bytes, bool writes)
{
    for (uint8_t *at = data; bytes > 0;) {
        ssize_t done = writes ? pwrite(past->fd, at, bytes, past->at) : pread(past->fd, at, bytes, past->at);
        if (done == 0 || (done < 0 && errno != EINTR))
            return false;
        if (done > 0) {
            at += done;
            bytes -= (size_t)done;
            past->at += done;
        }
    }
    return true;
}

void abi_past_put(struct abi *abi, const void *data, size_t bytes)
{
    struct abi_past *past = abi->past;
    if (!past->plays && !past->full)
        past->full = !move(past, (void *)(uintptr_t)data, bytes, true);
}

bool abi_past_host_read(struct abi *abi, uint64_t address, void *data, uint32_t bytes)
{
    struct recorded recorded;
    if (abi->past == NULL || !abi->past->plays)
        return false;
    memset(data, 0, bytes);
    if (!move(abi->past, &recorded, sizeof recorded, false) || recorded.kind != RECORDED_HOST_READ ||
        recorded.address != address || recorded.bytes != bytes || !move(abi->past, data, bytes, false))
        tf_gdb_present(abi->gdb);
    return true;
}

bool abi_past_plays(const struct abi *abi)
{
    return abi->past != NULL && abi->past->plays;
}

/* Read the next record. Returns false if there are no more. */
static bool next(struct abi_past *past, struct recorded *call)
{
    if (!move(past, call, sizeof *call, false))
        return false;
    bool sized = call->kind == RECORDED_READ || call->kind == RECORDED_WRITE || call->kind == RECORDED_TILE_READ ||
                 call->kind == RECORDED_TILE_WRITE;
    if (sized && call->bytes > past->room) {
        uint8_t *larger = realloc(past->data, call->bytes);
        if (larger == NULL)
            return false;
        past->data = larger;
        past->room = call->bytes;
    }
    bool has_data = call->kind == RECORDED_WRITE || call->kind == RECORDED_TILE_WRITE;
    return !has_data || move(past, past->data, call->bytes, false);
}

void abi_past_go_on(struct abi *abi)
{
    struct abi_past *past = abi->past;
    struct recorded call;
    uint32_t word;
    if (past == NULL || !past->plays || past->in_player)
        return;
    past->in_player = true;
    while (next(past, &call))
        past->play(&call, past->data, &word);
    tf_gdb_present(abi->gdb);
}
