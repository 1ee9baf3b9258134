/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In which orders pairs of accesses came, over all seeds: pairs that conflict, and that nothing orders, as the race
 * checker finds them in each run. A pair that came in one order only is not explored yet.
 */
#ifndef CLI_EXPLORE_ORDERS_H
#define CLI_EXPLORE_ORDERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tilefarm/tilefarm_chip.h"

struct tf_subject;

#define TF_USUAL_ORDER 0u /* in place of a seed: the usual order, or one that is known from earlier runs */
#define TF_NO_SEED UINT64_MAX

/* A race of a chip of a system. */
struct tf_chip_race {
    struct tf_race race;
    unsigned chip;
};

/* A pair of accesses. */
struct tf_pair {
    struct tf_chip_race of; /* one of its races */
    uint64_t first[2];      /* the first seed with that order, and with the other one; or TF_NO_SEED */
};

struct tf_orders_of_job;

struct tf_orders {
    struct tf_orders_of_job *of_job; /* in memory that all processes share */
    unsigned jobs;
    bool replayed;        /* schedules were replayed whose orders count as the usual one */
    struct tf_pair *pair; /* tf_orders_collect() */
    size_t pairs;
};

/* Returns false if the host has too little memory. */
bool tf_orders_open(struct tf_orders *orders, unsigned jobs);
void tf_orders_close(struct tf_orders *orders);

/* A job has seen the races of a run. At most 512 orders of a job are kept. */
void tf_orders_note(struct tf_orders *orders, unsigned job, uint64_t seed, const struct tf_chip_race *race,
                    size_t races);

/* Collect the pairs of all jobs, from seeds up to `last`. Returns false if the host has too little memory. */
bool tf_orders_collect(struct tf_orders *orders, uint64_t last);

void tf_orders_print(const struct tf_orders *orders, const struct tf_subject *subject, FILE *out);

/* Returns an array of the pairs. */
json_t *tf_orders_json(const struct tf_orders *orders, const struct tf_subject *subject);

#endif
