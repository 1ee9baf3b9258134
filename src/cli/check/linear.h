/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a history of operations on one 16-byte line linearizable? It is if one order of all operations has two properties.
 * An operation that ended before another began precedes it. Each operation gives its recorded answer.
 *
 * Algorithm: the search of J. Wing and C. Gong, "Testing and Verifying Concurrent Objects" (J. Parallel Distrib.
 * Comput. 17, 1993), in the form of G. Lowe, "Testing for linearizability" (Concurrency Computat.: Pract. Exper. 29(4),
 * 2017). The search places an operation only when it ends, or when another that ends needs it before. It explores equal
 * configurations once. It is breadth first: it carries all configurations from one end to the next. Memory therefore
 * depends on the number of configurations at one moment, not on the length of the history. The caller gives each line a
 * history of its own, since linearizability is local (A. Horn and D. Kroening, "Faster linearizability checking via
 * P-compositionality", FORTE 2015).
 *
 * The functions print nothing, read no clock and keep no state between calls. Any thread may call them.
 */
#ifndef CLI_CHECK_LINEAR_H
#define CLI_CHECK_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TF_LINEAR_WORDS 4u
#define TF_LINEAR_PENDING_MAX 64u /* most operations that are pending at one moment */
#define TF_LINEAR_SHOWN_MAX 32u   /* most operations of a short history */
#define TF_LINEAR_STARTS_MAX 4u   /* most configurations that a report lists */

/* One operation. The model knows by `id` what it does. */
struct tf_linear_op {
    uint64_t begin, end; /* any unit of time; begin <= end. a precedes b if a.end < b.begin */
    uint32_t id;
    uint32_t answer;
    bool answered; /* `answer` is known, and the order must give it */
    bool adds;     /* it only answers word `word` and adds `delta` to it: the fast path needs this of all */
    uint8_t word;
    uint32_t delta;
};

/* apply: change the line as operation `id` does alone, and return its answer. It depends on id and line only. */
struct tf_linear_model {
    uint32_t (*apply)(const void *context, uint32_t id, uint32_t line[TF_LINEAR_WORDS]);
    const void *context;
};

struct tf_linear_limits {
    uint32_t configurations_max; /* at one moment */
    uint64_t steps_max;          /* calls of apply() in the whole search */
};

enum tf_linear_verdict {
    TF_LINEAR_YES,
    TF_LINEAR_NO,
    TF_LINEAR_UNKNOWN, /* a limit was reached */
    TF_LINEAR_NO_MEMORY,
};

/* A configuration at one moment of a history: the line, and the pending operations that have taken effect. */
struct tf_linear_start {
    uint32_t line[TF_LINEAR_WORDS];
    uint64_t taken; /* bit i: op[i] of the report */
};

/*
 * Outcome. With TF_LINEAR_NO it describes a short history that is not linearizable: op[0] to op[ops - 1], in the order
 * in which they began. No order of them fits any line from which the history may start. The report has up to
 * TF_LINEAR_STARTS_MAX of these lines.
 */
struct tf_linear_report {
    enum tf_linear_verdict verdict;
    bool fast;     /* decided by the fast path */
    bool at_final; /* all operations have an order, but none gives the final line */
    size_t failed; /* unless at_final: index of the first operation to end for which there is no order */
    unsigned ops;
    size_t op[TF_LINEAR_SHOWN_MAX]; /* indices into the sorted operations */
    unsigned starts;                /* configurations at that moment; may exceed the list */
    struct tf_linear_start start[TF_LINEAR_STARTS_MAX];
    uint64_t steps;  /* calls of apply() */
    uint32_t widest; /* most configurations at one moment */
};

/* Enough for histories of a few hundred thousand operations by up to sixteen threads. */
extern const struct tf_linear_limits tf_linear_limits_default;

/*
 * Decide whether a history is linearizable, and fill *report. The function sorts ops by begin, in place.
 * initial, final: the line before and after the history. final NULL: not known. Returns report->verdict.
 */
enum tf_linear_verdict tf_linear_check(struct tf_linear_op *ops, size_t count, const uint32_t initial[TF_LINEAR_WORDS],
                                       const uint32_t *final, const struct tf_linear_model *model,
                                       const struct tf_linear_limits *limits, struct tf_linear_report *report);

#endif
