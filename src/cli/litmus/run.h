/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of a litmus test. */
#ifndef CLI_LITMUS_RUN_H
#define CLI_LITMUS_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct tf_interrupt;
struct tf_litmus;
struct tf_litmus_result;

/* Must `run --check` name a race? */
bool tf_litmus_has_race(const struct tf_litmus *test);

/* Run a test with up to `seeds` seeds. It ends early when all allowed outcomes have occurred within a third of them, or
   at a signal. Any thread. */
void tf_litmus_run(const struct tf_litmus *test, uint64_t seeds, struct tf_interrupt *interrupt,
                   struct tf_litmus_result *result);

#endif
