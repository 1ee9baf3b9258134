/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The faults of a test build (see host/mutant.h). The environment variable TILEFARM_MUTANT names the one that
 * the process has; without it the build is right.
 */
#ifndef STRESS_MUTANTS_H
#define STRESS_MUTANTS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * X(name, text, period): the fault happens at every `period`-th time that its place is reached. R1 to R10 are the
 * invariants of docs/design.md that it breaks.
 */
#define TF_MUTANT_LIST(X)                                                                                          \
    X(TORN_INCREMENT, "torn-increment", 1) /* R1: atomics that load, then store */                                 \
    X(TORN_POINTER, "torn-pointer", 1)                                                                             \
    X(TORN_CAS, "torn-cas", 1)                                                                                     \
    X(TORN_SWAP, "torn-swap", 1)                                                                                   \
    X(TORN_ZAAMO, "torn-zaamo", 1)                                                                                 \
    X(TORN_SWAP_MASK, "torn-swap-mask", 1)                                                                         \
    X(TORN_ACCUMULATE, "torn-accumulate", 1)                                                                       \
    X(TORN_BESIDE, "torn-beside", 1)           /* the answer is one word, the change another */                    \
    X(TORN_TRANSACTION, "torn-transaction", 1) /* all, where a request acts and lands in one step */               \
    X(TORN_AMO, "torn-amo", 1)                 /* of a core on its own L1 */                                       \
    X(TORN_ATINCGET, "torn-atincget", 1)       /* of the scalar unit */                                            \
    X(TORN_ATINCGETPTR, "torn-atincgetptr", 1)                                                                     \
    X(TORN_ATCAS, "torn-atcas", 1)                                                                                 \
    X(TORN_ATSWAP, "torn-atswap", 1)                                                                               \
    X(TORN_STREAM, "torn-stream", 1) /* R6: whichever worker has the request changes the register, in two steps */ \
    X(LOST_POST, "lost-post", 200)   /* of a semaphore */                                                          \
    X(DOUBLED_POST, "doubled-post", 200)                                                                           \
    X(OPEN_MUTEX, "open-mutex", 1) /* held by another thread or not */                                             \
    X(WRONG_ANSWER, "wrong-answer", 20000)                                                                         \
    X(LOST_ANSWER, "lost-answer", 20000) /* of a request that acts and lands in one step */                        \
    X(DOUBLED_ANSWER, "doubled-answer", 20000)                                                                     \
    X(STALE_ANSWER, "stale-answer", 20000)   /* R4: counted, but not there */                                      \
    X(LOST_RESPONSE, "lost-response", 20000) /* of any other request */                                            \
    X(DOUBLED_RESPONSE, "doubled-response", 20000)                                                                 \
    X(LEAKED_COUNT, "leaked-count", 20000)   /* R8: counters of the target's NIU */                                \
    X(MISSING_COUNT, "missing-count", 1)     /* R8: a visit ends without them */                                   \
    X(OVERTAKING, "overtaking", 1)           /* R2: of requests that were handed to an owner */                    \
    X(DEFERRED_WRITE, "deferred-write", 1)   /* R3: writes wait for the owner, and nothing waits for them */       \
    X(LOST_WAKE, "lost-wake", 2)             /* R5 */                                                              \
    X(UNOWNED, "unowned", 1)                 /* R6: any worker touches registers and code */                       \
    X(STALE_CODE, "stale-code", 1)           /* R7: nobody looks at the marks again */                             \
    X(PREMATURE_END, "premature-end", 1)     /* R9: the first idle worker ends the run */                          \
    X(TORN_COPY, "torn-copy", 1)             /* R1: words of copies are stored byte by byte */                     \
    X(UNFENCED_READ, "unfenced-read", 1)     /* R3: no fence before a read that is an atomic */                    \
    X(UNFENCED_WRITE, "unfenced-write", 1)   /* R3, R5: no fence after the data of a write */                      \
    X(SINGLE_TEST, "single-test", 1)         /* R5: a tile that becomes quiet does not test again */               \
    X(LATE_BELL, "late-bell", 1)             /* R5: an idle worker reads the bell after its tests */               \
    X(OPEN_CLAIM, "open-claim", 1)           /* R6: a site is claimed by a load and a store */                     \
    X(TORN_COUNTER, "torn-counter", 1)       /* R8: counters of outstanding requests */                            \
    X(SWAPPED_PACKETS, "swapped-packets", 1) /* R10: the first two packets of a visit change places */

