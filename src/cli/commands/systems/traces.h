/* SPDX-License-Identifier: Apache-2.0 */
/* --trace and --riscv-trace of a run over ranks: each keeps the lines of its chips, and rank 0 writes all. */
#ifndef CLI_COMMANDS_SYSTEMS_TRACES_H
#define CLI_COMMANDS_SYSTEMS_TRACES_H

#include "cli/commands/systems/texts.h"
#include "tilefarm/tilefarm_system_run.h"

struct tf_job;
struct tf_session;
struct tf_spread;

/* All zero: nothing is kept. */
struct tf_system_traces {
    struct tf_system *const *system;
    FILE *file[2];           /* for Tensix instructions, and for those of cores; NULL: not wanted */
    struct tf_texts text[2]; /* of them */
    void (*on_tensix)(void *user, const struct tf_tensix_event *event); /* that writes the lines */
    void (*on_riscv)(void *user, const struct tf_riscv_event *event);
};

/* Begin to keep the lines of the files that a job names. system: where the system will be. */
void tf_system_traces_begin(struct tf_system_traces *traces, const struct tf_job *job, struct tf_system *const *system);

/* Let a job of a chip write its lines here. Call it before tf_session_open_look(), then tf_system_traces_keep(). */
void tf_system_traces_choose(const struct tf_system_traces *traces, struct tf_job *job);
void tf_system_traces_keep(struct tf_system_traces *traces, struct tf_session *session, struct tf_config *config);

/* After the run: rank 0 gets the lines of all ranks, and writes them. Returns false if a rank has failed. */
bool tf_system_traces_collect(struct tf_system_traces *traces, const struct tf_spread *spread);

void tf_system_traces_end(struct tf_system_traces *traces);

#endif
