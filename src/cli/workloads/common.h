/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the workloads share: load, start, read back, and report errors. */
#ifndef CLI_WORKLOADS_COMMON_H
#define CLI_WORKLOADS_COMMON_H

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/workloads/list.h"
#include "cli/workloads/workload.h"
#include "tilefarm_layout.h"
#include "tilefarm_workloads.h"

struct tf_arch;
struct tf_chip;
struct tf_message;
struct tf_stream_place;

/* Cores, as a mask. */
#define TF_WL_B 1u
#define TF_WL_NC 2u
#define TF_WL_T0 4u
#define TF_WL_T1 8u
#define TF_WL_T2 16u
#define TF_WL_ALL 31u

/* The state of a workload. */
struct tf_wl {
    const struct tf_workload *workload;
    struct tf_workload_options options; /* scale filled in */
    uint32_t cores;                     /* mask of those that run */
    const char *family;                 /* of the chip, as on the command line */
    /* Of the chip. Tensix tiles stand in `rows` rows of `row`. */
    unsigned tiles, row, rows;
    bool whole;           /* no tile and no DRAM channel is fused off: results are recorded for such chips */
    uint16_t noc_atomics; /* opcodes of the NOC atomics that it has, as bits */
    bool amos;            /* its cores have Zaamo */
    const struct tf_stream_place *stream_place;
};

/*
 * Check options, allocate a state, load "NAME.core" into the cores of every tile, clear the memory that the programs
 * use, and write the parameters. The cores stay in reset. TF_OK or a negative code.
 */
int tf_wl_begin(struct tf_chip *chip, const struct tf_workload *workload, const struct tf_workload_options *options,
                uint32_t cores, struct tf_wl **wl, struct tf_message *message);

/* For setup(): the family lacks what the variant needs. Writes a message, and returns TF_EINVAL. */
int tf_wl_lacks(struct tf_chip *chip, const char *what, struct tf_message *message);

/* Take the cores out of reset. */
int tf_wl_start(struct tf_chip *chip, const struct tf_wl *wl, struct tf_message *message);

/* For setup() of workloads that need no more: begin, set *state, start. TF_OK or a negative code. */
int tf_wl_setup(struct tf_chip *chip, const struct tf_workload *workload, const struct tf_workload_options *options,
                uint32_t cores, void **state, struct tf_message *message);

/* Every core of the workload must have returned 0 from main(). */
int tf_wl_done(struct tf_chip *chip, const struct tf_wl *wl, struct tf_message *message);

/* For verify() of workloads that check tile by tile: tf_wl_done(), then verify_tile() for each tile until one fails. */
int tf_wl_verify_tiles(struct tf_chip *chip, const struct tf_wl *wl,
                       int (*verify_tile)(struct tf_chip *chip, const struct tf_wl *wl, unsigned tile,
                                          struct tf_message *message),
                       struct tf_message *message);

void tf_wl_release(void *state);

/* Access a tile. A failure writes a message. */
int tf_wl_read(struct tf_chip *chip, unsigned tile, uint64_t address, void *data, size_t bytes,
               struct tf_message *message);
int tf_wl_write(struct tf_chip *chip, unsigned tile, uint64_t address, const void *data, size_t bytes,
                struct tf_message *message);
int tf_wl_write_word(struct tf_chip *chip, unsigned tile, uint64_t address, uint32_t value, struct tf_message *message);

/* Read the result words of a core. */
int tf_wl_result(struct tf_chip *chip, unsigned tile, unsigned core, uint32_t *word, unsigned words,
                 struct tf_message *message);

/* Write a message. Returns TF_WORKLOAD_WRONG. */
int tf_wl_wrong(struct tf_message *message, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write the message of a word that is wrong (tf_wl_expect()). Returns TF_WORKLOAD_WRONG. */
int tf_wl_differs(const struct tf_chip *chip, struct tf_message *message, unsigned tile, const char *what,
                  uint32_t index, uint32_t got, uint32_t expected);

/* TF_OK when equal; otherwise TF_WORKLOAD_WRONG and the message "WHAT INDEX of the tile is GOT, not EXPECTED". */
static inline int tf_wl_expect(const struct tf_chip *chip, struct tf_message *message, unsigned tile, const char *what,
                               uint32_t index, uint32_t got, uint32_t expected)
{
    return got == expected ? TF_OK : tf_wl_differs(chip, message, tile, what, index, got, expected);
}

/* Compare a word of a tile's L1 with its expected value. */
int tf_wl_expect_word(struct tf_chip *chip, unsigned tile, const char *what, uint32_t index, uint64_t address,
                      uint32_t expected, struct tf_message *message);

static inline bool tf_wl_runs(const struct tf_wl *wl, unsigned core)
{
    return wl->cores >> core & 1;
}

/* Has a family programs of a workload? NULL: Blackhole. */
bool tf_workload_exists(const struct tf_arch *arch, const struct tf_workload *workload);

/* The ELF file that a workload loads to a core of every tile of a chip; NULL: it has none for that core. */
const void *tf_workload_program(const struct tf_chip *chip, const struct tf_workload *workload, unsigned core,
                                size_t *bytes);

#endif
