/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a history of operations on one 16-byte line linearizable? That is: is there one order of all of them, in which an
 * operation that ended before another began comes first, and in which each gives the answer that it gave?
 *
 * Algorithm: the search of J. Wing and C. Gong, "Testing and Verifying Concurrent Objects" (J. Parallel Distrib.
 * Comput. 17, 1993), in the form of G. Lowe, "Testing for linearizability" (Concurrency Computat.: Pract. Exper. 29(4),
 * 2017): just in time (an operation is placed when its end, or another's, demands it) and with memory (equal
 * configurations are explored once). Breadth first: all configurations are carried from one end to the next, so that a
 * history of any length takes the memory of its widest moment. Histories are partitioned by the caller, a line each:
 * linearizability is local (A. Horn and D. Kroening, "Faster linearizability checking via P-compositionality", FORTE
 * 2015).
 *
 * Pure: no printing, no clocks, no state between calls. Any thread.
 */
#ifndef CLI_CHECK_LINEAR_H
#define CLI_CHECK_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TF_LINEAR_WORDS 4u
#define TF_LINEAR_PENDING_MAX 64u /* operations under way at one moment, at most */
#define TF_LINEAR_SHOWN_MAX 32u   /* operations of a sub-history, at most */
#define TF_LINEAR_STARTS_MAX 4u   /* configurations that a report lists, at most */

/* One operation. What it does is the model's business, by `id`. */
struct tf_linear_op {
    uint64_t begin, end; /* begin <= end; a comes before b when a.end < b.begin */
    uint32_t id;
    uint32_t answer;
    bool answered;       /* `answer` is known, and binds */
    bool adds;           /* answers word `word` and adds `delta` to it, nothing else: makes the fast path possible */
    uint8_t word;
    uint32_t delta;
};

/* What operations do when alone: changes the line, returns the answer. The same for the same id and line. */
struct tf_linear_model {
    uint32_t (*apply)(const void *context, uint32_t id, uint32_t line[TF_LINEAR_WORDS]);
    const void *context;
};

struct tf_linear_limits {
    uint32_t configurations_max; /* carried at one moment */
    uint64_t steps_max;          /* operations tried, in all */
};

enum tf_linear_verdict {
    TF_LINEAR_YES,
    TF_LINEAR_NO,
    TF_LINEAR_UNKNOWN, /* a limit was reached */
    TF_LINEAR_NO_MEMORY,
};

/* A moment of a history: what the line holds, and which of the operations under way have taken effect. */
struct tf_linear_start {
    uint32_t line[TF_LINEAR_WORDS];
    uint64_t taken; /* bit i: op[i] of the report */
};

/*
 * Outcome. For TF_LINEAR_NO, a short history that is not linearizable: op[0 .. ops-1] in the order of their begins,
 * none of which has an order that fits from any of the starts (all there are, when starts <= TF_LINEAR_STARTS_MAX).
 */
struct tf_linear_report {
    enum tf_linear_verdict verdict;
    bool fast;            /* decided by the fast path */
    bool at_final;        /* all operations fit, the final line does not */
    size_t failed;        /* index of the operation that ends without a place, when !at_final */
    unsigned ops;
    size_t op[TF_LINEAR_SHOWN_MAX]; /* indices, after sorting */
    unsigned starts;
    struct tf_linear_start start[TF_LINEAR_STARTS_MAX];
    uint64_t steps;       /* operations tried */
    uint32_t widest;      /* configurations carried at most */
};

/* Generous for histories of a few hundred thousand operations by up to sixteen threads. */
extern const struct tf_linear_limits tf_linear_limits_default;

/*
 * Decide. ops is sorted by begin, in place. final: what the line held in the end; NULL when that is not known.
 * Returns report->verdict.
 */
enum tf_linear_verdict tf_linear_check(struct tf_linear_op *ops, size_t count, const uint32_t initial[TF_LINEAR_WORDS],
                                       const uint32_t *final, const struct tf_linear_model *model,
                                       const struct tf_linear_limits *limits, struct tf_linear_report *report);

#endif
