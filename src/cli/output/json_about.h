/* SPDX-License-Identifier: Apache-2.0 */
/* What the JSON of a run says of the run itself: version, command line, programs, configuration; and of each tile. */
#ifndef CLI_OUTPUT_JSON_ABOUT_H
#define CLI_OUTPUT_JSON_ABOUT_H

#include <jansson.h>

#include "cli/systems/workload.h"

struct tf_job;
struct tf_symbols;

/* The number of docs/schemas/run-N.json. It grows with new fields. */
#define TF_JSON_SCHEMA 1

/* schema, tilefarm, commit, command, programs, board, epoch, slice. chip: one that ran the job, or NULL. Returns NULL
   if the host has no memory. The caller has all of these results. */
json_t *tf_json_about(const struct tf_job *job, const struct tf_arch *arch, const struct tf_chip *chip);

/* variant, arch, mode, atomics, vectors, scale, seed, threads. workers: that have run the job. */
json_t *tf_json_configuration(const struct tf_job *job, const struct tf_arch *arch, unsigned workers);

/* The programs of a workload of systems, in place of `programs`: of Ethernet tiles, and of cores of Tensix tiles. */
json_t *tf_json_link_programs(const struct tf_arch *arch, const struct tf_system_workload *workload);

/* The words of the command line; each --load and --flat, or the programs of a chip's workload; the counters of each
   Tensix tile. */
json_t *tf_json_command(const struct tf_job *job);
json_t *tf_json_programs(const struct tf_job *job, const struct tf_arch *arch, const struct tf_chip *chip);
json_t *tf_json_tiles(struct tf_chip *chip);

/* How a run ended, by the names of `end`. */
const char *tf_json_end(enum tf_end end);

/* By core: the tile in which its stack leaves the least room, and how many bytes it has used of how many. */
json_t *tf_json_stacks(struct tf_chip *chip, const struct tf_symbols *symbols);

#endif
