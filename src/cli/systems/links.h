/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of a system's Ethernet tiles, and of Tensix tiles beside them: find and load them; give kernels/link.c its
   roles, and read what it found. */
#ifndef CLI_SYSTEMS_LINKS_H
#define CLI_SYSTEMS_LINKS_H

#include "cli/systems/workload.h"
#include "tilefarm_link_layout.h"

/* The state of a workload of links. */
struct tf_links {
    struct tf_workload_options options; /* scale filled in */
    const char *program;                /* of the workload */
    uint32_t bytes;                     /* of a message or a block */
    unsigned count;                     /* ports that have a job */
    struct tf_cluster_end port[2 * TF_CLUSTER_LINKS_MAX];
    /* If the workload has a ring: its chips in order, and raw coordinates of their ports on NOC 0, as x | y << 6. */
    unsigned ring[TF_CLUSTER_CHIPS_MAX];
    struct {
        uint32_t in_xy, out_xy;
    } ports[TF_CLUSTER_CHIPS_MAX];
};

/* Make a state for a workload, without a job. NULL: a message says that there is no link, that the scale is too high,
   or that the host has no memory; *error is the code. */
struct tf_links *tf_links_begin(struct tf_system *system, const struct tf_system_workload *workload,
                                const struct tf_workload_options *options, int *error, struct tf_message *message);

#define TF_LINKS_NAME_BYTES 40u

/* The program of a workload (struct tf_system_workload) that E0 of ports runs, and its name. Returns NULL if there is
   none for this family. */
const void *tf_links_program(const struct tf_arch *arch, const char *program, char name[TF_LINKS_NAME_BYTES],
                             size_t *bytes);

/* The same of a core of Tensix tiles. */
const void *tf_links_tile_program(const struct tf_arch *arch, const char *program, unsigned core,
                                  char name[TF_LINKS_NAME_BYTES], size_t *bytes);

/* Load the program of a workload to a port, and start it. */
int tf_links_start_port(struct tf_system *system, struct tf_cluster_end port, const char *program,
                        struct tf_message *message);

/* The same with a job for kernels/link.c. job->magic, seed, rounds and bytes are filled in here. TF_OK
   or a negative code. */
int tf_links_start(struct tf_system *system, struct tf_links *links, struct tf_cluster_end port,
                   const struct tf_link_job *job, struct tf_message *message);

/* Clear what a program of a port polls or counts in: from its job up to its code, and behind that up to the buffer. */
int tf_links_clear(struct tf_system *system, struct tf_cluster_end port, struct tf_message *message);

/* Read the result of a port whose program must have ended well. */
int tf_links_result(struct tf_system *system, struct tf_cluster_end port, struct tf_link_result *result,
                    struct tf_message *message);

/* Read or write L1 of a port. */
int tf_links_write(struct tf_system *system, struct tf_cluster_end port, uint32_t address, const void *data,
                   uint32_t bytes, struct tf_message *message);
int tf_links_read(struct tf_system *system, struct tf_cluster_end port, uint32_t address, void *data, uint32_t bytes,
                  struct tf_message *message);

/* The names of a port and of a Tensix tile in requests on NOC 0, as x | y << 6. */
uint32_t tf_links_port_xy(struct tf_system *system, struct tf_cluster_end port);
uint32_t tf_links_tile_xy(const struct tf_arch *arch, unsigned tile);

/* Write the grid of the chip, for programs on a Tensix tile. TF_OK or a negative code. */
int tf_links_write_grid(struct tf_chip *chip, unsigned tile);

/* Load the program of a core of a Tensix tile (kernels/NAME.c), and start it. */
int tf_links_start_core(struct tf_chip *chip, unsigned tile, const char *program, unsigned core,
                        struct tf_message *message);

/* Write a message about a port. Returns the code. */
int tf_links_fail(struct tf_message *message, int code, struct tf_cluster_end port, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
