/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `tilefarm stress`: cores of many tiles contend for a few lines of L1 with every NOC atomic, on a chip in relaxed
 * mode. The library reports each atomic and its time. These histories are checked for linearizability, line by line,
 * and compared with the answers that the cores got.
 *
 * Together with pairs (pairs.h) it checks all invariants of docs/design.md ("Relaxed mode") but R7, and says which
 * one a history breaks. For R7, which no history shows, see tests/stress/test_late_code.c.
 *
 * The cores of four of these tiles also change words of their own L1, by Zaamo instructions and by the coprocessor's
 * atomics. NOC atomics hit these words too.
 *
 * All cores also raise a stream's space available in these four tiles; T0 to T2 there share a semaphore, and a word
 * that a mutex guards. Sums tell whether one of these was lost.
 *
 * stress_chip.c prepares a chip and runs rounds. stress_check.c judges a round, stress_counters.c the counters of the
 * NIUs, and stress_words.c the words that cores and NOC atomics change. stress_units.c judges streams, semaphores and
 * mutexes. stress.c is the command.
 */
#ifndef CLI_CHECK_STRESS_H
#define CLI_CHECK_STRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/check/linear.h"
#include "noc/atomic.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_chip.h"
#include "tile/node_text.h"
#include "tilefarm_stress.h"

#define TF_STRESS_TILES 16u                                      /* tiles that take part */
#define TF_STRESS_STEPPING (TF_STRESS_RECTANGLE * TF_TILE_CORES) /* harts that take steps on their own tile */
#define TF_STRESS_HARTS (TF_STRESS_TILES * TF_TILE_CORES)
#define TF_STRESS_THREADS_MAX TF_LINEAR_PENDING_MAX
#define TF_STRESS_NODES (TF_STRESS_TILES + 3u) /* that send, act or receive: also the Ethernet targets, the office */
#define TF_STRESS_COUNTERS 64u                 /* of a NIU */

struct tf_stress_target {
    struct tf_coord node;
    uint32_t line[4]; /* what it holds between rounds */
};

/* An atomic as the library reported it. */
struct tf_stress_record {
    uint64_t begin, end;
    uint32_t address, at_data, result;
    uint16_t at_len_be;
    uint8_t hart; /* slot * TF_TILE_CORES + core */
    uint8_t target;
    uint8_t noc;
    bool answered;
};

struct tf_stress_history {
    struct tf_stress_record *record;
    size_t room;
    atomic_size_t count; /* may exceed room: the rest was lost */
};

/* A chip with its programs loaded, and the state that lasts from round to round. It must not move. */
struct tf_stress_chip {
    const struct tf_arch *arch;
    struct tf_chip *chip;
    enum tf_atomics profile;
    uint32_t seed, requests, round;
    unsigned targets, rows;
    struct tf_stress_target target[TF_STRESS_TARGETS_MAX];
    const struct tf_noc_atomic_row *row[TF_STRESS_ROWS_MAX];
    struct tf_coord office;
    unsigned tile[TF_STRESS_TILES]; /* indices of the tiles that take part */
    int8_t slot_at[TF_GRID_Y_MAX][TF_GRID_X_MAX], target_at[TF_GRID_Y_MAX][TF_GRID_X_MAX]; /* by node; -1 for none */
    struct tf_stress_history history;                                                      /* of this round */
    struct tf_stress_entry *log; /* of this round: by hart, then by request */
    uint32_t *office_word;       /* of this round: by hart, then by request */
    struct tf_stress_step *step; /* of the harts in the rectangle: by hart, then two a request */
    struct tf_stress_units units[TF_STRESS_HARTS], units_before[TF_STRESS_HARTS];
    struct tf_coord node[TF_STRESS_NODES]; /* tiles that take part, in their order, then the others */
    unsigned nodes;
    uint32_t counter[TF_STRESS_NODES][2][TF_STRESS_COUNTERS]; /* what NIUs counted before this round */
};

/* Names of the invariants of relaxed mode; docs/design.md states them. */
#define TF_STRESS_R1 "R1: indivisible accesses"
#define TF_STRESS_R2 "R2: order of requests"
#define TF_STRESS_R3 "R3: stores before requests"
#define TF_STRESS_R4 "R4: data before counters"
#define TF_STRESS_R5 "R5: wakes"
#define TF_STRESS_R5_OR_R1 TF_STRESS_R5 ", or R1: a torn atomic may have damaged the lock or the FIFO that it waits for"
#define TF_STRESS_R6 "R6: ownership"
#define TF_STRESS_R8 "R8: counters"
#define TF_STRESS_R8_OR_R9 TF_STRESS_R8 ", or R9: the run has ended while an answer was on its way"
#define TF_STRESS_R9 "R9: end of a run"

/* The reason why a round, or a chip, failed: a sentence. */
struct tf_stress_failure {
    char text[800];
    const char *invariant; /* the one that the history breaks; NULL: no single one */
    bool nonlinear;        /* report and line are the reason */
    struct tf_linear_report report;
    unsigned target;
    struct tf_linear_op *ops; /* the line's history; to be freed */
    size_t count;
    uint32_t final[4];
};

/* The counts so far. */
struct tf_stress_tally {
    uint64_t rounds, requests, atomics, histories, fast, undecided, steps;
    uint32_t widest;
    uint64_t by_row[TF_STRESS_ROWS_MAX];
};

/* --- stress_chip.c --- */

/*
 * Create a chip in relaxed mode with `threads` workers (0: the library decides). Its cores wait for the first round.
 * op: a name of the list of atomics, or "all". Returns false after filling failure->text: there is nothing to close.
 */
struct tf_stress_wish {
    const struct tf_arch *arch; /* not NULL */
    enum tf_atomics profile;
    const char *op;
    unsigned threads;
    uint32_t seed;
};

/* --- stress_check.c --- */

/* The number of cores in a Tensix tile of the family. */
static inline unsigned tf_stress_cores(const struct tf_stress_chip *stress)
{
    return stress->arch->tile[TF_TILE_TENSIX].cores;
}

/* Does the family have the core of a hart? Harts are numbered as if each tile had TF_TILE_CORES cores. */
static inline bool tf_stress_has_hart(const struct tf_stress_chip *stress, size_t hart)
{
    return hart % TF_TILE_CORES < tf_stress_cores(stress);
}

static inline bool tf_stress_is_multicast(const struct tf_stress_entry *entry)
{
    return entry->manner == TF_STRESS_MULTICAST || entry->manner == TF_STRESS_MULTICAST_POSTED;
}

static inline bool tf_stress_is_posted(const struct tf_stress_entry *entry)
{
    return entry->manner == TF_STRESS_POSTED || entry->manner == TF_STRESS_MULTICAST_POSTED;
}

/* In the profile emu-spec the first recipient of a multicast answers alone. */
static inline bool tf_stress_is_silent(const struct tf_stress_chip *stress, const struct tf_stress_entry *entry,
                                       unsigned target)
{
    return entry->manner == TF_STRESS_MULTICAST && stress->profile == TF_ATOMICS_EMU_SPEC && target != 0;
}

/* The name of a node in a message, for the block that uses it. */
#define TF_STRESS_NODE(arch, node) tf_node_text(arch, node, (char[TF_NODE_TEXT_BYTES]){""})

#endif
