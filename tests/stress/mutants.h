/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The faults of a test build (see noc/relaxed/mutant.h). The environment variable TILEFARM_MUTANT names the one that
 * the process has; without it the build is right.
 */
#ifndef STRESS_MUTANTS_H
#define STRESS_MUTANTS_H

#include <stdbool.h>
#include <stdint.h>

/* X(name, text, period): the fault happens each time that its place is reached `period` times. */
#define TF_MUTANT_LIST(X)                                                                                              \
    X(TORN_INCREMENT, "torn-increment", 1)       /* atomics that load, then store */                                   \
    X(TORN_POINTER, "torn-pointer", 1)                                                                                 \
    X(TORN_CAS, "torn-cas", 1)                                                                                         \
    X(TORN_SWAP, "torn-swap", 1)                                                                                       \
    X(TORN_ZAAMO, "torn-zaamo", 1)                                                                                     \
    X(TORN_SWAP_MASK, "torn-swap-mask", 1)                                                                             \
    X(TORN_ACCUMULATE, "torn-accumulate", 1)                                                                           \
    X(TORN_BESIDE, "torn-beside", 1)             /* the answer is one word, the change another */                      \
    X(TORN_TRANSACTION, "torn-transaction", 1)   /* all of them, where a request acts and is answered in one step */   \
    X(WRONG_ANSWER, "wrong-answer", 100000)                                                                            \
    X(LOST_ANSWER, "lost-answer", 100000)        /* of a request that acts and is answered in one step, */             \
    X(DOUBLED_ANSWER, "doubled-answer", 100000)                                                                        \
    X(LOST_RESPONSE, "lost-response", 20000)     /* of another */                                                      \
    X(DOUBLED_RESPONSE, "doubled-response", 20000)                                                                     \
    X(LEAKED_COUNT, "leaked-count", 100000)      /* counters of the target's NIU */                                    \
    X(OVERTAKING, "overtaking", 1)               /* of requests that were handed to an owner */

enum tf_mutant {
#define X(name, text, period) TF_MUTANT_##name,
    TF_MUTANT_LIST(X)
#undef X
    TF_MUTANT_COUNT,
};

struct tf_noc_atomic;

/* Is a fault to happen now? Any thread. */
bool tf_mutant_now(enum tf_mutant which);

/* Is the process's fault one of this operation? beside: see TF_MUTANT_TORN_BESIDE. */
bool tf_mutant_tears(const struct tf_noc_atomic *op, bool beside);

/* The operation, in two steps. Returns its answer. */
uint32_t tf_mutant_word(const struct tf_noc_atomic *op, uint32_t *word);
uint32_t tf_mutant_line(const struct tf_noc_atomic *op, uint8_t *l1, uint32_t address);

#define TF_MUTANT(name) tf_mutant_now(TF_MUTANT_##name)
#define TF_MUTANT_WORD(op, word)                                                                                       \
    if (tf_mutant_tears(op, false))                                                                                    \
        return tf_mutant_word(op, word);
#define TF_MUTANT_LINE(op, l1, address)                                                                                \
    if (tf_mutant_tears(op, !tf_noc_atomic_whole_line(op)))                                                            \
        return tf_mutant_line(op, l1, address);

#endif
