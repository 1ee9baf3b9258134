/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads: device programs for the whole chip together with what the host knows about their outcome. Used like this,
 * on a chip that was just created:
 *
 *   setup(chip, options, &state, message)   loads programs and inputs, takes the cores out of reset
 *   tf_run(chip, NULL, &end)                until quiet
 *   verify(chip, state, message)            compares every result with what the host computes
 *   release(state)
 *
 * What a workload writes into its results depends on the options alone: not on threads, nor on the length of epochs,
 * nor on the mode.
 */
#ifndef CLI_WORKLOADS_WORKLOAD_H
#define CLI_WORKLOADS_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "tilefarm/tilefarm.h"

struct tf_workload_options {
    uint32_t scale;          /* amount of work, 1 .. scale_max; 0 for scale_default */
    uint32_t seed;           /* of the inputs */
    uint32_t variant;        /* index into the workload's variants */
    enum tf_atomics atomics; /* the chip's profile */
};

/* verify(): the chip computed something else than the host. */
#define TF_WORKLOAD_WRONG 1

struct tf_tensor_work;

struct tf_workload {
    const char *name;
    const char *summary;         /* a line for lists */
    const char *const *variants; /* names, up to a NULL; the first is the default */
    const struct tf_tensor_work *tensor; /* tensor.h; NULL: it is none of these */
    uint32_t scale_default;      /* a few seconds on two slow cores */
    uint32_t scale_max;
    uint32_t scale_test;         /* enough to go through everything once or twice */

    /* TF_OK, or a negative TF_E* code and a message. *state is for verify() and release(). */
    int (*setup)(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message);
    /* TF_OK, TF_WORKLOAD_WRONG and a message saying what and where, or a negative TF_E* code. */
    int (*verify)(struct tf_chip *chip, void *state, struct tf_message *message);
    /* The part of it that looks at memory alone, which can be had from other chips too; NULL: all of it does. */
    int (*verify_memory)(struct tf_chip *chip, void *state, struct tf_message *message);
    /* Hash of what it computed, as it is recorded from other implementations; NULL where verify() says all. TF_OK or a
       negative code. */
    int (*results)(struct tf_chip *chip, void *state, uint64_t *hash);
    void (*release)(void *state); /* NULL is allowed */
};

/* All workloads, up to a NULL. */
extern const struct tf_workload *const tf_workloads[];

/* NULL when there is none of that name. */
const struct tf_workload *tf_workload_find(const char *name);

/* Number of variants of a workload. */
uint32_t tf_workload_variants(const struct tf_workload *workload);

/* Index of a variant by name, or -1. */
int tf_workload_variant(const struct tf_workload *workload, const char *name);

#endif
