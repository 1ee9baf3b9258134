/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `tilefarm stress`: cores of many tiles contend for a few lines of L1 with every NOC atomic, on a chip in relaxed
 * mode; what the library says each atomic did, and when, is checked for linearizability, line by line, and compared
 * with what the cores saw.
 *
 * stress_chip.c prepares a chip and runs rounds; stress_check.c judges a round; stress.c is the command.
 */
#ifndef CLI_CHECK_STRESS_H
#define CLI_CHECK_STRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/check/linear.h"
#include "noc/atomic.h"
#include "tilefarm/tilefarm.h"
#include "tilefarm_stress.h"

#define TF_STRESS_RECTANGLE 4u /* target tiles that a multicast reaches, the first of the targets */
#define TF_STRESS_TILES 16u    /* tiles that take part */
#define TF_STRESS_HARTS (TF_STRESS_TILES * TF_TILE_CORES)
#define TF_STRESS_THREADS_MAX TF_LINEAR_PENDING_MAX

struct tf_stress_target {
    struct tf_coord node;
    uint32_t line[4];   /* what it holds between rounds */
};

/* An atomic as the library reported it. */
struct tf_stress_record {
    uint64_t begin, end;
    uint32_t address, at_data, result;
    uint16_t at_len_be;
    uint8_t hart;       /* slot * TF_TILE_CORES + core */
    uint8_t target;
    bool answered;
};

struct tf_stress_history {
    struct tf_stress_record *record;
    size_t room;
    atomic_size_t count; /* may exceed room: the rest was lost */
};

/* A chip with its programs loaded, and what is between rounds. It must not move. */
struct tf_stress_chip {
    struct tf_chip *chip;
    enum tf_atomics profile;
    uint32_t seed, requests, round;
    unsigned targets, rows;
    struct tf_stress_target target[TF_STRESS_TARGETS_MAX];
    const struct tf_noc_atomic_row *row[TF_STRESS_ROWS_MAX];
    struct tf_coord office;
    unsigned tile[TF_STRESS_TILES];           /* indices of the tiles that take part */
    int8_t slot_at[12][17], target_at[12][17];/* by node; -1 for none */
    struct tf_stress_history history;         /* of this round */
    struct tf_stress_entry *log;              /* of this round: by hart, then by request */
    uint32_t *office_word;                    /* likewise */
};

/* Why a round, or a chip, is no good: a sentence of its own. */
struct tf_stress_failure {
    char text[400];
    bool nonlinear;                    /* report and line are the reason */
    struct tf_linear_report report;
    unsigned target;
    struct tf_linear_op *ops;          /* the line's history; to be freed */
    size_t count;
    uint32_t final[4];
};

/* What was done so far. */
struct tf_stress_tally {
    uint64_t rounds, requests, atomics, histories, fast, undecided, steps;
    uint32_t widest;
    uint64_t by_row[TF_STRESS_ROWS_MAX];
};

/* --- stress_chip.c --- */

/*
 * A chip in relaxed mode with `threads` workers (0: as many as the library picks), its cores waiting for the first
 * round. op: a name of the list of atomics, or "all". False after filling failure->text; then nothing is to be closed.
 */
bool tf_stress_open(struct tf_stress_chip *stress, enum tf_atomics profile, const char *op, unsigned threads,
                    uint32_t seed, struct tf_stress_failure *failure);
void tf_stress_close(struct tf_stress_chip *stress);

/* A round: history, log and office_word are filled; *interrupted when it was stopped. False after filling failure. */
bool tf_stress_round(struct tf_stress_chip *stress, bool *interrupted, struct tf_stress_failure *failure);

/* True when a profile has an operation of that name, or it is "all". */
bool tf_stress_has_op(enum tf_atomics profile, const char *op);

/* --- stress_check.c --- */

/* Judge the last round: what cores saw, then each line's history. False after filling failure. */
bool tf_stress_check(struct tf_stress_chip *stress, struct tf_stress_tally *tally, struct tf_stress_failure *failure);

/* Tell a failure: the sentence, and the short history. */
void tf_stress_explain(FILE *out, const struct tf_stress_chip *stress, const struct tf_stress_failure *failure);

#endif
