/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded calls of a host (TILEFARM_RECORD), played against the chip of a session, or against a system. One at a time
   in a process. */
#ifndef CLI_REPLAY_H
#define CLI_REPLAY_H

#include "abi/recording.h"
#include "cli/cli.h"

struct tf_system;

struct tf_replay {
    const char *path;
    struct recording recording;
    uint64_t calls, reads; /* played so far; data that the host got from the chip */
    uint64_t differences;  /* reads that gave other data than they gave then */
    bool lost;             /* the chip does not do what it did then, so the rest cannot be played */
    char why[200];         /* the first difference, or "" */
    uint8_t *data;
    size_t room;
};

/* Open a recording. Returns false after an error line. */
bool tf_replay_open(struct tf_replay *replay, const char *path, bool partial);

/* Does the recording have accesses of the chip to the host's memory? */
static inline bool tf_replay_has_host_memory(const struct tf_replay *replay)
{
    return replay->recording.header.host_memory != 0;
}

/* The chip reads or writes the host's memory: compare the access with the recorded one. */
void tf_replay_host_read(struct tf_replay *replay, uint64_t address, void *data, uint32_t bytes);
void tf_replay_host_write(struct tf_replay *replay, uint64_t address, const void *data, uint32_t bytes);

/* Play all calls against a chip, whose on_fault is abi_adopted_fault(), until `interrupt` comes. Returns an enum
   tf_error; `why` says what differs. */
int tf_replay_run(struct tf_replay *replay, struct tf_chip *chip, struct tf_interrupt *interrupt);

/* The same against a system, whose chips' on_fault call abi_adopted_fault_of(). */
int tf_replay_run_system(struct tf_replay *replay, struct tf_system *system, struct tf_interrupt *interrupt);

void tf_replay_close(struct tf_replay *replay);

#endif
