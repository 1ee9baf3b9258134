/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that a NIU of Wormhole writes as it takes a command. */
#ifndef NOC_REQUESTS_WRITTEN_BACK_H
#define NOC_REQUESTS_WRITTEN_BACK_H

struct tf_niu;
struct tf_noc_command;

/* Write the words of an initiator that the hardware writes, for families whose NIUs do so. */
void tf_niu_write_back(struct tf_niu *niu, unsigned initiator, const struct tf_noc_command *command);

#endif
