/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of links between chips (EthernetTxRx.md of both families). */
#ifndef RACES_LINKS_H
#define RACES_LINKS_H

#include "races/state/state.h"

struct tf_races;
struct tf_saved;

/* The host learns that all packets of a link have acted. */
void packets_learn(const struct site *site, struct tf_view *host);

/* Before any core has run: follow the packets of an Ethernet tile's link. out, in: its port, and the other end's, as
   16 * chip + port. Returns false if the host has no memory. */
bool tf_races_connect(struct tf_races *races, uint16_t node, unsigned out, unsigned in);

/* Between windows of a system: bring to the other end what packets know that were sent. On the calling thread. */
void tf_races_carry(struct tf_races *from, uint16_t sender, struct tf_races *to, uint16_t receiver);

/* The same between processes: write it at the sender's, and read it at the receiver's (host/saved.h). */
void tf_races_give(struct tf_races *from, uint16_t sender, struct tf_saved *letter);
void tf_races_take(struct tf_races *to, uint16_t receiver, struct tf_saved *letter);

#endif