enum tf_mutant {
#define X(name, text, period) TF_MUTANT_##name,
    TF_MUTANT_LIST(X)
#undef X
        TF_MUTANT_COUNT,
};

/*
 * X(name, meets): places where a thread may be paused, in farm/relaxed but for the last one. One in `meets` pauses, a
 * power of 2, lasts until other threads have come by some places, however loaded the host is. The environment variable
 * TILEFARM_PAUSES is the seed of the times; without it nobody pauses.
 */
#define TF_PAUSE_LIST(X)                                                                     \
    X(CLAIM, 32)    /* before a worker claims a site that it has found runnable */           \
    X(VISIT, 32)    /* after it has cleared the mark that the site is woken */               \
    X(GATHERED, 32) /* a visit ends, and gathered counts are not in the NIUs yet */          \
    X(AWAITED, 4)   /* a tile is quiet, and what it awaits is not published yet */           \
    X(LEAVE, 32)    /* the visit has ended, and the site is still claimed */                 \
    X(WAKE, 32)     /* a site is woken, and nobody has looked for idle workers */            \
    X(IDLE, 2)      /* a worker has found nothing to do, and does not sleep yet */           \
    X(HAND, 32)     /* later requests are held back, and this one is not in the queue yet */ \
    X(WRITE, 32)    /* the data of a write are stored, and the fence comes next */

enum tf_pause {
#define X(name, meets) TF_PAUSE_##name,
    TF_PAUSE_LIST(X)
#undef X
        TF_PAUSE_COUNT,
};

struct tf_noc_atomic;

/* Is a fault to happen now? Any thread. */
bool tf_mutant_acts(enum tf_mutant which);

/* If this is the fault, wait as long as TILEFARM_MUTANT_WINDOW says. */
void tf_mutant_pause(enum tf_mutant which);

/* Wait for a random time, mostly none. */
void tf_mutant_dawdle(enum tf_pause place);

/* Is the process's fault one of this operation? beside: see TF_MUTANT_TORN_BESIDE. */
bool tf_mutant_tears(const struct tf_noc_atomic *op, bool beside);

/* The operation, in two steps. Returns its answer. */
uint32_t tf_mutant_word(const struct tf_noc_atomic *op, uint32_t *word);
uint32_t tf_mutant_line(const struct tf_noc_atomic *op, uint8_t *l1, uint32_t address);

/*
 * Without its fence, may the data of a write stay in the host's store buffer for now? Hosts keep them there for some
 * nanoseconds, and another thread sees that only if it runs at just that time. So here they are held until the worker's
 * next request, or until its visit of the tile ends. Returns true if the data are held.
 */
bool tf_mutant_holds(uint8_t *to, const uint8_t *from, uint32_t length);

#define TF_MUTANT_HOLDS(to, from, length) tf_mutant_holds(to, from, length)
#define TF_MUTANT(name) tf_mutant_acts(TF_MUTANT_##name)
#define TF_MUTANT_PAUSE(name) tf_mutant_pause(TF_MUTANT_##name);
#define TF_PAUSE(name) tf_mutant_dawdle(TF_PAUSE_##name);
#define TF_MUTANT_WORD(op, word)    \
    if (tf_mutant_tears(op, false)) \
        return tf_mutant_word(op, word);
#define TF_MUTANT_LINE(op, l1, address)                     \
    if (tf_mutant_tears(op, !tf_noc_atomic_whole_line(op))) \
        return tf_mutant_line(op, l1, address);

#endif
