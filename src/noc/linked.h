/* SPDX-License-Identifier: Apache-2.0 */
/* Linked transactions that are open. */
#ifndef NOC_LINKED_H
#define NOC_LINKED_H

#include <stdbool.h>

struct tf_niu;

/* Has the NIU's last request NOC_CMD_VC_LINKED, so that its next one belongs to the same transaction? */
bool tf_niu_is_linked(const struct tf_niu *niu);

#endif
