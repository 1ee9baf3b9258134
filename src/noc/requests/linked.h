/* SPDX-License-Identifier: Apache-2.0 */
/* Linked transactions that are open. */
#ifndef NOC_REQUESTS_LINKED_H
#define NOC_REQUESTS_LINKED_H

#include <stdbool.h>
#include <stdint.h>

struct tf_niu;
struct tf_noc_command;

/* Has the NIU's last request NOC_CMD_VC_LINKED, so that its next one belongs to the same transaction? */
bool tf_niu_is_linked(const struct tf_niu *niu);

/* A request is the next one of its NIU. Returns NULL, or why the open linked transaction does not allow it.
   The caller passes those that link, and those that come while a transaction is open. */
const char *tf_noc_link(struct tf_niu *niu, const struct tf_noc_command *command, uint32_t ctrl);

#endif
