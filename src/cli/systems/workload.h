/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads of systems: device programs that use the links between chips, and host code that checks their results. As
 * for workloads of a chip (cli/workloads/workload.h): setup(), tf_system_run() until quiet, verify(), release().
 */
#ifndef CLI_SYSTEMS_WORKLOAD_H
#define CLI_SYSTEMS_WORKLOAD_H

#include <stdio.h>

#include "cli/workloads/workload.h"
#include "tilefarm/tilefarm_system_run.h"

struct tf_system_workload {
    const char *name;
    const char *summary;               /* a line for lists */
    const char *program;               /* of core E0 of Ethernet tiles: a file of kernels/, without its ending */
    const char *tile_program;          /* the same of cores of Tensix tiles, or NULL */
    uint32_t scale_default, scale_max; /* as in struct tf_workload */
    uint32_t scale_test;
    /* TF_OK, or a negative TF_E* code and a message. *state is for the functions below. */
    int (*setup)(struct tf_system *system, const struct tf_workload_options *options, void **state,
                 struct tf_message *message);
    /* TF_OK; TF_WORKLOAD_WRONG and a message; or a negative code. */
    int (*verify)(struct tf_system *system, void *state, struct tf_message *message);
    /* After verify(): what was measured, as lines with their newlines. NULL: nothing. */
    void (*figures)(struct tf_system *system, void *state, FILE *to);
    void (*release)(void *state); /* NULL is allowed */
};

extern const struct tf_system_workload tf_system_ping, tf_system_stream, tf_system_ring, tf_system_reduce,
    tf_system_matmul, tf_system_halo, tf_system_mesh, tf_system_router;

#endif
