/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads: device programs for the whole chip, and host code that checks their results. On a new chip, call:
 *
 *   setup(chip, options, &state, message)   loads programs and inputs, takes the cores out of reset
 *   tf_run(chip, NULL, &end)                until quiet
 *   verify(chip, state, message)            compares every result with what the host computes
 *   release(state)
 *
 * The results of a workload depend on its options only: not on threads, the length of epochs, or the mode.
 */
#ifndef CLI_WORKLOADS_WORKLOAD_H
#define CLI_WORKLOADS_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm/tilefarm_chip.h"

struct tf_workload_options {
    uint32_t scale;          /* amount of work, 1 .. scale_max; 0 for scale_default */
    uint32_t seed;           /* of the inputs */
    uint32_t variant;        /* index into the workload's variants */
    enum tf_atomics atomics; /* the chip's profile */
};

/* verify(): the results are wrong. */
#define TF_WORKLOAD_WRONG 1

struct tf_tensor_work;

struct tf_workload {
    const char *name;
    const char *summary;                 /* a line for lists */
    const char *const *variants;         /* names, up to a NULL; the first is the default. No list: one, "all" */
    const struct tf_tensor_work *tensor; /* for tensor workloads (tensor.h); otherwise NULL */
    uint32_t scale_default;              /* a few seconds on two slow cores */
    uint32_t scale_max;
    uint32_t scale_test;               /* for tests: each part of the program runs once or twice */
    uint8_t columns_least, rows_least; /* of Tensix tiles; 0: as most workloads need */

    /* TF_OK, or a negative TF_E* code and a message. *state is for verify() and release(). */
    int (*setup)(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message);
    /* TF_OK; TF_WORKLOAD_WRONG with a message that says what is wrong and where; or a negative TF_E* code. */
    int (*verify)(struct tf_chip *chip, void *state, struct tf_message *message);
    /* The part of verify() that reads only memory. It can check the memory of chips of other libraries. NULL: verify()
       reads only memory. */
    int (*verify_memory)(struct tf_chip *chip, void *state, struct tf_message *message);
    /* Hash of the results, to compare with one recorded from another implementation. NULL: verify() checks every bit.
       TF_OK or a negative code. */
    int (*results)(struct tf_chip *chip, void *state, uint64_t *hash);
    void (*release)(void *state); /* NULL is allowed */
};

/* Names of the variants of a workload, up to a NULL: one at least. */
const char *const *tf_workload_names(const struct tf_workload *workload);

/* Number of variants of a workload. */
uint32_t tf_workload_variants(const struct tf_workload *workload);

/* Index of a variant by name, or -1. */
int tf_workload_variant(const struct tf_workload *workload, const char *name);

#endif
