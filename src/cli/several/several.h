/* SPDX-License-Identifier: Apache-2.0 */
/* A system with a job on each of its chips: what `run` and `explore` have in common. Each chip has a session of its
   own, which judges and reports its part. */
#ifndef CLI_SEVERAL_H
#define CLI_SEVERAL_H

#include "cli/request/request.h"
#include "cli/session_state.h"

struct tf_system_config;

struct tf_several {
    const struct tf_request *request;
    const struct tf_job *base; /* of all chips */
    struct tf_interrupt *interrupt;
    struct tf_system *system;
    struct tf_job *job;         /* by chip: a copy of the base */
    struct tf_session *session; /* by chip */
    void *state;                /* of a workload of the system */
    struct tf_outcome outcome;  /* of all chips */
};

/* Make the system of a configuration, to which this adds the cluster and what the request says of links. Its on_chip
   must call tf_several_join() for each chip. Returns -1, or an exit code after an error line. */
int tf_several_create(struct tf_several *several, struct tf_system_config *config);

/* Before a chip is made: give it its job and its session. */
void tf_several_join(struct tf_several *several, unsigned chip);

/* Load the workload of one chip, whose inputs differ from those of the other chips, or its programs; `here`: another
   process does not run it. Then make the symbols. Returns -1, or an exit code after an error line. */
int tf_several_load(struct tf_several *several, unsigned chip, bool here);

/* Load the workload of the system, if it has one. Returns -1, or an exit code after an error line. */
int tf_several_setup(struct tf_several *several);

/* After a run: judge all chips, and fill their outcomes and that of all. Returns -1, or an exit code after an error
   line. */
int tf_several_judge(struct tf_several *several);

/* Let workloads release what they have, and forget outcomes. */
void tf_several_release(struct tf_several *several);

/* The name in reports. */
const char *tf_several_name(const struct tf_several *several);

#endif
