/* SPDX-License-Identifier: Apache-2.0 */
/* Words of L1 and DRAM that `stress` changes: do the changes form one history? */
#ifndef CLI_CHECK_STRESS_WORDS_H
#define CLI_CHECK_STRESS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct tf_stress_chip;
struct tf_stress_failure;

/* Set the words to 0, before a round. TF_OK, or an error of the library. */
int tf_stress_words_begin(struct tf_stress_chip *stress);

/* Do the changes of each word in the last round form one history? `records`: in the history, as many as it has room
   for. Returns false after filling failure. */
bool tf_stress_words_check(struct tf_stress_chip *stress, size_t records, struct tf_stress_failure *failure);

#endif
