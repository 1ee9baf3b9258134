/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of links between chips (EthernetTxRx.md of both families). */
#ifndef RACES_LINKS_H
#define RACES_LINKS_H

#include "races/state/state.h"

/* The host learns that all packets of a link have acted. */
void packets_learn(const struct site *site, struct tf_view *host);

#endif
