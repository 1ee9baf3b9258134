/* SPDX-License-Identifier: Apache-2.0 */
/* Forks of chips. */
#ifndef FARM_SAVED_FORK_H
#define FARM_SAVED_FORK_H

struct tf_chip;
struct tf_message;

/* Make a new chip a fork of another one. TF_OK; TF_EINVAL (another configuration), TF_ENOMEM: then the new chip can
   only be destroyed. Thread: the chips', between runs. */
int tf_forks_begin(struct tf_chip *chip, struct tf_chip *fork, struct tf_message *message);

#endif
